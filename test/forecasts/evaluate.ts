// The models on the series of M1 and Tourism (test/forecasts/evaluate writes them): overall weighted average against Naive2 over the competitions' horizons,
// coverage of the 80 % interval one period ahead. Makridakis, Spiliotis & Assimakopoulos (2020), IJF 36(1), 54-74.
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { type BaselineForecast, baselineForecast, CADENCES } from '../../src/derived/baseline-forecast.ts';
import { dotmEtsBaseline, dotmEtsTestedBaseline, newestThird, rollingOrigin } from '../../src/derived/dotm-ets-baseline.ts';
import { combDotmEts, hasSeason } from '../../src/stats/comb-dotm-ets.ts';
import { combThetaDamped, LOG, RAW, type Scale, type SeriesNature } from '../../src/stats/comb-theta-damped.ts';
import { dynamicTheta } from '../../src/stats/dynamic-optimised-theta.ts';
import { exponentialSmoothing } from '../../src/stats/exponential-smoothing.ts';
import { seasonalNaive } from '../../src/stats/naive.ts';
import { adjust, reseason, seasonalIndices } from '../../src/stats/seasonality.ts';
import type { Series } from '../../src/stats/simple-exponential-smoothing.ts';
import { theta } from '../../src/stats/theta.ts';

const Competition = z.array(
  z.object({
    competition: z.string(),
    frequency: z.enum(['annual', 'quarterly', 'monthly']),
    history: z.array(z.number()),
    future: z.array(z.number()),
  }),
);
type Competitor = z.infer<typeof Competition>[number];

/** Sums of symmetric percentage and scaled errors, and of series. */
interface Sums {
  smape: number;
  mase: number;
  count: number;
}

const methods = new Map<string, Map<string, Sums>>();
const covered = new Map<string, Map<string, { inside: number; count: number }>>();

