// Raw payloads, exactly as received: content-addressed, gzipped, written once. The bytes stand in objects/, and beside them, per
// source, one description per (file, content): where from, when first retrieved, of what kind, with which validators.
import { createHash } from 'node:crypto';
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { z } from 'zod';
import { listFiles, writeDurably } from '../disk/durable.ts';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

export const StoredPayload = z.strictObject({
  payloadId: z.string(),
  sourceId: z.string(),
  /** Path below the mirror folder. */
  key: z.string(),
  sha256: z.string(),
  bytes: z.int(),
  mediaType: z.string(),
  address: z.string().nullable(),
  retrievedAt: z.iso.datetime(),
  httpStatus: z.int().nullable(),
  etag: z.string().nullable(),
  lastModified: z.string().nullable(),
});
export type StoredPayload = z.infer<typeof StoredPayload>;

export type ReceivedPayload = Omit<StoredPayload, 'payloadId' | 'sha256' | 'bytes'> & { readonly body: Uint8Array };

export interface RawArchive {
  /** Stores a payload unless the same bytes under the same key were seen before; says which. */
  readonly store: (received: ReceivedPayload) => Promise<{ readonly payload: StoredPayload; readonly isNew: boolean }>;
  /** Every payload of a source, in the order of retrieval, then key. */
  readonly list: (sourceId: string) => Promise<StoredPayload[]>;
  /** The bytes as received. Throws when they no longer have their hash. */
  readonly read: (payload: Pick<StoredPayload, 'sha256'>) => Promise<Uint8Array>;
}

export function openArchive(root: string): RawArchive {
  const objectPath = (sha256: string) => join(root, 'objects', sha256.slice(0, 2), `${sha256}.gz`);
  const cardPath = (sourceId: string, payloadId: string) => join(root, 'payloads', sourceId, `${payloadId}.json`);

  return {
    async store({ body, ...received }) {
      const sha256 = createHash('sha256').update(body).digest('hex');
      const payloadId = `pay_${createHash('sha256').update(`${received.sourceId}|${received.key}|${sha256}`).digest('hex').slice(0, 26)}`;
      const card = cardPath(received.sourceId, payloadId);
      const known = await readCard(card);
      // The object first: a description never points at bytes that are not there. One that was lost since comes back with its bytes.
      if (!(await exists(objectPath(sha256)))) await writeDurably(objectPath(sha256), await compress(body));
      if (known !== null) return { payload: known, isNew: false };
      const payload: StoredPayload = { payloadId, ...received, sha256, bytes: body.length };
      await writeDurably(card, `${JSON.stringify(payload, null, 2)}\n`);
      return { payload, isNew: true };
    },

    async list(sourceId) {
      const folder = join(root, 'payloads', sourceId);
      if (!(await exists(folder))) return [];
      const payloads: StoredPayload[] = [];
      for (const name of await listFiles(folder)) {
        const payload = await readCard(join(folder, name));
        if (payload !== null) payloads.push(payload);
      }
      return payloads.sort((a, b) => compare(a.retrievedAt, b.retrievedAt) || compare(a.key, b.key) || compare(a.payloadId, b.payloadId));
    },

    async read({ sha256 }) {
      const body = await decompress(await readFile(objectPath(sha256)));
      if (createHash('sha256').update(body).digest('hex') !== sha256) {
        throw new Error(`Archived payload ${sha256} no longer has its hash: restore ${objectPath(sha256)} from a backup.`);
      }
      return body;
    },
  };
}

async function readCard(path: string): Promise<StoredPayload | null> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
  return StoredPayload.parse(JSON.parse(text));
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch {
    return false;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
