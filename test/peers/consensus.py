"""What forecasters expected of the United States and the euro area, and how it came out: read from the publishers' files alone, by Python's own csv, json and
zipfile.

Arguments: real-time real GDP of ALFRED (CSV), real-time nominal GDP of FRED (JSON), the folder of the Philadelphia Fed's real-time data set, SECO's workbook, the zip
file of the ECB's survey, then workbooks of the Survey of Professional Forecasters. Writes one object: by indicator and source, of the first print of each period
what it was, what was expected, and the surprise. Nothing is taken from the service's code.
"""
import csv
import datetime as dt
import io
import json
import re
import statistics
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


def rounds(paths, sheet, prefix, since=1992):
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
                # Until 1991 the forecasters were asked for the gross national product.
                if year >= since and text != '#N/A':
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


def columns_of(rows, header_at, first, named):
    """The vintages of a sheet in their order: the day each was known, and its value of each period; what it leaves out stays as it was."""
    header, held = rows[header_at], {}
    for letters, name in header.items():
        known = named(letters, name) if letters != 'A' and name else None
        if known is None:
            continue
        for line in rows[header_at + 1:]:
            text = line.get(letters, '')
            if line.get('A') and text not in ('', '#N/A'):
                held[first(line['A'])] = float(text)
        yield known, dict(held)


def month_end(year, month):
    return dt.date(year + month // 12, month % 12 + 1, 1) - dt.timedelta(days=1)


def rtdsm(path, since=0):
    """Months count from the year 0, quarters as their last month."""
    variable = re.search(r'([A-Za-z]+)[QM]v', path)[1].upper()

    def named(_, name):
        year, often, number = re.fullmatch(variable + r'(\d\d)([QM])(\d+)', name).groups()
        year = int(year) + (2000 if int(year) < 62 else 1900)
        return month_end(year, int(number) * (3 if often == 'Q' else 1)) if year >= since else None

    def first(text):
        year, part = text.split(':')
        return int(year) * 12 + (int(part[1]) * 3 if part[0] == 'Q' else int(part)) - 1

    return list(columns_of(next(book(path))[1], 0, first, named))


def seco(path, sheet):
    rows = next(rows for name, rows in book(path) if name == sheet)
    at = next(place for place, line in enumerate(rows) if line.get('A') == 'time')
    serial = lambda text: dt.date(1899, 12, 30) + dt.timedelta(days=int(text))

    def named(letters, name):
        day = rows[at - 1].get(letters, '')
        return serial(day) if day else month_end(int(name[:4]), int(name[5]) * 3)

    return list(columns_of(rows, at, lambda text: serial(text).year * 12 + serial(text).month + 1, named))


def first_means(vintages, months, step, power, most_days):
    """The first print of each mean of a period of so many months, of parts of `step` months; with a power its growth on the one before."""
    seen = {}
    for known, values in vintages:
        for place in {month // months for month in values}:
            ends = [place * months + at for at in range(step - 1, months, step)]
            own, before = ([values.get(end - back) for end in ends] for back in (0, months))
            if place not in seen and None not in own and (power is None or None not in before):
                mean, last = sum(own) / len(own), sum(before) / len(before) if power else None
                seen[place] = (known, 100 * ((mean / last) ** power - 1) if power else mean)
    begin = min(known for known, _ in seen.values())
    newest_at_begin = max(place for place, (known, _) in seen.items() if known == begin)
    for place, (known, value) in sorted(seen.items()):
        end = month_end(*divmod(place * months + months, 12)) if months < 12 else dt.date(place, 12, 31)
        if (known != begin or place == newest_at_begin) and (known - end).days <= most_days:
            yield place, known, value


def ecb(path):
    """The median of each round of the last quarter for its own year: it alone is at most 120 days older than the first print of a year."""
    titles = {'INFLATION': 'HICP', 'CORE': 'CORE', 'GROWTH': 'GDP', 'EXPECTED': 'UNEMPLOYMENT', 'ASSUMPTIONS': None}
    found = {}
    with zipfile.ZipFile(path) as z:
        for name in z.namelist():
            year, quarter = int(name[-10:-6]), int(name[-5])
            section, points = None, {}
            for cells in csv.reader(io.StringIO(z.read(name).decode('utf-8-sig'))):
                word = cells[0].split(' ')[0] if cells else ''
                if word in titles:
                    section = titles[word]
                elif section and word == str(year) and cells[2].strip():
                    points.setdefault(section, []).append(float(cells[2]))
            for code, answers in points.items():
                found.setdefault(code, {})[year * 4 + quarter - 1] = statistics.median(answers)
    return found


def of_years(prints, survey):
    for year, day, actual in prints:
        known = [(at, value) for at, value in survey.items() if at // 4 == year and end_of(at) < day and (day - end_of(at)).days <= 120]
        if known:
            yield beside(str(year), actual, max(known)[1])


def of_quarters(prints, survey):
    for place, day, actual in prints:
        asked = [(place - ahead, survey[place - ahead, ahead]) for ahead in (0, 1) if (place - ahead, ahead) in survey]
        # The first round of the Federal Reserve Bank was sent out late, with the one after it.
        known = [(at, value) for at, value in asked if at != 1990 * 4 + 1 and end_of(at) < day and (day - end_of(at)).days <= 120]
        if known:
            yield beside(f'{place // 4}-Q{place % 4 + 1}', actual, max(known)[1])


def beside(period, actual, expected):
    surprise = actual - expected
    return {
        'period': period,
        'actual': actual,
        'consensus': expected,
        'surprise': surprise,
        'surprisePercent': 100 * surprise / abs(expected) if expected else None,
    }


real, nominal, folder, switzerland, euro, *books = sys.argv[1:]
of = lambda name, since=0: rtdsm(f'{folder}/{name}.xlsx', since)
means = lambda vintages, step, power: list(first_means(vintages, 3, step, power, 299))
growth, answers = rounds(books, 'RGDP', 'drgdp'), ecb(euro)
print(json.dumps({
    'us_gdp_growth fred': list(of_quarters(prints(alfred(real), True), growth)),
    'us_gdp_nominal fred': list(of_quarters(prints(fred(nominal), False), rounds(books, 'NGDP', 'NGDP'))),
    'us_gdp_growth philadelphia_rtdsm': list(of_quarters(means(of('ROUTPUTQvQd', 1992), 3, 4), growth)),
    'us_unemployment_rate_quarterly philadelphia_rtdsm': list(of_quarters(means(of('rucQvMd'), 1, None), rounds(books, 'UNEMP', 'UNEMP', 0))),
    'us_cpi_inflation_quarterly philadelphia_rtdsm': list(of_quarters(means(of('cpiQvMd', 1994), 1, 4), rounds(books, 'CPI', 'CPI', 0))),
    'us_core_cpi_inflation_quarterly philadelphia_rtdsm': list(of_quarters(means(of('pcpixMvMd'), 1, 4), rounds(books, 'CORECPI', 'CORECPI', 0))),
    'us_core_pce_inflation_quarterly philadelphia_rtdsm': list(of_quarters(means(of('PCONXQvQd'), 3, 4), rounds(books, 'COREPCE', 'COREPCE', 0))),
    'ea_gdp_growth_of_year seco': list(of_years(first_means(seco(switzerland, 'gdp_ea'), 12, 3, 1, 999), answers['GDP'])),
}))
