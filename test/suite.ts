// Which tests run: all of them, or those that take little time, or a part of either.
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';

/** `npm run test:long`, and every longer suite of its own. */
export const isLong = process.env['SUITE'] === 'all';

/** The larger draws in full, which `.ci/run` takes a part of unless it is told CI_WHOLE=1. */
export const isWhole = process.env['CI_WHOLE'] === '1';

/**
 * Left to `npm run test:long`: tests that read the publishers' own payloads, that start and kill processes, that draw requests at random, and whole
 * nights over lakes whose rules test/boundaries, test/snapshot and test/contract hold row by row. CI runs the whole of `npm run test:interface`
 * at each commit.
 */
export const LONG: readonly string[] = [
  'test/real/*.test.ts',
  'test/real/publishers/*.test.ts',
  'test/lake/kill.test.ts',
  'test/reading/thread.test.ts',
  ...[
    'backup/backup',
    'bench/draws',
    'boundaries/observations',
    'boundaries/staging',
    'calendar/calendar',
    'companies/shares',
    'companies/ten-dates',
    'companies/ticker-holders',
    'contract/lineage',
    'contract/names',
    'contract/rights',
    'contract/table',
    'deployments/replicas',
    'derived/cpi',
    'derived/transforms',
    'documents/sentiment',
    'engine/equal',
    'engine/load',
    'engine/service',
    'facade/command',
    'facade/fred',
    'facade/hostile',
    'facade/sdmx',
    'faults/calls',
    'faults/damage',
    'faults/disk',
    'faults/doctor',
    'faults/load',
    'faults/model',
    'faults/power',
    'faults/surroundings',
    'fetch/agencies',
    'fetch/alfred-windows',
    'fetch/bank-rates',
    'fetch/bank-statistics',
    'fetch/budget',
    'fetch/command',
    'fetch/complaints',
    'fetch/countries',
    'fetch/documents',
    'fetch/edgar',
    'fetch/first-data',
    'fetch/fsds',
    'fetch/multilateral',
    'fetch/nights',
    'fetch/pace',
    'fetch/second-nights',
    'fields/examples',
    'fields/lake',
    'filings/company-classes',
    'filings/company-facts',
    'filings/fiscal-years',
    'filings/foreign-filers',
    'filings/parts',
    'filings/recasts',
    'filings/restatements',
    'filings/statements',
    'filters/catalogues',
    'filters/refusals',
    'filters/sorts',
    'forecasts/forecasts',
    'free/free-tier-lakes',
    'http/contract',
    'http/formats',
    'http/free-tier',
    'http/hostile',
    'http/owasp',
    'jobs/empty-night',
    'jobs/misuse',
    'jobs/night-command',
    'jobs/words',
    'keys/keys',
    'lake/append',
    'lake/compact',
    'lake/damage',
    'lake/disk-faults',
    'lake/flushes',
    'lake/jobs',
    'lake/mended-order',
    'lake/nights',
    'lake/obs-status',
    'lake/publication-rules',
    'lake/quarantine',
    'lake/recovery',
    'lake/states',
    'mcp/transports',
    'ops/image',
    'pages/accessible',
    'pages/browser',
    'pages/first-look',
    'pages/real',
    'pages/views',
    'positions/cot',
    'published/cadence-budgets',
    'published/consensus',
    'published/freshness',
    'published/latest',
    'published/projections',
    'published/series-codes',
    'queries/cut',
    'queries/preferred',
    'routes/*',
    'rules/readme',
    'rules/sbom',
    'scale/document',
    'scale/generated',
    'scale/queues',
    'screener/figures-as-series',
    'screener/reference',
    'snapshot/build',
    'snapshot/damage',
    'snapshot/delta',
    'snapshot/derived-cache',
    'snapshot/earlier-release',
    'snapshot/guard',
    'snapshot/publish',
    'snapshot/rebuild',
    'snapshot/remembered',
    'snapshot/remote',
    'snapshot/served',
    'snapshot/shards',
    'snapshot/stamps',
    'snapshot/store',
    'snapshot/unchanged',
    'splits/unlisted-splits',
    'stats/sentiment',
    'story/as-of',
    'story/changes',
    'story/folder-names',
    'story/hostile',
    'story/interruptions',
    'story/no-look-ahead',
    'story/server',
    'story/shards',
    'story/small-look-ahead',
    'story/survival',
    'story/tour',
    'story/walks',
    'valuations/company-scores',
    'valuations/multiples',
    'verify/verify',
  ].map((name) => `test/${name}.test.ts`),
];

/** Whether a test file is left to the long suite. */
export function isLeftToLong(file: string): boolean {
  return LONG.some((pattern) => new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}$`).test(file));
}

/** The test files of the other parts, where k/n (SUITE_PART) asks for the k-th (from 0) of n; a file's part goes by the hash of its name. */
export function otherParts(asked: string | undefined): readonly string[] {
  if (asked === undefined) return [];
  const [part = NaN, parts = NaN] = asked.split('/').map(Number);
  if (!(part >= 0 && part < parts)) throw new RangeError(`SUITE_PART is k/n with k from 0 to n - 1, such as 0/2; it was ${asked}`);
  const files = readdirSync('test', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.test.ts'));
  return files.map((file) => `test/${file}`).filter((file) => partOf(file, parts) !== part);
}

function partOf(file: string, parts: number): number {
  return createHash('sha256').update(file).digest().readUInt32BE(0) % parts;
}
