// Effects on the outside that cannot be repeated: the clock, chance and the log. The only file that reads the clock; everything else takes
// it as an argument.
import { randomInt } from 'node:crypto';
import { pino, type Logger } from 'pino';

export interface Effects {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly now: () => number;
  readonly log: Logger;
}

/** Milliseconds since 1970-01-01T00:00:00Z. */
export const clock = (): number => Date.now();

/** From 0 to 1: so that many installations do not come back to a publisher at one moment. */
export const random = (): number => randomInt(2 ** 32) / 2 ** 32;

/** Milliseconds since the process began: whoever sets the clock does not move it. */
export const elapsed = (): number => performance.now();

/**
 * The one owner of errors that nobody handled, thrown in a timer or a callback: they are logged, and the process goes on. Called by processes that serve.
 * A log that fails itself would come back here, so one error a second is logged.
 */
export function outliveErrors({ log, now }: Effects): void {
  let loggedAt = Number.NEGATIVE_INFINITY;
  const note = (error: unknown) => {
    if (Math.abs(now() - loggedAt) < 1000) return;
    loggedAt = now();
    try {
      log.error({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }, 'unhandled error');
    } catch {
      // Nowhere to say it.
    }
  };
  process.on('uncaughtException', note);
  process.on('unhandledRejection', note);
}

/** @param destination file descriptor of the log: 1 for the service, 2 for commands whose standard output is a report. */
export function realEffects(level: string, destination: 1 | 2): Effects {
  return {
    now: clock,
    log: pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination({ fd: destination, sync: true })),
  };
}
