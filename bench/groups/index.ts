// How each group is measured.
import type { Group, GroupName, GroupOptions } from '../figures.ts';
import { generatedLake, type Lake, laterLake, unbuiltLake } from '../generate.ts';
import { bulk } from './bulk.ts';
import { deployments } from './deployments.ts';
import { fair } from './fair.ts';
import { asOfReadsByHttp, coldReadsByHttp, hotReads, latestOfCountry, narrowReads, walk, warmReadsByHttp } from './http.ts';
import { ingest } from './ingest.ts';
import { latest } from './latest.ts';
import { mixed } from './mixed.ts';
import { panel } from './panel.ts';
import { asOfReads, coldReads } from './reads.ts';
import { rebuild, rebuiltVintages } from './rebuild.ts';
import { screener, screenerAsOf } from './screener.ts';
import { screensAsOfByHttp, screensByHttp } from './screens-http.ts';
import { startOnEach } from './start.ts';

interface Measurement {
  /** Builds the missing lakes before the measurement, in another process, so that its memory does not count. */
  readonly prepare: (size: number, onProgress: (step: string) => void) => Promise<unknown>;
  readonly measure: (size: number, options: GroupOptions) => Promise<Group | readonly Group[]>;
}

/** Over the published lake. */
const published = (measure: (lake: Lake, options: GroupOptions) => Promise<Group | readonly Group[]>): Measurement => ({
  prepare: generatedLake,
  measure: async (size, options) => measure(await generatedLake(size, () => undefined), options),
});

export const GROUPS = {
  hot: published(hotReads),
  cold: published(coldReadsByHttp),
  'cold-query': published(coldReads),
  'as-of': published(asOfReadsByHttp),
  'as-of-query': published(asOfReads),
  'as-of-warm': published(warmReadsByHttp),
  narrow: published(narrowReads),
  latest: published(latestOfCountry),
  'latest-query': published(latest),
  walk: published(walk),
  screener: published(screener),
  'screener-as-of': published(screenerAsOf),
  'screener-http': published(screensByHttp),
  'screener-as-of-http': published(screensAsOfByHttp),
  bulk: published(bulk),
  panel: published(panel),
  deployments: published(deployments),
  ingest: { prepare: () => Promise.resolve(), measure: ingest },
  rebuild: { prepare: (size, onProgress) => unbuiltLake(rebuiltVintages(size), onProgress), measure: rebuild },
  start: published(startOnEach),
  fair: published(fair),
  mixed: {
    ...published(mixed),
    prepare: async (size, onProgress) => {
      await generatedLake(size, onProgress);
      await laterLake(size, onProgress);
    },
  },
} as const satisfies Record<GroupName, Measurement>;
