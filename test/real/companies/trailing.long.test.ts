// Trailing twelve months of real filers: those that the multiples are made of beside those of the statements, as both stood after every filing.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWriter, quote } from '../../../src/db/connect.ts';
import { createRelation } from '../../../src/db/layers.ts';
import { toValue, type Value } from '../../../src/db/rows.ts';
import { loadReference } from '../../../src/lake/reference.ts';
import { NO_CACHE } from '../../../src/derived/result-cache.ts';
import { RELATIONS } from '../../../src/snapshot/build/relations.ts';
import { openPipeline, type Pipeline, REAL_DATA } from '../../pipeline.ts';

const FILERS = {
  AMD: '0000002488',
  KMB: '0000055785',
  PG: '0000080424',
  AAPL: '0000320193',
  NVDA: '0001045810',
  TSLA: '0001318605',
  GOOGL: '0001652044',
} as const;

type Engine = Awaited<ReturnType<typeof openWriter>>;

// The two select among concepts alike but for synonyms: the multiples roll each, the statements take the first that a filing states.
const BOTH = `
  select
    rolled.cik, rolled.metric, rolled.lag, rolled.known_at, rolled.window_end, rolled.derivation, rolled.value, rolled.contradiction,
    rolled.sum_of_quarters, stated.value as stated_value, stated.observed_at, checked.sum_of_quarters as stated_sum, checked.is_reconciled
  from valuations.trailing_values as rolled
  inner join valuations.multiple_concepts as concepts on concepts.metric = rolled.metric and rolled.concept in ('any', concepts.concept)
  inner join filings.statement_derivations as stated
    on (stated.cik, stated.concept, stated.period_end) = (rolled.cik, concepts.concept, rolled.window_end)
    and stated.period_type = 'ttm' and stated.observed_at <= rolled.known_at and stated.known_to > rolled.known_at
  inner join filings.trailing_reconciliations as checked
    on (checked.cik, checked.statement_type, checked.key, checked.period_start, checked.period_end, checked.observed_at, checked.derivation)
      = (stated.cik, stated.statement_type, stated.key, stated.period_start, stated.period_end, stated.observed_at, stated.derivation)`;

/**
 * Judged apart, all of the year before the newest: the statements judge twelve months when they became known, the multiples at every filing. `changed`:
 * the quarters were other ones then; `added`: not all of them were known; `line`: the line of the statement was of another concept when first stated.
 */
const JUDGED_APART: readonly (readonly [
  metric: string,
  filer: keyof typeof FILERS,
  windowEnd: string,
  why: 'changed' | 'added' | 'line',
])[] = [
  ['depreciation_and_amortization', 'AAPL', '2009-12-26', 'added'],
  ['depreciation_and_amortization', 'AAPL', '2010-03-27', 'added'],
  ['depreciation_and_amortization', 'TSLA', '2012-03-31', 'added'],
  ['dividends', 'AAPL', '2018-03-31', 'line'],
  ['gross_profit', 'AAPL', '2010-03-27', 'changed'],
  ['net_income', 'AAPL', '2010-03-27', 'changed'],
  ['operating_income', 'AAPL', '2009-12-26', 'added'],
  ['operating_income', 'TSLA', '2019-09-30', 'changed'],
  ['pretax_income', 'AAPL', '2009-12-26', 'added'],
  ['profit_loss', 'TSLA', '2020-03-31', 'changed'],
  ['revenue', 'AAPL', '2010-03-27', 'changed'],
];

/** Revenue in millions of dollars: what was rolled, and the four quarters as then known, some of which are of the old scope too. */
const REVENUE_IN_DOUBT: readonly (readonly [
  filer: keyof typeof FILERS,
  windowEnd: string,
  rolled: number,
  quarters: number,
  reason: string,
])[] = [
  // The first XBRL reports state thousands as units.
  ['KMB', '2010-03-31', 19_115, 14_622, 'quarters_disagree'],
  // The amended report on 2009 counts sales of the iPhone when made, the quarters before it over two years.
  ['AAPL', '2010-03-27', 51_123, 47_389, 'quarters_disagree'],
  ['AAPL', '2010-06-26', 57_089, 54_752, 'scope_changed'],
  // Snacks; then batteries, pets and beauty leave.
  ['PG', '2012-03-31', 85_374, 85_106, 'scope_changed'],
  ['PG', '2014-12-31', 82_136, 81_288, 'scope_changed'],
  ['PG', '2015-03-31', 80_637, 79_252, 'scope_changed'],
  ['PG', '2015-09-30', 74_035, 72_620, 'scope_changed'],
  ['PG', '2015-12-31', 72_455, 69_374, 'scope_changed'],
  ['PG', '2016-03-31', 71_280, 66_987, 'scope_changed'],
  // Revenue from contracts with customers, with comparatives.
  ['AMD', '2018-03-31', 5_798, 5_992, 'scope_changed'],
  ['AMD', '2018-06-30', 6_403, 6_526, 'scope_changed'],
  ['AMD', '2018-09-29', 6_472, 6_536, 'scope_changed'],
  // Tissue and professional products outside North America leave.
  ['KMB', '2025-06-30', 19_718, 18_883, 'scope_changed'],
  ['KMB', '2025-09-30', 19_724, 18_081, 'scope_changed'],
];

