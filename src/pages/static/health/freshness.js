// How old the data are, from the state of their sources.
import { counted } from '../numbers.js';
import { isInTrouble } from './reasons.js';

/** What the service computes is no news of a publisher. */
const OWN = 'asof';
const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];

/** At least a minute, and in days from two days on. */
function ageText(instant, now) {
  const age = Math.max(now - Date.parse(instant), MINUTE);
  if (age < HOUR) return counted(Math.floor(age / MINUTE), 'minute');
  return age < 2 * DAY ? counted(Math.floor(age / HOUR), 'hour') : counted(Math.floor(age / DAY), 'day');
}

/**
 * Sources of /source-health → { newest: { name, age } of the source with the newest data, null without data, trouble: how many are late or fail,
 * oldest: { name, age } of that one of them that has been without new data for longest, its age null if it never had any }.
 */
export function freshnessOf(sources, now) {
  const named = (source) =>
    source === undefined ? null : { name: source.name, age: source.lastNewDataAt === null ? null : ageText(source.lastNewDataAt, now) };
  const byAge = sources
    .filter(({ sourceId }) => sourceId !== OWN)
    .toSorted((a, b) => ((a.lastNewDataAt ?? '') < (b.lastNewDataAt ?? '') ? -1 : 1));
  const trouble = byAge.filter(isInTrouble);
  return {
    newest: named(byAge.findLast(({ lastNewDataAt }) => lastNewDataAt !== null)),
    trouble: trouble.length,
    oldest: named(trouble[0]),
  };
}
