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

/** Days of a period at most. */
const DAYS = { annual: 366, quarterly: 92, monthly: 31, weekly: 7 };

/** True if a range in years shows the same as all of the series, because the data begin later. */
function isBeyond(series, range, as_of) {
  const { firstPeriodEnd, latestPeriodEnd, frequency } = series;
  const { from, to } = spanOf(series, range, { as_of });
  if (from === '' || !firstPeriodEnd || (to !== '' && to < latestPeriodEnd)) return false;
  return Date.parse(firstPeriodEnd) - Date.parse(from) > (DAYS[frequency] ?? 7) * 86_400_000;
}

/** → { options, value, note } of the buttons: `value` is the range that is drawn; `note` says where the data begin if a range goes beyond that. */
export function rangeButtons(series, range, as_of) {
  const begins = `Data begin ${firstPeriod(series)}`;
  const options = RANGES.map((one) => (isBeyond(series, one.id, as_of) ? { ...one, isDisabled: true, title: begins } : one));
  const isShort = options.some(({ isDisabled = false }) => isDisabled);
  return { options, value: isBeyond(series, range, as_of) ? 'all' : range, note: isShort ? `${begins}.` : null };
}

/** The name of the first period; a week and a day by their end. */
function firstPeriod({ firstPeriodEnd, frequency }) {
  if (firstPeriodEnd === null || firstPeriodEnd === undefined) return '';
  const [year, month] = firstPeriodEnd.split('-');
  const names = { annual: year, quarterly: `${year}-Q${Math.ceil(Number(month) / 3)}`, monthly: `${year}-${month}` };
  return names[frequency] ?? firstPeriodEnd;
}

/** A series with the beginning of the earlier one of the two. `over`: null without a second one. */
export const reachOf = (series, over) =>
  over?.firstPeriodEnd && over.firstPeriodEnd < series.firstPeriodEnd ? { ...series, firstPeriodEnd: over.firstPeriodEnd } : series;
