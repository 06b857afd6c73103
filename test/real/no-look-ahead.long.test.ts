// The same over the publishers' own bytes, where they are, on demand: npm run test:lookahead.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nightly } from '../../jobs/nightly.ts';
import { sources } from '../../src/sources/index.ts';
import { FORECASTS, targetsOf } from '../story/look-ahead/draws.ts';
import { compareWithLakesOfThen, type SuiteReport } from '../story/look-ahead/suite.ts';
import { ASKED_ROUTES, type Kind } from '../story/look-ahead/then-routes.ts';
import { openPipeline, type Pipeline, REAL_DATA, SILENT } from '../pipeline.ts';
import { derivedIndicators } from '../derived/catalogue.ts';

/** Annual figures by the hundred thousand, dated by their files alone. */
const LEFT_OUT = ['world_bank'];
/** No payload has what these are computed from. */
const WITHOUT_FILES = [
  'core_cpi_inflation_quarterly',
  'gdp_growth_of_year',
  'hicp_inflation_of_year',
  'unemployment_rate_of_year',
  'cot_disaggregated_percentile',
  'cot_disaggregated_percentile_combined',
  'cot_positioning_percentile_combined',
  'cot_tff_percentile_combined',
];
const SLUGS = [...derivedIndicators.map(({ slug }) => slug), FORECASTS];
const LAKES = 3;
const DRAWS = 1000;
/** Each of these lakes takes minutes to derive: `.ci/run` leaves them to CI_WHOLE=1, and holds the generated lake against a few of then. */
const IS_ASKED = Number(process.env['LOOK_AHEAD_LAKES'] ?? 0) >= LAKES;
const SEED = Number(process.env['LOOK_AHEAD_SEED'] ?? 20_261_121);
const RETRIEVED = '2026-11-21T00:00:00.000Z';
/** Later than the night. A kept folder may be younger: then an hour after its newest knowledge, because nothing is known before it is retrieved. */
const NOW = '2026-11-28T12:00:00.000Z';
const nowAfter = (cutoff: string) => new Date(Math.max(Date.parse(NOW), Date.parse(cutoff) + 3_600_000)).toISOString();
/** A folder in which a night over the payloads has been published: saves the night, and is left as it is. */
const KEPT = process.env['LOOK_AHEAD_DATA_DIR'];
/** AMD, Kimberly-Clark, Procter & Gamble, Apple, NVIDIA, Tesla, Alphabet, and one that no submissions file lists. */
const COMPANIES = ['2488', '55785', '80424', '320193', '1045810', '1318605', '1652044', '1997711'];

/** Rows that are compared at least, over all lakes of then. */
const LEAST_ROWS: Readonly<Record<Kind, number>> = {
  observations: 2000,
  provenance: 8,
  prices: 1000,
  filings: 1000,
  calendar: 100,
  events: 100,
  companies: 10,
  entities: 1000,
  screener: 1000,
  coverage: 6,
};

describe.skipIf(!existsSync(REAL_DATA) || !IS_ASKED)('the real payloads', () => {
  let pipeline: Pipeline;
  let report: SuiteReport | undefined;
  beforeAll(async () => {
    pipeline = await openPipeline({ engineMemory: '3GB', ...(KEPT === undefined ? {} : { dataDir: resolve(KEPT) }) });
    if (KEPT === undefined) {
      const effects = { now: () => Date.parse(RETRIEVED), log: SILENT };
      await nightly(
        sources.filter(({ id }) => !LEFT_OUT.includes(id)),
        pipeline.workspace,
        effects,
        resolve(REAL_DATA),
      );
    }
    [report] = await compareWithLakesOfThen([{ pipeline, slugs: SLUGS, draws: DRAWS }], {
      lakes: LAKES,
      seed: SEED,
      companies: COMPANIES,
      isCacheShared: false,
      now: nowAfter((await pipeline.open()).knowledgeCutoff),
    });
  }, 14_400_000);
  afterAll(async () => {
    if (KEPT === undefined) await pipeline.remove();
  });

  it('have rows of all derived indicators with a file among them', async () => {
    const found = new Set((await targetsOf(await pipeline.open())).map(({ slug }) => slug));
    expect(SLUGS.filter((slug) => !found.has(slug))).toEqual(WITHOUT_FILES);
  });

  it(`answer ${DRAWS} random questions of these as of random moments like the lake of that time`, () => {
    expect(report?.draws.differences).toEqual([]);
    expect(Object.keys(report?.draws.rows ?? {}).toSorted()).toEqual(SLUGS.filter((slug) => !WITHOUT_FILES.includes(slug)).toSorted());
  });

  it('answer all other questions as of these moments like the lake of that time, field by field', () => {
    expect(report?.routes.differences.slice(0, 5)).toEqual([]);
    process.stdout.write(`${JSON.stringify(report?.routes.compared)}\n`);
    expect(report?.routes.missed).toEqual([]);
    expect(ASKED_ROUTES.filter((route) => (report?.routes.compared[route]?.rows ?? 0) === 0)).toEqual([]);
    expect(Object.entries(LEAST_ROWS).filter(([kind, least]) => (report?.routes.rows[kind as Kind] ?? 0) < least)).toEqual([]);
  });
});
