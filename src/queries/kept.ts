// What is the same for every reader of a snapshot, asked of it once and kept as long as its catalogue.
import type { Catalogue } from '../model/catalogue.ts';
import type { Snapshot } from './snapshot.ts';

type Ask<Answer> = (snapshot: Snapshot) => Promise<Answer>;

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
