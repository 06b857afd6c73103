// No default answer depends on assumed vintages: each is the same if they cannot be read.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routes } from '../../src/routes/index.ts';
import { QUERY_MACROS } from '../../src/snapshot/build/relations.ts';
import { rowsOf } from '../panels/choice.ts';
import { type RunningService, startSampleService } from '../service.ts';

const OECD = '/observations?indicator_id=consumer_confidence&source_id=oecd&limit=500';

let service: RunningService;
beforeAll(async () => {
  service = await startSampleService();
});
afterAll(() => service.stop());

describe('an answer that does not ask for assumed rows', () => {
  it('is the same if they cannot be read', async () => {
    const macros = QUERY_MACROS as { path: string; as: 'macro'; text?: string }[];
    const at = macros.findIndex(({ path }) => path === 'assumed/assumed_vintages');
    const [own] = macros.slice(at, at + 1);
    if (own === undefined) throw new Error('there is no such macro');
    const text = "create or replace macro assumed_vintages() as table select * replace (error('read') as vintage) from published.vintages";
    macros[at] = { ...own, text };
    const other = await startSampleService();
    try {
      expect((await other.get(`${OECD}&include_assumed=true`)).status).toBe(500);
      const ids = (await rowsOf<{ readonly observationId: string }>(service, OECD, 'full'))
        .slice(0, 3)
        .map(({ observationId }) => `/provenance/observations/${observationId}`);
      const paths = [...routes.map(({ example }) => example).filter((example) => !example.includes('{')), ...ids, OECD];
      expect(paths.length).toBeGreaterThan(35);
      for (const path of [...paths, ...MORE]) {
        const answers = await Promise.all([service, other].map(async (one) => [(await one.get(path)).status, await bodyOf(one, path)]));
        expect(answers[1], `of ${path}`).toEqual(answers[0]);
      }
    } finally {
      macros[at] = own;
      await other.stop();
    }
  });
});

const MORE = [
  '/panels?factor=consumer_confidence&from=2026-01-01&to=2026-10-31&limit=500',
  '/panels?factor=consumer_confidence&from=2026-01-01&to=2026-10-31&every=change&grade=1',
  '/observations?indicator_id=consumer_confidence&as_of=2026-10-31&limit=500',
  '/observations?indicator_id=consumer_confidence&vintage=first&include_backfill=true&limit=500',
  '/observations/latest?indicator_id=consumer_confidence&as_of=2026-10-31',
];

/** Without the marks of a request. */
async function bodyOf(one: RunningService, path: string): Promise<string> {
  const text = await (await one.get(path)).text();
  return text.replaceAll(/"(?:request_?[iI]d|\w*[cC]ursor)":"[^"]*"/g, '').replaceAll(/req_[0-9a-f-]+/g, '');
}
