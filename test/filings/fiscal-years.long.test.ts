// Fiscal years and reporting currencies as known over time: by the annual reports around a period, never by a filing of later.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Company, FinancialStatement } from '../../src/model/company.ts';
import { Event } from '../../src/model/event.ts';
import { type FixtureService, startFixtureService } from '../routes/fixture-service.ts';
import { companyFacts, type ListedFiling, type StatedFact, type StatedFiling, submissions } from './edgar.ts';

const income = (start: string, end: string, value = 10, currency = 'USD'): StatedFact => ['NetIncomeLoss', currency, start, end, value];
const filing = (form: string, filed: string, ...facts: StatedFact[]): StatedFiling => ({ form, filed, facts });
const of = (cik: number, filings: readonly StatedFiling[]) =>
  companyFacts(cik, Object.fromEntries(filings.map((one, index) => [`00000${cik}-24-${String(index + 1).padStart(6, '0')}`, one])));

// Calendar years to 2022, a report on January to June 2023, years to June after it.
const CHANGE: readonly StatedFiling[] = [
  filing('10-Q', '2021-05-10', income('2021-01-01', '2021-03-31')),
  filing('10-K', '2022-02-19', income('2021-01-01', '2021-12-31', 40)),
  filing('10-Q', '2022-05-10', income('2022-01-01', '2022-03-31')),
  filing('10-Q', '2022-11-09', income('2022-07-01', '2022-09-30'), income('2022-01-01', '2022-09-30', 30)),
  filing('10-K', '2023-02-19', income('2022-01-01', '2022-12-31', 40)),
  filing('10-Q', '2023-05-08', income('2023-01-01', '2023-03-31')),
  filing('10-KT', '2023-08-25', income('2023-01-01', '2023-06-30', 20)),
  filing('10-Q', '2023-11-09', income('2023-07-01', '2023-09-30')),
  filing('10-K', '2024-08-25', income('2023-07-01', '2024-06-30', 40)),
];
const [BARE, LISTED, TRAILING, WEEKS, MOVED, INTERIM, SHORT, TRANSLATED, SWITCHED, NEWS, YOUNG] = [
  99810, 99811, 99812, 99813, 99814, 99815, 99816, 99817, 99818, 99819, 99820,
] as const;
const files = {
  ...of(BARE, CHANGE),
  ...of(LISTED, CHANGE),
  ...submissions(LISTED, { fiscalYearEnd: '0630' }, {}),
  ...of(TRAILING, [
    filing('10-K', '2023-08-10', income('2022-07-01', '2023-06-30', 40)),
    filing('10-K', '2024-08-10', income('2023-07-01', '2024-06-30', 40)),
    filing('10-Q', '2024-11-01', income('2024-07-01', '2024-09-30'), [
      'RestructuringAndRelatedCostIncurredCost',
      'USD',
      '2023-10-01',
      '2024-09-30',
      1,
    ]),
    // Twelve months in an interim report are no year of their own.
    filing('10-Q', '2025-02-01', income('2024-10-01', '2024-12-31'), income('2024-01-01', '2024-12-31', 40)),
  ]),
  ...of(WEEKS, [
    filing('10-K', '2021-02-20', income('2019-12-29', '2021-01-02', 40)),
    filing('10-Q', '2021-05-10', income('2021-01-03', '2021-04-03')),
    filing('10-K', '2022-02-20', income('2021-01-03', '2022-01-01', 40)),
    filing('10-Q', '2022-05-10', income('2022-01-02', '2022-04-02')),
    filing('10-K', '2023-02-20', income('2022-01-02', '2022-12-31', 40)),
  ]),
  ...of(MOVED, [
    filing('10-K', '2020-04-01', income('2019-02-01', '2020-01-31', 40), income('2019-08-01', '2019-10-31')),
    filing('10-K', '2022-04-01', income('2021-02-01', '2022-01-31', 40), income('2020-02-01', '2021-01-31', 40)),
    filing('10-K', '2026-08-20', income('2025-07-01', '2026-06-30', 40)),
  ]),
  ...of(INTERIM, [
    filing(
      '10-Q',
      '2024-05-10',
      income('2024-01-01', '2024-03-31'),
      ['NetCashProvidedByUsedInOperatingActivities', 'USD', '2023-10-01', '2024-03-31', 5],
      ['NetCashProvidedByUsedInOperatingActivities', 'USD', '2022-10-01', '2023-03-31', 5],
    ),
  ]),
  ...of(SHORT, [
    filing('10-K', '2022-02-19', income('2021-01-01', '2021-12-31', 40)),
    filing('10-KT', '2022-03-10', income('2022-01-01', '2022-01-31', 3)),
    filing('10-Q', '2022-06-10', income('2022-02-01', '2022-04-30')),
  ]),
  ...of(TRANSLATED, [
    filing(
      '20-F',
      '2024-04-20',
      income('2022-01-01', '2022-12-31', 70, 'CNY'),
      income('2023-01-01', '2023-12-31', 77, 'CNY'),
      income('2023-01-01', '2023-12-31', 11),
    ),
    filing('6-K', '2024-08-20', income('2024-01-01', '2024-06-30', 40)),
  ]),
  ...of(SWITCHED, [
    filing('20-F', '2023-04-20', income('2022-01-01', '2022-12-31', 70, 'EUR')),
    filing('20-F', '2024-04-20', income('2023-01-01', '2023-12-31', 80)),
  ]),
};

