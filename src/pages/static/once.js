// What the service has as a file: asked for once in the life of the page.
import { useEffect, useState } from './lib/preact.js';

const answers = new Map();
const asking = new Map();

/** The JSON at an address of the pages; null until it is there, and for a null address. A page is complete without it, so a failure is none. */
export function useOnce(address) {
  const [known, setKnown] = useState(answers.get(address) ?? null);
  useEffect(() => {
    if (address === null) return;
    // It may have come between the drawing and this effect, which then draws again.
    if (answers.has(address)) {
      setKnown(answers.get(address));
      return;
    }
    if (!asking.has(address))
      asking.set(
        address,
        fetch(address).then((answer) => answer.json()),
      );
    asking.get(address).then(
      (found) => {
        answers.set(address, found);
        setKnown(found);
      },
      () => {},
    );
  }, [address]);
  return answers.get(address) ?? known;
}
