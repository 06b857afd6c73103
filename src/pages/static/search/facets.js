// The facets of a search: columns of which one value narrows the results. The service narrows them; the numbers count the rows at hand.

/** Kind of result → its facets. `id`: the parameter of the service; `column`: that of a row. */
export const FACETS = {
  indicators: [
    { id: 'category', label: 'Category', column: 'category' },
    { id: 'frequency', label: 'Frequency', column: 'frequency' },
    { id: 'source_id', label: 'Source', column: 'sourceId' },
  ],
  entities: [{ id: 'entity_type', label: 'Kind', column: 'entityType' }],
  companies: [{ id: 'sector', label: 'Sector', column: 'sector' }],
  contracts: [],
};

/** The parameters of all facets, each without a value. */
export const NO_FACETS = Object.fromEntries(
  Object.values(FACETS)
    .flat()
    .map(({ id }) => [id, '']),
);

/** The chosen facets of a kind, as parameters of the service. */
export const chosenFacets = (kind, params) => Object.fromEntries(FACETS[kind].map(({ id }) => [id, params[id]]));

/** Rows → the values of a column with the number of results that have each, most first; the chosen one is always there. Series of one indicator are one result. */
export function valuesOf(rows, column, chosen) {
  const results = new Map(chosen ? [[chosen, new Set()]] : []);
  for (const row of rows) {
    const value = row[column];
    if (value === null || value === undefined) continue;
    if (!results.has(value)) results.set(value, new Set());
    results.get(value).add(row.canonicalIndicatorId ?? row.entityId);
  }
  return [...results]
    .map(([value, found]) => ({ value, count: found.size }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
}
