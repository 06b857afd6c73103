// The address of /explore as state of its views.
import { readAddress, writeAddress } from './address.js';
import { useEffect, useState } from './lib/preact.js';
import { takeKey } from './session.js';

/**
 * `{ view, params, set, linkTo }` of the address. `set(patch, { replace })` changes parameters of this view (replace: no entry in the history);
 * `linkTo(view, params)` is an address of another view with the same as-of.
 */
export function useAddress() {
  const [hash, setHash] = useState(window.location.hash);
  useEffect(() => {
    // A link with a key may be opened in an existing tab of the page.
    const changed = () => {
      takeKey();
      setHash(window.location.hash);
    };
    window.addEventListener('hashchange', changed);
    return () => window.removeEventListener('hashchange', changed);
  }, []);
  const { view, params } = readAddress(hash);
  return {
    view,
    params,
    set: (patch, { replace = false } = {}) => {
      const now = readAddress(window.location.hash);
      const next = writeAddress(now.view, { ...now.params, ...patch });
      if (next === window.location.hash) return;
      if (!replace) window.location.hash = next;
      else {
        window.history.replaceState(null, '', next);
        setHash(next);
      }
    },
    linkTo: (to, more = {}) => writeAddress(to, { ...more, as_of: more.as_of ?? params.as_of }),
  };
}
