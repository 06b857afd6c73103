// The relations of a snapshot, in the order in which they read each other, and the checks that a snapshot must pass.
import type { Relation } from '../db/layers.ts';
import { LAKE_TABLE_NAMES } from '../lake/layout.ts';

export const MACROS = ['freshness_status', 'knowledge_cutoff', 'observation_id', 'is_of_one_scope'] as const;

/** Macros over the relations before the derived indicators: DuckDB wants those to exist first. */
export const DERIVED_MACROS = ['level_pairs', 'growth_rates', 'level_changes', 'positioning_percentiles', 'multiples_of'] as const;

const LAKE: readonly Relation[] = LAKE_TABLE_NAMES.map((name) => ({ path: `lake/${name}`, as: 'view' }));

const table = (path: string): Relation => ({ path, as: 'table' });
/** Taken over from an earlier build when nothing that it reads has changed: what takes long to compute and changes on few nights. */
const remembered = (path: string): Relation => ({ path, as: 'table', isRemembered: true });
const view = (path: string): Relation => ({ path, as: 'view' });

/** Up to the point at which the derived indicators can be computed. */
export const BEFORE_DERIVED: readonly Relation[] = [
  ...LAKE,
  table('intermediate/series'),
  table('intermediate/vintages'),
  table('intermediate/cot_nets'),
  table('intermediate/cot_breaks'),
  view('intermediate/cot_windows'),
  remembered('intermediate/cot_percentiles'),
  table('intermediate/policy_documents'),
  table('intermediate/company_facts'),
  table('intermediate/company_classes'),
  view('intermediate/statement_concepts'),
  remembered('intermediate/statement_facts'),
  table('intermediate/statement_values'),
  remembered('intermediate/statement_derivations'),
  table('intermediate/quarter_values'),
  table('intermediate/recast_years'),
  table('intermediate/trailing_reconciliations'),
  table('intermediate/split_bases'),
  view('intermediate/split_ratios'),
  table('intermediate/restatements'),
  table('intermediate/price_jumps'),
  table('intermediate/unlisted_splits'),
  view('intermediate/multiple_concepts'),
  remembered('intermediate/trailing_facts'),
  remembered('intermediate/trailing_rolls'),
  remembered('intermediate/trailing_values'),
  table('intermediate/share_counts'),
  table('intermediate/company_fundamentals'),
  table('intermediate/valuations'),
  table('intermediate/stated_valuations'),
  remembered('intermediate/valuation_multiples'),
];

/** From the union of the derived rows (`intermediate.derived_rows`) on. */
export const AFTER_DERIVED: readonly Relation[] = [
  table('intermediate/runs'),
  table('intermediate/entities'),
  table('intermediate/derived_series'),
  table('intermediate/derived_vintages'),
  table('intermediate/all_series'),
  view('intermediate/all_vintages'),
  view('intermediate/forecast_inputs'),
  table('intermediate/series_statistics'),
  table('intermediate/contract_names'),
  table('intermediate/alias_texts'),
  table('intermediate/filers'),
  table('intermediate/shown_valuations'),
  table('intermediate/score_inputs'),
  remembered('intermediate/statement_cells'),
  view('intermediate/statement_findings'),
  view('intermediate/trailing_findings'),
  view('intermediate/split_findings'),
  table('intermediate/statement_filings'),
  table('intermediate/schedules'),
  table('intermediate/calendar_entries'),
  table('intermediate/calendar_schedules'),
  table('intermediate/release_prints'),
  table('intermediate/calendar_moments'),
  table('intermediate/calendar_prints'),
  table('intermediate/official_events'),
];

/** What is written: one relation per resource. `vintages` becomes one file per dataset and is read from there, every other relation one file. */
export const PUBLISHED: readonly Relation[] = [
  table('published/cadence_budgets'),
  table('published/series'),
  view('published/vintages'),
  table('published/latest'),
  table('published/entities'),
  table('published/aliases'),
  table('published/countries'),
  table('published/canonical_indicators'),
  table('published/runs'),
  table('published/quarantine'),
  table('published/sources'),
  table('published/series_revisions'),
  table('published/series_liveness'),
  table('published/forecasts'),
  table('published/forecast_backtests'),
  table('published/derived_indicators'),
  remembered('published/financial_statements'),
  table('published/companies'),
  table('published/calendar'),
  table('published/events'),
];

/** Of the rows in each file of the vintages. */
export const VINTAGE_ORDER = 'series_no, period_end, observed_at';

/** Files of sql/checks: each returns the rows that break a rule. */
export const CHECKS = [
  'ids_are_unique',
  'one_newest_vintage',
  'vintages_in_order',
  'nothing_known_before_its_inputs',
  'every_vintage_has_its_run',
  'values_are_finite',
  'every_series_is_described',
  'forecasts_are_sound',
  'calendar_is_sound',
] as const;
