// The three envelopes, written as text around rows already written: the identifiers of the request come last, so that all before them is
// the same for every request that asks the same.
import { type ApiError, STATUS } from './errors.ts';

const API_VERSION = 'v1';

export interface Pagination {
  readonly limit: number;
  readonly cursor: string | null;
  readonly next_cursor: string | null;
  readonly has_more: boolean;
}

/** What an envelope holds before its identifiers: an object cut open inside `meta`. */
export function listHead(rows: readonly unknown[], pagination: Pagination, meta: Readonly<Record<string, unknown>>): string {
  return openEnvelope(rows, { api_version: API_VERSION, pagination, ...meta });
}

export function itemHead(data: unknown, meta: Readonly<Record<string, unknown>>): string {
  return openEnvelope(data, { api_version: API_VERSION, ...meta });
}

function openEnvelope(data: unknown, meta: Readonly<Record<string, unknown>>): string {
  return `{"data":${toJson(data)},"meta":${toJson(meta).slice(0, -1)},`;
}

/** Closes what listHead and itemHead leave open. A request identifier needs no escaping. */
export function tail(requestId: string): string {
  return `"request_id":"${requestId}","requestId":"${requestId}"},"requestId":"${requestId}"}`;
}

export function errorBody(error: ApiError, requestId: string): string {
  return toJson({
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

export function statusOf(error: ApiError): number {
  return STATUS[error.code];
}

// 64-bit integers past 2^53 come out of the engine as bigint.
export function toJson(value: unknown): string {
  return JSON.stringify(value, (_, entry: unknown) => (typeof entry === 'bigint' ? Number(entry) : entry));
}
