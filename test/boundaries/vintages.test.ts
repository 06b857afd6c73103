// From the rows of the lake to the vintages of a period, and to pairs of vintages that held together.
import * as fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { toText } from '../../src/db/rows.ts';
import { idHash, observationId } from '../../src/model/observation.ts';
import { compare, type Given, moved, openRelations, type Relations } from './by-hand/tables.ts';

let relations: Relations;
beforeAll(async () => {
  relations = await openRelations();
});
afterAll(() => relations.close());

const instant = (day: number) => moved('2020-01-01T12:00:00.000Z', day * 86_400_000);
const SERIES = [
  { seriesNo: 1, sourceId: 'a', indicatorId: 'us_cpi', frequency: 'monthly' },
  { seriesNo: 2, sourceId: 'a', indicatorId: 'us_cpi', frequency: 'quarterly' },
  { seriesNo: 3, sourceId: 'b', indicatorId: 'us_cpi', frequency: 'monthly' },
  { seriesNo: 4, sourceId: 'a', indicatorId: 'us_gdp', frequency: 'monthly' },
] as const;

interface Stated {
  readonly series: number;
  readonly month: number;
  readonly day: number;
  readonly value: number | null;
}

const periodOf = (month: number) => ({
  period: `2020-0${month}`,
  periodStart: `2020-0${month}-01`,
  periodEnd: `2020-0${month}-${['31', '29', '31', '30'][month - 1]}`,
});

/** Rows of the lake, in the order in which they came in: of one period an older statement may come after a newer one. */
function lakeRows(stated: readonly Stated[]) {
  return stated.map(({ series, month, day, value }, index) => {
    const { seriesNo: _, ...key } = SERIES[series] ?? SERIES[0];
    const observedAt = instant(day);
    return {
      ...key,
      ...periodOf(month),
      value,
      observedAt,
      vintage: `v${index}`,
      releasedAt: moved(observedAt, -1000),
      retrievedAt: moved(observedAt, 3_600_000),
      ingestedAt: instant(30 + index),
      runId: `run ${index}`,
      changeSequence: index + 1,
    };
  });
}

const SERIES_SHAPE =
  'series_no integer, source_id varchar, indicator_id varchar, entity_id varchar, canonical_id varchar, frequency varchar, series_code varchar';
const CLASSES_SHAPE = 'cik varchar, ticker varchar, valid_from date, units double, shares double';
const SPLITS_SHAPE = 'cik varchar, effective_date date, ratio double, note varchar';

const statements = fc.array(
  fc.record({
    series: fc.integer({ min: 0, max: 3 }),
    month: fc.integer({ min: 1, max: 2 }),
    day: fc.integer({ min: 0, max: 6 }),
    value: fc.option(fc.integer({ min: 1, max: 2 }), { freq: 4 }),
  }),
  { minLength: 10, maxLength: 60 },
);

