// Groups rows by a common value.

/** In order of first appearance. */
export function groupedBy(rows, keyOf) {
  const groups = new Map();
  for (const row of rows) {
    const key = keyOf(row);
    const found = groups.get(key);
    if (found === undefined) groups.set(key, [row]);
    else found.push(row);
  }
  return groups;
}
