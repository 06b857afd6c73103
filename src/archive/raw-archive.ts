// Raw payloads, exactly as received: content-addressed, gzipped, written once. objects/ has the bytes. Next to it, each source has one
// description per change of a file's content: its origin, first retrieval, media type and validators.
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip, type ZlibOptions } from 'node:zlib';
import { z } from 'zod';
import { isOfProcess, naming } from '../disk/disk-error.ts';
import { ifThere } from '../disk/if-there.ts';
import { listFiles, writeDurably } from '../disk/durable.ts';
import { KnownError } from '../known-error.ts';

const compress = promisify(gzip);
const decompress = promisify<Uint8Array, ZlibOptions, Buffer>(gunzip);
const LEAST_CHUNK = 64;

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

/** The newest collecting that brought at least one file of a source, new or not. */
export const Collection = z.strictObject({
  retrievedAt: z.iso.datetime(),
  /** Why a file could not be archived; null when all were. */
  problem: z.string().nullable(),
});
export type Collection = z.infer<typeof Collection>;

export interface RawArchive {
  /** Stores a payload unless the newest retrieval of its key has the same bytes; returns if it did. */
  readonly store: (received: ReceivedPayload) => Promise<{ readonly payload: StoredPayload; readonly isNew: boolean }>;
  /** Every payload of a source, in the order of retrieval, then key. */
  readonly list: (sourceId: string) => Promise<StoredPayload[]>;
  readonly recordCollection: (sourceId: string, collection: Collection) => Promise<void>;
  /** Null if nothing of the source was ever collected. */
  readonly lastCollection: (sourceId: string) => Promise<Collection | null>;
  /** The bytes as received. Throws if they no longer have their hash. */
  readonly read: (payload: Pick<StoredPayload, 'sha256' | 'bytes'>) => Promise<Uint8Array>;
}

export function openArchive(root: string): RawArchive {
  const objectPath = (sha256: string) => join(root, 'objects', sha256.slice(0, 2), `${sha256}.gz`);
  const folderOf = (sourceId: string) => join(root, 'payloads', sourceId);
  const cardPath = (sourceId: string, payloadId: string) => join(folderOf(sourceId), `${payloadId}.json`);

  const collectionPath = (sourceId: string) => join(root, 'collections', `${sourceId}.json`);

  const readCards = async (sourceId: string): Promise<StoredPayload[]> => {
    const folder = folderOf(sourceId);
    if (!(await exists(folder))) return [];
    const payloads: StoredPayload[] = [];
    for (const name of await listFiles(folder)) {
      const payload = await readCard(join(folder, name));
      if (payload !== null) payloads.push(payload);
    }
    return payloads.sort(inOrderOfRetrieval);
  };

  // Read once for a folder of thousands of files, and again if another process has changed it.
  const seen = new Map<string, { readonly stamp: string; readonly newest: Map<string, StoredPayload> }>();
  const newestOf = async (sourceId: string): Promise<Map<string, StoredPayload>> => {
    const stamp = await stampOf(folderOf(sourceId));
    const known = seen.get(sourceId);
    if (known !== undefined && known.stamp === stamp) return known.newest;
    const newest = new Map((await readCards(sourceId)).map((payload) => [payload.key, payload]));
    seen.set(sourceId, { stamp, newest });
    return newest;
  };
  const remember = async (payload: StoredPayload, newest: Map<string, StoredPayload>): Promise<void> => {
    const before = newest.get(payload.key);
    if (before === undefined || inOrderOfRetrieval(before, payload) < 0) newest.set(payload.key, payload);
    seen.set(payload.sourceId, { stamp: await stampOf(folderOf(payload.sourceId)), newest });
  };

  return {
    async store({ body, ...received }) {
      const sha256 = createHash('sha256').update(body).digest('hex');
      // The object first: a description never points at missing bytes. If an object was lost, this writes it again.
      if (!(await exists(objectPath(sha256)))) await writeDurably(objectPath(sha256), await compress(body));
      const newest = await newestOf(received.sourceId);
      const before = newest.get(received.key);
      if (before?.sha256 === sha256) return { payload: before, isNew: false };
      const content = `${received.sourceId}|${received.key}|${sha256}`;
      const isReturn = await exists(cardPath(received.sourceId, idOf(content)));
      const payloadId = isReturn ? idOf(`${content}|${received.retrievedAt}`) : idOf(content);
      const card = cardPath(received.sourceId, payloadId);
      const known = await readCard(card);
      if (known !== null) return { payload: known, isNew: false };
      const payload: StoredPayload = { payloadId, ...received, sha256, bytes: body.length };
      await writeDurably(card, sealed(payload));
      await remember(payload, newest);
      return { payload, isNew: true };
    },

    list: readCards,

    recordCollection: (sourceId, collection) => writeDurably(collectionPath(sourceId), sealed({ sourceId, ...collection })),

    async lastCollection(sourceId) {
      const text = await readIfThere(collectionPath(sourceId));
      return text === null ? null : parseCollection(text, collectionPath(sourceId));
    },

    async read({ sha256, bytes: size }) {
      // Missing bytes and bytes that cannot be unpacked count as damaged.
      const body = await readFile(objectPath(sha256))
        // In one chunk: joining chunks would need the memory twice.
        .then((bytes) => decompress(bytes, { chunkSize: Math.max(LEAST_CHUNK, size + 1) }))
        .catch((error: unknown) => {
          if (isOfProcess(error)) throw error;
          return null;
        });
      if (body === null || createHash('sha256').update(body).digest('hex') !== sha256) {
        throw new KnownError(`Archived payload ${sha256} no longer has its hash: restore ${objectPath(sha256)} from a backup.`);
      }
      return body;
    },
  };
}

