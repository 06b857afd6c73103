// Derived indicators and their observations. Values with an input that may not be redistributed are never read.
import { z } from 'zod';
import { defineQuery, heldOf, heldRows, run } from '../db/query.ts';
import { mapInTurns } from '../db/turns.ts';
import { type Catalogue, groupBy, type Series, addressOf, idOf, seriesOf } from '../model/catalogue.ts';
import type { DerivedIndicatorEntry, DerivedObservation, SourceRef } from '../model/derived.ts';
import { freshnessOf, printDay } from '../model/trust.ts';
import { knownUntil } from './availability.ts';
import { forecastBacktest } from './forecasts.ts';
import { bindSeries } from './reads/engine.ts';
import { defineRead } from './reads/filters.ts';
import type { VintageFilters } from './reads/rows.ts';
import { toSlug } from '../model/alias.ts';
import { definePaged, type FoundPage, type HeldPage, type PageOf, runPaged, runPagedHeld, type SortKey, type Tie } from './paging.ts';
import { countsAll, seriesAsOf } from './reach.ts';
import type { Snapshot } from './snapshot.ts';

/** Rows that are made before other requests have their turn. Each parses its metadata. */
const ROWS_MADE = 50;
/** Rows that exist as objects at once. With more, the garbage collector promotes them and holds the event loop. */
const ROWS_A_PART = 100;

const nullableText = z.string().nullable();
const PREFIX = 'indicator_';

const EntryRow = z.strictObject({
  slug: z.string(),
  name: z.string(),
  family: z.string(),
  unit: nullableText,
  cadence: z.string(),
  derivedFrom: z.array(z.string()),
  sourceIds: z.array(z.string()),
  entityIds: z.array(z.string()),
  entityCount: z.int(),
  observationCount: z.int(),
  latestPeriodEnd: nullableText,
  refreshedAt: z.string(),
  isShown: z.boolean(),
  preferredSourceId: nullableText,
  method: z.string(),
});
type EntryRow = z.infer<typeof EntryRow>;

export const derivedIndicatorsQuery = defineQuery('derived/indicators_list.sql', {
  params: z.strictObject({
    slug: nullableText,
    family: nullableText,
    isShown: z.boolean().nullable(),
    openedSlugs: z.array(z.string()),
    knownSlugs: z.array(z.string()).nullable(),
    knownEnds: z.array(z.string()).nullable(),
  }),
  row: EntryRow,
});

const ENTRY_SORTS = {
  slug: { expression: 'slug', type: 'varchar' },
  name: { expression: 'name', type: 'varchar' },
  family: { expression: 'family', type: 'varchar' },
  latest_period_end: { expression: 'latest_period_end', type: 'date' },
} as const satisfies Record<string, SortKey>;
export const derivedIndicatorsList = definePaged(derivedIndicatorsQuery, ENTRY_SORTS, { column: 'slug', type: 'varchar' });

export async function listDerivedIndicators(
  snapshot: Snapshot,
  filters: { readonly family: string | null; readonly isShown: boolean | null },
  asOf: string | null,
  page: PageOf<keyof typeof ENTRY_SORTS>,
): Promise<FoundPage<DerivedIndicatorEntry>> {
  const then = countsAll(snapshot, asOf) ? null : await reachedBySlug(snapshot, asOf);
  const asked = { slug: null, ...filters, openedSlugs: openedSlugs(snapshot), ...boundEnds(then) };
  const found = await runPaged(snapshot, derivedIndicatorsList, asked, page);
  const entryOf = (row: EntryRow) =>
    toEntry(then === null ? row : { ...row, ...countsOf(snapshot, row.slug, then.get(row.slug) ?? [], asOf) });
  return { ...found, rows: found.rows.map((row) => ({ ...entryOf(row), entityIds: null, metadata: null })) };
}

