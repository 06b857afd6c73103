// The key file through every change, kill and second of a running service.
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createKey, hashKey, holdsKey, isWellFormedKey } from '../../src/keys/key.ts';
import { issueKey, keyFile, openKeyRing, readKeys, revokeKey } from '../../src/keys/key-store.ts';
import { endedAnywhere, traced } from '../disk/disk-calls.ts';
import { type Call, DiskFull } from '../disk/disk-endings.ts';
import { disorders } from '../disk/disk-order.ts';
import { sha256 } from '../snapshot/written.ts';
import { KnownError } from '../../src/known-error.ts';

const NOON = Date.UTC(2026, 10, 21, 12);
const REQUEST = { label: 'laptop', tier: 'full', scopes: ['data:read'] } as const;

let dataDir: string;
let path: string;
const clock = { now: NOON };
const errors: unknown[] = [];
const ring = () =>
  openKeyRing(
    path,
    () => clock.now,
    (error) => errors.push(error),
  );
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'asof-keys-'));
  path = keyFile(dataDir);
  clock.now = NOON;
  errors.length = 0;
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

/** CRC-32 in six base-62 characters, counted by hand: what a scanner of leaked secrets does. */
function checksumOf(body: string): string {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  let text = '';
  let rest = BigInt(crc32(body));
  for (let place = 0; place < 6; place += 1) {
    text = `${digits[Number(rest % 62n)]}${text}`;
    rest /= 62n;
  }
  return text;
}

describe('the form of a key', () => {
  it('ends with a checksum of the characters before it', () => {
    for (let turn = 0; turn < 50; turn += 1) {
      const key = createKey();
      expect(key.slice(-6)).toBe(checksumOf(key.slice(0, -6)));
    }
    const body = `asof_${'0'.repeat(30)}`;
    expect(isWellFormedKey(body + checksumOf(body))).toBe(true);
    for (const other of [
      body + checksumOf(body).toLowerCase().replace(/.$/, '_'),
      `x${body}${checksumOf(body)}`,
      `${body}${checksumOf(body)}0`,
      `${body}000000`,
      '',
    ])
      expect(isWellFormedKey(other)).toBe(false);
  });

  it('is found anywhere in a text, valid or not', () => {
    const anything = `asof_${'z'.repeat(36)}`;
    expect(['', 'a ', '/x?key='].map((before) => holdsKey(`${before}${anything}&more`))).toEqual([true, true, true]);
    expect(holdsKey(anything.slice(0, -1))).toBe(false);
  });

  it('may be 32 letters and digits, also ends with its checksum, and is found anywhere', () => {
    for (let turn = 0; turn < 50; turn += 1) {
      const key = createKey(true);
      expect([/^[0-9A-Za-z]{32}$/.test(key), key.slice(-6), isWellFormedKey(key)]).toEqual([true, checksumOf(key.slice(0, -6)), true]);
      expect(['', 'a ', '/x?key='].map((before) => holdsKey(`${before}${key}&more`))).toEqual([true, true, true]);
    }
    const other = `${'0'.repeat(26)}000000`;
    expect([isWellFormedKey(other), holdsKey(other), holdsKey('d41d8cd98f00b204e9800998ecf8427e')]).toEqual([false, false, false]);
  });

  it('spreads its characters over all 62', () => {
    const seen = new Set(Array.from({ length: 60 }, () => createKey().slice(5, 35)).join(''));
    expect(seen.size).toBe(62);
  });
});