/** Adds a hash of the whole description as its last property; without it a changed digit in a knowledge time would go unnoticed. */
function sealed(description: object): string {
  return `${JSON.stringify({ ...description, seal: sha256Of(JSON.stringify(description)) }, null, 2)}\n`;
}

/** Descriptions of earlier versions have no seal. */
function unsealed(text: string): unknown {
  const { seal, ...description } = JSON.parse(text) as Readonly<Record<string, unknown>>;
  if (seal !== undefined && seal !== sha256Of(JSON.stringify(description))) throw new Error('it no longer has its hash');
  return description;
}

const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * Throws if the description has changed since it was written, or belongs to another payload.
 * @param path its file, named after the payload in a folder of its source
 */
export function parseCard(text: string, path: string): StoredPayload {
  return described(path, () => {
    const payload = StoredPayload.parse(unsealed(text));
    if (basename(path, '.json') !== payload.payloadId || basename(dirname(path)) !== payload.sourceId)
      throw new Error(`it describes ${payload.payloadId} of ${payload.sourceId}`);
    return payload;
  });
}

/** A note as it is stored; those of earlier versions do not name their source. */
const KeptCollection = Collection.extend({ sourceId: z.string().optional() });

/**
 * Throws if the note has changed since it was written, or belongs to another source.
 * @param path its file, named after the source
 */
export function parseCollection(text: string, path: string): Collection {
  return described(path, () => {
    const { sourceId, ...collection } = KeptCollection.parse(unsealed(text));
    if (sourceId !== undefined && basename(path, '.json') !== sourceId) throw new Error(`it is of ${sourceId}`);
    return collection;
  });
}

function described<Description>(name: string, parse: () => Description): Description {
  try {
    return parse();
  } catch (error) {
    throw new KnownError(`The description ${name} of the raw archive is damaged. Run npm run doctor, which names the remedy.`, {
      cause: error,
    });
  }
}

function idOf(text: string): string {
  return `pay_${createHash('sha256').update(text).digest('hex').slice(0, 26)}`;
}

function inOrderOfRetrieval(a: StoredPayload, b: StoredPayload): number {
  return compare(a.retrievedAt, b.retrievedAt) || compare(a.key, b.key) || compare(a.payloadId, b.payloadId);
}

/** Changes whenever the folder gets or loses a name. */
async function stampOf(folder: string): Promise<string> {
  const found = await ifThere(stat(folder, { bigint: true }));
  return found === null ? '' : `${found.ino}|${found.birthtimeNs}|${found.mtimeNs}`;
}

async function readCard(path: string): Promise<StoredPayload | null> {
  const text = await readIfThere(path);
  return text === null ? null : parseCard(text, path);
}

async function readIfThere(path: string): Promise<string | null> {
  return ifThere(naming(path, () => readFile(path, 'utf8')));
}

async function exists(path: string): Promise<boolean> {
  return (await ifThere(stat(path))) !== null;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
