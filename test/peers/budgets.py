"""Cadence budgets learned from the releases of every series of FRED-MD and ALFRED, by pandas: writes budgets.csv.

python budgets.py REAL_DATA OUT
"""
import pathlib
import sys

import numpy
import pandas

from vintages import alfred_levels, fred_md, fred_md_levels, indicators

REAL, OUT = (pathlib.Path(argument) for argument in sys.argv[1:3])
# Days of a period, usual lag and grace, by pandas' name of the frequency.
PARTS = {'M': (31, 45, 10), 'Q': (92, 92, 15)}
FEWEST = 12


def learn(levels):
    """A row for each release that changes the budget. A release is a period that became known alone, further than any before it."""
    is_known = levels.notna().to_numpy()
    ever = is_known.any(axis=0)
    first = is_known.argmax(axis=0)[ever]
    columns = numpy.flatnonzero(ever)
    at_once = pandas.Series(columns).groupby(first).agg(['count', 'max'])
    releases = at_once[(at_once['count'] == 1) & (at_once['max'] > at_once['max'].cummax().shift(1, fill_value=-1))]
    ends = levels.columns[releases['max']].end_time.floor('D') + pandas.Timedelta(days=1)
    known = levels.index[releases.index]
    lags = pandas.Series((known - ends) / pandas.Timedelta(days=1))
    percentiles = lags.expanding(FEWEST).quantile(0.95)
    if len(lags) >= FEWEST:
        assert numpy.isclose(percentiles.iloc[-1], numpy.percentile(lags, 95))
    period, usual, grace = PARTS[levels.columns.freqstr[0]]
    default = period + usual + grace
    budgets = (period + percentiles + grace).clip(0.5 * default, 1.5 * default)
    # To hundredths, half away from zero.
    rows = pandas.DataFrame({
        'known_ms': (known - pandas.Timestamp(0)) // pandas.Timedelta(milliseconds=1),
        'release_count': numpy.arange(1, len(lags) + 1),
        'release_lag_days': percentiles,
        'budget_days': numpy.floor(100 * budgets + 0.5) / 100,
    }).dropna()
    return rows[rows['budget_days'].ne(rows['budget_days'].shift(1))]


def every_budget():
    tables = fred_md(REAL)
    for name in sorted(set().union(*(table.columns for table in tables.values()))):
        yield learn(fred_md_levels(tables, name)).assign(source_id='fred_md', indicator_id=name)
    names = indicators('fred')
    for path in sorted((REAL / 'alfred-realtime').glob('*.csv')):
        yield learn(alfred_levels(REAL, path.stem)).assign(source_id='fred', indicator_id=names[path.stem])


pandas.concat(every_budget()).to_csv(OUT / 'budgets.csv', index=False)
