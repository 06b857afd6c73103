// Decodes the body of an answer, within a limit. Brotli is never offered, and refused.
import { promisify } from 'node:util';
import { gunzip, inflate } from 'node:zlib';
import { TransferError } from './transfer-error.ts';

export const CODINGS = 'gzip, deflate';

const UNPACK: Readonly<Record<string, (body: Uint8Array, options: { readonly maxOutputLength: number }) => Promise<Uint8Array>>> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
};

/** Throws a TransferError if the body is truncated or larger than allowed. */
export async function unpack(body: Uint8Array, coding: string, mostBytes: number): Promise<Uint8Array> {
  const name = coding.trim().toLowerCase();
  if (name === '' || name === 'identity') return body;
  const decode = UNPACK[name];
  if (decode === undefined) throw new TransferError(`the answer is encoded as ${name}, which was not requested`);
  try {
    return await decode(body, { maxOutputLength: mostBytes });
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : null;
    if (code === 'ERR_BUFFER_TOO_LARGE') throw new TransferError(`the unpacked answer exceeds ${mostBytes} bytes`);
    throw new TransferError('the answer cannot be unpacked: it is cut off or damaged', { isRetriable: true, cause });
  }
}