/** The series that each derived indicator was computed for at the cutoff. */
async function reachedBySlug(snapshot: Snapshot, asOf: string | null): Promise<ReadonlyMap<string, readonly Reached[]>> {
  const derived = snapshot.catalogue.series.filter((one) => one.isDerived);
  const bySlug: Map<string, readonly Reached[]> = groupBy(await seriesAsOf(snapshot, derived, asOf), (one) => one.canonicalId);
  return bySlug.set(FORECAST_BASELINE, await reachedForecasts(snapshot, asOf));
}

function boundEnds(then: ReadonlyMap<string, readonly Reached[]> | null) {
  if (then === null) return NO_ENDS;
  const known = [...then].flatMap(([slug, reached]) => newestEnd(reached).map((end) => ({ slug, end })));
  return { knownSlugs: known.map((one) => one.slug), knownEnds: known.map((one) => one.end) };
}

const NO_ENDS = { knownSlugs: null, knownEnds: null };

/** One day, or none. */
function newestEnd(reached: readonly Reached[]): readonly string[] {
  const ends = reached.map((one) => one.latestPeriodEnd).filter((end) => end !== null);
  return ends.sort().slice(-1);
}

/** By prefixed identifier or bare slug; with a cutoff, as it was then. Null if there is none. */
export async function findDerivedIndicator(snapshot: Snapshot, name: string, asOf: string | null): Promise<DerivedIndicatorEntry | null> {
  const [row] = await run(snapshot, derivedIndicatorsQuery, {
    slug: slugOf(name),
    family: null,
    isShown: null,
    openedSlugs: openedSlugs(snapshot),
    ...NO_ENDS,
  });
  if (row === undefined) return null;
  const isForecast = row.slug === FORECAST_BASELINE;
  const metadata = {
    method: row.method,
    valuesAt: isForecast ? '/platform/macro-data' : '/derived-observations',
    // The backtest compares forecasts with later values, and with periods that a key of the free tier may not see.
    backtest: isForecast && countsAll(snapshot, asOf) ? await forecastBacktest(snapshot) : null,
  };
  return { ...toEntry(countsAll(snapshot, asOf) ? row : { ...row, ...(await countedAsOf(snapshot, row.slug, asOf)) }), metadata };
}

export const FORECAST_BASELINE = 'forecast_baseline';

/** The counts of a derived indicator at the cutoff. */
async function countedAsOf(snapshot: Snapshot, slug: string, asOf: string | null) {
  const ofSlug = (snapshot.catalogue.byCanonicalId.get(slug) ?? []).filter((one) => one.isDerived);
  const reached = slug === FORECAST_BASELINE ? reachedForecasts(snapshot, asOf) : seriesAsOf(snapshot, ofSlug, asOf);
  return countsOf(snapshot, slug, await reached, asOf);
}

async function reachedForecasts(snapshot: Snapshot, asOf: string | null): Promise<readonly Reached[]> {
  const rows = await run(snapshot, forecastsReachQuery, { asOf, periodFrom: snapshot.historyFrom ?? null });
  return rows.map((row) => ({ ...seriesOf(snapshot.catalogue, row), ...row }));
}

function countsOf({ knowledgeCutoff }: Snapshot, slug: string, known: readonly Reached[], asOf: string | null) {
  const isForecast = slug === FORECAST_BASELINE;
  const distinct = (valueOf: (one: Reached) => string) => [...new Set(known.map(valueOf))].sort();
  const [sourceIds, entityIds] = [distinct((one) => one.sourceId), distinct((one) => one.entityId)];
  const [preferred] = known.filter((one) => one.sourceRank !== null).toSorted((a, b) => (a.sourceRank ?? 0) - (b.sourceRank ?? 0));
  return {
    ...(isForecast ? { derivedFrom: distinct((one) => one.canonicalId) } : {}),
    sourceIds,
    entityIds,
    entityCount: entityIds.length,
    observationCount: known.reduce((total, one) => total + one.observationCount, 0),
    latestPeriodEnd: newestEnd(known)[0] ?? null,
    refreshedAt: knownUntil(knowledgeCutoff, asOf),
    preferredSourceId: isForecast ? null : (preferred?.sourceId ?? sourceIds[0] ?? null),
  };
}

