// The secret that signs cursors, made once and kept beside the keys.
import { randomBytes, randomUUID } from 'node:crypto';
import { link, readdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncPath, writeDurably } from '../disk/durable.ts';
import { ifThere } from '../disk/if-there.ts';
import { codeOf } from '../disk/own-file.ts';
import { KeyFileError } from './key-store.ts';

const NAME = 'cursor-secret';

/**
 * The installation's own secret: read, or made at the first start; of several servers that start at once all use what the first of them made. Refused when
 * others than its owner can read it.
 */
export async function ownSecret(dataDir: string): Promise<string> {
  const path = join(dataDir, NAME);
  if ((await ifThere(stat(path))) === null) await makeSecret(path);
  else await removeHalves(dataDir).catch(() => undefined); // a server may read a folder that it cannot write
  return checkSecret(path);
}

/** Made beside and linked, which never replaces what another has made meanwhile. */
async function makeSecret(path: string): Promise<void> {
  const made = `${path}.${randomUUID()}.partial`;
  try {
    await writeDurably(made, `${randomBytes(32).toString('hex')}\n`, 0o600);
    await link(made, path);
  } catch (error) {
    // One that found another's secret has removed this one, written or half written; without any, what reads it says so.
    if (!['EEXIST', 'ENOENT'].includes(codeOf(error) ?? '')) throw error;
  }
  await removeHalves(dirname(path));
  await syncPath(dirname(path));
}

/** Of no use once there is a secret. */
async function removeHalves(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir))
    if (name.startsWith(`${NAME}.`) && name.endsWith('.partial')) await rm(join(dataDir, name), { force: true });
}

/** The secret of a file. Throws a KeyFileError where others can read it, or it holds none. */
export async function checkSecret(path: string): Promise<string> {
  const { mode } = await stat(path);
  if ((mode & 0o077) !== 0) throw new KeyFileError(`Users other than the owner can read ${path}. Run: chmod 600 ${path}`);
  const secret = (await readFile(path, 'utf8')).trim();
  // Zeroes of a damaged disk are long enough, and anybody may guess them.
  if (!/^[\x21-\x7e]{32,}$/.test(secret))
    throw new KeyFileError(`${path} has no secret. Remove it: the next start creates one, and open cursors expire.`);
  return secret;
}
