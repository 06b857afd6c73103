// The closed sets of trust, the freshness verdict, the scoring gate and the preferred row (docs/reference/methods.md).
import { z } from 'zod';
import type { Frequency } from './period.ts';

export const SourceTier = z
  .enum([
    'central_bank',
    'official_national',
    'official_supranational',
    'service_derived',
    'multilateral_fallback',
    'market_data',
    'news',
    'other',
  ])
  .meta({ id: 'SourceTier' });
export type SourceTier = z.infer<typeof SourceTier>;

export const FreshnessStatus = z.enum(['fresh', 'stale', 'unknown']).meta({ id: 'FreshnessStatus' });
export type FreshnessStatus = z.infer<typeof FreshnessStatus>;

export const CollectionStatus = z.literal('ceased');
export const RevisionStatus = z.enum(['initial', 'revised', 'final', 'unknown']).meta({ id: 'RevisionStatus' });
export const Importance = z.enum(['low', 'medium', 'high']).meta({ id: 'Importance' });
export type Importance = z.infer<typeof Importance>;
export const ComparisonBasis = z.enum(['level', 'yoy', 'qoq', 'qoq_saar', 'mom', 'balance', 'rate']).meta({ id: 'ComparisonBasis' });
export type ComparisonBasis = z.infer<typeof ComparisonBasis>;

const MS_PER_DAY = 86_400_000;

/** Budgets as learned: from the instant `knownFrom[i]` (ms, ascending) on, `days[i]`. */
export interface LearnedBudgets {
  readonly knownFrom: readonly number[];
  readonly days: readonly number[];
}

export const NOTHING_LEARNED: LearnedBudgets = { knownFrom: [], days: [] };

/** The facts that decide the freshness of a print, besides the print itself. */
export interface Cadence {
  /** Days after the end of a period within which the next print is due, by default; null for non-periodic frequencies. */
  readonly defaultBudgetDays: number | null;
  readonly learnedBudgets: LearnedBudgets;
  /** When it became known that the publisher ended the collection, ms; null for a live one. */
  readonly ceasedAt: number | null;
}

/** The budget as it was known at a moment, in days. */
export function budgetAt({ defaultBudgetDays, learnedBudgets: { knownFrom, days } }: Cadence, at: number): number | null {
  return days[placeAt(knownFrom, at)] ?? defaultBudgetDays;
}

