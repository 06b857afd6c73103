// Rows by what they have in common.

/** In the order in which the groups first come. */
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
