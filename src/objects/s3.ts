// A bucket of any S3-compatible store. Credentials, region and endpoint come from the client's usual places: AWS_ACCESS_KEY_ID and related
// variables, the files of ~/.aws, the role of the machine.
import { readFile, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import {
  AbortMultipartUploadCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  type GetObjectCommandOutput,
  ListMultipartUploadsCommand,
  paginateListObjectsV2,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { piecesOf, writeHashed } from '../disk/durable.ts';
import { type ObjectStore, type ObjectText, type StoredObject } from './store.ts';
import { KnownError } from '../known-error.ts';

const CONNECT_MS = 5_000;
/** The limit without a byte of an answer. */
const SILENCE_MS = 30_000;
/** Larger files are sent in parts. */
const PART_BYTES = 16 * 1024 * 1024;
/** No store accepts more parts. */
const MOST_PARTS = 10_000;
const MOST_REMOVED_AT_ONCE = 1000;
/** Attempts to read a text during replacements, and the first pause between them; each next pause is longer by the same amount. */
const READS = 10;
const PAUSE_MS = 20;

interface Bucket {
  readonly client: S3Client;
  readonly bucket: string;
  readonly keyOf: (name: string) => string;
  readonly nameOf: (key: string) => string;
}

/** @param url `s3://bucket/prefix` */
export function openBucket(url: string): ObjectStore {
  const opened = bucketOf(url);
  const { client, bucket, keyOf } = opened;
  const asked = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      throw new KnownError(`${url} cannot be used: ${reasonOf(error)}`, { cause: error });
    }
  };
  return {
    address: url,
    list: (folder) => asked(() => listed(opened, folder)),
    read: ((name: string, known: string | null = null) => asked(() => readText(opened, name, known))) as ObjectStore['read'],
    download: (name, path) =>
      asked(async () => {
        const found = await get(opened, name, null);
        if (found === null || found === 'unchanged' || !(found.Body instanceof Readable)) return null;
        return (await writeHashed(found.Body, path)).sha256;
      }),
    upload: (name, path, sha256) => asked(() => uploadFile(opened, name, path, sha256)),
    commit: (name, text, version) =>
      asked(() => {
        const condition = version === null ? { IfNoneMatch: '*' } : { IfMatch: version };
        return onCondition(() => client.send(new PutObjectCommand({ Bucket: bucket, Key: keyOf(name), Body: text, ...condition })));
      }),
    remove: (names) => asked(() => removeAll(opened, names)),
    sweep: (before) => asked(() => abortUploads(opened, before)),
    close: () => client.destroy(),
  };
}

function bucketOf(url: string): Bucket {
  const { host: bucket, pathname } = new URL(url);
  const prefix = decodeURIComponent(pathname).replace(/^\/+|\/+$/g, '');
  return {
    client: new S3Client({
      // Bucket names are part of the host only if the provider has a certificate for each.
      forcePathStyle: true,
      requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: SILENCE_MS },
    }),
    bucket,
    keyOf: (name) => (prefix === '' ? name : `${prefix}/${name}`),
    nameOf: (key) => (prefix === '' ? key : key.slice(prefix.length + 1)),
  };
}

async function listed({ client, bucket, keyOf, nameOf }: Bucket, folder: string): Promise<readonly StoredObject[]> {
  const found = [];
  for await (const page of paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: keyOf(folder) }))
    for (const { Key = '', Size = 0, LastModified } of page.Contents ?? [])
      found.push({ name: nameOf(Key), bytes: Size, writtenAt: LastModified?.getTime() ?? 0 });
  return found;
}

/** Null if it is missing, `unchanged` if it still has that version. */
async function get(
  { client, bucket, keyOf }: Bucket,
  name: string,
  known: string | null,
): Promise<GetObjectCommandOutput | 'unchanged' | null> {
  try {
    const condition = known === null ? {} : { IfNoneMatch: known };
    return await client.send(new GetObjectCommand({ Bucket: bucket, Key: keyOf(name), ...condition }));
  } catch (error) {
    if (statusOf(error) === 304) return 'unchanged';
    if (error instanceof S3ServiceException && error.name === 'NoSuchKey') return null;
    throw error;
  }
}

