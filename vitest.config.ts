import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/sample-folder.ts',
    testTimeout: 60_000,
    hookTimeout: 120_000,
    pool: 'forks',
    // Left alone vitest keeps a core free, and with two cores that is half of the machine.
    maxWorkers: 2,
  },
});
