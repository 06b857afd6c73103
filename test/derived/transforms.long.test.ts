// Growth rates and changes, vintage by vintage, against pandas on invented levels (test/reference/macro_transforms.py).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addDays, endOfDay, lastDayOfMonth } from '../../src/model/period.ts';
import type { SnapshotReader } from '../../src/snapshot/serving/reader.ts';
import { compareWithLakeOfThen } from '../story/look-ahead/lake-of-then.ts';
import { ask, type Files, fredMdFile, openPipeline, type Pipeline, realTimeFile } from '../pipeline.ts';
import { isLong } from '../suite.ts';

type Values = Readonly<Record<string, number | null>>;
type ByVintage = Readonly<Record<string, Values>>;
interface Case {
  readonly levels: ByVintage;
  readonly expected: Readonly<Record<string, ByVintage>>;
}

const CASES = JSON.parse(readFileSync(join(import.meta.dirname, '../fixtures/derived/macro_transforms.json'), 'utf8')) as Readonly<
  Record<string, Case>
>;
const VINTAGES = ['2020-05', '2020-06', '2020-07', '2020-08', '2020-09'];
const AT = '2021-01-01T00:00:00.000Z';
/** Not among the columns of FRED-MD: real-time periods, each vintage from the last day of its month. */
const REAL_TIME = ['PCEPILFE', 'RGDP'];
const FUNDS_RATE = { '2020-02': 1.58, '2020-03': 0, '2020-04': -0.05 };
const instantOf = (vintage: string) => endOfDay(lastDayOfMonth(vintage));

function realTimePeriods(code: string, levels: ByVintage): Files {
  const rows = VINTAGES.flatMap((vintage, index) => {
    const next = VINTAGES[index + 1];
    const until = next === undefined ? '2020-12-31' : addDays(lastDayOfMonth(next), -1);
    return Object.entries(levels[vintage] ?? {}).flatMap(([period, level]) =>
      level === null ? [] : [[firstDayOf(period), lastDayOfMonth(vintage), until, level] as const],
    );
  });
  return realTimeFile(
    code,
    code,
    rows.toSorted((a, b) => `${a[0]}${a[1]}`.localeCompare(`${b[0]}${b[1]}`)),
  );
}

function firstDayOf(period: string): string {
  const quarter = /^(\d{4})-Q(\d)$/.exec(period);
  return quarter === null ? `${period}-01` : `${quarter[1]}-${String(3 * Number(quarter[2]) - 2).padStart(2, '0')}-01`;
}

function filesOf(): Files {
  const monthly = VINTAGES.map((vintage) =>
    fredMdFile(vintage, {
      ...Object.fromEntries(
        Object.entries(CASES)
          .filter(([code]) => !REAL_TIME.includes(code))
          .map(([code, { levels }]) => [code, levels[vintage] ?? {}]),
      ),
      FEDFUNDS: FUNDS_RATE,
    }),
  );
  return Object.assign({}, ...monthly, ...REAL_TIME.map((code) => realTimePeriods(code, CASES[code]?.levels ?? {}))) as Files;
}

async function answers(snapshot: SnapshotReader, indicator: string, asOf: string): Promise<Record<string, number>> {
  const rows = await ask(snapshot, { indicatorIds: [`us_${indicator}`] }, { asOf });
  return Object.fromEntries(rows.flatMap(({ period, value }) => (value === null ? [] : [[period, value] as const])));
}

const computed = Object.entries(CASES).flatMap(([code, { expected }]) =>
  Object.keys(expected).map((indicator) => [indicator, code] as const),
);

describe('growth rates and changes', () => {
  let pipeline: Pipeline;
  let snapshot: SnapshotReader;
  beforeAll(async () => {
    pipeline = await openPipeline();
    await pipeline.run(filesOf(), AT);
    snapshot = await pipeline.open();
  });
  afterAll(() => pipeline.remove());

  it.each(computed)('come from each vintage separately: %s of %s', async (indicator, code) => {
    expect(await answers(snapshot, indicator, addDays(lastDayOfMonth('2020-05'), -1))).toEqual({});
    for (const vintage of VINTAGES) {
      const expected = CASES[code]?.expected[indicator]?.[vintage] ?? {};
      const found = await answers(snapshot, indicator, instantOf(vintage));
      expect(Object.keys(found).toSorted()).toEqual(Object.keys(expected).toSorted());
      expect(Object.keys(found).length).toBeGreaterThan(2);
      for (const [period, value] of Object.entries(expected))
        expect(found[period], `${vintage} ${period}`).toBeCloseTo(value ?? Number.NaN, 9);
    }
  });

  it('are null, and never infinite, if a level is zero, negative or nearly zero', async () => {
    const rows = await ask(
      snapshot,
      { indicatorIds: ['us_m2_growth_yoy', 'us_industrial_production_yoy', 'us_retail_sales_mom', 'us_gdp_growth'] },
      { vintage: 'all' },
    );
    expect(rows.some(({ value }) => value === null)).toBe(true);
    expect(rows.filter(({ value }) => value !== null && !Number.isFinite(value))).toEqual([]);
  });

  it('keep the funds rate unchanged as the policy rate, which may be zero or negative', async () => {
    expect(await answers(snapshot, 'policy_rate', instantOf('2020-05'))).toEqual(FUNDS_RATE);
  });

  it.runIf(isLong)('never show more at a cutoff than the lake of that time', async () => {
    const ids = [...computed.map(([indicator]) => indicator), 'policy_rate'];
    const cutoffs = [Date.parse(instantOf('2020-07')) - 1, Date.parse(instantOf('2020-08'))];
    const report = await compareWithLakeOfThen(
      pipeline,
      ids,
      cutoffs.map((cutoff) => new Date(cutoff).toISOString()),
    );
    expect(report.differences).toEqual([]);
    expect(report.rowsCompared).toBeGreaterThan(500);
  });
});
