// The known name that was probably meant by one that is not known.
import { closestMatch } from 'leven';

/** Longer names are compared by their begin. */
const MOST_CHARACTERS = 64;

/** Null when none is near: a third of the characters may be wrong, two neighbours may stand in the wrong order, or the rest may be missing. */
export function nearestName(name: string, known: readonly string[]): string | null {
  const query = name.slice(0, MOST_CHARACTERS).toLowerCase();
  if (query === '') return null;
  const containing = query.length < 4 ? undefined : known.find((one) => one.includes(query));
  const transposed = () => known.find((one) => isTransposed(one, query));
  return containing ?? transposed() ?? closestMatch(query, known, { maxDistance: Math.max(1, Math.floor(query.length / 3)) }) ?? null;
}

function isTransposed(one: string, other: string): boolean {
  if (one.length !== other.length) return false;
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return one[at] === other[at + 1] && one[at + 1] === other[at] && one.slice(at + 2) === other.slice(at + 2) && at + 1 < one.length;
}
