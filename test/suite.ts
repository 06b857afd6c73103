// Which tests run: all of them, or those that take little time.

/** `npm run test:long`, and every longer suite of its own. */
export const isLong = process.env['SUITE'] === 'all';

/** The larger draws in full, which `.ci/run` takes a part of unless it is told CI_WHOLE=1. */
export const isWhole = process.env['CI_WHOLE'] === '1';

/**
 * Left to `npm run test:long`: what reads the publishers' own payloads, or starts and kills processes, requests drawn at random, and whole nights
 * over lakes of which test/boundaries, test/snapshot and test/contract say the same rules row by row.
 */
export const LONG: readonly string[] = [
  'test/real/*.test.ts',
  'test/lake/kill.test.ts',
  ...[
    'calendar/calendar',
    'derived/cpi',
    'derived/transforms',
    'documents/sentiment',
    'faults/damage',
    'faults/disk',
    'faults/doctor',
    'faults/load',
    'faults/model',
    'faults/power',
    'faults/surroundings',
    'fields/examples',
    'fields/lake',
    'filings/company-classes',
    'filings/company-facts',
    'filings/recasts',
    'filings/statements',
    'forecasts/forecasts',
    'contract/lineage',
    'http/contract',
    'http/formats',
    'http/free-tier',
    'http/hostile',
    'http/owasp',
    'keys/keys',
    'lake/compact',
    'lake/damage',
    'lake/disk-faults',
    'lake/mended-order',
    'lake/nights',
    'lake/quarantine',
    'lake/recovery',
    'positions/cot',
    'published/cadence-budgets',
    'published/freshness',
    'queries/preferred',
    'routes/*',
    'rules/readme',
    'rules/sbom',
    'snapshot/damage',
    'snapshot/derived-cache',
    'snapshot/earlier-release',
    'snapshot/rebuild',
    'snapshot/remembered',
    'snapshot/served',
    'screener/figures-as-series',
    'splits/unlisted-splits',
    'stats/sentiment',
    'story/hostile',
    'story/as-of',
    'story/no-look-ahead',
    'story/server',
    'story/walks',
    'valuations/company-scores',
    'valuations/multiples',
  ].map((name) => `test/${name}.test.ts`),
];

/** Whether a test file is left to the long suite. */
export function isLeftToLong(file: string): boolean {
  return LONG.some((pattern) => new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}$`).test(file));
}
