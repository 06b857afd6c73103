"""Growth rates and changes of invented levels, vintage by vintage, by pandas: writes test/fixtures/derived/macro_transforms.json.

Each series has five vintages of its own history: revised here and there, with months missing, and rebased in the third; some have a level of zero,
below zero, or one so small that the rate would be beyond all numbers.
"""
import json
import pathlib

import numpy
import pandas

VINTAGES = ['2020-05', '2020-06', '2020-07', '2020-08', '2020-09']
# Series: seed, months between two levels, and what is computed from it: derived indicator -> (periods back, exponent or None for a change).
SERIES = {
    'CPIAUCSL': (1, 1, {'cpi_inflation_mom': (1, 1), 'cpi_inflation_yoy': (12, 1)}),
    'PCEPI': (2, 1, {'pce_inflation_mom': (1, 1), 'pce_inflation_yoy': (12, 1)}),
    'WPSFD49207': (3, 1, {'ppi_inflation_yoy': (12, 1)}),
    'INDPRO': (4, 1, {'industrial_production_mom': (1, 1), 'industrial_production_yoy': (12, 1)}),
    'RETAILx': (5, 1, {'retail_sales_mom': (1, 1), 'retail_sales_yoy': (12, 1)}),
    'PAYEMS': (6, 1, {'payrolls_mom_change': (1, None)}),
    'M2SL': (7, 1, {'m2_growth_yoy': (12, 1)}),
    'AMDMNOx': (8, 1, {'durable_goods_orders_mom': (1, 1)}),
    'PCEPILFE': (9, 1, {'core_pce_inflation_mom': (1, 1), 'core_pce_inflation_yoy': (12, 1)}),
    'RGDP': (10, 3, {'gdp_growth': (1, 4), 'gdp_growth_qoq': (1, 1), 'gdp_growth_yoy': (4, 1)}),
}
ODD = {'INDPRO': 0.0, 'M2SL': -40.0, 'RETAILx': 1e-308, 'RGDP': 0.0}


def history(name):
    seed, step, _ = SERIES[name]
    random = numpy.random.default_rng(seed)
    frequency = 'M' if step == 1 else 'Q'
    months = pandas.period_range('2017-10', '2020-08', freq='M').asfreq(frequency).unique()
    level = pandas.Series(100 * numpy.exp(numpy.cumsum(random.normal(0.002, 0.01, len(months)))), months).round(3)
    for number, vintage in enumerate(VINTAGES):
        known = level[months.end_time < pandas.Period(vintage, 'M').start_time].copy()
        known[random.random(len(known)) < 0.2] += 0.25
        known[random.random(len(known)) < 0.06] = numpy.nan
        if number >= 2:
            known = (known / 2).round(4)
        if name in ODD:
            known.iloc[5 + number] = ODD[name]
        yield vintage, known


def transform(level, back, exponent):
    # Positions are periods: the index has no gaps.
    if exponent is None:
        return level.diff(back)
    sound = level.where(level > 0)
    with numpy.errstate(over='ignore'):
        rate = 100 * ((sound / sound.shift(back)) ** exponent - 1)
    return rate.where(numpy.isfinite(rate))


def label(period):
    return f'{period.year}-Q{period.quarter}' if period.freqstr.startswith('Q') else str(period)


def cells(values, keep_empty):
    return {label(period): None if numpy.isnan(value) else float(value) for period, value in values.items() if keep_empty or not numpy.isnan(value)}


result = {
    name: {
        'levels': {vintage: cells(levels, True) for vintage, levels in history(name)},
        'expected': {
            derived: {vintage: cells(transform(levels, *how), False) for vintage, levels in history(name)} for derived, how in computed.items()
        },
    }
    for name, (_, _, computed) in SERIES.items()
}
path = pathlib.Path(__file__).parent.parent / 'fixtures' / 'derived' / 'macro_transforms.json'
path.write_text(json.dumps(result, separators=(',', ':')) + '\n')
