// A service whose heavy questions a cluster answers says what one without says.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ListBody, type RunningService, sampleDataDir, startService } from '../service.ts';
import { engineUrlFor, NO_CLUSTER } from './cluster.ts';

const SCREEN = '/public/screener?filter=consumer_confidence:gt:-40&rank_by=consumer_confidence:desc&columns=consumer_confidence@z3y';

describe.skipIf(NO_CLUSTER !== null)(`a service with a cluster${NO_CLUSTER === null ? '' : ` (${NO_CLUSTER})`}`, () => {
  const running: RunningService[] = [];
  beforeAll(async () => {
    const dataDir = await sampleDataDir();
    running.push(await startService(dataDir, { isOwnFolder: true, engineUrl: await engineUrlFor(dataDir) }));
    running.push(await startService(await sampleDataDir(), { isOwnFolder: true }));
  });
  afterAll(async () => {
    for (const service of running) await service.stop();
  });

  it.each([SCREEN, `${SCREEN}&as_of=2026-11-20`])('gives %s the same answer, without warnings', async (path) => {
    const answers = await Promise.all(running.map(async (service) => ((await (await service.get(path)).json()) as ListBody).data));
    expect(answers[0]?.length).toBeGreaterThan(0);
    expect(answers[0]).toEqual(answers[1]);
    expect(JSON.stringify(await (await running[0]?.get('/ready'))?.json())).not.toContain('ENGINE_URL');
  });
});
