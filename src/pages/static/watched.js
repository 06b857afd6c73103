// The visitor's watch-list: series, kept on this computer and sent nowhere.
const NAME = 'asof.watched';
const MOST = 50;
const listeners = new Set();

/** An indicator is of one entity. */
const keyOf = ({ indicator_id, source_id, frequency }) => [indicator_id, source_id, frequency].join(' ');

/** The watched series: [{ indicator_id, source_id, frequency }], the newest first. What is no list of them counts as none. */
export function watchedNow(storage = localStorage) {
  try {
    const found = JSON.parse(storage.getItem(NAME) ?? '[]');
    return Array.isArray(found) ? found.filter((one) => typeof one?.indicator_id === 'string') : [];
  } catch {
    return [];
  }
}

export const isWatched = (series, storage = localStorage) => watchedNow(storage).some((one) => keyOf(one) === keyOf(series));

/** Adds the series, or removes it if it is there. Of too many the oldest go. */
export function toggleWatched(series, storage = localStorage) {
  const others = watchedNow(storage).filter((one) => keyOf(one) !== keyOf(series));
  const { indicator_id, source_id, frequency } = series;
  const next = isWatched(series, storage) ? others : [{ indicator_id, source_id, frequency }, ...others].slice(0, MOST);
  storage.setItem(NAME, JSON.stringify(next));
  for (const listen of listeners) listen();
}

/** Calls `listen` whenever the list changes; returns a function that stops it. */
export function onWatched(listen) {
  listeners.add(listen);
  return () => listeners.delete(listen);
}

// Another tab changed the list.
globalThis.addEventListener?.('storage', () => {
  for (const listen of listeners) listen();
});

/** The newest rows of the watched series, in their order; none for a series without a row. */
export function rowsOfWatched(watched, rows) {
  const keyOfRow = ({ indicatorId, sourceId, frequency }) => keyOf({ indicator_id: indicatorId, source_id: sourceId, frequency });
  const byKey = new Map(rows.map((row) => [keyOfRow(row), row]));
  return watched.flatMap((one) => byKey.get(keyOf(one)) ?? []);
}
