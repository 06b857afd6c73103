// Official events and the economic calendar.
import { z } from 'zod';
import { ApiError } from '../http/errors.ts';
import { itemRoute, listRoute, parameter } from '../http/route.ts';
import { CalendarEntry, CalendarStatus, Event, EventStatus, EventType } from '../model/event.ts';
import { Importance } from '../model/trust.ts';
import {
  calendarBegin,
  type CalendarFilters,
  calendarList,
  type EventFilters,
  eventsBegin,
  eventsList,
  findCalendarEntry,
  findEvent,
  listCalendar,
  listEvents,
} from '../queries/events.ts';
import { indicatorNamed } from '../queries/series-asked.ts';
import { boundMoment, entityIdsOf } from '../queries/entities.ts';
import { hintsOf, windowHint } from '../queries/hints/hints.ts';
import { sortOf } from '../queries/paging.ts';
import type { Snapshot } from '../queries/snapshot.ts';
import { emptyHints } from './hints.ts';
import { atCutoff, countryOf, momentOf, day, daysBetween, observationMeta, observationParameters, oneCountry, text } from './parameters.ts';

const eventsQuery = {
  event_type: parameter(EventType.optional().meta({ description: 'Kind of event.', examples: ['policy_statement'] })),
  country: oneCountry,
  entity: parameter(text('Entity by identifier, slug, ticker, code or name.', 'cb_fed'), 'entity_id'),
  importance: parameter(Importance.optional().meta({ description: 'Importance of the event.', examples: ['high'] })),
  status: parameter(EventStatus.optional().meta({ description: 'Whether the event has taken place.', examples: ['occurred'] })),
  start_date: parameter(day('Events on or after this day.')),
  end_date: parameter(day('Events on or before this day.')),
  as_of: observationParameters.as_of,
  q: parameter(text('Text in the title or summary.', 'statement')),
};

export const events = listRoute<Snapshot, typeof eventsQuery, Event>({
  path: '/events',
  operation: 'listEvents',
  scope: 'data:read',
  tag: 'events',
  summary: 'Official events: policy statements, minutes, speeches, data releases, coming meetings and company filings.',
  example: '/events?event_type=policy_statement&limit=5',
  query: eventsQuery,
  row: Event,
  meta: observationMeta,
  sortable: eventsList.sorts,
  isHistory: true,
  list: async (values, page, { snapshot, now, historyFrom }) => {
    const { asOf, at } = momentOf(values.as_of, { now, snapshot });
    const filters: EventFilters = {
      eventId: null,
      eventType: values.event_type ?? null,
      country: countryOf(snapshot, values.country),
      entityId: values.entity === undefined ? null : ((await entityIdsOf(snapshot, [values.entity], new Date(at).toISOString()))[0] ?? ''),
      importance: values.importance ?? null,
      status: values.status ?? null,
      ...daysBetween(values, historyFrom),
      ...boundMoment({ asOf, at }),
      q: values.q ?? null,
    };
    const found = await listEvents(snapshot, filters, { ...page, sort: sortOf(eventsList, page.sort) });
    const first = { of: 'event', knownAt: () => eventsBegin(snapshot, filters) } as const;
    const named = { country: values.country, entity: values.entity };
    const hints = hintsOf(
      ...(await emptyHints(found.rows, page, { snapshot, named, series: [], first, asOf, at })),
      windowHint(values, historyFrom, found.rows),
    );
    return { ...found, meta: { as_of: asOf, ...hints } };
  },
});

export const event = itemRoute<Snapshot, typeof atCutoff, Event>({
  path: '/events/:eventId',
  operation: 'getEvent',
  scope: 'data:read',
  tag: 'events',
  summary: 'One event.',
  example: '/events/{eventId}',
  pathParameters: {
    eventId: z.string().meta({ description: 'eventId of a row of /events.', examples: ['evt_dab0cd2b170648474b36a44740'] }),
  },
  query: atCutoff,
  data: Event,
  isHistory: true,
  find: async ({ as_of }, { snapshot, now, historyFrom }, path) => {
    const eventId = path['eventId'] ?? '';
    const found = await findEvent(snapshot, eventId, { dateFrom: historyFrom, ...boundMoment(momentOf(as_of, { now, snapshot })) });
    if (found === null) throw new ApiError('not_found', `There is no event ${eventId}.`, { eventId });
    return found;
  },
});

const economicCalendarQuery = {
  start_date: parameter(day('Releases due on or after this day.')),
  end_date: parameter(day('Releases due on or before this day.')),
  country: oneCountry,
  indicator_id: observationParameters.indicator_id,
  importance: parameter(Importance.optional().meta({ description: 'Importance of the indicator.', examples: ['high'] })),
  category: parameter(text('Category of the indicator.', 'prices')),
  status: parameter(CalendarStatus.optional().meta({ description: 'State of the release.', examples: ['released'] })),
  as_of: observationParameters.as_of,
};

export const economicCalendar = listRoute<Snapshot, typeof economicCalendarQuery, CalendarEntry>({
  path: '/economic-calendar',
  operation: 'listCalendarEntries',
  scope: 'data:read',
  tag: 'events',
  summary: 'Release dates, with the figures that were released.',
  example: '/economic-calendar?country=US&limit=5',
  query: economicCalendarQuery,
  row: CalendarEntry,
  meta: observationMeta,
  sortable: calendarList.sorts,
  isHistory: true,
  list: async (values, page, { snapshot, now, historyFrom }) => {
    const { asOf, at } = momentOf(values.as_of, { now, snapshot });
    const filters: CalendarFilters = {
      eventId: null,
      country: countryOf(snapshot, values.country),
      indicatorIds: values.indicator_id?.map((id) => indicatorNamed(snapshot.catalogue, id)) ?? null,
      importance: values.importance ?? null,
      category: values.category ?? null,
      status: values.status ?? null,
      ...daysBetween(values, historyFrom),
      periodFrom: historyFrom,
      ...boundMoment({ asOf, at }),
    };
    const found = await listCalendar(snapshot, filters, { ...page, sort: sortOf(calendarList, page.sort) });
    const first = { of: 'entry', knownAt: () => calendarBegin(snapshot, filters) } as const;
    const named = { country: values.country, indicator_id: values.indicator_id, category: values.category };
    const hints = hintsOf(
      ...(await emptyHints(found.rows, page, { snapshot, named, series: [], first, asOf, at })),
      windowHint(values, historyFrom, found.rows),
    );
    return { ...found, meta: { as_of: asOf, ...hints } };
  },
});

export const economicCalendarEntry = itemRoute<Snapshot, typeof atCutoff, CalendarEntry>({
  path: '/economic-calendar/:eventId',
  operation: 'getCalendarEntry',
  scope: 'data:read',
  tag: 'events',
  summary: 'One entry of the calendar.',
  example: '/economic-calendar/{eventId}',
  pathParameters: {
    eventId: z.string().meta({ description: 'eventId of a row of /economic-calendar.', examples: ['cal_30702bcfce05ef774a8772a79d'] }),
  },
  query: atCutoff,
  data: CalendarEntry,
  isHistory: true,
  find: async ({ as_of }, { snapshot, now, historyFrom }, path) => {
    const eventId = path['eventId'] ?? '';
    const found = await findCalendarEntry(snapshot, eventId, { dateFrom: historyFrom, ...boundMoment(momentOf(as_of, { now, snapshot })) });
    if (found === null) throw new ApiError('not_found', `There is no calendar entry ${eventId}.`, { eventId });
    return found;
  },
});
