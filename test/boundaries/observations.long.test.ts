// Every query over the vintages against a naive reading of the same few rows: bounds are drawn from the very instants of the rows, and the
// milliseconds on either side.
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../src/db/query.ts';
import { derivedObservationsQuery } from '../../src/queries/derived.ts';
import { forecastsOfPeriodsQuery } from '../../src/queries/forecasts.ts';
import {
  observationsBackfillsQuery,
  observationsChangesQuery,
  observationsLatestQuery,
  observationsListQuery,
  observationsNewestQuery,
} from '../../src/queries/reads/engine.ts';
import { vintageByIdQuery, vintageByKeyQuery, vintagesOfPeriodQuery } from '../../src/queries/provenance.ts';
import { screenerStatesQuery, screenerStatisticsQuery } from '../../src/queries/reads/states.ts';
import { createStates } from '../screener/screens-by-hand.ts';
import {
  around,
  compare,
  moved,
  openRelations,
  type Print,
  type Relations,
  toVintages,
  type Vintage,
  VINTAGE_COLUMNS,
} from './by-hand/tables.ts';

const INSTANTS = [
  '2020-01-31T23:59:59.999Z',
  '2020-02-14T13:30:00.000Z',
  '2020-02-29T23:59:59.999Z',
  '2020-03-31T23:59:59.999Z',
  '2020-04-10T06:00:00.000Z',
  '2020-04-30T23:59:59.999Z',
] as const;
const PERIODS = [
  ['2018-12', '2018-12-31'],
  ['2019-11', '2019-11-30'],
  ['2019-12', '2019-12-31'],
  ['2020-01', '2020-01-31'],
  ['2020-02', '2020-02-29'],
] as const;

// Four series of up to five periods of up to four prints each; the fourth is derived. Values repeat, and may be withdrawn.
function drawPrints(seed: number): readonly Print[] {
  const cell = fc.record({
    instants: fc.subarray([...INSTANTS], { minLength: 0, maxLength: 4 }),
    values: fc.array(fc.option(fc.integer({ min: 1, max: 4 }), { freq: 4 }), { minLength: 4, maxLength: 4 }),
    releasedBefore: fc.integer({ min: 0, max: 40 }),
  });
  const [cells = []] = fc.sample(fc.array(cell, { minLength: 20, maxLength: 20 }), { seed, numRuns: 1 });
  return cells.flatMap(({ instants, values, releasedBefore }, at) => {
    const [period, periodEnd] = PERIODS[at % 5] ?? PERIODS[0];
    return instants.flatMap((observedAt, index): Print[] => {
      // The first print of a period is a value, and a withdrawal follows none.
      const value = values[index] ?? null;
      if (value === null && (index === 0 || values[index - 1] === null)) return [];
      return [
        {
          seriesNo: 11 + Math.floor(at / 5),
          period,
          periodEnd,
          value,
          observedAt,
          releasedAt: releasedBefore % 2 === 0 ? null : moved(observedAt, -releasedBefore * 3_600_000),
          ingestedAt: moved(observedAt, (at % 3) * 86_400_000),
          changeSequence: 1 + ((at * 5 + index) % 17),
          isDerived: at >= 15,
          isBackfill: at % 3 === 0,
          obsStatus: [null, 'P', 'E'][index % 3] ?? null,
        },
      ];
    });
  });
}

const bound = fc.option(fc.constantFrom(...INSTANTS.flatMap(around)), { freq: 2 });
const day = fc.option(fc.constantFrom(...PERIODS.flatMap(([, end]) => [moved(`${end}T00:00:00Z`, -1).slice(0, 10), end])), { freq: 2 });
const filters = fc.record({
  seriesNos: fc.option(fc.subarray([11, 12, 13, 14], { minLength: 1 }), { freq: 2 }),
  asOf: bound,
  observedFrom: bound,
  observedTo: bound,
  periodFrom: day,
  periodTo: day,
  releaseNumber: fc.option(fc.integer({ min: 1, max: 4 }), { freq: 2 }),
  vintage: fc.constantFrom('latest' as const, 'first' as const, 'all' as const),
  numericOnly: fc.boolean(),
  backfill: fc.option(fc.boolean(), { freq: 2 }),
});
type Filters = typeof filters extends fc.Arbitrary<infer Drawn> ? Drawn : never;

