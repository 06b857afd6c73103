// The public row of each vintage: its own fields, combined with the fields that all rows of its series share.
import { mapInTurns } from '../db/turns.ts';
import { addressOf, type Catalogue, consensusOf, countryAt, idOf, releaseOf, type Series, seriesOf } from '../model/catalogue.ts';
import { type LatestObservation, type Observation, surpriseOf } from '../model/observation.ts';
import { endOf } from '../model/series.ts';
import {
  type FreshnessStatus,
  freshnessOf,
  isAssumed,
  printDay,
  isCadenceComparable,
  type PreferenceCandidate,
  preferredRows,
  rowReasons,
} from '../model/trust.ts';
import type { LatestVintageRow, VintageRow } from './reads/rows.ts';

export interface RowContext {
  readonly catalogue: Catalogue;
  /**
   * If the rows are only a part of the answer: the preferred rows of the whole answer, by id_hash as text. Otherwise preference is decided
   * among the rows.
   */
  readonly preferred?: ReadonlySet<string> | null;
  /** Evaluation time of freshness and eligibility: the cutoff of an as-of read, else now. Milliseconds. */
  readonly at: number;
}

/** Facts about a row that do not depend on which rows are preferred. */
export interface Judged {
  readonly series: Series;
  readonly id: string;
  readonly freshness: FreshnessStatus;
  readonly isEligible: boolean;
}

/** The public rows of one response. `moreOf` adds further fields to a row. */
export async function toObservations<More extends object = object>(
  rows: readonly VintageRow[],
  context: RowContext,
  moreOf?: (index: number, series: Series, id: string) => More,
): Promise<(Observation & More)[]> {
  const judged = await mapInTurns(rows, (part) => part.map((row) => judge(row, context)));
  const preferred = preferredAmongst(rows, judged, context.preferred ?? null);
  const rowAt = (one: Judged, index: number) => {
    const row = rows[index];
    if (row === undefined) throw new RangeError(`no row ${index}`);
    const observation = observationOf(one.series, ownOf(row, one, preferred(index), context));
    return Object.assign<Observation, More>(observation, moreOf?.(index, one.series, one.id) as More);
  };
  return mapInTurns(judged, (part, from) => part.map((one, index) => rowAt(one, from + index)));
}

export function judge(row: VintageRow, { catalogue, at }: RowContext): Judged {
  const series = seriesOf(catalogue, row);
  const freshness = freshnessOf(series, printDay(series.canonicalId, row.periodEnd, row.observedAt), at);
  return { series, id: idOf(series, row), freshness, isEligible: rowReasons(series, row, at, freshness).length === 0 };
}

export function preferredAmongst(
  rows: readonly VintageRow[],
  judged: readonly Judged[],
  settled: ReadonlySet<string> | null,
): (index: number) => boolean {
  if (settled !== null) return (index) => settled.has(String(rows[index]?.idHash));
  const preferred = preferredRows(rows.map((row, index) => toCandidate(row, judged[index])).filter((one) => one !== null));
  return (index) => preferred.has(judged[index]?.id ?? '');
}

export function toLatestObservations<More extends object = object>(
  rows: readonly LatestVintageRow[],
  context: RowContext,
  moreOf?: (index: number, series: Series, id: string) => More,
): Promise<(LatestObservation & More)[]> {
  return toObservations(rows, context, (index, series, id) =>
    Object.assign<Before, More>(beforeOf(rows[index]), moreOf?.(index, series, id) as More),
  );
}

export function beforeOf(row: LatestVintageRow | undefined): Before {
  const { previous = null, revisedPrevious = null } = row ?? {};
  const previousType = previous === null ? null : ('prior_period' as const);
  return { previous, revisedPrevious, previousType };
}

/** Fields that differ between rows of a series. */
export const OWN_NAMES = [
  'observationId',
  'country',
  'releaseDate',
  'period',
  'periodEnd',
  'actual',
  'consensus',
  'surprise',
  'surprisePercent',
  'observedAt',
  'retrievedAt',
  'revised',
  'vintage',
  'sourceUrl',
  'releaseEventId',
  'scoringEligible',
  'freshnessStatus',
  'collectionStatus',
  'ceasedFinalPeriod',
  'successorIndicatorId',
  'preferredForFactor',
  'derivedFrom',
] as const satisfies readonly (keyof Observation)[];
export type Own = Pick<Observation, (typeof OWN_NAMES)[number]>;

/** Those that need no verdict on the row, and no look-up by its identifier. */
const FACT_NAMES = [
  'country',
  'releaseDate',
  'period',
  'periodEnd',
  'actual',
  'observedAt',
  'retrievedAt',
  'revised',
  'vintage',
  'derivedFrom',
] as const satisfies readonly (keyof Own)[];
type Facts = Pick<Own, (typeof FACT_NAMES)[number]>;
export const FACTS: ReadonlySet<string> = new Set(FACT_NAMES);

