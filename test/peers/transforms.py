"""Growth rates and changes within each vintage of FRED-MD and ALFRED, by pandas: writes transforms.csv.

python transforms.py REAL_DATA OUT
"""
import pathlib
import sys

import numpy
import pandas

from vintages import alfred_levels, changes, fred_md, fred_md_levels

REAL, OUT = (pathlib.Path(argument) for argument in sys.argv[1:3])
# Derived indicator -> periods back, and exponent of the ratio; None for a change, no periods for the level itself.
FRED_MD = {
    'us_cpi': {'cpi_inflation_mom': (1, 1), 'cpi_inflation_yoy': (12, 1)},
    'us_pce_price_index': {'pce_inflation_mom': (1, 1), 'pce_inflation_yoy': (12, 1)},
    'us_ppi_finished_goods': {'ppi_inflation_yoy': (12, 1)},
    'us_industrial_production': {'industrial_production_mom': (1, 1), 'industrial_production_yoy': (12, 1)},
    'us_retail_food_services_sales': {'retail_sales_mom': (1, 1), 'retail_sales_yoy': (12, 1)},
    'us_nonfarm_payrolls': {'payrolls_mom_change': (1, None)},
    'us_money_supply_m2': {'m2_growth_yoy': (12, 1)},
    'us_durable_goods_orders': {'durable_goods_orders_mom': (1, 1)},
    'us_federal_funds_rate': {'policy_rate': (0, None)},
}
ALFRED = {
    'CPI': {'cpi_inflation_mom': (1, 1), 'cpi_inflation_yoy': (12, 1)},
    'IP': {'industrial_production_mom': (1, 1), 'industrial_production_yoy': (12, 1)},
    'EMP': {'payrolls_mom_change': (1, None)},
    'RGDP': {'gdp_growth': (1, 4), 'gdp_growth_qoq': (1, 1), 'gdp_growth_yoy': (4, 1)},
}


def transform(levels, back, exponent):
    if back == 0:
        return levels
    if exponent is None:
        return levels.diff(back, axis=1)
    sound = levels.where(levels > 0)
    return 100 * ((sound / sound.shift(back, axis=1)) ** exponent - 1)


def every_transform():
    tables = fred_md(REAL)
    for source, computed, levels_of in (
        ('fred_md', FRED_MD, lambda name: fred_md_levels(tables, name)),
        ('fred', ALFRED, lambda name: alfred_levels(REAL, name)),
    ):
        for name, transforms in computed.items():
            levels = levels_of(name)
            for slug, how in transforms.items():
                yield changes(transform(levels, *how)).assign(source_id=source, slug=slug, cells=int(numpy.isfinite(transform(levels, *how).to_numpy()).sum()))


pandas.concat(every_transform()).to_csv(OUT / 'transforms.csv', index=False)
