// Positioning percentiles against SciPy on invented reports (test/reference/cot_percentiles.py), and what must never happen: look-ahead, a break
// of scale read as a signal, a number out of too few reports.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addDays } from '../../src/model/period.ts';
import { financialFutures } from './reports.ts';
import { compareWithLakeOfThen } from '../story/look-ahead/lake-of-then.ts';
import { openPipeline, type Pipeline } from '../pipeline.ts';
import { isLong } from '../suite.ts';

interface Expected {
  readonly periodEnd: string;
  readonly net: number;
  readonly percentile3y: number | null;
  readonly percentile1y: number | null;
  readonly zScore3y: number | null;
  readonly weeklyChange: number | null;
  readonly windowCount: number;
  readonly valueText: string | null;
}
type Contract = { readonly reports: readonly (readonly [string, number, number])[]; readonly expected: readonly Expected[] };

const CONTRACTS = JSON.parse(readFileSync(join(import.meta.dirname, '../fixtures/derived/cot_percentiles.json'), 'utf8')) as Record<
  string,
  Contract
>;
const CODES: Readonly<Record<string, string>> = { GOLD: 'cftc_088691', CORN: 'cftc_002602', SILVER: 'cftc_084691' };
const KEY = 'cftc/legacy_futonly/noncommercial_history_1986_2026.csv';

type Report = readonly [name: string, day: string, long: number, short: number];

/** The history of positions as its publisher lays it out: newest first. */
function history(reports: readonly Report[]): string {
  const rows = reports
    .toSorted((a, b) => (a[1] < b[1] ? 1 : -1))
    .map(([name, day, long, short]) => `${day},${name},${long},${short},${long - short},${name}`);
  return `Date,Commodity,NonComm Long,NonComm Short,NonComm Net,Code\n${rows.join('\n')}\n`;
}

const everyReport = Object.entries(CONTRACTS).flatMap(([name, { reports }]) =>
  reports.map(([day, long, short]): Report => [name, day, long, short]),
);

async function percentiles(pipeline: Pipeline) {
  const snapshot = await pipeline.open();
  return snapshot.withConnection(async (connection) => {
    const result = await connection.runAndReadAll(`
      select series.entity_id, period_end::varchar as period_end, value, value_text, metadata, observed_at, release_no
      from published.vintages inner join published.series using (series_no)
      where canonical_id = 'cot_positioning_percentile' and known_to is null order by all`);
    return result.getRowObjects();
  });
}

describe('positioning percentiles', () => {
  let pipeline: Pipeline;
  beforeAll(async () => {
    pipeline = await openPipeline();
    await pipeline.run({ [KEY]: history(everyReport) }, '2021-01-01T00:00:00.000Z');
  });
  afterAll(() => pipeline.remove());

  it('equal those of SciPy, report by report, with all their parts', async () => {
    const rows = await percentiles(pipeline);
    for (const [name, { expected }] of Object.entries(CONTRACTS)) {
      const own = rows.filter((row) => row['entity_id'] === CODES[name]);
      expect(own.length).toBe(expected.length);
      for (const [index, want] of expected.entries()) {
        const { reason, zScore3y, ...got } = JSON.parse(String(own[index]?.['metadata']));
        expect({ periodEnd: own[index]?.['period_end'], valueText: own[index]?.['value_text'], ...got }).toEqual({
          ...want,
          zScore3y: undefined,
        });
        expect(zScore3y === null).toBe(want.zScore3y === null);
        expect(zScore3y ?? 0).toBeCloseTo(want.zScore3y ?? 0, 5);
        expect(own[index]?.['value']).toBe(want.percentile3y);
        expect(reason).toBe(want.percentile3y === null ? 'insufficient_history' : null);
      }
    }
  });

  it('need 104 reports: the 103rd has none, the 104th has one', async () => {
    const gold = (await percentiles(pipeline)).filter((row) => row['entity_id'] === CODES['GOLD']);
    expect([gold[102]?.['value'], typeof gold[103]?.['value']]).toEqual([null, 'number']);
  });

  it('of a constant position are 50, without a z-score', async () => {
    const silver = (await percentiles(pipeline)).filter((row) => row['entity_id'] === CODES['SILVER']).at(-1);
    expect(silver?.['value']).toBe(50);
    expect(JSON.parse(String(silver?.['metadata'])).zScore3y).toBeNull();
  });
});

