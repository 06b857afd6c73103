// Consumer price inflation by vintage against a computation of each vintage by itself.
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { endOfDay, lastDayOfMonth } from '../../src/model/period.ts';
import { compareWithLakeOfThen, interestingCutoffs } from '../story/look-ahead/lake-of-then.ts';
import { ask, type Files, fredMdFile, openPipeline, type Pipeline, realTimeFile } from '../pipeline.ts';
import { isLong } from '../suite.ts';

const VINTAGES = ['2020-05', '2020-06', '2020-07', '2020-08', '2020-09'];
const RATE = { indicatorIds: ['us_cpi_inflation_yoy'] };
const AT = '2021-01-01T00:00:00.000Z';

type Levels = Readonly<Record<string, number | null>>;

/** Month after month from 2018-10 to the month before the vintage. */
function monthsUntil(vintage: string): string[] {
  const count = (Number(vintage.slice(0, 4)) - 2018) * 12 + Number(vintage.slice(5)) - 10;
  return [...Array(count).keys()].map(
    (index) => `${2018 + Math.floor((index + 9) / 12)}-${String(((index + 9) % 12) + 1).padStart(2, '0')}`,
  );
}

/** Levels of each vintage: revised here and there, missing here and there, and from `rebased` on on half the scale. */
function vintagesFrom(seed: number, rebased: number): readonly Levels[] {
  const kinds = fc.sample(fc.integer({ min: 0, max: 19 }), { numRuns: 200, seed });
  let drawn = 0;
  return VINTAGES.map((vintage, v) =>
    Object.fromEntries(
      monthsUntil(vintage).map((month, m) => {
        const kind = kinds[drawn % kinds.length] ?? 0;
        drawn += 1;
        const level = 240 + m + (kind < 4 ? kind / 8 : 0);
        return [month, kind === 19 ? null : v >= rebased ? level / 2 : level];
      }),
    ),
  );
}

function inflationOf(levels: Levels): Record<string, number> {
  const rates: Record<string, number> = {};
  for (const [month, level] of Object.entries(levels)) {
    const yearAgo = levels[`${Number(month.slice(0, 4)) - 1}${month.slice(4)}`];
    if (level !== null && yearAgo !== null && yearAgo !== undefined) rates[month] = 100 * (level / yearAgo - 1);
  }
  return rates;
}

const filesOf = (vintages: readonly Levels[]): Files =>
  Object.assign({}, ...VINTAGES.map((vintage, v) => fredMdFile(vintage, { CPIAUCSL: vintages[v] ?? {} }))) as Files;
/** A steady rise on a scale. */
const level = (months: readonly string[], scale: number): Levels =>
  Object.fromEntries(months.map((month, m) => [month, (240 + m) * scale]));
const instantOf = (vintage: string) => endOfDay(lastDayOfMonth(vintage));

describe('consumer price inflation', () => {
  let pipeline: Pipeline;
  beforeEach(async () => {
    pipeline = await openPipeline();
  });
  afterEach(() => pipeline.remove());

  const answers = async (asOf: string) => {
    const rows = await ask(await pipeline.open(), RATE, { asOf });
    return Object.fromEntries(rows.flatMap(({ period, value }) => (value === null ? [] : [[period, value] as const])));
  };

  it.each([
    [11, 99],
    [12, 2],
    [13, 4],
  ])('comes from one vintage at every cutoff, despite revisions, withdrawals and new base years (seed %i)', async (seed, rebased) => {
    const vintages = vintagesFrom(seed, rebased);
    await pipeline.run(filesOf(vintages), AT);
    expect(await answers('2020-05-31T23:59:59.998Z')).toEqual({});
    for (const [v, vintage] of VINTAGES.entries()) {
      const expected = inflationOf(vintages[v] ?? {});
      expect(Object.keys(expected).length).toBeGreaterThan(3);
      expect(await answers(instantOf(vintage))).toEqual(expected);
    }
  });

  it('has no new vintage if a new base year changes only the levels', async () => {
    const files = {
      ...fredMdFile('2020-05', { CPIAUCSL: level(monthsUntil('2020-05'), 1) }),
      ...fredMdFile('2020-06', { CPIAUCSL: level(monthsUntil('2020-06'), 0.5) }),
    };
    await pipeline.run(files, AT);
    const rows = await ask(await pipeline.open(), RATE, { vintage: 'all' });
    expect(rows).toHaveLength(monthsUntil('2020-06').length - 12);
    expect(rows.filter((row) => row.vintage === '2020-06-30').map((row) => row.period)).toEqual(['2020-05']);
  });

  it.runIf(isLong)('never shows more at a cutoff than the lake of that time', async () => {
    await pipeline.run({ ...filesOf(vintagesFrom(21, 2)), ...STAGGERED }, AT);
    const all = await interestingCutoffs(pipeline);
    const cutoffs = fc.sample(fc.constantFrom(...all), { numRuns: 5, seed: 5 });
    const { differences, rowsCompared } = await compareWithLakeOfThen(
      pipeline,
      ['cpi_inflation_yoy', 'cpi'],
      ['2000-01-01T00:00:00.000Z', ...cutoffs],
    );
    expect(differences).toEqual([]);
    expect(rowsCompared).toBeGreaterThan(100);
  });
});

// Levels that are revised one by one, the older month at another time than the newer.
const STAGGERED = realTimeFile('CPI', 'CPI', [
  ['2019-01-01', '2019-02-13', '2020-03-01', 250],
  ['2019-01-01', '2020-03-02', '2020-05-11', 251],
  ['2019-01-01', '2020-06-01', '2020-12-31', 125.5],
  ['2019-02-01', '2019-03-12', '2020-12-31', 252],
  ['2019-03-01', '2019-04-10', '2020-12-31', 253],
  ['2020-01-01', '2020-02-13', '2020-04-30', 256],
  ['2020-01-01', '2020-05-01', '2020-06-30', 257],
  ['2020-01-01', '2020-07-01', '2020-12-31', 128.5],
  ['2020-02-01', '2020-03-11', '2020-12-31', 258],
]);
