// The statistics over the real payloads beside those of SciPy, statsmodels and pandas, which read the publishers' files themselves (test/peers). All
// rows, both ways: a row that only one side has is a difference too. Run by `npm run test:peers`, which makes the Python environment.
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Comparison, openPeers, type Outcome, type Peers, tableOf } from '../peers/comparison.ts';
import { askForecasts, LATER_MODEL_OF_EACH } from '../peers/forecasts.ts';
import { askScoreInputs, askScores } from '../peers/scores.ts';
import { askScreens } from '../peers/screens.ts';
import { openPipeline, type Pipeline, REAL_DATA } from '../pipeline.ts';

const PYTHON = process.env['PEERS_PYTHON'] ?? '';
const skipped = !existsSync(REAL_DATA)
  ? 'the real payloads are not here'
  : (process.env['PEERS_SKIPPED'] ?? (PYTHON === '' ? 'npm run test:peers runs them' : null));

const FOLDERS = ['cftc/tff_futonly', 'cftc/legacy_futonly', 'fred-md', 'alfred-realtime', 'dg-ecfin-bcs', 'oecd', 'ecb-eurofxref'];
const COMPANIES: Readonly<Record<string, readonly string[]>> = {
  AAPL: ['CIK0000320193', 'CIK0000320193'],
  AMD: ['CIK0000002488', 'CIK0000002488'],
  GOOGL: ['CIK0001652044', 'CIK0001652044'],
  KMB: ['CIK0000055785', 'CIK0000055785'],
  NVDA: ['CIK0001045810', 'CIK0001045810'],
  PG: ['CIK0000080424', 'CIK0000080424'],
  TSLA: ['CIK0001318605_2022', 'CIK0001318605_20221130'],
};

function payloads(): Record<string, Uint8Array> {
  const paths = [
    ...FOLDERS.flatMap((folder) => readdirSync(join(REAL_DATA, folder)).map((name) => `${folder}/${name}`)),
    ...Object.entries(COMPANIES).flatMap(([ticker, [facts, submissions]]) => [
      `sec/companyfacts/${facts}.json`,
      `sec/submissions/${submissions}.json`,
      `prices/daily_json/${ticker}.json`,
    ]),
  ];
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(REAL_DATA, path))]));
}

const metadata = (name: string, type: string) => `(metadata ->> '$.${name}')::${type}`;
const PUBLISHED = 'published.vintages inner join published.series using (series_no)';

const POSITIONS: Comparison = {
  name: 'positions, CFTC (SciPy)',
  ours: `
    select
      if(canonical_id = 'cot_tff_percentile', 'tff', 'legacy') as report, entity_id, period_end::varchar as period_end,
      value as percentile, value_text, ${metadata('net', 'bigint')} as net, ${metadata('weeklyChange', 'bigint')} as weekly_change,
      ${metadata('percentile1y', 'double')} as percentile_1y, ${metadata('percentile3y', 'double')} as percentile_3y,
      ${metadata('zScore3y', 'double')} as z_score_3y, ${metadata('windowCount', 'bigint')} as window_count
    from ${PUBLISHED}
    where canonical_id in ('cot_positioning_percentile', 'cot_tff_percentile') and known_to is null`,
  theirs: `select *, percentile_3y as percentile from peers('positions.csv')`,
  keys: ['report', 'entity_id', 'period_end'],
  measures: {
    percentile: 1e-9,
    percentile_1y: 1e-9,
    percentile_3y: 1e-9,
    z_score_3y: 1.000001e-6,
    net: 0,
    weekly_change: 0,
    window_count: 0,
    value_text: null,
  },
};

const TRANSFORMS: Comparison = {
  name: 'rates and changes, FRED-MD and ALFRED (pandas)',
  ours: `
    select source_id, canonical_id as slug, period, epoch_ms(observed_at) as observed_ms, value
    from ${PUBLISHED}
    where source_id in ('fred', 'fred_md') and canonical_id in (select slug from published.derived_indicators where family = 'macro_transform')`,
  theirs: `from peers('transforms.csv')`,
  keys: ['source_id', 'slug', 'period'],
  instant: 'observed_ms',
  measures: { value: 1e-11 },
};

