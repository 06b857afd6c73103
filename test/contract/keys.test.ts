// Keys and the secret of cursors: what lies on the disk, who may read it, and what a restart or a revocation changes.
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { hashKey, isWellFormedKey } from '../../src/keys/key.ts';
import { issueKey, keyFile, openKeyRing, readKeys, revokeKey } from '../../src/keys/key-store.ts';
import { ownSecret } from '../../src/keys/secret.ts';
import { openService } from '../../src/service.ts';
import { SILENT } from '../pipeline.ts';
import { type ErrorBody, type ListBody, type RunningService, sampleDataDir, startService } from '../service.ts';
import { KnownError } from '../../src/known-error.ts';

const NOON = Date.UTC(2026, 10, 21, 12);
const request = { label: 'laptop', tier: 'full', scopes: ['data:read'] } as const;
/** Each way in which a file is open to others than its owner. */
const OPEN_MODES = [0o640, 0o620, 0o610, 0o604, 0o602, 0o601, 0o666];

// Reckoned elsewhere: CRC-32 of the first 35 characters in base 62, and SHA-256 of the whole.
const KNOWN = [
  ['asof_0000000000000000000000000000003G8qnz', 'ea6e5f48192ec0335ac097eb513538fe71790cc3436226babde35288ccf4861f'],
  ['asof_AbCdEfGhIjKlMnOpQrStUvWxYz01231k3wcZ', 'a46fd2cb1648769e9968950bf31a74130c1c4d20446e2786641fc4c304ad3c3a'],
] as const;

describe('a key', () => {
  it.each(KNOWN)('%s has its checksum and is stored as its SHA-256', (key, sha256) => {
    expect([isWellFormedKey(key), hashKey(key).toString('hex')]).toEqual([true, sha256]);
    const swapped = key.slice(0, -2) + key.slice(-1) + key.slice(-2, -1);
    for (const other of [`${key}0`, ` ${key}`, key.slice(0, -1), key.replace('asof_', 'ASOF_'), swapped])
      expect([other, isWellFormedKey(other)]).toEqual([other, false]);
  });
});

describe('the key file', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'asof-keys-'));
    path = keyFile(folder);
  });
  const ring = () => openKeyRing(path, () => NOON, String);

  it('holds hash, tier, scopes and times of a key, and no file in the folder holds the key', async () => {
    const { key, issued } = await issueKey(path, { label: 'x', tier: 'free', scopes: ['ops:read', 'ops:read', 'data:read'] }, NOON);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
      version: 1,
      keys: [
        {
          keyId: expect.stringMatching(/^key_[0-9A-Za-z]{12}$/),
          label: 'x',
          tier: 'free',
          scopes: ['ops:read', 'data:read'],
          sha256: hashKey(key).toString('hex'),
          createdAt: '2026-11-21T12:00:00.000Z',
          revokedAt: null,
        },
      ],
    });
    expect(readdirSync(folder)).toEqual(['keys-issued', 'keys.json']);
    expect(readFileSync(path, 'utf8')).not.toContain(key.slice(5, 25));
    expect([statSync(path).mode & 0o777, readKeys(path)]).toEqual([0o600, [issued]]);
  });

  it.each(OPEN_MODES.map((mode) => [mode.toString(8), mode] as const))('is refused with mode %s', async (_, mode) => {
    await issueKey(path, request, NOON);
    chmodSync(path, mode);
    expect(ring).toThrow(KnownError);
    await expect(issueKey(path, request, NOON)).rejects.toThrow(KnownError);
    chmodSync(path, 0o400);
    expect(readKeys(path)).toHaveLength(1);
  });

  it.each<readonly [string, { readonly [name: string]: unknown; readonly keys?: readonly object[] }]>([
    ['another version', { version: 2 }],
    ['a member that is not known', { more: 1 }],
    ['a scope that is not known', { keys: [{ scopes: ['everything'] }] }],
    ['a key without scopes', { keys: [{ scopes: [] }] }],
    ['a tier that is not known', { keys: [{ tier: 'gold' }] }],
    ['a hash that is none', { keys: [{ sha256: 'AB'.repeat(32) }] }],
    ['a member of a key that is not known', { keys: [{ key: 'x' }] }],
  ])('is refused with %s', (_, change) => {
    const key = {
      keyId: 'key_000000000000',
      label: '',
      tier: 'full',
      scopes: ['admin'],
      sha256: 'ab'.repeat(32),
      createdAt: '2026-11-21T12:00:00.000Z',
      revokedAt: null,
    };
    const write = (more: { keys?: readonly object[] }) => {
      const keys = (more.keys ?? [{}]).map((one) => ({ ...key, ...one }));
      writeFileSync(path, JSON.stringify({ version: 1, ...more, keys }), { mode: 0o600 });
    };
    write({});
    expect(readKeys(path)).toHaveLength(1);
    write(change);
    expect(ring).toThrow(KnownError);
  });

  it('revokes only one key, and leaves no lock behind', async () => {
    const [mine, other] = [await issueKey(path, request, NOON), await issueKey(path, { ...request, label: 'other' }, NOON)];
    await revokeKey(path, mine.issued.keyId, NOON + 1000);
    const keys = ring();
    expect([keys.find(mine.key), keys.find(other.key)?.keyId]).toEqual([null, other.issued.keyId]);
    expect(readKeys(path).map((one) => one.revokedAt)).toEqual(['2026-11-21T12:00:01.000Z', null]);
    expect(readdirSync(folder)).toEqual(['keys-issued', 'keys.json']);
  });
});

