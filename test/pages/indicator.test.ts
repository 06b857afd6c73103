// What the page of an indicator computes by itself: the series of each country, changes, the median, the places of dots.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const load = async (name: string): Promise<Record<string, (...args: never[]) => unknown>> =>
  (await import(pathToFileURL(join(import.meta.dirname, '../../src/pages/static/indicator', name)).href)) as never;
const call = (module: Record<string, (...args: never[]) => unknown>, name: string, ...args: unknown[]) =>
  module[name]?.(...(args as never[]));

const latest = (indicatorId: string, sourceId: string, unit: string, more = {}) => ({
  indicatorId,
  sourceId,
  unit,
  frequency: 'monthly',
  periodEnd: '2026-06-30',
  collectionStatus: null,
  comparisonBasis: 'balance',
  ...more,
});
const entity = (entityId: string, name: string) => ({ entityId, name, indicatorIds: [`${entityId}_x`] });

describe('one indicator in all countries', async () => {
  const countries = await load('countries.js');
  const ROWS = [
    latest('de_x', 'oecd', 'index', { periodEnd: '2026-07-31' }),
    latest('de_x', 'ecfin', 'balance'),
    latest('at_x', 'oecd', 'index'),
    latest('us_x', 'oecd', 'index'),
    latest('gb_x', 'ecfin', 'balance', { collectionStatus: 'ceased' }),
    latest('gb_x', 'ons', 'balance'),
  ];

  it('has one unit at a time: its own first, then that of most countries', () => {
    expect(call(countries, 'unitsOf', ROWS, 'balance')).toEqual([
      { unit: 'balance', count: 2 },
      { unit: 'index', count: 3 },
    ]);
    expect(call(countries, 'unitsOf', ROWS, 'percent')).toEqual([
      { unit: 'index', count: 3 },
      { unit: 'balance', count: 2 },
    ]);
  });

  it('has one series of each country, that of the preferred source unless it has ended, by name', () => {
    const entities = [entity('gb', 'United Kingdom'), entity('de', 'Germany'), entity('us', 'United States'), entity('at', 'Austria')];
    const chosen = (unit: string) =>
      (
        call(countries, 'seriesOfEntities', ROWS, entities, unit, ['ecfin']) as { entity: { name: string }; latest: { sourceId: string } }[]
      ).map((one) => [one.entity.name, one.latest.sourceId]);
    expect(chosen('balance')).toEqual([
      ['Germany', 'ecfin'],
      ['United Kingdom', 'ons'],
    ]);
    expect(chosen('index').map(([name]) => name)).toEqual(['Austria', 'Germany', 'United States']);
  });

  const points = (...pairs: readonly (readonly [string, number | null])[]) => pairs.map(([periodEnd, value]) => ({ periodEnd, value }));

  it('changes from the calendar period before and from a year before, and has no change over a gap', () => {
    const months = points(['2025-06-30', 4], ['2026-05-31', 5], ['2026-06-30', 6]);
    expect(call(countries, 'changesOf', months, 'monthly', false)).toEqual({ change: 1, yearChange: 2 });
    expect(call(countries, 'changesOf', months, 'monthly', true)).toEqual({ change: expect.closeTo(20, 9), yearChange: 50 });
    expect(call(countries, 'changesOf', points(['2026-04-30', 5], ['2026-06-30', 6]), 'monthly', false)).toEqual({
      change: null,
      yearChange: null,
    });
    expect(call(countries, 'changesOf', points(['2026-05-31', null], ['2026-06-30', 6]), 'monthly', false)).toMatchObject({ change: null });
    expect(call(countries, 'changesOf', points(['2026-05-31', -5], ['2026-06-30', 6]), 'monthly', true)).toMatchObject({ change: null });
    expect(call(countries, 'changesOf', [], 'monthly', false)).toEqual({ change: null, yearChange: null });
  });

  it('of days change from the last value, and from the last one of the week before the day a year ago', () => {
    const days = points(['2025-06-25', 1], ['2025-06-27', 2], ['2026-06-26', 3], ['2026-06-30', 4]);
    expect(call(countries, 'changesOf', days, 'daily', false)).toEqual({ change: 1, yearChange: 2 });
    expect(call(countries, 'changesOf', points(['2025-06-01', 1], ['2026-06-30', 4]), 'daily', false)).toEqual({
      change: 3,
      yearChange: null,
    });
  });

  it('marks a value of more than a year before the newest, and counts prints after the first of a period', () => {
    const chosen = [
      { entity: entity('de', 'Germany'), latest: latest('de_x', 'ecfin', 'balance') },
      { entity: entity('gb', 'United Kingdom'), latest: latest('gb_x', 'ons', 'balance', { periodEnd: '2025-06-28' }) },
    ];
    const histories = call(
      countries,
      'historiesOf',
      'indicatorId,sourceId,frequency,periodEnd,actual\nde_x,ecfin,monthly,2026-06-30,-2\nde_x,ecfin,monthly,2026-05-31,\nde_x,ecfin,monthly,2026-04-30,1\n',
    );
    const counts = new Map([['de_x ecfin monthly', { vintageCount: 12, observationCount: 3 }]]);
    const rows = call(countries, 'rowsOf', chosen, histories, counts) as { points: { value: unknown }[]; [name: string]: unknown }[];
    expect(rows.map(({ name, isOld, revisions }) => [name, isOld, revisions])).toEqual([
      ['Germany', false, 9],
      ['United Kingdom', true, null],
    ]);
    expect(rows[0]?.points.map(({ value }) => value)).toEqual([1, null, -2]);
    expect(rows[1]?.points).toEqual([]);
  });

  it('has the rows without a value after the others, each part by name', () => {
    const row = (id: string, name: string, actual: number | null) => ({
      entity: entity(id, name),
      latest: latest(`${id}_x`, 'ecfin', 'balance', { actual }),
    });
    const chosen = [row('at', 'Austria', null), row('be', 'Belgium', 1), row('de', 'Germany', null), row('fr', 'France', 0)];
    const rows = call(countries, 'rowsOf', chosen, null, null) as { name: string }[];
    expect(rows.map(({ name }) => name)).toEqual(['Belgium', 'France', 'Austria', 'Germany']);
  });

  it('has the middle value as its median, or the mean of the two in the middle', () => {
    expect([[], [3], [5, 1, 3], [4, 1, 3, 2]].map((values) => call(countries, 'medianOf', values))).toEqual([null, 3, 3, 2.5]);
  });
});

