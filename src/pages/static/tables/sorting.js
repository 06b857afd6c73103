// The order of the rows of a table, as the visitor chose it: the id of a column, with '-' before it for the largest first, or '' as given.

const TEXTS = new Intl.Collator('en', { numeric: true });

/** Rows in that order; those without a value stay last in both directions. Equal ones keep their order. */
export function sortedRows(rows, columns, sort) {
  const column = columns.find(({ id }) => id === idOf(sort));
  if (column === undefined) return rows;
  const sign = isDescending(sort) ? -1 : 1;
  const keyed = rows.map((row) => ({ row, key: keyOf(column, row) }));
  return keyed.toSorted((a, b) => compared(a.key, b.key, sign)).map(({ row }) => row);
}

/** The order after one more press on the head of a column: its natural direction, the other one, as given. */
export function nextSort(sort, { id, isNumber = false }) {
  const [first, second] = isNumber ? [`-${id}`, id] : [id, `-${id}`];
  if (sort === first) return second;
  return sort === second ? '' : first;
}

/** For `aria-sort` of the head of a column. */
export function directionOf(sort, id) {
  if (idOf(sort) !== id) return 'none';
  return isDescending(sort) ? 'descending' : 'ascending';
}

const idOf = (sort) => sort.replace(/^-/, '');
const isDescending = (sort) => sort.startsWith('-');

function keyOf({ value, sortBy = value }, row) {
  const key = sortBy(row);
  return key === undefined || key === '' ? null : key;
}

function compared(a, b, sign) {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  if (typeof a === 'number' && typeof b === 'number') return sign * (a - b);
  return sign * TEXTS.compare(String(a), String(b));
}
