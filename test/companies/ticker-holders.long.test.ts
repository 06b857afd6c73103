// Who holds a ticker: by EDGAR's lists of the day, and never a later holder for an earlier day.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mendLake } from '../../jobs/mend.ts';
import { decide, listHeld } from '../../jobs/quarantine.ts';
import { sources } from '../../src/sources/index.ts';
import { submissions } from '../filings/edgar.ts';
import { type Files, openPipeline, type Pipeline, SILENT } from '../pipeline.ts';
import { type ListBody, type RunningService } from '../service.ts';
import { startOpenService } from '../story/look-ahead/then-routes.ts';

const BEFORE = '2026-03-10T08:00:00.000Z';
const AFTER = '2026-08-20T08:00:00.000Z';
const [OIL, OIL_HOLDINGS, OLD, SNOW] = [9100020, 9100021, 9100030, 9100031];
const closeOf = (cik: number) => `${idOf(cik)}_price_close`;
const idOf = (cik: number) => `company_${String(cik).padStart(10, '0')}`;

const tickerList = (holders: readonly (readonly [cik: number, ticker: string])[]): Files => ({
  'sec/company_tickers.json': JSON.stringify(
    Object.fromEntries(holders.map(([cik, ticker], index) => [index, { cik_str: cik, ticker, title: `Filer ${cik}` }])),
  ),
});
const filer = (cik: number, tickers: readonly string[], reports: readonly string[], more: Readonly<Record<string, string>> = {}): Files =>
  submissions(
    cik,
    { sic: '3674', sicDescription: 'x', tickers },
    Object.fromEntries(
      [...reports.map((day) => [day, '10-Q'] as const), ...Object.entries(more)].map(([day, stated], index) => {
        const [form = '', items = ''] = stated.split(' ');
        return [
          `${String(cik).padStart(10, '0')}-24-${String(index).padStart(6, '0')}`,
          {
            form,
            items,
            filed: day,
            acceptedAt: `${day}T21:00:00.000Z`,
            ...(form === '10-Q' ? { reportDate: `${day.slice(0, 8)}01` } : {}),
          },
        ];
      }),
    ),
  );
const quotes = (symbol: string, closes: Readonly<Record<string, number>>): Files => ({
  [`prices/daily_json/${symbol}.json`]: JSON.stringify({
    symbol,
    prices: Object.entries(closes).map(([time, close]) => ({ time, open: close, high: close, low: close, close, volume: 1 })),
  }),
});

