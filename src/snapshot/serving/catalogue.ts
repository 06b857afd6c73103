// The catalogue of a snapshot. It is read once, when the snapshot opens, and stays in memory.
import type { DuckDBConnection } from '@duckdb/node-api';
import { z } from 'zod';
import { defineQuery, type Query, run } from '../../db/query.ts';
import { normaliseAlias } from '../../model/alias.ts';
import {
  type Catalogue,
  type Consensus,
  type DatedCountry,
  type DatedName,
  type ReleaseEvent,
  type Series,
  toCatalogue,
} from '../../model/catalogue.ts';
import { EntityType } from '../../model/entity.ts';
import { Frequency } from '../../model/period.ts';
import {
  ComparisonBasis,
  dueAt,
  type EventCadence,
  Importance,
  IneligibleReason,
  type LearnedBudgets,
  NOTHING_LEARNED,
  SourceTier,
} from '../../model/trust.ts';

const text = z.string();
const optional = text.nullable();
const none = z.strictObject({});

const SeriesRow = z.strictObject({
  seriesNo: z.int(),
  sourceId: text,
  indicatorId: text,
  canonicalId: text,
  entityId: text,
  entityType: EntityType,
  entityName: text,
  isMacro: z.boolean(),
  isNational: z.boolean(),
  country: optional,
  seriesCode: optional,
  frequency: Frequency,
  unit: optional,
  currency: optional,
  provider: text,
  sourceTier: SourceTier,
  isDerived: z.boolean(),
  isRedistributable: z.boolean(),
  licensedSourceIds: z.array(text),
  license: text,
  rightsNote: optional,
  ceasedAt: optional,
  inputsCeasedAt: optional,
  ceasedFinalPeriod: optional,
  successorIndicatorId: optional,
  defaultBudgetDays: z.number().nullable(),
  indicatorName: text,
  category: text,
  subCategory: optional,
  factorHint: optional,
  factorKey: optional,
  factorUnit: optional,
  comparisonBasis: ComparisonBasis.nullable(),
  importance: Importance.nullable(),
  isMonetary: z.boolean(),
  isSeasonalAdjustmentMatch: z.boolean(),
  sourceRank: z.int().nullable(),
  attribution: text,
  sourceUrl: optional,
  firstPeriodEnd: optional,
  latestPeriodEnd: optional,
  observationCount: z.int(),
  vintageCount: z.int(),
  latestObservedAt: optional,
  reasons: z.array(IneligibleReason),
});

export const catalogueSeriesQuery = defineQuery('catalogue/series.sql', { params: none, row: SeriesRow });

export const catalogueEntitiesQuery = defineQuery('catalogue/entities.sql', {
  params: none,
  row: z.strictObject({
    entityId: text,
    slug: text,
    iso2: optional,
    iso3: optional,
    names: z.array(z.strictObject({ name: text, knownFrom: optional })),
    countries: z.array(z.strictObject({ country: optional, knownFrom: z.number() })),
  }),
});

export const catalogueCountriesQuery = defineQuery('catalogue/countries.sql', {
  params: none,
  row: z.strictObject({ name: text, iso2: text }),
});

export const catalogueIndicatorsQuery = defineQuery('catalogue/indicators.sql', {
  params: none,
  row: z.strictObject({ canonicalId: text, slug: text, aliases: z.array(text) }),
});

export const catalogueRunsQuery = defineQuery('catalogue/runs.sql', {
  params: none,
  row: z.strictObject({ runId: text, address: optional }),
});

export const catalogueReleasesQuery = defineQuery('catalogue/releases.sql', {
  params: none,
  row: z.strictObject({ observationId: text, eventId: text, title: text, observedAt: text, knownTo: optional }),
});

export const catalogueConsensusQuery = defineQuery('catalogue/consensus.sql', {
  params: none,
  row: z.strictObject({
    seriesNo: z.int(),
    periodEnd: text,
    consensus: z.number(),
    sourceId: text,
    observationId: text,
    publishedAt: text,
    observedAt: text,
  }),
});

export const catalogueBudgetsQuery = defineQuery('catalogue/budgets.sql', {
  params: none,
  row: z.strictObject({ seriesNo: z.int(), knownFrom: z.array(z.int()), days: z.array(z.number()) }),
});

export const catalogueEventCadencesQuery = defineQuery('catalogue/event_cadences.sql', {
  params: none,
  row: z.strictObject({
    seriesNo: z.int(),
    knownFrom: z.array(z.int()),
    ends: z.array(text.nullable()),
    days: z.array(z.number().nullable()),
  }),
});

type Read = <Row>(query: Query<typeof none.shape, Row>) => Promise<readonly Row[]>;

