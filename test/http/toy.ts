// A small service over rows in memory: every rule of the framework can be tried on it.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { openParquetWriter } from '../../src/http/forms/parquet.ts';
import { type AppOptions, createApp } from '../../src/http/app.ts';
import { ApiError } from '../../src/http/errors.ts';
import { type Errand, openLanes } from '../../src/db/lanes.ts';
import { elapsed } from '../../src/effects.ts';
import { CAPACITY, openGate } from '../../src/http/admission/gate.ts';
import type { Log } from '../../src/http/admission/exchange.ts';
import { LIMITS, memoryLimiter } from '../../src/http/admission/rate-limit.ts';
import {
  type Client,
  type CursorKey,
  itemRoute,
  listRoute,
  type PageRequest,
  parameter,
  type PinnedSnapshot,
  type SnapshotStore,
} from '../../src/http/route.ts';
import { serve } from '../../src/http/server.ts';
import { createKey } from '../../src/keys/key.ts';
import { openPages } from '../../src/pages/pages.ts';

export interface ToyRow {
  readonly id: string;
  readonly name: string;
  readonly value: number | null;
  readonly madeOn: string;
}

export interface ToySnapshot extends PinnedSnapshot {
  readonly rows: readonly ToyRow[];
  /** Whose queries are run. */
  readonly errand?: Errand;
}

export const ToyRow = z.object({
  id: z.string(),
  name: z.string(),
  value: z.number().nullable(),
  madeOn: z.string(),
});

export function toyRows(count: number): readonly ToyRow[] {
  return Array.from({ length: count }, (_, at) => ({
    id: `row_${String(at).padStart(6, '0')}`,
    name: at % 3 === 0 ? `=formula ${at}` : `näme "${at % 50}"`,
    value: at % 7 === 0 ? null : (at * 7919) % 101,
    madeOn: `20${String(10 + (at % 17)).padStart(2, '0')}-01-15`,
  }));
}

// Nulls last both ways, ties by id: the order that the routes of the service promise.
function compare(left: ToyRow, right: ToyRow, { sort, order }: PageRequest): number {
  const field = sort === 'value' ? 'value' : sort === 'name' ? 'name' : 'id';
  const [a, b] = [left[field], right[field]];
  if (a === b) return left.id < right.id ? -1 : left.id > right.id ? 1 : 0;
  if (a === null) return 1;
  if (b === null) return -1;
  return (a < b ? -1 : 1) * (order === 'desc' ? -1 : 1);
}

function isAfter(row: ToyRow, key: CursorKey | null, request: PageRequest): boolean {
  if (key === null) return true;
  const [value = null, id] = key;
  const last: ToyRow = { ...row, [request.sort]: value, id: String(id) };
  return compare(last, row, request) < 0;
}

export interface ToyFaults {
  /** Rows after which reading fails. */
  failAfter: number | null;
}

function toyRoutes(faults: ToyFaults) {
  const query = {
    name: parameter(
      z
        .string()
        .max(20)
        .optional()
        .meta({ description: 'Exact name.', examples: ['x'] }),
      'nameOf',
      'name_of',
    ),
    least: parameter(
      z.coerce
        .number()
        .int()
        .min(0)
        .max(100)
        .optional()
        .meta({ description: 'Least value.', examples: ['5'] }),
    ),
    flag: parameter(
      z
        .stringbool({ truthy: ['true'], falsy: ['false'] })
        .optional()
        .meta({ description: 'Changes nothing.', examples: ['true'] }),
    ),
    kind: parameter(
      z
        .enum(['daily', 'weekly'])
        .optional()
        .meta({ description: 'Changes nothing.', examples: ['daily'] }),
    ),
  };
  const list = (isBulk: boolean, isResumable: boolean, path: string) =>
    listRoute<ToySnapshot, typeof query, ToyRow>({
      path,
      operation: `list${path}`,
      scope: 'data:read',
      summary: 'Rows of the toy.',
      tag: 'Toys',
      example: `${path}?limit=5`,
      query,
      row: ToyRow,
      sortable: ['id', 'value', 'name'],
      isBulk,
      isResumable,
      isHistory: true,
      list: async ({ name, least }, request, { snapshot, historyFrom }) => {
        const rows = snapshot.rows
          .filter((row) => (name === undefined || row.name === name) && (least === undefined || (row.value ?? -1) >= least))
          .filter((row) => historyFrom === null || row.madeOn >= historyFrom)
          .filter((row) => isAfter(row, request.after, request))
          .sort((left, right) => compare(left, right, request));
        const page = rows.slice(0, request.limit);
        if (faults.failAfter !== null && page.some((row) => Number(row.id.slice(4)) >= (faults.failAfter ?? 0))) throw new Error('planted');
        const last = page.at(-1);
        const key = last === undefined ? null : keyOf(last, request);
        return { rows: page, nextKey: rows.length > page.length ? key : null, lastKey: key, meta: { as_of: null } };
      },
    });
  return [
    list(true, false, '/toys'),
    list(false, false, '/plain-toys'),
    list(true, true, '/toys/changes'),
    itemRoute<ToySnapshot, Record<string, never>, ToyRow>({
      path: '/toys/:id',
      operation: 'getToy',
      scope: 'data:read',
      summary: 'One row of the toy.',
      tag: 'Toys',
      example: '/toys/row_000001',
      query: {},
      pathParameters: { id: z.string().max(40) },
      data: ToyRow,
      find: async (_query, { snapshot }, { id }) => {
        const row = snapshot.rows.find((one) => one.id === id);
        if (row === undefined) throw new ApiError('not_found', 'There is no such toy.');
        return row;
      },
    }),
    itemRoute<ToySnapshot, Record<string, never>, { isFine: boolean }>({
      path: '/ops/toy',
      operation: 'getToyState',
      scope: 'ops:read',
      summary: 'How the toy does.',
      tag: 'Toys',
      example: '/ops/toy',
      query: {},
      data: z.object({ isFine: z.boolean() }),
      find: async () => ({ isFine: true }),
    }),
  ];
}