describe.skipIf(!existsSync(REAL_DATA))('trailing twelve months of real filers', () => {
  let pipeline: Pipeline;
  let engine: Engine;
  beforeAll(async () => {
    pipeline = await openPipeline();
    const names = (cik: string) =>
      cik === FILERS.TSLA
        ? [`companyfacts/CIK${cik}_2022`, `submissions/CIK${cik}_20221130`]
        : [`companyfacts/CIK${cik}`, `submissions/CIK${cik}`];
    const paths = Object.values(FILERS).flatMap((cik) => names(cik).map((name) => `sec/${name}.json`));
    await pipeline.ingest(Object.fromEntries(paths.map((path) => [path, readFileSync(join(REAL_DATA, path))])), '2026-11-20T10:00:00.000Z');
    engine = await openWriter(pipeline.workspace.limits('test'));
    await engine.connection.run(`set variable lake_root = ${quote(join(pipeline.dataDir, 'lake'))}`);
    await loadReference(engine.connection, pipeline.workspace.referenceDir);
    for (const step of RELATIONS.slice(
      0,
      RELATIONS.findIndex(({ path }) => path === 'valuations/valuations'),
    )) {
      if (step.as === 'computed') await step.compute(engine.connection, NO_CACHE);
      else if (step.as !== 'files') await createRelation(engine.connection, step);
    }
  });
  afterAll(async () => {
    engine?.close();
    await pipeline?.remove();
  });

  const rows = async (sql: string): Promise<Value[][]> =>
    (await engine.connection.runAndReadAll(sql)).getRows().map((row) => row.map(toValue));
  const tickerOf = (cik: Value) => Object.entries(FILERS).find(([, one]) => one === cik)?.[0];

  it('are the same amount in the multiples and in the statements', async () => {
    expect(Number((await rows(`select count(*) from (${BOTH})`))[0]?.[0])).toBeGreaterThan(6000);
    // Of amounts a share to the last bits, the splits being taken out in another order, and to the tenth decimal, to which statements have them.
    expect(await rows(`from (${BOTH}) where abs(value - stated_value) > 1e-12 * abs(value) + 5.1e-11 order by all`)).toEqual([]);
  });

  it('contradict themselves in both or in neither, except where the quarters became known in another order', async () => {
    const apart = await rows(`
      select distinct metric, cik, window_end::varchar,
        case when sum_of_quarters is null then 'line' when stated_sum is null then 'added' when sum_of_quarters != stated_sum then 'changed' end
      from (${BOTH}) where derivation = 'ttm_roll' and (contradiction is null) != is_reconciled order by all`);
    expect(apart.map(([metric, cik = null, ...rest]) => [metric, tickerOf(cik), ...rest])).toEqual(JUDGED_APART);
    expect(await rows(`from (${BOTH}) where lag = 0 and derivation = 'ttm_roll' and (contradiction is null) != is_reconciled`)).toEqual([]);
  });

  it('have no revenue if the scope changed within them', async () => {
    const found = await rows(`
      select cik, window_end::varchar, round(value / 1e6), round(sum_of_quarters / 1e6), contradiction
      from valuations.trailing_values where metric = 'revenue' and lag = 0 and contradiction is not null order by known_at`);
    expect(found.map(([cik = null, ...rest]) => [tickerOf(cik), ...rest])).toEqual(
      REVENUE_IN_DOUBT.toSorted(([, a], [, b]) => (a < b ? -1 : 1)),
    );
  });

  it('of Kimberly-Clark have no revenue from the report without the tissue business to the next annual one, and keep their result', async () => {
    const found = await rows(`
      select known_at, window_end::varchar, revenue / 1e6, ebit / 1e6, earnings / 1e6, operating_cash_flow / 1e6, round(eps, 2), contradictions['revenue']
      from valuations.company_fundamentals where cik = '${FILERS.KMB}' and known_at >= '2025-04-01' order by known_at`);
    expect(found).toEqual([
      ['2025-04-22T15:36:55.000Z', '2025-03-31', 19_749, 3126, 2465, 3123, 7.34, null],
      ['2025-08-01T15:16:39.000Z', '2025-06-30', null, null, 2430, 2872, 7.26, 'scope_changed'],
      ['2025-10-30T15:28:36.000Z', '2025-09-30', null, null, 1969, 2622, 5.91, 'scope_changed'],
      ['2026-02-12T18:06:05.000Z', '2025-12-31', 16_447, 2351, 2021, 2777, 6.07, null],
    ]);
  });

  it('roll on from an annual report that already had the new scope', async () => {
    // Kimberly-Clark parted with Halyard Health in the last quarter of 2014, Procter & Gamble with Pringles in the last of its fiscal 2012.
    const revenue = async (cik: string, ends: readonly string[]) =>
      (
        await rows(`
          select value / 1e6, contradiction from valuations.trailing_values
          where cik = '${cik}' and metric = 'revenue' and lag = 0 and window_end in (${ends.map(quote).join(', ')}) order by window_end`)
      ).map(([value, contradiction]) => contradiction ?? value);
    expect(await revenue(FILERS.KMB, ['2015-03-31', '2015-06-30', '2015-09-30'])).toEqual([19_528, 19_218, 18_880]);
    expect(await revenue(FILERS.PG, ['2012-12-31'])).toEqual([83_320]);
  });
});