describe('the strip', async () => {
  const places = await load('places.js');
  type Axis = { at: (value: number) => number; marks: number[]; isLog: boolean };

  it('has all values between its ends, in their order, whatever they are', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.integer({ min: -1e9, max: 1e9 }).map((value) => value / 1000),
          { minLength: 1 },
        ),
        fc.integer({ min: 2, max: 15 }),
        (values, most) => {
          const { at, marks } = call(places, 'axisOf', values, most) as Axis;
          const sorted = values.toSorted((a, b) => a - b).map(at);
          for (const place of sorted) expect(place).toSatisfy((one: number) => one >= -1e-6 && one <= 1 + 1e-6);
          expect(sorted).toEqual(sorted.toSorted((a, b) => a - b));
          expect(marks.length).toBeGreaterThan(1);
          expect(marks.length).toBeLessThanOrEqual(Math.max(most + 3, 20));
          expect(new Set(marks).size).toBe(marks.length);
        },
      ),
    );
  });

  it('marks round values, and powers of ten if the largest is very many times the smallest', () => {
    expect((call(places, 'axisOf', [-28.7, 11], 8) as Axis).marks).toEqual([-30, -25, -20, -15, -10, -5, 0, 5, 10, 15]);
    expect((call(places, 'axisOf', [0.6, 15_000], 5) as Axis).marks).toEqual([0.1, 1, 10, 100, 1000, 10_000, 100_000]);
    expect((call(places, 'axisOf', [0, 15_000], 5) as Axis).isLog).toBe(false);
  });

  it('puts dots that would touch above each other, and only those', () => {
    expect(call(places, 'stacked', [0, 4, 8, 12, 40], 10)).toEqual([0, 1, 2, 0, 0]);
  });
});

describe('the results of a search', async () => {
  const { indicatorsOf, suggestedOf } = (await import(
    pathToFileURL(join(import.meta.dirname, '../../src/pages/static/search/rows.js')).href
  )) as Record<string, (found: unknown, most?: number) => unknown>;

  it('are one row for each indicator in the order of its best series, with all who have it, best first', () => {
    const series = (canonicalIndicatorId: string, entityId: string, sourceId: string, from: string | null, to: string | null) => ({
      canonicalIndicatorId,
      entityId,
      sourceId,
      name: canonicalIndicatorId.toUpperCase(),
      frequency: 'monthly',
      unit: 'percent',
      firstPeriodEnd: from,
      latestPeriodEnd: to,
    });
    const found = [
      series('cpi', 'us', 'fred', '1948-01-31', '2026-10-31'),
      series('gdp', 'us', 'fred', null, null),
      series('cpi', 'us', 'bls', '1913-01-31', '2026-09-30'),
      series('cpi', 'de', 'bis', '1950-01-31', '2026-08-31'),
    ];
    expect(indicatorsOf?.(found)).toEqual([
      {
        id: 'cpi',
        name: 'CPI',
        best: found[0],
        members: [
          { entityId: 'us', series: found[0] },
          { entityId: 'de', series: found[3] },
        ],
        frequencies: ['monthly'],
        units: ['percent'],
        sourceIds: ['fred', 'bls', 'bis'],
        from: '1913-01-31',
        to: '2026-10-31',
      },
      {
        id: 'gdp',
        name: 'GDP',
        best: found[1],
        members: [{ entityId: 'us', series: found[1] }],
        frequencies: ['monthly'],
        units: ['percent'],
        sourceIds: ['fred'],
        from: null,
        to: null,
      },
    ]);
  });

  it('are suggested as the best series of each indicator, then all who have it, never one indicator more than twice', () => {
    const series = (canonicalIndicatorId: string, entityId: string, country: string | null) => ({
      canonicalIndicatorId,
      entityId,
      country,
    });
    const cpi = ['us', 'jp', 'de'].map((id) => series('cpi', id, id.toUpperCase()));
    const core = series('core_cpi', 'us', 'US');
    const gold = ['commodity_gold', 'commodity_silver'].map((id) => series('spot_price', id, null));
    const closes = ['company_1', 'company_2'].map((id) => series('price_close', id, 'US'));
    const found = [...cpi, core, ...gold, ...closes];
    const all = [
      { series: cpi[0], all: null },
      { series: cpi[0], all: { id: 'cpi', count: 3, isOfCountries: true } },
      { series: core, all: null },
      { series: gold[0], all: null },
      { series: gold[0], all: { id: 'spot_price', count: 2, isOfCountries: false } },
      { series: closes[0], all: null },
      { series: closes[0], all: { id: 'price_close', count: 2, isOfCountries: false } },
    ];
    expect(suggestedOf?.(found, 7)).toEqual(all);
    expect(suggestedOf?.(found, 3)).toEqual(all.slice(0, 3));
  });
});
