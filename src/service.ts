// The whole service without its socket: snapshots → keys, limits, routes → app. The tests use the same code as main.ts.
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { RequestListener } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { inOwnWords } from './called.ts';
import { type Config } from './config.ts';
import { openScratch } from './disk/scratch.ts';
import { type Effects, elapsed } from './effects.ts';
import { type Lanes, openLanes, type PerClass } from './db/lanes.ts';
import { timeTurns } from './db/turns.ts';
import { ClusterError, openCluster } from './engine/connection.ts';
import { type HeavyEngine, openHeavyEngine } from './engine/heavy.ts';
import { createApp } from './http/app.ts';
import { CAPACITY, openGate } from './http/admission/gate.ts';
import { collectingDuringExports } from './http/admission/heap.ts';
import { llmsFullText, llmsText } from './http/description/llms.ts';
import { openParquetWriter, type ParquetWriter } from './http/forms/parquet.ts';
import { convertInTurns, openapiDocument } from './http/description/openapi.ts';
import { type Limiter, memoryLimiter, redisLimiter, scaledLimits } from './http/admission/rate-limit.ts';
import { keyFile, type KeyRing, openKeyRing } from './keys/key-store.ts';
import { ownSecret } from './keys/secret.ts';
import { about } from './routes/about.ts';
import { openPages } from './pages/pages.ts';
import { embeddedRoutes, routes } from './routes/index.ts';
import { openObjects } from './objects/open.ts';
import { SAMPLE_MARK, SnapshotDamageError, feedFiles, type SnapshotPaths, snapshotPaths } from './snapshot/manifest.ts';
import { type Follower, openFollower } from './snapshot/remote/follower.ts';
import { openReplica } from './snapshot/remote/replica.ts';
import { followGrants, grantFile } from './rights/grant-file.ts';
import type { SnapshotStore } from './http/route.ts';
import { responseCache } from './http/answer/response-cache.ts';
import { type Metrics, openMetrics } from './metrics/metrics.ts';
import { readLastRun } from './snapshot/last-run.ts';
import { openFeeds } from './snapshot/serving/feeds.ts';
import { type GrantedSnapshot, type GrantedStore, openGrantedStore } from './snapshot/serving/granted-store.ts';
import { openScrubber, type Scrubber } from './snapshot/serving/integrity/scrub.ts';
import { type FollowedStore, openStore, type Readiness } from './snapshot/serving/store.ts';
import { KnownError } from './known-error.ts';

export { mostConnections } from './disk/open-files.ts';

/** Damage under a running server is found within twice this time. */
const SCRUB_SECONDS = 1500;

export interface Service {
  readonly app: RequestListener;
  /** Empty until it starts to follow. */
  readonly store: SnapshotStore<GrantedSnapshot> & GrantedStore;
  /** Detects damage of the served files on the disk. */
  readonly scrubber: Scrubber;
  /** Fetches snapshots from elsewhere; null if they are in DATA_DIR. */
  readonly follower: OpenFollower | null;
  /** Null without a metrics listener. */
  readonly metrics: Metrics | null;
  readonly close: () => Promise<void>;
}

/** Throws a KnownError if others can read the keys or the secret, or if a folder cannot be written. */
export async function openService(config: Config, effects: Effects): Promise<Service> {
  const scratch = await openServerScratch(config, effects.now);
  const sizes = lanesFor(config.poolThreads);
  const lanes = openLanes(sizes, elapsed);
  timeTurns(elapsed);
  const followedPlace = placeOf(join(config.dataDir, 'replica'));
  const follower = await followerOf(config, followedPlace, effects);
  // Followed snapshots if configured; else real data if there are any, else the sample. Each has its own grants.
  const places = follower === null ? [placeOf(config.dataDir), placeOf(join(config.dataDir, 'sample'))] : [followedPlace];
  const snapshots = snapshotsOf(
    config,
    places,
    { connections: connectionsOf(sizes), tempDirectory: scratch.engine, answers: scratch.bulk, follower },
    effects.log,
  );
  const heavy = heavyOf(config, effects.log);
  const store = servedStore(snapshots, places, { heavy, follower }, effects);
  const cursorSecret = config.cursorSecret ?? (await secretOf(config.dataDir));
  const metrics = metricsOf(config, { store, lanes }, effects);
  const limiter = limiterOf(config, effects);
  const parquet = await openParquetWriter(scratch.engine);
  const keys = ringOf(follower === null ? [config.dataDir] : [config.dataDir, followedPlace.folder], effects);
  const app = appOf(config, { store, lanes, keys, limiter, metrics, cursorSecret, parquet, scratchDir: scratch.bulk }, effects);
  return {
    app,
    store,
    scrubber: scrubberOf(snapshots, follower, effects.log),
    metrics,
    follower,
    close: async () => {
      await store.close();
      await heavy?.close();
      limiter.close();
      follower?.close();
      parquet.close();
      timeTurns(null);
      await scratch.remove();
    },
  };
}