describe('issuing and revoking', () => {
  it('stores the SHA-256 of a key, its holder and the time, in the order of issue', async () => {
    const first = await issueKey(path, REQUEST, NOON);
    const second = await issueKey(path, { label: 'b', tier: 'free', scopes: ['ops:read', 'data:read', 'ops:read'] }, NOON + 1500);
    const file = JSON.parse(readFileSync(path, 'utf8')) as unknown;
    const written = (key: string, keyId: string, more: object) => ({ keyId, sha256: sha256(key), revokedAt: null, ...more });
    expect(file).toEqual({
      version: 1,
      keys: [
        written(first.key, first.issued.keyId, { ...REQUEST, createdAt: '2026-11-21T12:00:00.000Z' }),
        written(second.key, second.issued.keyId, {
          label: 'b',
          tier: 'free',
          scopes: ['ops:read', 'data:read'],
          createdAt: '2026-11-21T12:00:01.500Z',
        }),
      ],
    });
    expect(hashKey(first.key).toString('hex')).toBe(sha256(first.key));
    expect(first.issued.keyId).toMatch(/^key_[0-9A-Za-z]{12}$/);
  });

  it('revokes only the named key', async () => {
    const [one, other] = [await issueKey(path, REQUEST, NOON), await issueKey(path, { ...REQUEST, tier: 'free' }, NOON)];
    expect(ring().find(other.key)).toMatchObject({ keyId: other.issued.keyId, tier: 'free' });
    await revokeKey(path, one.issued.keyId, NOON + 1);
    expect([ring().find(one.key), ring().find(other.key)?.keyId]).toEqual([null, other.issued.keyId]);
    expect(readKeys(path).map(({ revokedAt }) => revokedAt)).toEqual(['2026-11-21T12:00:00.001Z', null]);
  });

  it('refuses a key that was never issued, and one of another form', async () => {
    const { key } = await issueKey(path, REQUEST, NOON);
    const keys = ring();
    expect([keys.find(createKey()), keys.find(''), keys.find(`${key} `), keys.find(key.slice(0, -1)), keys.find(sha256(key))]).toEqual([
      null,
      null,
      null,
      null,
      null,
    ]);
    expect(keys.find(key)).not.toBeNull();
  });

  it('leaves the file with mode 600, whatever it was, and no lock or partial file', async () => {
    const before = process.umask(0);
    try {
      const { issued } = await issueKey(path, REQUEST, NOON);
      expect(statSync(path).mode & 0o777).toBe(0o600);
      await revokeKey(path, issued.keyId, NOON);
    } finally {
      process.umask(before);
    }
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(dataDir)).toEqual(['keys-issued', 'keys.json']);
  });

  it.each([0o640, 0o620, 0o604, 0o602])('changes no file that others may read or write (%o)', async (mode) => {
    await issueKey(path, REQUEST, NOON);
    const text = readFileSync(path, 'utf8');
    chmodSync(path, mode);
    await expect(issueKey(path, REQUEST, NOON)).rejects.toThrow(KnownError);
    expect(() => readKeys(path)).toThrow(/chmod 600/);
    expect(readFileSync(path, 'utf8')).toBe(text);
    expect(readdirSync(dataDir)).toEqual(['keys-issued', 'keys.json']);
  });

  it.each([
    ['another version', (text: string) => text.replace('"version": 1', '"version": 2')],
    ['a key without a scope', (text: string) => text.replace('"data:read"', '')],
    ['an unknown scope', (text: string) => text.replace('data:read', 'data:write')],
    ['an unknown tier', (text: string) => text.replace('"full"', '"gold"')],
    ['a hash of another length', (text: string) => text.replace(/"sha256": "./, '"sha256": "')],
    ['a field more', (text: string) => text.replace('"label"', '"key": "asof_x", "label"')],
    ['nothing', () => ''],
  ])('reads no file with %s, and never overwrites it', async (_, change) => {
    await issueKey(path, REQUEST, NOON);
    const text = change(readFileSync(path, 'utf8'));
    writeFileSync(path, text);
    expect(() => readKeys(path)).toThrow(/is damaged, or another version wrote it/);
    await expect(issueKey(path, REQUEST, NOON)).rejects.toThrow(KnownError);
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  it('leaves all keys or the ones before, wherever a revocation is interrupted; the next one succeeds', async () => {
    const found = new Set<string>();
    let keyId = '';
    const calls = await endedAnywhere(
      dataDir,
      async () => {
        rmSync(dataDir, { recursive: true });
        [keyId] = [(await issueKey(path, REQUEST, NOON)).issued.keyId, await issueKey(path, REQUEST, NOON)];
      },
      () => revokeKey(path, keyId, NOON),
      async () => {
        const keys = readKeys(path);
        expect(keys).toHaveLength(2);
        found.add(keys[0]?.revokedAt === null ? 'old' : 'new');
        rmSync(`${path}.lock`, { force: true }); // that of a process that is still there: this one
        await revokeKey(path, keyId, NOON);
        expect(readKeys(path).map(({ revokedAt }) => revokedAt === null)).toEqual([false, true]);
        expect(readdirSync(dataDir)).toEqual(['keys-issued', 'keys.json']);
      },
    );
    expect(disorders(calls)).toEqual([]);
    expect(found).toEqual(new Set(['old', 'new']));
  });

  it('leaves no lock if the disk is full, so the next change succeeds', async () => {
    const { issued } = await issueKey(path, REQUEST, NOON);
    const isLock = ({ call, path: file }: Call) => call === 'write' && file.endsWith('.lock');
    const { error } = await traced(dataDir, () => revokeKey(path, issued.keyId, NOON), { fullAt: isLock });
    expect(error).toBeInstanceOf(DiskFull);
    expect(readdirSync(dataDir)).toEqual(['keys-issued', 'keys.json']);
    expect((await revokeKey(path, issued.keyId, NOON))?.revokedAt).not.toBeNull();
  });

  it('waits while another running command changes the keys', async () => {
    await issueKey(path, REQUEST, NOON);
    writeFileSync(`${path}.lock`, String(process.pid));
    let isDone = false;
    const issuing = issueKey(path, REQUEST, NOON).then(() => (isDone = true));
    await new Promise((resolve) => setTimeout(resolve, 160));
    expect([isDone, readKeys(path).length]).toEqual([false, 1]);
    rmSync(`${path}.lock`);
    await issuing;
    expect(readKeys(path)).toHaveLength(2);
  });
});

describe('the keys of a running service', () => {
  it('include a new key at once, and drop a revoked one within a second', async () => {
    const keys = ring();
    const { key, issued } = await issueKey(path, REQUEST, NOON);
    expect(keys.find(key)?.keyId).toBe(issued.keyId);
    await revokeKey(path, issued.keyId, NOON);
    clock.now += 999;
    expect(keys.find(key)).not.toBeNull();
    clock.now += 1;
    expect(keys.find(key)).toBeNull();
  });

  it('are read again for unknown keys at most ten times a second, and never for text that is no key', async () => {
    const keys = ring();
    for (let time = 0; time < 100; time += 1) keys.find(`asof_${'x'.repeat(36)}`);
    for (let time = 0; time < 9; time += 1) expect(keys.find(createKey())).toBeNull();
    const { key: tenth } = await issueKey(path, REQUEST, NOON);
    expect(keys.find(tenth)).not.toBeNull();
    const { key: eleventh } = await issueKey(path, REQUEST, NOON);
    expect(keys.find(eleventh)).toBeNull();
    clock.now += 1000;
    expect(keys.find(eleventh)).not.toBeNull();
  });

  it('are read again if the clock was set back', async () => {
    const keys = ring();
    const { key } = await issueKey(path, REQUEST, NOON);
    clock.now -= 60_000;
    expect(keys.find(key)).not.toBeNull();
  });

  it('stay while the file is readable by others, with one warning, and follow it once it is closed again', async () => {
    const { key } = await issueKey(path, REQUEST, NOON);
    const keys = ring();
    chmodSync(path, 0o644);
    for (let second = 0; second < 3; second += 1) {
      clock.now += 1000;
      expect(keys.find(key)).not.toBeNull();
    }
    expect(errors).toHaveLength(1);
    expect(errors[0]).toBeInstanceOf(KnownError);
    chmodSync(path, 0o600);
    const { key: second } = await issueKey(path, REQUEST, NOON);
    clock.now += 1000;
    expect(keys.find(second)).not.toBeNull();
    expect(errors).toHaveLength(1);
  });

  it('are not loaded from an unsafe file at the start', async () => {
    await issueKey(path, REQUEST, NOON);
    chmodSync(path, 0o606);
    expect(ring).toThrow(KnownError);
  });
});

describe('a lost key file', () => {
  it('leaves a running service its keys, with one report, and is read again when it is back', async () => {
    const { key } = await issueKey(path, REQUEST, NOON);
    const keys = ring();
    const text = readFileSync(path, 'utf8');
    rmSync(path);
    for (let second = 1; second <= 5; second += 1) {
      clock.now = NOON + second * 2000;
      expect([second, keys.find(key)?.scopes, keys.find(createKey())]).toEqual([second, ['data:read'], null]);
    }
    expect(errors.map(String)).toEqual([expect.stringMatching(/keys\.json is missing, but keys were issued\. Restore it from a backup/)]);
    writeFileSync(path, JSON.stringify({ version: 1, keys: [] }), { mode: 0o600 });
    clock.now += 2000;
    expect(keys.find(key)).toBeNull();
    writeFileSync(path, text, { mode: 0o600 });
    clock.now += 2000;
    expect(keys.find(key)?.scopes).toEqual(['data:read']);
  });

  it('is refused by a start and by the commands, until the operator confirms that no key was issued', async () => {
    await issueKey(path, REQUEST, NOON);
    rmSync(path);
    expect(ring).toThrow(KnownError);
    expect(() => readKeys(path)).toThrow(/or remove|remove .*keys-issued and issue new keys/);
    await expect(issueKey(path, REQUEST, NOON)).rejects.toThrow(KnownError);
    rmSync(join(dataDir, 'keys-issued'));
    expect(readKeys(path)).toEqual([]);
    await issueKey(path, REQUEST, NOON);
    expect(readKeys(path)).toHaveLength(1);
  });

  it('is refused by a start even after an earlier release served it', async () => {
    const { key } = await issueKey(path, REQUEST, NOON);
    rmSync(join(dataDir, 'keys-issued'));
    expect(ring().find(key)).not.toBeNull();
    rmSync(path);
    expect(ring).toThrow(KnownError);
  });

  it('is no loss before the first key', () => {
    expect(ring().find(createKey())).toBeNull();
    expect(readdirSync(dataDir)).toEqual([]);
  });
});
