import { listRoute, parameter } from '../http/route.ts';
import { CalendarEntry, CalendarStatus } from '../model/event.ts';
import { Importance } from '../model/trust.ts';
import { CALENDAR_SORT_NAMES, calendarList, listCalendar } from '../queries/events.ts';
import { sortOf } from '../queries/paging.ts';
import type { Snapshot } from '../queries/snapshot.ts';
import { countryOf, oneCountry } from './country-parameter.ts';
import { daysBetween } from './dated-parameters.ts';
import { cutoffOf, day, observationMeta, observationParameters, text } from './observation-parameters.ts';

const query = {
  start_date: parameter(day('Releases due on or after this day.', '2020-01-01')),
  end_date: parameter(day('Releases due on or before this day.', '2020-12-31')),
  country: oneCountry,
  indicator_id: observationParameters.indicator_id,
  importance: parameter(Importance.optional().meta({ description: 'Importance of the indicator.', examples: ['high'] })),
  category: parameter(text('Category of the indicator.', 'prices')),
  status: parameter(CalendarStatus.optional().meta({ description: 'State of the release.', examples: ['released'] })),
  as_of: observationParameters.as_of,
};

export const economicCalendar = listRoute<Snapshot, typeof query, CalendarEntry>({
  path: '/economic-calendar',
  scope: 'data:read',
  tag: 'events',
  summary: 'When figures are due, and what came of it.',
  example: '/economic-calendar?country=US&limit=5',
  query,
  row: CalendarEntry,
  meta: observationMeta,
  sortable: CALENDAR_SORT_NAMES,
  isHistory: true,
  list: async (values, page, { snapshot, now, historyFrom }) => {
    const asOf = cutoffOf(values.as_of, now);
    const found = await listCalendar(
      snapshot,
      {
        eventId: null,
        country: countryOf(snapshot, values.country),
        indicatorIds: values.indicator_id?.map((id) => id.toLowerCase()) ?? null,
        importance: values.importance ?? null,
        category: values.category ?? null,
        status: values.status ?? null,
        ...daysBetween(values, historyFrom),
        periodFrom: historyFrom,
        asOf,
      },
      { ...page, sort: sortOf(calendarList, page.sort) },
    );
    return { ...found, meta: { as_of: asOf } };
  },
});
