"""Which fundamentals a price met: closes of seven companies beside the filings accepted by then, by pandas' as-of joins, and four multiples: writes valuations.csv.

python valuations.py REAL_DATA OUT
"""
import json
import pathlib
import re
import sys

import numpy
import pandas

REAL, OUT = (pathlib.Path(argument) for argument in sys.argv[1:3])
REFERENCE = pathlib.Path(__file__).parents[2] / 'data' / 'reference'
COMPANIES = {
    'AAPL': '0000320193',
    'AMD': '0000002488',
    'GOOGL': '0001652044',
    'KMB': '0000055785',
    'NVDA': '0001045810',
    'PG': '0000080424',
    'TSLA': '0001318605',
}
FORM = re.compile(r'(10-K|10-Q|10-KT|10-QT|20-F|40-F|6-K)(/A)?')
FLOWS = {'NetIncomeLoss', 'ProfitLoss', 'EarningsPerShareDiluted', 'NetCashProvidedByUsedInOperatingActivities'}
REVENUES = {
    'RevenueFromContractWithCustomerExcludingAssessedTax',
    'Revenues',
    'RevenueFromContractWithCustomerIncludingAssessedTax',
    'SalesRevenueNet',
    'SalesRevenueGoodsNet',
}
BALANCES = {'StockholdersEquity', 'StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest', 'MinorityInterest', 'PreferredStockValue'}
# In order of preference.
COUNTS = ['EntityCommonStockSharesOutstanding', 'CommonStockSharesOutstanding', 'WeightedAverageNumberOfSharesOutstandingBasic']
MULTIPLES = [
    ('price_to_book', 'market_cap', 'equity'),
    ('price_to_earnings', 'price', 'eps'),
    ('price_to_sales', 'market_cap', 'revenue'),
    ('price_to_operating_cash_flow', 'market_cap', 'operating_cash_flow'),
]
NEW_YORK = 'America/New_York'
SPLITS = pandas.read_csv(REFERENCE / 'stock_splits.csv', dtype={'cik': str}, parse_dates=['effective_date'])


def one_file(folder, cik):
    (path,) = (REAL / 'sec' / folder).glob(f'CIK{cik}*.json')
    return json.loads(path.read_text())


def disseminations(cik):
    """Accession -> the moment it was public: its acceptance, or 06:00 of its date where that is a later day (periodic forms know no exception).

    Some files write the clock of New York as if it were UTC: EDGAR accepts from 6 to 22 and dates no filing before.
    """
    recent = one_file('submissions', cik)['filings']['recent']
    written = pandas.to_datetime(pandas.Series(recent['acceptanceDateTime'], recent['accessionNumber']).replace('', None), utc=True)
    filed = pandas.to_datetime(pandas.Series(recent['filingDate'], recent['accessionNumber']))
    as_local = lambda clock: ((clock.dt.hour < 6) | (clock.dt.hour >= 22) | (clock.dt.normalize() > filed)).sum()
    in_new_york = written.dt.tz_convert(NEW_YORK).dt.tz_localize(None)
    plain = written.dt.tz_localize(None)
    in_utc = as_local(in_new_york) < as_local(plain)
    accepted = written if in_utc else plain.dt.tz_localize(NEW_YORK).dt.tz_convert('UTC')
    days = (in_new_york if in_utc else plain).dt.normalize()
    morning = (filed + pandas.Timedelta(hours=6)).dt.tz_localize(NEW_YORK).dt.tz_convert('UTC')
    return accepted.where(filed <= days, morning)


