// Figures of companies through time, of filings written by hand: what each is, from which instant on, and when it is missing.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { run } from '../../../src/db/query.ts';
import { screenerFiguresQuery } from '../../../src/queries/screener/figures.ts';
import { cikOf, type Fact, type Filer, openFilers } from '../by-hand/filers.ts';
import type { Relations } from '../by-hand/relations.ts';

type Period = readonly [start: string | null, end: string];
type Amounts = Readonly<Record<string, number>>;
const year = (one: number): Period => [`${one}-01-01`, `${one}-12-31`];
const quarter = (one: number): Period => [`${one}-01-01`, `${one}-03-31`];
const on = (day: string): Period => [null, day];
const facts = ([start, end]: Period, amounts: Amounts, unit?: string): Fact[] =>
  Object.entries(amounts).map(
    ([concept, value]): Fact => (unit === undefined ? [concept, start, end, value] : [concept, start, end, value, unit]),
  );
const RETRIEVED = { retrievedAt: '2030-01-01 00:00:00+00' };

const OF_2022 = { Revenues: 1000, NetIncomeLoss: 120, OperatingIncomeLoss: 100, EarningsPerShareDiluted: 2 };
const OF_2023 = {
  Revenues: 1100,
  GrossProfit: 440,
  OperatingIncomeLoss: 150,
  NetIncomeLoss: 90,
  EarningsPerShareDiluted: 3,
  NetCashProvidedByUsedInOperatingActivities: 130,
  PaymentsToAcquirePropertyPlantAndEquipment: 20,
};
const AT_2023 = {
  Assets: 2000,
  Liabilities: 1400,
  AssetsCurrent: 600,
  LiabilitiesCurrent: 240,
  StockholdersEquity: 450,
  LongTermDebtNoncurrent: 300,
  DebtCurrent: 20,
  CashAndCashEquivalentsAtCarryingValue: 40,
  ShortTermInvestments: 5,
};
// As many as net income over earnings a share.
const COVER: Fact = ['EntityCommonStockSharesOutstanding', null, '2024-01-25', 30];
const ANNUAL = { filed: '2024-02-02', acceptedAt: '2024-02-01 23:30:00+00', disseminatedAt: '2024-02-02 11:00:00+00', ...RETRIEVED };
const ANNUAL_FACTS = [...facts(year(2022), OF_2022), ...facts(year(2023), OF_2023), ...facts(on('2023-12-31'), AT_2023), COVER];

