// Cached results of derived sets on disk, one file per shelf. You may delete the folder at any time. A damaged file counts as empty, and
// its results are computed again.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { ForecastsElsewhere, ResultCache, Shard } from '../../derived/result-cache.ts';
import type { Shelf } from '../../derived/shelf.ts';
import { writeDurably } from '../../disk/durable.ts';
import type { ForecastThreads } from './forecasting/threads.ts';
import { filedShelf, type ShelfFiles, shelfOf, type Stored, storedOf, toBytes } from './shelf.ts';

export interface ResultFiles extends ResultCache {
  /** Results found and not found since the last call. Null if nothing was looked up. */
  readonly countLookups: () => { readonly reused: number; readonly computed: number } | null;
  /** Ends idle threads, whose memory the next steps need. The next forecasts start new ones. */
  readonly rest: () => Promise<void>;
  /** Path of another file in the folder. `sweep` keeps it. */
  readonly fileOf: (name: string) => string;
  /** Deletes every file of the folder that this run did not open or request. */
  readonly sweep: () => Promise<void>;
}

/** Has shards computed, and resolves with the files of their results by shelf name. */
export type Sharing = (shards: AsyncIterable<Shard>) => Promise<ReadonlyMap<string, readonly string[]>>;

/**
 * @param code identifies the code that computes; results of other code are never found
 * @param threads compute the forecasts; if null, this thread does
 */
export function openResultFiles(
  folder: string,
  code: string,
  sharing: Sharing | null = null,
  threads: ForecastThreads | null = null,
): ResultFiles {
  const opened = new Set<string>();
  const shared = new Map<string, readonly string[]>();
  let [reused, computed] = [0, 0];
  const count = (isFound: boolean, results: number) => {
    if (isFound) reused += results;
    else computed += results;
  };
  const pathOf = (name: string) => join(folder, `${name}.results`);
  const filesOf = async (name: string, earlier: readonly string[]): Promise<ShelfFiles> => {
    opened.add(basename(pathOf(name)));
    const own = await bytesOf(pathOf(name));
    const there = async (paths: readonly string[]) => (await Promise.all(paths.map(bytesOf))).filter((bytes) => bytes !== null);
    return { own, earlier: await there(earlier.map(pathOf)), made: await there(shared.get(name) ?? []) };
  };
  const elsewhere = (most: ForecastThreads): ForecastsElsewhere => ({
    most: most.count,
    async make({ shelf, earlierShelves }, task, onSeries) {
      const made = await most.make({ code, files: await filesOf(shelf, earlierShelves), task }, onSeries);
      count(true, made.reused);
      count(false, made.computed);
      if (made.bytes !== null) await writeDurably(pathOf(shelf), made.bytes);
      return made.texts;
    },
  });
  return {
    async open(name, earlier = []) {
      const { shelf, bytes } = filedShelf(code, await filesOf(name, earlier), count);
      return {
        ...shelf,
        async close() {
          const file = bytes();
          if (file !== null) await writeDurably(pathOf(name), file);
        },
      };
    },
    ...(threads === null ? {} : { elsewhere: elsewhere(threads) }),
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
    async rest() {
      await threads?.close();
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

/** An empty shelf, and a function that returns its content as a result file. */
export function emptyShelf(code: string): { readonly shelf: Shelf; readonly bytes: () => Buffer } {
  const { shelf, kept } = shelfOf(code, NOTHING, () => undefined);
  return { shelf: { ...shelf, close: () => Promise.resolve() }, bytes: () => toBytes(kept) };
}

/** True if a file of results is intact. */
export async function isWhole(path: string): Promise<boolean> {
  const bytes = await bytesOf(path);
  return bytes !== null && storedOf(bytes) !== null;
}

const NOTHING: Stored = { alone: new Map(), wholes: new Map() };

/** Null if the file is missing. */
const bytesOf = (path: string): Promise<Buffer | null> => readFile(path).catch(() => null);

/** Identifies the code of the statistics and the engine that runs it, because exponentials of engines may differ in the last digit. */
export function codeOfStatistics(): string {
  const hash = createHash('sha256').update(`${process.arch} ${process.versions.v8}`);
  for (const folder of ['derived', 'stats', 'model']) {
    const path = join(import.meta.dirname, '../..', folder);
    for (const name of readdirSync(path).sort()) hash.update(name).update(readFileSync(join(path, name)));
  }
  return hash.digest('hex');
}
