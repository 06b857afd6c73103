// Caches Parquet files that clients read in parts. Each is written once and kept for a while, so that all parts come from the same bytes.
import { type FileHandle, open, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import { LRUCache } from 'lru-cache';

export interface KeptFile {
  readonly path: string;
  /** Its own folder, deleted with it. */
  readonly folder: string;
  readonly bytes: number;
  readonly rows: number;
  /** Headers of the answer that sends it. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface KeptFiles {
  /** Opens the file of a key. An open file stays readable after it is evicted. Null if there is none. */
  readonly open: (key: string) => Promise<{ readonly file: KeptFile; readonly handle: FileHandle } | null>;
  /** True if the file is kept. Otherwise the caller deletes it. */
  readonly keep: (key: string, file: KeptFile) => boolean;
}

const MOST_BYTES = 1024 ** 3;
/** Readers of Parquet ask for parts within seconds. */
const MOST_AGE_MS = 5 * 60_000;

/** @param onError called if a folder cannot be deleted; it is then deleted with the server's other temporary files */
export function keptFiles(onError: (error: unknown) => void, mostBytes = MOST_BYTES, mostAgeMs = MOST_AGE_MS): KeptFiles {
  const files = new LRUCache<string, KeptFile>({
    maxSize: mostBytes,
    sizeCalculation: ({ bytes }) => Math.max(bytes, 1),
    ttl: mostAgeMs,
    ttlAutopurge: true,
    dispose: ({ folder }) => void rm(folder, { recursive: true, force: true }).catch(onError),
  });
  return {
    async open(key) {
      const file = files.get(key);
      const handle = file === undefined ? null : await open(file.path).catch(() => null);
      if (file !== undefined && handle !== null) return { file, handle };
      if (file !== undefined && files.peek(key) === file) files.delete(key);
      return null;
    },
    keep(key, file) {
      if (file.bytes > mostBytes) return false;
      files.set(key, file);
      return true;
    },
  };
}

/** Sends a file, or the requested part (RFC 9110, section 14), and closes it. */
export async function sendFile(response: Response, { bytes, headers }: KeptFile, handle: FileHandle): Promise<void> {
  try {
    response.setHeaders(new Map(Object.entries({ ...headers, 'accept-ranges': 'bytes' })));
    const part = partOf(response, bytes, headers['etag']);
    if (part === 'outside') {
      for (const name of ['content-type', 'content-disposition']) response.removeHeader(name);
      response.writeHead(416, { 'content-range': `bytes */${bytes}`, 'content-length': 0 }).end();
      return;
    }
    const { start, end } = part ?? { start: 0, end: bytes - 1 };
    if (part !== null) response.status(206).setHeader('content-range', `bytes ${start}-${end}/${bytes}`);
    response.setHeader('content-length', end - start + 1);
    if (response.req.method === 'HEAD') response.end();
    else await pipeline(handle.createReadStream({ start, end, autoClose: false }), response);
  } finally {
    await handle.close();
  }
}

/** Null means the whole file: if no part is requested, or several, or a part of another file. */
function partOf(
  { req }: Response,
  bytes: number,
  etag: string | undefined,
): { readonly start: number; readonly end: number } | 'outside' | null {
  const ifRange = req.headers['if-range'];
  if (req.method === 'HEAD' || (ifRange !== undefined && ifRange !== etag)) return null;
  const ranges = req.range(bytes, { combine: true });
  if (ranges === -1) return 'outside';
  if (ranges === undefined || ranges === -2 || ranges.type !== 'bytes') return null;
  const [part, ...others] = ranges;
  return part === undefined || others.length > 0 ? null : part;
}