type Reached = Pick<Series, 'sourceId' | 'entityId' | 'canonicalId' | 'sourceRank' | 'latestPeriodEnd' | 'observationCount'>;

export const forecastsReachQuery = defineQuery('forecasts/reach.sql', {
  params: z.strictObject({ asOf: nullableText, periodFrom: nullableText }),
  row: z.strictObject({ seriesNo: z.int(), observationCount: z.int(), latestPeriodEnd: nullableText }),
});

/** Derived indicators with a series that a grant opens. */
function openedSlugs({ catalogue, grants }: Snapshot): string[] {
  if (grants.size === 0) return [];
  return [...new Set(catalogue.series.flatMap((one) => (one.isDerived && !one.isWithheld ? [one.canonicalId] : [])))];
}

/** Possible names of the requested indicator: a slug with or without prefix, or a storage identifier. */
export const derivedNames = (name: string): readonly string[] => [slugOf(name), name.toLowerCase()];

export const isForecastBaseline = (name: string): boolean => slugOf(name) === FORECAST_BASELINE;

function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replaceAll('-', '_')
    .replace(new RegExp(`^${PREFIX}`), '');
}

function toEntry({
  isShown,
  slug,
  latestPeriodEnd,
  refreshedAt,
  preferredSourceId,
  method: _,
  ...rest
}: EntryRow): Omit<DerivedIndicatorEntry, 'metadata'> {
  return {
    indicatorId: PREFIX + slug,
    slug,
    ...rest,
    latestPeriodEnd: latestPeriodEnd === null ? null : beginOf(latestPeriodEnd),
    refreshedAt,
    availability: isShown ? 'public' : 'internal_only',
    availabilityReason: isShown ? null : 'Computed from licensed inputs that may not be redistributed.',
    preferredSourceId,
  };
}

const beginOf = (day: string) => `${day}T00:00:00.000Z`;

const ObservationRow = z.strictObject({
  seriesNo: z.int(),
  period: z.string(),
  periodStart: nullableText,
  periodEnd: z.string(),
  value: z.number().nullable(),
  valueText: nullableText,
  metadata: nullableText,
  vintage: z.string(),
  observedAt: z.string(),
  knownTo: nullableText,
  releasedAt: nullableText,
  ingestedAt: z.string(),
  releaseNo: z.int(),
  isBackfill: z.boolean(),
  idHash: z.union([z.bigint(), z.number()]),
  sourceRunId: nullableText,
  inputs: z.array(z.strictObject({ seriesNo: z.int(), period: z.string(), vintage: z.string(), role: z.string() })),
  inputRunIds: z.array(nullableText).nullable(),
  derivedFrom: z.array(z.string()),
});
type ObservationRow = z.infer<typeof ObservationRow>;

export const derivedObservationsQuery = defineRead('derived/observations_list.sql', {}, { row: ObservationRow, isBulk: true });

const OBSERVATION_SORTS = {
  period_end: { expression: 'period_end', type: 'date' },
  observed_at: { expression: 'observed_at', type: 'timestamptz' },
  value: { expression: 'value', type: 'double' },
} as const satisfies Record<string, SortKey>;
const TIE: Tie = { column: 'id_hash', type: 'ubigint', second: { column: 'observed_at', type: 'timestamptz' } };
export const derivedObservationsList = definePaged(derivedObservationsQuery, OBSERVATION_SORTS, TIE);

/** The visible derived series of the given indicators: prefixed names, bare slugs or storage identifiers; null means all. */
export function derivedSeries(catalogue: Catalogue, indicators: readonly string[] | null): readonly Series[] {
  const names = indicators === null ? null : new Set(indicators.flatMap((name) => derivedNames(name)));
  return catalogue.series.filter(
    (series) =>
      series.isDerived && !series.isWithheld && (names === null || names.has(series.canonicalId) || names.has(series.indicatorId)),
  );
}

