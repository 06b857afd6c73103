// Observations: the full surface (rights added) and the public one, as lists, newest periods, changes, and with the baseline forecast.
import { z } from 'zod';
import type { HeldRows } from '../db/query.ts';
import {
  type Context,
  type CursorKey,
  type ListRoute,
  listRoute,
  type Page,
  type PageRequest,
  parameter,
  ROWS_IN_COLUMNS,
} from '../http/route.ts';
import { MacroRow } from '../model/forecast.ts';
import { idOf, type Series } from '../model/catalogue.ts';
import { LatestObservation, Observation, Rights, BulkMembers } from '../model/observation.ts';
import { Instant } from '../model/period.ts';
import { hintsOf, marketHint, windowHint, withheldHint } from '../queries/hints/hints.ts';
import { forecastsAfter } from '../queries/forecasts.ts';
import { type AnswerRows, bulkMembers, latestRows, observationRows, type RowForm } from '../queries/written-rows.ts';
import { type RowContext, toObservations } from '../queries/observation-rows.ts';
import { sortOf } from '../queries/paging.ts';
import { preferredChanges, preferredLatest, preferredVintages } from '../queries/preferred.ts';
import { type Chosen, chooseSeries } from '../queries/series-asked.ts';
import { listChanges, observationsList } from '../queries/reads/engine.ts';
import { readLatest, readVintages } from '../queries/reads/read.ts';
import type { LatestRead, LatestVintageRow, ReadPage, VintageRow } from '../queries/reads/rows.ts';
import type { Snapshot } from '../queries/snapshot.ts';
import { backfillHintOf, emptyHints } from './hints.ts';
import {
  assumedParameter,
  observationMeta,
  observationParameters,
  type ObservationListQuery,
  type ObservationQuery,
  type ObservationRead,
  readOf,
} from './parameters.ts';

const rights = { rights: Rights.describe('Rights under the licence.') };
const PublicObservationRow = Observation.meta({ id: 'Observation' });
const PublicLatestRow = LatestObservation.meta({ id: 'LatestObservation' });
const FullObservationRow = Observation.extend(rights).meta({ id: 'ObservationWithRights' });
const FullLatestRow = LatestObservation.extend(rights).meta({ id: 'LatestObservationWithRights' });

/** Which vintages a route lists, and as which rows. */
interface Listed<Vintage, Row> {
  readonly publicRow: typeof Observation;
  readonly fullRow: typeof FullObservationRow;
  readonly read: (read: LatestRead) => Promise<ReadPage<Vintage>>;
  readonly preferred: typeof preferredVintages;
  readonly toRows: (found: HeldRows<Vintage>, context: RowContext, form: RowForm) => AnswerRows<Row>;
}

export const EVERY_PERIOD: Listed<VintageRow, Observation> = {
  publicRow: PublicObservationRow,
  fullRow: FullObservationRow,
  read: readVintages,
  preferred: preferredVintages,
  toRows: observationRows,
};

const NEWEST_PERIOD: Listed<LatestVintageRow, LatestObservation> = {
  publicRow: PublicLatestRow,
  fullRow: FullLatestRow,
  read: readLatest,
  preferred: preferredLatest,
  toRows: latestRows,
};

interface Surface {
  readonly isPublic: boolean;
  /** An entity that limits the whole list, in addition to the filters. */
  readonly entityId?: string;
}

async function pageOf<Vintage, Row>(
  { read: readPage, preferred: decide, toRows }: Listed<Vintage, Row>,
  query: ObservationListQuery,
  page: PageRequest,
  context: Context<Snapshot>,
  surface: Surface,
): Promise<Page<Row>> {
  const { snapshot, historyFrom } = context;
  const read = readOf(query, context, surface.isPublic);
  const chosen = await seriesFor(read, context, surface);
  const { series } = chosen;
  const sort = sortOf(observationsList, page.sort);
  const found = await readPage({ snapshot, series, filters: read.vintages, page: { ...page, sort }, historyFrom });
  const preferred = await preferredOf(context, page, { count: found.rows.length, hasMore: found.nextKey !== null }, () =>
    decide(snapshot, series, read.vintages, { ...page, ...page.answer, sort }, read.at),
  );
  const form = { hasRights: !surface.isPublic, isBulk: page.isBulk, asOf: read.asOf };
  const rows = toRows(found.rows, { catalogue: snapshot.catalogue, preferred, at: read.at }, form);
  const hints = await hintsFor(query, page, rows, read, chosen, context, surface);
  return { rows, nextKey: found.nextKey, meta: { as_of: read.asOf, ...hints } };
}