/** A folder with snapshots, keys and grants. */
interface Place {
  readonly folder: string;
  readonly paths: SnapshotPaths;
}

const placeOf = (folder: string): Place => ({ folder, paths: snapshotPaths(folder) });

/** Folders for temporary files of the engine and for bulk answers. */
async function openServerScratch(config: Config, now: () => number) {
  const scratch = await openScratch(join(config.scratchDir, 'servers'), now).catch((error: unknown) => {
    throw new KnownError(
      `Configuration: ${scratchOf(config)} cannot be written (${messageOf(error)}). Set SCRATCH_DIR to a writable folder.`,
    );
  });
  const [engine, bulk] = [join(scratch.path, 'engine'), join(scratch.path, 'bulk')];
  for (const folder of [engine, bulk]) await mkdir(folder);
  return { engine, bulk, remove: () => scratch.remove() };
}

function snapshotsOf(
  config: Config,
  places: readonly Place[],
  options: { readonly connections: number; readonly tempDirectory: string; readonly answers: string; readonly follower: Follower | null },
  log: Effects['log'],
): FollowedStore {
  const { connections, tempDirectory, answers, follower } = options;
  const limits = { threads: config.engineThreads, memory: config.engineMemory, tempDirectory, tempSize: '20GB' };
  const onError = (error: unknown) => {
    if (error instanceof SnapshotDamageError) follower?.distrust();
    log.error({ error: messageOf(error) }, 'snapshot cannot be read');
  };
  const paths = places.map((place) => place.paths);
  return openStore(paths, { limits, answers, connections, isEveryRowChecked: config.isEveryRowChecked }, onError);
}

/** The snapshots under the grants of their places, with the cluster for heavy questions, and with one account of what is served. */
function servedStore(
  snapshots: FollowedStore,
  places: readonly Place[],
  { heavy, follower }: { readonly heavy: HeavyEngine | null; readonly follower: Follower | null },
  { log, now }: Effects,
): Service['store'] {
  const onGrantError = (error: unknown) => log.error({ error: messageOf(error) }, 'grants cannot be read; nothing is granted');
  const grantsOf = new Map(places.map(({ folder, paths }) => [paths, followGrants(grantFile(folder), onGrantError)]));
  const granted = openGrantedStore(snapshots, grantsOf, now, heavy?.engineOf);
  return {
    ...granted,
    follow: async () => {
      await Promise.all([heavy?.follow(), granted.follow()]).catch((error: unknown) => {
        log.error({ error: messageOf(error) }, 'the published snapshot could not be checked');
      });
    },
    readiness: () => {
      const state = granted.readiness();
      const place = places.find(({ paths }) => paths === state.paths);
      const serves = place === undefined ? null : existsSync(join(place.folder, SAMPLE_MARK)) || place !== places[0] ? 'sample' : 'real';
      const told = { ...state, ...(follower === null ? {} : followed(state, follower.problem())), serves } as const;
      const [current] = state.isReady ? snapshots.opened() : [];
      const warning = current === undefined ? null : (heavy?.warning(current.snapshot.snapshotId) ?? null);
      const warnings = warning === null ? told.warnings : [...told.warnings, warning];
      return { ...told, reason: told.reason === null ? null : inOwnWords(told.reason), warnings: warnings.map(inOwnWords) };
    },
  };
}

/** Null without a metrics listener. */
function metricsOf(
  { metrics, dataDir }: Config,
  served: { readonly store: Service['store']; readonly lanes: Lanes },
  { log, now }: Effects,
): Metrics | null {
  if (metrics === null) return null;
  return openMetrics({
    ...served,
    lastRun: () => readLastRun(dataDir),
    now,
    onError: (error) => log.error({ error: messageOf(error) }, 'the figures of the snapshot could not be queried'),
  });
}

interface AppParts {
  readonly store: Service['store'];
  readonly lanes: Lanes;
  readonly keys: KeyRing;
  readonly limiter: Limiter;
  readonly metrics: Metrics | null;
  readonly cursorSecret: string;
  readonly parquet: ParquetWriter;
  readonly scratchDir: string;
}

/** With metrics, they observe the limiter, the gate and the cache. */
function appOf(config: Config, { lanes, limiter, metrics, ...parts }: AppParts, { log, now }: Effects): RequestListener {
  const traffic = metrics?.traffic;
  const gate = collectingDuringExports(
    openGate({ lanes, capacity: CAPACITY, seconds: config.querySeconds, lifetimeSeconds: config.bulkLifetimeSeconds }),
  );
  const served: GrantedStore = parts.store;
  return createApp<GrantedSnapshot>({
    ...parts,
    routes,
    limiter: traffic?.limiter(limiter) ?? limiter,
    gate: traffic?.gate(gate) ?? gate,
    ...(traffic === undefined ? {} : { cache: traffic.cache(responseCache()), observe: traffic.observe }),
    now,
    log,
    documents: {
      openapi: (all) => openapiDocument(all, about),
      llms: (all) => llmsText(all, about),
      llmsFull: (all) => llmsFullText(all, about),
      prepare: convertInTurns,
    },
    corsOrigins: config.corsOrigins,
    trustProxy: config.trustProxy,
    pages: config.hasPages ? openPages(config, inOwnWords) : null,
    feeds: config.hasFeeds ? openFeeds(() => served.readiness().paths) : null,
    embedded: config.embedOrigins.length > 0 ? embeddedRoutes : null,
  });
}

