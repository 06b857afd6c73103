// The entities of a screen: those that existed and were known at the cutoff, with their classification of that time.
import { z } from 'zod';
import { defineQuery, run } from '../../db/query.ts';
import { nameAt } from '../../model/catalogue.ts';
import { type Entity, EntityType } from '../../model/entity.ts';
import { askedOnceAView } from '../kept.ts';
import type { Snapshot } from '../snapshot.ts';

const nullableText = z.string().nullable();

export const screenerUniverseQuery = defineQuery('screener/universe.sql', {
  params: z.strictObject({ historyFrom: nullableText }),
  row: z.strictObject({
    entityId: z.string(),
    entityType: EntityType,
    name: z.string(),
    names: z.array(z.strictObject({ name: z.string(), knownFrom: nullableText })),
    country: nullableText,
    descriptions: z.array(z.strictObject({ country: nullableText, knownFrom: z.string() })),
    validFrom: nullableText,
    validTo: nullableText,
    knownFrom: nullableText,
    classes: z.array(z.strictObject({ sector: nullableText, knownFrom: z.string() })),
  }),
});
type Standing = z.infer<typeof screenerUniverseQuery.row>;

/** An entity with its classification at the cutoff. */
export interface Member {
  readonly entityId: string;
  readonly entityType: Entity['entityType'];
  readonly name: string;
  readonly country: string | null;
  readonly sector: string | null;
}

/** All entities of a snapshot. They are few compared with its series. */
const standingOf = askedOnceAView((snapshot) => run(snapshot, screenerUniverseQuery, { historyFrom: snapshot.historyFrom ?? null }));

export interface Universed {
  readonly entityTypes: readonly string[] | null;
  readonly country: string | null;
  readonly sector: string | null;
  readonly onDate: string;
  readonly asOf: string | null;
}

/** The entities that existed on a day and were known at the cutoff, with their classification of that time, by identifier. */
export async function findMembers(snapshot: Snapshot, asked: Universed): Promise<readonly Member[]> {
  const found = (await standingOf(snapshot)).filter((one) => isThere(one, asked)).map((one) => describedAt(one, asked.asOf));
  const members = found
    .filter((one) => isOfKind(one, asked))
    .map(
      (one): Member => ({
        entityId: one.entityId,
        entityType: one.entityType,
        name: nameAt(one.names, one.name, asked.asOf),
        country: one.country,
        sector: one.classes.findLast(({ knownFrom }) => asked.asOf === null || knownFrom <= asked.asOf)?.sector ?? null,
      }),
    );
  const sector = asked.sector?.toLowerCase();
  return sector === undefined ? members : members.filter((member) => member.sector?.toLowerCase() === sector);
}

/** A company has the country of its description at the cutoff. */
function describedAt(one: Standing, asOf: string | null): Standing {
  if (asOf === null || one.entityType !== 'company') return one;
  return { ...one, country: one.descriptions.findLast(({ knownFrom }) => knownFrom <= asOf)?.country ?? null };
}

/** When data of one of the entities first became known. */
export async function firstKnownOf(snapshot: Snapshot, entityIds: readonly string[]): Promise<string | null> {
  const asked = new Set(entityIds);
  const moments = (await standingOf(snapshot)).flatMap((one) => (asked.has(one.entityId) ? (one.knownFrom ?? []) : []));
  return moments.reduce<string | null>((first, one) => (first === null || one < first ? one : first), null);
}

/** The entities with data in visible periods at the cutoff. Null if all periods are visible, or without a cutoff. */
export async function knownInWindow(snapshot: Snapshot, asOf: string | null): Promise<string[] | null> {
  if (asOf === null || (snapshot.historyFrom ?? null) === null) return null;
  return (await standingOf(snapshot)).flatMap(({ entityId, knownFrom }) => (knownFrom !== null && knownFrom <= asOf ? [entityId] : []));
}

function isOfKind(one: Standing, { entityTypes, country }: Universed): boolean {
  return (entityTypes === null || entityTypes.includes(one.entityType)) && (country === null || one.country === country);
}

function isThere(one: Standing, { onDate, asOf }: Universed): boolean {
  const isBefore = one.validFrom !== null && one.validFrom > onDate;
  const isOver = one.validTo !== null && one.validTo < onDate;
  return !isBefore && !isOver && isKnownAt(one, asOf);
}

const STANDING: ReadonlySet<string> = new Set(['country', 'currency_area', 'currency', 'central_bank']);

/** Countries and the like come from the reference data, so they were always known. */
function isKnownAt({ entityType, knownFrom }: Standing, asOf: string | null): boolean {
  if (STANDING.has(entityType)) return true;
  return knownFrom !== null && (asOf === null || knownFrom <= asOf);
}
