// The closed sets of trust, the freshness verdict, the scoring gate and the preferred row (interface.md, rules 1-7; methods.md 5 and 6).
import { z } from 'zod';
import type { Frequency } from './period.ts';

export const SourceTier = z.enum([
  'central_bank',
  'official_national',
  'official_supranational',
  'service_derived',
  'multilateral_fallback',
  'market_data',
  'news',
  'other',
]);
export type SourceTier = z.infer<typeof SourceTier>;

export const FreshnessStatus = z.enum(['fresh', 'stale', 'unknown']);
export type FreshnessStatus = z.infer<typeof FreshnessStatus>;

export const CollectionStatus = z.enum(['ceased']);
export const RevisionStatus = z.enum(['initial', 'revised', 'final', 'unknown']);
export const Importance = z.enum(['low', 'medium', 'high']);
export const ComparisonBasis = z.enum(['level', 'yoy', 'qoq', 'qoq_saar', 'mom', 'balance', 'rate']);

const MS_PER_DAY = 86_400_000;

/** What the freshness of a print depends on besides the print itself. */
export interface Cadence {
  readonly frequency: Frequency;
  /** Days after the end of the period within which the next print is due; null for non-periodic frequencies. */
  readonly budgetDays: number | null;
  readonly isCeased: boolean;
}

/** Age = `at` − end of `periodEnd` (UTC). Age ≤ budget: fresh. A ceased or non-periodic series is unknown, never stale. */
export function freshnessOf(cadence: Cadence, periodEnd: string | null, at: number): FreshnessStatus {
  if (cadence.isCeased || cadence.budgetDays === null || periodEnd === null) return 'unknown';
  const age = at - (Date.parse(`${periodEnd}T00:00:00Z`) + MS_PER_DAY);
  return age <= cadence.budgetDays * MS_PER_DAY ? 'fresh' : 'stale';
}

export function isCadenceComparable(frequency: Frequency): boolean {
  return frequency === 'daily' || frequency === 'weekly' || frequency === 'monthly' || frequency === 'quarterly';
}

export function isFallbackOnly(tier: SourceTier, frequency: Frequency): boolean {
  return tier === 'multilateral_fallback' && frequency === 'annual';
}

/** Reasons for which a row is not scoring-grade; an empty list is an eligible row. */
export type IneligibleReason =
  | 'tier'
  | 'input_ineligible'
  | 'fallback_only'
  | 'ceased'
  | 'unit'
  | 'comparison_basis'
  | 'stale'
  | 'no_value';

export interface ScoringInput {
  readonly tier: SourceTier;
  readonly frequency: Frequency;
  readonly isCeased: boolean;
  readonly unit: string | null;
  readonly factorUnit: string | null;
  readonly comparisonBasis: string | null;
  readonly factorComparisonBasis: string | null;
  /** For service_derived rows: every input is itself eligible. */
  readonly areInputsEligible: boolean;
}

const SCORING_TIERS: ReadonlySet<SourceTier> = new Set(['central_bank', 'official_national', 'official_supranational', 'market_data']);

/** The reasons that hold for every row of a series, whatever the row's age and value. */
export function seriesReasons(series: ScoringInput): IneligibleReason[] {
  const reasons: IneligibleReason[] = [];
  if (series.tier === 'service_derived') {
    if (!series.areInputsEligible) reasons.push('input_ineligible');
  } else if (!SCORING_TIERS.has(series.tier)) reasons.push('tier');
  if (isFallbackOnly(series.tier, series.frequency)) reasons.push('fallback_only');
  if (series.isCeased) reasons.push('ceased');
  if (series.factorUnit === null || series.unit !== series.factorUnit) reasons.push('unit');
  if (series.factorComparisonBasis === null || series.comparisonBasis !== series.factorComparisonBasis) reasons.push('comparison_basis');
  return reasons;
}

export function rowReasons(forSeries: readonly IneligibleReason[], freshness: FreshnessStatus, value: number | null): IneligibleReason[] {
  const reasons = [...forSeries];
  if (freshness === 'stale') reasons.push('stale');
  if (value === null || !Number.isFinite(value)) reasons.push('no_value');
  return reasons;
}

export interface PreferenceCandidate {
  readonly country: string | null;
  readonly factorKey: string | null;
  readonly period: string | null;
  readonly scoringEligible: boolean;
  readonly sourceId: string;
  readonly sourceTier: SourceTier;
  /** Position of the source in the canonical indicator's preferred sources; null when it is not among them. */
  readonly sourceRank: number | null;
  /** Rates, foreign exchange and money prefer the central bank, everything else the national office. */
  readonly isMonetary: boolean;
  readonly isSeasonalAdjustmentMatch: boolean;
  readonly observedAt: string;
  readonly retrievedAt: string;
  readonly observationId: string;
}

const NATIONAL_FIRST: readonly SourceTier[] = [
  'official_national',
  'central_bank',
  'official_supranational',
  'market_data',
  'service_derived',
  'multilateral_fallback',
  'news',
  'other',
];
const CENTRAL_BANK_FIRST: readonly SourceTier[] = [
  'central_bank',
  'official_national',
  'official_supranational',
  'market_data',
  'service_derived',
  'multilateral_fallback',
  'news',
  'other',
];

/**
 * The observationIds of the preferred rows among the rows of one response: at most one per (country, factor, period), exactly one
 * whenever any row of the slot is eligible (methods.md, section 6).
 *
 * @param settled slots that earlier rows of the same response have settled; those settled now are added
 */
export function preferredRows(rows: readonly PreferenceCandidate[], settled: Set<string> = new Set()): Set<string> {
  const best = new Map<string, PreferenceCandidate>();
  for (const row of rows) {
    if (!row.scoringEligible || row.country === null || row.factorKey === null || row.period === null) continue;
    const slot = `${row.country}|${row.factorKey}|${row.period}`;
    if (settled.has(slot)) continue;
    const rival = best.get(slot);
    if (rival === undefined || comparePreference(row, rival) < 0) best.set(slot, row);
  }
  for (const slot of best.keys()) settled.add(slot);
  return new Set([...best.values()].map((row) => row.observationId));
}

/** Negative when `a` is to be preferred to `b`. */
export function comparePreference(a: PreferenceCandidate, b: PreferenceCandidate): number {
  const tiers = a.isMonetary ? CENTRAL_BANK_FIRST : NATIONAL_FIRST;
  return (
    Number(b.scoringEligible) - Number(a.scoringEligible) ||
    (a.sourceRank ?? Number.MAX_SAFE_INTEGER) - (b.sourceRank ?? Number.MAX_SAFE_INTEGER) ||
    tiers.indexOf(a.sourceTier) - tiers.indexOf(b.sourceTier) ||
    Number(b.isSeasonalAdjustmentMatch) - Number(a.isSeasonalAdjustmentMatch) ||
    compareText(b.observedAt, a.observedAt) ||
    compareText(b.retrievedAt, a.retrievedAt) ||
    compareText(a.sourceId, b.sourceId) ||
    compareText(a.observationId, b.observationId)
  );
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
