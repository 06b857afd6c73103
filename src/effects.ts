// Effects that cannot be repeated: the clock, random numbers and the log. Only this file reads the clock; all other code gets
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

/** From 0 to 1: it spreads the requests of many installations over time. */
export const random = (): number => randomInt(2 ** 32) / 2 ** 32;

/** Milliseconds since the start of the process: setting the clock does not change it. */
export const elapsed = (): number => performance.now();

/**
 * The only handler of uncaught errors in timers and callbacks: it logs them, and the process continues. Serving processes call it.
 * A failing log would call it again, so it logs at most one error a second.
 */
export function outliveErrors({ log, now }: Effects): void {
  let loggedAt = Number.NEGATIVE_INFINITY;
  const note = (error: unknown) => {
    if (Math.abs(now() - loggedAt) < 1000) return;
    loggedAt = now();
    try {
      log.error({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }, 'unhandled error');
    } catch {
      // There is no other place to report it.
    }
  };
  process.on('uncaughtException', note);
  process.on('unhandledRejection', note);
}

/**
 * @param named null for `info`, and for `warn` if the service writes to a terminal: a line for each request would scroll its greeting away
 * @param destination file descriptor of the log: 1 for the service, 2 for commands whose standard output is a report
 */
export function realEffects(named: string | null, destination: 1 | 2): Effects {
  const level = named ?? (destination === 1 && process.stdout.isTTY ? 'warn' : 'info');
  return {
    now: clock,
    log: pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination({ fd: destination, sync: true })),
  };
}
