// The parts of the description that all routes share: headers, failures, envelopes, keys.
import { REASONS, STATUS } from '../errors.ts';
import { BULK_TYPES } from '../forms/formats.ts';
import type { JsonSchema } from './json-schema.ts';
import { FREE_TIER_MONTHS, LARGEST_PAGE } from '../route.ts';

const text: JsonSchema = { type: 'string' };

const header = (description: string, schema: JsonSchema, example: string | number) => ({ description, schema, example });

export const HEADERS = {
  'x-request-id': header(
    'Identifier of the request: yours, if it has 1 to 128 letters, digits, dots, underscores and hyphens; else a new one.',
    text,
    '7d0f8a52-3c1e-4f0e-9a44-0d7d5f6c1b2a',
  ),
  'x-ratelimit-policy': header('Policy, limit and window in seconds.', text, 'data:read;limit=1000;window=60'),
  'x-ratelimit-limit': header('Requests allowed per window.', { type: 'integer', minimum: 1 }, 1000),
  'x-ratelimit-remaining': header('Requests left in this window.', { type: 'integer', minimum: 0 }, 999),
  'x-ratelimit-reset': header('When the window ends.', { type: 'string', format: 'date-time' }, '2026-01-05T12:01:00.000Z'),
  'x-key-scopes': header('The scopes of your key, separated by spaces. Absent without a valid key.', text, 'data:read ops:read'),
  'retry-after': header('Seconds to wait.', { type: 'integer', minimum: 0 }, 42),
  etag: header('Strong tag of the answer without its request ids. Send it as If-None-Match.', text, '"kq1v0e7d5c"'),
  'cache-control': header('Whether and how long you may cache the answer.', text, 'private, max-age=60'),
  'x-as-of': header(
    'The knowledge cutoff of the rows, for csv, ndjson, arrow and parquet.',
    { type: 'string', format: 'date-time' },
    '2026-01-05T06:00:00.000Z',
  ),
  'x-next-cursor': header(
    'Cursor of the next rows, for csv, ndjson, arrow and parquet. Absent if no rows follow. A trailer if the service learns it after the body.',
    text,
    'eyJ2IjoxfQ',
  ),
  'content-disposition': header(
    'File name of the rows, for csv, ndjson, arrow and parquet: the route, the filters and the day of the cutoff.',
    text,
    'attachment; filename="observations.indicator_id=us_nonfarm_payrolls.as_of=2020-06-30.csv"',
  ),
  'accept-ranges': header('For parquet: you can request parts with Range.', text, 'bytes'),
  'content-range': header(
    'The range of bytes and the size of the file; only the size if the range is outside the file.',
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

const requestId: JsonSchema = { type: 'string', description: 'Identifier of the request, the same in every place.' };

export const metaMembers: Readonly<Record<string, JsonSchema>> = {
  request_id: requestId,
  requestId,
  api_version: { type: 'string', const: 'v1' },
};

/** Members of meta of a list page. Routes add others. */
export const hintMember: JsonSchema = {
  type: 'array',
  description:
    'Reasons for missing rows. For example, a name is unknown, values are withheld for rights, nothing was known by the cutoff, or periods have no first print. A search without exact results has a note. Absent if there is nothing to explain.',
  items: component('Hint'),
};

export const resumeMember: JsonSchema = {
  type: ['string', 'null'],
  description: 'Cursor after the last row. Use it later to get new rows; it never expires.',
};

export const historyMember: JsonSchema = {
  type: 'boolean',
  description: `True if the key sees only the last ${FREE_TIER_MONTHS} months. Absent for full-tier keys, and if nothing is left out.`,
};

export const SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Pagination: record('Position of this page in its list.', {
    limit: { type: 'integer', minimum: 1, maximum: LARGEST_PAGE, description: 'Page size applied.' },
    cursor: { type: ['string', 'null'], description: 'Cursor of this page; null on the first page.' },
    next_cursor: { type: ['string', 'null'], description: 'Cursor of the next page; null on the last page.' },
    has_more: { type: 'boolean', description: 'Whether more pages remain.' },
  }),
  Hint: record(
    'Reason why rows are missing from an answer.',
    {
      parameter: { type: 'string', description: 'The parameter that the hint is about.' },
      message: { type: 'string', description: 'The missing rows, the reason, and the remedy.' },
      nearest: { type: 'string', description: 'The nearest known value, if yours is unknown.' },
    },
    ['nearest'],
  ),
  ErrorCode: { type: 'string', enum: Object.keys(STATUS), description: 'Stable, machine-readable.' },
  ErrorReason: { type: 'string', enum: Object.keys(REASONS), description: 'Finer reason within the code. Stable.' },
  ErrorDetails: {
    type: 'object',
    description: 'Context to branch on. Its members depend on the failure.',
    properties: { reason: component('ErrorReason') },
    additionalProperties: true,
  },
  ErrorBody: record(
    'The failure.',
    {
      code: component('ErrorCode'),
      message: { type: 'string', description: 'Text for people; names the parameter at fault.' },
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
  NotModified: {
    description: 'The tag that you sent as If-None-Match is still current. No body.',
    headers: headersOf('etag', 'cache-control', 'x-key-scopes'),
  },
  RangeNotSatisfiable: {
    description: 'The requested Range is outside the Parquet file. No body.',
    headers: headersOf('etag', 'cache-control', 'x-key-scopes', 'accept-ranges', 'content-range'),
  },
  BadRequest: failure(
    'A parameter is unknown, repeated, empty or out of range, or the request is malformed.',
    'Unknown parameter limt. Did you mean limit?',
    'bad_request',
  ),
  Unauthorized: failure('The key is missing or invalid.', 'A key is required.', 'unauthorized'),
  Forbidden: failure('The key lacks the scope of this route.', 'This route requires the scope ops:read.', 'forbidden'),
  NotFound: failure('The resource does not exist.', 'There is no entity xx.', 'not_found'),
  RateLimited: failure(
    'The requests of this window are used up.',
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

/**
 * The 206 answer of bulk routes. It is not among `responses`, because typed clients would then get an object or nothing as their answer
 * type.
 */
export const PARTIAL_CONTENT: JsonSchema = {
  description: 'The requested Range of a Parquet file. If If-Range has another tag, the whole file comes with 200.',
  headers: headersOf(
    'etag',
    'cache-control',
    'x-key-scopes',
    'accept-ranges',
    'content-range',
    'content-disposition',
    'x-as-of',
    'x-next-cursor',
  ),
  'x-bulk': { [BULK_TYPES.parquet]: { schema: { type: 'string', contentMediaType: 'application/octet-stream' } } },
};
