// A night that is killed (-9) at the n-th call of any kind that changes the disk, its own calls and the engine's: strace counts them and kills. What was
// answered before stays or what comes after is whole, and the next night ends where an undisturbed one does. FAULTS_SEED and CALL_POINT tell one again.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawing, drawnPoints, repeatable } from './draws.ts';
import { LAST_NIGHT, type Nights, openNights } from './nights.ts';

const SEED = Number(process.env['FAULTS_SEED'] ?? '1');
const POINTS = Number(process.env['CALL_POINTS'] ?? '6');
/** Such as `renameat2:3`. */
const ONLY = process.env['CALL_POINT'];
const CALLS = 'write,pwrite64,writev,pwritev,rename,renameat,renameat2,link,linkat,fsync,fdatasync,unlink,unlinkat,ftruncate,mkdir,mkdirat';
/** As a machine that has fewer of them names them. */
const TRACED = CALLS.split(',')
  .map((call) => `?${call}`)
  .join(',');

/** Why no process can be traced here; null where one can. */
function whyNoTrace(): string | null {
  const { status, error, stderr } = spawnSync('strace', ['-f', '-qq', '-o', '/dev/null', 'true'], { encoding: 'utf8' });
  if (error !== undefined) return 'strace is not installed';
  return status === 0 ? null : `strace may not trace here: ${stderr.trim().split('\n')[0]}`;
}

let nights: Nights;
const reason = whyNoTrace();
beforeAll(async () => {
  if (reason === null) nights = await openNights();
});
afterAll(() => {
  if (reason === null) nights.remove();
});

/** The last night as a process under strace. Says the signal that ended it. */
async function traced(dataDir: string, options: readonly string[]): Promise<NodeJS.Signals | null> {
  const night = [
    process.execPath,
    '--import',
    'tsx',
    join(import.meta.dirname, 'run-night.ts'),
    dataDir,
    nights.mirror,
    String(LAST_NIGHT),
  ];
  const child = spawn('strace', ['-f', '-qq', ...options, ...night], { stdio: 'ignore' });
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  if (signal === null && code !== 0) throw new Error(`the night ended with ${code}`);
  return signal;
}

/** Each call that a night makes to its folder, with its number in its thread: strace counts by thread. */
async function pointsOfNight(): Promise<readonly string[]> {
  const pipeline = await nights.restore('counted');
  const file = join(nights.base, 'calls.txt');
  await traced(pipeline.dataDir, ['-y', '-s', '400', '-o', file, '-e', `trace=${TRACED}`]);
  const counts = new Map<string, number>();
  const points = new Set<string>();
  for (const [line, thread = '', call = ''] of readFileSync(file, 'utf8').matchAll(/^(\d+)\s+([a-z0-9]+)\(.*$/gm)) {
    const number = (counts.get(`${thread} ${call}`) ?? 0) + 1;
    counts.set(`${thread} ${call}`, number);
    if (line.includes(pipeline.dataDir)) points.add(`${call}:${number}`);
  }
  return [...points].toSorted();
}

describe('a night killed at a call that changes the disk', { timeout: 6 * 3600 * 1000 }, () => {
  it.skipIf(reason !== null)(
    `leaves a complete snapshot, and the next night catches up (${POINTS} calls, seed ${SEED}${reason === null ? '' : `; skipped: ${reason}`})`,
    async () => {
      const all = await pointsOfNight();
      expect(all.length).toBeGreaterThan(100);
      expect(all).toEqual(expect.arrayContaining(['fsync:1', 'rename:1', 'unlink:1', 'pwrite64:1']));
      const outcomes = new Map<string, number>();
      const drawn = ONLY === undefined ? drawnPoints(all.length, POINTS, drawing(SEED + 3)(1_000_000)).map((at) => all[at] ?? '') : [ONLY];
      for (const point of drawn) {
        const [call, number] = point.split(':');
        const outcome = await repeatable(`FAULTS_SEED=${SEED} CALL_POINT=${point}`, async () => {
          const pipeline = await nights.restore('trial');
          const inject = `inject=${call}:signal=SIGKILL:when=${number}`;
          const signal = await traced(pipeline.dataDir, ['-o', '/dev/null', '-e', `trace=${call}`, '-e', inject]);
          const which = await nights.holds(pipeline);
          expect([signal, which]).not.toEqual([null, 'before']);
          await nights.converges(pipeline);
          return signal === null ? 'ended before that call' : which;
        });
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      }
      process.stdout.write(`calls, seed ${SEED}: ${drawn.length} of ${all.length}, ${JSON.stringify(Object.fromEntries(outcomes))}\n`);
      expect(outcomes.get('before') ?? 0).toBeGreaterThan(0);
    },
  );
});