function at<Value>(table: Map<string, Map<string, Value>>, row: string, column: string, none: () => Value): Value {
  const cells = table.get(row) ?? new Map<string, Value>();
  table.set(row, cells);
  const value = cells.get(column) ?? none();
  cells.set(column, value);
  return value;
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The same value again and again. */
const held = (value: number | undefined, horizon: number) => Array.from({ length: horizon }, () => value ?? Number.NaN);

/** The methods that forecast a history without its season, which is put back afterwards. */
function membersOf(history: Series, season: number | null, horizon: number): Readonly<Record<string, readonly number[]>> {
  const kind = isPositive(history) ? 'multiplicative' : 'additive';
  const indices = season === null ? null : seasonalIndices(history, season, kind);
  const adjusted = indices === null ? history : adjust(history, indices, kind);
  const again = (values: readonly number[]) =>
    indices === null ? values : values.map((value, index) => reseason(value, history.length + index, indices, kind));
  return {
    Naive2: again(held(adjusted.at(-1), horizon)),
    'classic Theta': again(theta(adjusted, horizon)),
    'dynamic optimised Theta': again(dynamicTheta(adjusted, horizon)),
    'ETS by AICc': again(exponentialSmoothing(adjusted, horizon)),
  };
}

const isPositive = (history: Series) => history.every((value) => value > 0);
const isChosen = (made: BaselineForecast | null) => made !== null && made.combination !== null && made.isBetterWithin();

function forecastsOf({ frequency, history: given, future }: Competitor): Readonly<Record<string, readonly number[]>> {
  const history = Float64Array.from(given);
  const rules = CADENCES[frequency];
  const nature = natureOf(frequency);
  const horizon = future.length;
  const season = hasSeason(history, nature) ? nature.seasonalPeriod : null;
  const on = (scale: Scale) => combDotmEts(history, horizon, nature, scale);
  const combination = on(rollingOrigin(history, nature, rules).preferredScale());
  const earlier = combThetaDamped(history, horizon, nature);
  // Annual series had no forecasts of the earlier model.
  const isEarlierChosen = frequency === 'annual' || isChosen(baselineForecast(history, nature, rules, []));
  return {
    ...membersOf(history, season, horizon),
    'comb_dotm_ets_v2, log': on(isPositive(history) ? LOG : RAW),
    'comb_dotm_ets_v2, raw': on(RAW),
    comb_dotm_ets_v2: combination,
    'v3 as published': isChosen(dotmEtsTestedBaseline(history, nature, rules, []))
      ? on(rollingOrigin(history, nature, rules, newestThird).preferredScale())
      : seasonalNaive(history, horizon, season ?? 1),
    'v2 as published': isChosen(dotmEtsBaseline(history, nature, rules, [])) ? combination : seasonalNaive(history, horizon, season ?? 1),
    comb_theta_damped_v1: earlier,
    'v1 as published': isEarlierChosen ? earlier : held(history.at(-1), horizon),
  };
}

function natureOf(frequency: Competitor['frequency']): SeriesNature {
  const { periodsPerYear } = CADENCES[frequency];
  return { isLevel: true, seasonalPeriod: periodsPerYear > 1 ? periodsPerYear : null };
}

function cover(one: Competitor, groups: readonly string[]): void {
  const rules = CADENCES[one.frequency];
  const nature = natureOf(one.frequency);
  const [actual = Number.NaN] = one.future;
  for (const [name, method] of [
    ['v1 as published', baselineForecast],
    ['v2 as published', dotmEtsBaseline],
    ['v3 as published', dotmEtsTestedBaseline],
  ] as const) {
    const made = method(Float64Array.from(one.history), nature, rules, []);
    if (made === null) continue;
    const { lower, upper } = made.combination !== null && made.isBetterWithin() ? made.combination : made.naive;
    for (const group of groups) {
      const cell = at(covered, name, group, () => ({ inside: 0, count: 0 }));
      cell.count += 1;
      if (lower <= actual && actual <= upper) cell.inside += 1;
    }
  }
}

for (const one of Competition.parse(JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')))) {
  const lag = CADENCES[one.frequency].periodsPerYear;
  const steps = one.history.slice(lag).map((value, index) => Math.abs(value - (one.history[index] ?? Number.NaN)));
  const scale = mean(steps);
  if (!(scale > 0)) continue;
  const groups = [`${one.competition} ${one.frequency}`, one.competition, 'all'];
  for (const [name, forecast] of Object.entries(forecastsOf(one))) {
    const errors = one.future.map((actual, index) => Math.abs(actual - (forecast[index] ?? Number.NaN)));
    const sizes = one.future.map((actual, index) => Math.abs(actual) + Math.abs(forecast[index] ?? Number.NaN));
    const smape = mean(errors.map((error, index) => (error === 0 ? 0 : (200 * error) / (sizes[index] ?? Number.NaN))));
    for (const group of groups) {
      const sums = at(methods, name, group, () => ({ smape: 0, mase: 0, count: 0 }));
      sums.smape += smape;
      sums.mase += mean(errors) / scale;
      sums.count += 1;
    }
  }
  cover(one, groups);
}

const COLUMNS = [
  'M1 monthly',
  'M1 quarterly',
  'M1 annual',
  'Tourism monthly',
  'Tourism quarterly',
  'Tourism annual',
  'M1',
  'Tourism',
  'all',
];
const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
const table = (title: string, rows: readonly (readonly string[])[]) =>
  [line([title, ...COLUMNS]), line(['---', ...COLUMNS.map(() => '--:')]), ...rows.map(line)].join('\n');

const benchmark = methods.get('Naive2');
const owa = [...methods].map(([name, cells]) => [
  name,
  ...COLUMNS.map((column) => {
    const [sums, base] = [cells.get(column), benchmark?.get(column)];
    return sums === undefined || base === undefined ? '' : ((sums.smape / base.smape + sums.mase / base.mase) / 2).toFixed(3);
  }),
]);
const coverage = [...covered].map(([name, cells]) => [
  name,
  ...COLUMNS.map((column) => {
    const cell = cells.get(column);
    return cell === undefined ? '' : (cell.inside / cell.count).toFixed(3);
  }),
]);
const cost = (['v2 as published', 'v3 as published'] as const).map((name) => [
  name,
  ...COLUMNS.map((column) => {
    const [made, alone] = [methods.get(name)?.get(column), methods.get('comb_dotm_ets_v2')?.get(column)];
    return made === undefined || alone === undefined ? '' : (made.mase / alone.mase).toFixed(3);
  }),
]);
process.stdout.write(`${table('scaled error of the choice over that of the combination', cost)}\n\n`);
process.stdout.write(`${table('overall weighted average', owa)}\n\n${table('coverage of 80 %, one period ahead', coverage)}\n`);
