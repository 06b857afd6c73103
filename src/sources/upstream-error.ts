// The error of a source: a payload, or an upstream, that cannot be used.
/** A payload or an upstream that cannot be used; `retriable` is true if a retry can help. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError';
  readonly sourceId: string;
  readonly retriable: boolean;

  constructor(sourceId: string, problem: string, options: { readonly retriable?: boolean; readonly cause?: unknown } = {}) {
    super(`${sourceId}: ${problem}`, options.cause === undefined ? {} : { cause: options.cause });
    this.sourceId = sourceId;
    this.retriable = options.retriable ?? false;
  }
}
