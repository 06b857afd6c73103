// Storage series as catalogue entries, and the liveness of their feeds.
import { z } from 'zod';
import type { Series } from './catalogue.ts';
import { Rights } from './observation.ts';
import { Day, Frequency, Instant } from './period.ts';
import { budgetAt, type Cadence, CollectionStatus, dueAt, FreshnessStatus, isCeasedAt, SourceTier } from './trust.ts';

const text = (description: string) => z.string().nullable().describe(description);
const day = (description: string) => Day.nullable().describe(description);
const instant = (description: string) => Instant.nullable().describe(description);

export const Indicator = z
  .strictObject({
    indicatorId: z.string().describe('Storage identifier; several sources may carry the same.'),
    canonicalIndicatorId: text('Canonical indicator.'),
    factorKey: text(
      'Quantity, with the same name in every country, such as nonfarm_payrolls; null for entities other than countries and currency areas.',
    ),
    name: z.string().describe('Name of the indicator.'),
    category: z.string().describe('Category.'),
    entityId: z.string().describe('Entity of the series.'),
    country: text('ISO 3166-1 alpha-2 code; null for entities without one country.'),
    frequency: Frequency.describe('Frequency.'),
    unit: text('Unit of the values.'),
    sourceId: z.string().describe('Data set.'),
    sourceTier: SourceTier.describe('Kind of institution that established the number.'),
    firstPeriodEnd: day('Oldest period with a value.'),
    latestPeriodEnd: day('Newest period with a value.'),
    observationCount: z.int().describe('Observations: one for each series and period.'),
    vintageCount: z.int().describe('Vintages of the observations.'),
    freshnessStatus: FreshnessStatus.describe(
      'fresh: the newest period ended at most budgetDays ago (see /ops/liveness). stale: it ended earlier. unknown: the series ceased or has no budget.',
    ),
    collectionStatus: CollectionStatus.nullable().describe(
      'ceased if the publisher stopped the series for good; null for any other series.',
    ),
    ceasedFinalPeriod: text('Last period of a ceased series.'),
    successorIndicatorId: text('Indicator that replaces a ceased series. asof does not join the two.'),
    rights: Rights.describe('Rights under the licence.'),
  })
  .meta({ id: 'Indicator' });
export type Indicator = z.infer<typeof Indicator>;

export const IndicatorSeries = Indicator.extend({
  meanAbsRevision: z
    .number()
    .nullable()
    .describe(
      'Mean of |newest value − first print|, in the unit of the series. Periods without a first print (backfills) do not count. Null if the series has no first print.',
    ),
  revisedShare: z.number().nullable().describe('Share of the first prints that were revised later.'),
  medianReleaseLagDays: z.number().nullable().describe('Median days from the end of a period to its first print.'),
}).meta({ id: 'IndicatorSeries' });
export type IndicatorSeries = z.infer<typeof IndicatorSeries>;

export const IndicatorEntity = z
  .strictObject({
    entityId: z.string().describe('The entity.'),
    name: text('Name of the entity.'),
    entityType: z.string().describe('Kind of entity.'),
    country: text('ISO 3166-1 alpha-2 code.'),
    indicatorIds: z.array(z.string()).describe('Storage identifiers of the indicator for this entity.'),
    sourceIds: z.array(z.string()).describe('Data sets of the series in indicatorIds.'),
    firstPeriodEnd: day('Oldest period with a value.'),
    latestPeriodEnd: day('Newest period with a value.'),
    observationCount: z.int().describe('Observations: one for each series and period.'),
  })
  .meta({ id: 'IndicatorEntity' });
export type IndicatorEntity = z.infer<typeof IndicatorEntity>;

export const LivenessVerdict = z.enum(['live', 'late', 'frozen', 'ceased', 'unknown']).meta({ id: 'LivenessVerdict' });
/** The order in which an operator looks at them. */
export const WORST_VERDICTS_FIRST: readonly LivenessVerdict[] = ['frozen', 'late', 'unknown', 'live', 'ceased'];
export type LivenessVerdict = z.infer<typeof LivenessVerdict>;

const count = (description: string) => z.int().describe(description);

export const SeriesLiveness = z
  .strictObject({
    indicatorId: z.string().describe('Storage identifier.'),
    entityId: z.string().describe('Entity.'),
    sourceId: z.string().describe('Data set.'),
    frequency: Frequency.describe('Frequency.'),
    latestPeriodEnd: day('Newest period with a value.'),
    latestObservedAt: instant('Time of its newest vintage or change.'),
    lastCheckedAt: instant(
      'End of the last request that brought or confirmed a file of the series. If asof only reads folders: end of the last successful run of the source.',
    ),
    lastAdvanceAt: instant('Time at which a value of its newest period was first read.'),
    expectedNextAt: instant('Latest time at which the next period is due: end of the newest period plus budgetDays.'),
    ageDays: z.number().nullable().describe('Days since the end of the newest period.'),
    budgetDays: z
      .number()
      .nullable()
      .describe(
        'Days after the end of a period within which the next print is due: learned from the lags of twelve or more releases, else the default of the frequency.',
      ),
    overdueDays: z.number().describe('Days by which the age exceeds the budget; 0 if within it.'),
    identicalPrints: count('Newest periods in a row with the same value.'),
    upstreamAdvanced: z
      .boolean()
      .nullable()
      .describe(
        'True if another series of the same files has advanced since this one. If asof only reads folders: true if the source has brought new data since. Null if nothing was checked since.',
      ),
    verdict: LivenessVerdict.describe(
      'The first that applies. ceased: the publisher stopped the series. unknown: no value, no regular frequency, or never checked. frozen: checks succeeded for the length of two periods or more without a new period, and any release in the calendar has passed. late: the newest period is older than budgetDays. live: none of these.',
    ),
    reasons: z.array(z.string()).describe('Reason for the verdict.'),
  })
  .meta({ id: 'SeriesLiveness' });
