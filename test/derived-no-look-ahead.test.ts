// No derived indicator says anything as of a moment that was not known then. New indicators join by themselves: the list is src/derived/index.ts.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sqlText } from '../src/db/query.ts';
import type { DerivedIndicator } from '../src/derived/derived.ts';
import { derivedIndicators } from '../src/derived/index.ts';
import { compareDraws, FORECASTS, targetsOf } from './look-ahead-draws.ts';
import { openTwiceToldLake, type TwiceToldLake } from './look-ahead-lake.ts';
import { isLong } from './suite.ts';

/** Lakes of earlier times among which the draws are spread; `npm run test:lookahead` builds more, and asks 1,000 times. */
const LAKES = Number(process.env['LOOK_AHEAD_LAKES'] ?? 2);
const DRAWS = LAKES > 2 ? 1000 : 300;
const SLUGS = [...derivedIndicators.map(({ slug }) => slug), FORECASTS];

/** Derived indicators of which the generated lake has no row, each with the reason. */
const WITHOUT_ROWS: Readonly<Record<string, string>> = {};

let lake: TwiceToldLake;
beforeAll(async () => {
  lake = await openTwiceToldLake();
}, 60_000);
afterAll(() => lake.remove());

describe('derived indicators', () => {
  it('all have rows in the generated lake, or stand with a reason in WITHOUT_ROWS', async () => {
    const found = new Set((await targetsOf(await lake.pipeline.open())).map(({ slug }) => slug));
    const missing = SLUGS.filter((slug) => !found.has(slug));
    const remedy = 'has no row to test: give jobs/sample or test/look-ahead-lake.ts the payloads that it is computed from';
    expect(missing.map((slug) => `${slug} ${remedy}`)).toEqual(Object.keys(WITHOUT_ROWS).map((slug) => `${slug} ${remedy}`));
  });

  it(`answer ${DRAWS} random questions as of random moments like the lake of that time`, { timeout: 30_000 + 15_000 * LAKES }, async () => {
    const report = await compareDraws(lake.pipeline, { draws: DRAWS, lakes: LAKES, seed: 20_260_618, slugs: SLUGS, isCacheShared: true });
    expect(report.differences).toEqual([]);
    expect(Object.keys(report.rows).toSorted()).toEqual(SLUGS.filter((slug) => WITHOUT_ROWS[slug] === undefined).toSorted());
    expect(Object.entries(report.rows).filter(([, rows]) => rows < 4)).toEqual([]);
  });

  it.runIf(isLong)('are found out when they use what became known later', { timeout: 120_000 }, async () => {
    const planted = await lake.derivedBy(derivedIndicators.map(plantLeak));
    const leaking = [...Object.keys(LEAKS), FORECASTS];
    const slugs = [...leaking, 'cpi_inflation_yoy', 'gdp_growth', 'cot_positioning_percentile'];
    const report = await compareDraws(planted, { draws: 120, lakes: 3, seed: 11, slugs, isCacheShared: true });
    expect([...new Set(report.differences.map(({ slug }) => slug))].toSorted()).toEqual(leaking.toSorted());
  });
});

/** By the indicator before which they are planted: those before it stay sound. */
const LEAKS: Readonly<Record<string, readonly string[]>> = {
  // Growth of the levels as revised since.
  gdp_growth_yoy: [patched('macros/level_pairs.sql', 'vintages.*,', 'vintages.* replace (RESTATED as value),')],
  // Windows with reports that came out after the moment.
  cot_tff_percentile: [
    `create or replace table positions.cot_percentiles as
    ${patched('positions/cot_percentiles.sql', 'and paired.observed_at <= current.known_at', '')}`,
  ],
  // Earnings of the next filing.
  price_to_earnings: [
    `create or replace table valuations.company_fundamentals as
    select * replace (lead(eps, 1, eps) over (partition by cik order by known_at) as eps) from valuations.company_fundamentals`,
    `create or replace table valuations.valuations as ${sqlText('valuations/valuations.sql')}`,
    `create or replace table valuations.stated_valuations as ${sqlText('valuations/stated_valuations.sql')}`,
    `create or replace table valuations.valuation_multiples as ${sqlText('valuations/valuation_multiples.sql')}`,
  ],
  cb_statement_sentiment: [
    // Texts as corrected since.
    'update documents.policy_documents set version_at = released_at',
    // Histories as revised since, for the forecasts.
    'create or replace table series.vintages as select * replace (RESTATED as value) from series.vintages',
  ],
};

const RESTATED =
  'if(value is null, null, arg_max(value, vintages.observed_at) over (partition by vintages.series_no, vintages.period_end))';

function patched(file: string, text: string, replacement: string): string {
  const sql = sqlText(file);
  if (!sql.includes(text)) throw new Error(`${file} no longer says ${text}`);
  return sql.replace(text, replacement);
}

function plantLeak(indicator: DerivedIndicator): DerivedIndicator {
  const statements = LEAKS[indicator.slug];
  if (statements === undefined) return indicator;
  return {
    ...indicator,
    async compute(connection, cache) {
      for (const statement of statements) await connection.run(statement.replaceAll('RESTATED', RESTATED));
      await indicator.compute?.(connection, cache);
    },
  };
}