async function hintsFor(
  query: ObservationQuery,
  page: PageRequest,
  rows: { readonly length: number },
  read: ObservationRead,
  { series, filters }: Chosen,
  { snapshot, historyFrom }: Context<Snapshot>,
  { isPublic, entityId }: Surface,
) {
  const isOf = (one: Series) => entityId === undefined || one.entityId === entityId;
  const entities = filters.entities ?? (entityId === undefined ? null : [entityId]);
  return hintsOf(
    ...(await emptyHints(rows, page, {
      snapshot,
      named: query,
      series,
      periods: read.vintages,
      isAssumedIncluded: read.vintages.assumed === true,
      asOf: read.asOf,
      at: read.at,
    })),
    withheldHint(snapshot.catalogue, { ...filters, entities }, isPublic ? 'public' : 'full', read.at, isOf),
    filters.isMacroOnly && query.type === undefined ? marketHint(snapshot.catalogue, filters, read.at) : null,
    windowHint(query, historyFrom, rows),
    await backfillHintOf(snapshot, series, read.vintages, page),
  );
}

/** From this number on, the engine decides which rows are preferred, so that they need not be in memory together. */
const MOST_TOGETHER = 5000;

/** The preferred rows of the answer with this page; null if the page is the whole answer and decides by itself. */
async function preferredOf(
  { decided }: Pick<Context<Snapshot>, 'decided'>,
  { limit, after, answer: whole }: Pick<PageRequest, 'limit' | 'after' | 'answer'>,
  found: { readonly count: number; readonly hasMore: boolean },
  decide: () => Promise<ReadonlySet<string>>,
): Promise<ReadonlySet<string> | null> {
  const isWhole = after === whole.after && (limit >= whole.limit || !found.hasMore);
  if (isWhole && found.count <= MOST_TOGETHER) return null;
  decided.preferred ??= decide();
  return decided.preferred;
}

async function seriesFor(read: ObservationRead, context: Context<Snapshot>, surface: Surface): Promise<Chosen> {
  const chosen = await chooseSeries(context.snapshot, read.series, read);
  if (surface.entityId === undefined) return chosen;
  return { ...chosen, series: chosen.series.filter((one) => one.entityId === surface.entityId) };
}

/** Of a row of observations. */
const OWN_TEXTS = ['observationId', 'priorObservationId'];

const listParameters = { ...observationParameters, ...assumedParameter };

const SHARED = {
  scope: 'data:read',
  tag: 'observations',
  query: listParameters,
  meta: observationMeta,
  sortable: observationsList.sorts,
  sortedAs: 'Observation',
  isHistory: true,
} as const;

interface Described<Vintage, Row>
  extends Pick<ListRoute<Snapshot>, 'path' | 'operation' | 'summary' | 'example'>,
    Partial<Pick<ListRoute<Snapshot>, 'tag' | 'pathParameters'>> {
  readonly listed: Listed<Vintage, Row>;
  readonly isPublic: boolean;
  /** The entity that limits the list, from a parameter of the path. */
  readonly entityOf?: (path: Readonly<Record<string, string>>, query: ObservationQuery, context: Context<Snapshot>) => Promise<string>;
}

export function observationListRoute<Vintage, Row>({ listed, isPublic, entityOf, ...text }: Described<Vintage, Row>) {
  const row = isPublic ? listed.publicRow : listed.fullRow;
  return listRoute<Snapshot, typeof listParameters, unknown>({
    ...SHARED,
    ...text,
    row,
    isBulk: true,
    bulkRow: row.extend(BulkMembers),
    ownTexts: OWN_TEXTS,
    rowsAQuery: ROWS_IN_COLUMNS,
    list: async (query, page, context, path) => {
      const surface = entityOf === undefined ? { isPublic } : { isPublic, entityId: await entityOf(path, query, context) };
      return pageOf(listed, query, page, context, surface);
    },
  });
}

export const observationsRoute = observationListRoute({
  path: '/observations',
  operation: 'listObservations',
  summary: 'Observations of any series: one vintage per period, or all of them.',
  example: '/observations?indicator_id=us_nonfarm_payrolls&as_of=2020-06-30',
  listed: EVERY_PERIOD,
  isPublic: false,
});

export const observationsLatest = observationListRoute({
  path: '/observations/latest',
  operation: 'listLatestObservations',
  summary: 'The newest period of each series, with the period before it as known just before and just after the release.',
  example: '/observations/latest?country=US&limit=5',
  listed: NEWEST_PERIOD,
  isPublic: false,
});

export const publicObservations = observationListRoute({
  path: '/public/observations',
  operation: 'listPublicObservations',
  summary: 'Observations of the series whose rights allow redistribution.',
  example: '/public/observations?indicator_id=cpi_inflation_yoy&entity=us&start_date=2020-01-01&end_date=2020-12-31',
  listed: EVERY_PERIOD,
  isPublic: true,
});

export const publicObservationsLatest = observationListRoute({
  path: '/public/observations/latest',
  operation: 'listLatestPublicObservations',
  summary: 'The newest period of each series whose rights allow redistribution.',
  example: '/public/observations/latest?indicator_id=cpi_inflation_yoy',
  listed: NEWEST_PERIOD,
  isPublic: true,
});

