// What was not known of a company at an as-of, and since when it is.
import { daysAfter } from '../calendar/weeks.js';

const FACTS = ['sector', 'industry', 'country', 'ticker'];

/** The names of the facts that the row of today has and the row of then has not. */
export const unknownThen = (then, today) => FACTS.filter((name) => then[name] === null && today[name] !== null);

/** Among whom the scores rank a company. A sector that was not known then ranks nobody. */
export function rankedAmong(sector, as_of) {
  if (sector !== null) return 'within the sector, or among all companies if fewer than five of the sector have the figure';
  return `among all companies, because ${as_of ? `no sector was known by ${as_of}` : 'no sector is known'}`;
}

/** The last day whose end an as-of does not precede: within a day, the day before. */
export const lastWholeDay = (as_of) => (as_of.length === 10 ? as_of : daysAfter(as_of.slice(0, 10), -1));

/** The day from which on something is known, from the hint of an answer that is empty because of its as-of; else null. */
export function firstKnown(meta) {
  const hint = meta?.hints?.find(({ parameter, nearest }) => parameter === 'as_of' && nearest !== undefined);
  return hint === undefined ? null : String(hint.nearest).slice(0, 10);
}

const DAY_MS = 86_400_000;

/** The first day after `from` on which `isKnown(day)` resolves to true, if it is false at `from`, true at `to`, and stays so. Asks once for each halving. */
export async function firstDay(from, to, isKnown) {
  const days = Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);
  if (days <= 1) return to;
  const middle = daysAfter(from, Math.floor(days / 2));
  return (await isKnown(middle)) ? firstDay(from, middle, isKnown) : firstDay(middle, to, isKnown);
}
