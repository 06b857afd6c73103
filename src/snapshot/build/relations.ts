// The relations of a snapshot, in the order of their reads, and the checks that a snapshot must pass. Nothing is built outside this list.
import type { DuckDBConnection } from '@duckdb/node-api';
import { type Parts, type Relation, nameOf } from '../../db/layers.ts';
import { filled, sqlText } from '../../db/query.ts';
import { computeDocumentSentiments } from '../../derived/document-sentiments.ts';
import { computeForecasts } from '../../derived/forecasts.ts';
import type { ResultCache } from '../../derived/result-cache.ts';
import { OR_ASSUMED } from '../../model/trust.ts';
import { LAKE_TABLE_NAMES, type LakeTable, rowsBelowRoot } from '../../lake/layout.ts';
import { computeAliasNormals } from './alias-normals.ts';

/** A step that SQL cannot express. It fills the table of its path, empty for an empty lake. The same lake gives the same rows. */
export interface Computed {
  readonly path: string;
  readonly as: 'computed';
  readonly compute: (connection: DuckDBConnection, cache: ResultCache, onProgress?: (done: number, total: number) => void) => Promise<void>;
}

/** A relation that is never whole in memory. Each of its files is written by itself, and later steps read the files. */
export interface Written {
  readonly path: string;
  readonly as: 'files';
  readonly by: 'dataset' | 'epoch';
}

export type Step = Relation | Computed | Written;

/** Measured: no statement over this many rows takes more than half of the engine's 600 MB. */
const FACTS: Parts = { of: 'filings.company_facts', key: 'cik', rows: 150_000 };
/** The same limit for series, including series without a vintage. */
const VINTAGES: Parts = {
  of: '(select series_no from published.series union all select series_no from published.vintages)',
  key: 'series_no',
  rows: 2_000_000,
};

const table = (path: string): Relation => ({ path, as: 'table' });
/** Reused from an earlier build if no input has changed. For tables that take long to compute and change on few nights. */
const remembered = (path: string): Relation => ({ path, as: 'table', isRemembered: true });
/** Small enough for a server's memory. */
const inMemory = (path: string): Relation => ({ path, as: 'table', isInMemory: true });
/** For readers of the Parquet files only. No route and no server copy uses it. */
const forReaders = (path: string): Relation => ({ path, as: 'table', isForReaders: true });
/** Each row belongs to one filer. A statement over thousands of filers does not fit in memory. */
const byFiler = (relation: Relation, rows = FACTS.rows): Relation => ({ ...relation, parts: { ...FACTS, rows } });
/** Each row belongs to a close of one filer. A statement over the prices of many filers does not fit in memory. */
const byClose = (relation: Relation): Relation => ({ ...relation, parts: { of: 'valuations.closes', key: 'cik', rows: 20_000 } });
/** Each row belongs to one series. A statement over all vintages does not fit in memory. */
const bySeries = (relation: Relation): Relation => ({ ...relation, parts: VINTAGES });
const view = (path: string): Relation => ({ path, as: 'view' });
const ofLake = (name: LakeTable): Relation => ({ ...view(`lake/${name}`), text: rowsBelowRoot(name) });
const macro = (path: string): Relation => ({ path, as: 'macro' });
/** The twin of a macro that reads the assumed vintages too. */
const orAssumed = (name: keyof typeof OR_ASSUMED): Relation => ({
  ...macro(`macros/${OR_ASSUMED[name]}`),
  text: filled(sqlText(`macros/${name}.sql`), OR_ASSUMED),
});
const computed = (path: string, compute: Computed['compute']): Computed => ({ path, as: 'computed', compute });
const files = (path: string, by: Written['by']): Written => ({ path, as: 'files', by });

