// The preferred row of a slot is one per answer: also when a bulk answer is read page by page, in any order, cut anywhere.
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Series } from '../../src/model/catalogue.ts';
import { addDays, addMonths } from '../../src/model/period.ts';
import { toObservations } from '../../src/queries/observation-rows.ts';
import { listLatest, listVintages } from '../reads.ts';
import { observationsList } from '../../src/queries/reads/engine.ts';
import type { VintageFilters, VintageRow } from '../../src/queries/reads/rows.ts';
import type { ObservationSort } from '../../src/queries/reads/order.ts';
import type { PageOf } from '../../src/queries/paging.ts';
import { preferredLatest, preferredVintages } from '../../src/queries/preferred.ts';
import type { SnapshotReader } from '../../src/snapshot/serving/reader.ts';
import { type Files, fredMdFile, openPipeline, type Pipeline, realTimeFile, UNFILTERED } from '../pipeline.ts';
import { type RunningService, startService } from '../service.ts';
import { isLong } from '../suite.ts';

const NOW = '2020-09-10T00:00:00.000Z';
const MONTHS = ['2020-04', '2020-05', '2020-06', '2020-07'];
const lastOf = (month: string) => addDays(addMonths(`${month}-01`, 1), -1);

// FRED is to be preferred to FRED-MD. The values set them apart: FRED's are the greatest of all, those of FRED-MD the least.
function rivals(): Files {
  const vintages = ['2020-06', '2020-07', '2020-08'].map((vintage, index) => {
    const values = Object.fromEntries(MONTHS.slice(0, index + 2).map((month) => [month, -100 - index]));
    return fredMdFile(vintage, { PAYEMS: values, UNRATE: values, INDPRO: values, CPIAUCSL: values });
  });
  const real = (name: string, code: string) =>
    realTimeFile(
      name,
      code,
      MONTHS.flatMap((month, index) => [
        [`${month}-01`, addDays(lastOf(month), 5), addDays(lastOf(month), 35), 100_000 + index] as const,
        [`${month}-01`, addDays(lastOf(month), 36), '2020-09-09', 200_000 + index] as const,
      ]),
    );
  return Object.assign({}, ...vintages, real('EMP', 'EMP'), real('PRO', 'INDPRO'), dailyRates()) as Files;
}

/** 7,000 days of rates, which have no country: they stand between the rivals in every order. */
function dailyRates(): Files {
  const days = Array.from({ length: 7000 }, (_, index) => `${addDays('2020-09-08', -index)},${1 + index / 10_000},`);
  return { 'ecb-eurofxref/eurofxref-hist.csv': ['Date,USD,', ...days, ''].join('\n') };
}

interface Row {
  readonly observationId: string;
  readonly sourceId: string;
  readonly country: string | null;
  readonly factorKey: string;
  readonly period: string;
  readonly scoringEligible: boolean;
  readonly preferredForFactor: boolean;
}

let pipeline: Pipeline;
let service: RunningService;
beforeAll(async () => {
  pipeline = await openPipeline();
  await pipeline.run(rivals(), '2020-09-09T08:00:00.000Z');
  service = await startService(pipeline.dataDir, { now: Date.parse(NOW) });
});
afterAll(async () => {
  await service.stop();
  await pipeline.remove();
});

describe('a bulk answer', () => {
  const bulk = async (path: string): Promise<readonly Row[]> => {
    const response = await service.get(`${path}${path.includes('?') ? '&' : '?'}format=ndjson`);
    expect(response.status).toBe(200);
    return (await response.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Row);
  };
  const slotOf = (row: Row) => `${row.country} ${row.factorKey} ${row.period}`;

  it.each([
    '/observations?sort=actual',
    '/observations?sort=actual&order=desc',
    '/observations?sort=observed_at&vintage=all',
    '/observations?sort=observed_at&order=desc&vintage=all',
    '/observations?as_of=2020-09-09&sort=actual',
    '/observations/changes?',
  ])('marks one row per slot, the same for any page size: %s', async (path) => {
    const rows = await bulk(`${path}&limit=1000000`);
    expect(rows.length).toBeGreaterThan(7000);
    const slots = new Set(rows.filter((row) => row.scoringEligible && row.country !== null && row.factorKey !== null).map(slotOf));
    const preferred = rows.filter((row) => row.preferredForFactor);
    expect(preferred.map(slotOf).toSorted((a, b) => (a < b ? -1 : 1))).toEqual([...slots].sort());
    expect(preferred.every((row) => row.scoringEligible)).toBe(true);
    const payrolls = preferred.filter((row) => row.factorKey === 'nonfarm_payrolls');
    expect(new Set(payrolls.map((row) => row.sourceId))).toEqual(new Set(['fred']));
    const unemployment = preferred.filter((row) => row.factorKey === 'unemployment_rate');
    expect(new Set(unemployment.map((row) => row.sourceId))).toEqual(new Set(['fred_md']));
  });

  it('is decided among the returned rows: a row that is cut off is no rival', async () => {
    const rows = await bulk('/observations?sort=actual&limit=6000');
    const payrolls = rows.filter((row) => row.preferredForFactor && row.factorKey === 'nonfarm_payrolls');
    expect(payrolls.map((row) => row.sourceId)).toEqual(['fred_md', 'fred_md']);
  });
});

