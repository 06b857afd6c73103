// Quotes, rates of exchange and dividends: each rule of their readers just below, at and just above its bound, by hand.
import { describe, expect, it } from 'vitest';
import { refusalAs, refusalOf, tell } from './read.ts';

type Bar = readonly [
  day: string,
  open: number | null,
  high: number | null,
  low: number | null,
  close: number | null,
  volume: number | null,
];

const quotesOf = (symbol: string, bars: readonly Bar[], unit?: string) => ({
  symbol,
  ...(unit === undefined ? {} : { unit }),
  prices: bars.map(([time, open, high, low, close, volume]) => ({ time, open, high, low, close, volume })),
});
const listing = (...bars: Bar[]) => tell('quotes', 'prices/daily_json/EXMP.json', quotesOf('EXMP', bars));
const future = (...bars: Bar[]) => tell('quotes', 'prices/futures_json/XX-F.json', quotesOf('XX=F', bars, 'USD/bbl'));

describe('a bar of a listing', () => {
  it('has five measures, known at the close in New York', async () => {
    const { observations } = await listing(['2025-03-07', 10, 12, 9, 11, 500]);
    expect(observations.map(({ seriesCode, canonicalId, unit, value }) => [seriesCode, canonicalId, unit, value])).toEqual([
      ['EXMP.open', 'price_open', 'usd', 10],
      ['EXMP.high', 'price_high', 'usd', 12],
      ['EXMP.low', 'price_low', 'usd', 9],
      ['EXMP.close', 'price_close', 'usd', 11],
      ['EXMP.volume', 'volume', 'shares', 500],
    ]);
    expect(observations[0]).toMatchObject({ entityId: 'ticker:exmp', frequency: 'daily', period: '2025-03-07', periodEnd: '2025-03-07' });
    expect(observations[0]).not.toHaveProperty('isPseudo');
  });

  it.each([
    ['2025-03-07', '2025-03-07T21:00:00.000Z'],
    ['2025-03-10', '2025-03-10T20:00:00.000Z'],
    ['2025-10-31', '2025-10-31T20:00:00.000Z'],
    ['2025-11-03', '2025-11-03T21:00:00.000Z'],
    // Shut at one in the afternoon: no time later than four is claimed, none earlier.
    ['2025-11-28', '2025-11-28T21:00:00.000Z'],
    ['2024-02-29', '2024-02-29T21:00:00.000Z'],
  ])('of %s is known at %s', async (day, instant) => {
    const { observations } = await listing([day, 10, 12, 9, 11, 500]);
    expect([...new Set(observations.map(({ observedAt }) => observedAt))]).toEqual([instant]);
  });

  // A millionth of the close is rounding: 11.000011 for a high of 11.
  it.each([
    ['low above open by less than a millionth', [10, 12, 10.00001, 11], 5, []],
    ['low above open by more', [10, 12, 10.00002, 11], 2, ['range']],
    ['high below close by less than a millionth', [10, 11, 9, 11.00001], 5, []],
    ['high below close by more', [10, 11, 9, 11.00002], 2, ['range']],
    ['high below open', [12, 11, 9, 10], 2, ['range']],
    ['low above close', [10, 12, 9.5, 9], 2, ['range']],
    ['all prices equal', [10, 10, 10, 10], 5, []],
    ['an open that is missing', [null, 9, 12, 10], 5, []],
    ['a high that is missing', [10, null, 12, 10], 5, []],
    ['a low that is missing', [10, 9, null, 10], 5, []],
    ['a close that is missing', [10, 9, 12, null], 5, []],
    ['an open of zero', [0, 12, 9, 11], 0, ['open']],
    ['a high of zero', [10, 0, 9, 11], 0, ['high']],
    ['a low below zero', [10, 12, -9, 11], 0, ['low']],
    ['a close of zero', [10, 12, 9, 0], 0, ['close']],
    ['a price just above zero', [0.0001, 0.0001, 0.0001, 0.0001], 5, []],
  ] as const)('has %s', async (_, [open, high, low, close], count, fields) => {
    const { observations, of } = await listing(['2025-05-28', open, high, low, close, 500]);
    // What is left of a bar out of its range is the close, and the volume.
    const kept: Readonly<Record<number, readonly string[]>> = {
      0: [],
      2: ['close', 'volume'],
      5: ['open', 'high', 'low', 'close', 'volume'],
    };
    const values: Readonly<Record<string, number | null>> = { open, high, low, close, volume: 500 };
    expect(observations.map(({ seriesCode, value }) => [seriesCode, value])).toEqual(
      kept[count]?.map((field) => [`EXMP.${field}`, values[field]]),
    );
    expect(of('refused').map(({ rule, fieldPath, period }) => [rule, fieldPath, period])).toEqual(
      fields.map((field) => ['out_of_range', field, '2025-05-28']),
    );
  });

  it('has a volume of 0 as missing, and of one share as one', async () => {
    const { observations } = await listing(['2025-05-28', 1, 1, 1, 1, 0], ['2025-05-29', 1, 1, 1, 1, 1], ['2025-05-30', 1, 1, 1, 1, null]);
    expect(observations.filter(({ canonicalId }) => canonicalId === 'volume').map(({ value }) => value)).toEqual([null, 1, null]);
  });

  it.each([
    ['a day twice', [['2025-05-28'], ['2025-05-28']], '2025-05-28 does not follow 2025-05-28'],
    ['days backwards', [['2025-05-29'], ['2025-05-28']], '2025-05-28 does not follow 2025-05-29'],
    ['a day that does not exist', [['2025-02-29']], 'expected a day'],
  ])('is refused with %s', async (_, days, message) => {
    const bars = days.map(([day = '']): Bar => [day, 1, 1, 1, 1, 1]);
    expect(await refusalOf('quotes', 'prices/daily_json/EXMP.json', quotesOf('EXMP', bars))).toContain(message);
  });
});