def stated_facts(cik):
    public = disseminations(cik)
    facts = one_file('companyfacts', cik)['facts']
    rows = [
        {'concept': concept, 'unit': unit, **fact}
        for taxonomy in ('us-gaap', 'dei')
        for concept, stated in facts[taxonomy].items()
        if concept in FLOWS | REVENUES | BALANCES | set(COUNTS)
        for unit, values in stated['units'].items()
        for fact in values
        if FORM.fullmatch(fact['form'])
    ]
    table = pandas.DataFrame(rows).reindex(columns=['concept', 'unit', 'start', 'end', 'val', 'accn', 'filed'])
    table[['start', 'end', 'filed']] = table[['start', 'end', 'filed']].apply(pandas.to_datetime)
    end_of_day = table['filed'].dt.tz_localize('UTC') + pandas.Timedelta(days=1) - pandas.Timedelta(milliseconds=1)
    table['known_at'] = table['accn'].map(public).fillna(end_of_day)
    days = (table['end'] - table['start']).dt.days
    return table[days.isna() | days.between(70, 420)].sort_values(['known_at', 'accn'])


def basis(cik, days):
    """How many shares of the first known basis one share stands for on a day."""
    own = SPLITS[SPLITS['cik'] == cik]
    return numpy.array([own.loc[own['effective_date'] <= day, 'ratio'].prod() for day in pandas.to_datetime(days)], dtype=float)


def count_of(cik, known, moment):
    """Newest count by preference; one that is four months behind the newest of any kind does not stand for today's."""
    counts = known[known['concept'].isin(COUNTS)]
    days = (counts['end'] - counts['start']).dt.days
    counts = counts[days.isna() | days.between(70, 120)]
    newest = counts.sort_values('end').groupby('concept').tail(1).set_index('concept')
    recent = newest[newest['end'] >= newest['end'].max() - pandas.Timedelta(days=120)]
    best = recent.loc[next(name for name in COUNTS if name in recent.index)]
    day = best['end'] if best.name == COUNTS[0] else best['filed']
    return {'shares': best['val'] / basis(cik, [day])[0], 'shares_date': best['end']}


def equity_of(known):
    instants = known[known['concept'].isin(BALANCES)]
    newest = instants[instants['concept'].str.startswith('StockholdersEquity')]['end'].max()
    at = instants[instants['end'] == newest].set_index('concept')['val']
    preferred = instants[(instants['concept'] == 'PreferredStockValue') & (instants['end'] >= newest - pandas.Timedelta(days=100)) & (instants['end'] <= newest)]
    equity = at.get('StockholdersEquity')
    if equity is None:
        equity = at['StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest'] - at.get('MinorityInterest', 0)
    return {'balance_date': newest, 'equity': equity - (preferred.sort_values('end')['val'].iloc[-1] if len(preferred) else 0)}


def trailing(stated, window_end):
    """Twelve months of a flow: the fiscal year, or fiscal year + year to date - year to date a year ago."""
    near = lambda column, day: (column - day).abs() <= pandas.Timedelta(days=10)
    days = (stated['end'] - stated['start']).dt.days
    years = stated[days.between(330, 420)].sort_values('end')
    whole = years[near(years['end'], window_end)]
    if len(whole):
        return whole['value'].iloc[-1]
    before = years[years['end'] < window_end]
    if before.empty:
        return None
    year = before.iloc[-1]
    part = lambda start, end: stated.loc[near(stated['start'], start) & near(stated['end'], end) & (days < 330), 'value']
    now = part(year['end'] + pandas.Timedelta(days=1), window_end)
    ago = part(year['start'], window_end - pandas.DateOffset(years=1))
    return None if now.empty or ago.empty else year['value'] + now.iloc[-1] - ago.iloc[-1]


def is_rounding(value, exact):
    # Text of a filing: a tenth of a million or more, with two digits.
    units = [10**zeros for zeros in range(5, len(str(int(abs(value)))) - 1)]
    return value > exact and any(round(exact / unit) * unit == value for unit in units)


