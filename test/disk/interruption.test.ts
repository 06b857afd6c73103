// What happens between a signal and the end of the process.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

// A process is interrupted once: each test has the module anew, and so have the files that are run after this one.
let interruption: typeof import('../../src/disk/interruption.ts');
beforeEach(async () => {
  vi.resetModules();
  interruption = await import('../../src/disk/interruption.ts');
});

afterEach(() => {
  vi.resetModules();
});

it('ends at once if nothing is unfinished, and only once', () => {
  const ends: string[] = [];
  interruption.interrupt(() => ends.push('first'));
  interruption.interrupt(() => ends.push('second'));
  expect(ends).toEqual(['first']);
});

it('waits for the last unfinished task, even if it fails', async () => {
  const order: string[] = [];
  const finish: (() => void)[] = [];
  const work = (name: string) =>
    interruption.uninterrupted(async () => {
      await new Promise<void>((done) => finish.push(done));
      order.push(name);
      if (name === 'b') throw new Error('b failed');
    });
  const [a, b] = [work('a'), work('b')];
  interruption.interrupt(() => order.push('end'));
  expect(order).toEqual([]);
  finish[0]?.();
  await a;
  expect(order).toEqual(['a']);
  finish[1]?.();
  await expect(b).rejects.toThrow('b failed');
  expect(order).toEqual(['a', 'b', 'end']);
});

it('removes temporary files, newest first, despite failures, and not the ones that were released', () => {
  const order: string[] = [];
  interruption.onInterruption(() => order.push('oldest'));
  interruption.onInterruption(() => {
    throw new Error('cannot be removed');
  });
  const forget = interruption.onInterruption(() => order.push('taken back'));
  interruption.onInterruption(() => order.push('newest'));
  forget();
  interruption.interrupt(() => order.push('end'));
  expect(order).toEqual(['newest', 'oldest', 'end']);
});

it('leaves no lock of this process and no partial file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'asof-interruption-'));
  try {
    const { lockFile } = await import('../../src/disk/own-file.ts');
    const { writeDurably } = await import('../../src/disk/durable.ts');
    const released = await lockFile(join(folder, 'released.lock'), 'keys');
    await released();
    // Another process has it by now.
    writeFileSync(join(folder, 'released.lock'), '1');
    await lockFile(join(folder, 'held.lock'), 'keys');
    const writing = writeDurably(join(folder, 'text'), 'whole');
    const ended = new Promise<readonly string[]>((done) => interruption.interrupt(() => done(readdirSync(folder).toSorted())));
    expect(existsSync(join(folder, 'text'))).toBe(false);
    await writing;
    expect([await ended, readFileSync(join(folder, 'text'), 'utf8')]).toEqual([['released.lock', 'text'], 'whole']);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