describe('the secret of cursors', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'asof-secret-'));
    path = join(folder, 'cursor-secret');
  });

  it('is created once from 32 random bytes, readable only by its owner', async () => {
    const secret = await ownSecret(folder);
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    expect([statSync(path).mode & 0o777, await ownSecret(folder), readFileSync(path, 'utf8')]).toEqual([0o600, secret, `${secret}\n`]);
    expect(await ownSecret(mkdtempSync(join(tmpdir(), 'asof-secret-')))).not.toBe(secret);
  });

  it.each(OPEN_MODES.map((mode) => [mode.toString(8), mode] as const))(
    'with mode %s is refused, and the service does not start',
    async (_, mode) => {
      await ownSecret(folder);
      chmodSync(path, mode);
      await expect(ownSecret(folder)).rejects.toThrow(/Users other than the owner can read .* chmod 600/);
      await expect(openService(readConfig({ DATA_DIR: folder }), { now: () => NOON, log: SILENT })).rejects.toThrow(KnownError);
    },
  );

  it('shorter than 32 characters is refused', async () => {
    writeFileSync(path, `${'x'.repeat(31)}\n`, { mode: 0o600 });
    await expect(ownSecret(folder)).rejects.toThrow(/has no secret/);
    writeFileSync(path, `${'x'.repeat(32)}\n`, { mode: 0o600 });
    expect(await ownSecret(folder)).toBe('x'.repeat(32));
  });
});

describe('a running service', () => {
  let dataDir: string;
  let service: RunningService;
  beforeAll(async () => {
    dataDir = await sampleDataDir();
    service = await startService(dataDir);
  });
  afterAll(async () => {
    await service.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const PATH = '/countries?limit=3';
  const status = async (key: string) => (await service.get(PATH, { key: null, headers: { 'x-api-key': key } })).status;

  it('opens to a new key and closes to a revoked one a second later, also for cached answers', async () => {
    const { key, issued } = await issueKey(keyFile(dataDir), request, service.clock.now);
    service.clock.now += 1000;
    await service.follow();
    expect([await status(key), await status(key)]).toEqual([200, 200]);
    await revokeKey(keyFile(dataDir), issued.keyId, service.clock.now);
    service.clock.now += 1000;
    await service.follow();
    expect([await status(key), await status(service.keys.full)]).toEqual([401, 200]);
    const tag = (await service.get(PATH)).headers.get('etag') ?? '';
    expect((await service.get(PATH, { key: null, headers: { 'x-api-key': key, 'if-none-match': tag } })).status).toBe(401);
  });

  it('writes no key into its log or its folder', async () => {
    await service.get(PATH);
    await service.get(`/countries?q=${service.keys.full}`);
    const files = readdirSync(dataDir, { withFileTypes: true })
      .filter((one) => one.isFile())
      .map((one) => readFileSync(join(dataDir, one.name), 'utf8'));
    for (const key of Object.values(service.keys))
      expect([...files, JSON.stringify(service.lines)].filter((text) => text.includes(key))).toEqual([]);
  });

  it('accepts its earlier cursors after a restart, and no others', async () => {
    const first = (await (await service.get(PATH)).json()) as ListBody;
    const next = `${PATH}&cursor=${first.meta.pagination.next_cursor}`;
    const expected = ((await (await service.get(next)).json()) as ListBody).data;
    const again = await startService(dataDir);
    const response = await again.get(next);
    expect([response.status, ((await response.json()) as ListBody).data]).toEqual([200, expected]);
    await again.stop();
    rmSync(join(dataDir, 'cursor-secret'));
    const other = await startService(dataDir);
    const refused = await other.get(next);
    expect([refused.status, ((await refused.json()) as ErrorBody).error.details]).toMatchObject([
      400,
      { parameter: 'cursor', reason: 'tampered' },
    ]);
    await other.stop();
  });
});
