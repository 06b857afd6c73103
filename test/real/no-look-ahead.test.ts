// The same over the publishers' own bytes, where they are, on demand: npm run test:lookahead. World Bank, Census and reference rates are left
// out, because no derived indicator reads them.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nightly } from '../../jobs/nightly.ts';
import { sources } from '../../src/sources/index.ts';
import { compareDraws, FORECASTS, targetsOf } from '../story/look-ahead-draws.ts';
import { openPipeline, type Pipeline, REAL_DATA, SILENT } from '../pipeline.ts';
import { derivedIndicators } from '../derived/catalogue.ts';

const UNREAD = ['world_bank', 'us_census', 'ecb_fx'];
const SLUGS = [...derivedIndicators.map(({ slug }) => slug), FORECASTS];
/** `.ci/run` asks a few lakes of then, drawn by the commit. */
const LAKES = Math.min(7, Number(process.env['LOOK_AHEAD_LAKES'] ?? 7));
const DRAWS = LAKES < 7 ? 300 : 1000;
const SEED = Number(process.env['LOOK_AHEAD_SEED'] ?? 20_261_121);
const RETRIEVED = '2026-11-21T00:00:00.000Z';

describe.skipIf(!existsSync(REAL_DATA) || process.env['LOOK_AHEAD_LAKES'] === undefined)('derived indicators of the real payloads', () => {
  let pipeline: Pipeline;
  beforeAll(async () => {
    pipeline = await openPipeline();
    const effects = { now: () => Date.parse(RETRIEVED), log: SILENT };
    await nightly(
      sources.filter(({ id }) => !UNREAD.includes(id)),
      pipeline.workspace,
      effects,
      resolve(REAL_DATA),
    );
  }, 1_200_000);
  afterAll(() => pipeline.remove());

  it('all have rows', async () => {
    const found = new Set((await targetsOf(await pipeline.open())).map(({ slug }) => slug));
    expect(SLUGS.filter((slug) => !found.has(slug))).toEqual([]);
  });

  it(`answer ${DRAWS} random questions as of random moments like the lake of that time`, { timeout: 2_400_000 }, async () => {
    const report = await compareDraws(pipeline, { draws: DRAWS, lakes: LAKES, seed: SEED, slugs: SLUGS, isCacheShared: false });
    expect(report.differences).toEqual([]);
    expect(Object.keys(report.rows).toSorted()).toEqual(SLUGS.toSorted());
  });
});
