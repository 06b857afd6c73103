// The results that the derived sets remember, on disk: one file per shelf, of which the first line is the SHA-256 of the rest. The folder may be
// deleted at any time. A file that does not have its hash counts as empty, and what stood in it is computed again.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ResultCache } from '../derived/result-cache.ts';
import { writeDurably } from '../disk/durable.ts';

export interface ResultFiles extends ResultCache {
  /** Results found and not found since the last call; null where none was asked for. */
  readonly countLookups: () => { readonly reused: number; readonly computed: number } | null;
  /** Path of another file beside the shelves, which stays as long as it is asked for. */
  readonly fileOf: (name: string) => string;
  /** Removes the files of shelves that were not opened, and those that were not asked for. */
  readonly sweep: () => Promise<void>;
}

/** @param code names the code that computes: results of other code are never found */
export function openResultFiles(folder: string, code: string): ResultFiles {
  const opened = new Set<string>();
  let [reused, computed] = [0, 0];
  return {
    async open(name) {
      const file = `${name}.results`;
      opened.add(file);
      const path = join(folder, file);
      const stored = await readResults(path);
      const kept = new Map<string, string>();
      const put = new Set<string>();
      const hashOf = (key: string | Uint8Array) => createHash('sha256').update(code).update('\n').update(key).digest('hex');
      return {
        get(key) {
          const hash = hashOf(key);
          const result = kept.get(hash) ?? stored.get(hash);
          if (result === undefined) return undefined;
          kept.set(hash, result);
          reused += 1;
          return result;
        },
        put(key, result) {
          const hash = hashOf(key);
          if (!put.has(hash)) computed += 1;
          put.add(hash);
          kept.set(hash, result);
        },
        async close() {
          if (put.size > 0 || kept.size !== stored.size) await writeResults(path, kept);
        },
      };
    },
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

async function readResults(path: string): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(path, 'utf8').catch(() => '');
  const end = text.indexOf('\n');
  const body = text.slice(end + 1);
  if (end < 0 || text.slice(0, end) !== sha256(body)) return new Map();
  return new Map(body.split('\n').flatMap((line) => (line === '' ? [] : [[line.slice(0, 64), line.slice(65)] as const])));
}

async function writeResults(path: string, results: ReadonlyMap<string, string>): Promise<void> {
  const body = [...results]
    .map(([key, result]) => `${key} ${result}\n`)
    .sort()
    .join('');
  await writeDurably(path, `${sha256(body)}\n${body}`);
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