export async function loadCatalogue(connection: DuckDBConnection): Promise<Catalogue> {
  const statements = new Map();
  const read: Read = (query) => run({ withConnection: (use) => use(connection, statements) }, query, {});
  try {
    const learned = await loadBudgets(read);
    const events = await loadEventCadences(read);
    const series = (await read(catalogueSeriesQuery)).map((row) => toSeries(row, learned, events));
    const runs = await read(catalogueRunsQuery);
    return toCatalogue(series, {
      ...(await loadEntities(read)),
      countries: await loadCountries(read),
      canonicalIds: await loadCanonicalIds(read),
      addresses: new Map(runs.map(({ runId, address }) => [runId, address])),
      releases: await loadReleases(read),
      consensus: await loadConsensus(read),
    });
  } finally {
    for (const statement of statements.values()) statement.destroySync();
  }
}

async function loadEntities(read: Read): Promise<Pick<Catalogue, 'entityIds' | 'names' | 'companyCountries'>> {
  const entityIds = new Map<string, string>();
  const dated = new Map<string, readonly DatedName[]>();
  const companyCountries = new Map<string, readonly DatedCountry[]>();
  for (const { entityId, slug, iso2, iso3, names, countries } of await read(catalogueEntitiesQuery)) {
    for (const name of [entityId, slug, iso2, iso3]) if (name !== null) entityIds.set(name.toLowerCase(), entityId);
    if (names.length > 0) dated.set(entityId, names);
    if (countries.length > 0) companyCountries.set(entityId, countries);
  }
  return { entityIds, names: dated, companyCountries };
}

async function loadCountries(read: Read): Promise<Catalogue['countries']> {
  return new Map((await read(catalogueCountriesQuery)).map(({ name, iso2 }) => [normaliseAlias(name), iso2]));
}

async function loadCanonicalIds(read: Read): Promise<Catalogue['canonicalIds']> {
  const ids = new Map<string, string>();
  for (const { canonicalId, slug, aliases } of await read(catalogueIndicatorsQuery)) {
    for (const name of [slug, ...aliases]) if (!ids.has(name.toLowerCase())) ids.set(name.toLowerCase(), canonicalId);
  }
  // An id has priority over another indicator's alias.
  for (const id of new Set(ids.values())) ids.set(id, id);
  return ids;
}

async function loadReleases(read: Read): Promise<Catalogue['releases']> {
  const releases = new Map<string, ReleaseEvent[]>();
  for (const { observationId, eventId, title, observedAt, knownTo } of await read(catalogueReleasesQuery)) {
    const event = { eventId, title, from: Date.parse(observedAt), to: instantOf(knownTo) ?? Number.POSITIVE_INFINITY };
    const own = releases.get(observationId);
    if (own === undefined) releases.set(observationId, [event]);
    else own.push(event);
  }
  return releases;
}

async function loadConsensus(read: Read): Promise<Catalogue['consensus']> {
  const bySeries = new Map<number, Map<string, Consensus>>();
  for (const { seriesNo, periodEnd, consensus: value, ...of } of await read(catalogueConsensusQuery)) {
    const own = bySeries.get(seriesNo);
    if (own === undefined) bySeries.set(seriesNo, new Map([[periodEnd, { value, ...of }]]));
    else own.set(periodEnd, { value, ...of });
  }
  return bySeries;
}

/** By series number. */
async function loadBudgets(read: Read): Promise<ReadonlyMap<number, LearnedBudgets>> {
  return new Map((await read(catalogueBudgetsQuery)).map(({ seriesNo, ...learned }) => [seriesNo, learned]));
}

/** By series number. */
async function loadEventCadences(read: Read): Promise<ReadonlyMap<number, EventCadence>> {
  const untilOf = (end: string | null, days: number | null | undefined) => (end === null || days == null ? null : dueAt(end, days));
  const rows = await read(catalogueEventCadencesQuery);
  return new Map(
    rows.map(({ seriesNo, knownFrom, ends, days }) => [
      seriesNo,
      { knownFrom, until: ends.map((end, index) => untilOf(end, days[index])) },
    ]),
  );
}

const NO_EVENTS: EventCadence = { knownFrom: [], until: [] };

function toSeries(
  { isRedistributable, license, rightsNote, ceasedAt, inputsCeasedAt, ...row }: z.infer<typeof SeriesRow>,
  learned: ReadonlyMap<number, LearnedBudgets>,
  events: ReadonlyMap<number, EventCadence>,
): Series {
  return {
    ...row,
    isWithheld: row.isDerived && !isRedistributable,
    rights: { redistributable: isRedistributable, license, note: rightsNote },
    ceasedAt: instantOf(ceasedAt),
    inputsCeasedAt: instantOf(inputsCeasedAt),
    learnedBudgets: learned.get(row.seriesNo) ?? NOTHING_LEARNED,
    eventCadence: row.frequency === 'event' ? (events.get(row.seriesNo) ?? NO_EVENTS) : null,
  };
}

function instantOf(instant: string | null): number | null {
  return instant === null ? null : Date.parse(instant);
}
