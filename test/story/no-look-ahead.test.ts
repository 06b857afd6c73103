// No derived indicator says anything as of a moment that was not known then. New indicators join by themselves: the list is data/reference/derived_indicators.csv.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sqlText } from '../../src/db/query.ts';
import { RELATIONS, type Step } from '../../src/snapshot/relations.ts';
import { derivedIndicators } from '../derived/catalogue.ts';
import { compareDraws, FORECASTS, targetsOf } from './look-ahead-draws.ts';
import { openTwiceToldLake, type TwiceToldLake } from './look-ahead-lake.ts';
import { isLong } from '../suite.ts';

/** Lakes of earlier times among which the draws are spread; `npm run test:lookahead` builds more, and asks 1,000 times. */
const LAKES = Number(process.env['LOOK_AHEAD_LAKES'] ?? (isLong ? 2 : 1));
const DRAWS = LAKES > 2 ? 1000 : 150 * LAKES;
const SLUGS = [...derivedIndicators.map(({ slug }) => slug), FORECASTS];

/** Derived indicators of which the generated lake has no row, each with the reason. */
const WITHOUT_ROWS: Readonly<Record<string, string>> = {};

let lake: TwiceToldLake;
beforeAll(async () => {
  lake = await openTwiceToldLake();
});
afterAll(() => lake.remove());

describe('derived indicators', () => {
  it('all have rows in the generated lake, or stand with a reason in WITHOUT_ROWS', async () => {
    const found = new Set((await targetsOf(await lake.pipeline.open())).map(({ slug }) => slug));
    const missing = SLUGS.filter((slug) => !found.has(slug));
    const remedy = 'has no row to test: give jobs/sample or test/story/look-ahead-lake.ts the payloads that it is computed from';
    expect(missing.map((slug) => `${slug} ${remedy}`)).toEqual(Object.keys(WITHOUT_ROWS).map((slug) => `${slug} ${remedy}`));
  });

  it(`answer ${DRAWS} random questions as of random moments like the lake of that time`, {
    timeout: 180_000 + 60_000 * LAKES,
  }, async () => {
    const report = await compareDraws(lake.pipeline, {
      draws: DRAWS,
      lakes: LAKES,
      seed: Number(process.env['LOOK_AHEAD_SEED'] ?? 20_260_618),
      slugs: SLUGS,
      isCacheShared: true,
    });
    expect(report.differences).toEqual([]);
    expect(Object.keys(report.rows).toSorted()).toEqual(SLUGS.filter((slug) => WITHOUT_ROWS[slug] === undefined).toSorted());
    expect(Object.entries(report.rows).filter(([, rows]) => rows < 4)).toEqual([]);
  });

  it.runIf(isLong)('are found out when they use what became known later', { timeout: 400_000 }, async () => {
    const planted = await lake.builtBy(RELATIONS.flatMap(withLeak));
    const leaking = ['gdp_growth_yoy', 'cot_tff_percentile', 'price_to_earnings', 'cb_statement_sentiment', FORECASTS];
    const slugs = [...leaking, 'cpi_inflation_yoy', 'gdp_growth', 'cot_positioning_percentile'];
    const report = await compareDraws(planted, { draws: 120, lakes: 3, seed: 11, slugs, isCacheShared: true });
    expect([...new Set(report.differences.map(({ slug }) => slug))].toSorted()).toEqual(leaking.toSorted());
  });
});

/** By the step after which they are planted: those before it stay sound. */
const LEAKS: Readonly<Record<string, readonly string[]>> = {
  // Growth of the levels as revised since.
  'derived/transforms': [
    only('derived.transforms', 'gdp_growth_yoy', patched('derived/transforms.sql', 'vintages.*', 'vintages.* replace (RESTATED as value)')),
  ],
  'derived/positioning': [
    // Windows with reports that came out after the moment.
    `create or replace table positions.cot_percentiles as
    ${patched('positions/cot_percentiles.sql', 'and paired.observed_at <= current.known_at', '')}`,
    only('derived.positioning', 'cot_tff_percentile', sqlText('derived/positioning.sql')),
    // Texts as corrected since.
    'update documents.policy_documents set version_at = released_at',
    // Histories as revised since, for the forecasts.
    'create or replace table series.vintages as select * replace (RESTATED as value) from series.vintages',
  ],
  // Earnings of the next filing.
  'derived/sentiment': [
    `create or replace table valuations.company_fundamentals as
    select * replace (lead(eps, 1, eps) over (partition by cik order by known_at) as eps) from valuations.company_fundamentals`,
    ...['valuations', 'stated_valuations', 'valuation_multiples'].map(
      (name) => `create or replace table valuations.${name} as ${sqlText(`valuations/${name}.sql`)}`,
    ),
  ],
};

/** The statement that gives one indicator other rows. */
function only(table: string, slug: string, select: string): string {
  return `create or replace table ${table} as
    select * from (${select.replace(/^--.*$/gm, '')}) where canonical_id = '${slug}'
    union all by name select * from ${table} where canonical_id != '${slug}'`;
}

const RESTATED =
  'if(value is null, null, arg_max(value, vintages.observed_at) over (partition by vintages.series_no, vintages.period_end))';

function patched(file: string, text: string, replacement: string): string {
  const sql = sqlText(file);
  if (!sql.includes(text)) throw new Error(`${file} no longer says ${text}`);
  return sql.replace(text, replacement);
}

function withLeak(step: Step): readonly Step[] {
  const statements = LEAKS[step.path];
  if (statements === undefined) return [step];
  const leak: Step = {
    path: step.path,
    as: 'computed',
    async compute(connection) {
      for (const statement of statements) await connection.run(statement.replaceAll('RESTATED', RESTATED));
    },
  };
  return [step, leak];
}
