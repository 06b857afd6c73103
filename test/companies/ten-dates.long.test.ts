// The list of companies as of ten dates, against lakes that hold only what was known by then: names, tickers, exchanges, classes, splits and ends of
// fiscal years that were learnt later are nowhere.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { companyFacts, type StatedFact, submissions } from '../filings/edgar.ts';
import { type Files, openPipeline, type Pipeline } from '../pipeline.ts';
import { type RunningService } from '../service.ts';
import { buildLakeOfThen } from '../story/look-ahead/lake-of-then.ts';
import { shownBy, shownTooEarly } from '../story/shown-tickers.ts';
import { startOpenService } from '../story/look-ahead/then-routes.ts';

/** Apple's splits of seven for one (2014-06-09) and four for one (2020-08-31) are in the reference. */
const SPLIT = 320193;
const [RENAMED, HEIR, DUAL, FOREIGN] = [9300001, 9300002, 9300003, 9300004];
const NOW = '2024-12-01T00:00:00.000Z';
const DATES = [
  '2019-06-01',
  '2020-08-30',
  '2020-09-02',
  '2021-12-31',
  '2022-02-28',
  '2022-03-02',
  '2022-10-01',
  '2023-03-02',
  '2023-09-01',
  '2024-06-30',
] as const;

const year = (of: number, value: number, unit = 'USD', end = `${of}-12-31`): StatedFact[] => [
  ['NetIncomeLoss', unit, `${of}-01-01`, end, value],
  ['Revenues', unit, `${of}-01-01`, end, value * 10],
  ['EarningsPerShareDiluted', `${unit}/shares`, `${of}-01-01`, end, value / 100],
  ['StockholdersEquity', unit, null, end, value * 5],
  ['CommonStockSharesOutstanding', 'shares', null, end, 100],
  ['EntityCommonStockSharesOutstanding', 'shares', null, end, 100],
];
const accession = (cik: number, index: number) => `${String(cik).padStart(10, '0')}-24-${String(index).padStart(6, '0')}`;
const filed = (cik: number, filings: Readonly<Record<string, readonly StatedFact[]>>, form = '10-K'): Files =>
  companyFacts(
    cik,
    Object.fromEntries(Object.entries(filings).map(([day, facts], index) => [accession(cik, index), { form, filed: day, facts }])),
  );
const annual = { '2019-02-20': year(2018, 80), '2020-02-20': year(2019, 90), '2021-02-20': year(2020, 100), '2022-02-20': year(2021, 110) };
const listOf = (holders: Readonly<Record<string, number>>): Files => ({
  'sec/company_tickers.json': JSON.stringify(
    Object.fromEntries(Object.entries(holders).map(([ticker, cik], index) => [index, { cik_str: cik, ticker, title: `Filer ${cik}` }])),
  ),
});
function described(cik: number, more: Readonly<Record<string, unknown>>, forms: Readonly<Record<string, string>> = {}): Files {
  const filings = Object.fromEntries(
    Object.entries(forms).map(([day, form], index) => [
      accession(cik, 50 + index),
      { form: form.split(' ')[0] ?? '', items: form.split(' ')[1] ?? '', filed: day, acceptedAt: `${day}T21:00:00.000Z` },
    ]),
  );
  const [[path, body] = ['', '{}']] = Object.entries(submissions(cik, { sic: '3674', sicDescription: 'Chips' }, filings));
  return { [path]: JSON.stringify({ ...(JSON.parse(String(body)) as object), ...more }) };
}
const quotes = (symbol: string, closes: Readonly<Record<string, number>>): Files => ({
  [`prices/daily_json/${symbol}.json`]: JSON.stringify({
    symbol,
    prices: Object.entries(closes).map(([time, close]) => ({ time, open: close, high: close, low: close, close, volume: 1 })),
  }),
});

const FORMER = [
  { name: 'Oldest Works Inc.', from: '2005-01-01T00:00:00.000Z', to: '2020-05-01T00:00:00.000Z' },
  { name: 'Old Works Inc.', from: '2020-05-01T00:00:00.000Z', to: '2022-09-15T00:00:00.000Z' },
];
const arrivals: readonly (readonly [at: string, files: Files])[] = [
  [
    '2022-03-01T08:00:00.000Z',
    {
      ...listOf({ ZZOLD: RENAMED, ZZDA: DUAL, ZZDB: DUAL, AAPL: SPLIT, ZZFOR: FOREIGN }),
      ...filed(RENAMED, annual),
      ...filed(DUAL, annual),
      ...filed(SPLIT, annual),
      ...filed(FOREIGN, { '2021-04-20': year(2020, 70, 'EUR'), '2022-04-20': year(2021, 75, 'EUR') }, '20-F'),
      ...described(RENAMED, {
        name: 'Old Works Inc.',
        tickers: ['ZZOLD'],
        exchanges: ['NYSE'],
        fiscalYearEnd: '1231',
        formerNames: FORMER.slice(0, 1),
      }),
      ...described(DUAL, { tickers: ['ZZDA', 'ZZDB'], exchanges: ['Nasdaq', 'Nasdaq'] }),
      ...described(SPLIT, { name: 'Split Co', tickers: ['AAPL'], exchanges: ['Nasdaq'] }),
      ...quotes('ZZOLD', { '2022-02-28': 30 }),
      ...quotes('ZZDA', { '2022-02-28': 40 }),
      ...quotes('ZZDB', { '2022-02-28': 4 }),
      ...quotes('AAPL', { '2020-08-28': 10, '2020-08-31': 11, '2022-02-28': 12 }),
    },
  ],
  [
    '2023-03-01T08:00:00.000Z',
    {
      ...listOf({ ZZNEW: RENAMED, ZZOLD: HEIR, ZZDB: DUAL, AAPL: SPLIT, ZZFOR: FOREIGN }),
      ...described(RENAMED, {
        name: 'New Works Inc.',
        sic: '2834',
        sicDescription: 'Drugs',
        tickers: ['ZZNEW'],
        exchanges: ['Nasdaq'],
        fiscalYearEnd: '0630',
        formerNames: FORMER,
      }),
      ...filed(HEIR, { '2023-02-20': year(2022, 60) }),
      ...described(HEIR, { name: 'Heir Inc.', tickers: ['ZZOLD'], exchanges: ['NYSE'] }),
      ...quotes('ZZOLD', { '2023-02-28': 7 }),
      ...filed(FOREIGN, { '2021-04-20': year(2020, 70, 'EUR'), '2022-04-20': year(2021, 75, 'EUR'), '2023-02-20': year(2022, 99) }, '20-F'),
    },
  ],
  [
    '2024-03-01T08:00:00.000Z',
    {
      ...listOf({ ZZOLD: HEIR, ZZDB: DUAL, AAPL: SPLIT, ZZFOR: FOREIGN }),
      ...described(
        RENAMED,
        { name: 'New Works Inc.', tickers: [], exchanges: [], formerNames: FORMER },
        { '2024-01-15': '8-K 2.01', '2024-01-29': '15-12G' },
      ),
      ...described(DUAL, { name: 'Dual Inc.', tickers: ['ZZDB'], exchanges: ['NYSE'] }),
      ...filed(RENAMED, { ...annual, '2023-08-20': year(2023, 50, 'USD', '2023-06-30') }, '10-KT'),
    },
  ],
];