/** Further such fields of a newest print. */
export const BEFORE_NAMES = ['previous', 'revisedPrevious', 'previousType'] as const satisfies readonly (keyof LatestObservation)[];
export type Before = Pick<LatestObservation, (typeof BEFORE_NAMES)[number]>;

export type OwnName = (typeof OWN_NAMES)[number] | (typeof BEFORE_NAMES)[number];
export type Written = Own & Partial<Before>;

export function factsOf(row: VintageRow, series: Series, { catalogue, at }: RowContext): Facts {
  return {
    country: countryAt(catalogue, series, at),
    releaseDate: (row.releasedAt ?? row.observedAt).slice(0, 10),
    period: row.period,
    periodEnd: row.periodEnd,
    actual: row.value,
    observedAt: row.observedAt,
    retrievedAt: row.retrievedAt,
    revised: row.isRevised,
    vintage: row.vintage,
    derivedFrom: row.derivedFrom,
  };
}

/** Each member by name: an object that spreads others takes four times as long to make, and a page has a hundred. */
export function ownOf(row: VintageRow, { series, id, freshness, isEligible }: Judged, isPreferred: boolean, context: RowContext): Own {
  const { catalogue, at } = context;
  const facts = factsOf(row, series, context);
  const consensus = isAssumed(row.vintage) ? null : (consensusOf(catalogue, series.seriesNo, row)?.value ?? null);
  const against = surpriseOf(row.value, consensus);
  const end = endOf(series, at);
  return {
    observationId: id,
    country: facts.country,
    releaseDate: facts.releaseDate,
    period: facts.period,
    periodEnd: facts.periodEnd,
    actual: facts.actual,
    consensus: against.consensus,
    surprise: against.surprise,
    surprisePercent: against.surprisePercent,
    observedAt: facts.observedAt,
    retrievedAt: facts.retrievedAt,
    revised: facts.revised,
    vintage: facts.vintage,
    sourceUrl: addressOf(catalogue, series, row.sourceRunId),
    releaseEventId: releaseOf(catalogue, id, at)?.eventId ?? null,
    scoringEligible: isEligible,
    freshnessStatus: freshness,
    collectionStatus: end.collectionStatus,
    ceasedFinalPeriod: end.ceasedFinalPeriod,
    successorIndicatorId: end.successorIndicatorId,
    preferredForFactor: isPreferred,
    derivedFrom: facts.derivedFrom,
  };
}

export function observationOf(series: Series, own: Own): Observation {
  return {
    observationId: own.observationId,
    indicatorId: series.indicatorId,
    indicatorName: series.indicatorName,
    category: series.category,
    subCategory: series.subCategory,
    factorHint: series.factorHint,
    country: own.country,
    instrumentId: series.isMacro ? null : series.entityId,
    currency: series.currency,
    sourceId: series.sourceId,
    provider: series.provider,
    releaseDate: own.releaseDate,
    period: own.period,
    periodEnd: own.periodEnd,
    actual: own.actual,
    forecast: null,
    consensus: own.consensus,
    surprise: own.surprise,
    surprisePercent: own.surprisePercent,
    unit: series.unit,
    frequency: series.frequency,
    importance: series.importance,
    observedAt: own.observedAt,
    retrievedAt: own.retrievedAt,
    revised: own.revised,
    vintage: own.vintage,
    sourceUrl: own.sourceUrl,
    attribution: series.attribution,
    rawAvailable: true,
    releaseEventId: own.releaseEventId,
    sourceTier: series.sourceTier,
    fallbackOnly: series.reasons.includes('fallback_only'),
    scoringEligible: own.scoringEligible,
    freshnessStatus: own.freshnessStatus,
    collectionStatus: own.collectionStatus,
    ceasedFinalPeriod: own.ceasedFinalPeriod,
    successorIndicatorId: own.successorIndicatorId,
    cadenceComparable: isCadenceComparable(series.frequency),
    preferredForFactor: own.preferredForFactor,
    factorKey: series.factorKey,
    comparisonBasis: series.comparisonBasis,
    derivedFrom: own.derivedFrom,
  };
}

/** Null if the row is not eligible: such a row is never preferred. */
function toCandidate(row: VintageRow, judged: Judged | undefined): PreferenceCandidate | null {
  if (judged?.isEligible !== true) return null;
  const { series, id } = judged;
  return {
    country: series.country,
    factorKey: series.factorKey,
    period: row.period,
    scoringEligible: true,
    sourceId: series.sourceId,
    sourceTier: series.sourceTier,
    sourceRank: series.sourceRank,
    isMonetary: series.isMonetary,
    isSeasonalAdjustmentMatch: series.isSeasonalAdjustmentMatch,
    observedAt: row.observedAt,
    retrievedAt: row.retrievedAt,
    observationId: id,
  };
}