const WHOLE: Filer = {
  filings: [
    { filed: '2023-05-01', form: '10-Q', ...RETRIEVED, facts: facts(quarter(2022), { Revenues: 200 }) },
    { ...ANNUAL, facts: ANNUAL_FACTS },
    // The same once more says nothing new.
    { filed: '2024-03-01', form: '10-K/A', ...RETRIEVED, facts: ANNUAL_FACTS },
    {
      filed: '2024-05-01',
      form: '10-Q',
      ...RETRIEVED,
      facts: [
        ...facts(quarter(2023), { Revenues: 250 }),
        ...facts(quarter(2024), { Revenues: 300 }),
        ...facts(on('2024-03-31'), { Assets: 2100, StockholdersEquity: 470 }),
      ],
    },
  ],
};
const annual = (now: Amounts, before: Amounts = {}, at: Amounts = {}): Filer => ({
  filings: [{ ...ANNUAL, facts: [...facts(year(2022), before), ...facts(year(2023), now), ...facts(on('2023-12-31'), at)] }],
});
const FILERS = {
  whole: WHOLE,
  euros: {
    filings: [
      {
        ...ANNUAL,
        form: '20-F',
        facts: [...facts(year(2023), OF_2023, 'EUR'), ...facts(on('2023-12-31'), AT_2023, 'EUR'), COVER],
      },
    ],
  },
  // Of these the dollars are a translation, each year at another rate.
  translated: {
    filings: [
      {
        filed: '2023-03-01',
        form: '20-F',
        ...RETRIEVED,
        facts: [...facts(year(2022), { Revenues: 100 }), ...facts(year(2022), { Revenues: 680 }, 'CNY')],
      },
      {
        ...ANNUAL,
        form: '20-F',
        facts: [
          ...facts(year(2023), OF_2023),
          ...facts(on('2023-12-31'), AT_2023),
          ...facts(year(2023), OF_2023, 'CNY'),
          ...facts(on('2023-12-31'), AT_2023, 'CNY'),
          ...facts(year(2022), { Revenues: 680 }, 'CNY'),
          COVER,
        ],
      },
    ],
  },
  // Of the year before it still knows what it said in euros.
  switched: {
    filings: [
      {
        filed: '2023-03-01',
        form: '20-F',
        ...RETRIEVED,
        facts: [...facts(year(2022), { Revenues: 90 }, 'EUR'), ...facts(on('2022-12-31'), { Assets: 900 }, 'EUR')],
      },
      {
        ...ANNUAL,
        facts: [
          ...facts(year(2022), { Revenues: 100 }),
          ...facts(year(2023), { Revenues: 130 }),
          ...facts(on('2023-12-31'), { Assets: 9, StockholdersEquity: 8 }),
        ],
      },
    ],
  },
  // A first quarterly report: no twelve months are known.
  young: {
    filings: [
      {
        ...ANNUAL,
        form: '10-Q',
        facts: [...facts(quarter(2024), { Revenues: 7 }), ...facts(on('2023-12-31'), { Assets: 9, StockholdersEquity: 8 })],
      },
    ],
  },
  loss: annual({ NetIncomeLoss: 5, OperatingIncomeLoss: -5, Revenues: 10 }, { NetIncomeLoss: -5, OperatingIncomeLoss: 10, Revenues: 0 }),
  others: annual(
    { ProfitLoss: 100, NetIncomeLossAttributableToNoncontrollingInterest: 30 },
    { ProfitLoss: 60, NetIncomeLossAttributableToNoncontrollingInterest: 10 },
    { StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest: 500, MinorityInterest: 80, PreferredStockValue: 7 },
  ),
} as const satisfies Readonly<Record<string, Filer>>;
const entityOf = (name: keyof typeof FILERS) => `company_${cikOf(Object.keys(FILERS).indexOf(name) + 1)}`;

const LISTED = z
  .array(z.object({ field: z.string(), kind: z.string() }))
  .parse(parse(readFileSync(resolve(import.meta.dirname, '../../../data/reference/company_figures.csv')), { columns: true }));
const FIELDS = LISTED.filter(({ kind }) => kind !== 'score')
  .map(({ field }) => field)
  .sort();

