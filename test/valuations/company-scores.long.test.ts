// Scores of companies among each other, against percentiles reckoned by hand, and what they were at a cutoff.
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { derive } from '../../jobs/derive.ts';
import type { Company } from '../../src/model/company.ts';
import { listCompanies } from '../../src/queries/companies.ts';
import { publish } from '../../src/snapshot/build/publish.ts';
import { companyFacts, type StatedFact, submissions } from '../filings/edgar.ts';
import { type Files, openPipeline, type Pipeline, STOPPED } from '../pipeline.ts';

const EVERY = { sector: null, industry: null, country: null, ticker: null, status: null, q: null, foundIds: null, historyFrom: null };

async function companiesAt(
  pipeline: Pipeline,
  asOf: string,
  filters: Partial<typeof EVERY> | { sector: string } = {},
): Promise<Map<string, Company>> {
  const reader = await pipeline.open();
  const page = { sort: 'name', order: 'asc', after: null, limit: 100 } as const;
  const { rows } = await listCompanies(reader, { ...EVERY, ...filters, asOf }, page, Date.parse(asOf));
  return new Map(rows.map((row) => [row.ticker ?? row.cik, row]));
}

interface Given {
  readonly cik: number;
  readonly sic: string;
  /** Revenue and diluted earnings a share of 2024 over those of 2023, which are 100 and 1. */
  readonly growth: number;
  readonly income?: number;
  readonly isWhole?: boolean;
  /** Whether its balance sheet tells current from other. */
  readonly isDivided?: boolean;
}

const amount = (concept: string, year: number, value: number): StatedFact => [
  concept,
  concept.startsWith('EarningsPerShare') ? 'USD/shares' : 'USD',
  `${year}-01-01`,
  `${year}-12-31`,
  value,
];

function annualFacts({ growth, income = 10, isWhole = true, isDivided = true }: Given): StatedFact[] {
  const balance = (concept: string, value: number): StatedFact => [concept, 'USD', null, '2024-12-31', value];
  return [
    amount('Revenues', 2023, 100),
    amount('Revenues', 2024, 100 * growth),
    amount('NetIncomeLoss', 2024, income),
    balance('StockholdersEquity', 100),
    ...(isWhole
      ? [
          amount('EarningsPerShareDiluted', 2023, 1),
          amount('EarningsPerShareDiluted', 2024, growth),
          amount('NetCashProvidedByUsedInOperatingActivities', 2024, income + 5),
          amount('PaymentsToAcquirePropertyPlantAndEquipment', 2024, 5),
          amount('OperatingIncomeLoss', 2024, 20),
          amount('InterestExpense', 2024, 4),
          amount('DepreciationDepletionAndAmortization', 2024, 5),
          balance('Assets', 200),
          ...(isDivided ? [balance('AssetsCurrent', 60), balance('LiabilitiesCurrent', 30)] : []),
          balance('LongTermDebtNoncurrent', 50),
          balance('CashAndCashEquivalentsAtCarryingValue', 10),
          ['EntityCommonStockSharesOutstanding', 'shares', null, '2025-01-20', 10] satisfies StatedFact,
        ]
      : []),
  ];
}

function filesOf(given: Given, filed = '2025-02-03'): Files {
  const accession = `${String(given.cik).padStart(10, '0')}-25-000001`;
  return {
    ...companyFacts(given.cik, { [accession]: { form: '10-K', filed, facts: annualFacts(given) } }),
    ...submissions(
      given.cik,
      { sic: given.sic, sicDescription: 'Industry', tickers: [`T${given.cik}`] },
      { [accession]: { form: '10-K', filed, acceptedAt: `${filed}T15:00:00.000Z` } },
    ),
  };
}

