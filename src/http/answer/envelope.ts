// The three envelopes, written as text around rows that are already text. The request's identifiers come last, so that everything before
// them is equal for equal requests.
import type { ApiError } from '../errors.ts';

const API_VERSION = 'v1';

export interface Pagination {
  readonly limit: number;
  readonly cursor: string | null;
  readonly next_cursor: string | null;
  readonly has_more: boolean;
}

/**
 * The envelope up to its identifiers: an object that is still open inside `meta`.
 * @param rows a JSON array
 */
export function listHead(rows: Buffer | string, pagination: Pagination, meta: Readonly<Record<string, unknown>>): Buffer {
  const opened = opening({ api_version: API_VERSION, pagination, ...meta });
  if (typeof rows === 'string') return Buffer.from(`${OPENING}${rows}${opened}`);
  return Buffer.concat([Buffer.from(OPENING), rows, Buffer.from(opened)]);
}

export function itemHead(data: unknown, meta: Readonly<Record<string, unknown>>): string {
  return `${OPENING}${JSON.stringify(data)}${opening({ api_version: API_VERSION, ...meta })}`;
}

const OPENING = '{"data":';

function opening(meta: Readonly<Record<string, unknown>>): string {
  return `,"meta":${JSON.stringify(meta).slice(0, -1)},`;
}

/** Closes the objects that listHead and itemHead leave open. A request identifier needs no escaping. */
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
