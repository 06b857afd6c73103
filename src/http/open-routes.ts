// The routes that need no key.
import { z } from 'zod';
import { openRoute } from './route.ts';

export const openRoutes = [
  openRoute({
    path: '/health',
    summary: 'Whether the service runs. Touches no data.',
    tag: 'discovery',
    example: '/health',
    contentType: 'application/json',
    data: z.object({ status: z.literal('ok').meta({ description: 'Always `ok`.' }) }),
  }),
  openRoute({
    path: '/ready',
    summary: 'Whether the service can answer: a snapshot is loaded and whole. If not, 500 with details.reason `not_ready`.',
    tag: 'discovery',
    example: '/ready',
    contentType: 'application/json',
    data: z.object({
      status: z.literal('ready').meta({ description: 'Always `ready`.' }),
      serves: z.enum(['real', 'sample']).meta({ description: 'Whether what is served was collected, or is the generated sample.' }),
      snapshotId: z.string().meta({ description: 'The snapshot that is served.' }),
      knowledgeCutoff: z.string().meta({ description: 'The moment up to which the snapshot knows.' }),
      warnings: z
        .array(z.string())
        .meta({ description: 'What the operator should look at although the service answers; empty when there is nothing.' }),
      rateLimiter: z
        .object({
          store: z.enum(['memory', 'redis']).meta({ description: 'Where requests are counted.' }),
          isUp: z.boolean().meta({ description: 'False while the store does not answer: requests pass, on a count of this process.' }),
        })
        .meta({ description: 'State of the rate limiter.' }),
    }),
  }),
  openRoute({
    path: '/openapi.json',
    summary: 'This interface as an OpenAPI 3.1 document.',
    tag: 'discovery',
    example: '/openapi.json',
    contentType: 'application/json',
    data: null,
  }),
  openRoute({
    path: '/llms.txt',
    summary: 'A compact index of the interface for agents.',
    tag: 'discovery',
    example: '/llms.txt',
    contentType: 'text/plain',
    data: null,
  }),
  openRoute({
    path: '/llms-full.txt',
    summary: 'Every route with its parameters and fields, for agents.',
    tag: 'discovery',
    example: '/llms-full.txt',
    contentType: 'text/plain',
    data: null,
  }),
];