describe('the vintages of a period', () => {
  it('are the changed statements in the order in which they became known, whatever arrived first', async () => {
    await relations.table('series.series', SERIES_SHAPE, SERIES);
    await relations.table('reference.stock_splits', SPLITS_SHAPE);
    await relations.table('reference.share_classes', CLASSES_SHAPE);
    await relations.create('series/quoted_splits');
    let revisions = 0;
    await fc.assert(
      fc.asyncProperty(statements, async (stated) => {
        const rows = lakeRows(stated);
        await relations.lake({ observations: rows });
        await relations.connection.run('create or replace view series.attributed_observations as from lake.observations');
        await relations.create('series/vintages');
        const found = await relations.rows('from series.vintages order by series_no, period_end, release_no');
        const expected = SERIES.flatMap(({ seriesNo, ...key }) =>
          [1, 2].flatMap((month) => {
            const own = rows
              .filter(
                (row) =>
                  row.sourceId === key.sourceId &&
                  row.indicatorId === key.indicatorId &&
                  row.frequency === key.frequency &&
                  row.periodEnd === periodOf(month).periodEnd,
              )
              .toSorted((a, b) => compare(a.observedAt, b.observedAt) || a.changeSequence - b.changeSequence);
            const said = own.filter((row, index) => index === 0 || row.value !== own[index - 1]?.value);
            return said.map(({ sourceId: _, indicatorId: __, frequency: ___, ...row }, index) => ({
              seriesNo,
              ...row,
              knownTo: said[index + 1]?.observedAt ?? null,
              priorObservedAt: said[index - 1]?.observedAt ?? null,
              priorValue: said[index - 1]?.value ?? null,
              priorVintage: said[index - 1]?.vintage ?? null,
              firstObservedAt: said[0]?.observedAt,
              firstVintage: said[0]?.vintage,
              firstRetrievedAt: said[0]?.retrievedAt,
              obsStatus: null,
              releaseNo: index + 1,
              isRevised: row.value !== said[0]?.value,
            }));
          }),
        );
        revisions += expected.filter((row) => row.releaseNo > 1).length;
        expect(found).toEqual(expected);
      }),
      { numRuns: 25, seed: 11 },
    );
    expect(revisions).toBeGreaterThan(80);
  });

  // Two for one on 2020-01-15, three for one on 2020-02-10. The vendor sends history in the shares of its day.
  describe('of a company’s prices', () => {
    const SPLIT = ['0000000007', '0000000008'].flatMap((cik) => [
      { cik, effectiveDate: '2020-01-15', ratio: 2 },
      { cik, effectiveDate: '2020-02-10', ratio: 3 },
      { cik, effectiveDate: '2020-03-10', ratio: 1 },
    ]);
    const quoted = (canonicalId: string, value: number, day: string, retrieved: string, entityId = 'company_0000000007') => ({
      sourceId: 'quotes',
      entityId,
      canonicalId,
      indicatorId: `${entityId}_${canonicalId}`,
      frequency: 'daily',
      period: day,
      periodStart: day,
      periodEnd: day,
      value,
      observedAt: `${day}T21:00:00.000Z`,
      vintage: day,
      retrievedAt: retrieved,
      ingestedAt: retrieved,
      changeSequence: 1,
    });
    const asTraded = async (rows: readonly ReturnType<typeof quoted>[], classes: Parameters<typeof relations.table>[2] = []) => {
      const keys = [...new Map(rows.map((row) => [row.indicatorId, row])).values()];
      await relations.table(
        'series.series',
        SERIES_SHAPE,
        keys.map(({ sourceId, indicatorId, entityId, canonicalId, frequency }, index) => ({
          seriesNo: index + 1,
          sourceId,
          indicatorId,
          entityId,
          canonicalId,
          frequency,
          seriesCode: 'ZZQ.close',
        })),
      );
      await relations.table('reference.stock_splits', SPLITS_SHAPE, SPLIT);
      await relations.table('reference.share_classes', CLASSES_SHAPE, classes);
      await relations.lake({ observations: rows.map(({ entityId: _, canonicalId: __, ...row }) => row) });
      await relations.connection.run('create or replace view series.attributed_observations as from lake.observations');
      await relations.create('series/quoted_splits', 'series/vintages');
      return (await relations.rows('from series.vintages order by series_no, period_end, observed_at')).map((row) => row['value']);
    };

    it.each<readonly [string, string, string, number]>([
      ['that came in on the day', '2020-01-10', '2020-01-10T22:00:00.000Z', 10],
      ['that came in before the split', '2020-01-10', '2020-01-14T23:59:59.000Z', 10],
      ['that came in on the first day after it', '2020-01-10', '2020-01-15T00:00:00.000Z', 20],
      ['of the last day before it', '2020-01-14', '2020-02-09T12:00:00.000Z', 20],
      ['of the first day after it', '2020-01-15', '2020-02-09T12:00:00.000Z', 10],
      ['that came in after two splits', '2020-01-14', '2020-04-01T12:00:00.000Z', 60],
      ['between two splits', '2020-01-15', '2020-04-01T12:00:00.000Z', 30],
      ['after both', '2020-02-10', '2020-04-01T12:00:00.000Z', 10],
    ])('are as traded: one %s', async (_, day, retrieved, expected) => {
      for (const measure of ['price_open', 'price_high', 'price_low', 'price_close'])
        expect(await asTraded([quoted(measure, 10, day, retrieved)])).toEqual([expected]);
      // As many shares fewer changed hands.
      expect(await asTraded([quoted('volume', 600, day, retrieved)])).toEqual([6000 / expected]);
    });

    it('of a receipt move with a split only if it still represents the same shares', async () => {
      const receipt = (validFrom: string, shares: number, ticker = 'ZZQ') => ({ cik: '0000000007', ticker, validFrom, units: 1, shares });
      const later = '2020-02-09T12:00:00.000Z';
      const of = (...classes: ReturnType<typeof receipt>[]) => asTraded([quoted('price_close', 10, '2020-01-14', later)], classes);
      // Two for one on 2020-01-15.
      expect(await of(receipt('2019-01-01', 5))).toEqual([20]);
      expect(await of(receipt('2019-01-01', 5), receipt('2020-01-15', 10))).toEqual([10]);
      expect(await of(receipt('2019-01-01', 5), receipt('2020-01-15', 20))).toEqual([5]);
      expect(await of(receipt('2019-01-01', 5), receipt('2020-01-15', 10, 'OTHER'))).toEqual([20]);
      // On another day the ratio alone changes.
      expect(await of(receipt('2019-01-01', 1), receipt('2020-01-20', 4))).toEqual([5]);
    });

    it('have the traded decimals, without the noise of binary fractions', async () => {
      // 1.1 · 3 is 3.3000000000000003 and 1.1 · 6 is 6.6000000000000005 in binary fractions, a sixth of 9 is not made of any.
      const later = '2020-04-01T12:00:00.000Z';
      expect(await asTraded([quoted('price_close', 1.1, '2020-01-15', later)])).toEqual([3.3]);
      expect(await asTraded([quoted('price_close', 1.1, '2020-01-10', later)])).toEqual([6.6]);
      // What no split undoes stays as it came, to the last digit.
      expect(await asTraded([quoted('price_close', 3.3000000000000003, '2020-02-10', later)])).toEqual([3.3000000000000003]);
    });

    it("keep other companies' closes, and other numbers of the company, as they came", async () => {
      const later = '2020-04-01T12:00:00.000Z';
      expect(await asTraded([quoted('price_close', 10, '2020-01-10', later, 'company_0000000009')])).toEqual([10]);
      expect(await asTraded([quoted('price_close', 10, '2020-01-10', later, 'future_cl')])).toEqual([10]);
      expect(await asTraded([quoted('dividend', 10, '2020-01-10', later)])).toEqual([10]);
    });

    it('do not change by the rounding of an adjustment, but by more, or without one', async () => {
      const first = quoted('price_close', 10.01, '2020-01-10', '2020-01-10T22:00:00.000Z');
      const again = (value: number, retrieved: string) => ({
        ...quoted('price_close', value, '2020-01-10', retrieved),
        observedAt: retrieved,
        vintage: retrieved,
        changeSequence: 2,
      });
      expect(await asTraded([first, again(1.6683, '2020-04-01T12:00:00.000Z')])).toEqual([10.01]);
      expect(await asTraded([first, again(1.68, '2020-04-01T12:00:00.000Z')])).toEqual([10.01, expect.closeTo(10.08, 9)]);
      expect(await asTraded([first, again(10.0098, '2020-01-11T12:00:00.000Z')])).toEqual([10.01, 10.0098]);
    });

    it('do not change by digits beyond the fifteenth, which files print or omit', async () => {
      const printed = (value: number, day: number) => ({
        ...quoted('price_close', value, '2020-02-10', '2020-04-01T12:00:00.000Z'),
        observedAt: instant(90 + day),
        vintage: `v${day}`,
        changeSequence: day,
      });
      // A gross domestic product as a spreadsheet has it, and as a service prints it.
      expect(await asTraded([printed(3889177589254.9, 1), printed(3889177589254.8955, 2), printed(3889177589254.9, 3)])).toEqual([
        3889177589254.9,
      ]);
      expect(await asTraded([printed(-113414397.365635, 1), printed(-113414397.3656347, 2)])).toEqual([-113414397.365635]);
      // A unit of the fourteenth digit is a revision, as is any step to or from nothing.
      expect(await asTraded([printed(3889177589254.9, 1), printed(3889177589254.8, 2)])).toEqual([3889177589254.9, 3889177589254.8]);
      expect(await asTraded([printed(0, 1), printed(1e-20, 2), printed(0, 3)])).toEqual([0, 1e-20, 0]);
    });

    it('are also in the shares of the moment, a split from its effective day on', async () => {
      await asTraded([
        quoted('price_close', 60, '2020-01-14', '2020-01-14T22:00:00.000Z'),
        quoted('price_close', 31, '2020-01-15', '2020-01-15T22:00:00.000Z'),
        // Read again after both splits.
        quoted('price_close', 10, '2020-02-07', '2020-04-01T12:00:00.000Z'),
        quoted('price_close', 11, '2020-02-10', '2020-04-01T12:00:00.000Z'),
      ]);
      await relations.table('reference.derived_indicators', 'slug varchar, unit varchar, frequency varchar', [
        { slug: 'price_close_split_adjusted', unit: 'usd', frequency: 'daily' },
      ]);
      await relations.lake({ attempts: [{ attemptId: 'a', finishedAt: '2020-04-01T12:00:00.000Z' }] });
      await relations.table('reference.stock_splits', SPLITS_SHAPE, [
        ...SPLIT,
        { cik: '0000000007', effectiveDate: '2020-04-02', ratio: 5 },
      ]);
      await relations.macros('knowledge_cutoff');
      await relations.create('series/quoted_splits', 'derived/adjusted_prices');
      const rows = await relations.rows('from derived.adjusted_prices order by period, observed_at');
      expect(rows.map((row) => [row['period'], row['observedAt'], row['value']])).toEqual([
        ['2020-01-14', '2020-01-14T21:00:00.000Z', 60],
        ['2020-01-14', '2020-01-15T00:00:00.000Z', 30],
        ['2020-01-14', '2020-02-10T00:00:00.000Z', 10],
        ['2020-01-15', '2020-01-15T21:00:00.000Z', 31],
        ['2020-01-15', '2020-02-10T00:00:00.000Z', 10.3333333333],
        ['2020-02-07', '2020-02-07T21:00:00.000Z', 30],
        ['2020-02-07', '2020-02-10T00:00:00.000Z', 10],
        ['2020-02-10', '2020-02-10T21:00:00.000Z', 11],
      ]);
      expect(JSON.parse(toText(rows[2]?.['metadata'] ?? null))).toEqual({ asTraded: 60, splitRatio: 6 });
      expect(rows[2]).toMatchObject({
        inputs: [{ seriesNo: 1, period: '2020-01-14', vintage: '2020-01-14', role: 'price' }],
      });
    });
  });

  it('are published under the hash of their identifier, derived ones next to reported ones', async () => {
    const series = [
      { seriesNo: 1, sourceId: 'a', indicatorId: 'us_cpi', entityId: 'us', frequency: 'monthly' },
      { seriesNo: 2, sourceId: 'a_derived', indicatorId: 'us_cpi_yoy', entityId: 'us', frequency: 'monthly' },
    ];
    const columns = `series_no integer, period varchar, period_start date, period_end date, value double, vintage varchar, observed_at timestamptz,
      known_to timestamptz, prior_observed_at timestamptz, prior_value double, prior_vintage varchar, release_no bigint, is_revised boolean,
      first_observed_at timestamptz, first_vintage varchar, first_retrieved_at timestamptz, obs_status varchar, released_at timestamptz, retrieved_at timestamptz, ingested_at timestamptz, run_id varchar, change_sequence bigint`;
    const first = { firstObservedAt: instant(1), firstVintage: '2020-01-02' };
    const row = { ...periodOf(1), value: 1, observedAt: instant(1), releaseNo: 1, isRevised: false, ...first };
    await relations.table(
      'derived.all_series',
      'series_no integer, source_id varchar, indicator_id varchar, canonical_id varchar, entity_id varchar, frequency varchar',
      series,
    );
    await relations.table('derived.ruled_series', 'series_no integer', []);
    await relations.table('series.vintages', columns, [
      { ...row, seriesNo: 1, vintage: '2020-01-02' },
      { ...row, seriesNo: 1, vintage: '2020-01-03', observedAt: instant(2), value: null },
    ]);
    await relations.table(
      'derived.derived_vintages',
      `${columns}, source_run_id varchar, input_run_ids varchar[], value_text varchar, metadata varchar, inputs struct(series_no bigint, period varchar, vintage varchar, "role" varchar)[], derived_from varchar[]`,
      [
        {
          ...row,
          seriesNo: 2,
          vintage: '2020-01-02',
          valueText: 'high',
          metadata: '{}',
          inputs: [{ seriesNo: 1, period: 'p', vintage: 'v', role: 'level' }],
          derivedFrom: ['us_cpi'],
        },
      ],
    );
    await relations.macros('first_print_days');
    await relations.table('series.runs', 'run_id varchar, source_id varchar', []);
    await relations.table('reference.sources', 'source_id varchar, vintages_dated_to varchar', []);
    await relations.create('derived/all_vintages', 'derived/series_statistics', 'published/vintages');
    const found = await relations.rows('select *, id_hash::varchar as hash from published.vintages order by series_no, observed_at');
    expect(
      found.map((one) => [one['seriesNo'], one['vintage'], one['value'], one['valueText'], one['inputs'], one['derivedFrom']]),
    ).toEqual([
      [1, '2020-01-02', 1, null, null, null],
      [1, '2020-01-03', null, null, null, null],
      [2, '2020-01-02', 1, 'high', [{ seriesNo: 1, period: 'p', vintage: 'v', role: 'level' }], ['us_cpi']],
    ]);
    for (const one of found) {
      const own = series.find((other) => other.seriesNo === one['seriesNo']);
      if (own === undefined) throw new Error('another series');
      const id = observationId({ ...own, period: toText(one['period']), vintage: toText(one['vintage']) });
      expect(toText(one['hash'])).toBe(String(idHash(id)));
    }
  });
});

