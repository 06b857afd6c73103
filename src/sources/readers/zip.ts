// Members of a zip file, within limits: a small file may unpack to gigabytes, and a name may lead out of any folder.
import { crc32 } from 'node:zlib';
import { type Entry, fromBufferPromise, openPromise, type ZipFile } from 'yauzl';
import type { Batch } from '../../model/record.ts';
import type { Payload } from '../source.ts';
import { UpstreamError } from '../upstream-error.ts';
import { excerpt } from './text.ts';

const MB = 1024 * 1024;
const MOST_ENTRIES = 100;
/** Real ones are compressed 5 to 15 times. */
const MOST_RATIO = 100;

export interface Member {
  readonly name: string;
  readonly bytes: number;
  readonly read: () => Promise<Uint8Array>;
  /** In pieces, for large members; the checksum is verified after the last one. */
  readonly stream: () => AsyncIterable<Uint8Array>;
}

export function isZip(body: Uint8Array): boolean {
  return body[0] === 0x50 && body[1] === 0x4b;
}

/** The files of a zip, in order. Throws an UpstreamError if it is damaged, truncated, or larger than the limits allow. */
export async function membersOf(
  sourceId: string,
  body: Uint8Array,
  mostBytes = 512 * MB,
  mostEntries = MOST_ENTRIES,
): Promise<readonly Member[]> {
  const zip = await opened(sourceId, body);
  const entries: Entry[] = [];
  try {
    for await (const entry of zip.eachEntry()) {
      entries.push(entry);
      if (entries.length > mostEntries) throw new UpstreamError(sourceId, `the zip file has more than ${mostEntries} members`);
    }
  } catch (cause) {
    throw asUpstream(sourceId, cause);
  }
  const files = entries.filter(({ fileName }) => !fileName.endsWith('/'));
  for (const entry of files) checkEntry(sourceId, entry);
  const total = files.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
  if (total > mostBytes) throw new UpstreamError(sourceId, `the zip file holds ${total} bytes, more than the ${mostBytes} allowed`);
  return files.map((entry) => ({
    name: entry.fileName,
    bytes: entry.uncompressedSize,
    read: () => readMember(sourceId, zip, entry),
    stream: () => streamMember(sourceId, zip, entry),
  }));
}

/** Reads a payload, or the file of a zip as if it had come alone: the only one, or the one with a matching name. */
export function readUnpacked(
  sourceId: string,
  payload: Payload,
  read: (payload: Payload) => Iterable<Batch>,
  name?: RegExp,
): Iterable<Batch> | AsyncIterable<Batch> {
  return isZip(payload.body) ? readMemberOf(sourceId, payload, read, name) : read(payload);
}

async function* readMemberOf(
  sourceId: string,
  payload: Payload,
  read: (payload: Payload) => Iterable<Batch>,
  name: RegExp | undefined,
): AsyncGenerator<Batch> {
  const { body } = payload;
  yield* read({ ...payload, body: await onlyMember(sourceId, body, undefined, name) });
}

/** Files that publishers and archivers add to the data. */
const BESIDE_DATA = /(?:^|\/)(?:read[\s_-]*me[^/]*|__MACOSX\/.*|\.DS_Store|licen[cs]e[^/]*)$/i;

/** The only file of a zip; if there are several, the one with a matching name, or the only one that is no README. */
export async function onlyMember(sourceId: string, body: Uint8Array, mostBytes?: number, name?: RegExp): Promise<Uint8Array> {
  const members = await membersOf(sourceId, body, mostBytes);
  const isData = (member: string): boolean => (name === undefined ? !BESIDE_DATA.test(member) : name.test(member));
  const [member, ...others] = members.length > 1 ? members.filter((one) => isData(one.name)) : members;
  if (member === undefined || others.length > 0) {
    const names = members.map((one) => one.name).join(', ');
    throw new UpstreamError(sourceId, `expected one file in the zip, found ${members.length}${names === '' ? '' : `: ${excerpt(names)}`}`);
  }
  return member.read();
}

/** The files of a large zip, one after the other, each read before the next is opened. */
export async function* membersIn(sourceId: string, path: string, mostBytes: number): AsyncGenerator<Member> {
  try {
    const zip = await openPromise(path, { lazyEntries: true, strictFileNames: true, validateEntrySizes: true, autoClose: false });
    try {
      for await (const entry of zip.eachEntry()) {
        if (entry.fileName.endsWith('/')) continue;
        checkEntry(sourceId, entry);
        if (entry.uncompressedSize > mostBytes)
          throw new UpstreamError(sourceId, `${entry.fileName} has ${entry.uncompressedSize} bytes, more than the ${mostBytes} allowed`);
        yield {
          name: entry.fileName,
          bytes: entry.uncompressedSize,
          read: () => readMember(sourceId, zip, entry),
          stream: () => streamMember(sourceId, zip, entry),
        };
      }
    } finally {
      zip.close();
    }
  } catch (cause) {
    throw asUpstream(sourceId, cause);
  }
}

async function opened(sourceId: string, body: Uint8Array): Promise<ZipFile> {
  if (!isZip(body)) throw new UpstreamError(sourceId, 'expected a zip file, found other bytes');
  try {
    const { buffer: memory, byteOffset, byteLength } = withoutPadding(body);
    // The same bytes, because a copy of a large file would double the memory.
    const buffer = Buffer.from(memory, byteOffset, byteLength);
    return await fromBufferPromise(buffer, { lazyEntries: true, strictFileNames: true, validateEntrySizes: true, autoClose: false });
  } catch (cause) {
    throw asUpstream(sourceId, cause);
  }
}

/** EDGAR pads its zips with zeros after the end record, which readers treat as a wrong length of the comment. */
function withoutPadding(body: Uint8Array): Uint8Array {
  const view = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const end = view.lastIndexOf('PK\u0005\u0006', undefined, 'latin1');
  if (end === -1 || end + 22 > view.length) return body;
  const whole = end + 22 + view.readUInt16LE(end + 20);
  return whole < view.length && view.subarray(whole).every((byte) => byte === 0) ? body.subarray(0, whole) : body;
}

const SYMBOLIC_LINK = 0o12;

function checkEntry(sourceId: string, { fileName, compressedSize, uncompressedSize, externalFileAttributes }: Entry): void {
  const refuse = (why: string) => new UpstreamError(sourceId, `the zip file has a member ${excerpt(fileName)} that ${why}`);
  if (externalFileAttributes >>> 28 === SYMBOLIC_LINK) throw refuse('is a symbolic link');
  if (uncompressedSize > MB && uncompressedSize > MOST_RATIO * compressedSize) {
    throw refuse(`is said to hold ${uncompressedSize} bytes in ${compressedSize}`);
  }
}

async function readMember(sourceId: string, zip: ZipFile, entry: Entry): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of streamMember(sourceId, zip, entry)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function* streamMember(sourceId: string, zip: ZipFile, entry: Entry): AsyncGenerator<Uint8Array> {
  let sum = 0;
  try {
    for await (const chunk of await zip.openReadStreamPromise(entry)) {
      sum = crc32(chunk as Buffer, sum);
      yield chunk as Buffer;
    }
    if (sum !== entry.crc32) throw new Error(`${entry.fileName} does not have its checksum`);
  } catch (cause) {
    throw asUpstream(sourceId, cause);
  }
}

function asUpstream(sourceId: string, cause: unknown): UpstreamError {
  if (cause instanceof UpstreamError) return cause;
  return new UpstreamError(sourceId, `the zip file is damaged: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
}
