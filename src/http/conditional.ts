// Validators and the content coding they name.
import { createHash } from 'node:crypto';
import type { Format } from './route.ts';

export type Coding = 'identity' | 'gzip';

/** All that an answer depends on, apart from the request's own identifiers. */
export interface Representation {
  readonly snapshotId: string;
  readonly path: string;
  /** Parameters and path values in one canonical text. */
  readonly query: string;
  /** Tier and scopes. */
  readonly view: string;
  readonly format: Format;
  readonly coding: Coding;
  /** Freshness is a matter of days, so the answer changes with the UTC day even when the snapshot does not. */
  readonly day: string;
}

/**
 * A strong tag of one representation, known before the answer is. What moves faster than the day - a cutoff in the future, clamped to now;
 * the time inside a cursor - is left out, or nothing could ever be validated; a cursor outlives the tag of the page that carries it.
 */
export function tagOf(one: Representation): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([one.snapshotId, one.path, one.query, one.view, one.format, one.day]))
    .digest('base64url')
    .slice(0, 27);
  return one.coding === 'identity' ? `"${hash}"` : `"${hash}-${one.coding}"`;
}

/** Whether `If-None-Match` names the tag. */
export function isMatch(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((one) => {
    const text = one.trim();
    return text === '*' || text === tag || text === `W/${tag}`;
  });
}

/** gzip when the client takes it. Brotli is never offered: its decoder in older runtimes has a published flaw. */
export function codingFor(header: string | undefined): Coding {
  if (header === undefined || !header.includes('gzip')) return 'identity';
  const entry = header.split(',').find((one) => /^\s*(?:x-)?gzip\s*(?:;|$)/i.test(one));
  return entry === undefined || /;\s*q=0(?:\.0*)?\s*$/.test(entry) ? 'identity' : 'gzip';
}
