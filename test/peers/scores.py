"""Company scores out of their inputs, by pandas and SciPy: reads score_inputs.json and scored.json, writes scores.csv.

python scores.py REAL_DATA OUT
"""
import json
import pathlib
import sys

import pandas
from scipy.stats import percentileofscore

from decimals import to_places

OUT = pathlib.Path(sys.argv[2])
PILLARS = {
    'value': ['earnings_yield', 'free_cash_flow_yield', 'book_yield'],
    'quality': ['return_on_equity', 'gross_profitability', 'accruals_inverted'],
    'growth': ['revenue_growth', 'eps_growth'],
    'financialHealth': ['net_debt_to_ebitda_inverted', 'interest_cover', 'current_ratio'],
}
INPUTS = [name for names in PILLARS.values() for name in names]
FEWEST_PEERS = 5
# docs/reference/company-methods.md#company-scores: not ranked later than this after the end of its newest quarter.
BUDGET = pandas.Timedelta(days=400)
companies = json.loads((OUT / 'score_inputs.json').read_text())


def newest(entries, key, moment):
    known = [one for one in entries if pandas.Timestamp(one[key]) <= moment]
    return known[-1] if known else {}


def known_at(moment):
    for one in companies:
        inputs, label, valuation = newest(one['inputs'], 'known_at', moment), newest(one['classes'], 'known_from', moment), newest(one['valuations'], 'known_at', moment)
        if not inputs or pandas.Timestamp(inputs['window_end'], tz='UTC') < moment.normalize() - BUDGET:
            continue
        multiples = valuation.get('multiples', {})
        row = {**inputs, **{name: multiples.get(name) for name in PILLARS['value']}, 'book_yield': valuation.get('book_yield')}
        if label.get('is_financial'):
            row['net_debt_to_ebitda_inverted'] = None
        yield {'company_id': one['company_id'], 'sector': label.get('sector'), **{name: row[name] for name in INPUTS}}


def percentiles(table, name):
    have = table[table[name].notna()]
    for company, own in have.iterrows():
        peers = have[have['sector'] == own['sector']]
        yield company, percentileofscore((peers if len(peers) >= FEWEST_PEERS else have)[name].astype(float), own[name], kind='mean')


def score(moment):
    table = pandas.DataFrame(list(known_at(moment)), columns=['company_id', 'sector', *INPUTS]).set_index('company_id')
    ranks = pandas.DataFrame({name: dict(percentiles(table, name)) for name in INPUTS}).reindex(table.index)
    scores = pandas.DataFrame({pillar: ranks[names].mean(axis=1) for pillar, names in PILLARS.items()})
    coverage = ranks.notna().sum(axis=1) / len(INPUTS)
    scores['composite'] = scores.mean(axis=1).where(coverage >= 0.5)
    rounded = scores.map(lambda value: value if pandas.isna(value) else to_places(value, 2))
    return rounded.assign(coverage=coverage.map(lambda value: to_places(value, 4)))


asked = pandas.DataFrame(json.loads((OUT / 'scored.json').read_text()))
parts = []
for moment, rows in asked.groupby('moment'):
    # A company of which nothing can be scored has no coverage.
    whole = score(pandas.Timestamp(moment)).reindex(rows['company_id'])
    parts.append(whole.assign(coverage=whole['coverage'].fillna(0), moment=moment).reset_index())
pandas.concat(parts).to_csv(OUT / 'scores.csv', index=False)
