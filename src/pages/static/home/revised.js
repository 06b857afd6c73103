// What the charts of the start page are made of: one period as it was known, and how far first prints were from what is known now.

/** Quarters whose first print was far off, the best known first. */
export const QUARTERS = ['2008-Q4', '2020-Q2'];

const secondsOf = (instant) => Date.parse(instant) / 1000;

/** The prints of one period up to now → { data: [xs, values] for a line of steps, first, last }; null without a second print. */
export function pathOf({ prints }, now) {
  const known = prints.filter(({ value }) => value !== null);
  if (known.length < 2) return null;
  const [first, last] = [known[0], known.at(-1)];
  return {
    data: [
      [...known.map(({ from }) => secondsOf(from)), secondsOf(now)],
      [...known.map(({ value }) => value), last.value],
    ],
    first,
    last,
  };
}

/** Periods → { data: [xs, now minus first print], largest: the period with the largest difference }, for periods that were observed from the first print on. */
export function revisionsOf(periods) {
  const revised = periods.flatMap(({ period, periodEnd, isBackfill, prints }) => {
    const [first, last] = [prints[0].value, prints.at(-1).value];
    return isBackfill || first === null || last === null
      ? []
      : [{ period, periodEnd, first, last, difference: Number((last - first).toPrecision(12)) }];
  });
  const largest = revised.reduce((most, one) => (most === null || Math.abs(one.difference) > Math.abs(most.difference) ? one : most), null);
  return {
    data: [revised.map(({ periodEnd }) => secondsOf(`${periodEnd}T00:00:00Z`)), revised.map(({ difference }) => difference)],
    largest,
  };
}