def trailing_of(cik, known, window_end):
    eps = known[(known['concept'] == 'EarningsPerShareDiluted') & (known['unit'] == 'USD/shares')]
    # The consolidated total is the largest, whichever concept carries it.
    stated = known[known['concept'].isin(REVENUES)]
    exact = [
        not any(is_rounding(row.val, other) for other in stated.loc[(stated['start'] == row.start) & (stated['end'] == row.end), 'val'])
        for row in stated.itertuples()
    ]
    revenue = stated[exact].sort_values('val').drop_duplicates(['start', 'end'], keep='last')
    cash_flow = known[known['concept'] == 'NetCashProvidedByUsedInOperatingActivities']
    return {
        'eps': trailing(eps.assign(value=eps['val'] * basis(cik, eps['filed'])), window_end),
        'revenue': trailing(revenue.assign(value=revenue['val']), window_end),
        'operating_cash_flow': trailing(cash_flow.assign(value=cash_flow['val']), window_end),
    }


def fundamentals(cik):
    """What the newest accepted filings said, at each acceptance."""
    facts = stated_facts(cik)
    for moment in facts.loc[facts['known_at'] >= '2019-06-01', 'known_at'].unique():
        seen = facts[(facts['known_at'] <= moment) & (facts['end'] <= moment.tz_localize(None))]
        # Of a period the latest accepted filing counts.
        known = seen.drop_duplicates(['concept', 'unit', 'start', 'end'], keep='last')
        window_end = known.loc[known['concept'].isin(FLOWS), 'end'].max()
        yield {'known_at': moment, 'window_end': window_end, **trailing_of(cik, known, window_end), **equity_of(known), **count_of(cik, known, moment)}


def closes(ticker, cik):
    prices = pandas.DataFrame(json.loads((REAL / 'prices' / 'daily_json' / f'{ticker}.json').read_text())['prices'])
    day = pandas.to_datetime(prices['time'])
    closed = (day + pandas.Timedelta(hours=16)).dt.tz_localize(NEW_YORK).dt.tz_convert('UTC')
    own = SPLITS.loc[SPLITS['cik'] == cik, 'ratio'].prod()
    # The vendor adjusts for all later splits.
    return pandas.DataFrame({'closed_at': closed, 'period': prices['time'], 'price': prices['close'] * own / basis(cik, day), 'day_basis': basis(cik, day)}).sort_values('closed_at')


def valuations(ticker, cik):
    filed = pandas.DataFrame(fundamentals(cik)).sort_values('known_at')
    closed = closes(ticker, cik)
    instants = pandas.concat([closed['closed_at'], filed['known_at'][filed['known_at'] >= closed['closed_at'].min()]])
    instants = pandas.DataFrame({'instant': instants.drop_duplicates().sort_values()}).astype('datetime64[ms, UTC]')
    closed['closed_at'] = closed['closed_at'].astype('datetime64[ms, UTC]')
    filed['known_at'] = filed['known_at'].astype('datetime64[ms, UTC]')
    met = pandas.merge_asof(instants, closed, left_on='instant', right_on='closed_at')
    met = pandas.merge_asof(met, filed, left_on='instant', right_on='known_at')
    met['shares'] = met['shares'] * met['day_basis']
    met['eps'] = met['eps'] / met['day_basis']
    is_stale = (met['instant'].dt.tz_localize(None).dt.normalize() - met['window_end']).dt.days > 185
    met['market_cap'] = met['price'] * met['shares']
    for multiple, over, under in MULTIPLES:
        met[multiple] = (met[over] / met[under]).where(~is_stale & (met[under] > 0))
    met['observed_ms'] = (met['instant'] - pandas.Timestamp(0, tz='UTC')) // pandas.Timedelta(milliseconds=1)
    for column in ('window_end', 'balance_date', 'shares_date'):
        met[column] = met[column].dt.date
    return met.drop(columns=['instant', 'closed_at', 'known_at', 'day_basis']).assign(entity_id=f'company_{cik}')


pandas.concat(valuations(ticker, cik) for ticker, cik in COMPANIES.items()).to_csv(OUT / 'valuations.csv', index=False)
