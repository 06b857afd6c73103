// Files that survive a kill: written under another name, synced, renamed, and the folder synced. A file under its final name is complete.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { naming } from './disk-error.ts';
import { ifThere } from './if-there.ts';
import { uninterrupted } from './interruption.ts';

const PIECE_BYTES = 1 << 20;
/** Each chunk waits with requests for a thread; larger chunks read a whole snapshot with fewer waits. */
const HASHED_BYTES = 4 << 20;

/** A signal does not interrupt it. */
export function writeDurably(path: string, bytes: Uint8Array | string, mode = 0o644): Promise<void> {
  return uninterrupted(() => write(path, bytes, mode));
}

async function write(path: string, bytes: Uint8Array | string, mode: number): Promise<void> {
  await makeFolder(dirname(path));
  const partial = `${path}.partial`;
  await rm(partial, { force: true });
  try {
    await naming(partial, async () => {
      const file = await open(partial, 'wx', mode);
      try {
        await file.writeFile(bytes);
        await file.sync();
      } finally {
        await file.close();
      }
    });
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true }).catch(() => undefined); // A partial file would keep a full disk full.
    throw error;
  }
  await syncPath(dirname(path));
}

/** Writes a text under its own SHA-256, which `readSealed` checks. */
export async function writeSealed(path: string, body: string): Promise<void> {
  await writeDurably(path, `${sha256OfText(body)}\n${body}`);
}

/** The text, or null if it is missing or changed. */
export async function readSealed(path: string): Promise<string | null> {
  const text = (await ifThere(naming(path, () => readFile(path, 'utf8')))) ?? '';
  const end = text.indexOf('\n');
  const body = text.slice(end + 1);
  return end >= 0 && text.slice(0, end) === sha256OfText(body) ? body : null;
}

const sha256OfText = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Moves a complete, synced file to its final name; durable when it returns. */
export async function renameDurably(from: string, to: string): Promise<void> {
  await makeFolder(dirname(to));
  await rename(from, to);
  await syncPath(dirname(to));
}

/** Creates a folder and its missing parents; all of them are durable when it returns. */
export async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true });
  if (first === undefined) return;
  const top = resolve(first);
  for (let folder = resolve(path); folder.length >= top.length; folder = dirname(folder)) await syncPath(dirname(folder));
}

/** fsync of a file or a folder, which COPY and rename do not do. */
export async function syncPath(path: string): Promise<void> {
  await naming(path, async () => {
    const handle = await open(path, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  });
}

/** The bytes of a file in chunks. It opens the file with the first chunk: a stream that fails before anyone reads it would end the process. */
export async function* piecesOf(path: string, bytes = PIECE_BYTES): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path, { highWaterMark: bytes }) as AsyncIterable<Uint8Array>;
}

/** Hexadecimal SHA-256 of a file, read as a stream. */
export async function sha256OfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of piecesOf(path, HASHED_BYTES)) hash.update(chunk);
  return hash.digest('hex');
}

/** Writes a new file from a stream, durably, and returns its size and hash. If the stream fails, it removes the file. */
export async function writeHashed(
  source: AsyncIterable<Uint8Array>,
  to: string,
  mode = 0o644,
): Promise<{ readonly bytes: number; readonly sha256: string }> {
  const writing = await open(to, 'wx', mode);
  try {
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const chunk of source) {
      hash.update(chunk);
      bytes += chunk.length;
      await naming(to, () => writing.writeFile(chunk));
    }
    await naming(to, () => writing.sync());
    return { bytes, sha256: hash.digest('hex') };
  } catch (error) {
    await rm(to, { force: true }).catch(() => undefined);
    throw error;
  } finally {
    await writing.close();
  }
}

/** Every regular file below a folder, as sorted relative paths with `/`, without hidden files, partial files and symbolic links. */
export async function listFiles(root: string): Promise<string[]> {
  const found: string[] = [];
  const visit = async (relative: string): Promise<void> => {
    for (const entry of await readdir(join(root, relative), { withFileTypes: true })) {
      if (entry.name.startsWith('.') || entry.name.endsWith('.partial')) continue;
      const path = relative === '' ? entry.name : `${relative}/${entry.name}`;
      if (entry.isDirectory()) await visit(path);
      else if (entry.isFile()) found.push(path);
    }
  };
  await visit('');
  return found.sort();
}
