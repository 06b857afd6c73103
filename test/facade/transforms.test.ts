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

/** The value 1 on each of so many weekdays. */
function daysFrom(first: string, count: number): { readonly date: string; readonly value: number }[] {
  const days: { date: string; value: number }[] = [];
  for (let at = Date.parse(first); days.length < count; at += 86_400_000)
    if (new Date(at).getUTCDay() % 6 !== 0) days.push({ date: new Date(at).toISOString().slice(0, 10), value: 1 });
  return days;
}

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

  it('of days and weeks compare with the day 364 days before', () => {
    // FRED: 260 observations of a daily series without weekends, which are 52 weeks. For WTI oil it printed -30.26923 on 2 January 1987.
    const oil = [
      { date: '1986-01-02', value: 25.56 },
      { date: '1986-01-03', value: 26 },
      { date: '1987-01-02', value: 18.13 },
    ];
    expect(inUnits(oil, 'pc1', 'daily').map(({ value }) => value?.toFixed(5) ?? null)).toEqual([null, null, '-30.26923']);
    const claims = [
      { date: '2023-02-11', value: 200 },
      { date: '2024-02-10', value: 250 },
      { date: '2024-02-17', value: 260 },
    ];
    expect(valuesOf(inUnits(claims, 'pc1', 'weekly'))).toEqual([null, 25, null]);
    expect(valuesOf(inUnits(claims, 'ch1', 'weekly'))).toEqual([null, 50, null]);
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

  it('of days needs FRED’s number of values in the first and the last period, and one between them', () => {
    const first = daysFrom('2020-01-10', 16); // 10 January to 31 January
    const middle = [{ date: '2020-02-03', value: 9 }];
    const last = daysFrom('2020-03-02', 17); // 2 March to 24 March
    const months = aggregated([...first, ...middle, ...last], 'daily', 'm', 'avg');
    expect(months).toEqual([
      { date: '2020-01-01', value: null },
      { date: '2020-02-01', value: 9 },
      { date: '2020-03-01', value: 1 },
    ]);
    expect(aggregated(last.slice(0, 16), 'daily', 'm', 'avg')).toEqual([{ date: '2020-03-01', value: null }]);
    expect(aggregated([...daysFrom('2019-12-30', 2), ...first], 'daily', 'm', 'sum').map(({ value }) => value)).toEqual([null, null]);
  });

  it('of days may be weeks, dated by the day on which they end', () => {
    const days = [...daysFrom('2020-01-02', 2), ...daysFrom('2020-01-06', 4), { date: '2020-01-13', value: 5 }];
    // Thursday and Friday; Monday to Thursday; one Monday.
    expect(aggregated(days, 'daily', 'wef', 'sum')).toEqual([
      { date: '2020-01-03', value: null },
      { date: '2020-01-10', value: 4 },
      { date: '2020-01-17', value: null },
    ]);
    expect(aggregated(days, 'daily', 'w', 'sum')).toEqual(aggregated(days, 'daily', 'wef', 'sum'));
    const ends = {
      wem: '2020-01-13',
      wetu: '2020-01-07',
      wew: '2020-01-08',
      weth: '2020-01-09',
      wesa: '2020-01-11',
      wesu: '2020-01-12',
    } as const;
    for (const [week, end] of Object.entries(ends) as [keyof typeof ends, string][])
      expect([week, aggregated(daysFrom('2020-01-07', 1), 'daily', week, 'eop')[0]?.date]).toEqual([week, end]);
    const holiday = [...daysFrom('2020-01-06', 5), ...daysFrom('2020-01-13', 3), ...daysFrom('2020-01-20', 5)];
    holiday[7] = { date: '2020-01-16', value: 3 };
    // Without Friday, the week ends with Thursday's value.
    expect(aggregated(holiday, 'daily', 'wef', 'eop').map(({ value }) => value)).toEqual([1, 3, 1]);
    expect(aggregated(holiday, 'daily', 'wef', 'avg')[1]?.value).toBeCloseTo(5 / 3, 12);
  });

  it('of weeks puts a week into the month in which it ends', () => {
    const weeks = ['2010-08-13', '2010-08-20', '2010-08-27', '2010-09-03', '2010-09-10'].map((date, i) => ({ date, value: i }));
    expect(aggregated(weeks, 'weekly', 'm', 'sum')).toEqual([
      { date: '2010-08-01', value: 3 },
      { date: '2010-09-01', value: null },
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
