// The service as main.ts composes it, over a snapshot in a folder of its own, with a clock in hand: one server, or the deployment that is asked for.
import { cpSync, existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { inject } from 'vitest';
import { buildSample } from '../jobs/sample/build.ts';
import { openWorkspace } from '../jobs/workspace.ts';
import { issueKey, keyFile, type KeyRequest } from '../src/keys/key-store.ts';
import { LakeLockedError } from '../src/lake/lake.ts';
import type { Metrics } from '../src/metrics/metrics.ts';
import { chosenDeployment } from './deployments/chosen.ts';
import { SILENT } from './pipeline.ts';

export const SAMPLE_TIME = '2026-11-21T08:00:00.000Z';

export const KEYS = {
  full: { tier: 'full', scopes: ['data:read', 'ops:read'] },
  data: { tier: 'full', scopes: ['data:read'] },
  ops: { tier: 'full', scopes: ['ops:read'] },
  admin: { tier: 'full', scopes: ['admin'] },
  free: { tier: 'free', scopes: ['data:read', 'ops:read'] },
} as const satisfies Record<string, Omit<KeyRequest, 'label'>>;

export type KeyName = keyof typeof KEYS;
export type Keys = Readonly<Record<KeyName, string>>;

export interface RunningService {
  readonly url: string;
  readonly port: number;
  readonly dataDir: string;
  readonly clock: { now: number };
  readonly keys: Keys;
  readonly metrics: Metrics | null;
  /** What has changed in the folder is looked at, and brought to where servers follow it. */
  readonly follow: () => Promise<void>;
  /** What was logged, as parsed lines. */
  readonly lines: readonly Readonly<Record<string, unknown>>[];
  /** GET with the full key unless another key, or none, is named. */
  readonly get: (path: string, options?: GetOptions) => Promise<Response>;
  readonly stop: () => Promise<void>;
}

export interface GetOptions {
  readonly key?: KeyName | null;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ServiceOptions {
  readonly now?: number;
  /** For tests that count the requests themselves: the limits as they are. */
  readonly rateLimitScale?: number;
  /** Whether metrics are counted; nothing listens for them. */
  readonly hasMetrics?: boolean;
  /** Closed with the service. */
  readonly isOwnFolder?: boolean;
  /** ENGINE_URL, see test/engine/cluster.ts. */
  readonly engineUrl?: string;
  /** Further settings. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Serves what is published in `dataDir`, on a port of its own. */
export async function startService(dataDir: string, options: ServiceOptions = {}): Promise<RunningService> {
  const clock = { now: options.now ?? Date.parse(SAMPLE_TIME) };
  const keys = await issueKeys(dataDir, clock.now);
  const lines: Record<string, unknown>[] = [];
  const log = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) });
  const environment = {
    RATE_LIMIT_SCALE: String(options.rateLimitScale ?? 10_000),
    CHECK_ROWS: 'true',
    // The interface is the same with the pages and without: CI asks it both ways.
    PAGES: process.env['PAGES'],
    ...(options.engineUrl === undefined ? {} : { ENGINE_URL: options.engineUrl }),
    ...(options.hasMetrics === true ? { METRICS_PORT: '0' } : {}),
    // A machine that does other work beside may take ten times as long as an idle one.
    LOOKUP_SECONDS: '60',
    SCREEN_SECONDS: '120',
    ...options.environment,
  };
  const deployment = await chosenDeployment();
  const { port, metrics, follow, stop } = await deployment.open(dataDir, { now: () => clock.now, log, environment });
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    port,
    dataDir,
    clock,
    keys,
    metrics,
    follow,
    lines,
    get: (path, { key = 'full', method = 'GET', headers = {} } = {}) =>
      fetch(url + path, { method, headers: key === null ? headers : { 'x-api-key': keys[key], ...headers } }),
    async stop() {
      await stop();
      if (options.isOwnFolder === true) await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Serves the sample, which all test files share, from a copy of its own. */
export async function startSampleService(options: Omit<ServiceOptions, 'isOwnFolder'> = {}): Promise<RunningService> {
  return startService(await sampleDataDir(), { ...options, isOwnFolder: true });
}

/** A new DATA_DIR with the sample as a first start would leave it, but for the key. */
export async function sampleDataDir(): Promise<string> {
  const shared = await sampleLake();
  const dataDir = await mkdtemp(join(tmpdir(), 'asof-service-'));
  await mkdir(join(dataDir, 'sample'));
  // A third of the time that the asynchronous copy takes for these 250 files.
  for (const part of ['snapshots', 'current.json', 'rights.json'])
    cpSync(join(shared, part), join(dataDir, 'sample', part), { recursive: true });
  return dataDir;
}

/** The sample with its raw archive and lake; to be copied, never written to. */
export async function sampleLake(): Promise<string> {
  const options = {
    referenceDir: resolve(import.meta.dirname, '../data/reference'),
    engineThreads: 2,
    engineMemory: '600MB',
    snapshotsKept: 5,
  };
  const effects = { now: () => Date.parse(SAMPLE_TIME), log: SILENT };
  for (;;) {
    try {
      const { dataDir } = await buildSample(inject('sampleFolder'), options, effects);
      await isFinished(dataDir, options);
      return dataDir;
    } catch (error) {
      if (!(error instanceof LakeLockedError)) throw error;
      await pause(100); // another test file builds it
    }
  }
}

/** A snapshot is current before its Delta tables are written: whoever built it has finished once it lets go of the lake. */
async function isFinished(dataDir: string, options: Omit<Parameters<typeof openWorkspace>[0], 'dataDir'>): Promise<void> {
  const mark = join(dataDir, 'finished');
  if (existsSync(mark)) return;
  await (await openWorkspace({ ...options, dataDir }).openLake()).close();
  await writeFile(mark, '');
}

export async function issueKeys(dataDir: string, now: number): Promise<Keys> {
  const issue = async (name: KeyName) => (await issueKey(keyFile(dataDir), { label: name, ...KEYS[name] }, now)).key;
  return {
    full: await issue('full'),
    data: await issue('data'),
    ops: await issue('ops'),
    admin: await issue('admin'),
    free: await issue('free'),
  };
}

export const RATE_HEADERS = ['x-ratelimit-policy', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'] as const;

export interface ListBody {
  readonly data: readonly Readonly<Record<string, unknown>>[];
  readonly meta: {
    readonly request_id: string;
    readonly requestId: string;
    readonly api_version: string;
    readonly history_limited?: boolean;
    readonly as_of?: string | null;
    readonly hints?: readonly { readonly parameter: string; readonly message: string; readonly nearest?: string }[];
    readonly resume_cursor?: string | null;
    readonly pagination: {
      readonly limit: number;
      readonly cursor: string | null;
      readonly next_cursor: string | null;
      readonly has_more: boolean;
    };
  };
  readonly requestId: string;
}

export interface ErrorBody {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly request_id: string;
    readonly requestId: string;
    readonly details?: Readonly<Record<string, unknown>>;
  };
  readonly requestId: string;
}
