// The error of a source: a payload, or an upstream, that cannot be used.
import { KnownError } from '../known-error.ts';

/** A payload or an upstream that cannot be used; `retriable` is true if a retry can help. */
export class UpstreamError extends KnownError {
  readonly sourceId: string;
  readonly retriable: boolean;

  constructor(sourceId: string, problem: string, options: { readonly retriable?: boolean; readonly cause?: unknown } = {}) {
    super(`${sourceId}: ${problem}`, options.cause === undefined ? {} : { cause: options.cause });
    this.sourceId = sourceId;
    this.retriable = options.retriable ?? false;
  }
}