/**
 * @param at the evaluation time of freshness, ms
 * @param moreOf further fields of a row
 */
export async function listDerivedObservations<More extends object = object>(
  snapshot: Snapshot,
  series: readonly Series[],
  filters: VintageFilters,
  at: number,
  page: PageOf<keyof typeof OBSERVATION_SORTS>,
  moreOf?: (row: ObservationRow) => More,
): Promise<HeldPage<DerivedObservation & More>> {
  if (series.length === 0) return { rows: heldRows([]), nextKey: null };
  const { rows, nextKey } = await runPagedHeld(snapshot, derivedObservationsList, bindSeries(snapshot, series, filters), page, true);
  const rowOf = (row: ObservationRow) =>
    Object.assign<DerivedObservation, More>(toObservation(snapshot.catalogue, row, at), moreOf?.(row) as More);
  const parts = async function* (most: number) {
    for await (const part of rows.parts(Math.min(most, ROWS_A_PART))) yield mapInTurns(part, (some) => some.map(rowOf), ROWS_MADE);
  };
  return { rows: heldOf(rows.length, parts), nextKey };
}

function toObservation(catalogue: Catalogue, row: ObservationRow, at: number): DerivedObservation {
  const series = seriesOf(catalogue, row);
  const inputs = row.inputs.map((input) => ({ series: seriesOf(catalogue, input), input }));
  const metadata = row.metadata === null ? {} : toMetadata(row.metadata);
  const document = 'documentId' in metadata ? DocumentRead.safeParse(metadata).data : undefined;
  return {
    id: idOf(series, row),
    entityId: series.entityId,
    indicatorId: PREFIX + series.canonicalId,
    sourceId: series.sourceId,
    providerId: toSlug(series.provider),
    derivedFrom: row.derivedFrom,
    valueNumeric: row.value,
    valueText: row.valueText,
    unit: series.unit,
    frequency: series.frequency,
    periodStart: row.periodStart === null ? null : beginOf(row.periodStart),
    periodEnd: beginOf(row.periodEnd),
    observedAt: row.observedAt,
    releasedAt: row.releasedAt,
    ingestedAt: row.ingestedAt,
    revisionStatus: row.releaseNo === 1 ? 'initial' : 'revised',
    sourceUrl: document?.documentUrl ?? addressOf(catalogue, series, row.sourceRunId),
    attribution: series.attribution,
    freshnessStatus: freshnessOf(series, printDay(series.canonicalId, row.periodEnd, row.observedAt), at),
    metadata,
    rights: series.rights,
    inputObservationIds: document === undefined ? inputs.map((one) => idOf(one.series, one.input)) : [document.documentId],
    sourceRefs: document === undefined ? refsOf(catalogue, inputs, row) : [refOf(series, document.documentUrl)],
  };
}

/** The file of each input vintage, without duplicates. */
function refsOf(catalogue: Catalogue, inputs: readonly { readonly series: Series }[], { inputRunIds }: ObservationRow): SourceRef[] {
  const refs = inputs.map(({ series }, index) => refOf(series, addressOf(catalogue, series, inputRunIds?.[index] ?? null)));
  return [...new Map(refs.map((ref) => [`${ref.sourceId} ${ref.indicatorId} ${ref.url}`, ref])).values()];
}

const refOf = ({ sourceId, indicatorId }: Series, url: string | null): SourceRef => ({ sourceId, indicatorId, url });

// Metadata of a value that was computed from a document. It has no input observations.
export const DocumentRead = z.looseObject({
  documentId: z.string(),
  documentType: z.string(),
  documentUrl: z.string().nullable(),
});

function toMetadata(text: string): Record<string, unknown> {
  return JSON.parse(text) as Record<string, unknown>;
}