const BUDGETS: Comparison = {
  name: 'learned budgets, FRED-MD and ALFRED (pandas)',
  ours: `
    select source_id, indicator_id, epoch_ms(known_from) as known_ms, release_count, release_lag_days, budgets.budget_days
    from published.cadence_budgets as budgets
    inner join published.series using (series_no)
    where source_id in ('fred', 'fred_md') and not is_derived`,
  theirs: `from peers('budgets.csv')`,
  keys: ['source_id', 'indicator_id', 'known_ms'],
  // Lags are published to hundredths of a day.
  measures: { release_count: 0, release_lag_days: 0.00501, budget_days: 1e-9 },
};

/** A filing that leaves a multiple without a value, for the same reason, makes no vintage: the row keeps the components of the filing before. */
const UNCHANGED = "if(value is null, 'the filing left it without a value', null)";

const VALUATIONS: Comparison = {
  name: 'prices and filings, SEC and quotes (merge_asof)',
  ours: `
    select
      entity_id, period, epoch_ms(observed_at) as observed_ms, ${metadata('price', 'double')} as price,
      ${metadata('windowEnd', 'varchar')} as window_end, ${metadata('balanceDate', 'varchar')} as balance_date,
      ${metadata('shares', 'double')} as shares, ${metadata('sharesAsOf', 'varchar')} as shares_date, ${UNCHANGED} as unchanged
    from ${PUBLISHED}
    where canonical_id = 'price_to_book'`,
  theirs: `from peers('valuations.csv')`,
  keys: ['entity_id', 'period'],
  instant: 'observed_ms',
  measures: { price: 1e-12, window_end: null, balance_date: null, shares: 1e-12, shares_date: null },
  explainedLater: 'unchanged',
};

/** A multiple with what it divides by. Where our figures withhold twelve months that are no twelve months of one thing, pandas adds them up. */
const multiple = (slug: string, under: string): Comparison => ({
  name: `${slug}, SEC and quotes (pandas)`,
  ours: `
    select entity_id, period, epoch_ms(observed_at) as observed_ms, ${metadata('denominator', 'double')} as ${under}, value as multiple,
      ${metadata('contradictions', 'varchar')} as contradiction, ${UNCHANGED} as unchanged
    from ${PUBLISHED}
    where canonical_id = '${slug}'`,
  theirs: `select entity_id, period, observed_ms, ${under}, ${slug} as multiple from peers('valuations.csv')`,
  keys: ['entity_id', 'period'],
  instant: 'observed_ms',
  measures: { [under]: 1e-11, multiple: 1e-11 },
  explained: 'contradiction',
  explainedLater: 'unchanged',
});
const MULTIPLES = [
  multiple('price_to_book', 'equity'),
  multiple('price_to_earnings', 'eps'),
  multiple('price_to_sales', 'revenue'),
  multiple('price_to_operating_cash_flow', 'operating_cash_flow'),
];

// At the parameters that fit best here, so that nothing but the recursions is compared.
const FORECASTS: Comparison = {
  name: 'forecasts at the same parameters (statsmodels)',
  ours: `
    select sourceId as source_id, indicatorId as indicator_id, cutoff, length, newest, isSeasonal as is_seasonal, forecast
    from asked('asked.json')`,
  theirs: `from peers('forecasts.csv')`,
  keys: ['source_id', 'indicator_id', 'cutoff'],
  measures: { length: 0, newest: 1e-12, is_seasonal: null, forecast: 1e-9 },
};

const DOTM_ETS: Comparison = {
  name: 'forecasts of the later model at the same parameters (statsmodels, SciPy)',
  ours: `
    select sourceId as source_id, indicatorId as indicator_id, cutoff, dotmEts.forecast as dotm_ets, dotmEts.naive as dotm_ets_naive,
      dotmEts.originCount as dotm_ets_origins, dotmEts.ets.squares as ets_squares
    from asked('asked.json') where dotmEts is not null`,
  theirs: `select * from peers('forecasts.csv') where dotm_ets is not null`,
  keys: ['source_id', 'indicator_id', 'cutoff'],
  // The sum of squares comes from normal equations, which lose digits where a start is hardly remembered.
  measures: { dotm_ets: 1e-9, dotm_ets_naive: 1e-12, dotm_ets_origins: 0, ets_squares: 1e-6 },
};

