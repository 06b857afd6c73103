// Entity tags, and the content coding that they name.
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, crc32, deflateRaw } from 'node:zlib';
import type { Format } from '../route.ts';

const deflate = promisify(deflateRaw);

export type Coding = 'identity' | 'gzip';

/** Everything an answer depends on, except its coding and the request's own identifiers. */
export interface Representation {
  readonly snapshotId: string;
  /** Route and parameters in one canonical text. */
  readonly query: string;
  /** Tier and scopes. */
  readonly view: string;
  readonly format: Format;
  /** Freshness counts days, so the answer changes with the UTC day even if the snapshot does not. */
  readonly day: string;
}

/**
 * The common part of a representation's strong tags, known before the answer is computed. It ignores values that change faster than the
 * day: a future
 * cutoff that is clamped to now, and the time inside a cursor. Otherwise no client could validate anything. A cursor outlives the tag of
 * its page.
 */
export function tagOf(one: Representation): string {
  return createHash('sha256')
    .update(JSON.stringify([one.snapshotId, one.query, one.view, one.format, one.day]))
    .digest('base64url')
    .slice(0, 27);
}

export function etag(tag: string, coding: Coding): string {
  return coding === 'gzip' ? `"${tag}-gzip"` : `"${tag}"`;
}

/** The tag of an answer that the client has, in a coding that it accepts. Null if it has none. */
export function heldEtag(ifNoneMatch: string | undefined, tag: string, accepted: Coding): string | null {
  if (ifNoneMatch === undefined) return null;
  const held = new Set(ifNoneMatch.split(',').map((one) => one.trim().replace(/^W\//, '')));
  const codings: readonly Coding[] = accepted === 'gzip' ? ['gzip', 'identity'] : ['identity'];
  return codings.map((coding) => etag(tag, coding)).find((one) => held.has(one)) ?? null;
}

/**
 * The tag of a 304 for an answer that exists. The header `*` matches whatever exists, so ask only after a missing resource was refused.
 * @param sent the coding of a full answer
 */
export function matchedEtag(ifNoneMatch: string | undefined, tag: string, accepted: Coding, sent: Coding): string | null {
  return ifNoneMatch?.trim() === '*' ? etag(tag, sent) : heldEtag(ifNoneMatch, tag, accepted);
}

/** gzip if the client accepts it. Brotli is never offered, because its decoder in older runtimes has a published flaw. */
export function codingFor(header: string | undefined): Coding {
  if (header === undefined || !header.includes('gzip')) return 'identity';
  const entry = header.split(',').find((one) => /^\s*(?:x-)?gzip\s*(?:;|$)/i.test(one));
  return entry === undefined || /;\s*q=0(?:\.0*)?\s*$/.test(entry) ? 'identity' : 'gzip';
}

/** The part of a gzip stream that is the same for every request. */
export interface GzipHead {
  readonly bytes: Buffer;
  readonly crc: number;
  readonly length: number;
}

const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);

export async function gzipHead(head: Buffer): Promise<GzipHead> {
  const deflated = await deflate(head, { level: 6, finishFlush: constants.Z_SYNC_FLUSH });
  return { bytes: Buffer.concat([GZIP_HEADER, deflated]), crc: crc32(head), length: head.length };
}

/** Ends the stream that `gzipHead` began. A sync flush ends on a byte boundary, so a stored block can follow. */
export function gzipTail(head: GzipHead, tail: Buffer): Buffer {
  if (tail.length > 0xffff) throw new RangeError('the tail of an envelope is short');
  const bytes = Buffer.alloc(5 + tail.length + 8);
  bytes.writeUInt8(1, 0);
  bytes.writeUInt16LE(tail.length, 1);
  bytes.writeUInt16LE(0xffff - tail.length, 3);
  tail.copy(bytes, 5);
  bytes.writeUInt32LE(crc32(tail, head.crc), 5 + tail.length);
  bytes.writeUInt32LE((head.length + tail.length) % 2 ** 32, 9 + tail.length);
  return bytes;
}
