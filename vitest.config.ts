import { configDefaults, defineConfig } from 'vitest/config';
import { SampleOnceSequencer } from './test/sequence.ts';
import { isLong, LONG, otherParts } from './test/suite.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...(isLong ? [] : [`test/**/${LONG}`]), ...otherParts(process.env['SUITE_PART'])],
    // The folder comes first, because the servers put their temporary files there.
    globalSetup: ['test/temporary-folder.ts', 'test/sample-folder.ts', 'test/deployments/servers.ts'],
    // A busy machine may take many times as long as an idle one: these only end a test that hangs.
    testTimeout: 900_000,
    hookTimeout: 1_200_000,
    expect: { poll: { timeout: 60_000 } },
    pool: 'forks',
    isolate: false,
    // Left alone vitest keeps a core free, and with two cores that is half of the machine.
    maxWorkers: 2,
    sequence: { sequencer: SampleOnceSequencer },
    coverage: { provider: 'v8', include: ['src/**', 'jobs/**'], reporter: ['text-summary', 'html'], reportsDirectory: 'coverage' },
  },
});
