// Rows of the screener and of its fields (docs/use/guides/screener.md).
import { z } from 'zod';
import { EntityType } from './entity.ts';
import type { Modifier } from './screener-dsl.ts';
import { FreshnessStatus, SourceTier } from './trust.ts';
import { Day, Instant } from './period.ts';

const text = (description: string) => z.string().nullable().describe(description);
const day = (description: string) => Day.nullable().describe(description);
const instant = (description: string) => Instant.nullable().describe(description);
const number = (description: string) => z.number().nullable().describe(description);

export const UNIVERSES = ['countries', 'companies', 'entities'] as const;
export type Universe = (typeof UNIVERSES)[number];

/** Entity types of a universe; null means any. */
export const ENTITY_TYPES_OF = {
  countries: ['country', 'currency_area'],
  companies: ['company'],
  entities: null,
} as const satisfies Record<Universe, readonly z.infer<typeof EntityType>[] | null>;

export const ScreenValue = z
  .strictObject({
    value: z.union([z.number(), z.string()]).nullable().describe('The value after the modifier; null if missing.'),
    unit: text('Unit of value.'),
    period: text('Reference period of the newest value; for a company figure, the day on which its balance sheet or twelve months end.'),
    periodEnd: day('Last day of period.'),
    observedAt: instant('Time at which the newest value became known.'),
    observationId: text('Observation with the value; null for figures and scores of companies, which have none.'),
    sourceTier: SourceTier.nullable().describe('Kind of institution that established the number.'),
    freshnessStatus: FreshnessStatus.nullable().describe(
      'fresh: the period ended at most budgetDays ago (see /ops/liveness). stale: it ended earlier. unknown: the series ceased or has no budget.',
    ),
    scoringEligible: z.boolean().nullable().describe('The scoringEligible of the observation.'),
    percentile: number(
      "Midrank percentile among all entities evaluated that have a value in the factor's unit, 0 to 100; null in another unit.",
    ),
  })
  .meta({ id: 'ScreenValue' });
export type ScreenValue = z.infer<typeof ScreenValue>;

export const ScreenRow = z
  .strictObject({
    rank: z.int().describe('Position among the matches by rank_by; by name without rank_by.'),
    entityId: z.string().describe('Identifier of the entity.'),
    entityType: EntityType.describe('Kind of entity.'),
    name: z.string().describe('Name.'),
    country: text('ISO 3166-1 alpha-2 code.'),
    values: z
      .record(z.string(), ScreenValue)
      .meta({ id: 'ScreenValues' })
      .describe('Values by field or field@modifier. They are the fields in columns, or without columns the fields in filter and rank_by.'),
  })
  .meta({ id: 'ScreenRow' });
export type ScreenRow = z.infer<typeof ScreenRow>;

export const ScreenCounts = z
  .strictObject({
    evaluated: z.int().describe('Entities of the universe that were evaluated.'),
    matched: z.int().describe('Entities that pass the filter.'),
    excludedMissing: z.int().describe('Entities that fail because a value of the filter is missing.'),
    excludedIneligible: z.int().describe('Entities that fail because a value of the filter is not eligible.'),
  })
  .meta({ id: 'ScreenCounts' });
export type ScreenCounts = z.infer<typeof ScreenCounts>;

export const ScreenField = z
  .strictObject({
    field: z.string().describe('Name in the filter language.'),
    label: z.string().describe('Label.'),
    type: z.enum(['number', 'string', 'boolean', 'date']).meta({ id: 'ScreenFieldType' }).describe('Type of its values.'),
    unit: text('Unit of its values.'),
    operators: z.array(z.string()).describe('Operators that it accepts.'),
    modifiers: z.array(z.string()).describe('Modifiers that it accepts.'),
    universes: z.array(z.string()).describe('Universes in which it has values.'),
    min: number('Minimum of the newest values.'),
    p05: number('5th percentile of the newest values.'),
    median: number('Median of the newest values.'),
    p95: number('95th percentile of the newest values.'),
    max: number('Maximum of the newest values.'),
    coverageCount: z.int().describe("Entities with a value in the field's unit, fresh and eligible or not. The statistics cover these."),
    enumValues: z.array(z.string()).nullable().describe('The possible values, if they are few.'),
    example: z.string().describe('Example of a term with this field.'),
  })
  .meta({ id: 'ScreenField' });
