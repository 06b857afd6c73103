/** Why one sending of a request brought no answer that can be used. */
export class TransferError extends Error {
  override readonly name = 'TransferError';
  /** Whether sending it again can help. */
  readonly isRetriable: boolean;
  readonly status: number | null;
  /** Milliseconds that the publisher wants to be left alone. */
  readonly retryAfter: number | null;
  /** The publisher is at fault or out of reach, not this one request. */
  readonly isOfPublisher: boolean;
  /** Where the file has been moved to, as the publisher says. */
  readonly movedTo: string | null;
  /** Of an answer that was refused; null if there was none. */
  readonly mediaType: string | null;
  readonly bytes: number | null;

  constructor(problem: string, options: TransferErrorOptions = {}) {
    super(problem, options.cause === undefined ? {} : { cause: options.cause });
    this.isRetriable = options.isRetriable ?? false;
    this.status = options.status ?? null;
    this.retryAfter = options.retryAfter ?? null;
    this.isOfPublisher = options.isOfPublisher ?? false;
    this.movedTo = options.movedTo ?? null;
    this.mediaType = options.mediaType ?? null;
    this.bytes = options.bytes ?? null;
  }
}

export interface TransferErrorOptions {
  readonly isRetriable?: boolean;
  readonly status?: number | null;
  readonly retryAfter?: number | null;
  readonly isOfPublisher?: boolean;
  readonly movedTo?: string | null;
  readonly mediaType?: string | null;
  readonly bytes?: number | null;
  readonly cause?: unknown;
}
