// The routes that need no key.
import { z } from 'zod';
import { openRoute } from './route.ts';

export const openRoutes = [
  openRoute({
    path: '/health',
    operation: 'getHealth',
    summary: 'Liveness check. Reads no data.',
    tag: 'discovery',
    example: '/health',
    contentType: 'application/json',
    data: z.object({ status: z.literal('ok').meta({ description: 'Always `ok`.' }) }).meta({ id: 'Health' }),
  }),
  openRoute({
    path: '/ready',
    operation: 'getReadiness',
    summary: 'Readiness check: an intact snapshot is loaded. If not, 500 with details.reason `not_ready`.',
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
        knowledgeCutoff: z.iso.datetime().meta({ description: 'Everything known up to this instant is in the snapshot.' }),
        warnings: z
          .array(z.string())
          .meta({ description: 'Problems that do not stop the service, for its operator. Empty without problems.' }),
        rateLimiter: z
          .object({
            store: z
              .enum(['memory', 'redis'])
              .meta({ id: 'RateLimiterStore' })
              .meta({ description: 'Store of the request counts: memory or Redis.' }),
            isUp: z.boolean().meta({ description: 'False while the store does not answer; this process then counts alone.' }),
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