// Current reports of a filer that moves the end of its year from December to June 2023, and of one whose first annual report is yet to come.
const news = (filed: string, more: Partial<ListedFiling> = {}): ListedFiling => ({
  form: '8-K',
  filed,
  acceptedAt: `${filed}T20:16:00.000Z`,
  reportDate: filed,
  items: '2.02,9.01',
  ...more,
});
const ofNews = (cik: number, filings: readonly ListedFiling[]) =>
  submissions(cik, {}, Object.fromEntries(filings.map((one, index) => [`00000${cik}-25-${String(index + 1).padStart(6, '0')}`, one])));
Object.assign(
  files,
  of(NEWS, CHANGE),
  ofNews(NEWS, [
    news('2021-02-10'),
    news('2022-05-03'),
    news('2022-05-04', { items: '5.02' }),
    // Before the end of the quarter that it warns of.
    news('2022-12-30'),
    news('2023-01-31', { items: '2.02, 9.01' }),
    news('2023-04-20', { form: '8-K/A', reportDate: '2023-01-31' }),
    news('2023-07-31'),
    news('2023-10-31', { items: '1.01,2.02' }),
    news('2024-07-01'),
    news('2024-07-30'),
  ]),
  of(YOUNG, [filing('10-Q', '2024-05-10', income('2024-01-01', '2024-03-31'), income('2023-07-01', '2024-03-31', 30))]),
  ofNews(YOUNG, [news('2024-04-25'), news('2024-07-25')]),
);

let service: FixtureService;
beforeAll(async () => {
  service = await startFixtureService([{ files, at: '2026-09-01T08:00:00.000Z' }], '2026-09-02T08:00:00.000Z');
});
afterAll(() => service.stop());

async function labels(cik: number, query: string): Promise<string[]> {
  const { data } = await service.list(`/companies/${cik}/financials?statement=income&sort=period_end&${query}`);
  return z
    .array(FinancialStatement)
    .parse(data)
    .map((one) => `${one.periodEnd} ${one.fiscalYear} ${one.fiscalPeriod}`);
}
async function company(cik: number, asOf?: string): Promise<Company | undefined> {
  const { data } = await service.list(`/public/companies?q=${String(cik).padStart(10, '0')}${asOf === undefined ? '' : `&as_of=${asOf}`}`);
  return z.array(Company).parse(data)[0];
}

describe.each([
  ['without a submissions file', BARE],
  ['with a submissions file of after the change', LISTED],
])('a company that moves the end of its fiscal year, %s,', (_, cik) => {
  const before = ['2021-03-31 2021 Q1', '2022-03-31 2022 Q1', '2022-09-30 2022 Q3', '2022-12-31 2022 Q4'];

  it('keeps the labels of earlier years', async () => {
    expect((await labels(cik, 'period=quarterly')).slice(0, 4)).toEqual(before);
    expect(await labels(cik, 'period=quarterly&as_of=2023-03-01')).toEqual(before);
    expect(await labels(cik, 'period=annual')).toEqual(['2021-12-31 2021 FY', '2022-12-31 2022 FY', '2024-06-30 2024 FY']);
    expect(await labels(cik, 'period=annual&fiscal_year=2022&as_of=2023-03-01')).toEqual(['2022-12-31 2022 FY']);
  });

  it('has a transition period that belongs to the new end, once a report has one', async () => {
    expect(await labels(cik, 'period=quarterly&start_date=2023-01-01')).toEqual([
      '2023-03-31 2023 Q3',
      '2023-06-30 2023 Q4',
      '2023-09-30 2024 Q1',
    ]);
    expect(await labels(cik, 'period=quarterly&start_date=2023-01-01&as_of=2023-08-24')).toEqual(['2023-03-31 2023 Q1']);
    expect(await labels(cik, 'period=quarterly&fiscal_year=2023&as_of=2023-08-26')).toEqual(['2023-03-31 2023 Q3', '2023-06-30 2023 Q4']);
  });

  it('shows the year end that was known then', async () => {
    const ends = await Promise.all(['2022-03-01', '2023-08-24', '2023-08-26'].map(async (day) => (await company(cik, day))?.fiscalYearEnd));
    expect([...ends, (await company(cik))?.fiscalYearEnd]).toEqual(['12-31', '12-31', '06-30', '06-30']);
  });
});