function keyOf(row: ToyRow, { sort }: PageRequest): CursorKey {
  return [sort === 'value' ? row.value : sort === 'name' ? row.name : row.id, row.id];
}

export interface ToyStore extends SnapshotStore<ToySnapshot> {
  publish: (snapshotId: string, rows: readonly ToyRow[]) => void;
  drop: (snapshotId: string) => void;
  pins: () => number;
}

function toyStore(): ToyStore {
  const held = new Map<string, ToySnapshot>();
  let current: string | null = null;
  let pins = 0;
  return {
    publish(snapshotId, rows) {
      held.set(snapshotId, { snapshotId, knowledgeCutoff: '2026-11-20T00:00:00.000Z', rows });
      current = snapshotId;
    },
    drop: (snapshotId) => void held.delete(snapshotId),
    pins: () => pins,
    acquire: async (snapshotId = current ?? '') => {
      const snapshot = held.get(snapshotId);
      if (snapshot === undefined) return null;
      pins += 1;
      return { snapshot, release: () => void (pins -= 1) };
    },
    under: (snapshot, errand) => ({ ...snapshot, errand }),
    readiness: () => ({ isReady: current !== null, reason: current === null ? 'none' : null, serves: 'real', warnings: [] }),
  };
}

export interface Toy {
  readonly url: string;
  readonly port: number;
  readonly store: ToyStore;
  readonly faults: ToyFaults;
  readonly keys: Readonly<Record<'full' | 'free' | 'ops' | 'admin', string>>;
  readonly lines: Record<string, unknown>[];
  readonly clock: { now: number };
  readonly stop: (deadlineMs?: number) => Promise<void>;
  /** GET with the full-tier key unless other headers are given. */
  readonly get: (path: string, headers?: Record<string, string>, init?: RequestInit) => Promise<Response>;
}

export async function startToy(options: Partial<AppOptions<ToySnapshot>> = {}, count = 1000): Promise<Toy> {
  const store = toyStore();
  store.publish('snap_a', toyRows(count));
  const keys = { full: createKey(), free: createKey(), ops: createKey(), admin: createKey() };
  const clients = new Map<string, Client>([
    [keys.full, { keyId: 'key_full', tier: 'full', scopes: ['data:read'] }],
    [keys.free, { keyId: 'key_free', tier: 'free', scopes: ['data:read'] }],
    [keys.ops, { keyId: 'key_ops', tier: 'full', scopes: ['ops:read'] }],
    [keys.admin, { keyId: 'key_admin', tier: 'full', scopes: ['admin'] }],
  ]);
  const lines: Record<string, unknown>[] = [];
  const write = (line: unknown, message?: unknown) => void lines.push({ ...(line as Record<string, unknown>), message });
  const log = { info: write, warn: write, error: write } as unknown as Log;
  const faults: ToyFaults = { failAfter: null };
  const clock = { now: Date.UTC(2026, 10, 21, 12) };
  const parquet = await openParquetWriter(mkdtempSync(join(tmpdir(), 'toy-engine-')));
  const app = createApp<ToySnapshot>({
    routes: toyRoutes(faults),
    store,
    keys: { find: (key) => clients.get(key) ?? null },
    limiter: memoryLimiter({ ...LIMITS, 'data:read': 1_000_000, unauthenticated: 1_000_000, discovery: 1_000_000 }),
    gate: openGate({
      lifetimeSeconds: 900,
      lanes: openLanes({ lookup: 2, screen: 1, bulk: 1 }, elapsed),
      capacity: CAPACITY,
      seconds: { lookup: 5, screen: 15, bulk: 600 },
    }),
    cursorSecret: 'a secret of at least thirty-two characters',
    now: () => clock.now,
    log,
    documents: {
      openapi: () => ({ openapi: '3.1.0' }),
      llms: () => 'index',
      llmsFull: () => 'reference',
      prepare: () => Promise.resolve(),
    },
    scratchDir: mkdtempSync(join(tmpdir(), 'toy-')),
    parquet,
    pages: process.env['PAGES'] === 'on' ? openPages() : null,
    ...options,
  });
  const served = await serve(app, { host: '127.0.0.1', port: 0 }, () => clock.now);
  const url = `http://127.0.0.1:${served.port}`;
  return {
    url,
    port: served.port,
    store,
    faults,
    keys,
    lines,
    clock,
    stop: async (deadlineMs = 0) => {
      await served.stop(deadlineMs);
      parquet.close();
    },
    get: (path, headers = { 'x-api-key': keys.full }, init = {}) => fetch(url + path, { headers, ...init }),
  };
}

export interface ListBody {
  readonly data: readonly ToyRow[];
  readonly meta: {
    readonly request_id: string;
    readonly requestId: string;
    readonly api_version: string;
    readonly history_limited?: boolean;
    readonly resume_cursor?: string;
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
    readonly details?: Record<string, unknown>;
  };
  readonly requestId: string;
}

export const listOf = async (response: Response): Promise<ListBody> => (await response.json()) as ListBody;
export const errorOf = async (response: Response): Promise<ErrorBody> => (await response.json()) as ErrorBody;
