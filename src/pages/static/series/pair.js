// The choice of two vintages, and their difference by period.

const DAY_MS = 86_400_000;

/**
 * The two vintage days to compare: those asked for if there are such vintages, otherwise the newest one known at `moment` and, before it, the newest one that
 * is a year older (or the first).
 */
export function pairOf(days, moment, a, b) {
  const known = moment === null ? days : days.filter((day) => day <= moment.slice(0, 10));
  const newest = days.includes(b) ? b : (known.at(-1) ?? days[0]);
  const yearBefore = new Date(Date.parse(newest) - 365 * DAY_MS).toISOString().slice(0, 10);
  return { a: days.includes(a) ? a : (days.findLast((day) => day <= yearBefore) ?? days[0]), b: newest };
}

/** [{ period, a, b, difference }]: null if either lacks the period. Only the noise of binary fractions is cut off. */
export function differencesOf(periods, a, b) {
  return periods.map(({ period }, at) => ({
    period,
    a: a[at],
    b: b[at],
    difference: a[at] === null || b[at] === null ? null : Number((b[at] - a[at]).toFixed(decimalsFor(a[at], b[at]))),
  }));
}

/** The orders of the table of two vintages. */
export const ORDERS = [
  { id: 'newest', label: 'Newest period', text: 'newest first' },
  { id: 'largest', label: 'Largest difference', text: 'the largest difference first' },
  { id: 'one', label: 'Only in one', text: 'newest first' },
];

/**
 * The rows of the table: the differences with a value in at least one vintage, each with its `group`. The periods of both vintages come first; in the order
 * `one`, those of only one vintage do. `rows` are in the order of time.
 */
export function comparedIn(order, rows) {
  const newest = rows.toReversed();
  const both = newest.filter(({ a, b }) => a !== null && b !== null);
  if (order === 'largest') both.sort((one, other) => Math.abs(other.difference) - Math.abs(one.difference));
  const one = [
    { name: 'Only in A', rows: newest.filter(({ a, b }) => a !== null && b === null) },
    { name: 'Only in B', rows: newest.filter(({ a, b }) => a === null && b !== null) },
  ];
  const inBoth = { name: 'In both vintages', rows: both };
  const groups = order === 'one' ? [...one, inBoth] : [inBoth, ...one];
  return groups.flatMap(({ name, rows: found }) => found.map((row) => ({ ...row, group: `${name} (${found.length})` })));
}

/** Twelve digits of the larger one. */
function decimalsFor(a, b) {
  const most = Math.max(Math.abs(a), Math.abs(b));
  return most === 0 ? 0 : Math.min(20, Math.max(0, 11 - Math.floor(Math.log10(most))));
}