export const RELATIONS: readonly Step[] = [
  ofLake('attempts'),
  macro('macros/freshness_status'),
  macro('macros/knowledge_cutoff'),
  macro('macros/observation_id'),
  macro('macros/middle_of_period'),
  macro('macros/companies/beyond_rounding'),
  macro('macros/companies/is_of_one_scope'),
  macro('macros/companies/is_restatement'),
  macro('macros/companies/is_rounding_of'),
  macro('macros/entities/is_national'),
  macro('macros/entities/is_macro'),
  macro('macros/factor_of'),
  macro('macros/is_scoring_tier'),
  macro('macros/is_projection'),
  macro('macros/print_day'),
  macro('macros/scoring_reasons'),
  macro('macros/companies/is_annual_form'),
  macro('macros/companies/is_periodic_form'),
  macro('macros/companies/is_statement_form'),
  macro('macros/is_in_force'),
  macro('macros/first_print_days'),
  macro('macros/calendar_place'),
  macro('macros/place_a_year_before'),
  macro('macros/entities/holds_on'),
  macro('macros/entities/country_known_at'),
  macro('macros/entities/currency_at'),
  macro('macros/entities/central_bank_at'),
  macro('macros/entities/member_of_at'),
  macro('macros/entities/name_at'),
  macro('macros/is_in_part'),
  macro('macros/is_series_in_part'),
  macro('macros/companies/multiples_by_name'),
  macro('macros/companies/ticker_claims'),
  macro('macros/entities/entity_status'),
  ...LAKE_TABLE_NAMES.filter((name) => name !== 'attempts').map(ofLake),

  table('series/ticker_holders'),
  table('series/quoted_days'),
  view('series/attributed_observations'),
  table('series/filer_names'),
  table('series/filer_descriptions'),
  table('series/filer_states'),
  table('series/successions'),
  table('series/retired_indicators'),
  table('series/series'),
  view('series/quoted_splits'),
  table('series/vintages'),
  table('series/runs'),
  table('series/arrivals'),
  table('series/entities'),
  table('series/contract_names'),
  table('series/entity_names'),
  table('series/alias_texts'),
  computed('series/alias_normals', computeAliasNormals),

  table('positions/cot_nets'),
  view('positions/cot_windows'),
  remembered('positions/cot_percentiles'),
  table('positions/cot_findings'),

  table('documents/policy_documents'),
  computed('documents/document_sentiments', computeDocumentSentiments),

  table('filings/listed_filings'),
  view('filings/stated_filings'),
  table('filings/company_facts'),
  table('filings/company_classes'),
  table('filings/filers'),
  view('filings/statement_concepts'),
  byFiler(remembered('filings/statement_facts')),
  table('filings/fiscal_year_ends'),
  byFiler(table('filings/reporting_currencies')),
  byFiler(table('filings/statement_values')),
  byFiler(table('filings/scoped_values')),
  byFiler(table('filings/recast_years')),
  byFiler(table('filings/rescoping_filings')),
  view('filings/subtracted_quarters'),
  byFiler(remembered('filings/statement_derivations')),
  byFiler(table('filings/quarter_values')),
  byFiler(table('filings/trailing_reconciliations')),
  byFiler(remembered('filings/statement_cells')),
  view('filings/statement_findings'),
  byFiler(table('filings/statement_filings')),
  view('filings/known_year_ends'),
  byFiler(table('filings/fiscal_labels')),
  byFiler(table('filings/earnings_news')),

  table('splits/split_bases'),
  view('splits/split_ratios'),
  table('splits/restatements'),
  table('splits/price_jumps'),
  table('splits/unlisted_splits'),
  view('splits/split_findings'),
  macro('splits/in_shares_of'),

  view('valuations/multiple_concepts'),
  byFiler(remembered('valuations/trailing_facts')),
  byFiler(remembered('valuations/trailing_rolls')),
  byFiler(remembered('valuations/trailing_values')),
  view('valuations/trailing_findings'),
  byFiler(table('valuations/share_counts')),
  view('valuations/share_findings'),
  byFiler(table('valuations/balance_sheets')),
  byFiler(table('valuations/company_fundamentals')),
  table('valuations/exchange_rates'),
  table('valuations/closes'),
  view('valuations/public_floats'),
  byClose(table('valuations/valuations')),
  table('valuations/stated_valuations'),
  view('valuations/multiple_amounts'),
  remembered('valuations/valuation_multiples'),
  table('valuations/company_valuations'),
  table('valuations/score_inputs'),

  view('derived/transform_inputs'),
  table('derived/transforms'),
  table('derived/period_means'),
  table('derived/policy_rate'),
  table('derived/adjusted_prices'),
  table('derived/positioning'),
  table('derived/sentiment'),
  table('derived/multiples'),
  view('derived/derived_rows'),
  table('derived/derived_series'),
  table('derived/derived_vintages'),
  table('derived/all_series'),
  table('derived/ruled_series'),
  view('derived/all_vintages'),
  table('derived/series_statistics'),
  table('derived/releases'),

  table('forecasts/survey_rounds'),
  view('forecasts/forecast_inputs'),
  computed('forecasts/forecasts', computeForecasts),

  table('calendar/release_prints'),
  table('calendar/release_days'),
  table('calendar/schedules'),
  table('calendar/calendar_entries'),
  table('calendar/calendar_schedules'),
  table('calendar/carried_indicators'),
  table('calendar/calendar_moments'),
  table('calendar/carried_prints'),
  table('calendar/carried_observations'),
  table('calendar/calendar_prints'),
  table('calendar/official_events'),

  table('reconciliations/paired_series'),
  table('reconciliations/transformed_values'),
  table('reconciliations/vintage_comparisons'),
  table('reconciliations/newest_comparisons'),
  byFiler(table('reconciliations/filed_comparisons')),
  view('reconciliations/comparisons'),
  view('reconciliations/reconciliation_findings'),
  view('reconciliations/filed_findings'),
  table('reconciliations/summaries'),
  table('reconciliations/ways_behind'),

  table('published/calendar/cadence_budgets'),
  table('published/calendar/event_cadences'),
  inMemory('published/series'),
  files('published/vintages', 'dataset'),
  macro('macros/asked_vintages'),
  macro('macros/newest_periods'),
  macro('macros/newest_over_time'),
  macro('macros/first_prints_over_time'),
  macro('macros/preferred_over_time'),
  inMemory('published/latest'),
  files('published/states', 'epoch'),
  files('published/values_3y', 'epoch'),
  inMemory('published/entities'),
  inMemory('published/aliases'),
  inMemory('published/countries'),
  macro('macros/entities/countries_as_of'),
  inMemory('published/canonical_indicators'),
  inMemory('published/runs'),
  table('published/series_codes'),
  table('published/quarantine'),
  inMemory('published/sources'),
  bySeries(inMemory('published/series_revisions')),
  inMemory('published/series_liveness'),
  inMemory('published/consensus'),
  table('published/forecasts'),
  table('published/forecast_backtests'),
  inMemory('published/derived_indicators'),
  // Smaller parts, because it pairs every line of every statement with each filing that brought one.
  byFiler(remembered('published/companies/financial_statements'), 50_000),
  table('published/companies/companies'),
  inMemory('published/companies/ticker_holders'),
  forReaders('published/cot'),
  forReaders('published/companies/multiples'),
  macro('macros/companies/ticker_holder'),
  macro('macros/entities/entities_as_of'),
  macro('macros/companies/scored_companies'),
  inMemory('published/companies/company_figure_fields'),
  table('published/companies/company_figures'),
  table('published/calendar/calendar'),
  table('published/calendar/events'),
];

