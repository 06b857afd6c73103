import { configDefaults, defineConfig } from 'vitest/config';
import { isLong } from './test/suite.ts';

/**
 * Left to `npm run test:long`: what reads the publishers' own payloads, or kills processes, and whole nights over lakes of which test/boundaries,
 * test/snapshot and test/contract say the same rules row by row.
 */
const LONG = [
  'test/real-*.test.ts',
  'test/*-real.test.ts',
  'test/lake/kill.test.ts',
  ...[
    'brute-force',
    'calendar',
    'company-classes',
    'company-facts',
    'company-scores',
    'contract',
    'derived-cache',
    'derived-cot',
    'derived-cpi',
    'derived-forecasts',
    'derived-multiples',
    'derived-no-look-ahead',
    'derived-recasts',
    'derived-sentiment',
    'derived-statements',
    'derived-transforms',
    'free-tier',
    'freshness',
    'http/formats',
    'http/hostile',
    'keys',
    'lake/compact',
    'lake/quarantine',
    'lake/recovery',
    'preferred',
    'readme',
    'rebuild',
    'routes/*',
    'served',
    'stats/sentiment',
    'unlisted-splits',
    'walks',
  ].map((name) => `test/${name}.test.ts`),
];

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: isLong ? configDefaults.exclude : [...configDefaults.exclude, ...LONG],
    globalSetup: 'test/sample-folder.ts',
    // A machine that does other work beside may take ten times as long as an idle one.
    testTimeout: 180_000,
    hookTimeout: 300_000,
    pool: 'forks',
    isolate: false,
    // Left alone vitest keeps a core free, and with two cores that is half of the machine.
    maxWorkers: 2,
  },
});
