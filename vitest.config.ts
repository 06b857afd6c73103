import { configDefaults, defineConfig } from 'vitest/config';
import { isLong } from './test/suite.ts';

/** Left to `npm run test:long`: what reads the publishers' own payloads, or kills processes. */
const LONG = ['test/real-*.test.ts', 'test/*-real.test.ts', 'test/brute-force.test.ts', 'test/lake/kill.test.ts'];

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