describe('a bar of a future', () => {
  it('may be negative with a warning, and is known at five', async () => {
    const { observations, of } = await future(['2020-04-20', 5, 6, -40, -37.63, 7]);
    expect(of('refused')).toEqual([]);
    expect(observations.map(({ value }) => value)).toEqual([5, 6, -40, -37.63, 7]);
    for (const { isPseudo, observedAt, entityId } of observations)
      expect([isPseudo, observedAt, entityId]).toEqual([true, '2020-04-20T21:00:00.000Z', 'future_xx']);
    expect(observations.at(-1)?.unit).toBe('contracts');
  });

  it('of negative prices may range as far as the size of its close', async () => {
    const { of } = await future(['2020-04-20', -10, -9.999, -10, -9.998995, 1], ['2020-04-21', -10, -9.999, -10, -9.99898, 1]);
    expect(of('refused').map(({ period }) => period)).toEqual(['2020-04-21']);
  });

  it.each([['GBp/t'], ['EUR/t'], [undefined], ['usd/t']])('in another unit than dollars is refused: %s', async (unit) => {
    const body = quotesOf('XX=F', [['2025-05-28', 1, 1, 1, 1, 1]], unit);
    expect(await refusalOf('quotes', 'prices/futures_json/XX-F.json', body)).toContain('in US dollars');
  });
});

describe('an index', () => {
  it('of volatility is known at a quarter past four and has no volume', async () => {
    const { observations } = await tell('quotes', 'market/vix-daily.csv', 'DATE,OPEN,HIGH,LOW,CLOSE\n2025-05-28,9,10,8,9.5\n');
    expect(observations.map(({ seriesCode, unit, observedAt, entityId }) => [seriesCode, unit, observedAt, entityId])).toEqual(
      ['open', 'high', 'low', 'close'].map((field) => [`VIX.${field}`, 'index', '2025-05-28T20:15:00.000Z', 'index_vix']),
    );
  });

  it('of shares is known at four and has the volume of its shares', async () => {
    const csv = 'date,open,high,low,close,volume\n2025-05-28,9,10,8,9.5,77\n';
    const { observations } = await tell('quotes', 'prices/GSPC_daily_2015_2026.csv', csv);
    expect(observations.map(({ seriesCode, unit, value }) => [seriesCode, unit, value]).at(-1)).toEqual(['GSPC.volume', 'shares', 77]);
    expect(new Set(observations.map(({ observedAt, entityId }) => `${observedAt} ${entityId}`))).toEqual(
      new Set(['2025-05-28T20:00:00.000Z index_sp500']),
    );
  });
});