describe('a position that is corrected later', () => {
  it.runIf(isLong)('changes the percentiles of its windows from then on, and nothing before', async () => {
    const pipeline = await openPipeline();
    try {
      const gold = everyReport.filter(([name]) => name === 'GOLD');
      await pipeline.ingest({ [KEY]: history(gold.slice(0, 200)) }, '2019-01-01T00:00:00.000Z');
      const corrected = gold.map((report, index): Report => (index === 150 ? ['GOLD', report[1], report[2] + 500_000, report[3]] : report));
      await pipeline.ingest({ [KEY]: history(corrected) }, '2020-06-01T00:00:00.000Z');
      await pipeline.publish();
      const report = await compareWithLakeOfThen(
        pipeline,
        ['cot_positioning_percentile'],
        [
          '2017-03-03T20:29:59.999Z',
          '2017-03-03T20:30:00.000Z',
          '2018-10-01T00:00:00.000Z',
          '2020-05-31T23:59:59.999Z',
          '2020-06-01T00:00:00.000Z',
        ],
      );
      expect(report.differences).toEqual([]);
      expect(report.rowsCompared).toBeGreaterThan(500);
    } finally {
      await pipeline.remove();
    }
  });
});

describe('a jump of open interest', () => {
  // Weekly until the shutdown of 2025; the report of October 14 was in hand on November 10, that of September 30, due on the 19th, was not.
  const before = Array.from({ length: 143 }, (_, week) => ({
    day: addDays('2023-01-03', 7 * week),
    openInterest: 100_000 + ((week * 37) % 11) * 100,
    short: 20_000 + ((week * 53) % 17) * 1_000,
  }));
  const report = (day: string, openInterest: number) => ({ day, openInterest, short: 30_000 });

  it.runIf(isLong)('that no table names is a warning and starts no window, and a late report joins its windows on arrival', async () => {
    const pipeline = await openPipeline();
    try {
      const key = 'cftc/tff_futonly/FinFutYY_2025.txt';
      const file = (reports: Parameters<typeof financialFutures>[1]) => financialFutures('AN INDEX - AN EXCHANGE', reports);
      const newest = report('2025-10-14', 350_000);
      await pipeline.ingest({ [key]: file([...before, newest]) }, '2025-11-10T00:00:00.000Z');
      await pipeline.ingest({ [key]: file([...before, report('2025-09-30', 200_000), newest]) }, '2025-11-20T00:00:00.000Z');
      await pipeline.publish();
      const cutoffs = ['2025-11-09T00:00:00.000Z', '2025-11-12T00:00:00.000Z', '2025-11-20T00:00:00.000Z'];
      const { differences, rowsCompared } = await compareWithLakeOfThen(pipeline, ['cot_tff_percentile'], cutoffs);
      expect(differences).toEqual([]);
      expect(rowsCompared).toBe(143 + 144 + 145);
      const snapshot = await pipeline.open();
      const said = (sql: string) => snapshot.withConnection(async (connection) => (await connection.runAndReadAll(sql)).getRows());
      const counts = await said(`
        select (metadata ->> '$.windowCount')::integer from published.vintages inner join published.series using (series_no)
        where canonical_id = 'cot_tff_percentile' and period_end = '2025-10-14' order by observed_at`);
      expect(counts.flat()).toEqual([144, 145]);
      const findings = await said("select severity, status, observed_value from published.quarantine where rule = 'scale_jump'");
      expect(findings).toEqual([['warn', 'released', '350000']]);
    } finally {
      await pipeline.remove();
    }
  });
});
