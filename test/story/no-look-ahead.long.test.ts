// Nothing says anything as of a moment that was not known then: derived indicators and forecasts, and every route that answers dated things, are held
// against lakes that hold only what was known by then. New indicators join by themselves: the list is data/reference/derived_indicators.csv.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { derivedIndicators } from '../derived/catalogue.ts';
import { FORECASTS, targetsOf } from './look-ahead/draws.ts';
import { COMPANIES, openTwiceToldLake, TOLD_AT, type TwiceToldLake } from './look-ahead/lake.ts';
import { GIVEN_AWAY, LEAKING, LEAKY, SOUND } from './look-ahead/leaks.ts';
import { compareWithLakesOfThen, type SuiteReport } from './look-ahead/suite.ts';
import { ASKED_ROUTES, type Kind } from './look-ahead/then-routes.ts';

/** Lakes of earlier times; `npm run test:lookahead` builds more, and asks 1,000 times. */
const LAKES = Number(process.env['LOOK_AHEAD_LAKES'] ?? 2);
const DRAWS = LAKES > 2 ? 1000 : 150 * LAKES;
const SLUGS = [...derivedIndicators.map(({ slug }) => slug), FORECASTS];
/** Derived indicators of which the generated lake has no row, each with the reason. */
const WITHOUT_ROWS: Readonly<Record<string, string>> = {
  core_cpi_inflation_quarterly: 'the generated lake has no core prices; the rule is that of cpi_inflation_quarterly',
  gdp_growth_of_year: 'the generated lake has no years of the euro area; test/boundaries/transforms has the rule',
};

/** Rows that are compared at least, over all lakes of then. */
const LEAST_ROWS: Readonly<Record<Kind, number>> = {
  observations: 2000,
  provenance: 8,
  prices: 1000,
  filings: 500,
  calendar: 50,
  events: 30,
  companies: 3,
  entities: 500,
  screener: 1000,
  coverage: 6,
};

let lake: TwiceToldLake;
let sound: SuiteReport | undefined;
let leaking: SuiteReport | undefined;
beforeAll(
  async () => {
    lake = await openTwiceToldLake();
    const planted = await lake.builtBy(LEAKY);
    [sound, leaking] = await compareWithLakesOfThen(
      [
        { pipeline: lake.pipeline, slugs: SLUGS, draws: DRAWS },
        { pipeline: planted, slugs: [...LEAKING, ...SOUND], draws: 40 * LAKES },
      ],
      {
        lakes: LAKES,
        seed: Number(process.env['LOOK_AHEAD_SEED'] ?? 20_260_618),
        companies: COMPANIES,
        isCacheShared: true,
        between: TOLD_AT,
        now: '2026-07-01T00:00:00.000Z',
      },
    );
  },
  600_000 + 240_000 * LAKES,
);
afterAll(() => lake.remove());

describe('derived indicators', () => {
  it('all have rows in the generated lake, or a reason in WITHOUT_ROWS', async () => {
    const found = new Set((await targetsOf(await lake.pipeline.open())).map(({ slug }) => slug));
    const missing = SLUGS.filter((slug) => !found.has(slug));
    const remedy = 'has no row to test: give jobs/sample or test/story/look-ahead/lake.ts the payloads that it is computed from';
    expect(missing.map((slug) => `${slug} ${remedy}`)).toEqual(Object.keys(WITHOUT_ROWS).map((slug) => `${slug} ${remedy}`));
  });

  it(`answer ${DRAWS} random questions as of random moments like the lake of that time`, () => {
    expect(sound?.draws.differences).toEqual([]);
    expect(Object.keys(sound?.draws.rows ?? {}).toSorted()).toEqual(SLUGS.filter((slug) => WITHOUT_ROWS[slug] === undefined).toSorted());
    expect(Object.entries(sound?.draws.rows ?? {}).filter(([, rows]) => rows < 4)).toEqual([]);
  });

  it('fail this test if they use later knowledge', () => {
    expect([...new Set(leaking?.draws.differences.map(({ slug }) => slug))].toSorted()).toEqual(LEAKING.toSorted());
  });
});

describe('the routes of the served description', () => {
  it('are all asked, or skipped for a reason', () => {
    expect(sound?.routes.missed).toEqual([]);
  });

  it('all return rows to compare', () => {
    process.stdout.write(`${JSON.stringify(sound?.routes.compared)}\n`);
    expect(ASKED_ROUTES.filter((route) => (sound?.routes.compared[route]?.rows ?? 0) === 0)).toEqual([]);
  });

  it(`answer as of ${LAKES} random moments like the lake of that time, field by field`, () => {
    expect(sound?.routes.differences.slice(0, 5)).toEqual([]);
    process.stdout.write(`${JSON.stringify(sound?.routes.rows)}\n`);
    expect(Object.entries(LEAST_ROWS).filter(([kind, least]) => (sound?.routes.rows[kind as Kind] ?? 0) < least)).toEqual([]);
  });

  it.each(GIVEN_AWAY)('fail this test if they show later knowledge: %s', (kind, field) => {
    const fields = leaking?.routes.differences.filter((one) => one.kind === kind).map((one) => String(one.field));
    expect(fields?.filter((one) => field.test(one))).not.toEqual([]);
  });
});
