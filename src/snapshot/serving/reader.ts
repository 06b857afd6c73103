// A published snapshot, open for reading: verified files, relations on a locked-down engine, and the catalogue in memory.
import { join } from 'node:path';
import type { DuckDBConnection, DuckDBInstance, DuckDBPreparedStatement } from '@duckdb/node-api';
import { type EngineLimits, openReader, quote } from '../../db/connect.ts';
import { parquetFiles } from '../../db/files.ts';
import { textOf } from '../../db/layers.ts';
import type { Errand } from '../../db/lanes.ts';
import type { Reader, StatementCache } from '../../db/query.ts';
import type { Catalogue } from '../../model/catalogue.ts';
import { type Grants, NO_GRANTS } from '../../model/grant.ts';
import type { Manifest } from '../../model/manifest.ts';
import type { NewestPrints, Packs } from '../../model/pack.ts';
import { loadCatalogue } from './catalogue.ts';
import { SCHEMA_VERSION, SchemaVersionError, SnapshotDamageError, type SnapshotPaths } from '../manifest.ts';
import { type HashAll, verifyFiles } from '../verify-files.ts';
import { type Guard, guardFiles } from './integrity/guard.ts';
import { openHashing } from './integrity/hashing.ts';
import { IN_MEMORY, QUERY_MACROS, SERVED } from '../build/relations.ts';
import { openPacks } from '../packs.ts';
import { readNewest } from './newest.ts';
import { type Copies, packsFile, servedFile, verifyCopies } from '../server-copy.ts';
import { type IsStamped, readStamps, UNSTAMPED } from '../stamps.ts';

/** Limit of the decoded vintages in memory. For any other series, one file read is enough. */
const PACKS_KEPT_BYTES = 64 * 1024 * 1024;

export interface SnapshotReader extends Reader {
  /** An errand's queries run in its lanes and within its time. Queries without an errand run at once. */
  readonly withConnection: <Result>(use: ConnectionUse<Result>, errand?: Errand) => Promise<Result>;
  readonly snapshotId: string;
  /** A new number each time a snapshot is opened. */
  readonly opening: number;
  readonly knowledgeCutoff: string;
  readonly manifest: Manifest;
  readonly catalogue: Catalogue;
  readonly grants: Grants;
  readonly packs: Packs | null;
  readonly newest: NewestPrints | null;
  /** True if all queries read the copy for servers, whose blocks have checksums. */
  readonly readsCopy: boolean;
  /** Damaged files of the snapshot. Its intact copy or files answer instead. */
  readonly problems: readonly string[];
  readonly close: () => void;
}

type ConnectionUse<Result> = (connection: DuckDBConnection, statements: StatementCache) => Promise<Result>;

export interface ReaderOptions {
  readonly limits: EngineLimits;
  /** A folder into which it may write files of answers. */
  readonly answers?: string;
  /** How many queries run at the same time. The others wait. */
  readonly connections: number;
  /** True to validate every row of a bulk answer, not only the first. */
  readonly isEveryRowChecked?: boolean;
  /** Called once, when a read finds a damaged file. */
  readonly onDamage?: (error: unknown) => void;
}

export interface OpenOptions extends ReaderOptions {
  /** True to read every file in full, even if it was verified before and is unchanged. */
  readonly isReadWhole?: boolean;
}

let openings = 0;

/** Throws if a file is missing or damaged and the copy for servers cannot replace it. */
export async function openSnapshot(paths: SnapshotPaths, manifest: Manifest, options: OpenOptions): Promise<SnapshotReader> {
  if (manifest.schemaVersion !== SCHEMA_VERSION) throw new SchemaVersionError(manifest);
  const isStamped = options.isReadWhole === true ? UNSTAMPED : await readStamps(paths, manifest.snapshotId);
  const { copies, damage } = await verified(paths, manifest, isStamped);
  const folders = [paths.files, paths.served, options.limits.tempDirectory, ...(options.answers === undefined ? [] : [options.answers])];
  const instance = await openReader(options.limits, folders);
  try {
    const first = await instance.connect();
    await createRelations(first, paths, manifest, copies);
    const catalogue = await loadCatalogue(first);
    const newest = await readNewest(first);
    const pool = await openPool(instance, first, options.connections);
    const packs = copies.arePacksWhole ? await openPacks(packsFile(paths, manifest.snapshotId), PACKS_KEPT_BYTES) : null;
    return {
      snapshotId: manifest.snapshotId,
      opening: (openings += 1),
      knowledgeCutoff: manifest.knowledgeCutoff,
      manifest,
      catalogue,
      grants: NO_GRANTS,
      packs,
      newest,
      readsCopy: copies.isDatabaseWhole,
      problems: [damage, copies.problem].filter((one) => one !== null),
      ...(options.isEveryRowChecked === true ? { checks: 'every' as const } : {}),
      withConnection: guarded(
        (use, errand) =>
          errand === undefined
            ? pool.use(use)
            : errand.run((interruptBy) =>
                pool.use((connection, statements) => {
                  interruptBy(() => connection.interrupt());
                  return use(connection, statements);
                }),
              ),
        copies.isDatabaseWhole ? null : guardFiles(paths, manifest),
        options.onDamage,
      ),
      close: () => {
        void packs?.close();
        pool.close();
        instance.closeSync();
      },
    };
  } catch (error) {
    instance.closeSync(); // a server retries each second, so close it now
    throw error;
  }
}

