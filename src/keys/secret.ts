// The secret that signs cursors, made once and kept beside the keys.
import { randomBytes } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { writeDurably } from '../disk/durable.ts';
import { KeyFileError } from './key-store.ts';

/** The installation's own secret: read, or made at the first start. Refused when others than its owner can read it. */
export async function ownSecret(dataDir: string): Promise<string> {
  const path = join(dataDir, 'cursor-secret');
  const found = await stat(path).catch(() => null);
  if (found === null) {
    const secret = randomBytes(32).toString('hex');
    await writeDurably(path, `${secret}\n`, 0o600);
    return secret;
  }
  return checkSecret(path);
}

/** The secret of a file. Throws a KeyFileError where others can read it, or it holds none. */
export async function checkSecret(path: string): Promise<string> {
  const { mode } = await stat(path);
  if ((mode & 0o077) !== 0) throw new KeyFileError(`${path} can be read by others than its owner. Close it with: chmod 600 ${path}`);
  const secret = (await readFile(path, 'utf8')).trim();
  // Zeroes of a damaged disk are long enough, and anybody may guess them.
  if (!/^[\x21-\x7e]{32,}$/.test(secret))
    throw new KeyFileError(`${path} holds no secret. Remove it: the next start makes a new one, and open cursors end.`);
  return secret;
}
