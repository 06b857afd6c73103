/** The reason why one attempt brought no usable answer. */
export class TransferError extends Error {
  override readonly name = 'TransferError';
  /** True if a retry can help. */
  readonly isRetriable: boolean;
  readonly status: number | null;
  /** Milliseconds that the publisher asks us to wait. */
  readonly retryAfter: number | null;
  /** True if the publisher is at fault or unreachable, rather than this request. */
  readonly isOfPublisher: boolean;
  /** The new address of the file, according to the publisher. */
  readonly movedTo: string | null;
  /** The status of a refused answer; null without an answer. */
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
