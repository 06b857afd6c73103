// The view of a series that opens, the periods that it shows, and the vintage days of the whole series.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';

const load = async <Module>(name: string) =>
  (await import(pathToFileURL(join(import.meta.dirname, '../../../src/pages/static/series', name)).href)) as Module;

const PAYROLLS = {
  indicatorId: 'us_nonfarm_payrolls',
  canonicalIndicatorId: 'nonfarm_payrolls',
  category: 'labour',
  unit: 'thousands',
  frequency: 'monthly',
  vintageCount: 400,
  observationCount: 130,
};

describe('the usual view of a series', async () => {
  type Params = Readonly<Record<string, string>>;
  const { usualView } = await load<{ usualView: (series: object, params: Params) => Params }>('usual.js');
  const CHANGES = { transform: 'change', range: '3' };

  it('is the change over three years for a level that was revised', () => {
    expect(usualView(PAYROLLS, { indicator_id: 'us_nonfarm_payrolls', as_of: '2020-06-30' })).toEqual(CHANGES);
    expect(usualView({ ...PAYROLLS, unit: 'usd_billions_chained', frequency: 'quarterly' }, {})).toEqual(CHANGES);
  });

  it.each<[string, object]>([
    ['a level without revisions', { vintageCount: 130 }],
    ['a rate', { unit: 'percent' }],
    ['a balance of opinions', { unit: 'index', category: 'sentiment' }],
    ['a change from the month before', { canonicalIndicatorId: 'payrolls_mom_change' }],
    ['a daily series', { frequency: 'daily' }],
  ])('of %s is that of its values', (_name, more) => {
    expect(usualView({ ...PAYROLLS, ...more }, {})).toEqual({});
  });

  it('gives way to an address that says how to show it', () => {
    for (const params of [
      { transform: 'level' },
      { range: 'all' },
      { mode: 'compare' },
      { period_end: '2020-04-30' },
      { pins: '2020-05-31' },
    ])
      expect(usualView(PAYROLLS, params)).toEqual({});
  });
});

describe('the shown years', async () => {
  type Options = { yearsBefore?: number; as_of?: string };
  const { spanOf } = await load<{ spanOf: (series: object, range?: string, options?: Options) => object }>('range.js');
  const series = { frequency: 'monthly', latestPeriodEnd: '2026-10-31' };

  it('end with the newest period', () => {
    expect(spanOf(series, '3')).toEqual({ from: '2023-10-31', to: '' });
    expect(spanOf(series, '3', { yearsBefore: 1, as_of: '2026-11-30' })).toEqual({ from: '2022-10-31', to: '' });
    expect(spanOf(series, 'all', { as_of: '2020-02-29' })).toEqual({ from: '', to: '' });
  });

  it('are those around an earlier as-of', () => {
    expect(spanOf(series, '3', { as_of: '2020-02-29' })).toEqual({ from: '2017-02-28', to: '2023-02-28' });
    expect(spanOf(series, '3', { as_of: '2020-06-30T12:00:00Z' })).toEqual({ from: '2017-06-30', to: '2023-06-30' });
  });
});

describe('the vintage days of a series', async () => {
  const { joinedDays, isAllFrom, daysText } = await load<{
    joinedDays: (shown: readonly string[], text: string) => readonly string[];
    isAllFrom: (series: object, from: string) => boolean;
    daysText: (days: readonly string[], isWhole: boolean, gaps: string) => string;
  }>('known-days.js');

  it('are those of all its periods, whatever periods are shown', () => {
    const text = 'observedAt\r\n2019-01-04T13:30:00.000Z\r\n2020-06-05T12:30:00.000Z\r\n2019-01-04T13:30:00.000Z\r\n';
    const all = ['2019-01-04', '2020-06-05', '2020-07-02'];
    for (const shown of [['2020-07-02'], ['2020-06-05', '2020-07-02'], all]) expect(joinedDays(shown, text)).toEqual(all);
    expect(joinedDays(['2020-07-02'], '')).toEqual(['2020-07-02']);
  });

  it('are at hand without another question if no period is left out', () => {
    expect(isAllFrom({ firstPeriodEnd: '2017-01-31' }, '')).toBe(true);
    expect(isAllFrom({ firstPeriodEnd: '2017-01-31' }, '2016-01-31')).toBe(true);
    expect(isAllFrom({ firstPeriodEnd: '2017-01-31' }, '2023-01-31')).toBe(false);
  });

  it('are counted in words, which say so if they are of the shown periods only', () => {
    expect(daysText(['2019-01-04', '2020-06-05'], true, '')).toBe('2 vintage days from 2019-01-04 to 2020-06-05');
    expect(daysText(['2019-01-04', '2020-06-05'], false, '')).toBe('2 vintage days of these periods from 2019-01-04 to 2020-06-05');
    expect(daysText(['2019-01-04'], true, '')).toBe('One vintage day, 2019-01-04');
  });
});
