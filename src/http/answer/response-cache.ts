// Caches rendered answers without their request ids. It is limited by bytes and evicts the least recently used. It stores an answer from
// the second request on. Most questions come only once, and storing them costs more garbage collection than computing them again.
import { LRUCache } from 'lru-cache';
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

export function renderedAnswer(head: Buffer, tag: string, rows: number | null, renderedAt: number): RenderedAnswer {
  let compressed: Promise<GzipHead> | null = null;
  return {
    head,
    gzip: () => {
      compressed ??= gzipHead(head);
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
/** Questions that the cache remembers as asked once. */
const MOST_ASKED = 20_000;
/** A cached page's cursor was issued when the page was rendered, so it keeps nearly all of its 24 hours. */
const MOST_AGE = 10 * 60 * 1000;

export function responseCache(mostBytes = MOST_BYTES): ResponseCache {
  const answers = new LRUCache<string, RenderedAnswer>({
    maxSize: mostBytes,
    maxEntrySize: mostBytes / 8,
    // Compressed heads are counted in advance, as a third of the plain ones.
    sizeCalculation: ({ head }, key) => Math.ceil(head.length * 1.34) + 2 * key.length + 500,
  });
  const asked = new LRUCache<string, true>({ max: MOST_ASKED });
  return {
    get(key, now) {
      const answer = answers.get(key);
      if (answer === undefined || Math.abs(now - answer.renderedAt) <= MOST_AGE) return answer ?? null;
      answers.delete(key);
      return null;
    },
    set(key, answer) {
      if (key.length > LONGEST_KEY) return;
      if (asked.has(key)) answers.set(key, answer);
      else asked.set(key, true);
    },
  };
}
