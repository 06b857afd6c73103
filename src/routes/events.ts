import { listRoute, parameter } from '../http/route.ts';
import { Event, EventStatus, EventType } from '../model/event.ts';
import { Importance } from '../model/trust.ts';
import { EVENT_SORT_NAMES, eventsList, listEvents } from '../queries/events.ts';
import { entityIdOf } from '../queries/observations.ts';
import { sortOf } from '../queries/paging.ts';
import type { Snapshot } from '../queries/snapshot.ts';
import { countryOf, oneCountry } from './country-parameter.ts';
import { daysBetween } from './dated-parameters.ts';
import { cutoffOf, day, observationMeta, observationParameters, text } from './observation-parameters.ts';

const query = {
  event_type: parameter(EventType.optional().meta({ description: 'Kind of event.', examples: ['policy_statement'] })),
  country: oneCountry,
  entity: parameter(text('Entity by identifier or slug.', 'cb_fed'), 'entity_id'),
  importance: parameter(Importance.optional().meta({ description: 'Importance of the event.', examples: ['high'] })),
  status: parameter(EventStatus.optional().meta({ description: 'Whether it has taken place.', examples: ['occurred'] })),
  start_date: parameter(day('Events on or after this day.', '2020-01-01')),
  end_date: parameter(day('Events on or before this day.', '2020-12-31')),
  as_of: observationParameters.as_of,
  q: parameter(text('A text in title or summary.', 'statement')),
};

export const events = listRoute<Snapshot, typeof query, Event>({
  path: '/events',
  scope: 'data:read',
  tag: 'events',
  summary: 'Official events: policy statements, minutes, speeches, data releases, meetings to come and company filings.',
  example: '/events?event_type=policy_statement&limit=5',
  query,
  row: Event,
  meta: observationMeta,
  sortable: EVENT_SORT_NAMES,
  isHistory: true,
  list: async (values, page, { snapshot, now, historyFrom }) => {
    const asOf = cutoffOf(values.as_of, now);
    const found = await listEvents(
      snapshot,
      {
        eventId: null,
        eventType: values.event_type ?? null,
        country: countryOf(snapshot, values.country),
        entityId: values.entity === undefined ? null : entityIdOf(snapshot.catalogue, values.entity),
        importance: values.importance ?? null,
        status: values.status ?? null,
        ...daysBetween(values, historyFrom),
        asOf,
        q: values.q ?? null,
      },
      { ...page, sort: sortOf(eventsList, page.sort) },
    );
    return { ...found, meta: { as_of: asOf } };
  },
});
