// npm run faults: every suite of faults one after the other, small or whole, from one seed. One that fails does not keep the others from running.
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
const environment = process.env;
const SEED = environment['FAULTS_SEED'] ?? String(Date.now() % 1_000_000);
const SIZE = environment['FAULTS_SIZE'] ?? 'small';
const ONLY = environment['FAULTS_ONLY']?.split(',');

interface Suite {
  readonly name: string;
  readonly file: string;
  readonly small: Readonly<Record<string, string>>;
  readonly whole: Readonly<Record<string, string>>;
}

/** Each variable may be set beforehand; a number of points above what there is means all of them. */
const SUITES: readonly Suite[] = [
  { name: 'kill', file: 'test/lake/kill.long.test.ts', small: { KILL_TRIALS: '4' }, whole: { KILL_TRIALS: '12' } },
  { name: 'calls', file: 'test/faults/calls.long.test.ts', small: { CALL_POINTS: '4' }, whole: { CALL_POINTS: '1000000' } },
  {
    name: 'disk',
    file: 'test/faults/disk.long.test.ts',
    small: { DISK_POINTS: '10', DISK_SIZES: '3' },
    whole: { DISK_POINTS: '1000000', DISK_SIZES: '40' },
  },
  { name: 'power', file: 'test/faults/power.long.test.ts', small: { POWER_TRIALS: '9' }, whole: { POWER_TRIALS: '1000000' } },
  {
    name: 'surroundings',
    file: 'test/faults/surroundings.long.test.ts',
    small: { FILE_LIMITS: '200,400' },
    whole: { FILE_LIMITS: [...Array(40).keys()].map((at) => 24 + 6 * at).join(',') },
  },
  { name: 'model', file: 'test/faults/model.long.test.ts', small: { MODEL_STEPS: '60' }, whole: { MODEL_STEPS: '10000' } },
  { name: 'damage', file: 'test/faults/damage.long.test.ts', small: { DAMAGE_TRIALS: '40' }, whole: { DAMAGE_TRIALS: '3000' } },
  { name: 'load', file: 'test/faults/load.long.test.ts', small: { LOAD_SECONDS: '60' }, whole: { LOAD_SECONDS: '3600' } },
];

if (SIZE !== 'small' && SIZE !== 'whole') throw new RangeError(`FAULTS_SIZE=${SIZE} is no size: set it to small or whole.`);
const unknown = ONLY?.find((name) => !SUITES.some((suite) => suite.name === name));
if (unknown !== undefined)
  throw new RangeError(`FAULTS_ONLY names ${unknown}, which is no suite: the suites are ${SUITES.map(({ name }) => name).join(', ')}.`);

const failed: string[] = [];
for (const { name, file, ...sizes } of SUITES) {
  if (ONLY !== undefined && !ONLY.includes(name)) continue;
  process.stdout.write(`== ${name}: FAULTS_SEED=${SEED} FAULTS_SIZE=${SIZE} FAULTS_ONLY=${name} npm run faults\n`);
  const { status } = spawnSync(process.execPath, [resolve(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', file], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...sizes[SIZE], ...environment, SUITE: 'all', FAULTS_SEED: SEED },
  });
  if (status !== 0) failed.push(name);
}
if (failed.length > 0) {
  process.stderr.write(
    `Failed: ${failed.map((name) => `FAULTS_SEED=${SEED} FAULTS_SIZE=${SIZE} FAULTS_ONLY=${name} npm run faults`).join('; ')}\n`,
  );
  process.exitCode = 1;
}
