// The closed table of error codes with their status.
export const STATUS = {
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  rate_limited: 429,
  internal_error: 500,
} as const;

export type ErrorCode = keyof typeof STATUS;

/** Every `details.reason`, with its code. docs/reference/errors.md has the meaning and the remedy of each. */
export const REASONS = {
  malformed: 'bad_request',
  tampered: 'bad_request',
  expired: 'bad_request',
  route_changed: 'bad_request',
  query_changed: 'bad_request',
  snapshot_gone: 'bad_request',
  key_in_address: 'bad_request',
  ambiguous_alias: 'bad_request',
  too_many_at_once: 'rate_limited',
  query_timeout: 'internal_error',
  engine_unavailable: 'internal_error',
  not_ready: 'internal_error',
} as const satisfies Readonly<Record<string, ErrorCode>>;

export type Reason = keyof typeof REASONS;
export type ErrorDetails = Readonly<Record<string, unknown>> & { readonly reason?: Reason };

/** A failure that the client sees. Clients branch on `details`, which never contains a secret. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  readonly details: ErrorDetails | null;

  constructor(code: ErrorCode, message: string, details: ErrorDetails | null = null) {
    super(message);
    this.code = code;
    this.details = details;
  }
}
