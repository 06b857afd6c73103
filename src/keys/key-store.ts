// The issued keys: DATA_DIR/keys.json holds their hashes, never the keys, and is readable by its owner alone.
import { timingSafeEqual } from 'node:crypto';
import { closeSync, existsSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { writeDurably } from '../disk/durable.ts';
import { codeOf, fileState, lockFile } from '../disk/own-file.ts';
import { createKey, hashKey, isWellFormedKey, randomText } from './key.ts';
import { KnownError } from '../known-error.ts';

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

export const keyFile = (dataDir: string): string => join(dataDir, 'keys.json');

/** A key between its creation and the moment at which the server shows it. */
export const newKeyFile = (dataDir: string): string => join(dataDir, 'new-key');

/** Stays next to the file from the first key on: if only this mark is left, keys were lost. */
const markOf = (path: string): string => join(dirname(path), 'keys-issued');

const lostText = (path: string): string =>
  `${path} is missing, but keys were issued. Restore it from a backup. If it is lost, remove ${markOf(path)} and issue new keys: npm run keys -- create --label NAME`;

export interface KeyRing {
  /** The holder of a key that was issued and not revoked. */
  readonly find: (key: string) => KeyHolder | null;
}

/** How often per second an unknown key may cause a look at the file. */
const MOST_LOOKS = 10;

/**
 * The keys as the service reads them. A change of the file is noticed by the first request after a second, or at once by a well-formed unknown key.
 * If the file disappears or becomes unreadable, the keys stay and `onError` is called. Throws a KnownError if that is so from the start.
 * @param isOwn true if keys are issued here; a file from elsewhere may disappear without a loss
 */
export function openKeyRing(path: string, now: () => number, onError: (error: unknown) => void, isOwn = true): KeyRing {
  let state = '';
  let checkedAt = now();
  let holders = new Map<string, IssuedKey>();
  const load = () => {
    state = fileState(path);
    const keys = readKeys(path);
    if (isOwn && state === 'absent' && holders.size > 0) throw new KnownError(lostText(path));
    holders = new Map(keys.filter((key) => key.revokedAt === null).map((key) => [key.sha256, key]));
    if (isOwn && keys.length > 0) mark(path);
  };
  let looks = 0;
  const follow = () => {
    if (Math.abs(now() - checkedAt) < 1000) return;
    checkedAt = now();
    looks = 0;
    look();
  };
  const lookAgain = () => {
    if (looks >= MOST_LOOKS) return;
    looks += 1;
    look();
  };
  const look = () => {
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
      const id = digest.toString('hex');
      if (!holders.has(id)) lookAgain();
      const issued = holders.get(id);
      if (issued === undefined || !timingSafeEqual(digest, Buffer.from(issued.sha256, 'hex'))) return null;
      return issued;
    },
  };
}

/** Issues a key and returns it; it cannot be shown again. */
export async function issueKey(
  path: string,
  request: KeyRequest,
  now: number,
  isBare = false,
): Promise<{ readonly key: string; readonly issued: IssuedKey }> {
  const key = createKey(isBare);
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

/** Revokes a key for good; null if the id is unknown. A key that was revoked earlier keeps its first date. */
export async function revokeKey(path: string, keyId: string, now: number): Promise<IssuedKey | null> {
  const keys = await changeKeys(path, (all) =>
    all.map((key) => (key.keyId === keyId ? { ...key, revokedAt: key.revokedAt ?? new Date(now).toISOString() } : key)),
  );
  return keys.find((key) => key.keyId === keyId) ?? null;
}

/** A folder without write permission keeps no mark, so a lost file there looks like one that never existed. */
function mark(path: string): void {
  try {
    closeSync(openSync(markOf(path), 'a', 0o600));
  } catch {
    return;
  }
}

/** Every key ever issued, in order of issue; none before the first one. Throws a KnownError if the file is lost. */
export function readKeys(path: string): readonly IssuedKey[] {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    if (existsSync(markOf(path))) throw new KnownError(lostText(path));
    return [];
  }
  try {
    if ((fstatSync(file).mode & 0o077) !== 0) {
      throw new KnownError(`Users other than the owner can read ${path}. Run: chmod 600 ${path}`);
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
    throw new KnownError(`${path} is damaged, or another version wrote it. Restore it from a backup.`, { cause: error });
  }
}

async function changeKeys(path: string, change: (keys: readonly IssuedKey[]) => readonly IssuedKey[]): Promise<readonly IssuedKey[]> {
  await mkdir(dirname(path), { recursive: true });
  const unlock = await lockFile(`${path}.lock`, 'keys');
  try {
    const keys = change(readKeys(path));
    await writeDurably(path, `${JSON.stringify({ version: 1, keys }, null, 2)}\n`, 0o600);
    mark(path);
    return keys;
  } finally {
    await unlock();
  }
}
