import { z } from 'zod';
import { ApiError } from '../http/errors.ts';
import { itemRoute } from '../http/route.ts';
import { Event } from '../model/event.ts';
import { findEvent } from '../queries/events.ts';
import type { Snapshot } from '../queries/snapshot.ts';

const query = {};

export const event = itemRoute<Snapshot, typeof query, Event>({
  path: '/events/:eventId',
  scope: 'data:read',
  tag: 'events',
  summary: 'One event.',
  example: '/events/{eventId}',
  pathParameters: { eventId: z.string().meta({ description: 'eventId of a row of /events.', examples: [] }) },
  query,
  data: Event,
  isHistory: true,
  find: async (_query, { snapshot, historyFrom }, path) => {
    const eventId = path['eventId'] ?? '';
    const found = await findEvent(snapshot, eventId, historyFrom);
    if (found === null) throw new ApiError('not_found', `There is no event ${eventId}.`, { eventId });
    return found;
  },
});
