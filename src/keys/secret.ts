// The secret that signs cursors, created once and stored next to the keys.
import { randomBytes, randomUUID } from 'node:crypto';
import { link, readdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncPath, writeDurably } from '../disk/durable.ts';
import { ifThere } from '../disk/if-there.ts';
import { codeOf } from '../disk/own-file.ts';
import { KnownError } from '../known-error.ts';

const NAME = 'cursor-secret';

/**
 * The secret of this installation: read, or created at the first start. Servers that start at once all use the first one created.
 * Refused if others than its owner can read it.
 */
export async function ownSecret(dataDir: string): Promise<string> {
  const path = join(dataDir, NAME);
  if ((await ifThere(stat(path))) === null) await makeSecret(path);
  else await removeHalves(dataDir).catch(() => undefined); // A server may read a folder that it cannot write.
  return checkSecret(path);
}

/** Written under another name and linked, so it never replaces a secret of another process. */
async function makeSecret(path: string): Promise<void> {
  const made = `${path}.${randomUUID()}.partial`;
  try {
    await writeDurably(made, `${randomBytes(32).toString('hex')}\n`, 0o600);
    await link(made, path);
  } catch (error) {
    // A process that found another's secret removed this file, complete or partial. Without any secret, the read below fails.
    if (!['EEXIST', 'ENOENT'].includes(codeOf(error) ?? '')) throw error;
  }
  await removeHalves(dirname(path));
  await syncPath(dirname(path));
}

/** Useless once there is a secret. */
async function removeHalves(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir))
    if (name.startsWith(`${NAME}.`) && name.endsWith('.partial')) await rm(join(dataDir, name), { force: true });
}

/** The secret in a file. Throws a KnownError if others can read it, or if it has none. */
export async function checkSecret(path: string): Promise<string> {
  const { mode } = await stat(path);
  if ((mode & 0o077) !== 0) throw new KnownError(`Users other than the owner can read ${path}. Run: chmod 600 ${path}`);
  const secret = (await readFile(path, 'utf8')).trim();
  // Zeroes from a damaged disk are long enough, and easy to guess.
  if (!/^[\x21-\x7e]{32,}$/.test(secret))
    throw new KnownError(`${path} has no secret. Remove it: the next start creates one, and open cursors expire.`);
  return secret;
}
