"""Forecasts of every series of FRED-MD and ALFRED at some moments, by statsmodels: reads asked.json, writes forecasts.csv.

Each at the parameters given, where nothing but the recursion is compared, and at those that statsmodels finds best. comb_dotm_ets_v2 at the parameters given:
ETS is that of statsmodels, dynamic Theta (which it does not have) takes the lines through all points so far from sums; its best parameters come from SciPy.

python forecasts.py REAL_DATA OUT
"""
import json
import multiprocessing
import pathlib
import sys
import warnings

import numpy
import pandas
from scipy.optimize import lsq_linear
from statsmodels.tsa.exponential_smoothing.ets import ETSModel
from statsmodels.tsa.forecasting.theta import ThetaModel
from statsmodels.tsa.holtwinters import ExponentialSmoothing, Holt, SimpleExpSmoothing
from statsmodels.tsa.seasonal import seasonal_decompose
from statsmodels.tsa.stattools import acf

from vintages import alfred_levels, fred_md, fred_md_levels, indicators

REAL, OUT = (pathlib.Path(argument) for argument in sys.argv[1:3])
BOUNDS = {'smoothing_level': (1e-4, 1), 'smoothing_trend': (1e-4, 1), 'damping_trend': (0.8, 0.98)}


def history_of(known):
    """The unbroken stretch up to the newest value; one missing period is bridged by the mean of its neighbours."""
    known = known.loc[: known.last_valid_index()]
    bridged = known.fillna((known.shift(1) + known.shift(-1)) / 2)
    gaps = numpy.flatnonzero(bridged.isna().to_numpy())
    return bridged.to_numpy()[gaps[-1] + 1 if len(gaps) else 0 :]


def is_seasonal(values, period):
    if len(values) < 3 * period or numpy.ptp(values) == 0:
        return False
    correlations = acf(values, nlags=period, fft=False)[1:]
    return abs(correlations[-1]) > 1.645 * numpy.sqrt((1 + 2 * numpy.sum(correlations[:-1] ** 2)) / len(values))


def start(values):
    """The line through the first ten points, at zero."""
    slope, intercept = numpy.polyfit(numpy.arange(1, 11), values[:10], 1)
    return {'initialization_method': 'known', 'initial_level': intercept, 'initial_trend': slope}


def theta_at(values, results, alpha):
    results._alpha = alpha
    results._one_step = ses(values, alpha).forecast(1)
    return results.forecast(1).iloc[0]


def ses(values, alpha=None):
    model = SimpleExpSmoothing(values, initialization_method='known', initial_level=values[0])
    return model.fit() if alpha is None else model.fit(alpha, optimized=False)


def damped_best(values):
    model = ExponentialSmoothing(values, trend='add', damped_trend=True, bounds=BOUNDS, **start(values))
    return min((model.fit(method=method) for method in ('SLSQP', 'L-BFGS-B')), key=lambda result: result.sse)


def damped_at(values, alpha, beta, phi):
    return Holt(values, damped_trend=True, **start(values)).fit(alpha, beta, damping_trend=phi, optimized=False)


def lines(values):
    """Intercept and slope of the line through the first 0, 1, ... points, the first point at 1; of one point it is level."""
    n = numpy.arange(1, len(values) + 1)
    shifted = values - values[0]
    mean, cross = numpy.cumsum(shifted) / n, numpy.cumsum(n * shifted)
    spread = n * (n * n - 1.0) / 12
    slope = numpy.divide(cross - n * (n + 1) / 2 * mean, spread, out=numpy.zeros(len(n)), where=spread > 0)
    return numpy.r_[0, values[0] + mean - slope * (n + 1) / 2], numpy.r_[0, slope]


def dynamic_parts(values, alpha):
    """The next forecast and those of all points, smoothed from 0; what is left of the start; the trend's part."""
    t = numpy.arange(1, len(values) + 2)
    left = (1 - alpha) ** (t - 1)
    intercept, slope = lines(values)
    level, levels = 0.0, [0.0]
    for value in values:
        level = alpha * value + (1 - alpha) * level
        levels.append(level)
    return numpy.array(levels), left, left * intercept + (1 - (1 - alpha) ** t) / alpha * slope


def dynamic_theta(values, alpha, level, weight):
    levels, left, trend = dynamic_parts(values, alpha)
    made = levels + level * left + weight * trend
    return made[-1], float(numpy.sum((values - made[:-1])[3:] ** 2))


def best_dynamic_squares(values):
    """Of a grid of alphas; start and weight by bounded least squares."""
    centred = values - values[0]

    def squares(alpha):
        levels, left, trend = dynamic_parts(centred, alpha)
        parts = numpy.column_stack([left[3:-1], trend[3:-1]])
        return 2 * lsq_linear(parts, (centred - levels[:-1])[3:], bounds=([-numpy.inf, 0], [numpy.inf, 1]), method='bvls').cost

    return min(squares(alpha) for alpha in numpy.linspace(0.1, 0.99, 24))


