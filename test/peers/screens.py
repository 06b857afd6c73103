"""What the screener compares, of every entity in some fields, by pandas and SciPy: reads positions.csv and screened.json, writes screens.csv.

Which of two publishers speaks for a country is the service's choice, known by the unit of its value. python screens.py REAL_DATA OUT
"""
import json
import pathlib
import sys

import numpy
import pandas
from scipy.stats import percentileofscore, rankdata

from decimals import to_places

REAL, OUT = (pathlib.Path(argument) for argument in sys.argv[1:3])
TABLES = pathlib.Path(__file__).parents[2] / 'data' / 'reference'
REFERENCE = pandas.read_csv(TABLES / 'series.csv', dtype=str)
# Currencies that are no more are not screened.
ENDED = pandas.read_csv(TABLES / 'entities.csv', dtype=str).set_index('entity_id')['valid_to'].dropna()
FACTOR_UNITS = pandas.read_csv(TABLES / 'canonical_indicators.csv', dtype=str).set_index('canonical_id')['unit']
CONFIDENCE = {'business_confidence', 'consumer_confidence'}
# Values of three years without which their spread says nothing.
FEWEST = {'daily': 500, 'weekly': 104, 'monthly': 24}


def positions(cutoff):
    """Percentiles of the reports out by the cutoff: three days after the Tuesday."""
    table = pandas.read_csv(OUT / 'positions.csv', parse_dates=['period_end'])
    table = table.dropna(subset=['percentile_3y'])
    if cutoff is not None:
        table = table[table['period_end'] + pandas.Timedelta(days=3, hours=21) < cutoff]
    fields = {'legacy': 'cot_positioning_percentile', 'tff': 'cot_tff_percentile'}
    for (report, entity), rows in table.groupby(['report', 'entity_id']):
        yield fields[report], entity, 'percentile', 'weekly', rows.set_index('period_end')['percentile_3y']


def exchange_rates(cutoff):
    table = pandas.read_csv(REAL / 'ecb-eurofxref' / 'eurofxref-hist.csv', index_col=0, parse_dates=True, na_values='N/A').sort_index()
    if cutoff is not None:
        table = table[table.index < cutoff.normalize()]
    for currency in table.columns[table.notna().any()]:
        yield 'ecb_reference_rate', f'cur_{currency.lower()}', 'national_currency_per_eur', 'daily', table[currency].dropna()


def named(source, values):
    own = REFERENCE[(REFERENCE['source_id'] == source) & REFERENCE['canonical_id'].isin(CONFIDENCE)]
    for code, field, entity in zip(own['series_code'], own['canonical_id'], own['entity_id']):
        if code in values:
            yield field, entity, own['unit'].iloc[0], 'monthly', values[code].dropna()


def surveys(cutoff):
    """Each file is a release; what a later one repeats takes the place of what was."""
    known = pandas.DataFrame()
    for path in sorted((REAL / 'dg-ecfin-bcs').glob('*.csv')):
        if cutoff is None or pandas.Timestamp(path.name.split('.')[1]) + pandas.Timedelta(days=1) <= cutoff:
            table = pandas.read_csv(path, parse_dates=['date'])
            table['code'] = table['country'] + '.' + table['series']
            known = table.pivot(index='date', columns='code', values='value').combine_first(known)
    return named('dg_ecfin', known)


def indices(cutoff):
    """These files state no day of release, so that they are known from their retrieval."""
    if cutoff is not None:
        return
    for path in sorted((REAL / 'oecd').glob('*.DP_LIVE.csv')):
        table = pandas.read_csv(path, encoding='utf-8-sig')
        table['code'] = table[['LOCATION', 'INDICATOR', 'SUBJECT', 'MEASURE', 'FREQUENCY']].agg('.'.join, axis=1)
        table['end'] = pandas.PeriodIndex(table['TIME'], freq='M').end_time.floor('D')
        yield from named('oecd', {code: rows.set_index('end')['Value'].sort_index() for code, rows in table.groupby('code')})


def year_before(day):
    before = day - pandas.DateOffset(years=1)
    return before + pandas.offsets.MonthEnd(0) if day.is_month_end else before


def place(frequency, day):
    """The period of a day by the calendar: year and month, or ISO year and week."""
    return (day.year, day.month) if frequency == 'monthly' else tuple(day.isocalendar())[:2]


def compared_with(frequency, values):
    """The values of the period before and of the same period a year before; of days the row before and the newest within ten days."""
    newest = values.index[-1]
    if frequency == 'daily':
        year = year_before(newest)
        around = values[(values.index >= year - pandas.Timedelta(days=10)) & (values.index <= year)]
        return values.iloc[-2] if len(values) > 1 else numpy.nan, around.iloc[-1] if len(around) else numpy.nan
    by_place = {place(frequency, day): value for day, value in values.items()}
    days = newest.day if frequency == 'monthly' else 7
    year, part = place(frequency, newest)
    before = place(frequency, newest - pandas.Timedelta(days=days))
    return by_place.get(before, numpy.nan), by_place.get((year - 1, part), numpy.nan)


def statistics(frequency, values):
    newest, value = values.index[-1], values.iloc[-1]
    before, ago = compared_with(frequency, values)
    three = values[values.index > newest - pandas.DateOffset(months=36)]
    deviation = three.std() if len(three) >= FEWEST[frequency] else 0
    return {
        'value': value,
        'prev': before,
        'chg1': value - before,
        'chg12': value - ago,
        'yoy': 100 * (value / ago - 1) if ago > 0 else numpy.nan,
        'z3y': (value - three.mean()) / deviation if deviation > 0 else numpy.nan,
    }


def screens(cutoff, chosen):
    found, units = {}, {}
    for field, entity, unit, frequency, values in [*positions(cutoff), *exchange_rates(cutoff), *surveys(cutoff), *indices(cutoff)]:
        is_over = entity in ENDED and (cutoff is None or ENDED[entity] < str(cutoff.date()))
        if len(values) and not is_over and chosen.get((field, entity), unit) == unit:
            found.setdefault(field, {})[entity] = statistics(frequency, values)
            units[field, entity] = unit
    for field, by_entity in found.items():
        table = pandas.DataFrame(by_entity).T
        # A value in another unit than the factor's is compared with none.
        alike = table.loc[[FACTOR_UNITS.get(field, units[field, entity]) == units[field, entity] for entity in table.index], 'value']
        table.loc[alike.index, 'rank'] = rankdata(-alike, method='min')
        table.loc[alike.index, 'pct'] = [to_places(percentileofscore(alike, value, kind='mean'), 2) for value in alike]
        yield table.rename_axis('entity_id').reset_index().melt('entity_id', var_name='modifier', value_name='said').dropna().assign(field=field)


screened = pandas.DataFrame(json.loads((OUT / 'screened.json').read_text()))
parts = []
for text in screened['moment'].unique():
    own = screened[(screened['moment'] == text) & (screened['modifier'] == 'value')]
    chosen = dict(zip(zip(own['field'], own['entityId']), own['unit']))
    cutoff = None if text == 'now' else pandas.Timestamp(text).tz_localize(None)
    parts += [table.assign(moment=text) for table in screens(cutoff, chosen)]
pandas.concat(parts).rename(columns={'said': 'value'}).to_csv(OUT / 'screens.csv', index=False)
