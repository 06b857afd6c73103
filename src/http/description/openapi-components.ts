// The parts of the description that every route shares: headers, failures, envelopes, keys.
import { REASONS, STATUS } from '../errors.ts';
import { BULK_TYPES } from '../forms/formats.ts';
import type { JsonSchema } from './json-schema.ts';

const text: JsonSchema = { type: 'string' };

const header = (description: string, schema: JsonSchema, example: string | number) => ({ description, schema, example });

export const HEADERS = {
  'x-request-id': header(
    'Identifier of the request: the one sent, when it is 1 to 128 letters, digits, dots, underscores and hyphens.',
    text,
    '7d0f8a52-3c1e-4f0e-9a44-0d7d5f6c1b2a',
  ),
  'x-ratelimit-policy': header('Policy, limit and window in seconds.', text, 'data:read;limit=1000;window=60'),
  'x-ratelimit-limit': header('Most requests in a window.', { type: 'integer', minimum: 1 }, 1000),
  'x-ratelimit-remaining': header('Requests left in this window.', { type: 'integer', minimum: 0 }, 999),
  'x-ratelimit-reset': header('When the window ends.', { type: 'string', format: 'date-time' }, '2026-01-05T12:01:00.000Z'),
  'retry-after': header('Seconds to wait.', { type: 'integer', minimum: 0 }, 42),
  etag: header('Strong tag of the answer, free of request ids; send it as If-None-Match.', text, '"kq1v0e7d5c"'),
  'cache-control': header('Whether and how long the answer may be kept.', text, 'private, max-age=60'),
  'x-as-of': header(
    'The knowledge cutoff of the rows, for csv, ndjson, arrow and parquet.',
    { type: 'string', format: 'date-time' },
    '2026-01-05T06:00:00.000Z',
  ),
  'x-next-cursor': header(
    'Cursor of the next rows, for csv, ndjson, arrow and parquet; absent when none follow, a trailer where it is not known before the body.',
    text,
    'eyJ2IjoxfQ',
  ),
  'content-disposition': header(
    'File name of the rows, for csv, ndjson, arrow and parquet: the route, the filters and the day of the cutoff.',
    text,
    'attachment; filename="observations.indicator_id=us_nonfarm_payrolls.as_of=2020-06-30.csv"',
  ),
  'accept-ranges': header('For parquet: parts can be asked for with Range.', text, 'bytes'),
  'content-range': header(
    'Which bytes these are, of how many; of a part outside the file, how many there are.',
    text,
    'bytes 0-1023/48213',
  ),
} as const;

export type HeaderName = keyof typeof HEADERS;

/** On every response, whatever its status. */
const EVERYWHERE: readonly HeaderName[] = [
  'x-request-id',
  'x-ratelimit-policy',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
];