/** Index of the last of ascending instants that is not after `at`; -1 before all of them. */
function placeAt(instants: readonly number[], at: number): number {
  let [low, high] = [0, instants.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((instants[middle] ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** How long a series of events was expected to be silent: from the instant `knownFrom[i]` (ms, ascending) on, `until[i]`, null before enough is known. */
export interface EventCadence {
  readonly knownFrom: readonly number[];
  readonly until: readonly (number | null)[];
}

export function isCeasedAt({ ceasedAt }: Pick<Cadence, 'ceasedAt'>, at: number): boolean {
  return ceasedAt !== null && ceasedAt <= at;
}

/** Age = `at` − end of `periodEnd` (UTC). Age ≤ budget: fresh. A ceased or non-periodic series is unknown, never stale. */
export function freshnessOf(cadence: Cadence, periodEnd: string | null, at: number): FreshnessStatus {
  const budgetDays = budgetAt(cadence, at);
  if (isCeasedAt(cadence, at) || budgetDays === null || periodEnd === null) return 'unknown';
  return at <= dueAt(periodEnd, budgetDays) ? 'fresh' : 'stale';
}

/** True if an indicator is an institution's projection (sql/macros/is_projection.sql). */
export function isProjection(canonicalId: string): boolean {
  return canonicalId.startsWith('projection_');
}

/** The day from which the age of a print counts: the end of its period, or for a projection, whose period may lie ahead, the day of its round. */
export function printDay(canonicalId: string, periodEnd: string | null, observedAt: string | null): string | null {
  return isProjection(canonicalId) ? (observedAt?.slice(0, 10) ?? null) : periodEnd;
}

export function seriesPrintDay(series: {
  readonly canonicalId: string;
  readonly latestPeriodEnd: string | null;
  readonly latestObservedAt: string | null;
}): string | null {
  return printDay(series.canonicalId, series.latestPeriodEnd, series.latestObservedAt);
}

/** The last instant at which a print is fresh, ms. */
export function dueAt(periodEnd: string, budgetDays: number): number {
  return Date.parse(`${periodEnd}T00:00:00Z`) + MS_PER_DAY + Math.round(budgetDays * MS_PER_DAY);
}

/** The end of the oldest period that is not stale at a moment, `YYYY-MM-DD`; null if every period is. */
export function notStaleFrom(cadence: Cadence, at: number): string | null {
  const budgetDays = budgetAt(cadence, at);
  if (isCeasedAt(cadence, at) || budgetDays === null) return null;
  const oldest = Math.ceil((at - Math.round(budgetDays * MS_PER_DAY)) / MS_PER_DAY) - 1;
  return new Date(oldest * MS_PER_DAY).toISOString().slice(0, 10);
}

export function isCadenceComparable(frequency: Frequency): boolean {
  return frequency === 'daily' || frequency === 'weekly' || frequency === 'monthly' || frequency === 'quarterly';
}

/**
 * The reasons why a row is not scoring-grade; a row without any is eligible. sql/macros/scoring_reasons.sql finds the reasons that apply to every row
 * of a series at any time. no_budget: a series of events with too few of them to learn how long it may be silent; overdue: one
 * that has been silent for longer than ever.
 */
export const IneligibleReason = z.enum([
  'projection',
  'tier',
  'input_ineligible',
  'fallback_only',
  'ceased',
  'unit',
  'comparison_basis',
  'stale',
  'pseudo_vintage',
  'assumed_vintage',
  'no_budget',
  'overdue',
  'no_value',
]);
export type IneligibleReason = z.infer<typeof IneligibleReason>;

export interface Gated extends Cadence {
  /** The reasons that apply to every row at any time. */
  readonly reasons: readonly IneligibleReason[];
  /** When the first of a derived series' inputs was known to have ceased, ms; null while all are live. */
  readonly inputsCeasedAt: number | null;
  /** null except for a series of events. */
  readonly eventCadence: EventCadence | null;
}

function silenceOf({ eventCadence }: Pick<Gated, 'eventCadence'>, at: number): 'no_budget' | 'overdue' | null {
  if (eventCadence === null) return null;
  const until = eventCadence.until[placeAt(eventCadence.knownFrom, at)] ?? null;
  if (until === null) return 'no_budget';
  return at <= until ? null : 'overdue';
}

/** The reasons for every row of a series at a moment, whatever the row's age and value. */
export function reasonsAt(series: Gated, at: number): readonly IneligibleReason[] {
  const isInputLost = isCeasedAt({ ceasedAt: series.inputsCeasedAt }, at) && !series.reasons.includes('input_ineligible');
  const silence = silenceOf(series, at);
  if (!isInputLost && !isCeasedAt(series, at) && silence === null) return series.reasons;
  return [
    ...series.reasons,
    ...(isInputLost ? (['input_ineligible'] as const) : []),
    ...(isCeasedAt(series, at) ? (['ceased'] as const) : []),
    ...(silence === null ? [] : [silence]),
  ];
}

/** True if the knowledge time of a vintage is assumed: its source has no archive, or has adjusted the value since. */
export function isPseudo(vintage: string): boolean {
  return vintage.startsWith('pseudo:');
}

/** True if it was assumed, for a request that asks for it, that the value of a first download was known before (sql/assumed/assumed_vintages.sql). */
export function isAssumed(vintage: string): boolean {
  return vintage.startsWith('assumed:');
}

/** The SQL over known vintages, with the SQL of its twin that reads the assumed ones too. */
export const OR_ASSUMED = {
  'published.vintages': '(select * from published.vintages union all by name select * from assumed_vintages())',
  asked_vintages: 'asked_or_assumed',
  newest_periods: 'newest_or_assumed',
  newest_over_time: 'newest_or_assumed_over_time',
  preferred_over_time: 'preferred_or_assumed_over_time',
} as const;

/**
 * The reasons why a row is not scoring-grade at a moment.
 * @param freshness its own at that moment, if already known
 */
export function rowReasons(
  series: Gated,
  { periodEnd, value, vintage }: { readonly periodEnd: string | null; readonly value: number | null; readonly vintage: string },
  at: number,
  freshness = freshnessOf(series, periodEnd, at),
): IneligibleReason[] {
  const reasons = [...reasonsAt(series, at)];
  if (freshness === 'stale') reasons.push('stale');
  if (isPseudo(vintage)) reasons.push('pseudo_vintage');
  if (isAssumed(vintage)) reasons.push('assumed_vintage');
  if (value === null || !Number.isFinite(value)) reasons.push('no_value');
  return reasons;
}

/** The first moment after `at` at which freshness or reasons of a row may change; Infinity if they stay. */
export function verdictTurnsAt(series: Gated, periodEnd: string | null, at: number): number {
  const { learnedBudgets, ceasedAt, inputsCeasedAt, eventCadence } = series;
  const budgetDays = budgetAt(series, at);
  const lastFresh = periodEnd === null || budgetDays === null ? null : dueAt(periodEnd, budgetDays);
  const lastSilent = eventCadence === null ? null : (eventCadence.until[placeAt(eventCadence.knownFrom, at)] ?? null);
  const turns = [
    learnedBudgets.knownFrom[placeAt(learnedBudgets.knownFrom, at) + 1],
    eventCadence?.knownFrom[placeAt(eventCadence.knownFrom, at) + 1],
    ceasedAt,
    inputsCeasedAt,
    lastFresh === null ? null : lastFresh + 1,
    lastSilent === null ? null : lastSilent + 1,
  ];
  return turns.reduce<number>((first, turn) => (typeof turn === 'number' && turn > at && turn < first ? turn : first), Infinity);
}

/** The properties of a row's series for the order of preference. */
export interface SeriesPreference {
  readonly sourceTier: SourceTier;
  /** Position of the source in the canonical indicator's preferred sources; null if it is not among them. */
  readonly sourceRank: number | null;
  /** Rates, foreign exchange and money prefer the central bank, everything else the national office. */
  readonly isMonetary: boolean;
  /** True if it has the seasonal adjustment of its factor. */
  readonly isSeasonalAdjustmentMatch: boolean;
}

export interface PreferenceCandidate extends SeriesPreference {
  readonly country: string | null;
  readonly factorKey: string | null;
  readonly period: string | null;
  readonly scoringEligible: boolean;
  readonly sourceId: string;
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
 * if any row of the slot is eligible (docs/reference/methods.md#scoring-and-the-preferred-row).
 */
export function preferredRows(rows: readonly PreferenceCandidate[]): Set<string> {
  const best = new Map<string, PreferenceCandidate>();
  for (const row of rows) {
    if (!row.scoringEligible || row.country === null || row.factorKey === null || row.period === null) continue;
    const slot = `${row.country}|${row.factorKey}|${row.period}`;
    const rival = best.get(slot);
    if (rival === undefined || comparePreference(row, rival) < 0) best.set(slot, row);
  }
  return new Set([...best.values()].map((row) => row.observationId));
}

/** Negative if the series `a` is preferred to `b`, whatever their rows. */
export function compareSeries(a: SeriesPreference, b: SeriesPreference): number {
  const tiers = a.isMonetary ? CENTRAL_BANK_FIRST : NATIONAL_FIRST;
  return (
    (a.sourceRank ?? Number.MAX_SAFE_INTEGER) - (b.sourceRank ?? Number.MAX_SAFE_INTEGER) ||
    tiers.indexOf(a.sourceTier) - tiers.indexOf(b.sourceTier) ||
    Number(b.isSeasonalAdjustmentMatch) - Number(a.isSeasonalAdjustmentMatch)
  );
}

/** Negative if the row `a` is preferred to `b`. */
export function comparePreference(a: PreferenceCandidate, b: PreferenceCandidate): number {
  return (
    Number(b.scoringEligible) - Number(a.scoringEligible) ||
    compareSeries(a, b) ||
    compareText(b.observedAt, a.observedAt) ||
    compareText(b.retrievedAt, a.retrievedAt) ||
    compareText(a.sourceId, b.sourceId) ||
    compareText(a.observationId, b.observationId)
  );
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
