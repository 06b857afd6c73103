"""Positioning percentiles of invented reports, by SciPy and NumPy: writes test/fixtures/derived/cot_percentiles.json.

Three contracts over five years of Tuesdays: one plain, one with weeks missing and ties, one constant.
"""
import datetime
import decimal
import json
import pathlib

import numpy
from scipy.stats import percentileofscore

WEEKS = 260
FIRST = datetime.date(2015, 1, 6)


def reports(name):
    random = numpy.random.default_rng({'GOLD': 1, 'CORN': 2, 'SILVER': 3}[name])
    level = 100_000
    for week in range(WEEKS):
        day = FIRST + datetime.timedelta(weeks=week)
        if name == 'GOLD':
            level += int(random.integers(-9_000, 9_001))
            yield day, 150_000 + level, 150_000
        elif name == 'CORN':
            if 70 <= week < 100 or week % 17 == 5:
                continue
            yield day, 200_000 + 1_000 * int(random.integers(-8, 9)), 200_000
        else:
            yield day, 60_000, 40_000


def to_hundredths(value):
    # Half away from zero, as SQL rounds; Python's round() goes to even.
    return float(decimal.Decimal(value).quantize(decimal.Decimal('0.01'), decimal.ROUND_HALF_UP))


def judge(rows):
    out = []
    for index, (day, long, short) in enumerate(rows):
        net = long - short
        within = lambda weeks: [l - s for d, l, s in rows[: index + 1] if d > day - datetime.timedelta(weeks=weeks)]
        year, three = within(52), within(156)
        before = rows[index - 1] if index else None
        deviation = numpy.std(three, ddof=1) if len(three) >= 104 else 0
        percentile = percentileofscore(three, net, kind='mean') if len(three) >= 104 else None
        out.append({
            'periodEnd': day.isoformat(),
            'net': net,
            'percentile3y': None if percentile is None else to_hundredths(percentile),
            'percentile1y': to_hundredths(percentileofscore(year, net, kind='mean')) if len(year) >= 40 else None,
            'zScore3y': round(float((net - numpy.mean(three)) / deviation), 6) if deviation > 0 else None,
            'weeklyChange': net - (before[1] - before[2]) if before and (day - before[0]).days <= 10 else None,
            'windowCount': len(three),
            'valueText': None if percentile is None else 'crowded_long' if percentile >= 90 else 'crowded_short' if percentile <= 10 else None,
        })
    return out


contracts = {name: list(reports(name)) for name in ('GOLD', 'CORN', 'SILVER')}
result = {
    name: {
        'reports': [[day.isoformat(), long, short] for day, long, short in rows],
        'expected': judge(rows),
    }
    for name, rows in contracts.items()
}
path = pathlib.Path(__file__).parent.parent / 'fixtures' / 'derived' / 'cot_percentiles.json'
path.write_text(json.dumps(result, separators=(',', ':')) + '\n')
