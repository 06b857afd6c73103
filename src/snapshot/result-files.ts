// The results that the derived sets remember, on disk: one file per shelf, of which the first line is the SHA-256 of the rest. The folder may be
// deleted at any time. A file that does not have its hash counts as empty, and what stood in it is computed again.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ResultCache, Shard, Shelf } from '../derived/result-cache.ts';
import { writeDurably } from '../disk/durable.ts';

export interface ResultFiles extends ResultCache {
  /** Results found and not found since the last call; null where none was asked for. */
  readonly countLookups: () => { readonly reused: number; readonly computed: number } | null;
  /** Path of another file beside the shelves, which stays as long as it is asked for. */
  readonly fileOf: (name: string) => string;
  /** Removes the files of shelves that were not opened, and those that were not asked for. */
  readonly sweep: () => Promise<void>;
}

/** Has shards made, and resolves with the files of their results, by the shelf on which they are looked for. */
export type Sharing = (shards: AsyncIterable<Shard>) => Promise<ReadonlyMap<string, readonly string[]>>;

/** @param code names the code that computes: results of other code are never found */
export function openResultFiles(folder: string, code: string, sharing: Sharing | null = null): ResultFiles {
  const opened = new Set<string>();
  const shared = new Map<string, readonly string[]>();
  let [reused, computed] = [0, 0];
  const count = (isFound: boolean) => {
    if (isFound) reused += 1;
    else computed += 1;
  };
  return {
    async open(name) {
      const file = `${name}.results`;
      opened.add(file);
      const path = join(folder, file);
      const stored = new Map(await readResults(path));
      const before = stored.size;
      const made = shared.get(name) ?? [];
      for (const one of made) for (const [hash, result] of await readResults(one)) stored.set(hash, result);
      const shelf = shelfOf(code, stored, count);
      return {
        ...shelf,
        async close() {
          if (shelf.isChanged() || made.length > 0 || shelf.kept.size !== before) await writeDurably(path, toText(shelf.kept));
        },
      };
    },
    ...(sharing === null
      ? {}
      : {
          async share(shards) {
            for (const [name, files] of await sharing(shards)) shared.set(name, files);
          },
        }),
    countLookups() {
      const counts = reused + computed === 0 ? null : { reused, computed };
      [reused, computed] = [0, 0];
      return counts;
    },
    fileOf(name) {
      opened.add(name);
      return join(folder, name);
    },
    async sweep() {
      if (!existsSync(folder)) return;
      for (const name of await readdir(folder)) if (!opened.has(name)) await rm(join(folder, name), { force: true });
    },
  };
}

/** An empty shelf, and what is on it as a file of results. */
export function emptyShelf(code: string): { readonly shelf: Shelf; readonly text: () => string } {
  const shelf = shelfOf(code, new Map(), () => undefined);
  return { shelf: { ...shelf, close: () => Promise.resolve() }, text: () => toText(shelf.kept) };
}

function shelfOf(code: string, stored: ReadonlyMap<string, string>, count: (isFound: boolean) => void) {
  const kept = new Map<string, string>();
  const put = new Set<string>();
  const hashOf = (key: string | Uint8Array) => createHash('sha256').update(code).update('\n').update(key).digest('hex');
  return {
    kept,
    isChanged: () => put.size > 0,
    get(key: string | Uint8Array) {
      const hash = hashOf(key);
      const result = kept.get(hash) ?? stored.get(hash);
      if (result === undefined) return undefined;
      kept.set(hash, result);
      count(true);
      return result;
    },
    put(key: string | Uint8Array, result: string) {
      const hash = hashOf(key);
      if (!put.has(hash)) count(false);
      put.add(hash);
      kept.set(hash, result);
    },
  };
}

/** Whether a file of results is as it was written. */
export async function isWhole(path: string): Promise<boolean> {
  return bodyOf(await readFile(path, 'utf8').catch(() => '')) !== null;
}

async function readResults(path: string): Promise<ReadonlyMap<string, string>> {
  const body = bodyOf(await readFile(path, 'utf8').catch(() => '')) ?? '';
  return new Map(body.split('\n').flatMap((line) => (line === '' ? [] : [[line.slice(0, 64), line.slice(65)] as const])));
}

/** Null where it does not have its hash. */
function bodyOf(text: string): string | null {
  const end = text.indexOf('\n');
  const body = text.slice(end + 1);
  return end < 0 || text.slice(0, end) !== sha256(body) ? null : body;
}

function toText(results: ReadonlyMap<string, string>): string {
  const body = [...results]
    .map(([key, result]) => `${key} ${result}\n`)
    .sort()
    .join('');
  return `${sha256(body)}\n${body}`;
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** Names the code of the statistics and of the engine that runs it, whose exponentials may differ in the last digit. */
export function codeOfStatistics(): string {
  const hash = createHash('sha256').update(`${process.arch} ${process.versions.v8}`);
  for (const folder of ['derived', 'stats', 'model']) {
    const path = join(import.meta.dirname, '..', folder);
    for (const name of readdirSync(path).sort()) hash.update(name).update(readFileSync(join(path, name)));
  }
  return hash.digest('hex');
}
