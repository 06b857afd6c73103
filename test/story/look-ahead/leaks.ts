// Steps of a build into which a leak of each kind is planted: what a comparison with a lake of then must find out.
import { sqlText } from '../../../src/db/query.ts';
import { RELATIONS, type Step } from '../../../src/snapshot/build/relations.ts';
import { FORECASTS } from './draws.ts';
import type { Kind } from './then-routes.ts';

/** Derived indicators that the planted leaks give away, and others beside them. */
export const LEAKING = [
  'gdp_growth_yoy',
  'cot_tff_percentile',
  'price_to_earnings',
  'cb_statement_sentiment',
  'price_close_split_adjusted',
  FORECASTS,
];
export const SOUND = ['cpi_inflation_yoy', 'gdp_growth', 'cot_positioning_percentile'];

/** The field by which a planted leak shows, by kind. */
export const GIVEN_AWAY: readonly (readonly [Kind, RegExp])[] = [
  ['observations', /^actual$/],
  ['prices', /^actual$/],
  ['filings', /^items\./],
  ['calendar', /^previous$/],
  ['events', /^documentHash$/],
  ['companies', /^sharesAsOf$/],
  ['screener', /^values\..*\.value$/],
];

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
  // Closes in the shares of splits to come.
  'derived/adjusted_prices': [
    only(
      'derived.adjusted_prices',
      'price_close_split_adjusted',
      patched('derived/adjusted_prices.sql', 'and splits.counts_from <= moments.stated_at', ''),
    ),
  ],
  // Screens of what was known forty days later.
  'published/latest': [
    'alter view published.vintages rename to written_vintages',
    `create view published.vintages as
    select * replace (observed_at - interval 40 day as observed_at, known_to - interval 40 day as known_to) from published.written_vintages`,
  ],
  'published/values_3y': ['drop view published.vintages', 'alter view published.written_vintages rename to vintages'],
  // Figures as stated since, share counts of the filings to come, numbers of the calendar and texts as they are known in the end.
  'published/calendar/events': [
    `create or replace table published.financial_statements as
    select * replace (last(merged_lines) over (versions rows between unbounded preceding and unbounded following) as merged_lines)
    from published.financial_statements
    window versions as (partition by cik, statement_type, period_type, period_start, period_end order by observed_at, accession_number)`,
    `create or replace table published.companies as
    select * replace (list_transform(share_counts, lambda one: { shares_as_of: one.shares_as_of, shares: one.shares, observed_at: known_from }) as share_counts)
    from published.companies`,
    `create or replace table published.calendar as
    select * replace (arg_max(previous, observed_at) over (partition by event_id) as previous) from published.calendar`,
    `create or replace table published.events as
    select * replace (arg_max(document_hash, observed_at) over (partition by event_id) as document_hash) from published.events`,
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

export const LEAKY: readonly Step[] = RELATIONS.flatMap(withLeak);