export function headersOf(...more: readonly HeaderName[]): JsonSchema {
  return Object.fromEntries([...EVERYWHERE, ...more].map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

export const component = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

export const record = (
  description: string,
  properties: Readonly<Record<string, JsonSchema>>,
  optional: readonly string[] = [],
): JsonSchema => ({
  type: 'object',
  description,
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
});

const requestId: JsonSchema = { type: 'string', description: 'Identifier of the request, the same wherever it stands.' };

export const metaMembers: Readonly<Record<string, JsonSchema>> = {
  request_id: requestId,
  requestId,
  api_version: { type: 'string', const: 'v1' },
};

/** Of a page of a list; further members beside these. */
export const hintMember: JsonSchema = {
  type: 'array',
  description:
    'Why the answer holds less than was asked for: a value that names nothing known, values withheld for rights, rows outside the window of a free key, a cutoff before anything was known. Absent when there is nothing to say.',
  items: component('Hint'),
};

export const resumeMember: JsonSchema = {
  type: ['string', 'null'],
  description: 'Cursor that goes on after the last row whenever more come; it never expires.',
};

export const historyMember: JsonSchema = {
  type: 'boolean',
  description:
    'True when the key sees only the last 24 months, and nothing that tells of an older period; absent for full-tier keys and where nothing is left out.',
};

export const SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Pagination: record('Where this page stands in its list.', {
    limit: { type: 'integer', minimum: 1, maximum: 500, description: 'Page size applied.' },
    cursor: { type: ['string', 'null'], description: 'Cursor of this page; null on the first.' },
    next_cursor: { type: ['string', 'null'], description: 'Cursor of the next page; null when there is none.' },
    has_more: { type: 'boolean', description: 'Whether more pages remain.' },
  }),
  Hint: record(
    'Why an answer holds less than was asked for.',
    {
      parameter: { type: 'string', description: 'The parameter that it is about.' },
      message: { type: 'string', description: 'What is left out and why, and what helps.' },
      nearest: { type: 'string', description: 'The nearest known value, where one was not known.' },
    },
    ['nearest'],
  ),
  ErrorCode: { type: 'string', enum: Object.keys(STATUS), description: 'Stable, machine-readable.' },
  ErrorReason: { type: 'string', enum: Object.keys(REASONS), description: 'Why, if the code alone does not say it. Stable.' },
  ErrorDetails: {
    type: 'object',
    description: 'Context to branch on. The members depend on the failure.',
    properties: { reason: component('ErrorReason') },
    additionalProperties: true,
  },
  ErrorBody: record(
    'What went wrong.',
    {
      code: component('ErrorCode'),
      message: { type: 'string', description: 'For people; names the parameter at fault.' },
      request_id: requestId,
      requestId,
      details: component('ErrorDetails'),
    },
    ['details'],
  ),
  ErrorAnswer: record('The body of every failure. Branch on error.code; messages may change.', {
    error: component('ErrorBody'),
    requestId,
  }),
};

const failure = (
  description: string,
  message: string,
  code: keyof typeof STATUS,
  more: readonly HeaderName[] = [],
  details: JsonSchema = {},
) => ({
  description,
  headers: headersOf(...more),
  content: {
    'application/json': {
      schema: component('ErrorAnswer'),
      example: { error: { code, message, request_id: 'r-1', requestId: 'r-1', details }, requestId: 'r-1' },
    },
  },
});

export const RESPONSES = {
  NotModified: { description: 'The tag sent as If-None-Match still holds; no body.', headers: headersOf('etag', 'cache-control') },
  RangeNotSatisfiable: {
    description: 'The part that the header Range asks for lies outside the Parquet file; no body.',
    headers: headersOf('etag', 'cache-control', 'accept-ranges', 'content-range'),
  },
  BadRequest: failure(
    'A parameter is unknown, repeated, empty or out of range, or the request is malformed.',
    'Unknown parameter limt. Did you mean limit?',
    'bad_request',
  ),
  Unauthorized: failure('The key is missing or invalid.', 'A key is required.', 'unauthorized'),
  Forbidden: failure('The key lacks the scope of this route.', 'This route requires the scope ops:read.', 'forbidden'),
  NotFound: failure('There is no such resource.', 'There is no entity xx.', 'not_found'),
  RateLimited: failure(
    'The limit of this window is used up.',
    'The limit of 1000 requests in 60 seconds is used up.',
    'rate_limited',
    ['retry-after'],
    {
      required_scope: 'data:read',
      limit: 1000,
      window_seconds: 60,
    },
  ),
  InternalError: failure('The service failed.', 'The request could not be answered.', 'internal_error'),
} as const;

export const SECURITY_SCHEMES = {
  apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'The key as it was issued, beginning asof_.' },
  bearer: { type: 'http', scheme: 'bearer', description: 'The same key as `Authorization: Bearer asof_…`.' },
} as const;

/** The answer 206 of bulk routes. Among `responses` it would make that of every typed client an object or nothing. */
export const PARTIAL_CONTENT: JsonSchema = {
  description: 'The part of a Parquet file that the header Range asks for. With If-Range and another tag the file comes whole, with 200.',
  headers: headersOf('etag', 'cache-control', 'accept-ranges', 'content-range', 'content-disposition', 'x-as-of', 'x-next-cursor'),
  'x-bulk': { [BULK_TYPES.parquet]: { schema: { type: 'string', contentMediaType: 'application/octet-stream' } } },
};
