// How old the data are, from the state of their sources.
import { counted } from '../numbers.js';
import { isInTrouble, reasonOf, worstFirst } from './reasons.js';

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
 * asked: how many were asked for data,
 * worst: { name, reason } of the source in the worst state, as Data health shows it; null if no source is in trouble }.
 */
export function freshnessOf(sources, now) {
  const all = sources.filter(({ sourceId }) => sourceId !== OWN);
  const newest = all.reduce((latest, one) => ((one.lastNewDataAt ?? '') > (latest?.lastNewDataAt ?? '') ? one : latest), null);
  const trouble = worstFirst(all.filter(isInTrouble));
  return {
    newest: newest === null ? null : { name: newest.name, age: ageText(newest.lastNewDataAt, now) },
    trouble: trouble.length,
    asked: all.filter(({ status }) => status !== 'unknown').length,
    worst: trouble.length === 0 ? null : { name: trouble[0].name, reason: reasonOf(trouble[0]) },
  };
}

/** How many sources are in trouble, and why the worst one is: a count in its reason is of its series. */
export function troubleText({ trouble, asked, worst }) {
  if (worst === null) return 'No source is in trouble.';
  const [verb, which] = trouble === 1 ? ['is', 'It'] : ['are', 'The worst'];
  const reason = worst.reason[0].toLowerCase() + worst.reason.slice(1);
  return `${trouble} of ${counted(asked, 'source')} ${verb} in trouble. ${which} is ${worst.name}: ${reason}`;
}