type Row = Readonly<Record<string, unknown>>;
const rowsOf = async (service: RunningService, query: string): Promise<readonly Row[]> => {
  const response = await service.get(`/public/companies?limit=500&sort=name${query}`);
  return ((await response.json()) as { readonly data: readonly Row[] }).data;
};

describe('the list of companies', () => {
  let pipeline: Pipeline;
  let service: RunningService;
  beforeAll(async () => {
    pipeline = await openPipeline();
    for (const [at, files] of arrivals) await pipeline.ingest(files, at);
    await pipeline.publish();
    service = await startOpenService(pipeline.dataDir, Date.parse(NOW));
  }, 120_000);
  afterAll(async () => {
    await service.stop();
    await pipeline.remove();
  });

  it.each(DATES)('as of %s equals the list in a lake of that day', { timeout: 120_000 }, async (date) => {
    const moment = `${date}T23:59:59.999Z`;
    const then = await buildLakeOfThen(pipeline, moment, true);
    const earlier = await startOpenService(then.dataDir, Date.parse(moment));
    try {
      const said = await rowsOf(service, `&as_of=${date}`);
      expect(said).toEqual(await rowsOf(earlier, `&as_of=${date}`));
      expect(said.length).toBeGreaterThan(2);
      // The lake of then keeps later tickers for look-ups; no row shows them.
      expect(shownTooEarly(said, await shownBy(pipeline, moment))).toEqual([]);
    } finally {
      await earlier.stop();
      await then.remove();
    }
  });

  it('shows the values known then, checked by hand', async () => {
    const shown = async (cik: number, date: string) => {
      const row = (await rowsOf(service, `&as_of=${date}`)).find((one) => one['cik'] === String(cik).padStart(10, '0'));
      return row === undefined
        ? null
        : ['name', 'ticker', 'exchange', 'sic', 'fiscalYearEnd', 'status', 'reportingCurrency'].map((field) => row[field]);
    };
    expect(await shown(RENAMED, '2019-06-01')).toEqual(['Oldest Works Inc.', null, null, null, '12-31', expect.anything(), 'USD']);
    expect(await shown(RENAMED, '2022-03-02')).toEqual(['Old Works Inc.', 'ZZOLD', null, '3674', '12-31', 'active', 'USD']);
    expect(await shown(RENAMED, '2023-03-02')).toEqual(['New Works Inc.', 'ZZNEW', 'XNAS', '2834', '06-30', 'active', 'USD']);
    expect(await shown(RENAMED, '2023-09-01')).toEqual(['New Works Inc.', 'ZZNEW', 'XNAS', '2834', '06-30', 'active', 'USD']);
    expect(await shown(RENAMED, '2024-06-30')).toEqual(['New Works Inc.', null, null, '3674', '06-30', 'acquired', 'USD']);
    // A form 4 of 2010 is all that was known of it. A name is never null: it is the oldest known.
    expect(await shown(HEIR, '2022-10-01')).toEqual(['Heir Inc.', null, null, null, null, 'unknown', null]);
    expect((await shown(HEIR, '2023-03-02'))?.[1]).toBe('ZZOLD');
    expect([(await shown(FOREIGN, '2022-10-01'))?.[6], (await shown(FOREIGN, '2023-03-02'))?.[6]]).toEqual(['EUR', 'USD']);
    const split = async (date: string) => {
      const row = (await rowsOf(service, `&as_of=${date}`)).find((one) => one['cik'] === '0000320193');
      return ['price', 'priceAsOf', 'sharesOutstanding', 'sharesAsOf'].map((field) => row?.[field]);
    };
    // The close of 28 August as it was traded: the file divides it by four.
    expect(await split('2020-08-30')).toEqual([40, '2020-08-28', 100, '2019-12-31']);
    expect(await split('2020-09-02')).toEqual([11, '2020-08-31', 100, '2019-12-31']);
    // In February 2021 a report made both prices doubtful. The newest day stays the newest.
    expect(await split('2021-12-31')).toEqual([11, '2020-08-31', 100, '2020-12-31']);
  });
});
