// The published recessions of a country, asked for once.
import { useEffect, useState } from '../lib/preact.js';

let lists = null;
let asking = null;

/** The recessions of a country: [{ peak, trough, peakAnnounced, troughAnnounced }], months and days; [] without a list, or until it is there. */
export function useRecessions(country) {
  const [known, setKnown] = useState(lists);
  useEffect(() => {
    if (lists !== null || country === null) return;
    asking ??= fetch('/pages/recessions.json').then((answer) => answer.json());
    asking.then(
      (found) => {
        lists = found;
        setKnown(found);
      },
      // A chart is complete without them.
      () => {},
    );
  }, [country]);
  return known?.[country] ?? [];
}
