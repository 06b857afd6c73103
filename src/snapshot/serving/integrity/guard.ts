// Parquet has no checksum of its values. So a result from a snapshot's files is returned only if the files still have their hashes after
// the read.
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { nameOf, textOf } from '../../../db/layers.ts';
import type { StatementCache } from '../../../db/query.ts';
import { sha256OfFile } from '../../../disk/durable.ts';
import { ifThere } from '../../../disk/if-there.ts';
import type { Manifest, Resource } from '../../../model/manifest.ts';
import { SnapshotDamageError, type SnapshotPaths } from '../../manifest.ts';
import { IN_MEMORY, QUERY_MACROS } from '../../build/relations.ts';

export interface Guard {
  /** Records which statements are used. */
  readonly noting: (statements: StatementCache) => { readonly statements: StatementCache; readonly asked: ReadonlySet<string> };
  /** Throws a SnapshotDamageError if one of the statements read a file that no longer has its hash. */
  readonly check: (asked: ReadonlySet<string>) => Promise<void>;
}

export function guardFiles(paths: Pick<SnapshotPaths, 'root'>, { snapshotId, resources }: Manifest): Guard {
  const hashed = sharedRuns((path: string) => sha256OfFile(path));
  const verify = async ({ path, bytes, hash }: Resource): Promise<void> => {
    const file = join(paths.root, path);
    const found = await ifThere(stat(file));
    if (found?.size === bytes && `sha256:${await hashed(file)}` === hash) return;
    const problem = found === null ? 'is missing' : 'no longer has its hash';
    throw new SnapshotDamageError(`Snapshot ${snapshotId}: ${path} ${problem}, so nothing is answered from it. Run: npm run nightly.`);
  };
  return {
    noting(statements) {
      const asked = new Set<string>();
      const get = (sql: string) => {
        asked.add(sql);
        return statements.get(sql);
      };
      return { statements: { get, set: (sql, statement) => statements.set(sql, statement) }, asked };
    },
    async check(asked) {
      const tables = new Set([...asked].flatMap(tablesIn));
      const read = resources.filter(({ table }) => tables.has(table) && !IN_MEMORY.has(table));
      for (const resource of read) await verify(resource);
    },
  };
}

const MACROS = new Map(QUERY_MACROS.map((relation) => [nameOf(relation.path), relation]));
const known = new Map<string, readonly string[]>();

/** The published tables that a statement reads, directly or through a macro. */
function tablesIn(sql: string): readonly string[] {
  let found = known.get(sql);
  if (found === undefined) {
    const own = [...sql.matchAll(/\bpublished\.(\w+)/g)].map(([, table = '']) => table);
    const called = [...sql.matchAll(/\b(\w+)\(/g)].flatMap(([, name = '']) => {
      const relation = MACROS.get(name);
      return relation === undefined ? [] : tablesIn(textOf(relation).replace(/create or replace macro \w+/, ''));
    });
    found = [...new Set([...own, ...called])];
    known.set(sql, found);
  }
  return found;
}

/** Callers share a run that has not begun. A run that has begun may have missed a later change of the file. */
function sharedRuns<Result>(run: (key: string) => Promise<Result>): (key: string) => Promise<Result> {
  const running = new Map<string, Promise<unknown>>();
  const waiting = new Map<string, Promise<Result>>();
  return (key) => {
    const next = waiting.get(key);
    if (next !== undefined) return next;
    const before = running.get(key) ?? Promise.resolve();
    const own = before
      .catch(() => undefined)
      .then(() => {
        waiting.delete(key);
        const begun = run(key);
        running.set(key, begun);
        return begun.finally(() => {
          if (running.get(key) === begun) running.delete(key);
        });
      });
    waiting.set(key, own);
    return own;
  };
}
