// Events and calendar entries.
import { z } from 'zod';
import { Rights } from './observation.ts';
import { Day, Frequency, Instant } from './period.ts';
import { Importance, SourceTier } from './trust.ts';

const text = (description: string) => z.string().nullable().describe(description);
const day = (description: string) => Day.nullable().describe(description);
const instant = (description: string) => Instant.nullable().describe(description);
const number = (description: string) => z.number().nullable().describe(description);

export const EventType = z
  .enum(['policy_decision', 'policy_statement', 'minutes', 'speech', 'data_release', 'filing', 'auction', 'other'])
  .meta({ id: 'EventType' });
export const EventStatus = z.enum(['scheduled', 'occurred', 'postponed', 'cancelled', 'unconfirmed']).meta({ id: 'EventStatus' });

export const Event = z
  .strictObject({
    eventId: z.string().describe('Identifier of the event.'),
    eventType: EventType.describe('Kind of event.'),
    title: z.string().describe('Title.'),
    summary: text('Subject in a few words.'),
    entityId: text('Entity that the event is about.'),
    country: text('ISO 3166-1 alpha-2 code of its country.'),
    currency: text('ISO 4217 code.'),
    importance: Importance.describe(
      'A release has the importance of its indicator. Monetary policy decisions and statements are high, minutes and speeches medium, others low.',
    ),
    status: EventStatus.describe('Whether it took place. unconfirmed: its tentative day passed and nothing confirms it.'),
    occurredAt: Instant.describe('Time at which it took place; 00:00 UTC of its day if timePrecision is day.'),
    timePrecision: z.enum(['minute', 'day', 'month']).meta({ id: 'EventTimePrecision' }).describe('Precision of occurredAt.'),
    publishedAt: instant('Time of publication, as the publisher states it.'),
    observedAt: Instant.describe('Knowledge time. A day without an hour counts from its end.'),
    indicatorIds: z.array(z.string()).describe('Indicators that it is about.'),
    observationIds: z.array(z.string()).describe('Observations that it published.'),
    calendarEventId: text('Entry of the calendar that announced the event.'),
    sourceId: z.string().describe('Data set that it came from.'),
    sourceTier: SourceTier.describe('Kind of institution that established the number.'),
    sourceUrl: text("Address of the publisher's document."),
    documentHash: text('SHA-256 of the text of the document.'),
    language: text('Language of the document, ISO 639-1.'),
    attribution: z.string().describe('Attribution to show with it.'),
    rights: Rights.nullable().describe('Rights under the licence.'),
  })
  .meta({ id: 'Event' });
export type Event = z.infer<typeof Event>;

export const CalendarStatus = z.enum(['scheduled', 'released', 'postponed', 'cancelled', 'unconfirmed']).meta({ id: 'CalendarStatus' });

export const CalendarEntry = z
  .strictObject({
    eventId: z.string().describe('Identifier of the entry.'),
    title: z.string().describe('Title of the release.'),
    country: z.string().describe('ISO 3166-1 alpha-2 code.'),
    entityId: z.string().describe('Entity that the release is about.'),
    currency: text('ISO 4217 code.'),
    category: z.string().describe('Category of the indicator.'),
    indicatorId: text('Storage identifier of the indicator.'),
    canonicalIndicatorId: text('Canonical identifier, the same across countries.'),
    factorKey: text('Quantity, with the same name in every country, such as nonfarm_payrolls.'),
    importance: Importance.describe('Importance.'),
    scheduledAt: Instant.describe('Time at which the release is due; 00:00 UTC of its day if timePrecision is not exact.'),
    timePrecision: z
      .enum(['exact', 'date_only', 'estimated', 'tentative'])
      .meta({ id: 'CalendarTimePrecision' })
      .describe('Precision of scheduledAt. tentative: not confirmed by the publisher.'),
    timezone: z.string().describe("IANA time zone of the publisher's clock."),
    status: CalendarStatus.describe(
      'State of the release. released: a source states it, its number is known, or a schedule retrieved later still lists it. postponed: moved to a later day.',
    ),
    period: text('Reference period, if it is stated, known or certain.'),
    periodEnd: day('Last day of period.'),
    actual: number('The value first known at the release.'),
    previous: number(
      'Value of the calendar period before (in daily and event series, of the row before), as known before the release; null if that period has no value.',
    ),
    revisedPrevious: number('Value of the period of previous, as known after the release; null if the release did not change it.'),
    consensus: number('Median of an official survey of forecasters, from its newest round before the release; null without one.'),
    forecast: number("The service's statistical baseline for the period, made before the release; null while the period is not known."),
    forecastMethod: text('Method of the baseline.'),
    forecastLower: number('Lower end of the 80 % interval of forecast.'),
    forecastUpper: number('Upper end of the 80 % interval of forecast.'),
    unit: text('Unit of the value.'),
    frequency: Frequency.nullable().describe('Frequency of the release.'),
    releasedAt: instant('Time of the release; the end of the day if no hour is known.'),
    observationId: text('The observation that it published.'),
    scheduleVersion: z.int().describe('1 for the first schedule known, higher after each change of its time or status.'),
    observedAt: Instant.describe('Time at which this version of its schedule became known. A number may have become known later.'),
    sourceId: z.string().describe('Data set that the schedule came from.'),
    sourceUrl: text('Address of the schedule.'),
    attribution: z.string().describe('Attribution to show with it.'),
  })
  .meta({ id: 'CalendarEntry' });
export type CalendarEntry = z.infer<typeof CalendarEntry>;
