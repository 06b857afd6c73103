// The series that people look up most, by the ranking of the search.

const MOST = 40;
const SHOWN = 12;

/** `places`: of `useNames`, undefined until it is there. → canonical indicators, the first in the ranking first. */
export function oftenAsked(places) {
  return Object.entries(places?.indicators ?? {})
    .toSorted(([one, a], [other, b]) => a - b || (one < other ? -1 : 1))
    .slice(0, MOST)
    .map(([id]) => id);
}

/** Series → one for each canonical indicator, that with the most vintages, in the order of `ids`. */
export function ofEach(series, ids) {
  const best = new Map();
  for (const one of series) {
    const known = best.get(one.canonicalIndicatorId);
    if (known === undefined || one.vintageCount > known.vintageCount) best.set(one.canonicalIndicatorId, one);
  }
  return ids.flatMap((id) => best.get(id) ?? []).slice(0, SHOWN);
}