describe('the statistics of a series', () => {
  it('reach from the oldest known value to the newest in force, and count both', async () => {
    const row = (seriesNo: number, periodEnd: string, day: number, value: number | null, knownTo: number | null = null) => ({
      seriesNo,
      periodEnd,
      observedAt: instant(day),
      value,
      knownTo: knownTo === null ? null : instant(knownTo),
    });
    await relations.table(
      'derived.all_vintages',
      'series_no integer, period_end date, observed_at timestamptz, value double, known_to timestamptz',
      [
        row(1, '2019-12-31', 0, null),
        row(1, '2020-01-31', 1, 5, 3),
        row(1, '2020-01-31', 3, 6),
        row(1, '2020-02-29', 2, 7),
        row(1, '2020-03-31', 2, 8, 9),
        row(1, '2020-03-31', 9, null),
        row(2, '2020-03-31', 4, null),
      ],
    );
    await relations.create('derived/series_statistics');
    expect(await relations.rows('from derived.series_statistics order by series_no')).toEqual([
      {
        seriesNo: 1,
        firstPeriodEnd: '2020-01-31',
        latestPeriodEnd: '2020-02-29',
        observationCount: 4,
        vintageCount: 6,
        firstObservedAt: instant(1),
        latestObservedAt: instant(9),
        firstVintageAt: instant(0),
        firstVintageEnd: '2019-12-31',
      },
      {
        seriesNo: 2,
        firstPeriodEnd: null,
        latestPeriodEnd: null,
        observationCount: 1,
        vintageCount: 1,
        firstObservedAt: null,
        latestObservedAt: instant(4),
        firstVintageAt: instant(4),
        firstVintageEnd: '2020-03-31',
      },
    ]);
  });
});