async function readText(opened: Bucket, name: string, known: string | null): Promise<ObjectText | 'unchanged' | null> {
  for (let attempt = 1; ; attempt += 1) {
    const found = await get(opened, name, known);
    if (found === null || found === 'unchanged') return found;
    try {
      return { text: (await found.Body?.transformToString()) ?? '', version: found.ETag ?? '' };
    } catch (error) {
      if (attempt === READS || !isTorn(error)) throw error;
      await delay(attempt * PAUSE_MS);
    }
  }
}

/** False if an object of that name exists. */
async function uploadFile({ client, bucket, keyOf }: Bucket, name: string, path: string, sha256: string): Promise<boolean> {
  const target = { Bucket: bucket, Key: keyOf(name), IfNoneMatch: '*' };
  const { size } = await stat(path);
  if (size <= PART_BYTES) {
    const checked = { Body: await readFile(path), ChecksumSHA256: Buffer.from(sha256, 'hex').toString('base64') };
    return onCondition(() => client.send(new PutObjectCommand({ ...target, ...checked })));
  }
  const params = { ...target, Body: Readable.from(piecesOf(path)) };
  return onCondition(() => new Upload({ client, params, partSize: partBytesOf(size), queueSize: 2 }).done());
}

/** False if the condition is not met. */
async function onCondition(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    // 409: another writer is writing right now; 404: the object to replace is gone.
    const status = statusOf(error);
    if (status === 412 || status === 409 || (error instanceof S3ServiceException && error.name === 'NoSuchKey')) return false;
    throw error;
  }
}

async function removeAll({ client, bucket, keyOf }: Bucket, names: readonly string[]): Promise<void> {
  for (let at = 0; at < names.length; at += MOST_REMOVED_AT_ONCE) {
    const Objects = names.slice(at, at + MOST_REMOVED_AT_ONCE).map((name) => ({ Key: keyOf(name) }));
    const { Errors: refused = [] } = await client.send(new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } }));
    const [first] = refused;
    if (first !== undefined) throw new Error(`${first.Key ?? 'an object'} cannot be removed (${first.Code ?? ''} ${first.Message ?? ''})`);
  }
}

/** Removes the remains of the first thousand interrupted uploads; the next call removes the rest. */
async function abortUploads({ client, bucket, keyOf }: Bucket, before: number): Promise<void> {
  const { Uploads: begun = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: keyOf('') }));
  for (const { Key, UploadId, Initiated } of begun)
    if ((Initiated?.getTime() ?? before) < before) await client.send(new AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId }));
}

/** Part size for a file of this many bytes. Two parts are in memory at a time. */
export function partBytesOf(size: number): number {
  return Math.max(PART_BYTES, Math.ceil(size / MOST_PARTS));
}

/** Some stores return the previous text with the checksum of the one replacing it. */
const isTorn = (error: unknown): boolean => error instanceof Error && error.message.startsWith('Checksum mismatch');

function statusOf(error: unknown): number | null {
  return error instanceof S3ServiceException ? (error.$metadata.httpStatusCode ?? null) : null;
}

const REMEDIES: Readonly<Record<string, string>> = {
  NoSuchBucket: 'the bucket does not exist. Create it, or correct SNAPSHOT_URL.',
  AccessDenied: 'the credentials lack rights. Allow list, read, write and delete below the prefix.',
  InvalidAccessKeyId: 'the store does not know the credentials. Correct AWS_ACCESS_KEY_ID.',
  SignatureDoesNotMatch: 'the store refuses the credentials. Correct AWS_SECRET_ACCESS_KEY.',
  CredentialsProviderError: 'no credentials are set. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a profile or role.',
  NotImplemented: 'the store does not support conditional writes, which keep two writers apart. Use one that does.',
};

/** Errors that name the expected region in their own message. */
const OF_ANOTHER_REGION: ReadonlySet<string> = new Set([
  'AuthorizationHeaderMalformed',
  'PermanentRedirect',
  'IllegalLocationConstraintException',
]);

/** The error in words, with the remedy if it is known. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const known = REMEDIES[error.name];
  if (known !== undefined) return known;
  if (error.message.startsWith('Region is missing')) return 'no region is set. Set AWS_REGION (us-east-1 if the store has no regions).';
  if (OF_ANOTHER_REGION.has(error.name)) return `${error.message} (${error.name}). Correct AWS_REGION.`;
  const code = 'code' in error ? String(error.code) : error.name;
  return `${error.message === '' ? code : `${error.message} (${code})`}. Check that the store answers and that AWS_ENDPOINT_URL_S3 is right.`;
}