describe('a ticker that passes to another company', () => {
  let pipeline: Pipeline;
  let service: RunningService;
  beforeAll(async () => {
    pipeline = await openPipeline();
    await pipeline.ingest(
      {
        ...tickerList([
          [OIL, 'ZZOIL'],
          [OLD, 'ZZREU'],
        ]),
        ...filer(OIL, ['ZZOIL'], ['2025-05-09', '2025-11-09', '2026-02-19']),
        ...filer(OLD, ['ZZREU'], ['2015-05-09', '2016-11-09']),
        ...quotes('ZZOIL', { '2026-03-02': 50, '2026-03-03': 51 }),
      },
      BEFORE,
    );
    await pipeline.run(
      {
        ...tickerList([
          [OIL_HOLDINGS, 'ZZOIL'],
          [SNOW, 'ZZREU'],
        ]),
        ...filer(OIL, [], ['2025-05-09', '2025-11-09', '2026-02-19']),
        ...filer(OLD, [], ['2015-05-09', '2016-11-09']),
        ...filer(OIL_HOLDINGS, ['ZZOIL'], ['2026-08-04']),
        ...filer(SNOW, ['ZZREU'], ['2024-05-09', '2026-02-19']),
        ...quotes('ZZOIL', { '2026-03-03': 51, '2026-08-18': 60, '2026-08-19': 61 }),
        ...quotes('ZZREU', { '2026-03-02': 100, '2026-08-19': 101 }),
      },
      AFTER,
    );
    service = await startOpenService(pipeline.dataDir, Date.parse('2026-08-25T00:00:00.000Z'));
  });
  afterAll(async () => {
    await service.stop();
    await pipeline.remove();
  });
  const get = async <Body>(path: string) => (await (await service.get(path)).json()) as Body;
  const resolved = async (question: string) =>
    (await get<{ data?: { entity: { entityId: string } } }>(`/entities/resolve?${question}`)).data?.entity.entityId;
  const prices = async (question: string) =>
    (await get<ListBody>(`/observations?indicator_id=price_close&${question}`)).data.map((row) => [
      row['indicatorId'],
      row['period'],
      row['actual'],
    ]);

  it('finds its present holder, and under as_of the holder of that day', async () => {
    expect(await resolved('alias=ZZREU')).toBe(idOf(SNOW));
    expect(await resolved('alias=ZZREU&as_of=2026-08-19')).toBe(idOf(OLD));
    expect(await resolved('alias=zzoil')).toBe(idOf(OIL_HOLDINGS));
    expect(await resolved(`alias=ZZOIL&as_of=${new Date(Date.parse(AFTER) - 1).toISOString()}`)).toBe(idOf(OIL));
    expect(await resolved(`alias=ZZOIL&as_of=${AFTER}`)).toBe(idOf(OIL_HOLDINGS));
  });

  it('finds the statements and rows of its holder', async () => {
    const found = async (question: string) =>
      (await get<ListBody>(`/public/companies?ticker=${question}`)).data.map((row) => row['companyId']);
    expect([await found('ZZREU'), await found('ZZREU&as_of=2026-08-19')]).toEqual([[idOf(SNOW)], [idOf(OLD)]]);
    expect((await service.get('/companies/ZZREU/financials')).status).toBe(200);
    expect(await prices('entity=ZZOIL&as_of=2026-04-01')).toEqual([
      [closeOf(OIL), '2026-03-02', 50],
      [closeOf(OIL), '2026-03-03', 51],
    ]);
  });

  it('leaves its earlier holder without a ticker and not active, and links it to a successor', async () => {
    const company = async (cik: number, asOf = '') => {
      const { data } = await get<ListBody>(`/public/companies?q=${cik}${asOf}`);
      return data.map((row) => [row['ticker'], row['tickers'], row['exchange'], row['status']])[0];
    };
    expect(await company(OIL)).toEqual([null, [], null, 'unknown']);
    expect(await company(OIL_HOLDINGS)).toEqual(['ZZOIL', ['ZZOIL'], 'XNAS', 'active']);
    expect(await company(OIL, '&as_of=2026-08-01')).toEqual(['ZZOIL', ['ZZOIL'], 'XNAS', 'active']);
    // Before the list that gave it was retrieved.
    expect(await company(OIL, '&as_of=2026-03-01')).toEqual([null, [], null, 'unknown']);
    const entity = async (cik: number, asOf = '') => {
      const { data } = await get<{ data: Record<string, unknown> }>(`/entities/${idOf(cik)}${asOf}`);
      return [data['status'], data['successorEntityId'], (data['identifiers'] as Record<string, unknown>)['ticker']];
    };
    expect(await entity(OIL)).toEqual(['merged', idOf(OIL_HOLDINGS), null]);
    expect(await entity(OIL, '?as_of=2026-08-01')).toEqual(['active', null, 'ZZOIL']);
    expect(await entity(OLD)).toEqual(['inactive', null, null]);
    expect(await entity(SNOW)).toEqual(['active', null, 'ZZREU']);
  });

  it('has no price before its holder had it, and gives archived quotes to no new holder', async () => {
    expect(await prices(`entity=${idOf(OIL)}`)).toEqual([
      [closeOf(OIL), '2026-03-02', 50],
      [closeOf(OIL), '2026-03-03', 51],
    ]);
    // Until the list of 20 August the ticker was the other's.
    expect(await prices(`entity=${idOf(OIL_HOLDINGS)}`)).toEqual([]);
    expect(await prices(`entity=${idOf(SNOW)}`)).toEqual([]);
    await pipeline.run(quotes('ZZOIL', { '2026-08-19': 61, '2026-08-20': 62, '2026-08-21': 63 }), '2026-08-22T08:00:00.000Z');
    await service.follow();
    expect(await prices(`entity=${idOf(OIL_HOLDINGS)}`)).toEqual([
      [closeOf(OIL_HOLDINGS), '2026-08-20', 62],
      [closeOf(OIL_HOLDINGS), '2026-08-21', 63],
    ]);
  });
});