describe('a price or rate without vintages', () => {
  const knownAt = async (key: string, csv: string, retrievedAt?: string) => {
    const { observations } = await tell('quotes', key, csv, retrievedAt);
    return observations.map(({ periodEnd, observedAt, isPseudo }) => [periodEnd, observedAt, isPseudo]);
  };

  it.each([
    ['market/brent-daily.csv', 'Date,Price\n2025-05-20,70\n', '2025-05-20', '2025-05-27T23:59:59.999Z'],
    ['market/wti-daily.csv', 'Date,Price\n2024-02-25,70\n', '2024-02-25', '2024-03-03T23:59:59.999Z'],
    ['market/gold-monthly.csv', 'Date,Price\n2024-02,2000\n', '2024-02-29', '2024-03-05T23:59:59.999Z'],
    ['market/fx-daily-h10-1971-2017.csv', 'Data,Japan,United Kingdom\n2017-11-30,112,\n', '2017-11-30', '2017-12-07T23:59:59.999Z'],
    ['market/fx-monthly.csv', 'Date,Country,Exchange rate\n2017-12-01,Japan,112\n', '2017-12-31', '2018-01-05T23:59:59.999Z'],
  ])('of %s is known some days after its period ends', async (key, csv, periodEnd, observedAt) => {
    expect(await knownAt(key, csv)).toEqual([[periodEnd, observedAt, true]]);
  });

  // In hand before the usual day, it is known; before its own period is over it cannot be.
  it.each([
    ['2025-05-20T23:59:59.998Z', '2025-05-27T23:59:59.999Z'],
    ['2025-05-20T23:59:59.999Z', '2025-05-20T23:59:59.999Z'],
    ['2025-05-23T08:00:00.000Z', '2025-05-23T08:00:00.000Z'],
    ['2025-05-27T23:59:59.999Z', '2025-05-27T23:59:59.999Z'],
    ['2025-05-28T00:00:00.000Z', '2025-05-27T23:59:59.999Z'],
  ])('retrieved at %s is known at %s', async (retrievedAt, observedAt) => {
    expect(await knownAt('market/brent-daily.csv', 'Date,Price\n2025-05-20,70\n', retrievedAt)).toEqual([['2025-05-20', observedAt, true]]);
  });

  it('may be negative for oil, and is quoted per dollar for currencies', async () => {
    const oil = await tell('quotes', 'market/wti-daily.csv', 'Date,Price\n2020-04-20,-36.98\n2020-04-21,.\n');
    expect(oil.observations.map(({ seriesCode, unit, value, entityId }) => [seriesCode, unit, value, entityId])).toEqual([
      ['commodity_wti.spot_price', 'usd', -36.98, 'commodity_wti'],
      ['commodity_wti.spot_price', 'usd', null, 'commodity_wti'],
    ]);
    const rates = await tell(
      'quotes',
      'market/fx-monthly.csv',
      'Date,Country,Exchange rate\n2017-12-01,Hong Kong,7.8\n2017-12-01,United Kingdom,.75\n',
    );
    expect(rates.observations.map(({ seriesCode, canonicalId, unit, value }) => [seriesCode, canonicalId, unit, value])).toEqual([
      ['cur_hkd.exchange_rate_monthly', 'exchange_rate_monthly', 'national_currency_per_usd', 7.8],
      ['cur_gbp.exchange_rate_monthly', 'exchange_rate_monthly', 'national_currency_per_usd', 0.75],
    ]);
  });

  it.each([
    ['a pound for a dollar', 'United Kingdom,1', 'expected pounds for a dollar'],
    ['more', 'United Kingdom,1.35', 'expected pounds for a dollar'],
    ['nothing for a dollar', 'Japan,0', 'not above 0'],
    ['less than nothing', 'Japan,-1', 'not above 0'],
    ['nearly a pound', 'United Kingdom,0.9999', null],
    ['no pound at all', 'United Kingdom,.', null],
  ])('is refused or accepted: %s', async (_, row, message) => {
    expect(await refusalAs(message, 'quotes', 'market/fx-monthly.csv', `Date,Country,Exchange rate\n2017-12-01,${row}\n`)).toBe(message);
  });

  it('of a country with unknown currency is refused alone, and a column without rates has no rows', async () => {
    const { observations, of } = await tell(
      'quotes',
      'market/fx-daily-h10-1971-2017.csv',
      'Data,Japan,Austria,Atlantis,United Kingdom\n2017-11-30,112,,7,\n',
    );
    expect(observations.map(({ seriesCode }) => seriesCode)).toEqual(['cur_jpy.exchange_rate_h10']);
    expect(of('refused').map(({ rule, seriesCode }) => [rule, seriesCode])).toEqual([['identity_unresolved', 'Atlantis']]);
  });

  // ISO 4217, the currencies before the euro among them.
  it.each(
    Object.entries({
      Australia: 'aud',
      Austria: 'ats',
      Belgium: 'bef',
      Brazil: 'brl',
      Canada: 'cad',
      China: 'cny',
      Denmark: 'dkk',
      Euro: 'eur',
      Finland: 'fim',
      France: 'frf',
      Germany: 'dem',
      Greece: 'grd',
      'Hong Kong': 'hkd',
      India: 'inr',
      Ireland: 'iep',
      Italy: 'itl',
      Japan: 'jpy',
      Malaysia: 'myr',
      Mexico: 'mxn',
      Netherlands: 'nlg',
      'New Zealand': 'nzd',
      Norway: 'nok',
      Portugal: 'pte',
      Singapore: 'sgd',
      'South Africa': 'zar',
      'South Korea': 'krw',
      Spain: 'esp',
      'Sri Lanka': 'lkr',
      Sweden: 'sek',
      Switzerland: 'chf',
      Taiwan: 'twd',
      Thailand: 'thb',
      'United Kingdom': 'gbp',
      Venezuela: 'ves',
    }),
  )('of %s belongs to %s', async (country, currency) => {
    const { observations } = await tell('quotes', 'market/fx-monthly.csv', `Date,Country,Exchange rate\n2017-12-01,${country},0.5\n`);
    expect(observations.map(({ entityId }) => entityId)).toEqual([`cur_${currency}`]);
  });
});

