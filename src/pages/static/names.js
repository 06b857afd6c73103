// Names in place of ids. Until they are there, and for an id without a name, the id stays.
import { html, useEffect, useState } from './lib/preact.js';
import { get, getAll } from './api.js';
import { useAsked } from './components.js';
import { entityName } from './cot/contracts.js';
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

/** The most entities that one list asks for, and how many of them at a time. */
const [MOST_ASKED, AT_A_TIME] = [60, 12];
/** As-of and id → the name, by answers of the interface; null if it has none. */
const answered = new Map();

/** The few entities that a search finds by an id. */
const MOST_FOUND = 3;
/** Null if it was not known then: the list answers, while the entity alone would be an error in the console. */
async function named(id, as_of, options) {
  const { data } = await get('/entities', { q: id, as_of, limit: MOST_FOUND }, options);
  const found = data.find(({ entityId }) => entityId === id);
  return found === undefined ? null : entityName(found);
}

/** Like `useNames`, and also has the names of these entities as of a day. It asks the interface for companies and contracts. */
export function useNamesOf(ids, as_of) {
  const names = useNames();
  const [, redraw] = useState(0);
  const keyOf = (id) => `${as_of ?? ''} ${id}`;
  const unknown = names.places === undefined ? [] : [...new Set(ids)].filter((id) => names.entity(id) === id).slice(0, MOST_ASKED);
  const wanted = unknown
    .filter((id) => !answered.has(keyOf(id)))
    .slice(0, AT_A_TIME)
    .join(' ');
  useEffect(() => {
    if (wanted === '') return undefined;
    const leaving = new AbortController();
    const name = async (id) => {
      const options = { signal: leaving.signal };
      // One not known then has its name of now. If a name cannot be read, the list shows the id.
      const found = await named(id, as_of, options)
        .then((then) => then ?? (as_of ? named(id, undefined, options) : null))
        .catch(() => null);
      if (!leaving.signal.aborted) answered.set(keyOf(id), found);
    };
    void Promise.all(wanted.split(' ').map(name)).then(() => leaving.signal.aborted || redraw((count) => count + 1));
    return () => leaving.abort();
  }, [wanted, as_of]);
  return { ...names, entity: (id) => answered.get(keyOf(id)) ?? names.entity(id) };
}

/** As many ids as one question takes. */
const MOST_IDS = 50;

/** The rows of all ids, which one question may not take together. */
export async function rowsInParts(path, { ids, ...params }, options) {
  const parts = Array.from({ length: Math.ceil(ids.length / MOST_IDS) }, (_, at) => ids.slice(at * MOST_IDS, (at + 1) * MOST_IDS));
  const answers = await Promise.all(parts.map((part) => getAll(path, { ...params, indicator_id: part.join(',') }, options)));
  return answers.flatMap(({ data }) => data);
}

/** The names of these indicators by id. One without a value has no name here. */
export function useIndicatorNames(ids, as_of) {
  const asked = { ids, as_of, columns: 'indicatorId,indicatorName' };
  const { answer } = useAsked(ids.length === 0 ? null : '/observations/latest', asked, rowsInParts);
  return new Map((answer ?? []).map(({ indicatorId, indicatorName }) => [indicatorId, indicatorName]));
}

/** The column of a table with the source of its rows: its name; all of it and the id under the pointer, the id in files. */
export const sourceColumn = (names) => ({
  id: 'sourceId',
  label: 'Source',
  value: (row) => row.sourceId,
  isNarrow: true,
  show: (row) => html`<span class="source" title=${`${names.source(row.sourceId)} (${row.sourceId})`}>${names.source(row.sourceId)}</span>`,
});