describe('a figure of a company', () => {
  let relations: Relations;
  beforeAll(async () => {
    relations = await openFilers(Object.values(FILERS));
    await relations.build('reference/company_figures', 'published/companies/company_figures');
  });
  afterAll(() => relations.close());
  const rowsOf = async (name: keyof typeof FILERS, asOf = 'infinity', { fields = FIELDS, periodFrom = '0001-01-01' } = {}) => {
    const bound = { fields, firstField: fields[0] ?? '', lastField: fields.at(-1) ?? '', asOf, periodFrom };
    return (await run({ withConnection: (use) => use(relations.connection, new Map()) }, screenerFiguresQuery, bound)).filter(
      (row) => row.entityId === entityOf(name),
    );
  };
  const valuesOf = async (...given: Parameters<typeof rowsOf>) =>
    Object.fromEntries((await rowsOf(...given)).map((row) => [row.field, row.value]));

  it('comes from the statements of the newest filing, for twelve months or the day of the balance sheet', async () => {
    const rows = await rowsOf('whole', '2024-02-02T11:00:00.000Z');
    expect(Object.fromEntries(rows.map(({ field, value, periodEnd, observedAt }) => [field, [value, periodEnd, observedAt]]))).toEqual(
      Object.fromEntries(
        Object.entries({
          cash: 45,
          current_assets: 600,
          current_liabilities: 240,
          debt: 320,
          eps_growth: 50,
          equity: 450,
          free_cash_flow: 110,
          gross_profit: 440,
          net_income: 90,
          net_income_growth: -25,
          operating_cash_flow: 130,
          operating_income: 150,
          operating_income_growth: 50,
          revenue: 1100,
          revenue_growth: expect.closeTo(10, 9) as number,
          shares_outstanding: 30,
          total_assets: 2000,
          total_liabilities: 1400,
        }).map(([field, value]) => [
          field,
          [value, field === 'shares_outstanding' ? '2024-01-25' : '2023-12-31', '2024-02-02T11:00:00.000Z'],
        ]),
      ),
    );
    // Every field that is listed is one of them.
    expect(rows.map(({ field }) => field).sort()).toEqual(FIELDS);
  });

  it('is known from the dissemination of its filing on, and not a second before', async () => {
    expect(await rowsOf('whole', '2024-02-02T10:59:59.000Z')).toEqual([]);
    expect(await valuesOf('whole', '2024-04-30T23:59:59.000Z')).toMatchObject({ revenue: 1100, total_assets: 2000 });
    // Filed on 2024-05-01 at 21:00: 1100 + 300 − 250 after 1000 + 250 − 200.
    expect(await valuesOf('whole', '2024-05-01T20:59:59.000Z')).toMatchObject({ revenue: 1100, total_assets: 2000 });
    expect(await valuesOf('whole', '2024-05-01T21:00:00.000Z')).toMatchObject({
      revenue: 1150,
      revenue_growth: expect.closeTo(100 * (1150 / 1050 - 1), 9) as number,
      total_assets: 2100,
      equity: 470,
    });
  });

  it('is known from the first filing that states it, even if another repeats it', async () => {
    const found = await rowsOf('whole', '2024-04-01T00:00:00.000Z', { fields: ['total_assets'] });
    expect(found).toMatchObject([{ value: 2000, observedAt: '2024-02-02T11:00:00.000Z' }]);
    const all = await relations.ask(
      `select value, known_from, known_to from published.company_figures where field = 'total_assets' and entity_id = '${entityOf('whole')}' order by known_from`,
    );
    expect(all).toEqual([
      { value: 2000, known_from: '2024-02-02 11:00:00+00', known_to: '2024-05-01 21:00:00+00' },
      { value: 2100, known_from: '2024-05-01 21:00:00+00', known_to: null },
    ]);
  });

  it('is missing if the newest statements lack it', async () => {
    const newest = await valuesOf('whole');
    expect(Object.keys(newest).sort()).toEqual(['equity', 'revenue', 'revenue_growth', 'shares_outstanding', 'total_assets']);
    expect(await valuesOf('young')).toEqual({ equity: 8, total_assets: 9 });
  });

  it('is in US dollars only; shares have no currency', async () => {
    expect(await valuesOf('euros')).toEqual({ shares_outstanding: 30 });
  });

  it('is missing if a filer translates another currency into dollars, and present if it changed over to dollars', async () => {
    expect(await valuesOf('translated')).toEqual({
      revenue_growth: expect.closeTo(100 * (1100 / 680 - 1), 9) as number,
      shares_outstanding: 30,
    });
    expect(await valuesOf('switched')).toEqual({
      equity: 8,
      revenue: 130,
      revenue_growth: expect.closeTo(30, 9) as number,
      total_assets: 9,
    });
  });

  it('has no growth from a base that is not positive', async () => {
    expect(await valuesOf('loss')).toEqual({ net_income: 5, operating_income: -5, operating_income_growth: -150, revenue: 10 });
  });

  it('excludes noncontrolling holders from income and equity, and includes preferred stock', async () => {
    expect(await valuesOf('others')).toEqual({ net_income: 70, net_income_growth: expect.closeTo(40, 9) as number, equity: 420 });
  });

  it('is hidden if its period ended before the first day of the window', async () => {
    const from = (periodFrom: string) => valuesOf('whole', '2024-02-02T11:00:00.000Z', { periodFrom });
    expect(Object.keys(await from('2023-12-31'))).toHaveLength(FIELDS.length);
    expect(await from('2024-01-01')).toEqual({ shares_outstanding: 30 });
  });

  it('stops the build by its name if a listed figure has no source', async () => {
    await relations.run("insert into reference.company_figures values ('goodwill', 'Goodwill', 'balance', 'usd', 'official_national')");
    await expect(relations.build('published/companies/company_figures')).rejects.toThrow(
      'goodwill is a figure of which no amount is known',
    );
  });
});
