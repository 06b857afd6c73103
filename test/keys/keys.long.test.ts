import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { createKey, hashKey, holdsKey, isWellFormedKey } from '../../src/keys/key.ts';
import { issueKey, keyFile, openKeyRing, readKeys, revokeKey } from '../../src/keys/key-store.ts';
import { KnownError } from '../../src/known-error.ts';

const NOON = Date.UTC(2026, 10, 21, 12);
const request = { label: 'laptop', tier: 'full', scopes: ['data:read'] } as const;

describe('a key', () => {
  it('has a prefix, 30 random characters and 6 of checksum', () => {
    const key = createKey();
    expect(key).toMatch(/^asof_[0-9A-Za-z]{36}$/);
    expect(isWellFormedKey(key)).toBe(true);
    expect(createKey()).not.toBe(key);
    expect(holdsKey(`/x?y=${key}&z`)).toBe(true);
  });

  it('is refused by its checksum if one character is wrong', () => {
    const key = createKey();
    const position = fc.integer({ min: 5, max: key.length - 1 });
    const character = fc.constantFrom('0', '9', 'A', 'M', 'Z', 'a', 'm', 'z');
    fc.assert(
      fc.property(position, character, (at, other) => {
        fc.pre(key[at] !== other);
        expect(isWellFormedKey(key.slice(0, at) + other + key.slice(at + 1))).toBe(false);
      }),
    );
  });
});

describe('the key file', () => {
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
    path = keyFile(join(mkdtempSync(join(tmpdir(), 'keys-')), 'data'));
    errors.length = 0;
    clock.now = NOON;
  });

  it('has the hash of a key, not the key, and is readable only by its owner', async () => {
    const { key, issued } = await issueKey(path, request, NOON);
    const text = readFileSync(path, 'utf8');
    expect(text).not.toContain(key);
    expect(text).toContain(hashKey(key).toString('hex'));
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readKeys(path)).toEqual([issued]);
    expect(ring().find(key)).toMatchObject({ keyId: issued.keyId, tier: 'full', scopes: ['data:read'] });
  });

  it('is refused at the start if others can read it, or if it is not a file of keys', async () => {
    await issueKey(path, request, NOON);
    chmodSync(path, 0o640);
    expect(ring).toThrow(/Users other than the owner can read .* chmod 600/);
    chmodSync(path, 0o604);
    expect(ring).toThrow(KnownError);
    chmodSync(path, 0o600);
    writeFileSync(path, '{"keys": 3}');
    expect(ring).toThrow(/is damaged, or another version wrote it/);
  });

  it('adds new keys and drops revoked ones within two seconds, without a restart', async () => {
    const keys = ring();
    const { key, issued } = await issueKey(path, request, NOON);
    clock.now += 2000;
    expect(keys.find(key)?.keyId).toBe(issued.keyId);
    const revoked = await revokeKey(path, issued.keyId, NOON + 5000);
    expect(revoked?.revokedAt).toBe('2026-11-21T12:00:05.000Z');
    clock.now += 2000;
    expect(keys.find(key)).toBeNull();
    expect(errors).toEqual([]);
  });

  it('keeps its keys if the file is lost, and refuses a start until you restore the file or remove the mark', async () => {
    const { key } = await issueKey(path, request, NOON);
    const keys = ring();
    rmSync(path);
    clock.now += 2000;
    expect(keys.find(key)).not.toBeNull();
    expect(errors.map(String)).toEqual([expect.stringContaining('keys were issued')]);
    expect(ring).toThrow(/is missing, but keys were issued/);
    rmSync(join(dirname(path), 'keys-issued'));
    expect(ring().find(key)).toBeNull();
  });

  it('keeps its keys if it becomes unsafe, and reports it', async () => {
    const { key } = await issueKey(path, request, NOON);
    const keys = ring();
    writeFileSync(path, 'half a fi');
    clock.now += 2000;
    expect(keys.find(key)).not.toBeNull();
    expect(errors).toHaveLength(1);
  });

  it('keeps the first date of a revocation and refuses an unknown id', async () => {
    const { issued } = await issueKey(path, request, NOON);
    await revokeKey(path, issued.keyId, NOON);
    expect((await revokeKey(path, issued.keyId, NOON + 1000))?.revokedAt).toBe('2026-11-21T12:00:00.000Z');
    expect(await revokeKey(path, 'key_000000000000', NOON)).toBeNull();
  });

  it('loses no change that is made at the same time', async () => {
    const made = await Promise.all(Array.from({ length: 8 }, (_, at) => issueKey(path, { ...request, label: String(at) }, NOON)));
    expect(new Set(readKeys(path).map((key) => key.keyId))).toEqual(new Set(made.map(({ issued }) => issued.keyId)));
  });

  it('can be changed despite the lock of a killed command', async () => {
    await issueKey(path, request, NOON);
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    writeFileSync(`${path}.lock`, String(pid));
    await issueKey(path, request, NOON);
    expect(readKeys(path)).toHaveLength(2);
  });
});

describe('npm run keys', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'keys-'));
  const run = (...words: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync('node_modules/.bin/tsx', ['jobs/commands/keys.ts', ...words], {
      encoding: 'utf8',
      env: { ...process.env, DATA_DIR: dataDir },
    });
    return { status, stdout, stderr };
  };

  it('prints a key once, lists it without its text, and revokes it', () => {
    const created = run('create', '--scopes', 'data:read,ops:read', '--tier', 'free', '--label', 'laptop', '--json');
    const { key, keyId, scopes } = JSON.parse(created.stdout) as { key: string; keyId: string; scopes: readonly string[] };
    expect([isWellFormedKey(key), scopes]).toEqual([true, ['data:read', 'ops:read']]);
    const listed = run('list').stdout;
    expect(listed).toContain(`${keyId}  data:read ops:read, free tier, laptop`);
    expect(listed).not.toContain(key);
    expect(run('revoke', keyId)).toMatchObject({ status: 0, stdout: `${keyId} (laptop) is revoked.\n` });
    expect(openKeyRing(keyFile(dataDir), () => NOON, String).find(key)).toBeNull();
  });

  it('reports a mistake in one line', () => {
    expect(run('create', '--scopes', 'everything', '--label', 'x')).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^There is no scope [^\n]* The scopes are [^\n]*\n$/),
    });
    expect(run('revoke', 'key_nobody')).toMatchObject({ status: 1, stderr: expect.stringMatching(/^There is no key [^\n]*\n$/) });
  });
});
