// The issued keys: DATA_DIR/keys.json holds their hashes, never the keys, and is readable by its owner alone.
import { timingSafeEqual } from 'node:crypto';
import { closeSync, fstatSync, openSync, readFileSync, statSync } from 'node:fs';
import { mkdir, open, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { writeDurably } from '../disk/durable.ts';
import { createKey, hashKey, isWellFormedKey, randomText } from './key.ts';

export const KeyScope = z.enum(['data:read', 'ops:read', 'admin']);
export const KeyTier = z.enum(['full', 'free']);

const IssuedKey = z.strictObject({
  keyId: z.string().regex(/^key_[0-9A-Za-z]{12}$/),
  label: z.string(),
  tier: KeyTier,
  scopes: z.array(KeyScope).min(1).readonly(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  createdAt: z.iso.datetime(),
  revokedAt: z.iso.datetime().nullable(),
});
const KeyFile = z.strictObject({ version: z.literal(1), keys: z.array(IssuedKey).readonly() });

export type IssuedKey = Readonly<z.output<typeof IssuedKey>>;
export type KeyRequest = Pick<IssuedKey, 'label' | 'tier' | 'scopes'>;
export type KeyHolder = Pick<IssuedKey, 'keyId' | 'tier' | 'scopes'>;

/** The key file cannot be trusted or changed; the message says what to do. */
export class KeyFileError extends Error {
  override readonly name = 'KeyFileError';
}

export const keyFile = (dataDir: string): string => join(dataDir, 'keys.json');

export interface KeyRing {
  /** The holder of a key that was issued and not revoked. */
  readonly find: (key: string) => KeyHolder | null;
}

/**
 * The keys as the service reads them. A change of the file is noticed by the first request a second later; a file that cannot be read then
 * leaves the keys as they were, and `onError` is told.
 */
export function openKeyRing(path: string, now: () => number, onError: (error: unknown) => void): KeyRing {
  let state = '';
  let checkedAt = now();
  let holders = new Map<string, IssuedKey>();
  const load = () => {
    state = fileState(path);
    holders = new Map(
      readKeys(path)
        .filter((key) => key.revokedAt === null)
        .map((key) => [key.sha256, key]),
    );
  };
  const follow = () => {
    if (Math.abs(now() - checkedAt) < 1000) return;
    checkedAt = now();
    if (fileState(path) === state) return;
    try {
      load();
    } catch (error) {
      onError(error);
    }
  };
  load();
  return {
    find(key) {
      follow();
      if (!isWellFormedKey(key)) return null;
      const digest = hashKey(key);
      const issued = holders.get(digest.toString('hex'));
      if (issued === undefined || !timingSafeEqual(digest, Buffer.from(issued.sha256, 'hex'))) return null;
      return issued;
    },
  };
}

/** Issues a key. It is returned here once and cannot be had again. */
export async function issueKey(
  path: string,
  request: KeyRequest,
  now: number,
): Promise<{ readonly key: string; readonly issued: IssuedKey }> {
  const key = createKey();
  const issued: IssuedKey = {
    keyId: `key_${randomText(12)}`,
    label: request.label,
    tier: request.tier,
    scopes: [...new Set(request.scopes)],
    sha256: hashKey(key).toString('hex'),
    createdAt: new Date(now).toISOString(),
    revokedAt: null,
  };
  await changeKeys(path, (keys) => [...keys, issued]);
  return { key, issued };
}

/** Revokes a key for good; null when there is none of that id. A key that was revoked before keeps its first date. */
export async function revokeKey(path: string, keyId: string, now: number): Promise<IssuedKey | null> {
  const keys = await changeKeys(path, (all) =>
    all.map((key) => (key.keyId === keyId ? { ...key, revokedAt: key.revokedAt ?? new Date(now).toISOString() } : key)),
  );
  return keys.find((key) => key.keyId === keyId) ?? null;
}

/** Every key ever issued, in the order of issue; none when there is no file. */
export function readKeys(path: string): readonly IssuedKey[] {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
  try {
    if ((fstatSync(file).mode & 0o077) !== 0) {
      throw new KeyFileError(`${path} can be read by others than its owner. Close it with: chmod 600 ${path}`);
    }
    return parseKeys(path, readFileSync(file, 'utf8'));
  } finally {
    closeSync(file);
  }
}

function parseKeys(path: string, text: string): readonly IssuedKey[] {
  try {
    return KeyFile.parse(JSON.parse(text)).keys;
  } catch (error) {
    throw new KeyFileError(`${path} is not a file of keys as this version writes it.`, { cause: error });
  }
}

async function changeKeys(path: string, change: (keys: readonly IssuedKey[]) => readonly IssuedKey[]): Promise<readonly IssuedKey[]> {
  await mkdir(dirname(path), { recursive: true });
  const unlock = await lock(`${path}.lock`);
  try {
    const keys = change(readKeys(path));
    await writeDurably(path, `${JSON.stringify({ version: 1, keys }, null, 2)}\n`, 0o600);
    return keys;
  } finally {
    await unlock();
  }
}

// Two commands at once must not lose each other's change: a lost revocation would leave a key open.
async function lock(path: string): Promise<() => Promise<void>> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    try {
      const file = await open(path, 'wx', 0o600);
      try {
        await file.writeFile(String(process.pid));
      } catch (error) {
        await rm(path, { force: true }); // nobody could tell whose it is
        throw error;
      } finally {
        await file.close();
      }
      return () => rm(path, { force: true });
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
    if (await isAbandoned(path)) await rm(path, { force: true });
    else await pause(50);
  }
  throw new KeyFileError(`Another command is changing the keys. If none is, remove ${path}.`);
}

async function isAbandoned(path: string): Promise<boolean> {
  const holder = Number(await readFile(path, 'utf8').catch(() => ''));
  if (!Number.isInteger(holder) || holder <= 0) return false; // being written, or just removed
  try {
    process.kill(holder, 0);
    return false;
  } catch (error) {
    return codeOf(error) === 'ESRCH';
  }
}

function fileState(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? 'absent' : `${found.ino}:${found.size}:${found.mtimeMs}:${found.ctimeMs}`;
}

function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}
