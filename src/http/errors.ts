// The one closed table of failures: code and status together.
export const STATUS = {
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  rate_limited: 429,
  internal_error: 500,
} as const;

export type ErrorCode = keyof typeof STATUS;
export type ErrorDetails = Readonly<Record<string, unknown>>;

/** A failure that the client is told of. `details` is context to branch on; never a secret. */
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
