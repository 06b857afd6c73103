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
  table('series/series'),
  table('series/vintages'),
  table('positions/cot_nets'),
  table('positions/cot_breaks'),
  view('positions/cot_windows'),
  remembered('positions/cot_percentiles'),
  table('documents/policy_documents'),
  table('filings/company_facts'),
  table('filings/company_classes'),
  view('filings/statement_concepts'),
  remembered('filings/statement_facts'),
  table('filings/statement_values'),
  remembered('filings/statement_derivations'),
  table('filings/quarter_values'),
  table('filings/recast_years'),
  table('filings/trailing_reconciliations'),
  table('splits/split_bases'),
  view('splits/split_ratios'),
  table('splits/restatements'),
  table('splits/price_jumps'),
  table('splits/unlisted_splits'),
  view('valuations/multiple_concepts'),
  remembered('valuations/trailing_facts'),
  remembered('valuations/trailing_rolls'),
  remembered('valuations/trailing_values'),
  table('valuations/share_counts'),
  table('valuations/company_fundamentals'),
  table('valuations/valuations'),
  table('valuations/stated_valuations'),
  remembered('valuations/valuation_multiples'),
];

/** From the union of the derived rows (`derived.derived_rows`) on. */
export const AFTER_DERIVED: readonly Relation[] = [
  table('series/runs'),
  table('series/entities'),
  table('derived/derived_series'),
  table('derived/derived_vintages'),
  table('derived/all_series'),
  view('derived/all_vintages'),
  view('forecasts/forecast_inputs'),
  table('derived/series_statistics'),
  table('series/contract_names'),
  table('series/alias_texts'),
  table('filings/filers'),
  table('valuations/shown_valuations'),
  table('valuations/score_inputs'),
  remembered('filings/statement_cells'),
  view('filings/statement_findings'),
  view('valuations/trailing_findings'),
  view('splits/split_findings'),
  table('filings/statement_filings'),
  table('calendar/schedules'),
  table('calendar/calendar_entries'),
  table('calendar/calendar_schedules'),
  table('calendar/release_prints'),
  table('calendar/calendar_moments'),
  table('calendar/calendar_prints'),
  table('calendar/official_events'),
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