const rangeOf = ({ seriesNos }: Pick<Filters, 'seriesNos'>) => ({
  seriesFrom: Math.min(...(seriesNos ?? [11])),
  seriesTo: Math.max(...(seriesNos ?? [14])),
});

/** The filters as they are bound. */
const boundOf = <Asked extends Pick<Filters, 'seriesNos' | 'vintage'>>({ vintage, ...asked }: Asked) => ({
  ...asked,
  ...rangeOf(asked),
  chosenVintage: vintage,
});

/** What the bounds leave: bounds on knowledge time and on the period, both inclusive, print number, series. */
function withinBounds(all: readonly Vintage[], asked: Filters): readonly Vintage[] {
  return all.filter(
    (one) =>
      (asked.seriesNos ?? [11, 12, 13, 14]).includes(one.seriesNo) &&
      (asked.asOf === null || one.observedAt <= asked.asOf) &&
      (asked.observedTo === null || one.observedAt <= asked.observedTo) &&
      (asked.observedFrom === null || one.observedAt >= asked.observedFrom) &&
      (asked.periodFrom === null || one.periodEnd >= asked.periodFrom) &&
      (asked.periodTo === null || one.periodEnd <= asked.periodTo) &&
      (asked.backfill === null || one.isBackfill === asked.backfill),
  );
}

/** Of each series and period the newest known, the first, or all. */
function chosen(left: readonly Vintage[], vintage: Filters['vintage']): readonly Vintage[] {
  if (vintage === 'all') return left;
  const isBefore = (a: Vintage, b: Vintage) => (vintage === 'latest' ? a.observedAt > b.observedAt : a.observedAt < b.observedAt);
  return left.filter(
    (one) => !left.some((other) => other.seriesNo === one.seriesNo && other.periodEnd === one.periodEnd && isBefore(other, one)),
  );
}

// A print number is asked for of all vintages: the routes refuse it beside `vintage`.
const readable = (asked: Filters): Filters => (asked.releaseNumber === null ? asked : { ...asked, vintage: 'all' });
const isPrint = (asked: Filters) => (one: Vintage) => asked.releaseNumber === null || one.releaseNo === asked.releaseNumber;
const hasNumber = (one: Vintage) => one.value !== null;

/** The series of days; the others are monthly. */
const DAILY = 13;
const MONTH_BEFORE: Readonly<Record<string, string>> = {
  '2019-12-31': '2019-11-30',
  '2020-01-31': '2019-12-31',
  '2020-02-29': '2020-01-31',
};

/**
 * The value of the month before (of days, of the row before that has one), as it was just before an instant and at it.
 * @param historyFrom first day of a period that may be seen
 */
function previousOf(all: readonly Vintage[], newest: Vintage, historyFrom: string | null) {
  const own = all.filter((one) => one.seriesNo === newest.seriesNo && one.periodEnd < newest.periodEnd);
  const heldIn = (end: string | undefined, isKnown: (one: Vintage) => boolean) =>
    own
      .filter((one) => one.periodEnd === end && isKnown(one))
      .toSorted((a, b) => compare(a.observedAt, b.observedAt))
      .at(-1)?.value ?? null;
  const isBefore = (one: Vintage) => one.observedAt < newest.observedAt;
  const isAt = (one: Vintage) => one.observedAt <= newest.observedAt;
  const rowBefore = own
    .map((one) => one.periodEnd)
    .filter((one) => (heldIn(one, isBefore) ?? heldIn(one, isAt)) !== null)
    .toSorted(compare)
    .at(-1);
  const end = newest.seriesNo === DAILY ? rowBefore : MONTH_BEFORE[newest.periodEnd];
  if (historyFrom !== null && (end ?? '') < historyFrom) return { previous: null, revisedPrevious: null };
  const before = heldIn(end, isBefore);
  const after = heldIn(end, isAt);
  return { previous: before ?? after, revisedPrevious: before !== null && after !== before ? after : null };
}

