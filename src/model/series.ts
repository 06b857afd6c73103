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
    factorKey: text('Country-agnostic factor identifier; null of what is no country or currency area.'),
    name: z.string().describe('Name of the indicator.'),
    category: z.string().describe('Category.'),
    entityId: z.string().describe('What it is measured for.'),
    country: text('ISO 3166-1 alpha-2 code; null for entities that are not of one country.'),
    frequency: Frequency.describe('Frequency.'),
    unit: text('Unit of the values.'),
    sourceId: z.string().describe('Data set.'),
    sourceTier: SourceTier.describe('Provenance tier of who establishes the numbers.'),
    firstPeriodEnd: day('Oldest period with a value.'),
    latestPeriodEnd: day('Newest period with a value.'),
    observationCount: z.int().describe('Observations in force.'),
    vintageCount: z.int().describe('Vintages of them.'),
    freshnessStatus: FreshnessStatus.describe('Latest print against the cadence budget, now.'),
    collectionStatus: CollectionStatus.nullable().describe('ceased when the publisher retired the collection.'),
    ceasedFinalPeriod: text('Final period a ceased collection ever published.'),
    successorIndicatorId: text('Replacement of a ceased series: a pointer, not a splice.'),
    rights: Rights.describe('What the licence allows.'),
  })
  .meta({ id: 'Indicator' });
export type Indicator = z.infer<typeof Indicator>;

export const IndicatorSeries = Indicator.extend({
  meanAbsRevision: z
    .number()
    .nullable()
    .describe(
      'Mean of |value in force − first print|, in the unit of the series, over the first prints that were seen when they were new: the newest period of their release, within the cadence budget; null without any.',
    ),
  revisedShare: z.number().nullable().describe('Share of these first prints that were revised since.'),
  medianReleaseLagDays: z.number().nullable().describe('Median days from the end of a period to its first print.'),
}).meta({ id: 'IndicatorSeries' });
export type IndicatorSeries = z.infer<typeof IndicatorSeries>;

export const IndicatorEntity = z
  .strictObject({
    entityId: z.string().describe('The entity.'),
    name: text('Its name.'),
    entityType: z.string().describe('Kind of entity.'),
    country: text('ISO 3166-1 alpha-2 code.'),
    indicatorIds: z.array(z.string()).describe('Storage identifiers of the indicator for it.'),
    sourceIds: z.array(z.string()).describe('Data sets that carry them.'),
    firstPeriodEnd: day('Oldest period with a value.'),
    latestPeriodEnd: day('Newest period with a value.'),
    observationCount: z.int().describe('Observations in force.'),
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
    latestObservedAt: instant('When something of it last became known.'),
    lastCheckedAt: instant(
      'End of the last request that brought or confirmed a payload that carries it; where none was asked for, of the last run of its source that succeeded.',
    ),
    lastAdvanceAt: instant('When a value of its newest period was first read.'),
    expectedNextAt: instant('When the next period is due at the latest: the end of the newest one and the cadence budget.'),
    ageDays: z.number().nullable().describe('Days since the end of the newest period.'),
    budgetDays: z
      .number()
      .nullable()
      .describe(
        'Days after the end of a period within which the next print is due: learned from the lags of twelve or more releases, else that of the cadence.',
      ),
    overdueDays: z.number().describe('Days by which the age exceeds the budget; 0 when it does not.'),
    identicalPrints: count('Newest periods in a row with the same value.'),
    upstreamAdvanced: z
      .boolean()
      .nullable()
      .describe(
        'Whether another series of the same payloads has advanced since the series did; where none was asked for, whether its source has brought anything new. Null when nothing was checked since.',
      ),
    verdict: LivenessVerdict.describe(
      'ceased: retired by the publisher. unknown: no value, no cadence, or never checked. frozen: checks succeeded over two cadences or more without a new period, and a release of it has passed where the calendar names one. late: older than the budget. live: none of these.',
    ),
    reasons: z.array(z.string()).describe('What the verdict rests on.'),
  })
  .meta({ id: 'SeriesLiveness' });
export type SeriesLiveness = z.infer<typeof SeriesLiveness>;

export const Liveness = z
  .strictObject({
    generatedAt: Instant.describe('When the verdicts were made.'),
    summary: z
      .strictObject({
        live: count('Live series.'),
        late: count('Late series.'),
        frozen: count('Frozen series.'),
        ceased: count('Ceased series.'),
        unknown: count('Series that cannot be judged.'),
      })
      .meta({ id: 'LivenessSummary' })
      .describe('How many series there are of each verdict, whichever verdict or page is asked for.'),
    nextCursor: z.string().nullable().describe('`cursor` of the next page; null where no series follows.'),
    series: z.array(SeriesLiveness).describe('The series of this page, worst verdicts first.'),
  })
  .meta({ id: 'Liveness' });
export type Liveness = z.infer<typeof Liveness>;

/** What is known of the feed of a series, besides the series. Instants are ISO 8601. */
export interface Feed {
  readonly lastAdvanceAt: string | null;
  readonly lastCheckedAt: string | null;
  /** The first release after the advance that a calendar names. */
  readonly nextReleaseAt?: string | null;
}

/** What there is to say at a moment of the end of a collection; nothing before it was known. */
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
  if (lastAdvanceAt === null) return { verdict: 'unknown', reasons: ['There is no value yet.'] };
  const twoCadences = TWO_CADENCES[frequency];
  if (budgetDays === null || twoCadences === null)
    return { verdict: 'unknown', reasons: [`A series of frequency ${frequency} has no cadence.`] };
  if (lastCheckedAt === null) return { verdict: 'unknown', reasons: ['Nothing that carries it was checked with success.'] };
  const lateness = overdueDays > 0 ? [`The newest period is ${overdueDays} days older than the budget of ${budgetDays} days allows.`] : [];
  const checkedDays = rounded((Date.parse(lastCheckedAt) - Date.parse(lastAdvanceAt)) / MS_PER_DAY);
  const isReleaseAhead = nextReleaseAt !== null && Date.parse(nextReleaseAt) > Date.parse(lastCheckedAt);
  if (checkedDays >= twoCadences && !isReleaseAhead) {
    const frozen = `Checks went on succeeding for ${checkedDays} days without a new period; two cadences are ${twoCadences}.`;
    return { verdict: 'frozen', reasons: [frozen, ...lateness] };
  }
  const ahead = isReleaseAhead ? [`By the calendar its next release is on ${nextReleaseAt.slice(0, 10)}.`] : [];
  if (lateness.length > 0) return { verdict: 'late', reasons: [...lateness, ...ahead] };
  return { verdict: 'live', reasons: [`The newest period is within the budget of ${budgetDays} days.`] };
}

function inBrackets(period: string | null): string {
  return period === null ? '' : ` after ${period}`;
}

function rounded(days: number): number {
  return Math.round(days * 100) / 100;
}