describe('the end of a fiscal year', () => {
  it('ignores a trailing year in a note or an interim report', async () => {
    expect(await labels(TRAILING, 'period=quarterly')).toEqual(['2024-09-30 2025 Q1', '2024-12-31 2025 Q2']);
    expect(await labels(TRAILING, 'period=annual')).toEqual(['2023-06-30 2023 FY', '2024-06-30 2024 FY']);
    expect((await company(TRAILING))?.fiscalYearEnd).toBe('06-30');
  });

  it('from 1 to 7 January counts to the earlier year', async () => {
    expect(await labels(WEEKS, 'period=annual')).toEqual(['2021-01-02 2020 FY', '2022-01-01 2021 FY', '2022-12-31 2022 FY']);
    expect(await labels(WEEKS, 'period=quarterly')).toEqual(['2021-04-03 2021 Q1', '2022-04-02 2022 Q1']);
    expect(await labels(WEEKS, 'period=quarterly&as_of=2022-06-01')).toEqual(['2021-04-03 2021 Q1', '2022-04-02 2022 Q1']);
  });

  it('in a later report relabels no earlier period, and nothing as of an earlier time', async () => {
    const then = ['2019-10-31 2020 Q3'];
    expect(await labels(MOVED, 'period=quarterly&as_of=2022-08-07')).toEqual(then);
    expect(await labels(MOVED, 'period=quarterly')).toEqual(then);
    expect((await company(MOVED, '2022-08-07'))?.fiscalYearEnd).toBe('01-31');
    expect((await company(MOVED))?.fiscalYearEnd).toBe('06-30');
    // The comparative of the second report.
    expect(await labels(MOVED, 'period=annual&fiscal_year=2021')).toEqual(['2021-01-31 2021 FY']);
  });

  it('comes from the year to date before the first annual report', async () => {
    expect(await labels(INTERIM, 'period=quarterly&as_of=2024-06-01')).toEqual(['2024-03-31 2024 Q2']);
  });

  it('may move by a report on a single month', async () => {
    expect(await labels(SHORT, 'period=quarterly')).toEqual(['2022-04-30 2023 Q1']);
    expect((await company(SHORT))?.fiscalYearEnd).toBe('01-31');
  });
});

describe('a current report with earnings', () => {
  const newsOf = async (cik: number, asOf?: string) => {
    const { data } = await service.list(
      `/events?entity=company_${String(cik).padStart(10, '0')}&event_type=filing&sort=occurred_at${asOf === undefined ? '' : `&as_of=${asOf}`}`,
    );
    return z
      .array(Event)
      .parse(data)
      .map(({ occurredAt, publishedAt, observedAt, summary }) => {
        expect([publishedAt, observedAt]).toEqual([occurredAt, occurredAt]);
        return [occurredAt.slice(0, 10), summary?.split(';')[0]];
      });
  };
  const EXPECTED = [
    // No annual report was known yet.
    ['2021-02-10', 'Items 2.02, 9.01'],
    ['2022-05-03', 'Earnings of Q1 of fiscal 2022 (quarter to about 2022-03-31)'],
    ['2022-05-04', 'Items 5.02'],
    ['2022-12-30', 'Earnings of Q3 of fiscal 2022 (quarter to about 2022-09-30)'],
    ['2023-01-31', 'Earnings of Q4 of fiscal 2022 (quarter to about 2022-12-31)'],
    ['2023-04-20', 'Earnings of Q4 of fiscal 2022 (quarter to about 2022-12-31)'],
    // The new end of the year was known a month later.
    ['2023-07-31', 'Earnings of Q2 of fiscal 2023 (quarter to about 2023-06-30)'],
    ['2023-10-31', 'Earnings of Q1 of fiscal 2024 (quarter to about 2023-09-30)'],
    ['2024-07-01', 'Earnings of Q4 of fiscal 2024 (quarter to about 2024-06-30)'],
    ['2024-07-30', 'Earnings of Q4 of fiscal 2024 (quarter to about 2024-06-30)'],
  ];

  it('is an event of its hour and names the quarter by the fiscal year known then', async () => {
    expect(await newsOf(NEWS)).toEqual(EXPECTED);
  });

  it('is known before the report of its quarter, with the same content then and now', async () => {
    expect(await newsOf(NEWS, '2023-08-01')).toEqual(EXPECTED.slice(0, 7));
    expect(await newsOf(NEWS, '2023-07-31T20:15:59.000Z')).toEqual(EXPECTED.slice(0, 6));
  });

  it('names no quarter while the year end is unknown', async () => {
    expect(await newsOf(YOUNG)).toEqual([
      ['2024-04-25', 'Items 2.02, 9.01'],
      ['2024-07-25', 'Earnings of Q4 of fiscal 2024 (quarter to about 2024-06-30)'],
    ]);
  });
});

describe('the reporting currency', () => {
  it('is that of most facts of the newest annual report, not of a convenience translation', async () => {
    expect((await company(TRANSLATED))?.reportingCurrency).toBe('CNY');
  });

  it('is the one known then', async () => {
    expect([(await company(SWITCHED, '2024-01-01'))?.reportingCurrency, (await company(SWITCHED))?.reportingCurrency]).toEqual([
      'EUR',
      'USD',
    ]);
  });
});