describe('pairs of a level and an earlier level', () => {
  const LEVELS = [
    { seriesNo: 1, sourceId: 'a', canonicalId: 'cpi', entityId: 'us', frequency: 'monthly' },
    { seriesNo: 2, sourceId: 'b', canonicalId: 'cpi', entityId: 'us', frequency: 'monthly' },
    { seriesNo: 3, sourceId: 'a', canonicalId: 'ppi', entityId: 'us', frequency: 'monthly' },
    { seriesNo: 4, sourceId: 'a', canonicalId: 'cpi', entityId: 'us', frequency: 'quarterly' },
  ];
  const months = [1, 2, 3, 4];
  beforeEach(async () => {
    await relations.table(
      'series.series',
      'series_no integer, source_id varchar, canonical_id varchar, entity_id varchar, frequency varchar',
      LEVELS,
    );
  });
  const columns = `series_no integer, period varchar, period_start date, period_end date, value double, vintage varchar, observed_at timestamptz,
    known_to timestamptz, released_at timestamptz, retrieved_at timestamptz, ingested_at timestamptz, run_id varchar, change_sequence bigint`;

  const changesOver = async (apart: number) => {
    await relations.table(
      'reference.derived_indicators',
      'slug varchar, family varchar, input varchar, frequency varchar, months integer, exponent integer, unit varchar',
      [{ slug: 'cpi_change', family: 'macro_transform', input: 'cpi', frequency: 'monthly', months: apart, unit: 'index' }],
    );
    await relations.table('reference.series', 'canonical_id varchar, entity_id varchar', []);
    await relations.create('derived/transform_inputs', 'derived/transforms');
    return relations.rows('from derived.transforms');
  };

  interface Level {
    readonly seriesNo: number;
    readonly month: number;
    readonly day: number;
    readonly value: number | null;
    readonly knownTo: string | null;
    readonly order: number;
  }
  const rowOf = ({ seriesNo, month, day, value, knownTo, order }: Level): Given => ({
    seriesNo,
    ...periodOf(month),
    value,
    vintage: `v${day}`,
    observedAt: instant(day),
    knownTo,
    releasedAt: moved(instant(day), -1000 - month),
    retrievedAt: instant(20 + order),
    ingestedAt: instant(60 + order),
    changeSequence: order,
  });

  it('have at every moment the values known then of both, from the moment both were known', async () => {
    const drawn = fc.array(fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 3 }), { minLength: 16, maxLength: 16 });
    let pairs = 0;
    await fc.assert(
      fc.asyncProperty(
        drawn,
        fc.array(fc.option(fc.integer({ min: 1, max: 9 }), { freq: 5 }), { minLength: 48, maxLength: 48 }),
        async (days, values) => {
          const levels = days.flatMap((list, at): Level[] => {
            const ordered = [...new Set(list)].toSorted((a, b) => a - b);
            return ordered.map((day, index) => ({
              seriesNo: 1 + Math.floor(at / 4),
              month: 1 + (at % 4),
              day,
              value: values[at * 3 + index] ?? null,
              knownTo: ordered[index + 1] === undefined ? null : instant(ordered[index + 1] ?? 0),
              order: (at * 7 + index * 3) % 41,
            }));
          });
          await relations.table('series.vintages', columns, levels.map(rowOf));
          const found = await changesOver(2);
          const heldAt = (seriesNo: number, month: number, day: number) =>
            levels.filter((one) => one.seriesNo === seriesNo && one.month === month && one.day <= day).toSorted((a, b) => b.day - a.day)[0];
          const expected = [1, 2].flatMap((seriesNo) =>
            months
              .filter((month) => month > 2)
              .flatMap((month) =>
                [0, 1, 2, 3, 4, 5].flatMap((day) => {
                  const [newer, older] = [heldAt(seriesNo, month, day), heldAt(seriesNo, month - 2, day)];
                  // A pair begins on the day on which the later of the two became known.
                  return newer === undefined || older === undefined || Math.max(newer.day, older.day) !== day
                    ? []
                    : [{ newer, older, day }];
                }),
              ),
          );
          pairs += expected.length;
          const keyOf = (row: Readonly<Record<string, unknown>>) =>
            `${String(row['inputSeriesNo'])} ${String(row['period'])} ${String(row['observedAt'])}`;
          expect(found.toSorted((a, b) => compare(keyOf(a), keyOf(b)))).toEqual(
            expected
              .map(({ newer, older, day }) => {
                const later = newer.day >= older.day ? newer : older;
                const order = Math.max(newer.order, older.order);
                return {
                  inputSeriesNo: newer.seriesNo,
                  sourceId: newer.seriesNo === 1 ? 'a' : 'b',
                  entityId: 'us',
                  frequency: 'monthly',
                  ...periodOf(newer.month),
                  canonicalId: 'cpi_change',
                  unit: 'index',
                  value: newer.value === null || older.value === null ? null : newer.value - older.value,
                  valueText: null,
                  metadata: null,
                  observedAt: instant(day),
                  releasedAt: rowOf(later)['releasedAt'],
                  retrievedAt: instant(20 + order),
                  ingestedAt: instant(60 + order),
                  changeSequence: order,
                  inputs: [
                    { seriesNo: newer.seriesNo, period: periodOf(newer.month).period, vintage: `v${newer.day}`, role: 'level' },
                    { seriesNo: older.seriesNo, period: periodOf(older.month).period, vintage: `v${older.day}`, role: 'level_before' },
                  ],
                  inputRunIds: [null, null],
                  sourceRunId: null,
                };
              })
              .toSorted((a, b) => compare(keyOf(a), keyOf(b))),
          );
        },
      ),
      { numRuns: 25, seed: 3 },
    );
    expect(pairs).toBeGreaterThan(100);
  });

  it('pair the last days of months, whatever the length', async () => {
    const level = (month: string, periodEnd: string): Given => ({
      seriesNo: 1,
      period: month,
      periodStart: `${month}-01`,
      periodEnd,
      value: 1,
      vintage: month,
      observedAt: instant(1),
    });
    await relations.table('series.vintages', columns, [
      level('2020-02', '2020-02-29'),
      level('2019-02', '2019-02-28'),
      level('2020-03', '2020-03-31'),
      level('2019-12', '2019-12-31'),
    ]);
    const pairs = async (apart: number) =>
      (await changesOver(apart)).map(({ period, inputs }) => [period, (inputs as readonly { period: string }[])[1]?.period]);
    expect(await pairs(12)).toEqual([['2020-02', '2019-02']]);
    expect(await pairs(1)).toEqual([['2020-03', '2020-02']]);
    expect(await pairs(3)).toEqual([['2020-03', '2019-12']]);
  });
});
