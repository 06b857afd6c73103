// A few series, vintages and entities written by hand, and what screens read of them as the relations of the project make it.
import { relationName } from '../../src/db/layers.ts';
import { sqlText } from '../../src/db/query.ts';
import { computeSeriesVerdicts } from '../../src/derived/series-verdicts.ts';
import type { Series } from '../../src/model/catalogue.ts';
import { type Grants, NO_GRANTS, underGrants } from '../../src/model/grant.ts';
import type { Manifest } from '../../src/model/manifest.ts';
import type { Snapshot } from '../../src/queries/snapshot.ts';
import { QUERY_MACROS } from '../../src/snapshot/relations.ts';
import { type Given, type Print, type Relations, toVintages, VINTAGE_COLUMNS } from '../boundaries/tables-by-hand.ts';
import { catalogueOf } from '../boundaries/series-by-hand.ts';

/** A series, and what it is held against besides what the catalogue keeps. */
export interface HeldSeries {
  readonly series: Series;
  readonly factorComparisonBasis?: string | null;
  readonly areInputsEligible?: boolean;
}

export interface ScreenedLake {
  readonly series: readonly HeldSeries[];
  readonly prints: readonly Print[];
  readonly entities: readonly Given[];
  readonly companies: readonly Given[];
  readonly knowledgeCutoff: string;
}

export const ENTITY_COLUMNS = 'entity_id varchar, entity_type varchar, name varchar, country varchar, valid_from date, valid_to date';
export const COMPANY_COLUMNS =
  'entity_id varchar, country varchar, known_from timestamptz, classes struct(sector varchar, known_from timestamptz)[]';
const SERIES_COLUMNS = `series_no integer, source_id varchar, indicator_id varchar, canonical_id varchar, entity_id varchar, entity_type varchar,
  frequency varchar, unit varchar, factor_unit varchar, comparison_basis varchar, factor_comparison_basis varchar, source_tier varchar,
  is_redistributable boolean, licensed_source_ids varchar[], are_inputs_eligible boolean, default_budget_days integer, source_rank integer,
  is_monetary boolean, is_seasonal_adjustment_match boolean, ceased_at timestamptz, inputs_ceased_at timestamptz, first_period_end date`;
const BUDGET_COLUMNS = 'series_no integer, known_from timestamptz, budget_days double';

/** Indicators of which the ids of the series speak; `hidden` is the one that is not to be screened. */
export async function createScreened(relations: Relations, lake: ScreenedLake): Promise<void> {
  const instant = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
  const rows = lake.series.map(({ series, factorComparisonBasis, areInputsEligible = false }) => ({
    ...series,
    factorComparisonBasis: factorComparisonBasis === undefined ? series.comparisonBasis : factorComparisonBasis,
    areInputsEligible,
    isRedistributable: series.rights.redistributable,
    ceasedAt: instant(series.ceasedAt),
    inputsCeasedAt: instant(series.inputsCeasedAt),
  }));
  const columns = SERIES_COLUMNS.split(',').map((column) => column.trim().split(' ')[0] ?? '');
  const own = rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).filter(([name]) => columns.includes(name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))),
    ),
  );
  await relations.table('derived.all_series', SERIES_COLUMNS, own);
  await relations.table('published.series', SERIES_COLUMNS, own);
  await computeSeriesVerdicts(relations.connection);
  const ids = [...new Set(lake.series.map(({ series }) => series.canonicalId))];
  await relations.table(
    'reference.canonical_indicators',
    'canonical_id varchar, is_screenable boolean',
    ids.map((canonicalId) => ({ canonicalId, isScreenable: canonicalId !== 'hidden' })),
  );
  const ofSeries = (seriesNo: number) => lake.prints.filter((print) => print.seriesNo === seriesNo);
  await relations.table(
    'published.vintages',
    VINTAGE_COLUMNS,
    lake.series.flatMap(({ series }) => toVintages(ofSeries(series.seriesNo))),
  );
  await relations.table(
    'published.cadence_budgets',
    BUDGET_COLUMNS,
    lake.series.flatMap(({ series }) =>
      series.learnedBudgets.knownFrom.map((from, index) => ({
        seriesNo: series.seriesNo,
        knownFrom: instant(from),
        budgetDays: series.learnedBudgets.days[index],
      })),
    ),
  );
  await relations.table('published.entities', ENTITY_COLUMNS, lake.entities);
  await relations.table('published.companies', COMPANY_COLUMNS, lake.companies);
  await relations.connection.run(`create or replace macro knowledge_cutoff() as timestamptz '${lake.knowledgeCutoff}'`);
  await relations.macros(...QUERY_MACROS);
  await relations.create('published/screened_series', 'published/screened_entities', 'published/states');
  const epochs = await relations.rows('select distinct epoch from published.states order by epoch');
  const name = relationName('published/values_3y');
  await relations.connection.run('set variable epoch = null');
  await relations.create('published/values_3y');
  for (const { epoch } of epochs) {
    await relations.connection.run(`set variable epoch = ${String(epoch)}`);
    await relations.connection.run(`insert into ${name} ${sqlText('published/values_3y.sql')}`);
  }
}

/** Budgets of event series go with the rows that were newest; `eventBudgets` is what was learned. */
export async function createEventCadences(relations: Relations, eventBudgets: readonly Given[]): Promise<void> {
  await relations.table('published.event_cadences', BUDGET_COLUMNS, eventBudgets);
}

export function snapshotOf(relations: Relations, lake: ScreenedLake, grants: Grants = NO_GRANTS): Snapshot {
  return {
    ...relations.reader,
    snapshotId: 's',
    knowledgeCutoff: lake.knowledgeCutoff,
    catalogue: catalogueOf(lake.series.map(({ series }) => underGrants(series, grants))),
    manifest: {} as Manifest,
    grants,
  };
}