function newestOf(left: readonly Vintage[]): readonly Vintage[] {
  const order = (a: Vintage, b: Vintage) => compare(b.periodEnd, a.periodEnd) || compare(b.observedAt, a.observedAt);
  return [11, 12, 13, 14].flatMap((seriesNo) =>
    left
      .filter((one) => one.seriesNo === seriesNo)
      .toSorted(order)
      .slice(0, 1),
  );
}

const COMMON = [
  'seriesNo',
  'period',
  'periodEnd',
  'value',
  'vintage',
  'observedAt',
  'releasedAt',
  'releaseNo',
  'idHash',
  'derivedFrom',
] as const;
const SHOWN = [...COMMON, 'knownTo', 'retrievedAt', 'isRevised', 'isBackfill', 'obsStatus', 'sourceRunId'] as const;
const only = (row: object, names: readonly string[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(row).filter(([name]) => names.includes(name)));
const byHash = <Row extends { readonly idHash?: unknown }>(rows: readonly Row[]) =>
  rows.toSorted((a, b) => Number(a.idHash) - Number(b.idHash));

describe('the queries over the vintages', () => {
  let relations: Relations;
  beforeAll(async () => {
    relations = await openRelations();
  });
  afterAll(() => relations.close());

  const load = async (seed: number) => {
    const vintages = toVintages(drawPrints(seed));
    const series = [11, 12, 13, 14].map((seriesNo) => ({ seriesNo, frequency: seriesNo === DAILY ? 'daily' : 'monthly' }));
    await relations.table('published.series', 'series_no integer, frequency varchar', series);
    await relations.table('published.vintages', VINTAGE_COLUMNS, vintages);
    await relations.create('published/latest');
    return vintages;
  };
  const holds = async (check: (all: readonly Vintage[], asked: Filters) => Promise<number>, numRuns = 90) => {
    let rows = 0;
    for (const seed of [1, 2, 3]) {
      const all = await load(seed);
      await fc.assert(
        fc.asyncProperty(filters, async (asked) => {
          rows += await check(all, asked);
        }),
        { numRuns, seed },
      );
    }
    expect(rows).toBeGreaterThan(100);
  };

  it('list the requested vintage of each period, as known between the bounds', async () => {
    await holds(async (all, drawn) => {
      const asked = readable(drawn);
      const found = await run(relations.reader, observationsListQuery, boundOf(asked));
      const expected = chosen(withinBounds(all, asked), asked.vintage).filter(
        (one) => isPrint(asked)(one) && (!asked.numericOnly || hasNumber(one)),
      );
      expect(byHash(found)).toEqual(byHash(expected).map((one) => only(one, SHOWN)));
      return found.length;
    });
  });

  it('count the omitted rows of periods without a first print', async () => {
    await holds(async (all, drawn) => {
      const asked = { ...readable(drawn), backfill: true };
      const [found] = await run(relations.reader, observationsBackfillsQuery, boundOf(asked));
      const expected = chosen(withinBounds(all, asked), asked.vintage).filter(
        (one) => isPrint(drawn)(one) && (!asked.numericOnly || hasNumber(one)),
      );
      expect(found).toEqual({ rowsLeftOut: expected.length });
      return expected.length;
    }, 60);
  });

  it('list only derived rows, by the same bounds', async () => {
    await holds(async (all, { numericOnly: _, ...rest }) => {
      const asked = { ...rest, releaseNumber: null };
      const found = await run(relations.reader, derivedObservationsQuery, boundOf(asked));
      const drawn = { ...asked, numericOnly: false };
      const expected = chosen(withinBounds(all, drawn), asked.vintage).filter((one) => one.inputs !== null);
      expect(byHash(found.map((row) => only(row, COMMON)))).toEqual(byHash(expected.map((one) => only(one, COMMON))));
      return found.length;
    });
  });

  it('find for each series the newest period with a value, and the prior period before and after it', async () => {
    await holds(async (all, drawn) => {
      const { numericOnly: _, ...asked } = readable(drawn);
      const found = await run(relations.reader, observationsLatestQuery, { ...boundOf(asked), historyFrom: asked.periodFrom });
      const left = chosen(withinBounds(all, { ...asked, numericOnly: false }), asked.vintage).filter(
        (one) => isPrint({ ...asked, numericOnly: false })(one) && hasNumber(one),
      );
      const expected = newestOf(left).map((one) => ({ ...only(one, SHOWN), ...previousOf(all, one, asked.periodFrom) }));
      expect(found.toSorted((a, b) => a.seriesNo - b.seriesNo)).toEqual(expected);
      return found.length;
    });
  });

  it('find the same in the published table', async () => {
    await holds(async (all, { seriesNos, periodFrom }) => {
      const found = await run(relations.reader, observationsNewestQuery, {
        seriesNos,
        periodFrom,
        historyFrom: periodFrom,
        ...rangeOf({ seriesNos }),
      });
      const inForce = all.filter((one) => one.knownTo === null && hasNumber(one) && (seriesNos ?? [one.seriesNo]).includes(one.seriesNo));
      const newest = newestOf(inForce).filter((one) => periodFrom === null || one.periodEnd >= periodFrom);
      const expected = newest.map((one) => ({ ...only(one, SHOWN), ...previousOf(all, one, periodFrom) }));
      expect(found.toSorted((a, b) => a.seriesNo - b.seriesNo)).toEqual(expected);
      return found.length;
    }, 40);
  });

  it('list the changes in order, all or of one vintage, since a moment and after a place', async () => {
    const place = fc.option(fc.record({ sequence: fc.integer({ min: 0, max: 18 }), idHash: fc.integer({ min: 0, max: 104_729 }) }));
    const draws = fc.sample(fc.tuple(bound, place, fc.integer({ min: 1, max: 60 })), { seed: 5, numRuns: 270 });
    await holds(async (all, drawn) => {
      const asked = readable(drawn);
      const [since, after, limit] = draws.pop() ?? [null, null, 60];
      const ties = all.filter((one) => one.changeSequence === after?.sequence);
      const afterId = ties[0]?.idHash ?? after?.idHash ?? null;
      const values = {
        ...boundOf(asked),
        since,
        afterSequence: after?.sequence ?? null,
        afterId: afterId === null ? null : String(afterId),
        limit,
      };
      const found = await run(relations.reader, observationsChangesQuery, values);
      const expected = chosen(withinBounds(all, asked), asked.vintage)
        .filter(
          (one) =>
            isPrint(asked)(one) &&
            (!asked.numericOnly || hasNumber(one)) &&
            (since === null || one.ingestedAt >= since) &&
            (after === null ||
              one.changeSequence > after.sequence ||
              (one.changeSequence === after.sequence && one.idHash > Number(afterId))),
        )
        .toSorted((a, b) => a.changeSequence - b.changeSequence || a.idHash - b.idHash)
        .slice(0, limit);
      expect(found).toEqual(
        expected.map((one) => ({
          ...only(one, SHOWN),
          changeSequence: one.changeSequence,
          changedAt: one.ingestedAt,
          priorVintage: one.priorVintage,
          priorValue: one.priorValue,
          hasPrior: one.priorObservedAt !== null,
        })),
      );
      return found.length;
    });
  });

  it('find a vintage by its identifier and by its key, and all of its period from the oldest on', async () => {
    const all = await load(1);
    // One run of one series read it under a code of its own.
    const coded = all.find((one) => one.seriesNo === 12 && one.runId !== null);
    await relations.table('published.series_codes', 'series_no integer, run_id varchar, series_code varchar', [
      { seriesNo: 12, runId: coded?.runId, seriesCode: 'OTHER' },
    ]);
    expect(all.some((one) => one.seriesNo !== 12 && one.runId === coded?.runId)).toBe(true);
    for (const one of all) {
      const [found, ...more] = await run(relations.reader, vintageByIdQuery, { idHash: String(one.idHash) });
      expect(more).toEqual([]);
      const { derivedFrom: _, isBackfill: __, ...stored } = one;
      const seriesCode = one.seriesNo === 12 && one.runId === coded?.runId ? 'OTHER' : null;
      expect(found).toEqual({ valueText: null, metadata: null, ...stored, seriesCode });
      const keyed = await run(relations.reader, vintageByKeyQuery, { seriesNo: one.seriesNo, period: one.period, vintage: one.vintage });
      expect(keyed).toEqual([found]);
      const expected = all
        .filter((other) => other.seriesNo === one.seriesNo && other.periodEnd === one.periodEnd)
        .toSorted((a, b) => compare(a.observedAt, b.observedAt))
        .map((row) => row.observedAt);
      for (const asOf of [null, ...around(one.observedAt)]) {
        const { seriesNo, periodEnd, period } = one;
        const siblings = await run(relations.reader, vintagesOfPeriodQuery, { seriesNo, periodEnd, period, asOf });
        expect(siblings.map((row) => row.observedAt)).toEqual(expected.filter((instant) => asOf === null || instant <= asOf));
      }
    }
    expect(await run(relations.reader, vintageByIdQuery, { idHash: '1' })).toEqual([]);
  });
});

describe('the newest forecast', () => {
  it('of each series and base period is the last one made by the cutoff, inclusive', async () => {
    const relations = await openRelations();
    const forecasts = INSTANTS.flatMap((observedAt, index) =>
      [11, 12].flatMap((seriesNo) =>
        ['2020-01', '2020-02'].map((basePeriod) => ({
          seriesNo,
          basePeriod,
          observedAt,
          forecast: index,
          forecastMethod: 'naive_v1',
          forecastPeriod: 'next',
          forecastOrigin: observedAt,
          forecastModelVersion: '1',
        })),
      ),
    );
    const again = {
      ...forecasts[0],
      forecastModelVersion: '2',
      forecast: 100,
      seriesNo: 11,
      basePeriod: '2020-01',
      observedAt: INSTANTS[5],
    };
    await relations.table(
      'published.forecasts',
      `series_no integer, base_period varchar, observed_at timestamptz, forecast double, forecast_method varchar, forecast_lower double,
       forecast_upper double, forecast_level double, forecast_period varchar, forecast_origin timestamptz, forecast_model_version varchar`,
      [...forecasts, again],
    );
    const asked = async (asOf: string | null, seriesNos: readonly number[], periods: readonly string[]) =>
      (await run(relations.reader, forecastsOfPeriodsQuery, { seriesNos, periods, asOf })).map((row) => [
        row.seriesNo,
        row.basePeriod,
        row.forecast,
      ]);
    const [before, at, after] = around(INSTANTS[2]);
    expect(await asked(before, [11], ['2020-01'])).toEqual([[11, '2020-01', 1]]);
    expect(await asked(at, [11], ['2020-01'])).toEqual([[11, '2020-01', 2]]);
    expect(await asked(after, [11, 12], ['2020-01', '2020-02'])).toEqual([
      [11, '2020-01', 2],
      [11, '2020-02', 2],
      [12, '2020-01', 2],
      [12, '2020-02', 2],
    ]);
    expect(await asked(null, [11, 12], ['2020-01'])).toEqual([
      [11, '2020-01', 100],
      [12, '2020-01', 5],
    ]);
    expect(await asked(moved(INSTANTS[0], -1), [11], ['2020-01'])).toEqual([]);
    relations.close();
  });
});

describe('the values that a screen compares', () => {
  let relations: Relations;
  beforeAll(async () => {
    relations = await openRelations();
  });
  afterAll(() => relations.close());

  const KNOWN_TO = '2024-12-31T00:00:00.000Z';
  const at = '2024-06-01T00:00:00.000Z';
  const prints = (seriesNo: number, values: Readonly<Record<string, number | null>>, observedAt = at): readonly Print[] =>
    Object.entries(values).map(([periodEnd, value]) => ({ seriesNo, period: periodEnd, periodEnd, value, observedAt }));
  const asked = async (
    given: readonly Print[],
    more: { asOf?: string | null; periodFrom?: string | null; nos?: readonly number[]; frequency?: string } = {},
  ) => {
    await relations.table('published.vintages', VINTAGE_COLUMNS, toVintages(given));
    const own = [...new Set(given.map((one) => one.seriesNo))];
    // An indicator each.
    const indicators = own.map((seriesNo) => ({ seriesNo, canonicalId: `c${seriesNo}`, isScreenable: true }));
    await relations.table(
      'derived.all_series',
      'series_no integer, canonical_id varchar',
      indicators.map(({ seriesNo, canonicalId }) => ({ seriesNo, canonicalId })),
    );
    await relations.table(
      'reference.canonical_indicators',
      'canonical_id varchar, is_screenable boolean',
      indicators.map(({ canonicalId, isScreenable }) => ({ canonicalId, isScreenable })),
    );
    const frequency = more.frequency ?? 'daily';
    await relations.table(
      'published.series',
      'series_no integer, frequency varchar',
      own.map((seriesNo) => ({ seriesNo, frequency })),
    );
    await createStates(relations, KNOWN_TO);
    const indicatorNos = more.nos ?? own;
    const about = {
      indicatorNos,
      firstNo: Math.min(...indicatorNos),
      lastNo: Math.max(...indicatorNos),
      epoch: 2024,
      asOf: more.asOf ?? 'infinity',
      periodFrom: more.periodFrom ?? '0001-01-01',
    };
    const compared = new Map((await run(relations.reader, screenerStatisticsQuery, about)).map((row) => [row.seriesNo, row]));
    const states = await run(relations.reader, screenerStatesQuery, about);
    expect(new Set(states.map((row) => row.seriesNo))).toEqual(new Set(compared.keys()));
    return states.flatMap((row) => {
      const statistics = compared.get(row.seriesNo);
      return statistics === undefined ? [] : [{ ...row, ...statistics }];
    });
  };
  const yearAgo = async (values: Readonly<Record<string, number>>, frequency = 'daily') =>
    (await asked(prints(1, values), { frequency }))[0]?.valueYearAgo;

  it('are the newest value and the one before it, as known at the cutoff', async () => {
    const [before, , after] = around(at);
    const given = [
      ...prints(1, { '2024-01-31': 1, '2024-02-29': 2, '2024-03-31': 3 }, before),
      ...prints(1, { '2024-02-29': 20, '2024-03-31': null }, at),
      ...prints(1, { '2024-04-30': 4 }, after),
      ...prints(2, { '2024-01-31': 7 }, before),
      ...prints(3, { '2024-01-31': 8 }, before),
    ];
    const values = async (asOf: string | null, periodFrom: string | null = null) =>
      (await asked(given, { asOf, periodFrom, nos: [1, 3] })).map((row) => [row.seriesNo, row.period, row.value, row.previous]);
    expect(await values(before)).toEqual([
      [1, '2024-03-31', 3, 2],
      [3, '2024-01-31', 8, null],
    ]);
    expect(await values(at)).toEqual([
      [1, '2024-02-29', 20, 1],
      [3, '2024-01-31', 8, null],
    ]);
    expect(await values(after)).toEqual([
      [1, '2024-04-30', 4, 20],
      [3, '2024-01-31', 8, null],
    ]);
    expect(await values(null)).toEqual(await values(after));
    expect(await values(moved(at, -2))).toEqual([]);
    expect(await values(after, '2024-01-31')).toEqual(await values(after));
    expect(await values(after, '2024-02-01')).toEqual([[1, '2024-04-30', 4, 20]]);
    expect(await values(after, '2024-04-30')).toEqual([[1, '2024-04-30', 4, null]]);
  });

  it('for days are the row before, however old', async () => {
    expect((await asked(prints(1, { '2019-01-31': 1, '2024-03-31': 2 })))[0]).toMatchObject({ value: 2, previous: 1, count3y: 1 });
  });

  it.each([
    ['monthly', { '2025-09-30': 324.7, '2025-11-30': 326.1 }, null],
    ['monthly', { '2025-09-30': 324.7, '2025-10-31': 325.2, '2025-11-30': 326.1 }, 325.2],
    ['monthly', { '2025-10-31': 325.2, '2026-01-31': 326.1 }, null],
    ['quarterly', { '2025-06-30': 1, '2025-12-31': 2 }, null],
    ['quarterly', { '2024-12-31': 1, '2025-03-31': 2 }, 1],
    ['annual', { '2022-12-31': 1, '2024-12-31': 2 }, null],
    ['annual', { '2023-12-31': 1, '2024-12-31': 2 }, 1],
    // Tuesdays; that of the last week of 2024 was a Monday.
    ['weekly', { '2024-12-31': 1, '2025-01-14': 2 }, null],
    ['weekly', { '2024-12-30': 1, '2025-01-07': 2 }, 1],
    ['event', { '2023-12-13': 1, '2024-09-18': 2 }, 1],
  ])('for the %s period before follow the calendar: for %j, %s', async (frequency, values, previous) => {
    expect((await asked(prints(1, values), { frequency }))[0]?.previous).toBe(previous);
  });

  it.each([
    ['monthly', { '2024-11-30': 1, '2025-11-30': 2 }, 1],
    ['monthly', { '2024-10-31': 1, '2025-11-30': 2 }, null],
    ['quarterly', { '2024-09-30': 1, '2024-12-31': 3, '2025-09-30': 2 }, 1],
    ['annual', { '2023-03-31': 1, '2024-03-31': 2 }, 1],
    // The tenth weeks of 2020 and 2021, 53 weeks apart, and the eleventh of 2020.
    ['weekly', { '2020-03-07': 1, '2020-03-14': 3, '2021-03-13': 2 }, 1],
    ['weekly', { '2020-03-14': 3, '2021-03-13': 2 }, null],
    // The 37th weeks of 2025 and 2026, 52 weeks apart.
    ['weekly', { '2025-09-06': 3, '2025-09-13': 1, '2026-09-12': 2 }, 1],
    // 2019 had no week 53.
    ['weekly', { '2019-12-28': 3, '2020-01-04': 1, '2021-01-02': 2 }, null],
  ])('for the same %s period a year before: for %j, %s', async (frequency, values, valueYearAgo) => {
    expect(await yearAgo(values, frequency)).toBe(valueYearAgo);
  });

  it('for days a year before are the newest of the ten days up to that day', async () => {
    expect(await yearAgo({ '2023-02-28': 1, '2024-02-29': 2 })).toBe(1);
    expect(await yearAgo({ '2023-06-30': 1, '2024-06-30': 2 })).toBe(1);
    expect(await yearAgo({ '2023-05-31': 1, '2024-06-30': 2 })).toBeNull();
    expect(await yearAgo({ '2023-07-31': 1, '2024-06-30': 2 })).toBeNull();
    expect(await yearAgo({ '2023-03-15': 1, '2024-03-15': 2 })).toBe(1);
    expect(await yearAgo({ '2023-03-05': 1, '2024-03-15': 2 })).toBe(1);
    expect(await yearAgo({ '2023-03-04': 1, '2024-03-15': 2 })).toBeNull();
    expect(await yearAgo({ '2023-03-16': 1, '2024-03-15': 2 })).toBeNull();
    expect(await yearAgo({ '2023-03-07': 1, '2023-03-14': 3, '2023-03-21': 4, '2024-03-15': 2 })).toBe(3);
    // The last day of a month stands for the month: 30 April is not the 30th of a longer one.
    expect(await yearAgo({ '2023-03-31': 1, '2023-03-30': 3, '2024-03-31': 2 })).toBe(1);
  });

  it('have the spread of the 36 months that end with the newest', async () => {
    const [row] = await asked(prints(1, { '2021-03-31': 100, '2021-04-30': 1, '2022-03-31': 2, '2024-03-31': 6 }));
    expect(row).toMatchObject({ count3y: 3, mean3y: 3 });
    expect(row?.deviation3y).toBeCloseTo(Math.sqrt((4 + 1 + 9) / 2), 12);
    const [next] = await asked(prints(1, { '2021-03-15': 100, '2021-03-16': 2, '2024-03-15': 6 }));
    expect(next).toMatchObject({ count3y: 2, mean3y: 4 });
    expect((await asked(prints(1, { '2024-03-31': 6 })))[0]).toMatchObject({ count3y: 1, mean3y: 6, deviation3y: null });
  });

  it('have no spread if no value differs, even if their sum is inexact in binary', async () => {
    const days = Array.from({ length: 768 }, (_, index) => new Date(Date.UTC(2024, 2, 29 - index)).toISOString().slice(0, 10));
    for (const value of [1.9558, 0.1, 7.4605]) {
      const [row] = await asked(prints(1, Object.fromEntries(days.map((end) => [end, value]))));
      expect(row).toMatchObject({ count3y: 768, mean3y: value, deviation3y: 0 });
    }
  });
});
