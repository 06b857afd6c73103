// The forecasts that statsmodels is asked for, of both models: each series as it was known at a moment, with the parameters that fit it best here.
import { historyUpTo } from '../../src/derived/forecast-runs.ts';
import { CADENCES, type CadenceRules } from '../../src/derived/baseline-forecast.ts';
import { rollingOrigin } from '../../src/derived/dotm-ets-baseline.ts';
import { combDotmEts } from '../../src/stats/comb-dotm-ets.ts';
import { combThetaDamped, LOG, scaleOf, type SeriesNature } from '../../src/stats/comb-theta-damped.ts';
import { type DampedHoltParameters, fitDampedHolt } from '../../src/stats/damped-holt.ts';
import { type DynamicThetaParameters, fitDynamicTheta } from '../../src/stats/dynamic-optimised-theta.ts';
import { fitExponentialSmoothing, type SmoothingModel } from '../../src/stats/exponential-smoothing.ts';
import { adjust, isSeasonal, seasonalIndices } from '../../src/stats/seasonality.ts';
import { fitSmoothing, type Series } from '../../src/stats/simple-exponential-smoothing.ts';
import type { Peers } from './comparison.ts';

const END_OF_DAY = 'T23:59:59.999Z';
const CUTOFFS = [
  { sourceId: 'fred_md', days: ['2016-06-30', '2020-05-31', '2024-03-31'] },
  { sourceId: 'fred', days: ['2005-06-30', '2015-06-30'] },
];

/** The later model is asked of one series in so many: its rolling origins take minutes over all of them. */
export const LATER_MODEL_OF_EACH = Number(process.env['PEERS_EVERY'] ?? '1');

export interface AskedForecast {
  readonly sourceId: string;
  readonly indicatorId: string;
  readonly cutoff: string;
  readonly isLevel: boolean;
  readonly seasonalPeriod: number | null;
  readonly fewest: number;
  readonly length: number;
  readonly newest: number;
  readonly isSeasonal: boolean;
  readonly alpha: number | null;
  readonly damped: DampedHoltParameters | null;
  readonly forecast: number | null;
  /** comb_dotm_ets_v2, on the scale that its backtest prefers. */
  readonly dotmEts: {
    readonly isLog: boolean;
    readonly theta: DynamicThetaParameters;
    readonly ets: SmoothingModel;
    readonly forecast: number;
    readonly originCount: number;
    readonly naive: number;
  } | null;
}

export async function askForecasts(peers: Peers): Promise<readonly AskedForecast[]> {
  const asked: AskedForecast[] = [];
  for (const { sourceId, days } of CUTOFFS) {
    for (const day of days) asked.push(...(await askAt(peers, sourceId, `${day}${END_OF_DAY}`)));
  }
  return asked;
}

async function askAt(peers: Peers, sourceId: string, cutoff: string): Promise<AskedForecast[]> {
  const rows = await peers.rows(`
    select indicator_id, frequency, comparison_basis = 'level' and unit not in ('percent', 'percentage_points', 'balance'), seasonal_adjustment = 'nsa',
      (if(frequency = 'monthly', 12, 4) * year(period_end) + if(frequency = 'monthly', month(period_end), quarter(period_end)) - 1)::integer, value
    from published.vintages inner join published.series using (series_no)
    where source_id = '${sourceId}' and not is_derived and frequency in ('monthly', 'quarterly') and value is not null
      and observed_at <= timestamptz '${cutoff}' and (known_to is null or known_to > timestamptz '${cutoff}')
    -- Not those that had ended by then, whose history would be compared again and again.
    qualify max(period_end) over (partition by series_no) > timestamptz '${cutoff}'::date - 366
    order by series_no, period_end`);
  const known = new Map<string, { cadence: 'monthly' | 'quarterly'; nature: SeriesNature; values: Map<number, number> }>();
  for (const [indicatorId, frequency, isLevel, isUnadjusted, period, value] of rows) {
    const cadence = frequency === 'monthly' ? 'monthly' : 'quarterly';
    const nature = { isLevel: isLevel === true, seasonalPeriod: isUnadjusted === true ? CADENCES[cadence].periodsPerYear : null };
    const series = known.get(String(indicatorId)) ?? { cadence, nature, values: new Map<number, number>() };
    known.set(String(indicatorId), series);
    series.values.set(Number(period), Number(value));
  }
  return [...known].map(([indicatorId, { cadence, nature, values }], index) => {
    const history = historyUpTo(Math.max(...values.keys()), values);
    return { sourceId, indicatorId, cutoff, ...ask(history, nature, CADENCES[cadence], index % LATER_MODEL_OF_EACH === 0) };
  });
}

function ask(
  history: Series,
  nature: SeriesNature,
  rules: CadenceRules,
  isOfLaterModel: boolean,
): Omit<AskedForecast, 'sourceId' | 'indicatorId' | 'cutoff'> {
  const { seasonalPeriod } = nature;
  const fewest = rules.fewestForCombination;
  const season = seasonalPeriod !== null && isSeasonal(history, seasonalPeriod) ? seasonalPeriod : null;
  const common = { ...nature, fewest, length: history.length, newest: history.at(-1) ?? Number.NaN, isSeasonal: season !== null };
  if (history.length < fewest || history.every((value) => value === history[0]))
    return { ...common, alpha: null, damped: null, forecast: null, dotmEts: null };
  const scale = scaleOf(history, nature);
  const kind = nature.isLevel && history.every((value) => value > 0) ? 'multiplicative' : 'additive';
  const plain = season === null ? history : adjust(history, seasonalIndices(history, season, kind), kind);
  const adjusted = plain.map(scale.to);
  const [forecast = Number.NaN] = combThetaDamped(history, 1, nature);
  return {
    ...common,
    alpha: fitSmoothing(adjusted),
    damped: fitDampedHolt(adjusted),
    forecast,
    dotmEts: isOfLaterModel ? askLaterModel(history, plain, nature, rules) : null,
  };
}

function askLaterModel(history: Series, plain: Series, nature: SeriesNature, rules: CadenceRules): NonNullable<AskedForecast['dotmEts']> {
  const { preferredScale, count, rivalForecast } = rollingOrigin(history, nature, rules);
  const preferred = preferredScale();
  const onPreferred = plain.map(preferred.to);
  const [combined = Number.NaN] = combDotmEts(history, 1, nature, preferred);
  return {
    isLog: preferred === LOG,
    theta: fitDynamicTheta(onPreferred),
    ets: fitExponentialSmoothing(onPreferred),
    forecast: combined,
    originCount: count,
    naive: rivalForecast,
  };
}