def dotm_ets(values, adjusted, asked, back):
    """The combination at the parameters given, the naive forecast, and how many points the rolling origin leaves."""
    given = asked['dotmEts']
    theta, squares = dynamic_theta(adjusted, **given['theta'])
    ets = given['ets']
    model = ETSModel(adjusted, error='add', trend=None if ets['kind'] == 'ANN' else 'add', damped_trend=ets['kind'] == 'AAdN', initialization_method='estimated')
    named = {'smoothing_level': 'alpha', 'smoothing_trend': 'beta', 'damping_trend': 'phi', 'initial_level': 'level', 'initial_trend': 'trend'}
    result = model.smooth([ets[named[name]] for name in model.param_names])
    period = asked['seasonalPeriod'] if asked['isSeasonal'] else None
    monthly = asked['fewest'] == 36
    trained = 3 * period + 1 if period else (12 if monthly else 4)
    return {
        'dotm_ets': back((theta + numpy.asarray(result.forecast(1))[0]) / 2),
        'dotm_ets_naive': values[-(period or 1)],
        'dotm_ets_origins': max(0, min(60 if monthly else 40, len(values) - trained)),
        'ets_squares': result.sse,
        'dynamic_excess': squares / best_dynamic_squares(adjusted) - 1,
    }


def forecast(task):
    asked, known = task
    warnings.simplefilter('ignore')
    values = history_of(known)
    is_log = asked['isLevel'] and (values > 0).all()
    period = asked['seasonalPeriod']
    kind = 'multiplicative' if is_log else 'additive'
    seasonal = None
    adjusted = values
    if period is not None and is_seasonal(values, period):
        seasonal = seasonal_decompose(values, model=kind, period=period).seasonal
        adjusted = values / seasonal if is_log else values - seasonal
    plain = adjusted
    if is_log:
        adjusted = numpy.log(adjusted)

    def back(mean, logarithmic=is_log):
        value = numpy.exp(mean) if logarithmic else mean
        if seasonal is None:
            return value
        index = seasonal[len(values) % period]
        return value * index if is_log else value + index

    row = {'source_id': asked['sourceId'], 'indicator_id': asked['indicatorId'], 'cutoff': asked['cutoff'], 'length': len(values), 'newest': values[-1], 'is_seasonal': seasonal is not None}
    if len(values) < asked['fewest'] or numpy.ptp(adjusted) == 0:
        return row
    theta = ThetaModel(adjusted, deseasonalize=False).fit()
    best_members = [theta.forecast(1).iloc[0], ses(adjusted).forecast(1)[0]]
    best, given = damped_best(adjusted), damped_at(adjusted, asked['damped']['alpha'], asked['damped']['beta'], asked['damped']['phi'])
    given_smoothing = ses(adjusted, asked['alpha'])
    given_members = [theta_at(adjusted, theta, asked['alpha']), given_smoothing.forecast(1)[0], given.forecast(1)[0]]
    centre = numpy.mean(given_members)
    chosen = asked['dotmEts'] and asked['dotmEts']['isLog']
    return {
        **row,
        **(dotm_ets(values, numpy.log(plain) if chosen else plain, asked, lambda mean: back(mean, chosen)) if asked['dotmEts'] else {}),
        'forecast': back(centre),
        'best_gap': abs(numpy.mean([*best_members, best.forecast(1)[0]]) - centre) / numpy.ptp(adjusted),
        'smoothing_sse': given_smoothing.sse,
        'best_smoothing_sse': ses(adjusted).sse,
        'damped_sse': given.sse,
        'best_damped_sse': best.sse,
        'best_alpha': best.params['smoothing_level'],
        'best_beta': best.params['smoothing_trend'],
        'best_phi': best.params['damping_trend'],
    }


def tasks():
    asked = json.loads((OUT / 'asked.json').read_text())
    tables = fred_md(REAL)
    names = {indicator: name for name, indicator in indicators('fred').items() if (REAL / 'alfred-realtime' / f'{name}.csv').exists()}
    levels = {}
    for one in asked:
        key = one['sourceId'], one['indicatorId']
        if key not in levels:
            levels[key] = fred_md_levels(tables, key[1]) if key[0] == 'fred_md' else alfred_levels(REAL, names[key[1]])
        yield one, levels[key].loc[: pandas.Timestamp(one['cutoff']).tz_localize(None)].iloc[-1]


if __name__ == '__main__':
    with multiprocessing.Pool(2) as pool:
        pandas.DataFrame(pool.map(forecast, list(tasks()), chunksize=8)).to_csv(OUT / 'forecasts.csv', index=False)