describe('a new list of tickers', () => {
  let pipeline: Pipeline;
  const CIKS = Array.from({ length: 40 }, (_, index) => 9200000 + index);
  const tickerOf = (cik: number) => `ZZ${cik}`;
  const listOf = (ciks: readonly number[]) => tickerList(ciks.map((cik) => [cik, tickerOf(cik)] as const));
  const active = async () => {
    await pipeline.publish();
    const reader = await pipeline.open();
    const found = await reader.withConnection((connection) =>
      connection.runAndReadAll("select cik::integer from published.companies where status = 'active' order by cik"),
    );
    return found.getRows().map(([cik]) => Number(cik));
  };
  const held = () => pipeline.lake("select reason, observed_value, payload_id from quarantine where rule = 'scale_jump'");
  beforeAll(async () => {
    pipeline = await openPipeline();
    await pipeline.ingest(listOf(CIKS), '2026-01-01T08:00:00.000Z');
  });
  afterAll(() => pipeline.remove());

  it('ends the tickers of missing filers, and restores them if it lists them again', async () => {
    await pipeline.ingest(listOf(CIKS.slice(2)), '2026-01-02T08:00:00.000Z');
    expect(await active()).toEqual(CIKS.slice(2));
    await pipeline.ingest(listOf(CIKS.slice(1)), '2026-01-03T08:00:00.000Z');
    expect(await active()).toEqual(CIKS.slice(1));
    expect(await held()).toEqual([]);
  });

  it('ends no ticker if it drops more than 5 percent of its filers, until it is released', async () => {
    await pipeline.ingest(listOf(CIKS.slice(3)), '2026-01-04T08:00:00.000Z');
    expect(await active()).toEqual(CIKS.slice(1));
    const [finding] = await held();
    expect(finding?.['reason']).toBe(
      'The list lacks 2 of 39 filers, more than 5 percent, so it ends no tickers. If the list is complete, run: npm run quarantine -- release ID --note TEXT',
    );
    const lake = await pipeline.workspace.openLake();
    const [waiting] = await listHeld(lake);
    await decide(lake, [waiting?.quarantineId ?? ''], {
      status: 'released',
      note: 'They left.',
      isWholePayload: false,
      at: '2026-01-05T08:00:00.000Z',
    });
    await lake.close();
    // What a run reads, it reads again.
    await pipeline.ingest(filer(9299999, [], ['2025-05-09']), '2026-01-05T08:00:01.000Z');
    expect(await active()).toEqual(CIKS.slice(3));
  });

  it("restores a ticker that the filer's own file lacked in between", async () => {
    const [first = 0, second = 0] = CIKS.slice(3);
    await pipeline.ingest(filer(first, [], ['2025-05-09']), '2026-01-06T08:00:00.000Z');
    expect(await active()).toEqual(CIKS.slice(4));
    // A list with other bytes, as its order changes from day to day.
    await pipeline.ingest(listOf([second, first, ...CIKS.slice(5)]), '2026-01-07T08:00:00.000Z');
    expect(await active()).toEqual(CIKS.slice(3));
  });
});

