// Facts of companies beside the quarterly data sets of statements, whose periods are rounded; and which way of listing a filing counts. All rows by hand.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readReconciliations } from '../../src/snapshot/build/reconciliations.ts';
import { giveLake, type GivenRow, openRelations, type Relations, SERIES_COLUMNS } from '../boundaries/by-hand/relations.ts';

const FILING = '0000000001-31-000001';
const PAIRS = {
  pair: 'varchar',
  left_source_id: 'varchar',
  left_indicator: 'varchar',
  right_source_id: 'varchar',
  right_indicator: 'varchar',
  comparison: 'varchar',
  tolerance: 'double',
} as const;
const FACTS = {
  cik: 'varchar',
  accession_number: 'varchar',
  taxonomy: 'varchar',
  concept: 'varchar',
  unit: 'varchar',
  period_start: 'date',
  period_end: 'date',
  value: 'double',
  run_id: 'varchar',
  ingested_at: 'timestamptz',
} as const;
const COMPARED = {
  pair: 'varchar',
  left_no: 'integer',
  entity_id: 'varchar',
  known_at: 'timestamptz',
  period: 'varchar',
  period_end: 'date',
};
const OUTCOME = { left_value: 'double', right_value: 'double', outcome: 'varchar', run_id: 'varchar', ingested_at: 'timestamptz' };

let relations: Relations;
beforeAll(async () => {
  relations = await openRelations();
  await relations.build('macros/is_in_part');
});
afterAll(() => relations.close());

const number = (month_end: string, quarters: number, value: number, more: GivenRow = {}): GivenRow => ({
  source_id: 'sec_fsds',
  cik: '0000000001',
  accession_number: FILING,
  taxonomy: 'us-gaap',
  concept: 'Revenues',
  unit: 'USD',
  month_end,
  quarters,
  value,
  retrieved_at: '2031-07-12 08:00:00+00',
  ...more,
});
const fact = (period_start: string | null, period_end: string, value: number, more: GivenRow = {}): GivenRow => ({
  cik: '0000000001',
  accession_number: FILING,
  taxonomy: 'us-gaap',
  concept: 'Revenues',
  unit: 'USD',
  period_start,
  period_end,
  value,
  run_id: 'run_1',
  ingested_at: '2031-07-01 00:00:00+00',
  ...more,
});

async function give(facts: readonly GivenRow[], numbers: readonly GivenRow[]): Promise<void> {
  await relations.give('reference.reconciliations', PAIRS, [
    {
      pair: 'p',
      left_source_id: 'sec',
      left_indicator: 'facts',
      right_source_id: 'sec_fsds',
      right_indicator: 'facts',
      comparison: 'per_filing',
      tolerance: 0.00005,
    },
  ]);
  await giveLake(relations, { statement_numbers: numbers });
  await relations.give('filings.company_facts', FACTS, facts);
  await relations.give('series.series', SERIES_COLUMNS);
  await relations.give('series.runs', { run_id: 'varchar', payload_id: 'varchar' }, [{ run_id: 'run_1', payload_id: 'pay_1' }]);
  await relations.give('reconciliations.paired_series', { pair: 'varchar', right_stated_to: 'timestamptz' });
  for (const name of ['vintage', 'newest']) await relations.give(`reconciliations.${name}_comparisons`, { ...COMPARED, ...OUTCOME });
  await relations.build(
    'reconciliations/filed_comparisons',
    'reconciliations/filed_findings',
    'reconciliations/comparisons',
    'reconciliations/summaries',
  );
}

async function outcomes(facts: readonly GivenRow[], numbers: readonly GivenRow[]): Promise<readonly string[]> {
  await give(facts, numbers);
  const found = await relations.ask('select * from reconciliations.filed_comparisons order by subject, period, right_value');
  return found.map(
    (row) =>
      `${String(row['period']).slice(FILING.length + 1)}: ${String(row['left_value'])} ${String(row['right_value'])} ${String(row['outcome'])}`,
  );
}

