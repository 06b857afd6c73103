// Which tests run: all of them, or those that take little time.

/** `npm run test:long`, and every longer suite of its own. */
export const isLong = process.env['SUITE'] === 'all';

/**
 * Left to `npm run test:long`: what reads the publishers' own payloads, or starts and kills processes, requests drawn at random, and whole nights
 * over lakes of which test/boundaries, test/snapshot and test/contract say the same rules row by row.
 */
export const LONG: readonly string[] = [
  'test/real-*.test.ts',
  'test/*-real.test.ts',
  'test/lake/kill.test.ts',
  ...[
    'brute-force',
    'cadence-budgets',
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
    'fields/examples',
    'free-tier',
    'freshness',
    'hostile',
    'http/formats',
    'http/hostile',
    'keys',
    'lake/compact',
    'lake/quarantine',
    'lake/recovery',
    'preferred',
    'readme',
    'rebuild',
    'remembered',
    'routes/*',
    'served',
    'server',
    'stats/sentiment',
    'unlisted-splits',
    'walks',
  ].map((name) => `test/${name}.test.ts`),
];

/** Whether a test file is left to the long suite. */
export function isLeftToLong(file: string): boolean {
  return LONG.some((pattern) => new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}$`).test(file));
}