describe('a filer without a ticker', () => {
  let pipeline: Pipeline;
  const FORMS: Readonly<Record<string, { readonly forms: Readonly<Record<string, string>>; readonly status: string }>> = {
    9300000: { forms: {}, status: 'unknown' },
    9300001: { forms: { '2026-02-20': '25-NSE' }, status: 'delisted' },
    9300002: { forms: { '2026-03-02': '15-12G' }, status: 'delisted' },
    9300003: { forms: { '2026-02-20': '8-K 2.01,3.01', '2026-02-21': '25-NSE', '2026-03-02': '15-12B' }, status: 'acquired' },
    // It bought something itself, years before.
    9300004: { forms: { '2019-02-20': '8-K 2.01,9.01', '2026-02-21': '25' }, status: 'delisted' },
    // Its notes were withdrawn; it went on.
    9300005: { forms: { '2020-02-20': '25-NSE' }, status: 'unknown' },
    9300006: { forms: { '2026-02-20': '8-K 5.02' }, status: 'unknown' },
  };
  beforeAll(async () => {
    pipeline = await openPipeline();
    const filers = (tickers: (cik: string) => readonly string[]): Files =>
      Object.entries(FORMS).reduce<Files>(
        (files, [cik, { forms }]) => ({ ...files, ...filer(Number(cik), tickers(cik), ['2025-05-09', '2025-11-09'], forms) }),
        {},
      );
    await pipeline.ingest(
      filers((cik) => [`ZZ${cik}`]),
      '2026-03-10T08:00:00.000Z',
    );
    await pipeline.run(
      filers(() => []),
      '2026-04-01T08:00:00.000Z',
    );
  });
  afterAll(() => pipeline.remove());

  it('is acquired after an 8-K with item 2.01, delisted after a Form 15 or 25, else unknown', async () => {
    const reader = await pipeline.open();
    const found = await reader.withConnection((connection) =>
      connection.runAndReadAll('select cik::integer::varchar, status, to_json(states) from published.companies order by cik'),
    );
    expect(Object.fromEntries(found.getRows().map(([cik, status]) => [String(cik), status]))).toEqual(
      Object.fromEntries(Object.entries(FORMS).map(([cik, { status }]) => [cik, status])),
    );
  });
});

describe('a listed company whose notes were withdrawn before its tickers were first read', () => {
  it('is unknown until then, and never delisted or acquired', async () => {
    const pipeline = await openPipeline();
    const forms = { '2025-11-14': '25-NSE', '2025-11-20': '8-K 2.01' };
    await pipeline.run({ ...tickerList([[9300010, 'ZZNOTE']]), ...filer(9300010, ['ZZNOTE'], ['2025-10-30'], forms) }, BEFORE);
    const reader = await pipeline.open();
    const found = await reader.withConnection((connection) =>
      connection.runAndReadAll(
        'select list(state.status order by state.known_from) from (select unnest(states) as state from published.companies)',
      ),
    );
    expect(JSON.stringify(found.getRowsJson())).toBe(JSON.stringify([[['unknown', 'active']]]));
    await pipeline.remove();
  });
});

describe('a ticker that two filers claim', () => {
  it('goes back to the listed one after quotes were lost and read again', async () => {
    const pipeline = await openPipeline();
    const [LISTED, CLAIMING] = [9100040, 9100041];
    await pipeline.ingest({ ...tickerList([[LISTED, 'ZZTWO']]), ...filer(LISTED, ['ZZTWO'], ['2025-05-09']) }, BEFORE);
    const later = '2026-03-11T08:00:00.000Z';
    await pipeline.ingest({ ...tickerList([[LISTED, 'ZZTWO']]), ...filer(CLAIMING, ['ZZTWO'], ['2025-06-09']) }, later);
    await pipeline.ingest(quotes('ZZTWO', { '2026-03-11': 50, '2026-03-12': 51 }), '2026-03-13T08:00:00.000Z');
    const given = () => pipeline.lake("select entity_id, period, value from observations where canonical_id = 'price_close' order by all");
    const before = await given();
    expect([...new Set(before.map((row) => row['entity_id']))]).toEqual([idOf(LISTED)]);
    await rm(join(pipeline.dataDir, 'lake/observations/source_id=quotes'), { recursive: true });
    const lake = await pipeline.workspace.openLake();
    await mendLake(lake, pipeline.workspace, sources, { now: () => Date.parse('2026-03-14T08:00:00.000Z'), log: SILENT });
    await lake.close();
    expect(await given()).toEqual(before);
    await pipeline.remove();
  });
});
