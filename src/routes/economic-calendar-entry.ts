import { z } from 'zod';
import { ApiError } from '../http/errors.ts';
import { itemRoute } from '../http/route.ts';
import { CalendarEntry } from '../model/event.ts';
import { findCalendarEntry } from '../queries/events.ts';
import type { Snapshot } from '../queries/snapshot.ts';

const query = {};

export const economicCalendarEntry = itemRoute<Snapshot, typeof query, CalendarEntry>({
  path: '/economic-calendar/:eventId',
  scope: 'data:read',
  tag: 'events',
  summary: 'One entry of the calendar.',
  example: '/economic-calendar/{eventId}',
  pathParameters: { eventId: z.string().meta({ description: 'eventId of a row of /economic-calendar.', examples: [] }) },
  query,
  data: CalendarEntry,
  isHistory: true,
  find: async (_query, { snapshot, historyFrom }, path) => {
    const eventId = path['eventId'] ?? '';
    const found = await findCalendarEntry(snapshot, eventId, historyFrom);
    if (found === null) throw new ApiError('not_found', `There is no calendar entry ${eventId}.`, { eventId });
    return found;
  },
});
