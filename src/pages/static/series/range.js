// How many years of a series its page shows.

export const RANGES = [
  { id: '3', label: '3 years' },
  { id: '10', label: '10 years' },
  { id: '25', label: '25 years' },
  { id: 'all', label: 'All' },
];

/** The range of an address: one of `RANGES`; any other is the usual one of the frequency. */
function rangeOf({ frequency }, range) {
  if (RANGES.some(({ id }) => id === range)) return range;
  return frequency === 'daily' || frequency === 'weekly' ? '10' : '25';
}

const yearsFrom = (day, count) => `${Number(day.slice(0, 4)) + count}${day.slice(4)}`.replace(/-02-29$/, '-02-28');

/**
 * The days between which the shown periods end: { from, to }, '' for no limit. They are the years up to the newest period. If the as-of is before that, they
 * are the years up to the as-of, which were known then, and as many after it. `yearsBefore`: so many more before them.
 */
export function spanOf(series, range, { yearsBefore = 0, as_of } = {}) {
  const years = rangeOf(series, range);
  const { latestPeriodEnd } = series;
  if (years === 'all' || latestPeriodEnd === null) return { from: '', to: '' };
  const then = (as_of ?? '').slice(0, 10);
  const isEarlier = then !== '' && then < latestPeriodEnd;
  return {
    from: yearsFrom(isEarlier ? then : latestPeriodEnd, -Number(years) - yearsBefore),
    to: isEarlier ? yearsFrom(then, Number(years)) : '',
  };
}

/** The range of an address, or the next one that has the period that ends on a day, if the range lacks it. */
export function rangeWith(series, range, { period_end = '', as_of }) {
  const usual = rangeOf(series, range);
  const wide = RANGES.slice(RANGES.findIndex(({ id }) => id === usual));
  return wide.find(({ id }) => period_end === '' || spanOf(series, id, { as_of }).from <= period_end)?.id ?? 'all';
}
