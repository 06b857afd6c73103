// Entities, their aliases, and the resolution of a name to an entity.
import { z } from 'zod';
import { defineQuery, run } from '../db/query.ts';
import { normaliseAlias, tickerForm } from '../model/alias.ts';
import { type CountsOfThen, NOTHING_KNOWN } from '../model/catalogue.ts';
import { type Alias, AliasType, type Entity, EntityStatus, EntityType } from '../model/entity.ts';
import { dayOf } from '../model/period.ts';
import { BEST_FIRST, boundFound, definePaged, FOUND, type FoundPage, type PageOf, runPaged, type SortKey } from './paging.ts';
import { knownInWindow } from './screener/universe.ts';
import type { Snapshot } from './snapshot.ts';

const nullableText = z.string().nullable();

const EntityRow = z.strictObject({
  entityId: z.string(),
  slug: z.string(),
  entityType: EntityType,
  name: z.string(),
  shortName: nullableText,
  country: nullableText,
  currency: nullableText,
  parentEntityId: nullableText,
  iso2: nullableText,
  iso3: nullableText,
  isoNumeric: nullableText,
  cik: nullableText,
  lei: nullableText,
  figi: nullableText,
  isin: nullableText,
  ticker: nullableText,
  mic: nullableText,
  cftcContractCode: nullableText,
  status: EntityStatus,
  successorEntityId: nullableText,
  validFrom: nullableText,
  validTo: nullableText,
  indicatorCount: z.int(),
  observationCount: z.int(),
  latestPeriodEnd: nullableText,
  createdAt: z.string(),
  updatedAt: z.string(),
});
type EntityRow = z.infer<typeof EntityRow>;

const AliasRow = z.strictObject({
  aliasId: z.string(),
  entityId: z.string(),
  alias: z.string(),
  aliasNormalized: z.string(),
  aliasType: AliasType,
  scheme: nullableText,
  isPrimary: z.boolean(),
  validFrom: nullableText,
  validTo: nullableText,
  confidence: z.number(),
  createdAt: z.string(),
});
type AliasRow = z.infer<typeof AliasRow>;

export const entitiesListQuery = defineQuery('entities/list.sql', {
  params: z.strictObject({
    entityType: nullableText,
    country: nullableText,
    status: nullableText,
    q: nullableText,
    qTicker: nullableText,
    ...FOUND,
    asOf: nullableText,
    onDate: z.string(),
    seenIds: z.array(z.string()).nullable(),
    knownIds: z.array(z.string()).nullable(),
    knownAts: z.array(z.string()).nullable(),
  }),
  row: EntityRow.extend({ isCalledSo: z.boolean().nullable(), place: z.int().nullable() }),
});
export const entityByNameQuery = defineQuery('entities/by_name.sql', {
  params: z.strictObject({ name: z.string(), asOf: nullableText, onDate: z.string(), seenIds: z.array(z.string()).nullable() }),
  row: EntityRow,
});
export const aliasesOfEntityQuery = defineQuery('entities/aliases_of.sql', {
  params: z.strictObject({ entityId: z.string(), asOf: nullableText, onDate: z.string() }),
  row: AliasRow,
});
export const aliasesByTextsQuery = defineQuery('entities/aliases_by_texts.sql', {
  params: z.strictObject({
    texts: z.array(z.string()),
    normalized: z.array(z.string()),
    tickers: z.array(z.string()),
    aliasType: nullableText,
    at: z.string(),
  }),
  row: AliasRow.extend({ askedText: z.string(), isExact: z.boolean(), isValid: z.boolean() }),
});

const ENTITY_SORTS = {
  // An exact match of the searched text comes first, in both directions.
  name: { expression: (order) => `if(is_called_so, '${order === 'asc' ? 0 : 2}', '1') || name`, type: 'varchar' },
  slug: { expression: 'slug', type: 'varchar' },
  entity_type: { expression: 'entity_type', type: 'varchar' },
  updated_at: { expression: 'updated_at', type: 'timestamptz' },
  [BEST_FIRST]: { expression: 'place', type: 'bigint' },
} as const satisfies Record<string, SortKey>;
export const entitiesList = definePaged(entitiesListQuery, ENTITY_SORTS, { column: 'entity_id', type: 'varchar' });

const ALIAS_SORTS = {
  alias: { expression: 'alias', type: 'varchar' },
  alias_type: { expression: 'alias_type', type: 'varchar' },
  valid_from: { expression: 'valid_from', type: 'date' },
} as const satisfies Record<string, SortKey>;
export const aliasesList = definePaged(aliasesOfEntityQuery, ALIAS_SORTS, { column: 'alias_id', type: 'varchar' });

export interface EntityFilters {
  readonly entityType: string | null;
  readonly country: string | null;
  readonly status: string | null;
  readonly q: string | null;
  /** The entities that answer `q`, best first; null without it. Entities with its text in a name follow them. */
  readonly foundIds: readonly string[] | null;
}

/** The cutoff of a read, if there is one, and the moment of evaluation, ms. */
export interface Moment {
  readonly asOf: string | null;
  readonly at: number;
}

/** As parameters of statements. */
export function boundMoment({ asOf, at }: Moment) {
  return { asOf, onDate: dayOf(at) };
}

