// Effects on the outside that cannot be repeated: the clock and the log. The only file that reads the clock; everything else takes
// it as an argument. The network joins here with the sources that fetch.
import { pino, type Logger } from 'pino';

export interface Effects {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly now: () => number;
  readonly log: Logger;
}

/** Milliseconds since the process began: whoever sets the clock does not move it. */
export const elapsed = (): number => performance.now();

/** @param destination file descriptor of the log: 1 for the service, 2 for commands whose standard output is a report. */
export function realEffects(level: string, destination: 1 | 2): Effects {
  return {
    now: () => Date.now(),
    log: pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination({ fd: destination, sync: true })),
  };
}
