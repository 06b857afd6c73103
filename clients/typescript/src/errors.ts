/** The codes of the service, and three of the client: a cursor that is no longer walked, no answer, and one that is not the service's. */
export type ErrorCode =
  | 'bad_request'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'rate_limited'
  | 'internal_error'
  | 'cursor_expired'
  | 'unreachable'
  | 'unreadable';

export interface Failure {
  /** A code of a later service is given as it came. */
  readonly code: ErrorCode | (string & {});
  /** 0 where nothing answered. */
  readonly status: number;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly requestId?: string | null;
  readonly retryAfterSeconds?: number | null;
}

/** What the service refused, in its own words. Never holds the key. */
export class AsofError extends Error {
  override readonly name: string = 'AsofError';
  readonly code: Failure['code'];
  readonly status: number;
  readonly details: Readonly<Record<string, unknown>>;
  readonly requestId: string | null;
  /** What a refusal for the rate limit asked to wait; null where none was said. */
  readonly retryAfterSeconds: number | null;

  constructor(message: string, failure: Failure) {
    super(message);
    this.code = failure.code;
    this.status = failure.status;
    this.details = failure.details ?? {};
    this.requestId = failure.requestId ?? null;
    this.retryAfterSeconds = failure.retryAfterSeconds ?? null;
  }
}

/** The snapshot that a walk began with is kept no longer: it is to be begun again, and what was read of it is of an older snapshot. */
export class CursorExpiredError extends AsofError {
  override readonly name = 'CursorExpiredError';
}

const ENDED: ReadonlySet<unknown> = new Set(['expired', 'snapshot_gone']);

/** The failure that an answer states. `body` is its text. */
export function refusalOf(answer: Response, body: string): AsofError {
  const error = errorOf(body);
  if (error === null)
    return new AsofError(`The answer with status ${answer.status} is not from the service. Check the address.`, {
      code: 'unreadable',
      status: answer.status,
    });
  const failure = {
    code: error.code,
    status: answer.status,
    details: error.details ?? {},
    requestId: error.requestId ?? answer.headers.get('x-request-id'),
    retryAfterSeconds: secondsOf(answer.headers.get('retry-after')),
  };
  if (failure.details['parameter'] !== 'cursor' || !ENDED.has(failure.details['reason'])) return new AsofError(error.message, failure);
  return new CursorExpiredError(error.message, { ...failure, code: 'cursor_expired' });
}

/** What `Retry-After` asks to wait; null for none, and for a day in place of a number, which the service does not send. */
function secondsOf(retryAfter: string | null): number | null {
  return retryAfter !== null && /^\d+$/.test(retryAfter.trim()) ? Number(retryAfter) : null;
}

interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly requestId?: string;
  readonly details?: Record<string, unknown>;
}

function errorOf(body: string): ErrorBody | null {
  try {
    const { error } = JSON.parse(body) as { error?: Partial<ErrorBody> };
    return typeof error?.code === 'string' && typeof error.message === 'string' ? (error as ErrorBody) : null;
  } catch {
    return null;
  }
}
