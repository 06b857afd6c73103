"""Dynamic optimised Theta, and ETS chosen by AICc, of generated series: writes test/fixtures/stats/dotm_ets.json.

ETS at given parameters is that of statsmodels. Theta at given parameters takes each line from numpy.polyfit, as the paper defines it (statsmodels has
the static method alone). The best parameters are those that SciPy finds among all, the starting states included, from many starts.
"""
import json
import pathlib
import warnings

import numpy
from scipy.optimize import minimize
from statsmodels.tsa.exponential_smoothing.ets import ETSModel

from forecasts import HORIZON, generated

SKIPPED = 3
COUNTED = {'ANN': 3, 'AAN': 5, 'AAdN': 6}


def line(values):
    """Intercept and slope of the line through the values, the first at 1."""
    if len(values) < 2:
        return (values[0] if len(values) else 0.0), 0.0
    slope, intercept = numpy.polyfit(numpy.arange(1, len(values) + 1), values, 1)
    return intercept, slope


def theta(values, alpha, level, weight, horizon, lines=None):
    """One-step forecasts of all values and of those after them, each of which is taken for a value."""
    values, made = list(values), []
    n = len(values)
    for t in range(1, n + horizon + 1):
        intercept, slope = lines[t - 1] if lines is not None and t <= n else line(values[: t - 1])
        made.append(level + weight * ((1 - alpha) ** (t - 1) * intercept + (1 - (1 - alpha) ** t) / alpha * slope))
        if t > n:
            values.append(made[-1])
        level = alpha * values[t - 1] + (1 - alpha) * level
    return numpy.array(made)


def best_theta(values):
    lines = [line(values[:t]) for t in range(len(values))]
    squares = lambda p: float(numpy.sum((values - theta(values, *p, 0, lines))[SKIPPED:] ** 2))
    starts = [(alpha, values[0], weight) for alpha in (0.15, 0.5, 0.9) for weight in (0.1, 0.9)]
    bounds = [(0.1, 0.99), (None, None), (0, 1)]
    found = [minimize(squares, start, method='Nelder-Mead', bounds=bounds, options={'maxiter': 1500, 'xatol': 1e-7, 'fatol': 1e-9}) for start in starts]
    best = min(found, key=lambda one: one.fun)
    return {'squares': best.fun, 'forecast': theta(values, *best.x, HORIZON)[-HORIZON:].tolist()}


def ets(values, kind, **parameters):
    model = ETSModel(values, error='add', trend=None if kind == 'ANN' else 'add', damped_trend=kind == 'AAdN', initialization_method='estimated')
    return model.smooth([parameters[name] for name in model.param_names])


def given_ets(values):
    common = {'smoothing_level': 0.4, 'smoothing_trend': 0.08, 'damping_trend': 0.92, 'initial_level': values[0] + 1, 'initial_trend': 0.2}
    for kind in COUNTED:
        result = ets(values, kind, **common)
        yield kind, {
            'alpha': 0.4,
            'beta': 0 if kind == 'ANN' else 0.08,
            'phi': 0.92 if kind == 'AAdN' else 1,
            'level': values[0] + 1,
            'trend': 0 if kind == 'ANN' else 0.2,
            'squares': float(result.sse),
            'aicc': float(result.aicc),
            'fitted': numpy.asarray(result.fittedvalues).tolist(),
            'forecast': numpy.asarray(result.forecast(HORIZON)).tolist(),
        }


def errors(values, alpha, beta, phi, level, trend):
    made = []
    for value in values:
        damped = phi * trend
        made.append(value - level - damped)
        level, trend = level + damped + alpha * made[-1], damped + beta * made[-1]
    return numpy.array(made), level, trend


def best_ets(values):
    found = {}
    for kind, count in COUNTED.items():
        def unpack(p, kind=kind):
            if kind == 'ANN':
                return p[0], 0, 1, p[1], 0
            return (p[0], p[0] * p[1], p[4] if kind == 'AAdN' else 1, p[2], p[3])

        squares = lambda p: float(numpy.sum(errors(values, *unpack(p))[0] ** 2))
        bounds = [(1e-4, 0.9999), (None, None)] if kind == 'ANN' else [(1e-4, 0.9999), (1e-4, 0.3), (None, None), (None, None), (0.8, 0.98)]
        slope = (values[9] - values[0]) / 9
        fits = []
        for alpha in (0.05, 0.4, 0.95):
            for part in (0.01, 0.2):
                start = [alpha, values[0]] if kind == 'ANN' else [alpha, part, values[0], slope, 0.9]
                used = bounds if kind != 'AAN' else bounds[:4]
                for method, options in (('L-BFGS-B', {}), ('Nelder-Mead', {'maxiter': 2500, 'maxfev': 2500, 'xatol': 1e-8, 'fatol': 1e-10})):
                    first = fits[-1].x if method == 'Nelder-Mead' else start[: len(used)]
                    fits.append(minimize(squares, first, method=method, bounds=used, options=options))
        best = min(fits, key=lambda one: one.fun)
        n = len(values)
        criterion = n * numpy.log(best.fun / n) + 2 * count + 2 * count * (count + 1) / (n - count - 1)
        alpha, beta, phi, level, trend = unpack(best.x)
        _, level, trend = errors(values, alpha, beta, phi, level, trend)
        found[kind] = criterion, best.fun, [level + sum(phi**step for step in range(1, h + 1)) * trend for h in range(1, HORIZON + 1)]
    kind = min(found, key=lambda one: found[one][0])
    lead = sorted(criterion for criterion, _, _ in found.values())
    return {'kind': kind, 'lead': lead[1] - lead[0], 'squares': found[kind][1], 'forecast': list(map(float, found[kind][2]))}


def expected(values):
    given = (0.35, values[0] - 2, 0.4)
    return {
        'values': values.tolist(),
        'theta': dict(zip(('alpha', 'level', 'weight'), given), made=theta(values, *given, HORIZON).tolist()),
        'bestTheta': best_theta(values),
        'ets': dict(given_ets(values)),
        'bestEts': best_ets(values),
    }


if __name__ == '__main__':
    warnings.simplefilter('ignore')
    result = {name: expected(values) for name, values, _ in generated() if not name.startswith('seasonal')}
    path = pathlib.Path(__file__).parent.parent / 'fixtures' / 'stats' / 'dotm_ets.json'
    path.write_text(json.dumps(result, separators=(',', ':')) + '\n')
