// A few series, vintages and entities written by hand, and what screens read of them as the relations of the project make it.
import { relationName } from '../../src/db/layers.ts';
import { sqlText } from '../../src/db/query.ts';
import type { Series } from '../../src/model/catalogue.ts';
import { type Grants, NO_GRANTS, underGrants } from '../../src/model/grant.ts';
import type { Manifest } from '../../src/model/manifest.ts';
import type { Snapshot } from '../../src/queries/snapshot.ts';
import { type Given, type Print, type Relations, toVintages, VINTAGE_COLUMNS } from '../boundaries/by-hand/tables.ts';
import { catalogueOf } from '../boundaries/by-hand/series.ts';

export interface ScreenedLake {
  readonly series: readonly Series[];
  readonly prints: readonly Print[];
  readonly entities: readonly Given[];
  readonly companies: readonly Given[];
  /** Of fields that no indicator has: rows of published.company_figure_fields, and of published.company_figures. */
  readonly figureFields?: readonly Given[];
  readonly figures?: readonly Given[];
  readonly knowledgeCutoff: string;
}

export const ENTITY_COLUMNS =
  'entity_id varchar, entity_type varchar, name varchar, country varchar, valid_from date, valid_to date, names struct(name varchar, known_from timestamptz)[]';
export const COMPANY_COLUMNS =
  'entity_id varchar, country varchar, known_from timestamptz, classes struct(sector varchar, known_from timestamptz)[], ' +
  'descriptions struct(country varchar, known_from timestamptz)[], ' +
  'reports struct(period_end date, observed_at timestamptz)[], share_counts struct(shares_as_of date, observed_at timestamptz)[], ' +
  'score_inputs struct(window_end date, known_at timestamptz)[]';
export const SERIES_COLUMNS = 'series_no integer, entity_id varchar, frequency varchar, first_observed_at timestamptz';
const FIGURE_FIELD_COLUMNS = 'field varchar, label varchar, kind varchar, unit varchar, source_tier varchar';
const FIGURE_COLUMNS = 'field varchar, entity_id varchar, period_end date, value double, known_from timestamptz, known_to timestamptz';
/** Indicators of which the ids of the series speak; `hidden` is the one that is not to be screened. */
export async function createScreened(relations: Relations, lake: ScreenedLake): Promise<void> {
  await relations.table(
    'derived.all_series',
    'series_no integer, canonical_id varchar',
    lake.series.map(({ seriesNo, canonicalId }) => ({ seriesNo, canonicalId })),
  );
  await relations.table(
    'reference.canonical_indicators',
    'canonical_id varchar, is_screenable boolean',
    [...new Set(lake.series.map((one) => one.canonicalId))].map((canonicalId) => ({ canonicalId, isScreenable: canonicalId !== 'hidden' })),
  );
  const ofSeries = (seriesNo: number) => lake.prints.filter((print) => print.seriesNo === seriesNo);
  await relations.table(
    'published.vintages',
    VINTAGE_COLUMNS,
    lake.series.flatMap((one) => toVintages(ofSeries(one.seriesNo))),
  );
  await relations.table(
    'published.entities',
    ENTITY_COLUMNS,
    lake.entities.map((one) => ({ names: [], ...one })),
  );
  await relations.table('published.companies', COMPANY_COLUMNS, lake.companies);
  await relations.table(
    'published.series',
    SERIES_COLUMNS,
    lake.series.map(({ seriesNo, entityId, frequency }) => ({
      seriesNo,
      entityId,
      frequency,
      firstObservedAt:
        ofSeries(seriesNo)
          .filter((print) => print.value !== null)
          .map((print) => print.observedAt)
          .toSorted()[0] ?? null,
    })),
  );
  await relations.table('published.company_figure_fields', FIGURE_FIELD_COLUMNS, lake.figureFields);
  await relations.table('published.company_figures', FIGURE_COLUMNS, lake.figures);
  await createStates(relations, lake.knowledgeCutoff);
}

/** published.states and published.values_3y out of published.vintages. */
export async function createStates(relations: Relations, knowledgeCutoff: string): Promise<void> {
  await relations.connection.run(`create or replace macro knowledge_cutoff() as timestamptz '${knowledgeCutoff}'`);
  await relations.create('published/states');
  const epochs = (await relations.rows('select distinct epoch from published.states order by epoch')).map(({ epoch }) => Number(epoch));
  const last = epochs.at(-1) ?? null;
  const between = (first: number | null, until: number | null) =>
    relations.connection.run(`set variable first_epoch = ${first}; set variable last_epoch = ${until}`);
  // As a build does: several epochs at once, and one alone.
  await between(epochs[0] ?? null, last === null ? null : last - 1);
  await relations.create('published/values_3y');
  await between(last, last);
  await relations.connection.run(`insert into ${relationName('published/values_3y')} ${sqlText('published/values_3y.sql')}`);
}

export function snapshotOf(
  relations: Relations,
  lake: Pick<ScreenedLake, 'series' | 'knowledgeCutoff'>,
  grants: Grants = NO_GRANTS,
): Snapshot {
  return {
    ...relations.reader,
    snapshotId: 's',
    knowledgeCutoff: lake.knowledgeCutoff,
    catalogue: catalogueOf(lake.series.map((one) => underGrants(one, grants))),
    manifest: {} as Manifest,
    grants,
    packs: null,
    newest: null,
  };
}
