// What was read from the service, kept for a while.
import { LRUCache } from 'lru-cache';

/**
 * Answers with the value of a name, and reads it if none is kept. A value lives `ms` from its reading, however often it is asked for; one that could not be
 * read is not kept.
 */
export function keptFor<Value>(ms: number, most: number, now: () => number): (name: string, read: () => Promise<Value>) => Promise<Value> {
  const kept = new LRUCache<string, { readonly value: Promise<Value>; readonly readAt: number }>({ max: most });
  return (name, read) => {
    const at = now();
    const known = kept.get(name);
    // A clock that was set back makes nothing live longer.
    if (known !== undefined && Math.abs(at - known.readAt) < ms) return known.value;
    const made = { value: read(), readAt: at };
    kept.set(name, made);
    made.value.catch(() => {
      if (kept.peek(name) === made) kept.delete(name);
    });
    return made.value;
  };
}