const moment = fc.integer({ min: 0, max: 150 }).map((day) => `${addDays('2020-05-01', day)}T12:00:00.000Z`);
const QUESTIONS = isLong ? 80 : 40;
const filters = fc.record({
  ...Object.fromEntries(Object.entries(UNFILTERED).map(([name, value]) => [name, fc.constant(value)])),
  vintage: fc.constantFrom('latest', 'first', 'all'),
  asOf: fc.option(moment),
  observedFrom: fc.option(moment, { freq: 4 }),
  periodFrom: fc.option(fc.constantFrom('2020-05-31', '2020-07-31')),
}) as fc.Arbitrary<VintageFilters>;
const page = fc.record({
  sort: fc.constantFrom(...observationsList.sorts),
  order: fc.constantFrom('asc', 'desc'),
  limit: fc.integer({ min: 1, max: 60 }),
  skipped: fc.integer({ min: 0, max: 10 }),
  now: fc.integer({ min: 0, max: 120 }),
});

describe('the preferred rows in SQL', () => {
  let snapshot: SnapshotReader;
  let series: readonly Series[];
  beforeAll(async () => {
    snapshot = await pipeline.open();
    series = snapshot.catalogue.series.filter((one) => one.country !== null);
  });

  interface Asked {
    readonly list: (page: PageOf<ObservationSort>) => ReturnType<typeof listVintages>;
    readonly decide: (answer: PageOf<ObservationSort>, at: number) => Promise<ReadonlySet<string>>;
  }
  const propertyOf = (asked: (chosen: VintageFilters) => Asked, found: { count: number }) =>
    fc.asyncProperty(filters, page, async (chosen, { sort, order, limit, skipped, now }) => {
      const { list, decide } = asked(chosen);
      const before = skipped === 0 ? null : (await list({ sort, order, limit: skipped, after: null })).nextKey;
      const answer = { sort, order, limit, after: before };
      const at = chosen.asOf === null ? Date.parse('2020-07-01') + now * 86_400_000 : Date.parse(chosen.asOf);
      const rows: readonly VintageRow[] = (await list(answer)).rows;
      const naive = await toObservations(rows, { catalogue: snapshot.catalogue, at });
      const preferred = await decide(answer, at);
      expect(await toObservations(rows, { catalogue: snapshot.catalogue, at, preferred })).toEqual(naive);
      expect(preferred.size).toBe(naive.filter((row) => row.preferredForFactor).length);
      found.count += preferred.size;
    });

  it('equal those found by a look at every row, for any question', async () => {
    const found = { count: 0 };
    const asked = (chosen: VintageFilters): Asked => ({
      list: (one) => listVintages(snapshot, series, chosen, one),
      decide: (answer, at) => preferredVintages(snapshot, series, chosen, answer, at),
    });
    await fc.assert(propertyOf(asked, found), { numRuns: QUESTIONS });
    expect(found.count).toBeGreaterThan(QUESTIONS / 4);
  });

  it('equal those among the newest rows too', async () => {
    const found = { count: 0 };
    const asked = (chosen: VintageFilters): Asked => ({
      list: (one) => listLatest(snapshot, series, chosen, one),
      decide: (answer, at) => preferredLatest(snapshot, series, chosen, answer, at),
    });
    await fc.assert(propertyOf(asked, found), { numRuns: QUESTIONS });
    expect(found.count).toBeGreaterThan(QUESTIONS / 2);
  });
});
