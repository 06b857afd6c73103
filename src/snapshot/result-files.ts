// Cached results of derived sets on disk, one file per shelf. You may delete the folder at any time. A damaged file counts as empty, and
// its results are computed again.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { ResultCache, Shard, Shelf } from '../derived/result-cache.ts';
import { writeDurably } from '../disk/durable.ts';
import { shelfOf, type Stored, storedOf, toBytes } from './shelf.ts';

export interface ResultFiles extends ResultCache {
  /** Results found and not found since the last call. Null if nothing was looked up. */
  readonly countLookups: () => { readonly reused: number; readonly computed: number } | null;
  /** Path of another file in the folder. `sweep` keeps it. */
  readonly fileOf: (name: string) => string;
  /** Deletes every file of the folder that this run did not open or request. */
  readonly sweep: () => Promise<void>;
}

/** Has shards computed, and resolves with the files of their results by shelf name. */
export type Sharing = (shards: AsyncIterable<Shard>) => Promise<ReadonlyMap<string, readonly string[]>>;

/** @param code identifies the code that computes; results of other code are never found */
export function openResultFiles(folder: string, code: string, sharing: Sharing | null = null): ResultFiles {
  const opened = new Set<string>();
  const shared = new Map<string, readonly string[]>();
  let [reused, computed] = [0, 0];
  const count = (isFound: boolean, results: number) => {
    if (isFound) reused += results;
    else computed += results;
  };
  return {
    async open(name, earlier = []) {
      const path = join(folder, `${name}.results`);
      opened.add(basename(path));
      const own = await readStored(path);
      const before = own ?? joined(await Promise.all(earlier.map((one) => readStored(join(folder, `${one}.results`)))));
      const made = shared.get(name) ?? [];
      const stored = joined([before, ...(await Promise.all(made.map(readStored)))]);
      const { shelf, kept, isChanged } = shelfOf(code, stored, count);
      return {
        ...shelf,
        async close() {
          const isElsewhere = (own === null || made.length > 0) && kept.alone.size + kept.wholes.size > 0;
          if (isElsewhere || isChanged()) await writeDurably(path, toBytes(kept));
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

/** An empty shelf, and a function that returns its content as a result file. */
export function emptyShelf(code: string): { readonly shelf: Shelf; readonly bytes: () => Buffer } {
  const { shelf, kept } = shelfOf(code, NOTHING, () => undefined);
  return { shelf: { ...shelf, close: () => Promise.resolve() }, bytes: () => toBytes(kept) };
}

/** True if a file of results is intact. */
export async function isWhole(path: string): Promise<boolean> {
  return (await readStored(path)) !== null;
}

const NOTHING: Stored = { alone: new Map(), wholes: new Map() };

/** Null if it is missing or damaged. */
async function readStored(path: string): Promise<Stored | null> {
  const bytes = await readFile(path).catch(() => null);
  return bytes === null ? null : storedOf(bytes);
}

function joined(several: readonly (Stored | null)[]): Stored {
  const there = several.filter((one) => one !== null);
  return {
    alone: new Map(there.flatMap(({ alone }) => [...alone])),
    wholes: new Map(there.flatMap(({ wholes }) => [...wholes])),
  };
}

/** Identifies the code of the statistics and the engine that runs it, because exponentials of engines may differ in the last digit. */
export function codeOfStatistics(): string {
  const hash = createHash('sha256').update(`${process.arch} ${process.versions.v8}`);
  for (const folder of ['derived', 'stats', 'model']) {
    const path = join(import.meta.dirname, '..', folder);
    for (const name of readdirSync(path).sort()) hash.update(name).update(readFileSync(join(path, name)));
  }
  return hash.digest('hex');
}
