// The public row of each vintage: what is its own, beside what all rows of its series have in common.
import { type Catalogue, releaseOf, type Series } from '../model/catalogue.ts';
import type { LatestObservation, Observation } from '../model/observation.ts';
import { endOf } from '../model/series.ts';
import { freshnessOf, isCadenceComparable, type PreferenceCandidate, preferredRows, rowReasons } from '../model/trust.ts';
import { idOf, type LatestVintageRow, seriesOf, type VintageRow } from './observations.ts';

export interface RowContext {
  readonly catalogue: Catalogue;
  /** The preferred rows of the whole answer, as texts of their id_hash, where the rows are only a part of it; else decided among the rows. */
  readonly preferred?: ReadonlySet<string> | null;
  /** Evaluation time of freshness and eligibility: the cutoff of an as-of read, else now. Milliseconds. */
  readonly at: number;
}

/** What there is to know of a row before it is known which rows are preferred. */
interface Judged {
  readonly series: Series;
  readonly id: string;
  readonly isEligible: boolean;
}

/** The public rows of one response, each made once; `moreOf` says what else a row has. */
export function toObservations<More extends object = object>(
  rows: readonly VintageRow[],
  context: RowContext,
  moreOf?: (index: number, series: Series, id: string) => More,
): (Observation & More)[] {
  const judged = rows.map((row) => judge(row, context));
  const preferred = preferredAmongst(rows, judged, context.preferred ?? null);
  return judged.map((one, index) => {
    const row = rows[index];
    if (row === undefined) throw new RangeError(`no row ${index}`);
    const observation = toObservation(row, one, preferred(index), context);
    return Object.assign<Observation, More>(observation, moreOf?.(index, one.series, one.id) as More);
  });
}

function judge(row: VintageRow, { catalogue, at }: RowContext): Judged {
  const series = seriesOf(catalogue, row);
  return { series, id: idOf(series, row), isEligible: rowReasons(series, row, at).length === 0 };
}

function preferredAmongst(
  rows: readonly VintageRow[],
  judged: readonly Judged[],
  settled: ReadonlySet<string> | null,
): (index: number) => boolean {
  if (settled !== null) return (index) => settled.has(String(rows[index]?.idHash));
  const preferred = preferredRows(rows.flatMap((row, index) => toCandidate(row, judged[index])));
  return (index) => preferred.has(judged[index]?.id ?? '');
}

export function toLatestObservations<More extends object = object>(
  rows: readonly LatestVintageRow[],
  context: RowContext,
  moreOf?: (index: number, series: Series, id: string) => More,
): (LatestObservation & More)[] {
  return toObservations(rows, context, (index, series, id) => {
    const { previous = null, revisedPrevious = null } = rows[index] ?? {};
    const previousType = previous === null ? null : ('prior_period' as const);
    return { previous, revisedPrevious, previousType, ...(moreOf?.(index, series, id) as More) };
  });
}

function toObservation(
  row: VintageRow,
  { series, id, isEligible }: Judged,
  isPreferred: boolean,
  { catalogue, at }: RowContext,
): Observation {
  return {
    observationId: id,
    indicatorId: series.indicatorId,
    indicatorName: series.indicatorName,
    category: series.category,
    subCategory: series.subCategory,
    factorHint: series.factorHint,
    country: series.country,
    instrumentId: series.isMacro ? null : series.entityId,
    currency: series.currency,
    sourceId: series.sourceId,
    provider: series.provider,
    releaseDate: (row.releasedAt ?? row.observedAt).slice(0, 10),
    period: row.period,
    periodEnd: row.periodEnd,
    actual: row.value,
    forecast: null,
    consensus: null,
    surprise: null,
    surprisePercent: null,
    unit: series.unit,
    frequency: series.frequency,
    importance: series.importance,
    observedAt: row.observedAt,
    retrievedAt: row.retrievedAt,
    revised: row.isRevised,
    vintage: row.vintage,
    // The file that carried this very vintage; a derived row has none of its own.
    sourceUrl: (row.runId === null ? null : catalogue.addresses.get(row.runId)) ?? series.sourceUrl,
    attribution: series.attribution,
    rawAvailable: true,
    releaseEventId: releaseOf(catalogue, id, at)?.eventId ?? null,
    sourceTier: series.sourceTier,
    fallbackOnly: series.reasons.includes('fallback_only'),
    scoringEligible: isEligible,
    freshnessStatus: freshnessOf(series, row.periodEnd, at),
    ...endOf(series, at),
    cadenceComparable: isCadenceComparable(series.frequency),
    preferredForFactor: isPreferred,
    factorKey: series.factorKey,
    comparisonBasis: series.comparisonBasis,
    derivedFrom: row.derivedFrom,
  };
}

function toCandidate(row: VintageRow, judged: Judged | undefined): PreferenceCandidate[] {
  if (judged === undefined) return [];
  const { series, id, isEligible } = judged;
  return [
    {
      country: series.country,
      factorKey: series.factorKey,
      period: row.period,
      scoringEligible: isEligible,
      sourceId: series.sourceId,
      sourceTier: series.sourceTier,
      sourceRank: series.sourceRank,
      isMonetary: series.isMonetary,
      isSeasonalAdjustmentMatch: series.isSeasonalAdjustmentMatch,
      observedAt: row.observedAt,
      retrievedAt: row.retrievedAt,
      observationId: id,
    },
  ];
}
