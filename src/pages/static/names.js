// Names in place of ids. They are asked for once; until they are there, and for an id without a name, the id stays.
import { useEffect, useState } from './lib/preact.js';

let names = null;
let asking = null;

/** → { entity(id), source(id), country(code) }: the name, otherwise the id. */
export function useNames() {
  const [known, setKnown] = useState(names);
  useEffect(() => {
    if (names !== null) return;
    asking ??= fetch('/pages/names.json').then((answer) => answer.json());
    asking.then(
      (found) => {
        names = found;
        setKnown(found);
      },
      // Without names the ids serve.
      () => {},
    );
  }, []);
  const nameOf = (kind, id) => known?.[kind][id] ?? id;
  return {
    entity: (id) => nameOf('entities', id),
    source: (id) => nameOf('sources', id),
    country: (code) => (code === null ? null : (known?.entities[code.toLowerCase()] ?? code)),
  };
}