describe('a cash dividend', () => {
  const paid = (rows: string, symbol = 'EXMP', retrievedAt?: string) =>
    tell('dividends', `prices/dividends/${symbol}.csv`, `Ex,Pay,Dec,Div\n${rows}`, retrievedAt);

  it.each([
    ['on its ex day', '2025-02-07,2025-02-13,2025-01-30,0.25\n', 0.25, '2025-02-07T23:59:59.999Z'],
    ['declared after it', '2025-02-07,2025-02-13,2025-02-09,0.25\n', 0.25, '2025-02-09T23:59:59.999Z'],
    ['of an unknown declaration', '2025-02-07,2025-02-13,,0.25\n', 0.25, '2025-02-07T23:59:59.999Z'],
    ['a regular and a special one', '2025-02-07,,2025-01-30,0.1\n2025-02-07,,2025-02-08,0.2\n', 0.3, '2025-02-08T23:59:59.999Z'],
    ['the same row twice', '2025-02-07,,2025-01-30,0.25\n2025-02-07,,2025-01-30,0.25\n', 0.25, '2025-02-07T23:59:59.999Z'],
  ])('%s', async (_, rows, value, observedAt) => {
    const { observations } = await paid(rows);
    expect(observations.map((row) => [row.period, row.value, row.observedAt, row.frequency, row.unit, row.entityId])).toEqual([
      ['2025-02-07', value, observedAt, 'event', 'usd', 'ticker:exmp'],
    ]);
  });

  it('is in the order of ex days, and known from a retrieval on the ex day itself', async () => {
    const rows = '2025-05-09,,,0.3\n2025-02-07,,,0.2\n';
    const { observations } = await paid(rows, 'EXMP', '2025-05-09T10:00:00.000Z');
    expect(observations.map(({ period, observedAt }) => [period, observedAt])).toEqual([
      ['2025-02-07', '2025-02-07T23:59:59.999Z'],
      ['2025-05-09', '2025-05-09T10:00:00.000Z'],
    ]);
  });

  it.each(['0', '0.0', '-0.1', ''])('of %s is skipped', async (amount) => {
    const { observations, of } = await paid(`2025-02-07,,,${amount}\n`);
    expect([observations.length, of('refused').map(({ rule, period }) => [rule, period])]).toEqual([0, [['out_of_range', '2025-02-07']]]);
  });

  it('of a reassigned symbol belongs to nobody', async () => {
    const { observations, of } = await paid('2019-02-14,2019-03-15,2019-01-16,0.17\n', 'MNR');
    expect([observations.length, of('refused').map(({ rule }) => rule)]).toEqual([0, ['identity_unresolved']]);
  });
});
