"""Positioning statistics of every contract and report, from the CFTC's files, by pandas and SciPy: writes positions.csv.

python positions.py REAL_DATA OUT
"""
import pathlib
import sys

import numpy
import pandas
from scipy.stats import percentileofscore

from decimals import to_places

REAL, OUT = (pathlib.Path(argument) for argument in sys.argv[1:3])
# Names of the history whose contract is another than the crosswalk says, or is one only from a day on.
DOUBTED = {'ALUMINUM - COMMODITY EXCHANGE', 'CRUDE OIL', 'DOW JONES'}
# Before: three names with the same numbers in every week, grains counted in thousands of bushels, weeks of another metal.
CERTAIN_FROM = {
    'NASDAQ-100': '2023-05-02', 'S&P 500': '2023-05-02', 'RUSSELL': '2017-10-01',
    'COCOA': '2005-01-04', 'COFFEE': '2005-01-04', 'SUGAR': '2005-01-04',
    'CORN': '1998-01-06', 'SOYBEANS': '1998-01-06', 'WHEAT': '1998-01-06',
    'GOLD': '2008-07-29', 'SILVER': '2007-07-03',
}


def read(path):
    table = pandas.read_csv(path, dtype=str, skipinitialspace=True, encoding='utf-8-sig')
    table.columns = table.columns.str.strip().str.lower().str.replace(r'[\s_]+', ' ', regex=True)
    return table.apply(lambda column: column.str.strip())


def positions(report, code, day, long, short):
    return pandas.DataFrame({'report': report, 'code': code, 'day': day, 'long': long, 'short': short})


def financial(path):
    table = read(path)
    day = next(name for name in table.columns if name.startswith('report date as'))
    legs = (pandas.to_numeric(table[f'lev money positions {side} all']) for side in ('long', 'short'))
    return positions('tff', table['cftc contract market code'], pandas.to_datetime(table[day], format='mixed'), *legs)


def legacy(path):
    table = read(path)
    legs = (pandas.to_numeric(table[f'noncommercial positions-{side} (all)']) for side in ('long', 'short'))
    day = pandas.to_datetime(table['as of date in form yyyy-mm-dd'])
    return positions('legacy', table['cftc contract market code'], day, *legs)


def history(path):
    crosswalk = read(path.parent / 'history_code_to_cftc_code.csv').set_index('history code')['cftc contract market code'].drop(DOUBTED)
    table = read(path)
    table = table[table['code'].isin(crosswalk.index) & (table['date'] >= table['code'].map(CERTAIN_FROM).fillna(''))]
    legs = (pandas.to_numeric(table[f'noncomm {side}']) for side in ('long', 'short'))
    return positions('legacy', table['code'].map(crosswalk), pandas.to_datetime(table['date']), *legs)


def every_position():
    folder = REAL / 'cftc'
    found = [financial(path) for path in sorted((folder / 'tff_futonly').iterdir())]
    found += [legacy(path) for path in sorted((folder / 'legacy_futonly').glob('annual_*'))]
    found += [history(path) for path in sorted((folder / 'legacy_futonly').glob('noncommercial_history_*'))]
    # Where two files hold a report, the publisher's own comes first.
    whole = pandas.concat(found).dropna(subset=['long', 'short']).drop_duplicates(['report', 'code', 'day'])
    return whole.sort_values(['report', 'code', 'day'])


BREAKS = pandas.read_csv(pathlib.Path(__file__).parents[2] / 'data/reference/cot_breaks.csv', dtype=str)


def breaks(code):
    """Days from which on a contract is counted in another unit."""
    return pandas.to_datetime(BREAKS.loc[BREAKS['contract_code'] == code, 'date'])


def judge(code, contract):
    days = contract['day'].to_numpy()
    nets = (contract['long'] - contract['short']).to_numpy()
    broken = breaks(code).to_numpy()
    for index, (day, net) in enumerate(zip(days, nets)):
        back = (day - days[: index + 1]) / numpy.timedelta64(1, 'D')
        since = broken[broken <= day].max(initial=days[0])
        within = lambda most: nets[: index + 1][(back <= most) & (days[: index + 1] >= since)]
        year, three = within(360), within(1088)
        enough = len(three) >= 104
        deviation = numpy.std(three, ddof=1) if enough else 0
        percentile = percentileofscore(three, net, kind='mean') if enough else None
        yield {
            'period_end': str(day)[:10],
            'net': int(net),
            'weekly_change': int(net - nets[index - 1]) if len(three) > 1 and day - days[index - 1] <= numpy.timedelta64(10, 'D') else None,
            'percentile_1y': to_places(percentileofscore(year, net, kind='mean'), 2) if len(year) >= 40 else None,
            'percentile_3y': None if percentile is None else to_places(percentile, 2),
            'z_score_3y': to_places((net - numpy.mean(three)) / deviation, 6) if deviation > 0 else None,
            'window_count': len(three),
            'value_text': None if percentile is None else 'crowded_long' if percentile >= 90 else 'crowded_short' if percentile <= 10 else None,
        }


rows = [
    {'report': report, 'entity_id': 'cftc_' + code.lower().replace('+', 'plus'), **row}
    for (report, code), contract in every_position().groupby(['report', 'code'])
    for row in judge(code, contract)
]
pandas.DataFrame(rows).astype({'weekly_change': 'Int64'}).to_csv(OUT / 'positions.csv', index=False)