export type ScreenField = z.infer<typeof ScreenField>;

/** The values required for a three-year spread: two thirds of a full set. */
const LEAST_COUNT_3Y: Readonly<Record<string, number>> = { daily: 500, weekly: 104, monthly: 24, quarterly: 8 };

export interface Measured {
  readonly value: number;
  readonly previous: number | null;
  readonly valueYearAgo: number | null;
  readonly count3y: number;
  readonly mean3y: number | null;
  readonly deviation3y: number | null;
  readonly frequency: string;
  /** Days since the end of the period, at the evaluation time. */
  readonly ageDays: number;
}

/** The result of a modifier for a single value, null beyond the range of a double; rank and pct compare entities and are null here. */
export function modified(measured: Measured, modifier: Modifier | null): number | null {
  const made = madeOf(measured, modifier);
  return made !== null && Number.isFinite(made) ? made : null;
}

function madeOf(measured: Measured, modifier: Modifier | null): number | null {
  const { value, previous, valueYearAgo } = measured;
  switch (modifier) {
    case null:
      return value;
    case 'prev':
      return previous;
    case 'chg1':
      return previous === null ? null : plain(value - previous);
    case 'chg12':
      return valueYearAgo === null ? null : plain(value - valueYearAgo);
    case 'yoy':
      return valueYearAgo === null || valueYearAgo <= 0 ? null : plain(100 * (value / valueYearAgo - 1));
    case 'z3y':
      return zScore(measured);
    case 'age_days':
      return measured.ageDays;
    case 'rank':
    case 'pct':
      return null;
  }
}

/** Without the noise of binary fractions: 4.6 − 4.4 is 0.2. */
function plain(value: number): number {
  return Number(value.toPrecision(12));
}

function zScore({ value, count3y, mean3y, deviation3y, frequency }: Measured): number | null {
  const least = LEAST_COUNT_3Y[frequency];
  if (least === undefined || count3y < least || mean3y === null || deviation3y === null || deviation3y === 0) return null;
  return (value - mean3y) / deviation3y;
}

export function unitOf(unit: string | null, modifier: Modifier | null): string | null {
  switch (modifier) {
    case 'chg1':
    case 'chg12':
      return unit === 'percent' ? 'percentage_points' : unit;
    case 'yoy':
      return 'percent';
    case 'rank':
      return 'rank';
    case 'pct':
      return 'percentile';
    case 'z3y':
      return 'standard_deviations';
    case 'age_days':
      return 'days';
    case 'prev':
    case null:
      return unit;
  }
}

/** Midrank percentile of each value among all: 100 · (#less + #equal / 2) / N, to two decimals. */
export function midranks(values: readonly number[]): ReadonlyMap<number, number> {
  const sorted = values.toSorted((a, b) => a - b);
  const found = new Map<number, number>();
  for (let from = 0; from < sorted.length; ) {
    const value = sorted[from] ?? 0;
    let to = from + 1;
    while (to < sorted.length && sorted[to] === value) to += 1;
    found.set(value, Math.round((10_000 * (from + (to - from) / 2)) / sorted.length) / 100);
    from = to;
  }
  return found;
}

/** Place of each value, counted from the greatest; equal values share a place. */
export function places(values: readonly number[]): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  values.toSorted((a, b) => b - a).forEach((value, index) => found.has(value) || found.set(value, index + 1));
  return found;
}

/** Quantile by linear interpolation of sorted values; null for an empty list. */
export function quantile(sorted: readonly number[], part: number): number | null {
  const position = (sorted.length - 1) * part;
  const [below, above] = [sorted[Math.floor(position)], sorted[Math.ceil(position)]];
  if (below === undefined || above === undefined) return null;
  return below + (above - below) * (position - Math.floor(position));
}
