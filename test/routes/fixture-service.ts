// A running service over a small lake: fixtures of test/fixtures and files written in a test.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type Files, openPipeline } from '../pipeline.ts';
import { type ListBody, type RunningService, startService } from '../service.ts';

const FIXTURES = join(import.meta.dirname, '../fixtures');
const Keyed = z.looseObject({ key: z.string() });

/** Payloads of test/fixtures as key → body. */
export function fixtureFiles(sourceId: string, ...cases: readonly string[]): Files {
  const names = readdirSync(join(FIXTURES, sourceId));
  const entries = cases.map((name) => {
    const { key } = Keyed.parse(JSON.parse(readFileSync(join(FIXTURES, sourceId, `${name}.rows.json`), 'utf8')));
    const raw = names.find((one) => one.startsWith(`${name}.raw.`)) ?? '';
    return [key, readFileSync(join(FIXTURES, sourceId, raw))] as const;
  });
  return Object.fromEntries(entries);
}

export interface FixtureService extends RunningService {
  /** The rows of a list that must answer 200, with its meta. */
  readonly list: (path: string, key?: 'full' | 'free') => Promise<ListBody>;
}

/** The files come in one after the other, each at its moment; the clock of the service stands at `now`. */
export async function startFixtureService(
  arrivals: readonly { readonly files: Files; readonly at: string }[],
  now: string,
): Promise<FixtureService> {
  const pipeline = await openPipeline();
  for (const { files, at } of arrivals) await pipeline.ingest(files, at);
  await pipeline.publish();
  const service = await startService(pipeline.dataDir, { now: Date.parse(now) });
  return {
    ...service,
    async list(path, key = 'full') {
      const response = await service.get(path, { key });
      const body = (await response.json()) as ListBody;
      if (response.status !== 200) throw new Error(`${path}: ${response.status} ${JSON.stringify(body)}`);
      return body;
    },
    async stop() {
      await service.stop();
      await pipeline.remove();
    },
  };
}