const ChangeRow = FullObservationRow.extend({
  changeSequence: z.int().describe('Position in the feed. Never reused.'),
  changeType: z
    .enum(['insert', 'revise', 'retract'])
    .meta({ id: 'ChangeType' })
    .describe('insert: first vintage of the period. revise: a later vintage. retract: withdrawal.'),
  changedAt: Instant.describe('Time at which asof wrote the change.'),
  priorObservationId: z.string().nullable().describe('observationId of the vintage before; null for an insert.'),
  priorActual: z.number().nullable().describe('Value of the vintage before.'),
}).meta({ id: 'ObservationChange' });

const observationsChangesQuery = {
  ...observationParameters,
  vintage: parameter(
    observationParameters.vintage.schema.meta({
      description:
        'latest: only the newest vintage of each period. first: only the first print of each period. all (default): every vintage.',
      examples: ['first'],
    }),
  ),
  since: parameter(observationParameters.observed_from.schema.meta({ description: 'Changes that entered at or after this moment.' })),
};

function toPlace(key: CursorKey | null) {
  const [sequence = null, idHash] = key ?? [];
  return sequence === null ? null : { sequence: Number(sequence), idHash: String(idHash) };
}

export const observationsChanges = listRoute<Snapshot, typeof observationsChangesQuery, unknown>({
  path: '/observations/changes',
  operation: 'listObservationChanges',
  scope: 'data:read',
  tag: 'observations',
  summary: 'Every insert, revision and withdrawal, in the order in which they entered.',
  description: 'The cursor never expires. Keep the last one and send it later to get new changes.',
  example: '/observations/changes?indicator_id=us_nonfarm_payrolls&limit=5',
  query: observationsChangesQuery,
  row: ChangeRow,
  meta: observationMeta,
  sortable: ['change_sequence'],
  orders: ['asc'],
  isBulk: true,
  bulkRow: ChangeRow.extend(BulkMembers),
  ownTexts: OWN_TEXTS,
  isHistory: true,
  isResumable: true,
  list: async (values, page, context) => {
    const { catalogue } = context.snapshot;
    const read = readOf(values, context, false);
    const chosen = await chooseSeries(context.snapshot, read.series, read);
    const { series } = chosen;
    const filters = { ...read.vintages, vintage: values.vintage ?? 'all', since: values.since ?? null };
    const { rows, hasMore } = await listChanges(context.snapshot, series, filters, toPlace(page.after), page.limit);
    const preferred = await preferredOf(context, page, { count: rows.length, hasMore }, () =>
      preferredChanges(context.snapshot, series, filters, { after: toPlace(page.answer.after), limit: page.answer.limit }, read.at),
    );
    const last = rows.at(-1);
    const changed = (index: number, one: Series) => {
      const row = rows[index];
      if (row === undefined) throw new RangeError(`no change ${index}`);
      return {
        rights: one.rights,
        changeSequence: row.changeSequence,
        changeType: !row.hasPrior ? 'insert' : row.value === null ? 'retract' : 'revise',
        changedAt: row.changedAt,
        priorObservationId: row.priorVintage === null ? null : idOf(one, { period: row.period, vintage: row.priorVintage }),
        priorActual: row.priorValue,
        ...(page.isBulk ? bulkMembers(row, read.asOf) : {}),
      };
    };
    return {
      rows: await toObservations(rows, { catalogue, preferred, at: read.at }, changed),
      nextKey: hasMore && last !== undefined ? [last.changeSequence, String(last.idHash)] : null,
      lastKey: last === undefined ? null : [last.changeSequence, String(last.idHash)],
      meta: { as_of: read.asOf, ...(await hintsFor(values, page, rows, read, chosen, context, { isPublic: false })) },
    };
  },
});

export const platformMacroData = listRoute<Snapshot, typeof observationParameters, MacroRow>({
  ...SHARED,
  path: '/platform/macro-data',
  operation: 'listMacroData',
  summary: "Macroeconomic observations with the service's statistical baseline for the next period.",
  description: 'The forecast fields are null if no baseline is published. They never contain a consensus.',
  example: '/platform/macro-data?country=US&period=2020-Q2&limit=5',
  row: MacroRow,
  list: async (query, page, context) => {
    const { snapshot } = context;
    const read = readOf(query, context, false);
    const chosen = await chooseSeries(snapshot, { ...read.series, isMacroOnly: true }, read);
    const { series } = chosen;
    const pageSorted = { ...page, sort: sortOf(observationsList, page.sort) };
    const found = await readVintages({ snapshot, series, filters: read.vintages, page: pageSorted });
    const vintages = await found.rows.all();
    const forecasts = await forecastsAfter(snapshot, vintages, read.asOf);
    const rows: MacroRow[] = await toObservations(vintages, { catalogue: snapshot.catalogue, at: read.at }, (index, one) => {
      const forecast = forecasts[index];
      if (forecast === undefined) throw new RangeError(`no forecast of row ${index}`);
      return { ...forecast, rights: one.rights };
    });
    const hints = await hintsFor(query, page, rows, read, chosen, context, { isPublic: false });
    return { rows, nextKey: found.nextKey, meta: { as_of: read.asOf, ...hints } };
  },
});
