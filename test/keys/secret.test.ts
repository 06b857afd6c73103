// The secret that signs cursors: made once, whole, and readable by its owner alone.
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ownSecret } from '../../src/keys/secret.ts';
import { endedAnywhere } from '../disk/disk-calls.ts';
import { disorders } from '../disk/disk-order.ts';
import { KnownError } from '../../src/known-error.ts';

let dataDir: string;
const path = () => join(dataDir, 'cursor-secret');
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'asof-secret-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

describe('the secret of an installation', () => {
  it('is 256 random bits, the same at every start and different in every folder', async () => {
    const secret = await ownSecret(dataDir);
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    expect([await ownSecret(dataDir), await ownSecret(dataDir)]).toEqual([secret, secret]);
    expect(readFileSync(path(), 'utf8').trim()).toBe(secret);
    expect(await ownSecret(join(dataDir, 'another'))).not.toBe(secret);
  });

  it('is the same for all servers that start at once over an empty folder', async () => {
    for (let trial = 0; trial < 20; trial += 1) {
      const folder = join(dataDir, String(trial));
      const secrets = await Promise.all([...Array(8)].map(() => ownSecret(folder)));
      expect(new Set(secrets).size).toBe(1);
      expect([readFileSync(join(folder, 'cursor-secret'), 'utf8').trim(), readdirSync(folder)]).toEqual([secrets[0], ['cursor-secret']]);
    }
  });

  it('is not replaced if it cannot be read', async () => {
    symlinkSync('cursor-secret', path());
    await expect(ownSecret(dataDir)).rejects.toMatchObject({ code: 'ELOOP' });
    expect(lstatSync(path()).isSymbolicLink()).toBe(true);
  });

  it.each([0o022, 0o000])('is readable only by its owner, whatever the umask (%o)', async (mask) => {
    const before = process.umask(mask);
    try {
      await ownSecret(dataDir);
    } finally {
      process.umask(before);
    }
    expect(statSync(path()).mode & 0o777).toBe(0o600);
  });

  it.each([0o640, 0o620, 0o610, 0o604, 0o602, 0o601, 0o660])('is refused with the remedy if its mode is %o', async (mode) => {
    const secret = await ownSecret(dataDir);
    chmodSync(path(), mode);
    const refusal = await ownSecret(dataDir).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(KnownError);
    expect(String(refusal)).toContain(`chmod 600 ${path()}`);
    expect(readFileSync(path(), 'utf8')).toContain(secret);
    chmodSync(path(), 0o400);
    expect(await ownSecret(dataDir)).toBe(secret);
  });

  it('is refused if its file is too short, and accepted at the minimum length', async () => {
    writeFileSync(path(), `${'x'.repeat(31)}\n`, { mode: 0o600 });
    await expect(ownSecret(dataDir)).rejects.toThrow(KnownError);
    await expect(ownSecret(dataDir)).rejects.toThrow(/has no secret. Remove it/);
    writeFileSync(path(), `${'x'.repeat(32)}\n`, { mode: 0o600 });
    expect(await ownSecret(dataDir)).toBe('x'.repeat(32));
  });

  it('is there in full or not at all, wherever its creation is interrupted', async () => {
    const whole = /^[0-9a-f]{64}\n$/;
    const left: string[] = [];
    const calls = await endedAnywhere(
      dataDir,
      () => rmSync(path(), { force: true }),
      () => ownSecret(dataDir),
      async () => {
        left.push(existsSync(path()) ? readFileSync(path(), 'utf8') : 'none');
        expect(await ownSecret(dataDir)).toMatch(/^[0-9a-f]{64}$/);
        expect(readdirSync(dataDir)).toEqual(['cursor-secret']);
      },
    );
    expect(left.filter((text) => text !== 'none' && !whole.test(text))).toEqual([]);
    expect(left).toContain('none');
    expect(disorders(calls)).toEqual([]);
  });
});
