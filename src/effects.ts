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

/** @param destination file descriptor of the log: 1 for the service, 2 for commands whose standard output is a report. */
export function realEffects(level: string, destination: 1 | 2): Effects {
  return {
    now: clock,
    log: pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination({ fd: destination, sync: true })),
  };
}
