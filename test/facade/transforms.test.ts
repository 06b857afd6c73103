// FRED's units and frequencies of small series, by hand.
import { describe, expect, it } from 'vitest';
import { aggregated, inUnits } from '../../src/facade/fred/transforms.ts';

const monthly = [
  { date: '2020-01-01', value: 100 },
  { date: '2020-02-01', value: 110 },
  // March is missing.
  { date: '2020-04-01', value: 121 },
];
const valuesOf = (values: readonly { readonly value: number | null }[]) => values.map(({ value }) => value);

describe('units', () => {
  it('compare with the month before, and are missing if that is missing', () => {
    expect(valuesOf(inUnits(monthly, 'chg', 'monthly'))).toEqual([null, 10, null]);
  });

  it('of days compare with the previous day that exists', () => {
    const days = [
      { date: '2020-01-03', value: 2 },
      { date: '2020-01-06', value: 5 },
    ];
    expect(valuesOf(inUnits(days, 'chg', 'daily'))).toEqual([null, 3]);
  });

  it('of quarters and years compare with the previous one', () => {
    const quarters = ['2019-10-01', '2020-01-01', '2020-04-01'].map((date, i) => ({ date, value: 2 ** i }));
    expect(valuesOf(inUnits(quarters, 'pch', 'quarterly'))).toEqual([null, 100, 100]);
    // (2 ^ 4 - 1) of a hundred per cent.
    expect(valuesOf(inUnits(quarters, 'pca', 'quarterly'))).toEqual([null, 1500, 1500]);
    const years = ['2018-01-01', '2019-01-01'].map((date, i) => ({ date, value: i + 1 }));
    expect([valuesOf(inUnits(years, 'ch1', 'annual')), valuesOf(inUnits(years, 'chg', 'annual'))]).toEqual([
      [null, 1],
      [null, 1],
    ]);
  });

  it('are missing if the result is undefined', () => {
    const odd = [
      { date: '2020-01-01', value: 0 },
      { date: '2020-02-01', value: -1 },
      { date: '2020-03-01', value: null },
    ];
    expect(valuesOf(inUnits(odd, 'pch', 'monthly'))).toEqual([null, null, null]);
    expect(valuesOf(inUnits(odd, 'log', 'monthly'))).toEqual([null, null, null]);
    expect(valuesOf(inUnits(odd, 'lin', 'monthly'))).toEqual([0, -1, null]);
  });
});

describe('a coarser frequency', () => {
  it('has a value once all of its months have one', () => {
    expect(aggregated(monthly, 'monthly', 'q', 'avg')).toEqual([
      { date: '2020-01-01', value: null },
      { date: '2020-04-01', value: null },
    ]);
    const quarter = [...monthly.slice(0, 2), { date: '2020-03-01', value: 90 }];
    for (const [method, value] of [
      ['avg', 100],
      ['sum', 300],
      ['eop', 90],
    ] as const)
      expect(aggregated(quarter, 'monthly', 'q', method)).toEqual([{ date: '2020-01-01', value }]);
  });

  it('of days has a value once a later period has begun', () => {
    const days = [
      { date: '2020-01-30', value: 1 },
      { date: '2020-01-31', value: 3 },
      { date: '2020-02-03', value: 9 },
    ];
    expect(aggregated(days, 'daily', 'm', 'avg')).toEqual([
      { date: '2020-01-01', value: 2 },
      { date: '2020-02-01', value: null },
    ]);
  });

  it('of half-years and years counts the quarters', () => {
    const quarters = ['2020-01-01', '2020-04-01', '2020-07-01', '2020-10-01'].map((date, i) => ({ date, value: i + 1 }));
    expect(aggregated(quarters, 'quarterly', 'sa', 'sum')).toEqual([
      { date: '2020-01-01', value: 3 },
      { date: '2020-07-01', value: 7 },
    ]);
    expect(aggregated(quarters, 'quarterly', 'a', 'sum')).toEqual([{ date: '2020-01-01', value: 10 }]);
  });
});