export async function listEntities(
  snapshot: Snapshot,
  filters: EntityFilters,
  moment: Moment,
  then: CountsOfThen | null,
  page: PageOf<keyof typeof ENTITY_SORTS>,
): Promise<FoundPage<Entity>> {
  const q = filters.q === null ? null : normaliseAlias(filters.q);
  const qTicker = filters.q === null ? null : tickerForm(filters.q);
  const seenIds = await knownInWindow(snapshot, moment.asOf);
  const bound = { ...filters, ...boundFound(filters.foundIds), q, qTicker, ...boundMoment(moment), seenIds, ...boundThen(then) };
  const found = await runPaged(snapshot, entitiesList, bound, page);
  return { ...found, rows: found.rows.map(({ isCalledSo: _, place: __, ...row }) => entityAsOf(toEntity(row), then)) };
}

/** For each entity known at the cutoff, the time when its data last changed, as parameters of lists. */
export function boundThen(then: CountsOfThen | null) {
  if (then === null) return { knownIds: null, knownAts: null };
  const known = [...then.counts].flatMap(([id, { latestObservedAt }]) => (latestObservedAt === null ? [] : [{ id, latestObservedAt }]));
  return { knownIds: known.map((one) => one.id), knownAts: known.map((one) => one.latestObservedAt) };
}

/** By identifier or slug, as described at the moment. Null if there is none, or if it was not known then. */
export async function findEntity(snapshot: Snapshot, name: string, moment: Moment): Promise<Entity | null> {
  const seenIds = await knownInWindow(snapshot, moment.asOf);
  const [row] = await run(snapshot, entityByNameQuery, { name, ...boundMoment(moment), seenIds });
  return row === undefined ? null : toEntity(row);
}

/** The entity with the counts at the cutoff, or unchanged if there is no cutoff. */
export function entityAsOf(entity: Entity, then: CountsOfThen | null): Entity {
  if (then === null) return entity;
  const { indicatorCount, observationCount, latestPeriodEnd, latestObservedAt } = then.counts.get(entity.entityId) ?? NOTHING_KNOWN;
  return { ...entity, indicatorCount, observationCount, latestPeriodEnd, updatedAt: latestObservedAt ?? entity.createdAt };
}

export async function listAliases(
  snapshot: Snapshot,
  entityId: string,
  moment: Moment,
  page: PageOf<keyof typeof ALIAS_SORTS>,
): Promise<FoundPage<Alias>> {
  const found = await runPaged(snapshot, aliasesList, { entityId, ...boundMoment(moment) }, page);
  return { ...found, rows: found.rows.map(toAlias) };
}

export interface AliasMatch {
  readonly alias: Alias;
  readonly matchType: 'exact' | 'normalized';
}

/**
 * The matching aliases of each text, in the order of the texts: one per entity, and only those of the best rank. Exact ranks before
 * normalised, primary before secondary, and valid at the moment before expired. If there is more than one entity, the text is ambiguous.
 * It needs one query for any number of texts.
 */
export async function matchAliases(
  snapshot: Snapshot,
  texts: readonly string[],
  aliasType: string | null,
  at: string,
): Promise<readonly (readonly AliasMatch[])[]> {
  if (texts.length === 0) return [];
  const forms = { normalized: texts.map(normaliseAlias), tickers: texts.map(tickerForm) };
  const found = await run(snapshot, aliasesByTextsQuery, { texts: [...texts], ...forms, aliasType, at });
  return texts.map((text) => bestOf(found.filter(({ askedText }) => askedText === text)));
}

function bestOf(rows: readonly z.infer<typeof aliasesByTextsQuery.row>[]): readonly AliasMatch[] {
  const best = rows[0];
  if (best === undefined) return [];
  const equals = rows.filter((row) => row.isExact === best.isExact && row.isPrimary === best.isPrimary && row.isValid === best.isValid);
  const byEntity = new Map(equals.toReversed().map((row) => [row.entityId, row]));
  return [...byEntity.values()].toReversed().map((row) => ({ alias: toAlias(row), matchType: row.isExact ? 'exact' : 'normalized' }));
}

/** The entities of the names at a moment. A name that matches no entity or several gives an empty text. */
export async function entityIdsOf(snapshot: Snapshot, names: readonly string[], at: string): Promise<readonly string[]> {
  const { entityIds } = snapshot.catalogue;
  const others = [...new Set(names.filter((name) => !entityIds.has(name.toLowerCase())))];
  const matches = await matchAliases(snapshot, others, null, at);
  const meant = new Map(others.map((name, index) => [name, matches[index] ?? []]));
  return names.map((name) => {
    const known = entityIds.get(name.toLowerCase());
    const [match, ...more] = known === undefined ? (meant.get(name) ?? []) : [];
    return known ?? (more.length > 0 ? '' : (match?.alias.entityId ?? ''));
  });
}

function toEntity(row: EntityRow): Entity {
  const { iso2, iso3, isoNumeric, cik, lei, figi, isin, ticker, mic, cftcContractCode, ...rest } = row;
  return {
    ...rest,
    identifiers: { iso2, iso3, isoNumeric, cik, lei, figi, isin, ticker, mic, cftcContractCode },
  };
}

function toAlias(row: AliasRow): Alias {
  const { aliasId, entityId, alias, aliasNormalized, aliasType, scheme, isPrimary, validFrom, validTo, confidence, createdAt } = row;
  return {
    aliasId,
    entityId,
    alias,
    aliasNormalized,
    aliasType,
    scheme,
    isPrimary,
    validFrom,
    validTo,
    sourceId: null,
    confidence,
    createdAt,
  };
}
