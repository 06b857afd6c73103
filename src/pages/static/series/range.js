// How many years of a series its page shows.

export const RANGES = [
  { id: '3', label: '3 years' },
  { id: '10', label: '10 years' },
  { id: '25', label: '25 years' },
  { id: 'all', label: 'All' },
];

/** The range of an address: one of `RANGES`; any other is the usual one of the frequency. */
export function rangeOf({ frequency }, range) {
  if (RANGES.some(({ id }) => id === range)) return range;
  return frequency === 'daily' || frequency === 'weekly' ? '10' : '25';
}

/** The first day of the shown periods, or so many years before; '' for all. */
export function startOf(series, range, yearsBefore = 0) {
  const years = rangeOf(series, range);
  const { latestPeriodEnd } = series;
  if (years === 'all' || latestPeriodEnd === null) return '';
  return `${Number(latestPeriodEnd.slice(0, 4)) - Number(years) - yearsBefore}${latestPeriodEnd.slice(4)}`.replace(/-02-29$/, '-02-28');
}
