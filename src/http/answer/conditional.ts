// Validators and the content coding they name.
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, crc32, deflateRaw } from 'node:zlib';
import type { Format } from '../route.ts';

const deflate = promisify(deflateRaw);

export type Coding = 'identity' | 'gzip';

/** All that an answer depends on, apart from its coding and the request's own identifiers. */
export interface Representation {
  readonly snapshotId: string;
  /** Route and parameters in one canonical text. */
  readonly query: string;
  /** Tier and scopes. */
  readonly view: string;
  readonly format: Format;
  /** Freshness is a matter of days, so the answer changes with the UTC day even when the snapshot does not. */
  readonly day: string;
}

/**
 * What the strong tags of a representation begin with, known before the answer is. What moves faster than the day - a cutoff in the future,
 * clamped to now; the time inside a cursor - is left out, or nothing could ever be validated; a cursor outlives the tag of its page.
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

/** The tag that the client holds already, in a coding it accepts; null when it holds none. */
export function heldEtag(ifNoneMatch: string | undefined, tag: string, accepted: Coding): string | null {
  if (ifNoneMatch === undefined) return null;
  const held = new Set(ifNoneMatch.split(',').map((one) => one.trim().replace(/^W\//, '')));
  const codings: readonly Coding[] = accepted === 'gzip' ? ['gzip', 'identity'] : ['identity'];
  return codings.map((coding) => etag(tag, coding)).find((one) => held.has(one)) ?? null;
}

/** gzip when the client takes it. Brotli is never offered: its decoder in older runtimes has a published flaw. */
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

/** Ends the stream that `gzipHead` began. A sync flush ends on a byte, so a stored block can follow as it is. */
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