// Those published when the vintage came out; where the random walk had done better, it is the newest value.
const PUBLISHED_FORECASTS: Comparison = {
  name: 'forecasts as published (statsmodels)',
  ours: `
    select source_id, indicator_id, forecast_method, asked.cutoff, forecasts.forecast
    from published.forecasts as forecasts
    inner join published.series using (series_no)
    inner join asked('asked.json') as asked
      on asked.sourceId = source_id and asked.indicatorId = indicator_id and asked.cutoff::timestamptz = forecasts.forecast_origin`,
  theirs: `
    select source_id, indicator_id, forecast_method, theirs.cutoff, if(forecast_method = 'naive_v1', theirs.newest, theirs.forecast) as forecast
    from peers('forecasts.csv') as theirs
    inner join published.series using (source_id, indicator_id)
    inner join published.forecasts as forecasts on forecasts.series_no = series.series_no and forecasts.forecast_origin = theirs.cutoff::timestamptz`,
  keys: ['source_id', 'indicator_id', 'forecast_method', 'cutoff'],
  measures: { forecast: 1e-9 },
};

const SCREENS: Comparison = {
  name: 'screens: prev, chg1, chg12, yoy, z3y, rank, pct (pandas, SciPy)',
  ours: `select moment, field, modifier, entityId as entity_id, value from asked('screened.json')`,
  theirs: `from peers('screens.csv')`,
  keys: ['moment', 'field', 'modifier', 'entity_id'],
  // Changes are given to twelve digits.
  measures: { value: 1e-11 },
};

const SCORES: Comparison = {
  name: 'company scores (SciPy)',
  // The value pillar is null throughout while prices may not be redistributed.
  ours: `select moment, company_id, columns(* exclude (moment, company_id))::double from asked('scored.json')`,
  theirs: `select moment, company_id, columns(* exclude (moment, company_id))::double from peers('scores.csv')`,
  keys: ['moment', 'company_id'],
  measures: { value: 1e-9, quality: 1e-9, growth: 1e-9, financialHealth: 1e-9, composite: 1e-9, coverage: 1e-9 },
};

/** With the number of rows that must be there: a comparison of nothing proves nothing. */
const COMPARED: readonly (readonly [comparison: Comparison, fewest: number])[] = [
  [POSITIONS, 71_000],
  [TRANSFORMS, 60_000],
  [BUDGETS, 700],
  [VALUATIONS, 11_000],
  ...MULTIPLES.map((one) => [one, 11_000] as const),
  [FORECASTS, 400],
  [DOTM_ETS, 400 / LATER_MODEL_OF_EACH],
  [PUBLISHED_FORECASTS, 300],
  [SCREENS, 2_900],
  [SCORES, 350],
];

/** Damped Holt at the parameters found here, and at those that statsmodels found. */
const FITS = `
  select source_id, indicator_id, cutoff[:10] as day, best_gap as gap, damped_sse / best_damped_sse - 1 as excess, smoothing_sse / best_smoothing_sse - 1 as smoothing_excess
  from peers('forecasts.csv')
  where forecast is not null`;
// Forty steps of Nelder-Mead may stop short of the bottom of a flat valley: its squared errors are then greater by no more than this.
const STOPPED_SHORT = 0.02;
// Parts of a series' range between two forecasts.
const FAR = 1e-3;
const NEAR = 1e-4;
// Squared errors that differ by less belong to one valley.
const ALIKE = 1e-4;

const run = promisify(execFile);

