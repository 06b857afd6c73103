// What is the same for every reader of a snapshot, asked of it once and kept as long as its catalogue.
import type { Catalogue } from '../model/catalogue.ts';
import type { Snapshot } from './snapshot.ts';

type Ask<Answer> = (snapshot: Snapshot) => Promise<Answer>;

/** The same of what depends on the periods that a reader may see: once a view and day. */
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

/** All periods, and those of a key of the free tier today and in walks that began yesterday. */
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
    // It ends with the request that asked it, which may have been broken off: that is no answer to another.
    return known === undefined ? askAnew(snapshot) : known.catch(() => own(snapshot));
  };
  return own;
}
