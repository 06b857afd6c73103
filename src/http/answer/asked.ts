// A keyed request with its parameters, and the code that answers of lists and items share.
import type express from 'express';
import { addMonths } from '../../model/period.ts';
import type { Errand } from '../../db/lanes.ts';
import { hasScope } from '../admission/auth.ts';
import type { Gate } from '../admission/gate.ts';
import { type Coding, heldEtag, tagOf } from './conditional.ts';
import { type CursorCodec, cursorFault, type Question, type Walk } from './cursor.ts';
import type { Reply } from '../admission/exchange.ts';
import type { KeptFiles } from '../forms/kept-files.ts';
import type { ParquetWriter } from '../forms/parquet.ts';
import { canonicalQuery, type ReadParameters } from '../params.ts';
import type { ResponseCache } from './response-cache.ts';
import {
  type AnyItemRoute,
  type AnyListRoute,
  type Client,
  type Context,
  type CursorKey,
  type Format,
  FREE_TIER_MONTHS,
  type PinnedSnapshot,
  type SnapshotStore,
} from '../route.ts';

export interface Serving<R extends PinnedSnapshot> {
  readonly store: SnapshotStore<R>;
  readonly cursors: CursorCodec;
  /** The routes whose cursors never expire. */
  readonly resumable: readonly AnyListRoute<R>[];
  readonly cache: ResponseCache;
  readonly gate: Gate;
  readonly now: () => number;
  readonly scratchDir: string;
  readonly parquet: ParquetWriter;
  /** Cached Parquet files for requests of parts. */
  readonly files: KeptFiles;
  readonly vary: string;
}

export type KeyedRoute<R extends PinnedSnapshot> = AnyListRoute<R> | AnyItemRoute<R>;

export interface Asked<R extends PinnedSnapshot> {
  readonly serving: Serving<R>;
  readonly request: express.Request;
  readonly response: Reply;
  readonly client: Client;
  readonly now: number;
  readonly parameters: ReadParameters;
  readonly path: Readonly<Record<string, string>>;
  readonly coding: Coding;
  readonly format: Format;
  readonly errand: Errand;
}

/** The start of an answer, and the snapshot of its walk. */
export interface Begun<R extends PinnedSnapshot> {
  readonly after: CursorKey | null;
  readonly snapshot: R;
  readonly context: Context<R>;
  /** The walk of this answer's cursors. */
  readonly walk: Walk;
  readonly release: () => void;
}

/** Reads the cursor, if one was sent, and pins its snapshot. */
export async function begin<R extends PinnedSnapshot>(asked: Asked<R>, question: Question, current: R): Promise<Begun<R>> {
  const { serving, parameters, now } = asked;
  const { cursor } = parameters.values;
  const position = typeof cursor === 'string' ? serving.cursors.decode(cursor, question, now) : { key: null, walk: null };
  const pinned =
    position.walk === null ? { snapshot: current, release: () => undefined } : await serving.store.acquire(position.walk.snapshotId);
  if (pinned === null) throw cursorFault('snapshot_gone');
  const { snapshot, release } = pinned;
  const context = contextOf(snapshot, asked, position.walk?.now ?? now);
  const walk = { snapshotId: snapshot.snapshotId, knowledgeCutoff: snapshot.knowledgeCutoff, now: context.now };
  return { after: position.key, snapshot, context, walk, release };
}

/** The properties of a client on which an answer depends. */
export const viewOf = (client: Client): string => `${client.tier}:${hasScope(client, 'ops:read')}:${hasScope(client, 'admin')}`;
export const dayOf = (now: number): string => new Date(now).toISOString().slice(0, 10);

/** A clock that was set back must not widen a free key's window, so use the snapshot's day if that is later. */
function todayOf({ knowledgeCutoff }: PinnedSnapshot, now: number): string {
  const [known, day] = [knowledgeCutoff.slice(0, 10), dayOf(now)];
  return known > day ? known : day;
}

function contextOf<R extends PinnedSnapshot>(snapshot: R, asked: Asked<R>, now: number): Context<R> {
  const { serving, client } = asked;
  const historyFrom = client.tier === 'free' ? addMonths(todayOf(snapshot, now), -FREE_TIER_MONTHS) : null;
  return {
    snapshot: { ...serving.store.under(snapshot, asked.errand), historyFrom },
    now,
    client,
    hasScope: (scope) => hasScope(client, scope),
    decided: { preferred: null },
    historyFrom,
    resumeCursor(path, key) {
      const route = serving.resumable.find((one) => one.path === path);
      if (route === undefined) throw new RangeError(`${path} is not a resumable route`);
      const question = questionOf(route, {}, new Map(), { sort: route.sortable[0], order: route.orders[0], tier: client.tier });
      return serving.cursors.encode(question, { key, walk: null }, now);
    },
  };
}

/** The question that all pages of a walk share. */
export function questionOf(
  route: Pick<KeyedRoute<never>, 'path' | 'query'>,
  path: Readonly<Record<string, string>>,
  texts: ReadonlyMap<string, string>,
  { sort, order, tier }: { readonly sort: string; readonly order: string; readonly tier: string },
): Question {
  // A route's own parameter is a filter, whatever its name.
  const noFilters = new Set([...NO_FILTERS].filter((name) => !(name in route.query)));
  return { path: JSON.stringify([route.path, path]), text: JSON.stringify([canonicalQuery(texts, noFilters), sort, order, tier]) };
}

const NO_FILTERS: ReadonlySet<string> = new Set(['cursor', 'limit', 'format', 'columns', 'sort', 'order']);

export function limitedHistory<R extends PinnedSnapshot>(route: KeyedRoute<R>, client: Client): Readonly<Record<string, unknown>> {
  return route.isHistory && client.tier === 'free' ? { history_limited: true } : {};
}

export function tagFor<R extends PinnedSnapshot>(asked: Asked<R>, route: KeyedRoute<R>, snapshot: R, format: Format): string {
  return tagOf({
    snapshotId: snapshot.snapshotId,
    query: JSON.stringify([snapshot.rightsState ?? '', route.path, asked.path, canonicalQuery(asked.parameters.texts, FORMAT)]),
    view: viewOf(asked.client),
    format,
    day: dayOf(asked.now),
  });
}

const FORMAT: ReadonlySet<string> = new Set(['format']);

/** Answers 304 if the client has this answer already. */
export function isHeld<R extends PinnedSnapshot>({ serving, request, response, coding }: Asked<R>, tag: string): boolean {
  const held = heldEtag(request.headers['if-none-match'], tag, coding);
  if (held === null) return false;
  sendNotModified(serving, response, held);
  return true;
}

export function sendNotModified<R extends PinnedSnapshot>(serving: Serving<R>, response: Reply, held: string): void {
  response.writeHead(304, { ...cacheHeaders(serving.vary), etag: held }).end();
}

export const cacheHeaders = (vary: string) => ({ 'cache-control': 'private, max-age=60', vary });