describe.skipIf(skipped !== null)(`statistics over the real payloads${skipped === null ? '' : ` (skipped: ${skipped})`}`, () => {
  let pipeline: Pipeline;
  let folder: string;
  let peers: Peers;
  const outcomes: Outcome[] = [];
  const notes: string[] = [];
  const script = async (name: string) =>
    run(PYTHON, [join(import.meta.dirname, '../peers', `${name}.py`), REAL_DATA, folder], {
      env: { PYTHONDONTWRITEBYTECODE: '1', OMP_NUM_THREADS: '1' },
    });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'asof-peers-'));
    pipeline = await openPipeline();
    const scripts = async () => {
      for (const name of ['positions', 'transforms', 'budgets', 'valuations']) await script(name);
    };
    await Promise.all([pipeline.run(payloads(), '2026-11-01T00:00:00.000Z'), scripts()]);
    peers = await openPeers(pipeline, folder);
    await writeFile(join(folder, 'asked.json'), JSON.stringify(await askForecasts(peers)));
    await writeFile(join(folder, 'score_inputs.json'), await askScoreInputs(peers));
    await writeFile(join(folder, 'scored.json'), JSON.stringify(await askScores(await pipeline.open())));
    await writeFile(
      join(folder, 'screened.json'),
      JSON.stringify(await askScreens(await pipeline.open(), [null, '2025-01-31T00:00:00.000Z'])),
    );
    await Promise.all([script('forecasts'), script('screens'), script('scores')]);
  }, 1_200_000);
  afterAll(async () => {
    process.stdout.write(`\n${[tableOf(outcomes), '', ...notes].join('\n')}\n\n`);
    await rm(folder, { recursive: true, force: true });
    await pipeline.remove();
    peers.close();
  });

  it.each(COMPARED)('$name agree', async (comparison, fewest) => {
    const found = await peers.compare(comparison);
    outcomes.push(...found);
    if (comparison.explained !== undefined) {
      const whys = await peers.rows(
        `select entity_id, why, count(*)::integer, min(period), max(period) from paired where why is not null group by all order by all`,
      );
      notes.push(
        ...whys.map(
          ([entity, why, count, first, last]) => `${comparison.name}: ${[entity, first, last, why].join(' ')}: ${String(count)} rows`,
        ),
      );
    }
    expect(found.filter(({ differing, explained, rows }) => differing > 0 || explained > 0.02 * rows)).toEqual([]);
    expect(Math.min(...found.map(({ rows }) => rows))).toBeGreaterThan(fewest);
  });

  it('smoothing fits as closely as that of statsmodels', async () => {
    const [[count, worst] = []] = await peers.rows(`select count(*)::integer, max(smoothing_excess) from (${FITS})`);
    expect(count).toBeGreaterThan(400);
    expect(worst).toBeLessThan(1e-7);
  });

  it('damped Holt fits as closely as that of statsmodels, or reports why not', async () => {
    const [[count, near, closer, alike, short, worst] = []] = await peers.rows(`
      select count(*)::integer, count(*) filter (gap <= ${NEAR})::integer, count(*) filter (excess < -${ALIKE})::integer,
        count(*) filter (abs(excess) <= ${ALIKE})::integer, count(*) filter (excess > ${ALIKE})::integer, max(excess)
      from (${FITS})`);
    const apart = await peers.rows(`select indicator_id, day, gap, excess from (${FITS}) where gap > ${FAR} order by all`);
    notes.push(
      `forecasts at the best parameters of each side: ${String(near)} of ${String(count)} within ${NEAR} of the series' range, ${apart.length} beyond ${FAR}`,
      `squared errors of damped Holt: ours less in ${String(closer)}, equal in ${String(alike)}, more in ${String(short)}, by ${(100 * Number(worst)).toFixed(2)} % at most`,
      ...apart.map(([indicator, day, gap, excess]) => {
        const why = Number(excess) < 0 ? 'statsmodels stopped in a shallower valley' : 'forty steps stopped short in a flat valley';
        return `  ${String(indicator)} ${String(day)}: ${Number(gap).toExponential(1)} of the range, squared errors ${(100 * Number(excess)).toFixed(2)} %: ${why}`;
      }),
    );
    expect(worst).toBeLessThan(STOPPED_SHORT);
    expect(apart.filter(([, , , excess]) => Math.abs(Number(excess)) <= ALIKE)).toEqual([]);
    expect(apart.length).toBeLessThan(0.02 * Number(count));
  });

  it('dynamic Theta fits as closely as the optimum of SciPy', async () => {
    const [[count, worst] = []] = await peers.rows(
      `select count(*)::integer, max(dynamic_excess) from peers('forecasts.csv') where dynamic_excess is not null`,
    );
    expect(count).toBeGreaterThan(400 / LATER_MODEL_OF_EACH);
    expect(worst).toBeLessThan(1e-4);
  });

  it.each([
    [
      'a percentile that counts ties in full',
      POSITIONS,
      "select *, percentile_3y + 50 / window_count as percentile from peers('positions.csv')",
    ],
    ['a report that is missing', POSITIONS, "select *, percentile_3y as percentile from peers('positions.csv') offset 1"],
    ['a rate known a millisecond early', TRANSFORMS, "select * replace (observed_ms - 1 as observed_ms) from peers('transforms.csv')"],
    [
      'a filing met a day late',
      VALUATIONS,
      "select * replace (if(observed_ms % 60000 = 0, observed_ms, observed_ms + 86400000) as observed_ms) from peers('valuations.csv')",
    ],
  ])('%s is found', async (_, comparison, theirs) => {
    const found = await peers.compare({ ...comparison, theirs });
    expect(found.reduce((sum, { differing }) => sum + differing, 0)).toBeGreaterThan(0);
  });
});
