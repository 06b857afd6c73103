// The rows and dates of a panel: the values of factors, for each entity, as known on each date.
import { z } from 'zod';
import { Rights } from './observation.ts';
import { dayNumber, type Frequency, Instant, Day, lastDayOfMonth, periodOf } from './period.ts';
import { FreshnessStatus, SourceTier } from './trust.ts';

export const PanelEvery = z.enum(['day', 'business_day', 'week', 'month_end', 'quarter_end', 'change']).meta({ id: 'PanelEvery' });
export type PanelEvery = z.infer<typeof PanelEvery>;

export const PanelGroup = z.enum(['g7', 'g20', 'eu', 'ea', 'oecd']).meta({ id: 'PanelGroup' });
export type PanelGroup = z.infer<typeof PanelGroup>;

export const PublicPanelRow = z
  .strictObject({
    date: Day.describe('The date; for changes, the UTC day of asOf.'),
    asOf: Instant.describe('The moment of knowledge.'),
    entityId: z.string().describe('The entity.'),
    country: z.string().nullable().describe('ISO 3166-1 alpha-2 code; null for entities without one country.'),
    factor: z.string().describe('The factor, as you asked for it.'),
    factorKey: z
      .string()
      .nullable()
      .describe(
        'Quantity, with the same name in every country, such as nonfarm_payrolls; null for entities other than countries and currency areas.',
      ),
    indicatorId: z.string().describe('Storage identifier of the indicator.'),
    observationId: z.string().describe('Identifier of the vintage.'),
    vintage: z.string().describe('Label of the vintage.'),
    value: z.number().nullable().describe('The value.'),
    unit: z.string().nullable().describe('Unit of the value.'),
    period: z.string().describe('Reference period.'),
    periodEnd: Day.describe('Last day of the reference period.'),
    observedAt: Instant.describe('When this vintage became known.'),
    releaseNumber: z.int().nullable().describe('The n-th print of the period; null for a backfill.'),
    isRevised: z.boolean().describe('True if the value differs from the first vintage of its period.'),
    isBackfill: z.boolean().describe('True if the period has no first print.'),
    sourceId: z.string().describe('Data set of the number.'),
    sourceTier: SourceTier.describe('Kind of institution that established the number.'),
    freshnessStatus: FreshnessStatus.describe('Freshness at asOf.'),
    scoringEligible: z.boolean().describe('The scoringEligible of the row at asOf.'),
    eopLag: z.int().describe('Days from the end of the period to the date.'),
    mopLag: z.int().describe('Days from the middle of the period to the date.'),
    grade: z
      .int()
      .describe(
        'Precision of observedAt. 1: the publisher, the day of an archive, or a publication rule dates the vintage. 2: the vintage counts from its retrieval or from the end of the month of its file, or it corrects a value of a series with a publication rule. 3: the vintage has the prefix `assumed:` or `pseudo:`, or an input of it has.',
      ),
  })
  .meta({ id: 'PublicPanelRow' });
export type PublicPanelRow = z.infer<typeof PublicPanelRow>;

export const PanelRow = PublicPanelRow.extend({ rights: Rights.describe('Rights under the licence.') }).meta({ id: 'PanelRow' });

/** Further field of changes in the bulk forms. */
export const PanelBulkMembers = {
  knownTo: Instant.nullable().describe('With every=change: the time at which another row replaced this one; null if none had by `to`.'),
};

/** The dates of a panel from `from` to `to`, both included, as day numbers. A month or quarter that `to` cuts short has none. */
export function panelDates(every: Exclude<PanelEvery, 'change'>, from: string, to: string): number[] {
  const [first, last] = [dayNumber(from), dayNumber(to)];
  if (every === 'month_end' || every === 'quarter_end') return endsOfMonths(from, to, every === 'month_end' ? 1 : 3);
  const dates: number[] = [];
  for (let number = first; number <= last; number += 1) {
    const weekday = (((number + 3) % 7) + 7) % 7; // Monday is 0
    if (every === 'day' || (every === 'week' ? weekday === 4 : weekday < 5)) dates.push(number);
  }
  return dates;
}

function endsOfMonths(from: string, to: string, step: 1 | 3): number[] {
  const dates: number[] = [];
  let [year, month] = [Number(from.slice(0, 4)), Number(from.slice(5, 7))];
  for (;;) {
    const end = lastDayOfMonth(`${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}`);
    if (end > to) return dates;
    if (month % step === 0 && end >= from) dates.push(dayNumber(end));
    [year, month] = month === 12 ? [year + 1, 1] : [year, month + 1];
  }
}

/** The day in the middle of a period, as a day number. Of an even number of days it is the earlier one. */
export function middleOf(frequency: Frequency, periodEnd: string): number {
  const { periodStart } = periodOf(frequency, periodEnd);
  const [start, end] = [dayNumber(periodStart), dayNumber(periodEnd)];
  return start + Math.floor((end - start) / 2);
}
