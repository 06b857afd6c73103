// Caches data from the service for a while.
import { LRUCache } from 'lru-cache';

/**
 * Returns the value of a name, and reads it if it is not cached. A value expires `ms` after its reading, however often it is used. A failed
 * reading is not cached.
 */
export function keptFor<Value>(ms: number, most: number, now: () => number): (name: string, read: () => Promise<Value>) => Promise<Value> {
  const kept = new LRUCache<string, { readonly value: Promise<Value>; readonly readAt: number }>({ max: most });
  return (name, read) => {
    const at = now();
    const known = kept.get(name);
    // If the clock was set back, no value lives longer.
    if (known !== undefined && Math.abs(at - known.readAt) < ms) return known.value;
    const made = { value: read(), readAt: at };
    kept.set(name, made);
    made.value.catch(() => {
      if (kept.peek(name) === made) kept.delete(name);
    });
    return made.value;
  };
}