export type SeriesLiveness = z.infer<typeof SeriesLiveness>;

export const Liveness = z
  .strictObject({
    generatedAt: Instant.describe('Time of the verdicts.'),
    summary: z
      .strictObject({
        live: count('Live series.'),
        late: count('Late series.'),
        frozen: count('Frozen series.'),
        ceased: count('Ceased series.'),
        unknown: count('Series without a verdict.'),
      })
      .meta({ id: 'LivenessSummary' })
      .describe('Number of series per verdict, over all series.'),
    nextCursor: z.string().nullable().describe('`cursor` of the next page; null on the last page.'),
    series: z.array(SeriesLiveness).describe('The series of this page, worst verdicts first.'),
  })
  .meta({ id: 'Liveness' });
export type Liveness = z.infer<typeof Liveness>;

/** The state of a series' feed, apart from the series itself. Instants are ISO 8601. */
export interface Feed {
  readonly lastAdvanceAt: string | null;
  readonly lastCheckedAt: string | null;
  /** The first release after the advance in a calendar. */
  readonly nextReleaseAt?: string | null;
}

/** The end of a collection as known at a moment; null before it was known. */
export function endOf(series: Series, at: number): Pick<Indicator, 'collectionStatus' | 'ceasedFinalPeriod' | 'successorIndicatorId'> {
  if (!isCeasedAt(series, at)) return { collectionStatus: null, ceasedFinalPeriod: null, successorIndicatorId: null };
  return { collectionStatus: 'ceased', ceasedFinalPeriod: series.ceasedFinalPeriod, successorIndicatorId: series.successorIndicatorId };
}

/** Two cadences in days; a weekend may lie between two trading days. */
const TWO_CADENCES: Readonly<Record<Frequency, number | null>> = {
  daily: 4,
  weekly: 14,
  monthly: 62,
  quarterly: 184,
  annual: 732,
  event: null,
  static: null,
};
const MS_PER_DAY = 86_400_000;

type Judged = Cadence & Pick<Series, 'frequency' | 'ceasedFinalPeriod' | 'latestPeriodEnd'>;

interface Verdict extends Pick<Judged, 'frequency' | 'ceasedFinalPeriod'> {
  readonly budgetDays: number | null;
  readonly isCeased: boolean;
}

/** @param at the evaluation time, ms */
export function livenessOf(
  series: Judged,
  feed: Feed,
  at: number,
): Pick<SeriesLiveness, 'verdict' | 'reasons' | 'ageDays' | 'budgetDays' | 'overdueDays' | 'expectedNextAt'> {
  const { latestPeriodEnd } = series;
  const budgetDays = budgetAt(series, at);
  const isCeased = isCeasedAt(series, at);
  const end = latestPeriodEnd === null ? null : Date.parse(`${latestPeriodEnd}T00:00:00Z`) + MS_PER_DAY;
  const due = latestPeriodEnd === null || budgetDays === null || isCeased ? null : dueAt(latestPeriodEnd, budgetDays);
  const overdueDays = due === null ? 0 : rounded(Math.max(0, at - due) / MS_PER_DAY);
  return {
    ...verdictOf({ ...series, budgetDays, isCeased }, feed, overdueDays),
    budgetDays,
    ageDays: end === null ? null : rounded((at - end) / MS_PER_DAY),
    overdueDays,
    expectedNextAt: due === null ? null : new Date(due).toISOString(),
  };
}

function verdictOf(
  { frequency, budgetDays, isCeased, ceasedFinalPeriod }: Verdict,
  { lastAdvanceAt, lastCheckedAt, nextReleaseAt = null }: Feed,
  overdueDays: number,
): { readonly verdict: LivenessVerdict; readonly reasons: string[] } {
  if (isCeased) return { verdict: 'ceased', reasons: [`The publisher retired the collection${inBrackets(ceasedFinalPeriod)}.`] };
  if (lastAdvanceAt === null) return { verdict: 'unknown', reasons: ['The series has no value yet.'] };
  const twoCadences = TWO_CADENCES[frequency];
  if (budgetDays === null || twoCadences === null)
    return { verdict: 'unknown', reasons: [`A series of frequency ${frequency} has no cadence.`] };
  if (lastCheckedAt === null) return { verdict: 'unknown', reasons: ['No check of its payloads has succeeded.'] };
  const lateness = overdueDays > 0 ? [`The newest period is ${overdueDays} days older than the budget of ${budgetDays} days allows.`] : [];
  const checkedDays = rounded((Date.parse(lastCheckedAt) - Date.parse(lastAdvanceAt)) / MS_PER_DAY);
  const isReleaseAhead = nextReleaseAt !== null && Date.parse(nextReleaseAt) > Date.parse(lastCheckedAt);
  if (checkedDays >= twoCadences && !isReleaseAhead) {
    const frozen = `Checks succeeded for ${checkedDays} days without a new period; two cadences are ${twoCadences}.`;
    return { verdict: 'frozen', reasons: [frozen, ...lateness] };
  }
  const ahead = isReleaseAhead ? [`The calendar has its next release on ${nextReleaseAt.slice(0, 10)}.`] : [];
  if (lateness.length > 0) return { verdict: 'late', reasons: [...lateness, ...ahead] };
  return { verdict: 'live', reasons: [`The newest period is within the budget of ${budgetDays} days.`] };
}

function inBrackets(period: string | null): string {
  return period === null ? '' : ` after ${period}`;
}

function rounded(days: number): number {
  return Math.round(days * 100) / 100;
}
