// A disk that fails a night at any call that writes: it is full, or gives an error, once or from then on. What was answered before stays, the error names
// the file and the remedy, and the next night ends where an undisturbed one does. FAULTS_SEED and DISK_POINT (7, or 120-445) tell some again.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DiskError } from '../../src/disk/disk-error.ts';
import { traced } from '../disk/disk-calls.ts';
import type { DiskCode } from '../disk/disk-endings.ts';
import { drawing, drawnPoints, namedRange, repeatable, tellProgress } from './draws.ts';
import { lastNight, type Nights, openNights } from './nights.ts';
import { openFileSystem, whyNoFileSystem } from './tmpfs.ts';

const SEED = Number(process.env['FAULTS_SEED'] ?? '1');
/** Points of a night at which it fails; each once with one error, or with every one where all are asked for. */
const POINTS = Number(process.env['DISK_POINTS'] ?? '6');
const ONLY = process.env['DISK_POINT'];
const [FIRST, LAST] = namedRange(ONLY);
const SIZES = Number(process.env['DISK_SIZES'] ?? '3');
const KINDS = (['ENOSPC', 'EIO'] as const).flatMap((code) => [false, true].map((isLasting) => ({ code, isLasting })));

let nights: Nights;
beforeAll(async () => {
  nights = await openNights();
});
afterAll(() => nights.remove());

/** What an operator is told of a run names a file of the folder, or the folder, what the disk said, and what to do, in one line. */
function expectTold(message: string, code: DiskCode, dataDir: string): void {
  expect(message).toMatch(new RegExp(`${dataDir}[/ ]`));
  expect(message).toMatch(new RegExp(`\\(${code}\\)\\. [A-Z].*\\.$`));
}

function expectRefused(error: unknown, code: DiskCode, dataDir: string): void {
  expect(error).toBeInstanceOf(DiskError);
  expectTold((error as Error).message, code, dataDir);
}

async function failedAt(point: number, { code, isLasting }: { readonly code: DiskCode; readonly isLasting: boolean }): Promise<string> {
  const pipeline = await nights.restore('trial');
  const { result, error } = await traced(pipeline.dataDir, () => lastNight(pipeline, nights.mirror), {
    failing: (number, { call }) => {
      const isHit = number === point || (isLasting && number > point);
      // A full disk still lets go of files.
      return isHit && !(isLasting && code === 'ENOSPC' && (call === 'remove' || call === 'sync')) ? code : null;
    },
  });
  if (error !== null) expectRefused(error, code, pipeline.dataDir);
  const warnings = result?.derive.warnings ?? [];
  // Only the copy for servers may be missing.
  expect(warnings.filter((warning) => !warning.startsWith('The copy for servers could not be written'))).toEqual([]);
  for (const warning of warnings) expectTold(warning, code, pipeline.dataDir);
  const which = await nights.holds(pipeline);
  expect([result === null, which]).not.toEqual([false, 'before']);
  await nights.converges(pipeline);
  return error === null ? (warnings.length > 0 ? 'warned' : 'done') : which;
}

describe('a failing disk', { timeout: 6 * 3600 * 1000 }, () => {
  it(`at a call that writes keeps the earlier files, names the remedy, and the next night catches up (${POINTS} points, seed ${SEED})`, async () => {
    const pipeline = await nights.restore('trial');
    let count = 0;
    await traced(pipeline.dataDir, () => lastNight(pipeline, nights.mirror), {
      failing: (number) => {
        count = number + 1;
        return null;
      },
    });
    expect(count).toBeGreaterThan(150);
    const outcomes = new Map<string, number>();
    const points =
      ONLY === undefined
        ? drawnPoints(count, POINTS, SEED)
        : drawnPoints(count, count, SEED).filter((point) => point >= FIRST && point <= LAST);
    expect(points.length).toBeGreaterThan(0);
    const draw = drawing(SEED + 1);
    for (const point of points) {
      const kinds = POINTS >= count || ONLY !== undefined ? KINDS : [KINDS[draw(KINDS.length)] ?? { code: 'EIO', isLasting: false }];
      for (const kind of kinds) {
        const outcome = await repeatable(`FAULTS_SEED=${SEED} DISK_POINT=${point} ${JSON.stringify(kind)}`, () => failedAt(point, kind));
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      }
      tellProgress('disk, point', point + 1, count, 10);
    }
    process.stdout.write(`disk, seed ${SEED}: ${points.length} of ${count} points, ${JSON.stringify(Object.fromEntries(outcomes))}\n`);
    expect(ONLY !== undefined || (outcomes.get('before') ?? 0) > 0).toBe(true);
  });

  const reason = whyNoFileSystem();
  it.skipIf(reason !== null)(
    `that is too small, in ${SIZES} sizes, does so too${reason === null ? '' : ` (skipped: ${reason})`}`,
    async () => {
      const outcomes: string[] = [];
      const disk = openFileSystem('512m');
      try {
        const before = (await nights.restore('trial', disk.path), disk.usedBytes());
        const roomy = await nights.restore('trial', disk.path);
        await lastNight(roomy, nights.mirror);
        const taken = disk.usedBytes() - before;
        expect(taken).toBeGreaterThan(1e6);
        const draw = drawing(SEED + 2);
        for (let size = 0; size < SIZES; size += 1) {
          // Most of what is written is the copy for servers, without which a night is done.
          const room = Math.floor(taken * ((size + draw(1000) / 1000) / SIZES) ** 3);
          await repeatable(`FAULTS_SEED=${SEED} DISK_SIZES=${SIZES}: ${room} bytes of room`, async () => {
            disk.remount('size=512m');
            const pipeline = await nights.restore('trial', disk.path);
            disk.remount(`size=${Math.ceil((disk.usedBytes() + room) / 4096) * 4}k`);
            const outcome = await lastNight(pipeline, nights.mirror).then(
              ({ derive }) => derive.warnings,
              (error: unknown) => error as Error,
            );
            if (outcome instanceof Error) expectRefused(outcome, 'ENOSPC', pipeline.dataDir);
            else for (const warning of outcome) expectTold(warning, 'ENOSPC', pipeline.dataDir);
            const which = await nights.holds(pipeline);
            outcomes.push(outcome instanceof Error ? which : outcome.length > 0 ? 'warned' : 'done');
            disk.remount('size=512m');
            await nights.converges(pipeline);
          });
        }
      } finally {
        disk.remove();
      }
      process.stdout.write(`room on the disk, seed ${SEED}: ${outcomes.join(', ')}\n`);
      expect(outcomes).toContain('before');
    },
  );
});
