// A shelf of cached results as bytes: the SHA-256 of the rest, then one line per result, sorted by hash. Single results come first, then
// each whole: a line that begins with "=", and its parts. The parts of an unchanged whole are copied unread.
import { createHash } from 'node:crypto';
import type { Shelf } from '../../derived/shelf.ts';

const HASH_LENGTH = 64;

interface Whole {
  readonly result: string;
  readonly count: number;
  /** One line each. */
  readonly parts: Buffer;
}

export interface Stored {
  readonly alone: ReadonlyMap<string, string>;
  readonly wholes: ReadonlyMap<string, Whole>;
}

export interface OpenShelf {
  readonly shelf: Omit<Shelf, 'close'>;
  /** The results that were read or put. */
  readonly kept: Stored;
  readonly isChanged: () => boolean;
}

type Key = string | Uint8Array;

/** Files of results that a shelf is opened from. A damaged one counts as empty. */
export interface ShelfFiles {
  /** Null if the shelf has no file. */
  readonly own: Uint8Array | null;
  /** Files of shelves that may hold its earlier results. Used if it has no file. */
  readonly earlier: readonly Uint8Array[];
  /** Results of shards that other workers computed. */
  readonly made: readonly Uint8Array[];
}

export interface FiledShelf {
  readonly shelf: Omit<Shelf, 'close'>;
  /** The file to write; null if the existing one is up to date. */
  readonly bytes: () => Buffer | null;
}

/** A shelf opened from its files; see `shelfOf`. */
export function filedShelf(code: string, files: ShelfFiles, count: (isFound: boolean, results: number) => void): FiledShelf {
  const own = files.own === null ? null : storedOf(files.own);
  const before = own ?? joined(files.earlier.map(storedOf));
  const { shelf, kept, isChanged } = shelfOf(code, joined([before, ...files.made.map(storedOf)]), count);
  return {
    shelf,
    bytes() {
      const isElsewhere = (own === null || files.made.length > 0) && kept.alone.size + kept.wholes.size > 0;
      return isElsewhere || isChanged() ? toBytes(kept) : null;
    },
  };
}

function joined(several: readonly (Stored | null)[]): Stored {
  const there = several.filter((one) => one !== null);
  return {
    alone: new Map(there.flatMap(({ alone }) => [...alone])),
    wholes: new Map(there.flatMap(({ wholes }) => [...wholes])),
  };
}

/**
 * @param code identifies the code that computes
 * @param count called for each result, found or not
 */
export function shelfOf(code: string, stored: Stored, count: (isFound: boolean, results: number) => void): OpenShelf {
  const alone = new Map<string, string>();
  const wholes = new Map<string, Whole>();
  const put = new Set<string>();
  let kept = alone;
  let isChanged = false;
  let partsBefore: ReadonlyMap<string, string> | null = null;
  const hashOf = (key: Key) => createHash('sha256').update(code).update('\n').update(key).digest('hex');
  /** Looks among the parts of all wholes, because a changed whole may contain known parts. */
  const partOfBefore = (hash: string) => {
    partsBefore ??= new Map([...stored.wholes.values()].flatMap(({ parts }) => [...linesOf(parts)]));
    return partsBefore.get(hash);
  };
  const shelf: Omit<Shelf, 'close'> = {
    get(key) {
      const hash = hashOf(key);
      const result = kept.get(hash) ?? stored.alone.get(hash) ?? (kept === alone ? undefined : partOfBefore(hash));
      if (result === undefined) return undefined;
      kept.set(hash, result);
      count(true, 1);
      return result;
    },
    put(key, result) {
      const hash = hashOf(key);
      if (!put.has(hash)) count(false, 1);
      put.add(hash);
      kept.set(hash, result);
      isChanged = true;
    },
    whole(key, isStill, make) {
      const hash = hashOf(key);
      const before = wholes.get(hash) ?? stored.wholes.get(hash);
      if (before !== undefined && isStill(before.result)) {
        wholes.set(hash, before);
        count(true, before.count);
        return before.result;
      }
      const parts = new Map<string, string>();
      kept = parts;
      try {
        const result = make();
        wholes.set(hash, { result, count: parts.size, parts: toLines(parts) });
        isChanged = true;
        return result;
      } finally {
        kept = alone;
      }
    },
  };
  return {
    shelf,
    kept: { alone, wholes },
    isChanged: () => isChanged || alone.size !== stored.alone.size || wholes.size !== stored.wholes.size,
  };
}

export function toBytes({ alone, wholes }: Stored): Buffer {
  const sections = [...wholes]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([hash, { result, count, parts }]) => [Buffer.from(`=${hash} ${count} ${result}\n`), parts]);
  const body = Buffer.concat([toLines(alone), ...sections]);
  return Buffer.concat([Buffer.from(`${sha256(body)}\n`), body]);
}

/** Null if the bytes are damaged. */
export function storedOf(file: Uint8Array): Stored | null {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const end = bytes.indexOf('\n');
  const body = bytes.subarray(end + 1);
  if (end < 0 || bytes.toString('latin1', 0, end) !== sha256(body)) return null;
  const wholes = new Map<string, Whole>();
  let at = startOfWhole(body, 0);
  const alone = new Map(linesOf(body.subarray(0, at)));
  while (at < body.length) {
    const next = startOfWhole(body, at + 1);
    const lineEnd = body.indexOf('\n', at);
    const [hash = '', count = '', ...result] = body.toString('utf8', at + 1, lineEnd).split(' ');
    wholes.set(hash, { result: result.join(' '), count: Number(count), parts: body.subarray(lineEnd + 1, next) });
    at = next;
  }
  return { alone, wholes };
}

/** Start of the first whole at or after a position. The end if there is none. */
function startOfWhole(body: Buffer, from: number): number {
  if (from === 0 && body[0] === 0x3d) return 0;
  const before = body.indexOf('\n=', Math.max(0, from - 1));
  return before < 0 ? body.length : before + 1;
}

function* linesOf(bytes: Buffer): Generator<readonly [hash: string, result: string]> {
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf('\n', at);
    yield [bytes.toString('latin1', at, at + HASH_LENGTH), bytes.toString('utf8', at + HASH_LENGTH + 1, end)];
    at = end + 1;
  }
}

function toLines(results: ReadonlyMap<string, string>): Buffer {
  const lines = [...results].map(([hash, result]) => `${hash} ${result}\n`);
  return Buffer.from(lines.sort().join(''));
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
