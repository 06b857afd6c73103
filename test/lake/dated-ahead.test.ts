// Filings and facts that cannot have been known when they say they were: quarantined one by one, what stands beside them is kept.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sec } from '../../src/sources/sec/source.ts';
import { openPipeline, type Pipeline } from '../pipeline.ts';

const CIK = '0000099990';
const RETRIEVED = '2025-03-10T12:00:00.000Z';
const accession = (number: number) => `${CIK}-25-${String(number).padStart(6, '0')}`;

interface Fact {
  readonly start?: string;
  readonly end: string;
  readonly filed?: string;
}

const factsFile = (facts: readonly Fact[]) => ({
  [`sec/companyfacts/CIK${CIK}.json`]: JSON.stringify({
    cik: Number(CIK),
    entityName: 'Example Works, Inc.',
    facts: {
      'us-gaap': {
        Assets: {
          label: 'Assets',
          units: {
            USD: facts.map((fact, index) => ({
              val: index + 1,
              accn: accession(index + 1),
              fy: 2024,
              fp: 'FY',
              form: '10-K',
              filed: '2025-03-01',
              ...fact,
            })),
          },
        },
      },
    },
  }),
});

interface Filing {
  readonly form: string;
  readonly filed: string;
  readonly accepted: string;
  readonly reportDate: string;
}

const filingsFile = (filings: readonly Filing[]) => ({
  [`sec/submissions/CIK${CIK}.json`]: JSON.stringify({
    cik: CIK,
    name: 'EXAMPLE WORKS INC',
    tickers: [],
    exchanges: [],
    formerNames: [],
    filings: {
      recent: {
        accessionNumber: filings.map((_, index) => accession(index + 1)),
        filingDate: filings.map(({ filed }) => filed),
        reportDate: filings.map(({ reportDate }) => reportDate),
        acceptanceDateTime: filings.map(({ accepted }) => accepted),
        form: filings.map(({ form }) => form),
        items: filings.map(() => ''),
        primaryDocument: filings.map(() => ''),
      },
    },
  }),
});

describe('data with an impossible date', () => {
  let pipeline: Pipeline;
  beforeEach(async () => {
    pipeline = await openPipeline();
  });
  afterEach(() => pipeline.remove());

  const quarantined = async () => {
    const rows = await pipeline.lake(
      'select rule, severity, entity_id, series_code, period, observed_value, reason from quarantine order by reason',
    );
    return rows.map((row) => [row['rule'], row['severity'], row['entity_id'], row['series_code'], row['period'], row['observed_value']]);
  };

  it('is a fact of a period that had not ended when it was filed, or one filed after its payload arrived', async () => {
    const { sources } = await pipeline.ingest(
      factsFile([
        { end: '2024-12-31' },
        { end: '2025-03-01' },
        { end: '2025-03-02' },
        { start: '2024-03-02', end: '2025-03-01' },
        { start: '2025-01-01', end: '2025-12-31' },
        { end: '2024-12-31', filed: '2025-03-10' },
        { end: '2024-12-31', filed: '2025-03-11' },
      ]),
      RETRIEVED,
      [sec],
    );
    const kept = await pipeline.lake('select value from facts order by value');
    expect(kept.map((row) => row['value'])).toEqual([1, 2, 4, 6]);
    const company = `company_${CIK}`;
    expect(await quarantined()).toEqual([
      ['time_travel', 'block', company, 'us-gaap:Assets', '2024-12-31', '7'],
      ['future_period', 'block', company, 'us-gaap:Assets', '2025-03-02', '3'],
      ['future_period', 'block', company, 'us-gaap:Assets', '2025-12-31', '5'],
    ]);
    expect(sources[0]?.payloads[0]).toMatchObject({ rowsRead: 8, rowsWritten: 5, rowsQuarantined: 3 });
  });

  it('is a filing accepted after its payload arrived, or a report on a period that had not ended', async () => {
    await pipeline.ingest(
      filingsFile([
        { form: '10-K', filed: '2025-02-10', accepted: '2025-02-11T02:00:00.000Z', reportDate: '2024-12-31' },
        { form: '10-K/A', filed: '2025-02-12', accepted: '2025-02-12T15:00:00.000Z', reportDate: '2025-12-31' },
        // A proxy statement names the day of the meeting to come.
        { form: 'DEF 14A', filed: '2025-02-13', accepted: '2025-02-13T15:00:00.000Z', reportDate: '2025-05-01' },
        { form: '8-K', filed: '2025-03-10', accepted: '2025-03-10T13:00:00.000Z', reportDate: '2025-03-09' },
      ]),
      RETRIEVED,
      [sec],
    );
    const kept = await pipeline.lake('select form from filings order by form');
    expect(kept.map((row) => row['form'])).toEqual(['10-K', 'DEF 14A']);
    const company = `company_${CIK}`;
    expect(await quarantined()).toEqual([
      ['time_travel', 'block', company, '8-K', '2025-03-09', '2025-03-10'],
      ['future_period', 'block', company, '10-K/A', '2025-12-31', '2025-12-31'],
    ]);
  });

  it('is quarantined once, however often it is read', async () => {
    const file = factsFile([{ end: '2024-12-31' }, { end: '2025-03-02' }]);
    await pipeline.ingest(file, RETRIEVED, [sec]);
    await pipeline.ingest(file, '2025-03-11T12:00:00.000Z', [sec]);
    expect(await quarantined()).toHaveLength(1);
  });
});
