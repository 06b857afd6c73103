// Caches answers that are the same for every reader of a snapshot, as long as its catalogue exists.
import type { Catalogue } from '../model/catalogue.ts';
import type { Snapshot } from './snapshot.ts';

type Ask<Answer> = (snapshot: Snapshot) => Promise<Answer>;

/** Like `askedOnce`, for an answer that depends on the visible periods: it caches one answer per first visible day. */
export function askedOnceAView<Answer>(ask: Ask<Answer>): Ask<Answer> {
  const views = new WeakMap<Catalogue, Map<string, Ask<Answer>>>();
  return (snapshot) => {
    const historyFrom = snapshot.historyFrom ?? null;
    const ofCatalogue = views.get(snapshot.catalogue) ?? new Map<string, Ask<Answer>>();
    views.set(snapshot.catalogue, ofCatalogue);
    const own = ofCatalogue.get(historyFrom ?? '') ?? askedOnce(ask);
    ofCatalogue.set(historyFrom ?? '', own);
    for (const day of ofCatalogue.keys()) if (ofCatalogue.size > MOST_VIEWS) ofCatalogue.delete(day);
    return own(snapshot);
  };
}

/** All periods, and the free tier's window today and in walks that began yesterday. */
const MOST_VIEWS = 3;

export function askedOnce<Answer>(ask: Ask<Answer>): Ask<Answer> {
  const kept = new WeakMap<Catalogue, Promise<Answer>>();
  const askAnew: Ask<Answer> = (snapshot) => {
    const asked = ask(snapshot);
    kept.set(snapshot.catalogue, asked);
    asked.catch(() => kept.delete(snapshot.catalogue));
    return asked;
  };
  const own: Ask<Answer> = (snapshot) => {
    const known = kept.get(snapshot.catalogue);
    // The shared query fails if the request that started it was cancelled. Then ask again.
    return known === undefined ? askAnew(snapshot) : known.catch(() => own(snapshot));
  };
  return own;
}
