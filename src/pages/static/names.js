// Names in place of ids. Until they are there, and for an id without a name, the id stays.
import { html } from './lib/preact.js';
import { useOnce } from './once.js';

/** → { entity(id), source(id), country(code) }: the name, otherwise the id; `places` in the ranking of the search: { entities, indicators }, undefined until they are there. */
export function useNames() {
  const known = useOnce('/pages/names.json');
  const nameOf = (kind, id) => known?.[kind][id] ?? id;
  return {
    entity: (id) => nameOf('entities', id),
    source: (id) => nameOf('sources', id),
    places: known?.places,
    country: (code) => (code === null ? null : (known?.entities[code.toLowerCase()] ?? code)),
  };
}

/** The column of a table with the source of its rows: its name; the id under the pointer, and in files. */
export const sourceColumn = (names) => ({
  id: 'sourceId',
  label: 'Source',
  value: (row) => row.sourceId,
  show: (row) => html`<span title=${row.sourceId}>${names.source(row.sourceId)}</span>`,
});
