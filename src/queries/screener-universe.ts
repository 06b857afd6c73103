// The entities that a screen looks at, as far as they existed and were known at the cutoff, as they were classed then.
import { z } from 'zod';
import { defineQuery, run } from '../db/query.ts';
import type { Catalogue } from '../model/catalogue.ts';
import { type Entity, EntityType } from '../model/entity.ts';
import type { Snapshot } from './snapshot.ts';

const nullableText = z.string().nullable();

export const screenerUniverseQuery = defineQuery('screener_universe.sql', {
  params: z.strictObject({}),
  row: z.strictObject({
    entityId: z.string(),
    entityType: EntityType,
    name: z.string(),
    country: nullableText,
    validFrom: nullableText,
    validTo: nullableText,
    knownFrom: nullableText,
    classes: z.array(z.strictObject({ sector: nullableText, knownFrom: z.string() })),
  }),
});
type Standing = z.infer<typeof screenerUniverseQuery.row>;

/** An entity as it was classed at the cutoff. */
export interface Member {
  readonly entityId: string;
  readonly entityType: Entity['entityType'];
  readonly name: string;
  readonly country: string | null;
  readonly sector: string | null;
}

const kept = new WeakMap<Catalogue, Promise<readonly Standing[]>>();

/** All entities of a snapshot, which are few beside its series; read once. */
function standingOf(snapshot: Snapshot): Promise<readonly Standing[]> {
  const found = kept.get(snapshot.catalogue) ?? run(snapshot, screenerUniverseQuery, {});
  kept.set(snapshot.catalogue, found);
  found.catch(() => kept.delete(snapshot.catalogue));
  return found;
}

export interface Universed {
  readonly entityTypes: readonly string[] | null;
  readonly country: string | null;
  readonly sector: string | null;
  readonly onDate: string;
  readonly asOf: string | null;
}

/** The entities that existed on a day and were known at the cutoff, as they were classed then; by identifier. */
export async function findMembers(
  snapshot: Snapshot,
  { entityTypes, country, sector, onDate, asOf }: Universed,
): Promise<readonly Member[]> {
  const found: Member[] = [];
  for (const one of await standingOf(snapshot)) {
    if (entityTypes !== null && !entityTypes.includes(one.entityType)) continue;
    if (country !== null && one.country !== country) continue;
    if ((one.validFrom !== null && one.validFrom > onDate) || (one.validTo !== null && one.validTo < onDate)) continue;
    if (asOf !== null && !isKnownAt(snapshot, one, asOf)) continue;
    const own = one.classes.findLast((known) => asOf === null || known.knownFrom <= asOf)?.sector ?? null;
    if (sector !== null && own?.toLowerCase() !== sector.toLowerCase()) continue;
    found.push({ entityId: one.entityId, entityType: one.entityType, name: one.name, country: one.country, sector: own });
  }
  return found;
}

const STANDING: ReadonlySet<string> = new Set(['country', 'currency_area', 'region', 'currency', 'central_bank']);

/** Countries and the like stand in the reference data; a company says itself since when; of others some period had ended by then. */
function isKnownAt({ catalogue }: Snapshot, entity: Standing, asOf: string): boolean {
  if (entity.knownFrom !== null) return entity.knownFrom <= asOf;
  if (STANDING.has(entity.entityType)) return true;
  return (catalogue.byEntityId.get(entity.entityId) ?? []).some(
    (one) => one.firstPeriodEnd !== null && one.firstPeriodEnd <= asOf.slice(0, 10),
  );
}