/** Published tables that a server loads into memory. */
export const IN_MEMORY: ReadonlySet<string> = new Set(
  RELATIONS.flatMap((step) => (step.as === 'table' && step.isInMemory === true ? [nameOf(step.path)] : [])),
);

/** The macros that sql/queries/ uses. A macro comes after the macros that it calls. */
export const QUERY_MACROS: readonly Relation[] = [
  macro('macros/entities/is_national'),
  macro('macros/entities/is_macro'),
  macro('macros/is_scoring_tier'),
  macro('macros/is_projection'),
  macro('macros/print_day'),
  macro('macros/scoring_reasons'),
  macro('macros/freshness_status'),
  macro('macros/is_in_force'),
  macro('splits/in_shares_of'),
  macro('macros/observation_id'),
  macro('macros/middle_of_period'),
  macro('macros/calendar_place'),
  macro('macros/place_a_year_before'),
  macro('macros/entities/holds_on'),
  macro('macros/entities/country_known_at'),
  macro('macros/entities/currency_at'),
  macro('macros/entities/central_bank_at'),
  macro('macros/entities/member_of_at'),
  macro('macros/entities/name_at'),
  macro('macros/entities/entities_as_of'),
  macro('macros/entities/countries_as_of'),
  macro('macros/asked_vintages'),
  macro('macros/newest_periods'),
  macro('macros/newest_over_time'),
  macro('macros/first_prints_over_time'),
  macro('macros/preferred_over_time'),
  macro('assumed/assumed_vintages'),
  orAssumed('asked_vintages'),
  orAssumed('newest_periods'),
  orAssumed('newest_over_time'),
  orAssumed('preferred_over_time'),
  macro('macros/companies/ticker_holder'),
  macro('macros/entities/entity_status'),
  macro('macros/companies/scored_companies'),
];

/** Published relations are written to files, one resource each. */
export const isPublished = ({ path }: Pick<Step, 'path'>): boolean => path.startsWith('published/');

/** The tables in a server's copy: all that routes read, so that a damaged file of the snapshot affects no answer; see server-copy.ts. */
export const SERVED: readonly string[] = RELATIONS.filter(
  (step) => isPublished(step) && !(step.as === 'table' && step.isForReaders === true),
).map(({ path }) => nameOf(path));

/** Order of the rows in each file of vintages. */
export const VINTAGE_ORDER = 'series_no, period_end, observed_at';

/** Order of the rows in each file of states. */
export const STATE_ORDER = 'indicator_no, series_no, known_from';

/** Within each file. */
export const VALUE_ORDER = 'indicator_no, series_no, period_end, known_from';

/** Files of sql/checks. Each returns the rows that break a rule. */
export const CHECKS = [
  'ids_are_unique',
  'one_newest_vintage',
  'vintages_in_order',
  'nothing_known_before_its_inputs',
  'every_vintage_has_its_run',
  'values_are_finite',
  'every_series_is_described',
  'derived_indicators_are_whole',
  'forecasts_are_sound',
  'calendar_is_sound',
] as const;
