// Cursors are opaque to clients and authenticated by HMAC-SHA256. A cursor names the route, the question, the last key, and the snapshot
// and evaluation time of its walk. So all pages of a walk belong to one answer.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { ApiError, type Reason } from '../errors.ts';
import type { CursorKey } from '../route.ts';

const LIFETIME_MS = 24 * 60 * 60 * 1000;

export type CursorFault = Extract<Reason, 'malformed' | 'tampered' | 'expired' | 'route_changed' | 'query_changed' | 'snapshot_gone'>;

/** The walk of a cursor. Null for a cursor that never expires and works on any current snapshot. */
export interface Walk {
  readonly snapshotId: string;
  readonly knowledgeCutoff: string;
  /** Evaluation time in ms. */
  readonly now: number;
}

export interface Cursor {
  readonly key: CursorKey;
  readonly walk: Walk | null;
}

/** The part that must not change between the pages of a walk. */
export interface Question {
  /** The route's path with its parameters filled in. */
  readonly path: string;
  /** Filters, sort, order and tier, in one canonical text. */
  readonly text: string;
}

const Payload = z.tuple([
  z.literal(1),
  z.string(), // route
  z.string(), // hash of the question
  z.array(z.union([z.string(), z.number(), z.null()])), // key
  z.tuple([z.string(), z.string(), z.number()]).nullable(), // walk
  z.number().nullable(), // expiry, ms
]);

const FAULTS: Readonly<Record<CursorFault, string>> = {
  malformed: 'is not a cursor of this service. Send the next_cursor of the previous page, unchanged',
  tampered: 'was altered, or the secret of the service has changed. Start again without a cursor',
  expired: 'has expired. Start again without a cursor',
  route_changed: 'belongs to another route. Start again without a cursor',
  query_changed: 'belongs to another request: other filters, sort, order or tier. Repeat that request, or start again without a cursor',
  snapshot_gone: 'reads a snapshot that was deleted. Start again without a cursor',
};

export function cursorFault(reason: CursorFault): ApiError {
  return new ApiError('bad_request', `The parameter \`cursor\` ${FAULTS[reason]}.`, { parameter: 'cursor', reason });
}

export interface CursorCodec {
  readonly encode: (question: Question, cursor: Cursor, now: number) => string;
  /** Throws a bad_request with the reason if the cursor cannot be used. */
  readonly decode: (text: string, question: Question, now: number) => Cursor;
}

export function createCursorCodec(secret: string): CursorCodec {
  const sign = (payload: string) => createHmac('sha256', secret).update(payload).digest('base64url');
  return {
    encode({ path, text }, { key, walk }, now) {
      const position = walk === null ? null : [walk.snapshotId, walk.knowledgeCutoff, walk.now];
      const expiry = walk === null ? null : now + LIFETIME_MS;
      const payload = Buffer.from(JSON.stringify([1, path, hashOf(text), key, position, expiry])).toString('base64url');
      return `${payload}.${sign(payload)}`;
    },
    decode(cursor, { path, text }, now) {
      const [, payload, signature] = /^([A-Za-z0-9_-]{1,4096})\.([A-Za-z0-9_-]{43})$/.exec(cursor) ?? [];
      if (payload === undefined || signature === undefined) throw cursorFault('malformed');
      if (!timingSafeEqual(Buffer.from(signature), Buffer.from(sign(payload)))) throw cursorFault('tampered');
      const parsed = Payload.safeParse(JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')));
      if (!parsed.success) throw cursorFault('malformed');
      const [, route, question, key, walk, expiry] = parsed.data;
      if (route !== path) throw cursorFault('route_changed');
      if (question !== hashOf(text)) throw cursorFault('query_changed');
      if (expiry !== null && now >= expiry) throw cursorFault('expired');
      return { key, walk: walk === null ? null : { snapshotId: walk[0], knowledgeCutoff: walk[1], now: walk[2] } };
    },
  };
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
