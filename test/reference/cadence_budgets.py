"""Learned cadence budgets of invented release lags, by pandas: writes test/fixtures/stats/cadence_budgets.json.

For each cadence the budget after every release from the twelfth on: period + expanding 95th percentile of the lags (pandas' and numpy's
`linear` interpolation) + grace, within half and one and a half of the default.
"""
import decimal
import json
import pathlib

import numpy
import pandas

PARTS = {'daily': (1, 2, 3), 'weekly': (7, 7, 3), 'monthly': (31, 45, 10), 'quarterly': (92, 92, 15), 'annual': (366, 270, 30)}
COUNTS = {'daily': 400, 'weekly': 120, 'monthly': 60, 'quarterly': 40, 'annual': 14}
DAY = 86_400_000


def to_hundredths(value):
    # Half away from zero, as SQL rounds; Python's round() goes to even.
    return float(decimal.Decimal(value).quantize(decimal.Decimal('0.01'), decimal.ROUND_HALF_UP))


def case(cadence):
    period, usual, grace = PARTS[cadence]
    default = period + usual + grace
    random = numpy.random.default_rng(sorted(PARTS).index(cadence))
    # Milliseconds: mostly punctual, now and then very late; the first ones early enough for the lower bound.
    lag = numpy.where(numpy.arange(COUNTS[cadence]) < 12, 0, random.integers(0, usual * DAY, COUNTS[cadence]))
    lag = numpy.where(random.random(COUNTS[cadence]) < 0.06, lag + 2 * usual * DAY, lag)
    lags = pandas.Series(lag) / DAY
    percentiles = lags.expanding(12).quantile(0.95)
    budgets = (period + percentiles + grace).clip(0.5 * default, 1.5 * default)
    return {
        'lagMs': [int(one) for one in lag],
        'lags': [None if numpy.isnan(value) else to_hundredths(value) for value in percentiles],
        'budgets': [None if numpy.isnan(value) else to_hundredths(value) for value in budgets],
        'check': bool(numpy.isclose(percentiles.iloc[-1], numpy.quantile(lags, 0.95))),
    }


out = {cadence: case(cadence) for cadence in PARTS}
assert all(one.pop('check') for one in out.values())
path = pathlib.Path(__file__).parents[1] / 'fixtures' / 'stats' / 'cadence_budgets.json'
path.write_text(json.dumps(out, indent=1) + '\n')