// Five makers, of which two grew alike, and two sellers, who have too few peers.
const GIVEN: readonly Given[] = [
  { cik: 601, sic: '3571', growth: 1.1 },
  { cik: 602, sic: '3572', growth: 1.2 },
  { cik: 603, sic: '3672', growth: 1.2 },
  { cik: 604, sic: '3674', growth: 1.3 },
  { cik: 605, sic: '2840', growth: 1.4 },
  { cik: 606, sic: '5961', growth: 1.25 },
  { cik: 607, sic: '5961', growth: 1.6, isWhole: false },
];
// Known before anything was filed, so that sectors are known throughout.
const earlier: Files = Object.assign(
  {},
  ...GIVEN.map(({ cik, sic }) => submissions(cik, { sic, sicDescription: 'Industry', tickers: [`T${cik}`] }, {})),
);
const later: Files = {
  ...filesOf({ cik: 608, sic: '3571', growth: 1.5 }, '2025-03-03'),
  ...filesOf({ cik: 609, sic: '5961', growth: 1.1, isDivided: false }, '2025-03-03'),
};
const prices = (ticker: string, close: number): Files => ({
  [`prices/daily_json/${ticker}.json`]: JSON.stringify({
    symbol: ticker,
    prices: [{ time: '2025-02-10', open: close, high: close, low: close, close, volume: 1 }],
  }),
});

let pipeline: Pipeline;
beforeAll(async () => {
  pipeline = await openPipeline();
  await pipeline.ingest(earlier, '2025-01-02T00:00:00.000Z');
  await pipeline.ingest(Object.assign({}, ...GIVEN.map((given) => filesOf(given))), '2025-02-04T00:00:00.000Z');
  await pipeline.ingest({ ...later, ...prices('T601', 20), ...prices('T602', 10) }, '2025-03-04T00:00:00.000Z');
  await pipeline.publish();
});
afterAll(() => pipeline.remove());

describe('scores', () => {
  it('are midrank percentiles among the companies of a sector, ties in the middle', async () => {
    const found = await companiesAt(pipeline, '2025-02-10T00:00:00.000Z');
    // Of five: (number below + half of those alike, itself included) / 5.
    expect([601, 602, 603, 604, 605].map((cik) => found.get(`T${cik}`)?.scores.growth)).toEqual([10, 40, 40, 70, 90]);
    expect(found.get('T601')?.scores.financialHealth).toBe(50);
  });

  it('compare with all companies if a sector has fewer than five', async () => {
    const found = await companiesAt(pipeline, '2025-02-10T00:00:00.000Z');
    // Revenue: three of seven grew less; earnings a share, of which six are known: three of six.
    expect(found.get('T606')?.scores.growth).toBeCloseTo((100 * (3.5 / 7) + 100 * (3.5 / 6)) / 2, 2);
  });

  it('are the same whichever companies are requested', async () => {
    const all = await companiesAt(pipeline, '2025-02-10T00:00:00.000Z');
    const some = await companiesAt(pipeline, '2025-02-10T00:00:00.000Z', { sector: 'Retail trade' });
    expect([...some.keys()]).toEqual(['T606', 'T607']);
    expect(some.get('T606')).toEqual(all.get('T606'));
  });

  it('have no composite below half of the inputs', async () => {
    const one = (await companiesAt(pipeline, '2025-02-10T00:00:00.000Z')).get('T607');
    // Return on equity and growth of revenue, of eleven.
    expect(one).toMatchObject({ scoreCoverage: 0.1818, scores: { composite: null }, scoringEligible: false });
    expect(one?.scores.growth).not.toBeNull();
  });

  it('are the mean of the pillars, without value while prices are withheld', async () => {
    const one = (await companiesAt(pipeline, '2025-02-10T00:00:00.000Z')).get('T604');
    const { quality, growth, financialHealth, value, composite } = one?.scores ?? {};
    expect(value).toBeNull();
    expect(composite).toBeCloseTo(((quality ?? 0) + (growth ?? 0) + (financialHealth ?? 0)) / 3, 1);
    expect(one).toMatchObject({
      price: null,
      marketCap: null,
      multiples: { priceToEarnings: null },
      scoreCoverage: 0.6364,
      scoringEligible: true,
    });
    expect(one?.rightsNote).toContain('redistributed');
  });

  it('use at a cutoff only the companies known then', async () => {
    const before = await companiesAt(pipeline, '2025-02-03T14:59:59.000Z');
    expect([...before.values()].map((one) => [one.scores.composite, one.scoreCoverage, one.scoreAsOf])).toEqual(
      Array.from(before, () => [null, 0, null]),
    );
    const between = await companiesAt(pipeline, '2025-03-03T14:59:59.000Z');
    expect([between.get('T605')?.scores.growth, between.get('T605')?.scoreAsOf]).toEqual([90, '2025-02-03T15:00:00.000Z']);
    // The newcomer grew most, and its sector is not known before EDGAR was read on the fourth.
    const after = await companiesAt(pipeline, '2025-03-05T00:00:00.000Z');
    expect(after.get('T605')?.scores.growth).toBeCloseTo(100 * (4.5 / 6), 2);
    expect(after.get('T605')?.scoreAsOf).toBe('2025-03-03T15:00:00.000Z');
  });

  it('exclude debt for a company that may be a bank, until its industry is known', async () => {
    const coverages = await Promise.all(
      ['2025-03-03T23:00:00.000Z', '2025-03-05T00:00:00.000Z'].map(async (asOf) =>
        [...(await companiesAt(pipeline, asOf)).values()].find(({ cik }) => cik === '0000000609'),
      ),
    );
    // Of eleven: return on equity, accruals, both of growth, interest cover; then debt to EBITDA.
    expect(coverages.map((one) => [one?.sector, one?.scoreCoverage])).toEqual([
      [null, 0.4545],
      ['Retail trade', 0.5455],
    ]);
  });

  it('remain while the statements are no older than an annual report may be, and count as long as the company is fresh', async () => {
    expect((await companiesAt(pipeline, '2025-06-30T00:00:00.000Z')).get('T604')).toMatchObject({
      scoringEligible: true,
      freshnessStatus: 'fresh',
    });
    expect((await companiesAt(pipeline, '2025-12-30T00:00:00.000Z')).get('T604')).toMatchObject({
      scoringEligible: false,
      freshnessStatus: 'stale',
    });
    expect((await companiesAt(pipeline, '2025-12-30T00:00:00.000Z')).get('T604')?.scores.composite).not.toBeNull();
    expect((await companiesAt(pipeline, '2026-12-30T00:00:00.000Z')).get('T604')?.scores.composite).toBeNull();
  });
});

