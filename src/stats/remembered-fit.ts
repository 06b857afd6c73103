import { createHash } from 'node:crypto';
import type { Series } from './simple-exponential-smoothing.ts';

/** Enough for a history of 4,000 points on two scales; it takes a few megabytes. */
const MOST = 8192;

/**
 * The same fit, which remembers its last 8,192 results by the points. A series that is never revised needs the fit to its first n points several times:
 * for the forecast of the next point, and later as the training part of longer histories.
 */
export function rememberedFit<Model>(fit: (history: Series) => Model): (history: Series) => Model {
  const known = new Map<string, Model>();
  return (history) => {
    const key = createHash('md5').update(history).digest('binary');
    const found = known.get(key);
    if (found !== undefined) return found;
    const made = fit(history);
    const oldest = known.size < MOST ? undefined : known.keys().next().value;
    if (oldest !== undefined) known.delete(oldest);
    known.set(key, made);
    return made;
  };
}
