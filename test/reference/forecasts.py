"""Forecasts of generated series by statsmodels: writes test/fixtures/stats/forecasts.json.

Each at given parameters, where nothing but the recursion is compared, and at the parameters that each side finds best.
"""
import json
import pathlib
import warnings

import numpy
from statsmodels.tsa.forecasting.theta import ThetaModel
from statsmodels.tsa.holtwinters import ExponentialSmoothing, Holt, SimpleExpSmoothing
from statsmodels.tsa.seasonal import seasonal_decompose
from statsmodels.tsa.stattools import acf

warnings.simplefilter('ignore')
HORIZON = 6


def generated():
    random = numpy.random.default_rng(20260401)
    noise = random.standard_normal
    month = numpy.arange(240)
    yield 'walk', 100 + numpy.cumsum(noise(240)), 12
    yield 'trend', 50 + 0.4 * month + 2 * noise(240), 12
    yield 'level', 5 + numpy.cumsum(0.05 * noise(240)) + 0.3 * noise(240), 12
    yield 'turning', numpy.cumsum(numpy.cumsum(0.02 * noise(240)) * 0.5 + 0.2 * noise(240)), 12
    yield 'short', 20 + numpy.cumsum(0.5 + noise(36)), 12
    yield 'quarterly', 1000 * numpy.exp(numpy.cumsum(0.006 + 0.008 * noise(80))), 4
    yield 'seasonal', (200 + month) * (1 + 0.15 * numpy.sin(2 * numpy.pi * month / 12)) * numpy.exp(0.02 * noise(240)), 12
    quarter = numpy.arange(60)
    yield 'seasonal_quarterly', 10 * numpy.cos(numpy.pi * quarter / 2) + numpy.cumsum(noise(60)), 4


def start(values):
    # The line through the first ten points, at zero.
    slope, intercept = numpy.polyfit(numpy.arange(1, 11), values[:10], 1)
    return intercept, slope


def damped(values, **fit):
    level, trend = start(values)
    model = Holt(values, damped_trend=True, initialization_method='known', initial_level=level, initial_trend=trend)
    return model.fit(**fit)


def damped_best(values):
    level, trend = start(values)
    model = ExponentialSmoothing(
        values,
        trend='add',
        damped_trend=True,
        initialization_method='known',
        initial_level=level,
        initial_trend=trend,
        bounds={'smoothing_level': (1e-4, 1), 'smoothing_trend': (0, 1), 'damping_trend': (0.8, 0.98)},
    )
    return min((model.fit(method=method) for method in ('SLSQP', 'L-BFGS-B', 'TNC')), key=lambda result: result.sse)


def theta_at(values, alpha):
    results = ThetaModel(values, deseasonalize=False).fit()
    results._alpha = alpha
    results._one_step = SimpleExpSmoothing(values, initialization_method='known', initial_level=values[0]).fit(alpha, optimized=False).forecast(1)
    return results.forecast(HORIZON)


def ses(values, alpha=None):
    model = SimpleExpSmoothing(values, initialization_method='known', initial_level=values[0])
    return model.fit() if alpha is None else model.fit(alpha, optimized=False)


def decomposed(values, period, kind):
    return seasonal_decompose(values, model=kind, period=period).seasonal[:period].tolist()


def expected(values, period, is_seasonal):
    theta, best = ThetaModel(values, deseasonalize=False).fit(), damped_best(values)
    listed = lambda forecast: numpy.asarray(forecast).tolist()
    return {
        'values': values.tolist(),
        'period': period,
        'given': {
            'theta': {str(alpha): listed(theta_at(values, alpha)) for alpha in (0.1, 0.6, 1.0)},
            'smoothing': {str(alpha): listed(ses(values, alpha).forecast(HORIZON)) for alpha in (0.1, 0.6, 1.0)},
            'damped': [
                {'alpha': a, 'beta': b, 'phi': p, 'fitted': listed(fit.fittedvalues), 'forecast': listed(fit.forecast(HORIZON))}
                for a, b, p in ((0.3, 0.1, 0.9), (0.8, 0.5, 0.98))
                for fit in (damped(values, smoothing_level=a, smoothing_trend=b, damping_trend=p, optimized=False),)
            ],
        },
        'best': {
            'theta': listed(theta.forecast(HORIZON)),
            'smoothing': listed(ses(values).forecast(HORIZON)),
            # A season that is not removed has no trend to agree on: two valleys lie equally deep.
            'damped': None if is_seasonal else listed(best.forecast(HORIZON)),
            'dampedSse': float(best.sse),
        },
        'autocorrelations': listed(acf(values, nlags=period, fft=False)[1:]),
        'additive': decomposed(values, period, 'additive'),
        'multiplicative': decomposed(values, period, 'multiplicative') if values.min() > 0 else None,
    }


if __name__ == '__main__':
    result = {name: expected(values, period, name.startswith('seasonal')) for name, values, period in generated()}
    path = pathlib.Path(__file__).parent.parent / 'fixtures' / 'stats' / 'forecasts.json'
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(result, separators=(',', ':')) + '\n')
