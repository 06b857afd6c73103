// A night in bad surroundings: a disk mounted read-only, a process that may open few files, eight writers at once, a clock that jumps.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY, LAST_NIGHT, lastNight, type Nights, openNights } from './nights.ts';
import { openFileSystem, whyNoFileSystem } from './tmpfs.ts';

// With about a hundred Node itself may run out of them while it loads modules, on a busy machine.
const LIMITS = (process.env['FILE_LIMITS'] ?? '200,400').split(',').map(Number);
const WRITERS = 8;

let nights: Nights;
beforeAll(async () => {
  nights = await openNights();
});
afterAll(() => nights.remove());

interface Ended {
  readonly code: number | null;
  readonly said: string;
}

/** The last night as a process, which may have so many files open. */
async function night(dataDir: string, files: number | null = null): Promise<Ended> {
  const script = join(import.meta.dirname, 'run-night.ts');
  const limit = files === null ? '' : `ulimit -n ${files} && `;
  const child = spawn('bash', [
    '-c',
    `${limit}exec "$@"`,
    'bash',
    process.execPath,
    '--import',
    'tsx',
    script,
    dataDir,
    nights.mirror,
    String(LAST_NIGHT),
  ]);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, said };
}

describe('a read-only disk', () => {
  const reason = whyNoFileSystem();
  it.skipIf(reason !== null)(
    `is reported with file and remedy, and its data are served${reason === null ? '' : ` (skipped: ${reason})`}`,
    async () => {
      const disk = openFileSystem('512m');
      try {
        const pipeline = await nights.restore('trial', disk.path);
        disk.remount('ro');
        await expect(lastNight(pipeline, nights.mirror)).rejects.toThrow(
          /^\S+ cannot be written \(EROFS\)\. The disk is mounted read-only: set DATA_DIR to a writable folder\.$/,
        );
        expect(await nights.holds(pipeline)).toBe('before');
        disk.remount('rw');
        await nights.converges(pipeline);
      } finally {
        disk.remove();
      }
    },
  );
});

describe('a process that may open only a few files', () => {
  it.each(LIMITS)('with %i keeps the earlier data and reports it if the engine might miss a file, else ends normally', async (limit) => {
    const pipeline = await nights.restore('trial');
    const { code, said } = await night(pipeline.dataDir, limit);
    process.stdout.write(`${limit} files: ${code} ${said.split('\n')[0]?.slice(0, 200)}\n`);
    const which = await nights.holds(pipeline);
    const isTold = limit < 150 || /^KnownError: This process may open \d+ files .* Raise its limit \(ulimit -n 1024\)/.test(said);
    expect([code, which, isTold]).toEqual(limit < 256 ? [1, 'before', true] : [0, 'after', false]);
    await nights.converges(pipeline);
  });
});

describe('eight writers at once', () => {
  it('take turns or learn who is writing, and leave the result of one writer', async () => {
    const pipeline = await nights.restore('trial');
    const ended = await Promise.all([...Array(WRITERS).keys()].map(() => night(pipeline.dataDir)));
    expect(ended.filter(({ code }) => code === 0).length).toBeGreaterThan(0);
    const refused = ended.filter(({ code }) => code !== 0).map(({ said }) => said);
    const isLocked = /^LakeLockedError: The lake in \S+ is being written by process \d+\. Wait until that run has ended/;
    expect(refused.filter((said) => !isLocked.test(said))).toEqual([]);
    expect(await nights.holds(pipeline)).toBe('after');
    await nights.converges(pipeline);
  });
});

describe('a clock', () => {
  it.each([
    ['a day', DAY],
    ['a second', 1000],
    ['thirty years', 30 * 365 * DAY],
  ])('that is %s behind the last night writes nothing; once it is right, the night runs as usual', async (_, back) => {
    const pipeline = await nights.restore('trial');
    await expect(lastNight(pipeline, nights.mirror, LAST_NIGHT - DAY - back)).rejects.toThrow(
      /but the clock shows .*, so nothing is written/,
    );
    expect(await nights.holds(pipeline)).toBe('before');
    await nights.converges(pipeline);
  });

  it('that was ahead for a night stops the next one, which names the remedy, and the served snapshot stays', async () => {
    const pipeline = await nights.restore('trial');
    await lastNight(pipeline, nights.mirror, LAST_NIGHT + 30 * DAY);
    const ahead = (await pipeline.current()).contentHash;
    await expect(lastNight(pipeline, nights.mirror)).rejects.toThrow(/If it was ahead when that was written, restore lake\/ and raw\//);
    expect((await pipeline.current()).contentHash).toBe(ahead);
    await lastNight(pipeline, nights.mirror, LAST_NIGHT + 31 * DAY);
  });
});
