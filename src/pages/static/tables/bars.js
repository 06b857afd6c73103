// Bars in the cells of a table: lengths in proportion to the numbers, all from the same zero.

const isNumber = (value) => typeof value === 'number' && Number.isFinite(value);

/** The ends of an axis that has all these numbers and zero. */
export function scaleOf(values) {
  const numbers = values.filter(isNumber);
  return { low: Math.min(0, ...numbers), high: Math.max(0, ...numbers) };
}

/** The left end and the width of a bar, in percent of the axis. null if the value is no number, or if all numbers are zero. */
export function barOf(value, { low, high }) {
  if (!isNumber(value) || low === high) return null;
  const share = (part) => (100 * part) / (high - low);
  return { from: share(Math.min(value, 0) - low), width: share(Math.abs(value)), isNegative: value < 0 };
}

/** The scale of each `bar` name. Columns with the same name share a scale. */
export function scalesOf(columns, rows) {
  const barred = columns.filter(({ bar }) => bar !== undefined);
  const valuesOf = (name) => barred.filter(({ bar }) => bar === name).flatMap(({ value }) => rows.map((row) => value(row)));
  return new Map(barred.map(({ bar }) => [bar, scaleOf(valuesOf(bar))]));
}
