// The three envelopes, written as text around rows already written: the identifiers of the request come last, so that all before them is
// the same for every request that asks the same.
import type { ApiError } from '../errors.ts';
import type { Page } from '../route.ts';

const API_VERSION = 'v1';

export interface Pagination {
  readonly limit: number;
  readonly cursor: string | null;
  readonly next_cursor: string | null;
  readonly has_more: boolean;
}

/** What an envelope holds before its identifiers: an object cut open inside `meta`. */
export function listHead(rows: Page<unknown>['rows'], pagination: Pagination, meta: Readonly<Record<string, unknown>>): string {
  if ('part' in rows) throw new TypeError('An envelope holds rows that are made already');
  return openEnvelope('json' in rows ? rows.json : JSON.stringify(rows), { api_version: API_VERSION, pagination, ...meta });
}

export function itemHead(data: unknown, meta: Readonly<Record<string, unknown>>): string {
  return openEnvelope(JSON.stringify(data), { api_version: API_VERSION, ...meta });
}

function openEnvelope(data: string, meta: Readonly<Record<string, unknown>>): string {
  return `{"data":${data},"meta":${JSON.stringify(meta).slice(0, -1)},`;
}

/** Closes what listHead and itemHead leave open. A request identifier needs no escaping. */
export function tailOf(requestId: string): string {
  return `"request_id":"${requestId}","requestId":"${requestId}"},"requestId":"${requestId}"}`;
}

export function errorBody(error: Pick<ApiError, 'code' | 'message' | 'details'>, requestId: string): string {
  return JSON.stringify({
    error: {
      code: error.code,
      message: error.message,
      request_id: requestId,
      requestId,
      ...(error.details === null ? {} : { details: error.details }),
    },
    requestId,
  });
}
