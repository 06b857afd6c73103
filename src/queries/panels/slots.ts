// The slots of a panel: its entities and factors with the series that compete for them, and when an entity is part of it.
import { z } from 'zod';
import { defineQuery, run } from '../../db/query.ts';
import { groupBy, type Series } from '../../model/catalogue.ts';
import type { PanelGroup } from '../../model/panel.ts';
import type { Snapshot } from '../snapshot.ts';

export const panelMembersQuery = defineQuery('panels/members.sql', {
  params: z.strictObject({ group: z.string() }),
  row: z.strictObject({ entityId: z.string(), validFrom: z.string().nullable(), validTo: z.string().nullable() }),
});

/** Days between which an entity is part of a panel, both included. */
export interface Stay {
  readonly entityId: string;
  readonly from: string;
  readonly to: string;
}

const [FIRST_DAY, LAST_DAY] = ['0001-01-01', '9999-12-31'] as const;

/** The members of a group over time. */
export async function membersOf(snapshot: Snapshot, group: PanelGroup): Promise<readonly Stay[]> {
  const rows = await run(snapshot, panelMembersQuery, { group });
  return rows.map(({ entityId, validFrom, validTo }) => ({ entityId, from: validFrom ?? FIRST_DAY, to: validTo ?? LAST_DAY }));
}

/** A factor as asked, with the canonical id that it means. */
export interface Factor {
  readonly asked: string;
  readonly canonicalId: string;
}

/** An entity and a factor, with the series that compete for it. */
export interface Slot {
  readonly factor: string;
  readonly entityId: string;
  readonly series: readonly Series[];
}

/** The slots that have series, by factor, then entity. */
export function slotsOf(factors: readonly Factor[], seriesOfFactor: (factor: Factor) => readonly Series[]): readonly Slot[] {
  const slots = new Map<string, { factor: string; entityId: string; series: Series[] }>();
  for (const factor of factors) {
    for (const series of seriesOfFactor(factor)) {
      const key = `${factor.asked} ${series.entityId}`;
      const slot = slots.get(key) ?? { factor: factor.asked, entityId: series.entityId, series: [] };
      slot.series.push(series);
      slots.set(key, slot);
    }
  }
  return [...slots.values()].sort((a, b) => compare(a.factor, b.factor) || compare(a.entityId, b.entityId));
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

export interface PanelAsked {
  readonly slots: readonly Slot[];
  /** Null: all entities on all dates. */
  readonly stays: readonly Stay[] | null;
  readonly vintage: 'known' | 'first';
  readonly grade: number;
  readonly isEligibleOnly: boolean;
  readonly periodFrom: string | null;
}

/** Days, both included. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

const ALWAYS: readonly Days[] = [{ from: FIRST_DAY, to: LAST_DAY }];

/** For each slot, when its entity is part of the panel. */
export function staysOf({ slots, stays }: PanelAsked): readonly (readonly Days[])[] {
  if (stays === null) return slots.map(() => ALWAYS);
  const byEntity = groupBy(stays, ({ entityId }) => entityId);
  return slots.map(({ entityId }) => byEntity.get(entityId) ?? []);
}