describe('a number of a statement', () => {
  it('agrees with the fact of its filing, to four decimals', async () => {
    expect(await outcomes([fact('2031-01-01', '2031-03-31', 5)], [number('2031-03-31', 1, 5.00004)])).toEqual([
      '2031-01-01/2031-03-31: 5 5.00004 agrees',
    ]);
    expect(await outcomes([fact('2031-01-01', '2031-03-31', 5)], [number('2031-03-31', 1, 5.0001)])).toEqual([
      '2031-01-01/2031-03-31: 5 5.0001 disagrees',
    ]);
  });

  it.each([
    // A quarter of thirteen weeks that ends on 2 May is one of the end of April; one of sixteen weeks is a quarter, of twenty-four half a year.
    ['2031-02-01', '2031-05-02', '2031-04-30', 1],
    ['2031-01-10', '2031-05-02', '2031-04-30', 1],
    ['2030-11-16', '2031-05-02', '2031-04-30', 2],
    ['2030-04-27', '2031-05-02', '2031-04-30', 4],
    [null, '2031-04-16', '2031-04-30', 0],
    [null, '2031-05-16', '2031-04-30', 0],
  ])('belongs to the period that rounds to its own: %s to %s is %s, %d quarters', async (start, end, month, quarters) => {
    expect(await outcomes([fact(start, end, 5)], [number(month, quarters, 5)])).toHaveLength(1);
  });

  it.each([
    ['of another length', fact('2030-11-01', '2031-03-31', 5)],
    ['of one day', fact(null, '2031-03-31', 5)],
    ['of another month', fact('2031-02-01', '2031-04-30', 5)],
    ['of another filing', fact('2031-01-01', '2031-03-31', 5, { accession_number: '0000000001-31-000002' })],
    ['of another company', fact('2031-01-01', '2031-03-31', 5, { cik: '0000000002' })],
    ['of another concept', fact('2031-01-01', '2031-03-31', 5, { concept: 'Assets' })],
    ['of another taxonomy', fact('2031-01-01', '2031-03-31', 5, { taxonomy: 'ifrs-full' })],
    ['in another unit', fact('2031-01-01', '2031-03-31', 5, { unit: 'EUR' })],
  ])('is not compared with a fact %s', async (_, other) => {
    expect(await outcomes([other], [number('2031-03-31', 1, 5)])).toEqual([]);
    expect(await relations.ask('select why_not from reconciliations.summaries')).toEqual([{ why_not: 'no filing of both' }]);
  });

  it('per share needs only the same currency', async () => {
    expect(await outcomes([fact('2031-01-01', '2031-03-31', 0.41, { unit: 'USD/shares' })], [number('2031-03-31', 1, 0.41)])).toHaveLength(
      1,
    );
  });

  it('agrees with any fact that rounds to its period', async () => {
    // Of two days of one month; of the same period, as a later file states it otherwise.
    expect(
      await outcomes([fact(null, '2031-03-28', 4), fact(null, '2031-04-02', 5), fact(null, '2031-03-31', 6)], [number('2031-03-31', 0, 5)]),
    ).toEqual(['2031-04-02: 5 5 agrees']);
    expect(await outcomes([fact(null, '2031-03-28', 4), fact(null, '2031-03-30', 6)], [number('2031-03-31', 0, 5)])).toEqual([
      '2031-03-30: 6 5 disagrees',
    ]);
  });
});

describe('a disagreement', () => {
  it('is one warning of quarantine per filer, withholds nothing, and is in the summary of the pair', async () => {
    const facts = [1, 2, 3].map((value) => fact(null, `203${value}-03-31`, value));
    await give(
      [...facts, fact(null, '2031-03-31', 9, { cik: '0000000002', concept: 'Assets' })],
      [
        ...[1, 2.5, 3.5].map((value, index) => number(`203${index + 1}-03-31`, 0, value)),
        number('2031-03-31', 0, 9, { cik: '0000000002', concept: 'Assets' }),
      ],
    );
    const [finding, ...more] = await relations.ask('from reconciliations.filed_findings');
    expect(more).toEqual([]);
    expect(finding).toMatchObject({
      source_id: 'sec',
      rule: 'reconciliation_failed',
      severity: 'warn',
      reason: `Differs from sec_fsds in 2 of 3 comparisons, first of 0000000001 us-gaap:Revenues USD in ${FILING} 2032-03-31: 2.0 against 2.5.`,
      indicator_id: null,
      entity_id: 'company_0000000001',
      period: '2032-03-31',
      field_path: 'sec_fsds.facts',
      observed_value: '2.0',
      payload_id: 'pay_1',
      run_id: 'run_1',
    });
    expect(JSON.parse(String(finding?.['expected']))).toEqual({ value: 2.5, tolerance: 0.00005 });
    const [summary] = await readReconciliations(relations.connection, ['reconciliations/summaries']);
    expect(summary).toMatchObject({
      pair: 'p',
      comparison: 'per_filing',
      whyNot: null,
      series: 2,
      compared: 4,
      agreeing: 2,
      dated: 0,
      disagreeing: 2,
    });
    expect(summary?.disagreements.map(({ entityId, period }) => [entityId, period])).toEqual([
      ['company_0000000001', `${FILING} 2032-03-31`],
      ['company_0000000001', `${FILING} 2033-03-31`],
    ]);
  });

  it.each([
    ['neither is here', [], []],
    ['nothing of sec', [], [number('2031-03-31', 0, 5)]],
    ['nothing of sec_fsds', [fact(null, '2031-03-31', 5)], []],
  ])('is not searched if a side is missing: %s', async (whyNot, facts, numbers) => {
    await give(facts, numbers);
    expect(await relations.ask('select why_not from reconciliations.summaries')).toEqual([{ why_not: whyNot }]);
  });
});

describe('a filing that is listed twice', () => {
  it('uses the submissions file, whichever was read first; one only in the data sets uses those', async () => {
    const listed = (source_id: string, accession_number: string, accepted_at: string, more: GivenRow = {}): GivenRow => ({
      source_id,
      cik: '0000000001',
      accession_number,
      form: '8-K',
      accepted_at,
      observed_at: accepted_at,
      retrieved_at: '2031-01-01 00:00:00+00',
      record_hash: source_id,
      ...more,
    });
    await giveLake(relations, {
      filings: [
        listed('sec_fsds', '1-31-1', '2030-05-07 17:14:00+00'),
        listed('sec', '1-31-1', '2030-05-07 17:14:23+00', { retrieved_at: '2031-06-01 00:00:00+00' }),
        listed('sec_fsds', '1-31-2', '2030-05-08 17:14:00+00'),
        // Of another filer, under the same number: filed together.
        listed('sec_fsds', '1-31-1', '2030-05-07 17:14:00+00', { cik: '0000000002' }),
      ],
    });
    await relations.build('filings/listed_filings', 'filings/stated_filings');
    const found = await relations.ask('select cik, accession_number, source_id, version_no from filings.stated_filings order by all');
    expect(found.map((row) => Object.values(row).join(' '))).toEqual([
      '0000000001 1-31-1 sec 1',
      '0000000001 1-31-2 sec_fsds 1',
      '0000000002 1-31-1 sec_fsds 1',
    ]);
  });
});
