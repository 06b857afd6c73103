// Nights over the replay server: what is due is asked, archived and read; the clock stands where the test puts it.
import { join } from 'node:path';
import { type FetchReport, fetchSources } from '../../jobs/fetch.ts';
import { normalise, type SourceReport } from '../../jobs/normalise.ts';
import type { Source } from '../../src/sources/source.ts';
import { type Pipeline, SILENT } from '../pipeline.ts';
import { fetcherOf, type ReplayOptions } from './fetcher.ts';
import type { Replay } from './server.ts';

export interface Night {
  readonly fetch: FetchReport;
  readonly sources: readonly SourceReport[];
  /** `source: status, new/unchanged/not out yet/failed` */
  readonly told: readonly string[];
}

export async function fetchNight(
  pipeline: Pipeline,
  replay: Replay,
  only: readonly Source[],
  at: string,
  options: ReplayOptions = {},
): Promise<Night> {
  const { workspace } = pipeline;
  const now = () => Date.parse(at);
  const fetcher = await fetcherOf(replay, { now, folder: join(workspace.dataDir, 'raw/partial'), ...options });
  const lake = await workspace.openLake();
  try {
    const effects = { now, log: SILENT };
    const fetch = await fetchSources(only, workspace.archive, lake, fetcher, effects);
    const sources = await normalise(only, workspace.archive, lake, effects, { referenceDir: workspace.referenceDir, codeRevision: 'test' });
    const told = fetch.sources.map(
      ({ sourceId, status, added, unchanged, absent, failed }) => `${sourceId}: ${status}, ${added}/${unchanged}/${absent}/${failed}`,
    );
    return { fetch, sources, told };
  } finally {
    await fetcher.close();
    await lake.close();
  }
}