async function verified(paths: SnapshotPaths, manifest: Manifest, isStamped: IsStamped) {
  const hashing = openHashing();
  try {
    const copies = await verifyCopies(paths, manifest.snapshotId, isStamped, hashing.all);
    return { copies, damage: await damageOf(paths, manifest, copies, { isStamped, hashAll: hashing.all }) };
  } finally {
    hashing.close();
  }
}

/** The damage in the Parquet files if the intact copy can answer instead; null if there is none. Throws if there is no intact copy. */
async function damageOf(
  paths: SnapshotPaths,
  manifest: Manifest,
  copies: Copies,
  { isStamped, hashAll }: { readonly isStamped: IsStamped; readonly hashAll: HashAll },
): Promise<string | null> {
  try {
    // Without the copy, reads of Parquet have no checksums, so trust no stamp.
    const trusted = copies.isDatabaseWhole ? isStamped : UNSTAMPED;
    await verifyFiles(paths, manifest.resources, `Snapshot ${manifest.snapshotId}`, trusted, hashAll);
    return null;
  } catch (error) {
    if (!copies.isDatabaseWhole || !(error instanceof SnapshotDamageError)) throw error;
    return `${error.message} Until then its copy for servers answers.`;
  }
}

/** In one call: on a busy server, each call waits for a round of the event loop. */
async function createRelations(connection: DuckDBConnection, paths: SnapshotPaths, manifest: Manifest, copies: Copies): Promise<void> {
  const names = [...new Set(manifest.resources.map((resource) => resource.table))].filter((name) => SERVED.includes(name));
  const served = servedFile(paths, manifest.snapshotId);
  // If the verified copy cannot be attached, that is an error: the Parquet files may be damaged.
  const isServed = copies.isDatabaseWhole;
  const relations = names.map((name) => {
    const files = manifest.resources.filter((resource) => resource.table === name).map((resource) => join(paths.root, resource.path));
    const kind = IN_MEMORY.has(name) ? 'table' : 'view';
    const from = isServed ? `served.${name}` : parquetFiles(files);
    return `create ${kind} published.${name} as select * from ${from}`;
  });
  const statements = [
    'create schema if not exists published',
    ...(isServed ? [`attach ${quote(served)} as served (read_only)`] : []),
    ...relations,
    ...QUERY_MACROS.map(textOf),
  ];
  await connection.run(statements.join('\n;\n'));
}

/** The engine found a block with a wrong checksum, or gave up after such a block. A damaged temporary file fails only its query. */
const DAMAGED_COPY = /checksum|corrupt(?! temporary file)|database has been invalidated/i;

/** @param guard checks the files that a query read; null if queries read the copy for servers, which has its own checksums */
function guarded(
  withConnection: SnapshotReader['withConnection'],
  guard: Guard | null,
  onDamage: ReaderOptions['onDamage'],
): SnapshotReader['withConnection'] {
  let isReported = false;
  const report = (error: unknown) => {
    if (!isReported) onDamage?.(error);
    isReported = true;
  };
  const check = async (asked: ReadonlySet<string>) => {
    await guard?.check(asked).catch((error: unknown) => {
      if (error instanceof SnapshotDamageError) report(error);
      throw error;
    });
  };
  return async (use, errand) => {
    let asked: ReadonlySet<string> = new Set();
    const result = await withConnection((connection, statements) => {
      if (guard === null) return use(connection, statements);
      const noted = guard.noting(statements);
      asked = noted.asked;
      return use(connection, noted.statements);
    }, errand).catch(async (error: unknown) => {
      const text = error instanceof Error ? error.message : String(error);
      if (guard === null && DAMAGED_COPY.test(text)) report(error);
      // A damaged file often makes the query fail. Then report the damage instead.
      if (guard !== null && !text.startsWith('INTERRUPT')) await check(asked);
      throw error;
    });
    await check(asked);
    return result;
  };
}

interface Pool {
  readonly use: Reader['withConnection'];
  readonly close: () => void;
}

async function openPool(instance: DuckDBInstance, first: DuckDBConnection, size: number): Promise<Pool> {
  interface Lane {
    readonly connection: DuckDBConnection;
    readonly statements: Map<string, DuckDBPreparedStatement>;
  }
  const lanes: Lane[] = [{ connection: first, statements: new Map() }];
  for (let index = 1; index < size; index += 1) lanes.push({ connection: await instance.connect(), statements: new Map() });
  const idle = [...lanes];
  const waiting: ((lane: Lane) => void)[] = [];
  const take = () => {
    const lane = idle.pop();
    return lane === undefined ? new Promise<Lane>((resolve) => waiting.push(resolve)) : lane;
  };
  const give = (lane: Lane) => {
    const next = waiting.shift();
    if (next === undefined) idle.push(lane);
    else next(lane);
  };
  return {
    async use(work) {
      const lane = await take();
      try {
        return await work(lane.connection, lane.statements);
      } finally {
        give(lane);
      }
    },
    close: () => {
      for (const lane of lanes) {
        for (const statement of lane.statements.values()) statement.destroySync();
        lane.connection.closeSync();
      }
    },
  };
}
