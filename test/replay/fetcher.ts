// The fetcher over the replay server: it waits without waiting, and its table of publishers is as the test has it.
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent } from 'undici';
import { type Fetcher, type FetchSettings, openFetcher } from '../../src/fetch/fetcher.ts';
import { partialsIn } from '../../src/fetch/partial.ts';
import { PUBLISHERS } from '../../src/sources/publishers.ts';
import { type Limits } from '../../src/sources/publisher.ts';
import { type Publisher } from '../../src/sources/publisher.ts';
import type { PublisherId } from '../../src/sources/publishers.ts';
import type { Replay } from './server.ts';

export interface ReplayOptions extends Partial<Pick<FetchSettings, 'contact' | 'secrets' | 'wait' | 'random' | 'mostAttempts'>> {
  readonly now?: () => number;
  /** Where partial bodies are kept. */
  readonly folder?: string;
  readonly limits?: Partial<Limits>;
  /** The table's own pace; without it nobody waits. */
  readonly isPaced?: boolean;
  readonly publishers?: Partial<Record<PublisherId, Partial<Publisher>>>;
}

export async function fetcherOf(replay: Replay, options: ReplayOptions = {}): Promise<Fetcher> {
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'asof-partial-')));
  const table = Object.entries(PUBLISHERS).map(([id, publisher]) => [
    id,
    {
      ...publisher,
      ...(options.isPaced === true ? {} : { interval: 0 }),
      limits: { ...publisher.limits, ...options.limits },
      ...options.publishers?.[id as PublisherId],
    },
  ]);
  return openFetcher({
    publishers: Object.fromEntries(table) as Record<PublisherId, Publisher>,
    wire: { dispatcher: new Agent(), resolve: replay.resolve, partials: partialsIn(folder), now: options.now ?? (() => 0) },
    wait: options.wait ?? (async () => undefined),
    random: options.random ?? (() => 0.5),
    version: '0.0.0',
    contact: options.contact ?? null,
    secrets: options.secrets ?? {},
    ...(options.mostAttempts === undefined ? {} : { mostAttempts: options.mostAttempts }),
  });
}
