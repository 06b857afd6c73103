// The routes that need no key.
import { z } from 'zod';
import { openRoute } from './route.ts';

export const openRoutes = [
  openRoute({
    path: '/health',
    operation: 'getHealth',
    summary: 'Whether the service runs. Touches no data.',
    tag: 'discovery',
    example: '/health',
    contentType: 'application/json',
    data: z.object({ status: z.literal('ok').meta({ description: 'Always `ok`.' }) }).meta({ id: 'Health' }),
  }),
  openRoute({
    path: '/ready',
    operation: 'getReadiness',
    summary: 'Whether the service can answer: a snapshot is loaded and whole. If not, 500 with details.reason `not_ready`.',
    tag: 'discovery',
    example: '/ready',
    contentType: 'application/json',
    data: z
      .object({
        status: z.literal('ready').meta({ description: 'Always `ready`.' }),
        serves: z
          .enum(['real', 'sample'])
          .meta({ id: 'ServedData' })
          .meta({ description: 'real if the data were collected, sample if they were generated.' }),
        snapshotId: z.string().meta({ description: 'The snapshot that is served.' }),
        knowledgeCutoff: z.iso.datetime().meta({ description: 'The moment up to which the snapshot knows.' }),
        warnings: z
          .array(z.string())
          .meta({ description: 'What the operator should look at although the service answers; empty when there is nothing.' }),
        rateLimiter: z
          .object({
            store: z.enum(['memory', 'redis']).meta({ id: 'RateLimiterStore' }).meta({ description: 'Where requests are counted.' }),
            isUp: z.boolean().meta({ description: 'False while the store does not answer: requests pass, on a count of this process.' }),
          })
          .meta({ id: 'RateLimiterState' })
          .meta({ description: 'State of the rate limiter.' }),
      })
      .meta({ id: 'Readiness' }),
  }),
  openRoute({
    path: '/openapi.json',
    operation: 'getOpenApi',
    summary: 'This interface as an OpenAPI 3.1 document.',
    tag: 'discovery',
    example: '/openapi.json',
    contentType: 'application/json',
    data: null,
  }),
  openRoute({
    path: '/llms.txt',
    operation: 'getLlms',
    summary: 'A compact index of the interface for agents.',
    tag: 'discovery',
    example: '/llms.txt',
    contentType: 'text/plain',
    data: null,
  }),
  openRoute({
    path: '/llms-full.txt',
    operation: 'getLlmsFull',
    summary: 'Every route with its parameters and fields, for agents.',
    tag: 'discovery',
    example: '/llms-full.txt',
    contentType: 'text/plain',
    data: null,
  }),
];
