// What a service is composed of in the tests: the suites that ask the interface are the same for each.
import type { Logger } from 'pino';
import type { Metrics } from '../../src/metrics/metrics.ts';

export interface Opening {
  readonly now: () => number;
  readonly log: Logger;
  /** Settings shared by all of its servers. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export interface Opened {
  /** Where requests go. */
  readonly port: number;
  /** Of the server, or of the first of several. */
  readonly metrics: Metrics | null;
  /** What has changed in the folder since, snapshot, grants and keys, is what the servers know. */
  readonly follow: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

export interface Deployment {
  /** Serves what is published in a folder. */
  readonly open: (dataDir: string, opening: Opening) => Promise<Opened>;
}