describe('with a right to redistribute prices', () => {
  let referenceDir: string;
  beforeAll(async () => {
    referenceDir = await mkdtemp(join(tmpdir(), 'asof-reference-'));
    await cp(pipeline.workspace.referenceDir, referenceDir, { recursive: true });
    for (const name of ['sources.csv', 'series.csv']) {
      const text = await readFile(join(referenceDir, name), 'utf8');
      const lines = text.split('\n').map((line) => (/(?:^|,)quotes,/.test(line) ? line.replace(',false,', ',true,') : line));
      await writeFile(join(referenceDir, name), lines.join('\n'));
    }
    await derive({ ...pipeline.workspace, referenceDir }, STOPPED);
    await publish(pipeline.paths, pipeline.workspace.snapshotsKept);
  });
  afterAll(() => rm(referenceDir, { recursive: true, force: true }));

  it('a company shows price, market capitalisation, multiples and a score of value', async () => {
    const found = await companiesAt(pipeline, '2025-02-20T00:00:00.000Z');
    expect(found.get('T601')).toMatchObject({
      price: 20,
      priceAsOf: '2025-02-10',
      marketCap: 200,
      rightsNote: null,
      scoreCoverage: 0.9091,
    });
    expect(found.get('T601')?.multiples.priceToBook).toBeCloseTo(2);
    expect([found.get('T601')?.scores.value, found.get('T602')?.scores.value]).toEqual([25, 75]);
    expect(found.get('T603')?.scores.value).toBeNull();
    expect((await companiesAt(pipeline, '2025-02-10T12:00:00.000Z')).get('T601')?.price).toBeNull();
  });
});
