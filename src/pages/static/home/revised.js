// The data of the charts on the start page: one period as it was known, and the revision of each month since its first print.
import { placeOf } from '../charts/vintages.js';

/** Quarters whose first print was far off, the best known first. */
export const QUARTERS = ['2008-Q4', '2020-Q2'];

const secondsOf = (instant) => Date.parse(instant) / 1000;

/**
 * The prints of one period up to now → { data: [xs, values] for a line of steps, first, last }. Null without a second print, for a backfill, which has no
 * first one, and for a value that is withdrawn.
 */
export function pathOf({ isBackfill, prints }, now) {
  const known = prints.filter(({ value }) => value !== null);
  const [first, last] = [prints[0], prints.at(-1)];
  if (isBackfill || known.length < 2 || first.value === null || last.value === null) return null;
  return {
    data: [
      [...known.map(({ from }) => secondsOf(from)), secondsOf(now)],
      [...known.map(({ value }) => value), last.value],
    ],
    first,
    last,
  };
}

/** Periods → { periods, data: [xs, now minus first print], largest: the period with the largest difference }, for `periods` that were observed from the first print on. */
export function revisionsOf(periods) {
  const revised = periods.flatMap(({ period, periodEnd, isBackfill, prints }) => {
    const [first, last] = [prints[0].value, prints.at(-1).value];
    return isBackfill || first === null || last === null
      ? []
      : [{ period, periodEnd, first, last, difference: Number((last - first).toPrecision(12)) }];
  });
  const largest = revised.reduce((most, one) => (most === null || Math.abs(one.difference) > Math.abs(most.difference) ? one : most), null);
  return {
    periods: revised,
    data: [revised.map(placeOf), revised.map(({ difference }) => difference)],
    largest,
  };
}
