"""What forecasters expected of the output of the United States, and how it came out: read from the publishers' files alone, by Python's own csv, json and zipfile.

Arguments: real-time real GDP of ALFRED (CSV), real-time nominal GDP of FRED (JSON), then workbooks of the Survey of Professional Forecasters. Writes one
object: by indicator, period and vintage number of the first print, what it was, what was expected, and the surprise. Nothing is taken from the service's code.
"""
import csv
import datetime as dt
import json
import re
import sys
import zipfile
from xml.etree import ElementTree

SHEET = '{http://schemas.openxmlformats.org/spreadsheetml/2006/main}'
RELATION = '{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id'


def book(path):
    """The sheets of a workbook, by name: rows of cells by letters."""
    with zipfile.ZipFile(path) as z:
        shared = [''.join(item.itertext()) for item in ElementTree.fromstring(z.read('xl/sharedStrings.xml'))]
        targets = {one.get('Id'): one.get('Target') for one in ElementTree.fromstring(z.read('xl/_rels/workbook.xml.rels'))}
        for sheet in ElementTree.fromstring(z.read('xl/workbook.xml')).iter(f'{SHEET}sheet'):
            rows = []
            for line in ElementTree.fromstring(z.read('xl/' + targets[sheet.get(RELATION)].removeprefix('/xl/'))).iter(f'{SHEET}row'):
                cells = {}
                for cell in line:
                    text = ''.join(cell.itertext())
                    cells[re.match('[A-Z]+', cell.get('r'))[0]] = shared[int(text)] if cell.get('t') == 's' else text
                rows.append(cells)
            yield sheet.get('name'), rows


def rounds(paths, sheet, prefix):
    """The median of each round for its own quarter and the next, by quarter asked for; the workbook that reaches further counts."""
    found = {}
    readings = []
    for path in paths:
        for name, (header, *rows) in book(path):
            columns = {title: letters for letters, title in header.items()}
            if name == sheet and f'{prefix}2' in columns:
                readings.append((len(rows), columns, rows))
    for _, columns, rows in sorted(readings, key=lambda one: one[0]):
        for row in (one for one in rows if one):
            year, quarter = (int(float(row[columns[name]])) for name in ('YEAR', 'QUARTER'))
            for ahead in (0, 1):
                text = row.get(columns[f'{prefix}{2 + ahead}'], '#N/A')
                # Earlier rounds asked for the gross national product.
                if year >= 1992 and text != '#N/A':
                    found[year * 4 + quarter - 1, ahead] = float(text)
    return found


def end_of(place):
    year, quarter = divmod(place, 4)
    return dt.date(year + (quarter == 3), (quarter * 3 + 3) % 12 + 1, 1) - dt.timedelta(days=1)


def alfred(path):
    with open(path) as file:
        return [(r['date'], r['realtime_start'][:10], float(r['RGDP'])) for r in csv.DictReader(file) if r['RGDP']]


def fred(path):
    with open(path) as file:
        return [(r['date'], r['realtime_start'], float(r['value'])) for r in json.load(file)['observations'] if r['value'] != '.']


def prints(rows, is_growth):
    """The first print of each quarter: quarter, day, value."""
    levels = {}
    for day, known, value in rows:
        year, month = int(day[:4]), int(day[5:7])
        levels.setdefault(year * 4 + (month - 1) // 3, []).append((dt.date.fromisoformat(known), value))
    for told in levels.values():
        told.sort()
    begin = min(told[0][0] for told in levels.values())
    newest_at_begin = max(place for place, told in levels.items() if told[0][0] == begin)
    for place, told in sorted(levels.items()):
        day, level = told[0]
        before = [value for known, value in levels.get(place - 1, []) if known <= day]
        if (day == begin and place != newest_at_begin) or (day - end_of(place)).days > 299 or (is_growth and not before):
            continue
        yield place, day, 100 * ((level / before[-1]) ** 4 - 1) if is_growth else level


def surprises(rows, is_growth, survey):
    for place, day, actual in prints(rows, is_growth):
        asked = [(place - ahead, survey[place - ahead, ahead]) for ahead in (0, 1) if (place - ahead, ahead) in survey]
        known = [(at, value) for at, value in asked if end_of(at) < day and (day - end_of(at)).days <= 120]
        if known:
            expected = max(known)[1]
            surprise = actual - expected
            yield {
                'period': f'{place // 4}-Q{place % 4 + 1}',
                'actual': actual,
                'consensus': expected,
                'surprise': surprise,
                'surprisePercent': 100 * surprise / abs(expected) if expected else None,
            }


real, nominal, *books = sys.argv[1:]
print(json.dumps({
    'us_gdp_growth': list(surprises(alfred(real), True, rounds(books, 'RGDP', 'drgdp'))),
    'us_gdp_nominal': list(surprises(fred(nominal), False, rounds(books, 'NGDP', 'NGDP'))),
}))
