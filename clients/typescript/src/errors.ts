/** The codes of the service, and three of the client: an expired cursor, no answer, and an answer that is not the service's. */
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
  /** An unknown code of a later service is passed on unchanged. */
  readonly code: ErrorCode | (string & {});
  /** 0 without an answer. */
  readonly status: number;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly requestId?: string | null;
  readonly retryAfterSeconds?: number | null;
}

/** A refusal with the service's message. Never contains the key. */
export class AsofError extends Error {
  override readonly name: string = 'AsofError';
  readonly code: Failure['code'];
  readonly status: number;
  readonly details: Readonly<Record<string, unknown>>;
  readonly requestId: string | null;
  /** The wait that a rate limit asks for; null if it names none. */
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

/** The snapshot of a walk has been deleted. Start the walk again: the rows read so far belong to an older snapshot. */
export class CursorExpiredError extends AsofError {
  override readonly name = 'CursorExpiredError';
}

const ENDED: ReadonlySet<unknown> = new Set(['expired', 'snapshot_gone']);

/** The error in an answer. `body` is its text. */
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

/** The wait in `Retry-After`; null without one, and for a date, which the service does not send. */
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
