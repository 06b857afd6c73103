// Answers already rendered, but for their request ids. Bounded by bytes; the least recently used goes first.
import { type GzipHead, gzipHead } from './conditional.ts';

/** An answer cut before its request ids. */
export interface RenderedAnswer {
  readonly head: Buffer;
  /** Compressed once, when the first client asks for it. */
  readonly gzip: () => Promise<GzipHead>;
  readonly tag: string;
  readonly rows: number | null;
  readonly renderedAt: number;
}

export function renderedAnswer(head: string, tag: string, rows: number | null, renderedAt: number): RenderedAnswer {
  const bytes = Buffer.from(head);
  let compressed: Promise<GzipHead> | null = null;
  return {
    head: bytes,
    gzip: () => {
      compressed ??= gzipHead(bytes);
      return compressed;
    },
    tag,
    rows,
    renderedAt,
  };
}

export interface ResponseCache {
  readonly get: (key: string, now: number) => RenderedAnswer | null;
  readonly set: (key: string, answer: RenderedAnswer) => void;
}

const MOST_BYTES = 64 * 1024 * 1024;
const LONGEST_KEY = 4096;
/** A cached page's cursor was issued when it was rendered: it keeps nearly all of its 24 hours. */
const MOST_AGE = 10 * 60 * 1000;

export function responseCache(mostBytes = MOST_BYTES): ResponseCache {
  const entries = new Map<string, { readonly answer: RenderedAnswer; readonly bytes: number }>();
  let total = 0;
  const remove = (key: string) => {
    total -= entries.get(key)?.bytes ?? 0;
    entries.delete(key);
  };
  return {
    get(key, now) {
      const entry = entries.get(key);
      if (entry === undefined) return null;
      entries.delete(key);
      if (Math.abs(now - entry.answer.renderedAt) > MOST_AGE) {
        total -= entry.bytes;
        return null;
      }
      entries.set(key, entry);
      return entry.answer;
    },
    set(key, answer) {
      // Compressed heads are counted before they exist, at a third of the plain ones.
      const bytes = Math.ceil(answer.head.length * 1.34) + 2 * key.length + 500;
      if (key.length > LONGEST_KEY || bytes > mostBytes / 8) return;
      remove(key);
      entries.set(key, { answer, bytes });
      total += bytes;
      for (const oldest of entries.keys()) {
        if (total <= mostBytes) break;
        remove(oldest);
      }
    },
  };
}
