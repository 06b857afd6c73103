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
    summary: text('What it is about, in a few words.'),
    entityId: text('Entity whose event it is.'),
    country: text('ISO 3166-1 alpha-2 code of its country.'),
    currency: text('ISO 4217 code.'),
    importance: Importance.describe(
      'Importance: of a release that of its indicator; monetary policy decisions and statements high, minutes and speeches medium, others low.',
    ),
    status: EventStatus.describe('Whether it has taken place; unconfirmed: a tentative day passed without a sign of it.'),
    occurredAt: Instant.describe('When it took place; 00:00 UTC of its day where timePrecision is day.'),
    timePrecision: z.enum(['minute', 'day', 'month']).meta({ id: 'EventTimePrecision' }).describe('How exactly that is known.'),
    publishedAt: instant('When the publisher says it published.'),
    observedAt: Instant.describe('Knowledge time: when it became known; a day without an hour counts from its end.'),
    indicatorIds: z.array(z.string()).describe('Indicators that it speaks of.'),
    observationIds: z.array(z.string()).describe('Observations that it carried.'),
    calendarEventId: text('Its entry in the calendar.'),
    sourceId: z.string().describe('Data set that it came through.'),
    sourceTier: SourceTier.describe('Provenance tier of the publisher.'),
    sourceUrl: text("Address of the publisher's document."),
    documentHash: text('SHA-256 of the text of the document.'),
    language: text('Language of the document, ISO 639-1.'),
    attribution: z.string().describe('Attribution to show with it.'),
    rights: Rights.nullable().describe('What the licence allows.'),
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
    factorKey: text('Country-agnostic factor identifier.'),
    importance: Importance.describe('Importance.'),
    scheduledAt: Instant.describe('When the release is due; 00:00 UTC of its day where timePrecision is not exact.'),
    timePrecision: z
      .enum(['exact', 'date_only', 'estimated', 'tentative'])
      .meta({ id: 'CalendarTimePrecision' })
      .describe('How exactly that is known; tentative: not confirmed by the publisher.'),
    timezone: z.string().describe("IANA time zone of the publisher's clock."),
    status: CalendarStatus.describe(
      'State of the release. released: a source says so, its number is known, or the schedule as retrieved later still gives it; postponed: moved to a later day.',
    ),
    period: text('Reference period that it covers, where stated, known or certain.'),
    periodEnd: day('Last day of that period.'),
    actual: number('The value first known at the release.'),
    previous: number(
      'The period before by the calendar (of days and events the row before), as known before the release; null over a gap.',
    ),
    revisedPrevious: number('The prior period after the release; null when it did not change.'),
    consensus: number('Median of an official survey of forecasters, from its newest round before the release; null without one.'),
    forecast: number("The service's statistical baseline, made before the release."),
    forecastMethod: text('Method of the baseline.'),
    forecastLower: number('Lower end of its prediction interval.'),
    forecastUpper: number('Upper end of its prediction interval.'),
    unit: text('Unit of the value.'),
    frequency: Frequency.nullable().describe('Frequency of the release.'),
    releasedAt: instant('When it was released; the end of the day where no hour is known.'),
    observationId: text('The observation that it carried.'),
    scheduleVersion: z.int().describe('1 for the first schedule known, higher after each change of its time or status.'),
    observedAt: Instant.describe('When this version of the entry became known.'),
    sourceId: z.string().describe('Data set that the schedule came through.'),
    sourceUrl: text('Address of the schedule.'),
    attribution: z.string().describe('Attribution to show with it.'),
  })
  .meta({ id: 'CalendarEntry' });
export type CalendarEntry = z.infer<typeof CalendarEntry>;