function scrubberOf(snapshots: FollowedStore, follower: Follower | null, log: Effects['log']): Scrubber {
  return openScrubber(snapshots, {
    seconds: SCRUB_SECONDS,
    pause: (milliseconds) => delay(milliseconds, undefined, { ref: false }),
    onDamage: (snapshotId, file) => {
      follower?.distrust();
      log.error({ snapshotId, file }, 'a file of the snapshot is damaged');
    },
  });
}

/** Null without a configured cluster. */
function heavyOf({ engineUrl }: Config, log: Effects['log']): HeavyEngine | null {
  if (engineUrl === null) return null;
  const onTrouble = (error: unknown) =>
    error === null
      ? log.info('the cluster answers again')
      : log.warn(
          { error: error instanceof ClusterError ? error.detail : messageOf(error) },
          'the cluster of ENGINE_URL does not answer, or refuses to',
        );
  return openHeavyEngine(openCluster(engineUrl), elapsed, onTrouble);
}

interface OpenFollower extends Follower {
  readonly close: () => void;
}

/** Null if snapshots are made in this folder. Throws a KnownError if the store configuration is invalid. */
async function followerOf({ dataDir, snapshotUrl }: Config, { folder, paths }: Place, { log, now }: Effects): Promise<OpenFollower | null> {
  if (snapshotUrl === null) return null;
  const store = await openObjects(snapshotUrl);
  const beside = Object.fromEntries([keyFile(folder), grantFile(folder), ...feedFiles(paths)].map((path) => [basename(path), path]));
  const replica = openReplica(store, { paths, own: snapshotPaths(dataDir), beside, now });
  const onError = (error: unknown) => log.error({ error: messageOf(error) }, 'the published snapshot cannot be followed');
  return { ...openFollower(replica, onError), close: () => store.close() };
}

/** The age of a replica's snapshot, and the reason if it is not newer. */
function followed({ isReady, reason, warnings }: Readiness, problem: string | null): Pick<Readiness, 'reason' | 'warnings'> {
  if (isReady)
    return { reason, warnings: problem === null ? warnings : [...warnings, `${problem} The snapshot fetched before is served.`] };
  return { reason: problem ?? 'The published snapshot is being fetched. Try again in a moment.', warnings };
}

/** The holder of a key, from the first file that has it. */
function ringOf(folders: readonly string[], { log, now }: Effects): KeyRing {
  const onError = (error: unknown) => log.error({ error: messageOf(error) }, 'keys cannot be read');
  const rings = folders.map((folder, index) => openKeyRing(keyFile(folder), now, onError, index === 0));
  return {
    find(key) {
      for (const ring of rings) {
        const holder = ring.find(key);
        if (holder !== null) return holder;
      }
      return null;
    },
  };
}

function scratchOf({ dataDir, scratchDir }: Config): string {
  return scratchDir === join(dataDir, 'tmp') ? `DATA_DIR ${dataDir}` : `SCRATCH_DIR ${scratchDir}`;
}

async function secretOf(dataDir: string): Promise<string> {
  return ownSecret(dataDir).catch((error: unknown) => {
    if (error instanceof KnownError) throw error;
    throw new KnownError(
      `Configuration: DATA_DIR ${dataDir} cannot be written (${messageOf(error)}). Set CURSOR_SECRET, or make DATA_DIR writable.`,
    );
  });
}

/** Each query occupies a thread of Node.js's pool, which file reads need too. */
function lanesFor(poolThreads: number): PerClass<number> {
  return poolThreads >= 10 ? { lookup: 4, screen: 2, bulk: 2 } : { lookup: 2, screen: 1, bulk: 1 };
}

const connectionsOf = ({ lookup, screen, bulk }: PerClass<number>): number => lookup + screen + bulk;

function limiterOf({ redisUrl, rateLimitScale }: Config, { log, now }: Effects): Limiter {
  const limits = scaledLimits(rateLimitScale);
  if (redisUrl === null) return memoryLimiter(limits);
  const onTrouble = (error: unknown) =>
    error === null
      ? log.info('rate limits are shared again')
      : log.warn({ error: messageOf(error) }, 'Redis does not answer: rate limits are counted in memory');
  return redisLimiter({ url: redisUrl, now, onTrouble, limits });
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
