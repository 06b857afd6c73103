"""A second reader of every source, by Python's own csv, json, re and zoneinfo: what each payload says, and since when it was known.

Reads requests from standard input, one JSON object a line: {source, key, retrievedAt, path, beside?}; `beside` names further payloads that the
reading rests on. Writes one line each: the rows by kind, or for FRED-MD the name of a CSV beside `out`. Nothing is taken from the service's code.
"""
import calendar
import csv
import io
import json
import math
import pathlib
import re
import statistics
import sys
import unicodedata
import zipfile
from collections import Counter
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from html.parser import HTMLParser
from urllib.parse import urljoin
from xml.etree import ElementTree
from zoneinfo import ZoneInfo

HERE = pathlib.Path(__file__).parent
HOLIDAYS = {date.fromisoformat(day) for day in json.loads((HERE / '../fixtures/readers/federal_holidays.json').read_text())['days']}
NEW_YORK = 'America/New_York'
MONTHS = list(calendar.month_name)


# --- Time

def instant(moment):
    return moment.astimezone(timezone.utc).strftime('%Y-%m-%dT%H:%M:%S.') + f'{moment.microsecond // 1000:03d}Z'


def at(day, clock, zone):
    return instant(datetime.combine(day, time.fromisoformat(clock), ZoneInfo(zone)))


def parsed(text):
    return datetime.fromisoformat(text.replace('Z', '+00:00'))


def end_of(day):
    return instant(datetime.combine(day, time(23, 59, 59, 999000), timezone.utc))


def known_on(day, retrieved):
    """The end of the day; of the retrieval's own day, the retrieval."""
    return retrieved if day == parsed(retrieved).date() else end_of(day)


def written(text):
    """`7 March 2019` or `March 7, 2019`."""
    for form in ('%d %B %Y', '%B %d, %Y'):
        try:
            return datetime.strptime(' '.join(text.split()), form).date()
        except ValueError:
            pass
    return None


def month_end(year, month):
    return date(year, month, calendar.monthrange(year, month)[1])


def period(frequency, day):
    if frequency == 'annual':
        return [f'{day.year}', f'{day.year}-01-01', f'{day.year}-12-31']
    if frequency == 'quarterly':
        quarter = (day.month + 2) // 3
        return [f'{day.year}-Q{quarter}', f'{day.year}-{quarter * 3 - 2:02d}-01', str(month_end(day.year, quarter * 3))]
    if frequency == 'monthly':
        return [f'{day:%Y-%m}', f'{day:%Y-%m}-01', str(month_end(day.year, day.month))]
    if frequency == 'weekly':
        year, week, _ = day.isocalendar()
        return [f'{year}-W{week:02d}', str(day - timedelta(days=6)), str(day)]
    return [str(day)] * 3


# --- Cells

def number(text, missing=('', '.', '-', 'N/A')):
    text = text.strip()
    if text in missing:
        return None
    value = float(text)
    return int(value) if value.is_integer() and abs(value) < 2**53 else value


def spoken(value):
    """A number as a browser prints it."""
    if value is None:
        return None
    return str(int(value)) if float(value).is_integer() else repr(value)


def table(body, strip=False):
    reader = csv.reader(io.StringIO(body.decode('utf-8-sig'), newline=''))
    rows = [[cell.strip() for cell in row] if strip else row for row in reader if row]
    return [dict(zip(rows[0], row)) for row in rows[1:]]


def squeezed(text):
    """Words without the blanks between them, which the two readers need not set alike."""
    return re.sub(r'[\s\u00ad\u200b\ufeff]+', '', unicodedata.normalize('NFC', text))


def row(code, frequency, day, value, observed, canonical=None, entity=None, unit=None, released=None, pseudo=None, label=None):
    told = {
        'seriesCode': code, 'canonicalId': canonical, 'entityId': entity, 'frequency': frequency, 'unit': unit,
        'value': value, 'observedAt': observed, 'releasedAt': released, 'isPseudo': pseudo,
    }
    told.update(zip(['period', 'periodStart', 'periodEnd'], period(frequency or 'monthly', day)))
    if label is not None:
        told['period'] = label
    return {name: cell for name, cell in told.items() if cell is not None or name == 'value'}


def refused(rule, code, entity, which, field, value):
    return {'rule': rule, 'seriesCode': code, 'entityId': entity, 'period': which, 'fieldPath': field, 'observedValue': value}


# --- FRED and ALFRED

def frequency_of(days):
    usual = Counter((b - a).days for a, b in zip(days, days[1:])).most_common(1)[0][0]
    return next(name for name, longest in [('daily', 1), ('weekly', 7), ('monthly', 31), ('quarterly', 92), ('annual', 366)] if usual <= longest)


def held(rows, newest, loose=()):
    """Real-time periods → values, and a gap after a value that did not hold until the end and was followed by none."""
    spans = sorted({(start, end) for _, start, end, _ in rows})
    out = []
    for day in sorted({day for day, *_ in rows}):
        mine = sorted((start, end, value) for d, start, end, value in rows if d == day)
        starts = {start for start, _, _ in mine}
        last = mine[-1][1]
        for start, end, value in mine:
            out.append((day, start, value))
            after = end + timedelta(days=1) if end < newest else None
            if value is None or after is None or after in starts or (end == last and day in loose):
                continue
            if any(s <= after <= e for s, e in spans):
                out.append((day, after, None))
    return out


def fred(key, body, retrieved, **_):
    name = key.rsplit('/', 1)[1].rsplit('.', 1)[0]
    day = date.fromisoformat
    clipped = None
    if '/alfred-realtime/' in f'/{key}':
        rows = table(body)
        code = next(column for column in rows[0] if column not in ('date', 'realtime_start', 'realtime_end'))
        stated = [(day(r['date'][:10]), day(r['realtime_start'][:10]), day(r['realtime_end'][:10]), number(r[code])) for r in rows]
        readings = held(stated, max(r[2] for r in stated))
    elif not key.endswith('.json'):
        rows = table(body)
        labelled = next(column for column in rows[0] if column in ('DATE', 'observation_date', 'date'))
        column = next(column for column in rows[0] if column not in (labelled, ''))
        code = column if 'fredgraph' in key else name
        readings = [(day(r[labelled][:10]), None, number(r[column])) for r in rows]
    else:
        answer = json.loads(body)
        if not name.startswith('series_observations.'):
            return {}
        code = name.split('.')[1]
        told = answer['observations']
        # A window shows what held before it as if it began with it; one of a single day is a state, one from 1776 on has nothing before it.
        first, last = day(answer['realtime_start']), day(answer['realtime_end'])
        clipped = first if first.year > 1776 and first != last else None
        if answer['output_type'] in (2, 3):
            readings = [
                (day(o['date']), datetime.strptime(k.rsplit('_', 1)[1], '%Y%m%d').date(), number(v, ('', '.')))
                for o in told for k, v in o.items() if k != 'date'
            ]
        else:
            stated = [(day(o['date']), day(o['realtime_start']), day(o['realtime_end']), number(o['value'], ('', '.'))) for o in told]
            loose = set()
            if answer['offset'] > 0:
                loose.add(stated[0][0])
            if answer['count'] > answer['offset'] + len(told):
                loose.add(stated[-1][0])
            if answer['output_type'] == 4:
                readings = [(d, start, value) for d, start, _, value in stated]
            else:
                readings = held(stated, day(answer['realtime_end']), loose)
    often = frequency_of(sorted({d for d, *_ in readings}))
    return {'observations': [
        row(code, often, d, value, retrieved if start is None else known_on(start, retrieved), pseudo=True if clipped and start == clipped else None)
        for d, start, value in readings
    ]}


def fred_releases(key, body, retrieved, **_):
    name = key.rsplit('/', 1)[1]
    answer = json.loads(body)
    recorded = re.search(r'recorded-(\d{4}-\d{2}-\d{2})', name)
    made = date.fromisoformat(recorded[1]) if recorded else parsed(retrieved).date()
    entries = [(str(r['release_id']), r.get('release_name'), r['date']) for r in answer.get('release_dates', [])]
    entries += [(f"series/{name.split('.')[1]}", None, d) for d in answer.get('vintage_dates', [])]
    rows = []
    for code, title, text in entries:
        day = date.fromisoformat(text)
        past = day <= made
        rows.append({
            'scheduleId': f'{code}|{text}', 'releaseCode': code, 'title': title, 'scheduledAt': f'{text}T00:00:00.000Z',
            'timePrecision': 'date_only', 'timezone': NEW_YORK, 'status': 'released' if past else 'scheduled', 'period': None,
            'url': None if '/' in code else f'https://fred.stlouisfed.org/release?rid={code}',
            'observedAt': known_on(day, retrieved) if past else known_on(made, retrieved) if recorded else retrieved,
        })
    return {'schedules': rows} if rows else {}


def fred_md(key, body, retrieved, out, **_):
    year, month = map(int, re.search(r'(\d{4})-(\d{2})', key.rsplit('/', 1)[1]).groups())
    known = min(end_of(month_end(year, month)), retrieved) if date(year, month, 1) <= parsed(retrieved).date() else end_of(month_end(year, month))
    rows = list(csv.reader(io.StringIO(body.decode('utf-8-sig'))))
    with open(out, 'w', newline='') as file:
        writer = csv.writer(file)
        writer.writerow(['series_code', 'period', 'period_start', 'period_end', 'value', 'observed_at'])
        for line in rows[1:]:
            parts = line[0].split('/') if line else []
            if len(parts) != 3:
                continue
            of = int(parts[2])
            if of < 100:
                of += 2000 if of + 2000 <= year else 1900
            labels = period('monthly', date(of, int(parts[0]), 1))
            for code, cell in zip(rows[0][1:], line[1:]):
                value = number(cell, ('', '.'))
                writer.writerow([code.strip('"'), *labels, '' if value is None else repr(value), known])
    return {'csv': out}


# --- Other agencies

def us_census(key, body, retrieved, **_):
    text = body.decode('utf-8-sig').replace('\r\n', '\n')
    part = lambda title, until: re.search(rf'(?:^|\n\n){title}\n(.*?)(?:\n\n+(?:{until})\n|\Z)', text, re.S)[1]
    titles = 'CATEGORIES|DATA TYPES|ERROR TYPES|GEO LEVELS|TIME PERIODS|NOTES|DATA UPDATED ON|DATA'
    codes = {}
    for title in ('CATEGORIES', 'DATA TYPES', 'ERROR TYPES', 'GEO LEVELS', 'TIME PERIODS'):
        codes[title] = {r[0]: r[1] for r in list(csv.reader(io.StringIO(part(title, titles))))[1:] if r}
    codes['DATA TYPES'].pop('0', None)
    codes['ERROR TYPES'].pop('0', None)
    stamp = re.search(r'(\d{1,2}-[A-Z][a-z]{2}-\d{2})', part('DATA UPDATED ON', titles))[1]
    known = known_on(datetime.strptime(stamp, '%d-%b-%y').date(), retrieved)
    rows, bad, seen = [], [], {}
    for r in csv.DictReader(io.StringIO(text.rsplit('\n\nDATA\n', 1)[1])):
        r = {name: cell.strip() for name, cell in r.items()}
        if r['et_idx'] == '0':
            measure = codes['DATA TYPES'].get(r['dt_idx'])
        else:
            measure = codes['ERROR TYPES'].get(r['et_idx']) if r['dt_idx'] == '0' else None
        parts = [codes['CATEGORIES'].get(r['cat_idx']), measure, codes['GEO LEVELS'].get(r['geo_idx']), {'1': 'A', '0': 'N'}.get(r['is_adj'])]
        code = None if None in parts else '.'.join(parts)
        when = codes['TIME PERIODS'].get(r['per_idx'])
        month = datetime.strptime(when, '%b-%Y').date() if when else None
        if code is None or month is None:
            bad.append(refused('identity_unresolved', code, None, f'{month:%Y-%m}' if month else None, 'val', r['val']))
            continue
        value = number(r['val'], ('', '.', '-', 'NA', '(NA)', '(S)', '(D)', '(X)', '(Z)'))
        if (code, month) in seen and seen[code, month] != value:
            bad.append(refused('duplicate_conflict', code, None, f'{month:%Y-%m}', 'val', r['val']))
            continue
        seen[code, month] = value
        rows.append(row(code, 'monthly', month, value, known))
    return {'observations': rows, 'refused': bad}


WORLD_BANK = {
    'NY.GDP.MKTP.CD': ('gdp_nominal_usd', 'usd'),
    'SP.POP.TOTL': ('population', 'persons'),
    'FP.CPI.TOTL.ZG': ('cpi_inflation_annual', 'percent'),
}


# What the list of countries names by three letters beside the two that rows of income groups bear.
INCOME_GROUPS = {
    'XD': 'HIC',  # High income
    'XM': 'LIC',  # Low income
    'XN': 'LMC',  # Lower middle income
    'XT': 'UMC',  # Upper middle income
    'XY': 'INX',  # Not classified
}


def one_of_several(name, meta):
    """What a page of an answer in several leaves open."""
    page, pages, size = (int(meta[field]) for field in ('page', 'pages', 'per_page'))
    if pages < 2:
        return []
    return [refused('reconciliation_failed', name, None, meta.get('lastupdated'), f'pages of {size}', f'page {page} of {pages}')]


def world_bank(key, body, retrieved, **_):
    name = re.sub(r'(\.page[0-9]+)?\.json$', '', key.rsplit('/', 1)[-1])
    if name == 'countries':
        meta, places = json.loads(body)
        return {'refused': one_of_several(name, meta), 'entities': [
            {'entityId': f"region_{p['id'].lower()}", 'entityType': 'region', 'name': p['name'].strip(), 'country': None, 'currency': None,
             'identifiers': {'wbCode': p['id'], 'wbIso2Code': p['iso2Code']}, 'seenOn': retrieved[:10]}
            for p in places if p['region']['value'] == 'Aggregates' and p['id'] not in ('EMU', 'EUU')
        ]}
    if key.endswith('.csv'):
        readings = [('NY.GDP.MKTP.CD', r['Country Code'], r['Year'], number(r['Value'])) for r in table(body)]
        known, bad = known_on(date.fromisoformat(key[-14:-4]), retrieved), []
    else:
        meta, told = json.loads(body)
        known = known_on(date.fromisoformat(meta['lastupdated']), retrieved)
        readings, bad = [], one_of_several(name, meta)
        for o in told:
            indicator, place = o['indicator']['id'], o['country']['id']
            iso3 = o['countryiso3code'] or INCOME_GROUPS.get(place)
            if iso3:
                readings.append((indicator, iso3, o['date'], o['value']))
            else:
                bad.append(refused('identity_unresolved', f'{indicator}.{place}', None, o['date'], 'countryiso3code', spoken(o['value'])))
    rows = []
    for indicator, iso3, year, value in readings:
        canonical, unit = WORLD_BANK[indicator]
        rows.append(row(f'{indicator}.{iso3}', 'annual', date(int(year), 1, 1), value, known, canonical, f'iso3:{iso3.lower()}', unit))
    return {'observations': rows, 'refused': bad}


def ecb_fx(key, body, retrieved, **_):
    rows = []
    lines = table(body, strip=True)
    days = [written(r['Date']) or date.fromisoformat(r['Date']) for r in lines]
    for currency in [c for c in lines[0] if c not in ('Date', '')]:
        quoted = sorted((day, number(r[currency])) for day, r in zip(days, lines)) if len(set(days)) == len(days) else []
        first = next((i for i, (_, value) in enumerate(quoted) if value is not None), len(quoted))
        for day, value in quoted[first:]:
            known = at(day, '16:00', 'Europe/Berlin')
            if str(day) == retrieved[:10]:
                known = min(known, retrieved)
            rows.append(row(f'EXR.D.{currency}.EUR.SP00.A', 'daily', day, value, known, 'ecb_reference_rate', f'cur_{currency.lower()}', 'national_currency_per_eur', known))
    return {'observations': rows}


def end_of_month_after(label):
    month = date(int(label[:4]) + int(label[4:]) // 12, int(label[4:]) % 12 + 1, 1)
    return end_of(month_end(month.year, month.month))


def dg_ecfin(key, body, retrieved, **_):
    if key.endswith('.zip'):
        with zipfile.ZipFile(io.BytesIO(body)) as archive:
            (name,) = archive.namelist()
            header, *lines = sheet_rows(archive.read(name), 'MONTHLY')
        known = min(end_of_month_after('20' + key.split('_')[2][:4]), retrieved)
        stated = {}
        for line in lines:
            first = line.pop('A')
            day = date.fromisoformat(first) if isinstance(first, str) else date(1899, 12, 30) + timedelta(days=first)
            told = {column: number(value, ('NA',)) if isinstance(value, str) else value for column, value in line.items()}
            stated.update({(day, *header[column].split('.')): value for column, value in told.items()})
    else:
        known = known_on(date.fromisoformat(key[-14:-4]), retrieved)
        stated = {(date.fromisoformat(r['date']), r['country'], r['series']): number(r['value'], ('', 'NA')) for r in table(body)}
    # A cell for every month, country and survey that the file names.
    months, countries, surveys = ({key[place] for key in stated} for place in range(3))
    cells = [(m, c, s) for m in months for c in countries for s in surveys]
    rows = [row(f'{c}.{s}', 'monthly', m, stated.get((m, c, s)), known) for m, c, s in cells]
    return {'observations': [{k: v for k, v in r.items() if k != 'frequency'} for r in rows]}


AREAS = {'EA20': 'ea', 'EU27_2020': 'eu', 'G20': 'g20', 'G7': 'g7', 'OECD': 'oecd', 'OECDE': 'oecd_europe'}


def area_of(code):
    return AREAS.get(code) or (f'iso3:{code.lower()}' if len(code) == 3 and code.isalpha() and code.isupper() else None)


def day_of(when):
    return date(int(when[:4]), int(when[-1]) * 3, 1) if 'Q' in when else date.fromisoformat(f'{when}-01')


def live_oecd(key, body, retrieved):
    known = min(re.sub(r'T(..)-(..)-', r'T\1:\2:', key.split('.', 1)[1][:24]), retrieved)
    of = {'LI': ('composite_leading_indicator', 'index'), 'BCICP': ('business_confidence', 'index'), 'CCICP': ('consumer_confidence', 'index'),
          'CPI': ('cpi_inflation_yoy_coicop2018' if 'C2018' in key else 'cpi_inflation_yoy_published', 'percent'),
          'UNE_LF_M': ('unemployment_rate', 'percent'), 'G1': ('gdp_growth_qoq_published', 'percent'), 'GY': ('gdp_growth_yoy_published', 'percent')}
    rows, odd = [], []
    for r in table(body):
        names = list(r)
        first = 'FREQ' if 'TRANSACTION' in names else 'REF_AREA'
        names = names[names.index(first):names.index('TIME_PERIOD')]
        code, value = '.'.join(r[n] for n in names), number(r['OBS_VALUE'], ('', 'NaN'))
        if r.get('ACTION') == 'D':
            value = None
        if r['FREQ'] == 'Q' and r['REF_AREA'] not in ('AUS', 'NZL') and 'TRANSACTION' not in r:
            continue
        if area_of(r['REF_AREA']) is None:
            odd.append(refused('identity_unresolved', code, None, r['TIME_PERIOD'], 'REF_AREA', spoken(value)))
            continue
        code = f'C2018.{code}' if 'C2018' in key else code
        what, unit = of[r['TRANSFORMATION'] if 'TRANSACTION' in r else r['MEASURE']]
        frequency = 'quarterly' if r['FREQ'] == 'Q' else 'monthly'
        rows.append(row(code, frequency, day_of(r['TIME_PERIOD']), value, known, canonical=what, entity=area_of(r['REF_AREA']), unit=unit))
    return {'observations': rows, 'refused': odd}


def oecd(key, body, retrieved, **_):
    if key.endswith('.xml'):
        return {}
    if '/live/' in key:
        return live_oecd(key, body, retrieved)
    rows = []
    for r in table(body):
        if 'CLI.' in key:
            plain = {name.split(':')[0]: cell.split(':')[0] for name, cell in r.items() if name != 'STRUCTURE_ID'}
            names = ['REF_AREA', 'FREQ', 'MEASURE', 'UNIT_MEASURE', 'ACTIVITY', 'ADJUSTMENT', 'TRANSFORMATION', 'TIME_HORIZ', 'METHODOLOGY']
            code, when, value = '.'.join(plain[n] for n in names), plain['TIME_PERIOD'], plain['OBS_VALUE']
        else:
            code = '.'.join(r[n] for n in ('LOCATION', 'INDICATOR', 'SUBJECT', 'MEASURE', 'FREQUENCY'))
            when, value = r['TIME'], r['Value']
        rows.append(row(code, 'monthly', date.fromisoformat(f'{when}-01'), number(value), retrieved))
    return {'observations': [{k: v for k, v in r.items() if k != 'frequency'} for r in rows]}


# Measure: indicator, unit, the publisher's unit, activities, frequency.
EDITIONS = {
    'B1GQ_Q': ('gdp_real_national_currency', 'national_currency_billions_chained', 'XDC', ('_T', '_Z'), 'Q'),
    'PRVM': ('industrial_production', 'index', 'IX', ('BTE',), 'M'),
    'TOVM': ('retail_trade_volume', 'index', 'IX', ('G47',), 'M'),
    'UNEMP': ('unemployment_rate', 'percent', 'PT_LF', ('_T', '_Z'), 'M'),
    'CP': ('cpi_nsa', 'index', 'IX', ('_T', '_Z'), 'M'),
}


def oecd_editions(key, body, retrieved, **_):
    if key.endswith('.xml'):
        return {}
    edition = key[-10:-4]
    known = min(end_of_month_after(edition), retrieved)
    rows, odd = [], {}
    for r in table(body):
        code = '.'.join(r[n] for n in ('REF_AREA', 'FREQ', 'MEASURE', 'UNIT_MEASURE', 'ACTIVITY'))
        what, unit, theirs, activities, often = EDITIONS[r['MEASURE']]
        if r['FREQ'] != often and not (r['FREQ'] == 'Q' and r['REF_AREA'] in ('AUS', 'NZL')):
            continue
        entity = area_of(r['REF_AREA'])
        fault = (
            ('identity_unresolved', 'REF_AREA') if entity is None
            else ('unit_mismatch', 'UNIT_MEASURE') if r['UNIT_MEASURE'] != theirs
            else ('identity_unresolved', 'ACTIVITY') if r['ACTIVITY'] not in activities
            else ('unit_mismatch', 'EDITION') if edition < '2008' and r['MEASURE'] != 'CP'
            else None
        )
        if fault:
            odd[code] = refused(fault[0], f'{code}.{edition}', None, None, fault[1], None)
            continue
        value = number(r['OBS_VALUE'], ('', 'NaN'))
        if value is not None and unit.endswith('billions_chained'):
            value = float(Decimal(r['OBS_VALUE']) * 10 ** int(r['UNIT_MULT'] or 0) / 10 ** 9)
        elif value is not None:
            value = value * 10 ** int(r['UNIT_MULT'] or 0)
        what = 'hicp' if what == 'cpi_nsa' and entity in ('ea', 'eu') else what
        frequency = 'quarterly' if r['FREQ'] == 'Q' else 'monthly'
        rows.append(row(code, frequency, day_of(r['TIME_PERIOD']), value, known, canonical=what, entity=entity, unit=unit))
    return {'observations': rows, 'refused': list(odd.values())}


# --- International Monetary Fund

def member_of(country):
    return 'iso3:xkx' if country in ('KOS', 'UVK') else f'iso3:{country.lower()}' if country.isalpha() else None


def imf(key, body, retrieved, **_):
    rows, odd = [], []

    def told(code, frequency, day, value, known, canonical, entity, unit, which):
        if entity is None:
            odd.append(refused('identity_unresolved', code, None, which, 'COUNTRY', spoken(value)))
        else:
            rows.append(row(code, frequency, day, value, known, canonical=canonical, entity=entity, unit=unit))

    if key.endswith('.csv'):
        for r in table(body):
            if r['TIME_PERIOD']:
                when = r['TIME_PERIOD'].replace('M', '')
                names = list(r)
                code = '.'.join(r[n] for n in names[names.index('COUNTRY'):names.index('TIME_PERIOD')])
                value = number(r['OBS_VALUE'], ('', 'NaN'))
                what, unit = {'IX': ('cpi_nsa', 'index'), 'YOY_PCH_PA_PT': ('cpi_inflation_yoy_published', 'percent'),
                              'PT': ('unemployment_rate_as_reported', 'percent'), 'XDC': ('gdp_real_national_currency', 'national_currency_billions_chained'),
                              }.get(r.get('TYPE_OF_TRANSFORMATION'), ('monetary_policy_related_rate', 'percent'))
                value = value / 1e9 if value is not None and unit.endswith('billions_chained') else value
                told(code, 'quarterly' if 'Q' in when else 'monthly', day_of(when), value, retrieved, what, member_of(r['COUNTRY']), unit, when)
        return {'observations': rows, 'refused': odd}
    tree = ElementTree.fromstring(body)
    of_data = next(element for element in tree.iter() if element.tag.endswith('DataSet')).attrib
    last = {(g.get('COUNTRY'), g.get('INDICATOR')): int(g.get('LATEST_ACTUAL_ANNUAL_DATA')) for g in tree.iter('Group') if g.get('LATEST_ACTUAL_ANNUAL_DATA')}
    for series in tree.iter('Series'):
        for seen in series:
            when, value = seen.get('TIME_PERIOD'), number(seen.get('OBS_VALUE'), ('NaN',))
            if 'COMMODITY' in series.attrib:
                code = '.'.join(series.get(n) for n in ('FREQ', 'REF_AREA', 'COMMODITY', 'UNIT_MEASURE'))
                entity = {'PZINC': 'commodity_zinc'}.get(series.get('COMMODITY'))
                told(code, 'monthly', day_of(when), value, retrieved, 'commodity_price', entity, 'usd', when)
                continue
            stamp = max(parsed(of_data['UPDATE_DATE']), parsed(of_data['PUBLICATION_DATE']))
            place, what = series.get('COUNTRY'), series.get('INDICATOR')
            code, entity = f"{place}.{what}.{series.get('FREQUENCY')}", member_of(place)
            if entity is not None and int(when) > last.get((place, what), 0):
                odd.append(refused('future_period', code, None, when, 'LATEST_ACTUAL_ANNUAL_DATA', spoken(value)))
            else:
                told(code, 'annual', date(int(when), 12, 31), value, min(instant(stamp), retrieved), 'gdp_real_annual', entity, 'national_currency', when)
    return {'observations': rows, 'refused': odd}


def us_treasury(key, body, retrieved, **_):
    curves = {}
    if key.endswith('.csv'):
        for r in table(body, strip=True):
            stated = r.pop('Date')
            day = date.fromisoformat(stated) if '-' in stated else datetime.strptime(stated, '%m/%d/%Y').date()
            curves[day] = {f'{n.split()[0]}{"YEAR" if "Yr" in n else "MONTH"}'.replace('.', '_'): number(v) for n, v in r.items()}
    else:
        for entry in ElementTree.fromstring(body).findall('.//{*}properties'):
            told = {re.sub('{.*}', '', child.tag): child.text for child in entry}
            day = date.fromisoformat(told['NEW_DATE'][:10])
            curves[day] = {n[3:]: number(v or '') for n, v in told.items() if re.fullmatch(r'BC_[0-9_]+(MONTH|YEAR)', n)}
    rows = []
    for tenor in {tenor for rates in curves.values() for tenor in rates}:
        begun = min((day for day, rates in curves.items() if rates.get(tenor) is not None), default=None)
        for day, rates in curves.items():
            if begun is not None and day >= begun:
                rows.append(row(f'BC_{tenor}', 'daily', day, rates.get(tenor), known_on(day, retrieved)))
    return {'observations': rows}


def bls(key, body, retrieved, **_):
    if 'cu.data' in key:
        named = key.split('/')[-2]
        known = min(end_of(month_end(int(named[:4]), int(named[5:] or 12))), retrieved)
        lines = [line.split('\t') for line in body.decode().splitlines()[1:]]
        return {'observations': [
            {k: v for k, v in row(code.strip(), 'monthly', date(int(year), int(which[1:]), 1), number(value.strip()), known).items() if k != 'frequency'}
            for code, year, which, value, *_ in lines if code.strip() in ('CUSR0000SA0', 'CUUR0000SA0') and which in [f'M{n:02}' for n in range(1, 13)]]}
    told = json.loads(body)
    rows, absent = [], []
    for series in told.get('data', told)['Results']['series']:
        code = series['seriesID']
        if not series['data']:
            absent.append(refused('identity_unresolved', code, None, None, 'data', None))
        for r in series['data']:
            if r['period'] != 'M13':
                rows.append(row(code, 'monthly', date(int(r['year']), int(r['period'][1:]), 1), number(r['value']), retrieved))
    kinds = {'observations': [{k: v for k, v in r.items() if k != 'frequency'} for r in rows]}
    return {**kinds, 'refused': absent} if absent else kinds


def destatis(key, body, retrieved, **_):
    known = known_on(date.fromisoformat(key[-14:-4]), retrieved)
    rows = []
    lines = list(csv.reader(io.StringIO(body.decode('utf-8-sig'), newline=''), delimiter=';'))
    for place, name in enumerate(lines[0]):
        if place == 0:
            continue
        adjusted = 'X13' in name or 'Lkw' in name or 'Produktion' in name
        if 'lkw' in key:
            code = 'PRODUKTION_VERARBEITENDES_GEWERBE.X13' if 'Produktion' in name else 'LKW_MAUT.X13'
        else:
            code = f'UMSATZ_GASTGEWERBE.{"NOMINAL" if name.startswith("nominal") else "REAL"}.{"X13" if adjusted else "ORIGINAL"}'
        for line in lines[1:]:
            month = date.fromisoformat(line[0][:7] + '-01')
            rows.append(row(code, 'monthly', month, number(line[place].replace(',', '.'), ('', 'Null')), known))
    return {'observations': [{k: v for k, v in r.items() if k != 'frequency'} for r in rows]}


# --- Rounds of projections

COUNTRY_NAMES = {'Germany': 'deu', "C\u00f4te d'Ivoire": 'civ', 'Slovak Republic': 'svk', 'France': 'fra', 'Austria': 'aut', 'Greece': 'grc',
                 'CzechRepublic': 'cze'}
GROUP_NAMES = {'Euro area': 'ea', 'World': 'region_wld', 'EU 27': 'eu', 'EA 20': 'ea'}
OUTLOOK = [('constant prices', 'ercent change', 'NGDP_RPCH', 'gdp_growth_annual', 'projection_gdp_growth', 1),
           ('average consumer', 'ercent change', 'PCPIPCH', 'cpi_inflation_annual', 'projection_inflation', 1),
           ('Unemployment', 'labor', 'LUR', 'unemployment_rate_annual', 'projection_unemployment_rate', 1),
           ('gross debt', 'Percent', 'GGXWDG_NGDP', 'government_debt', 'projection_government_debt', 1),
           ('current prices', 'U.S. dollars', 'NGDPD', 'gdp_nominal_usd', 'projection_gdp_nominal_usd', 10**9)]


def projected_place(name):
    return GROUP_NAMES.get(name) or (f'iso3:{COUNTRY_NAMES[name]}' if name in COUNTRY_NAMES else None)


def imf_weo(key, body, retrieved, **_):
    year, month = map(int, re.search(r'(\d{4})-(\d{2})\.', key).groups())
    known = min(end_of(month_end(year, month)), retrieved)
    for encoding in ('utf-16-le',) if body[1] == 0 else ('utf-8-sig', 'latin-1'):
        try:
            text = body.decode(encoding)
            break
        except UnicodeDecodeError:
            pass
    head = text.splitlines()[0]
    sheet = csv.DictReader(io.StringIO(text), delimiter='\t' if '\t' in head else ',', quoting=csv.QUOTE_NONE if '\t' in head else csv.QUOTE_MINIMAL)
    rows, odd = [], {}
    for r in sheet:
        told = (r.get('Subject Descriptor') or '').strip('"')
        found = [one for one in OUTLOOK if one[0] in told and one[1] in (r.get('Units') or '') and 'per capita' not in told]
        if not found:
            continue
        _, _, code, actual, ahead, scale = found[0]
        name = (r.get('Country') or r.get('Country Group Name')).strip()
        entity = projected_place(name)
        if entity is None:
            odd[name] = refused('identity_unresolved', name, None, None, None, None)
            continue
        last = (r.get('Estimates Start After') or '').strip()
        for column in r:
            if column is None or not re.fullmatch(r'\d{4}', column) or (r[column] or '') in ('', 'n/a', '--'):
                continue
            cell = r[column]
            value = Decimal(cell.replace(',', '') if '.' in text.split('International')[0].split('Units')[-1] or scale > 1 else cell.replace(',', '.')) * scale
            series = f"{entity.replace('iso3:', '').upper()}.{code}.A"
            if last == '' and int(column) < year:
                odd[code] = refused('future_period', code, None, None, None, None)
                continue
            is_actual = last != '' and int(column) <= int(last)
            rows.append(row(series + ('' if is_actual else '.PROJECTION'), 'annual', date(int(column), 12, 31), float(value), known,
                            canonical=actual if is_actual else ahead, entity=entity, unit='usd' if scale > 1 else 'percent'))
    if not rows and not odd:
        odd[''] = refused('identity_unresolved', None, None, None, None, None)
    return {'observations': rows, 'refused': list(odd.values())}


def ec_forecasts(key, body, retrieved, **_):
    day, code = re.search(r'(\d{8})_(\w+)\.csv', key).groups()
    known = known_on(datetime.strptime(day, '%Y%m%d').date(), retrieved)
    canonical = {'NGDP_RPCH': 'projection_gdp_growth', 'PCPIPCH': 'projection_inflation', 'LUR': 'projection_unemployment_rate'}[code]
    rows, odd = [], []
    for r in csv.DictReader(io.StringIO(body.decode())):
        entity = projected_place(r['Category'])
        if entity is None:
            odd.append(refused('identity_unresolved', r['Category'], None, None, 'Category', None))
            continue
        for column, cell in r.items():
            if column != 'Category' and cell:
                rows.append(row(f"{entity.replace('iso3:', '').upper()}.{code}", 'annual', date(int(column), 12, 31), number(cell), known,
                                canonical=canonical, entity=entity, unit='percent'))
    return {'observations': rows, 'refused': odd}


# --- Bank for International Settlements

SPREADSHEET = '{http://schemas.openxmlformats.org/spreadsheetml/2006/main}'


def sheet_names(body):
    with zipfile.ZipFile(io.BytesIO(body)) as book:
        return [sheet.get('name') for sheet in ElementTree.fromstring(book.read('xl/workbook.xml')).iter(f'{SPREADSHEET}sheet')]


def sheet_rows(body, called=None):
    """A sheet of a workbook, the first or the one called so, by the letters of its columns: numbers as such, the rest as text."""
    with zipfile.ZipFile(io.BytesIO(body)) as book:
        texts = 'xl/sharedStrings.xml'
        shared = [''.join(item.itertext()) for item in ElementTree.fromstring(book.read(texts))] if texts in book.namelist() else []
        names = sheet_names(body)
        tree = ElementTree.fromstring(book.read(f'xl/worksheets/sheet{1 if called is None else names.index(called) + 1}.xml'))
    for line in tree.iter(f'{SPREADSHEET}row'):
        cells = {}
        for cell in line:
            held = ''.join(cell.itertext())
            if held:
                kind = cell.get('t')
                text = shared[int(held)] if kind == 's' else held
                cells[re.match('[A-Z]+', cell.get('r'))[0]] = text if kind in ('s', 'e', 'inlineStr') else number(held)
        yield cells


def bis(key, body, retrieved, **_):
    folder = re.search(r'(\d{4})-(\d\d)(?:-(\d\d))?/(?:[^/]+/)?[^/]+$', key)
    if folder:
        year, month, day = (int(one or 0) for one in folder.groups())
        retrieved = min(end_of(date(year, month, day) if day else month_end(year, month)), retrieved)
    found = []
    if key.endswith('.xlsx'):
        header, *lines = sheet_rows(body)
        ends = {column: name[:7] for column, name in header.items() if re.fullmatch(r'\d{4}-\d\d-\d\d', name)}
        key_column = next(column for column, name in header.items() if name.startswith('KEY'))
        for line in lines:
            found += [(line[key_column], line[key_column].split('.')[1], month, line[column], str(line[column])) for column, month in ends.items() if column in line]
    elif key.endswith('.xml'):
        found = [(f"M.{o['REF_AREA']}", o['REF_AREA'], o['period'], o['value'], spoken(o['value'])) for o in sdmx(body)]
    elif key.endswith('_csv_col.csv'):
        for r in table(body):
            of = {name: cell.split(':')[0] for name, cell in r.items() if not name[0].isdigit()}
            often, area, measure = of.get('FREQ', of.get('Frequency')), of.get('REF_AREA', of.get('Reference area')), of.get('UNIT_MEASURE', of.get('Unit of measure', '628'))
            if often == 'M' and (measure == '628' or 'CBPOL' in key):
                code = f'M.{area}' + ('.628' if 'LONG_CPI' in key else '')
                found += [(code, area, month, number(cell), cell) for month, cell in r.items() if re.fullmatch(r'\d{4}-\d\d', month) and number(cell, ('', 'NaN')) is not None]
    else:
        for r in table(body):
            code = f"M.{r['REF_AREA']}" + ('.628' if 'LONG_CPI' in key else '')
            found.append((code, r['REF_AREA'], r['TIME_PERIOD'], number(r['OBS_VALUE'], ('', 'NaN')), r['OBS_VALUE']))
    indicator, unit = ('cpi_nsa', 'index') if 'LONG_CPI' in key else ('central_bank_policy_rate', 'percent')
    rows, odd = [], []
    for code, area, month, value, text in found:
        if area.isalpha():
            of = 'hicp' if (indicator, area) == ('cpi_nsa', 'XM') else indicator
            entity = 'ea' if area == 'XM' else area.lower()
            rows.append(row(code, 'monthly', date.fromisoformat(f'{month}-01'), value, retrieved, canonical=of, entity=entity, unit=unit))
        else:
            odd.append(refused('identity_unresolved', code, None, month, 'REF_AREA', text))
    return {'observations': rows, 'refused': odd}


# --- Eurostat

# Dimensions in the order of the structure; which of them tells what is measured; the codes of the euro area and the Union.
TODAY, EVER = {'EA21': 'ea', 'EU27_2020': 'eu'}, {'EA': 'ea', 'EU': 'eu'}
EUROSTAT = {
    'une_rt_m': ('freq s_adj age unit sex', 'unit', {'PC_ACT': ('unemployment_rate', 'percent')}, TODAY),
    'namq_10_gdp': ('freq unit s_adj na_item', 'unit', {'CLV20_MEUR': ('gdp_real_eur', 'eur_millions_chained')}, TODAY),
    'sts_inpr_m': ('freq indic_bt nace_r2 s_adj unit', 'unit', {'I21': ('industrial_production', 'index')}, TODAY),
    'ei_bssi_m_r2': ('freq indic s_adj', 'indic', {'BS-ICI-BAL': ('business_confidence', 'balance')}, TODAY),
    'ei_bsco_m': ('freq indic s_adj unit', 'indic', {'BS-CSMCI': ('consumer_confidence', 'balance')}, TODAY),
    'prc_hicp_minr': ('freq unit coicop18', 'unit', {'RCH_A': ('hicp_inflation_yoy', 'percent'), 'I25': ('hicp', 'index')}, EVER),
    'prc_hicp_fpd': ('freq unit coicop18 release', 'release',
                     {'FLS': ('hicp_inflation_yoy_flash', 'percent'), 'FIN': ('hicp_inflation_yoy_first', 'percent')}, EVER),
}


# Data set of a download: its dimensions before the area; key -> indicator and unit; whether groups are those of each time.
DOWNLOADS = {
    'une_rt_m': ('freq s_adj age unit sex', {
        'M.SA.TOTAL.PC_ACT.T': ('unemployment_rate', 'percent'), 'M.NSA.TOTAL.PC_ACT.T': ('unemployment_rate_nsa', 'percent'),
        'M.SA.Y_LT25.PC_ACT.T': ('unemployment_rate_youth', 'percent'), 'M.SA.Y25-74.PC_ACT.T': ('unemployment_rate_25_74', 'percent')}, False),
    'namq_10_gdp': ('freq unit s_adj na_item', {
        'Q.CLV20_MEUR.SCA.B1GQ': ('gdp_real_eur', 'eur_millions_chained'), 'Q.CON_PPCH_PRE.SCA.B1GQ': ('gdp_growth_qoq_published', 'percent'),
        'Q.CON_PPCH_SM.SCA.B1GQ': ('gdp_growth_yoy_published', 'percent')}, False),
    'prc_hicp_manr': ('freq unit coicop', {'M.RCH_A.CP00': ('hicp_inflation_yoy', 'percent')}, True),
    'prc_hicp_midx': ('freq unit coicop', {'M.I15.CP00': ('hicp_2015', 'index')}, True),
    'prc_hicp_minr': ('freq unit coicop18', {'M.RCH_A.TOTAL': ('hicp_inflation_yoy', 'percent'), 'M.I25.TOTAL': ('hicp', 'index')}, True),
    'prc_hpi_q': ('freq purchase unit', {'Q.TOTAL.I15_Q': ('house_price_index', 'index')}, False),
    'tec00115': ('freq unit na_item', {'A.CLV_PCH_PRE.B1GQ': ('gdp_growth_annual', 'percent')}, False),
}
SPOKEN = {
    'freq': {'Monthly': 'M', 'Quarterly': 'Q', 'Annual': 'A'}, 'age': {'Total': 'TOTAL', 'Less than 25 years': 'Y_LT25', 'From 25 to 74 years': 'Y25-74'},
    's_adj': {'Seasonally adjusted data, not calendar adjusted data': 'SA', 'Seasonally and calendar adjusted data': 'SCA',
              'Unadjusted data (i.e. neither seasonally adjusted nor calendar adjusted data)': 'NSA'},
    'unit': {'Percentage of population in the labour force': 'PC_ACT', 'Annual rate of change': 'RCH_A', 'Index, 2015=100': 'I15', 'Index, 2025=100': 'I25',
             'Quarterly index, 2015=100': 'I15_Q', 'Chain linked volumes, percentage change on previous period': 'CLV_PCH_PRE',
             'Chain linked volumes (2020), million euro': 'CLV20_MEUR'},
    'sex': {'Total': 'T'}, 'coicop': {'All-items HICP': 'CP00'}, 'coicop18': {'Total': 'TOTAL', 'All-items HICP': 'TOTAL'},
    'na_item': {'Gross domestic product at market prices': 'B1GQ'}, 'purchase': {'Total': 'TOTAL'},
}
EUROPE = dict(pair.split('=') for pair in (
    'Albania=AL|Austria=AT|Belgium=BE|Bosnia and Herzegovina=BA|Bulgaria=BG|Croatia=HR|Cyprus=CY|Czechia=CZ|Czech Republic=CZ|Denmark=DK|Estonia=EE|'
    'Finland=FI|France=FR|Germany=DE|Germany (until 1990 former territory of the FRG)=DE|Greece=EL|Hungary=HU|Iceland=IS|Ireland=IE|Italy=IT|Japan=JP|'
    'Kosovo*=XK|Latvia=LV|Liechtenstein=LI|Lithuania=LT|Luxembourg=LU|Malta=MT|Moldova=MD|Montenegro=ME|Netherlands=NL|North Macedonia=MK|Norway=NO|'
    'Poland=PL|Portugal=PT|Romania=RO|Serbia=RS|Slovakia=SK|Slovenia=SI|Spain=ES|Sweden=SE|Switzerland=CH|Türkiye=TR|Turkey=TR|Ukraine=UA|'
    'United Kingdom=UK|United States=US').split('|'))


def download(key, body, retrieved):
    named, name = key.split('/')[-2:]
    dimensions, known, chained = DOWNLOADS[name.split('.')[0]]
    groups = {'EA': 'ea', 'EU': 'eu'} if chained else {'EA21': 'ea', 'EU27_2020': 'eu'}
    rows = []
    for r in table(body):
        code = '.'.join(SPOKEN[d].get(r[d], r[d]) for d in dimensions.split())
        if code not in known:
            continue
        spoken_area = r['geo']
        geo = EUROPE.get(spoken_area, spoken_area)
        if 'EA11-1999' in geo or 'EU6-1958' in geo:
            geo = geo[0] + ('A' if 'area' in geo else 'U')
        if '27 countries (from 2020)' in geo:
            geo = 'EU27_2020'
        if geo in groups:
            entity = groups[geo]
        elif len(geo) != 2 or geo in ('EA', 'EU'):
            continue
        else:
            entity = {'EL': 'gr', 'UK': 'gb', 'XK': 'region_xkx'}.get(geo, geo.lower())
        indicator, unit = known[code]
        if name.endswith('.wide.csv'):
            seen = [(when.strip(), re.match(r'(:|[-\d.]*)', cell.strip())[1]) for when, cell in r.items() if when[:1] in '12']
            observed = min(end_of(month_end(int(named[:4]), int(named[5:7]))), retrieved)
        else:
            seen = [(r['TIME_PERIOD'], r['OBS_VALUE'])]
            stamp = datetime.strptime(r['LAST UPDATE'], '%d/%m/%y %H:%M:%S').replace(tzinfo=ZoneInfo('Europe/Luxembourg'))
            observed = min(instant(stamp), retrieved)
        for when, cell in seen:
            frequency = 'annual' if len(when) == 4 else 'quarterly' if 'Q' in when else 'monthly'
            day = date(int(when), 1, 1) if frequency == 'annual' else day_of(when)
            rows.append(row(f'{code}.{geo}', frequency, day, number(cell, ('', ':')), observed, canonical=indicator, entity=entity, unit=unit))
    return {'observations': rows}


def eurostat(key, body, retrieved, **_):
    if re.match(r'\d{4}-\d\d', key.split('/')[-2]):
        return download(key, body, retrieved)
    names, by, measures, groups = EUROSTAT[key.rsplit('/', 1)[1][:-len('.csv')]]
    rows = []
    for r in table(body):
        geo, when = r['geo'], r['TIME_PERIOD']
        if geo in groups:
            entity = groups[geo]
        elif len(geo) > 2 or geo in ('EA', 'EU'):
            continue
        else:
            entity = {'EL': 'gr', 'UK': 'gb', 'XK': 'region_xkx'}.get(geo, geo.lower())
        indicator, unit = measures[r[by]]
        said = r['LAST UPDATE']
        read = datetime.strptime(said, '%d/%m/%y %H:%M:%S') if ' ' in said else datetime.strptime(said, '%d/%m/%y') + timedelta(days=1, milliseconds=-1)
        stamp = read.replace(tzinfo=ZoneInfo('Europe/Luxembourg'))
        day = date(int(when[:4]), int(when[-1]) * 3, 1) if 'Q' in when else date.fromisoformat(f'{when}-01')
        frequency = 'quarterly' if r['freq'] == 'Q' else 'monthly'
        code = '.'.join([r[name] for name in names.split()] + [geo])
        rows.append(row(code, frequency, day, number(r['OBS_VALUE'], ('', ':')), min(instant(stamp), retrieved), canonical=indicator, entity=entity, unit=unit))
    return {'observations': rows}


# --- Statistical agencies and the Reserve Bank of Australia

AUSTRALIA = {
    'A2325846C': ('quarterly', 'cpi_nsa', 'index', 1), 'A2325847F': ('quarterly', 'cpi_inflation_yoy_published', 'percent', 1),
    'A84423050A': ('monthly', 'unemployment_rate', 'percent', 1), 'A2304370T': ('quarterly', 'gdp_growth_qoq_published', 'percent', 1),
    'A2304402X': ('quarterly', 'gdp_real_national_currency', 'national_currency_billions_chained', 1000),
    'FIRMMCRTD': ('daily', 'central_bank_policy_rate_daily', 'percent', 1),
}


def texts_of_sheet(body, called):
    with zipfile.ZipFile(io.BytesIO(body)) as book:
        has_shared = 'xl/sharedStrings.xml' in book.namelist()
        shared = [''.join(item.itertext()) for item in ElementTree.fromstring(book.read('xl/sharedStrings.xml'))] if has_shared else []
        names = [sheet.get('name') for sheet in ElementTree.fromstring(book.read('xl/workbook.xml')).iter(f'{SPREADSHEET}sheet')]
        tree = ElementTree.fromstring(book.read(f'xl/worksheets/sheet{names.index(called) + 1}.xml'))
    lines = []
    for line in tree.iter(f'{SPREADSHEET}row'):
        held = {re.match('[A-Z]+', cell.get('r'))[0]: (cell.get('t'), ''.join(cell.itertext())) for cell in line}
        lines.append({place: shared[int(text)] if kind == 's' else text for place, (kind, text) in held.items() if text})
    return lines


def columns_of_australia(body, sheet, known):
    cells = texts_of_sheet(body, sheet)
    at_row = next(i for i, line in enumerate(cells) if line.get('A') == 'Series ID')
    rows = []
    for place, code in cells[at_row].items():
        if code not in AUSTRALIA:
            continue
        often, what, unit, scale = AUSTRALIA[code]
        for line in cells[at_row + 1:]:
            if line.get(place):
                day = date(1899, 12, 30) + timedelta(days=int(float(line['A'])))
                rows.append(row(code, often, day, float(line[place]) / scale, known(day), canonical=what, entity='au', unit=unit))
    return {'observations': rows}


def abs_(key, body, retrieved):
    year, month = re.search(r'/?(\d{4})-(\d\d)/', key).groups()
    known = min(end_of(month_end(int(year), int(month))), retrieved)
    return columns_of_australia(body, 'Data1', lambda day: known)


def rba(key, body, retrieved, **_):
    return columns_of_australia(body, 'Data', lambda day: known_on(day, retrieved))


BRITAIN = {
    'MGSX': ('unemployment_rate', 'percent'), 'D7G7': ('cpi_inflation_yoy_published', 'percent'), 'D7BT': ('cpi_nsa', 'index'),
    'ABMI': ('gdp_real_national_currency', 'national_currency_billions_chained'), 'IHYQ': ('gdp_growth_qoq_published', 'percent'),
    'IHYR': ('gdp_growth_yoy_published', 'percent'),
}


def ons(key, body, retrieved, **_):
    told = json.loads(body)
    code = told['description']['cdid']
    what, unit = BRITAIN[code]
    rows = []
    for seen in told['months'] if code in ('MGSX', 'D7G7', 'D7BT') else told['quarters']:
        year, part = seen['date'].split()
        month = int(part[1]) * 3 if part[0] == 'Q' and part[1].isdigit() else datetime.strptime(part.title(), '%b').month
        local = parsed(seen['updateDate']).astimezone(ZoneInfo('Europe/London'))
        stamp = parsed(seen['updateDate'])
        known = known_on(local.date(), retrieved) if (stamp.hour, stamp.minute) in ((0, 0), (23, 0)) else seen['updateDate']
        value = number(seen['value'])
        value = value / 1000 if value is not None and code == 'ABMI' else value
        often = 'quarterly' if code in ('ABMI', 'IHYQ', 'IHYR') else 'monthly'
        rows.append(row(code, often, date(int(year), month, 1), value, known, canonical=what, entity='gb', unit=unit))
    return {'observations': rows}


def statcan(key, body, retrieved, **_):
    lines = list(csv.reader(io.StringIO(body.decode('utf-8-sig').split('Footnotes:')[0])))
    released = next(line[0][-10:] for line in lines if line and line[0].startswith('Release date'))
    months = next(line[1:] for line in lines if line and line[0].startswith('Products and'))
    values = next(line[1:] for line in lines if line and line[0] == 'All-items')
    return {'observations': [
        row('18-10-0004-01.All-items', 'monthly', datetime.strptime(month, '%B %Y').date(), number(value, ('', '..')),
            known_on(date.fromisoformat(released), retrieved), canonical='cpi_nsa', entity='ca', unit='index')
        for month, value in zip(months, values)]}


# --- SDMX-ML, and central banks and agencies that speak it

def local(element):
    return element.tag.rsplit('}', 1)[-1]


def sdmx(body):
    """Each observation of a message of any shape, as one dictionary of all that is said of it; `period` and `value` among it."""
    root = ElementTree.fromstring(body)
    said = []

    def values(element):
        return {v.get('id'): v.get('value') for v in element if local(v) == 'Value'}

    def plain(element):
        return {name: text for name, text in element.attrib.items() if not name.startswith('{')}

    def observation(element, above):
        one = {**above, **plain(element)}
        for child in element:
            if local(child) in ('ObsKey', 'Attributes'):
                one.update(values(child))
            elif local(child) == 'ObsDimension':
                one[child.get('id') or 'TIME_PERIOD'] = child.get('value')
            elif local(child) == 'ObsValue':
                one['OBS_VALUE'] = child.get('value')
        said.append({**one, 'period': one['TIME_PERIOD'], 'value': number(one.get('OBS_VALUE') or '', ('', 'NaN', '.', '-', ':'))})

    for data in (e for e in root if local(e) == 'DataSet'):
        whole = {}
        for child in data:
            if local(child) == 'Attributes':
                whole.update(values(child))
        for child in data:
            if local(child) == 'Series':
                series = {**whole, **plain(child)}
                for part in child:
                    if local(part) in ('SeriesKey', 'Attributes'):
                        series.update(values(part))
                for part in child:
                    if local(part) == 'Obs':
                        observation(part, series)
            elif local(child) == 'Obs':
                observation(child, whole)
    return said


def semicolons(body):
    return list(csv.DictReader(io.StringIO(body.decode('utf-8-sig'), newline=''), delimiter=';'))


def plain_rows(found, observed):
    """Rows of days and months, whose indicator and entity reference data have."""
    rows = []
    for code, when, value in found:
        told = row(code, 'daily' if len(when) == 10 else 'monthly', date.fromisoformat(when if len(when) == 10 else f'{when}-01'), value, observed)
        rows.append({name: cell for name, cell in told.items() if name != 'frequency'})
    return {'observations': rows}


def bundesbank(key, body, retrieved, **_):
    wanted = re.compile(r'BBSIS\.D\.I\.ZAR\.ZI\.EUR\.S1311\.B\.A604\.R(02|05|10|30)XX\.R\.A\.A\._Z\._Z\.A')
    return plain_rows([(o['BBK_ID'], o['period'], o['value']) for o in sdmx(body) if wanted.fullmatch(o['BBK_ID'])], retrieved)


def norges_bank(key, body, retrieved, **_):
    if key.endswith('.xml'):
        said = sdmx(body)
    else:
        said = [{**r, 'period': r['TIME_PERIOD'], 'value': number(r['OBS_VALUE'], ('', 'NaN'))} for r in semicolons(body)]
    found = []
    for o in said:
        if 'BASE_CUR' in o and o['BASE_CUR'] in ('EUR', 'USD'):
            found.append((f"EXR.{o['FREQ']}.{o['BASE_CUR']}.{o['QUOTE_CUR']}.{o['TENOR']}", o['period'], o['value']))
        elif o.get('INSTRUMENT_TYPE') == 'KPRA':
            found.append((f"IR.{o['FREQ']}.KPRA.{o['TENOR']}.{o['UNIT_MEASURE']}", o['period'], o['value']))
    return plain_rows(found, retrieved)


def bank_of_israel(key, body, retrieved, **_):
    if key.endswith('.xml'):
        said = sdmx(body)
    else:
        said = [{**r, 'period': r['TIME_PERIOD'], 'value': number(r['OBS_VALUE'], ('', 'NaN'))} for r in table(body)]
    found = []
    for o in said:
        if o['SERIES_CODE'] == 'MNT_RIB_BOI_D':
            found.append(('BR.MNT_RIB_BOI_D.D.RIB_BOI', o['period'], o['value']))
        elif o['BASE_CURRENCY'] in ('EUR', 'GBP', 'USD'):
            found.append((f"EXR.RER_{o['BASE_CURRENCY']}_ILS.D.{o['BASE_CURRENCY']}.ILS.ILS.OF00", o['period'], o['value']))
    return plain_rows(found, retrieved)


def oenb(key, body, retrieved, **_):
    found = []
    for data in ElementTree.fromstring(body).iter('dataSet'):
        names = [data.get(name) for name in ('pos', 'attr1', 'attr2', 'attr3', 'attr4', 'freq')]
        if names == ['VDBFKBSC217000', 'AT', '00100KI', 'AT', 'Z0Z', 'M']:
            found += [('.'.join(names), obs.get('periode'), number(obs.get('value') or '', ('', '-', '.', ':', 'NaN'))) for obs in data.iter('obs')]
    return plain_rows(found, retrieved)


def ecb_data(key, body, retrieved, **_):
    if key.endswith('.csv'):
        said = [(r['KEY'], r['TIME_PERIOD'], number(r['OBS_VALUE'], ('', 'NaN'))) for r in table(body)]
    else:
        of = {'fm': ['FREQ', 'REF_AREA', 'CURRENCY', 'PROVIDER_FM', 'INSTRUMENT_FM', 'PROVIDER_FM_ID', 'DATA_TYPE_FM'],
              'exr': ['FREQ', 'CURRENCY', 'CURRENCY_DENOM', 'EXR_TYPE', 'EXR_SUFFIX']}['exr' if 'EXR' in key else 'fm']
        said = [('.'.join(['EXR' if 'EXR' in key else 'FM', *(o[name] for name in of)]), o['period'], o['value']) for o in sdmx(body)]
    rates = [s for s in said if re.fullmatch(r'FM\.D\.U2\.EUR\.4F\.KR\.(DFR|MLFR|MRR_FR)\.LEV|EST\.B\.EU000A2X2A25\.WT', s[0])]
    rows = plain_rows(rates, retrieved)['observations']
    for code, when, value in said:
        if re.fullmatch(r'EXR\.M\.[A-Z]{3}\.EUR\.SP00\.A', code):
            rows.append(row(code, 'monthly', date.fromisoformat(f'{when}-01'), value, retrieved, canonical='ecb_reference_rate_monthly',
                            entity=f'cur_{code[6:9].lower()}', unit='national_currency_per_eur'))
    return {'observations': rows}


def insee(key, body, retrieved, **_):
    rows = []
    for o in sdmx(body):
        if 'PRODUIT' in o:
            code = f"IPI-2010-A21.{o['FREQ']}.{o['PRODUIT']}.{o['NATURE']}"
        else:
            code = o['IDBANK']
        if o['FREQ'] == 'M' and (code in ('010768261', '010768307') or o.get('PRODUIT', 'x') in 'BCDEF'):
            rows += plain_rows([(code, o['period'], o['value'])], known_on(date.fromisoformat(o['LAST_UPDATE']), retrieved))['observations']
    return {'observations': rows}


def ilo(key, body, retrieved, **_):
    areas = {}
    for r in table(body):
        if not re.fullmatch(r'X\d\d', r['ref_area']):
            when = r['time'].replace('M', '-')
            areas.setdefault(r['ref_area'], {}).setdefault(r['source'], {})[when] = number(r['obs_value'])
    rows, odd = [], []
    for area, surveys in areas.items():
        def reach(survey):
            months = surveys[survey]
            return max((month for month in months if months[month] is not None), default=''), len(months)
        best = max(sorted(surveys, reverse=True), key=reach) if len(surveys) > 1 else next(iter(surveys))
        ties = [s for s in surveys if reach(s) == reach(best)]
        best = min(ties)
        for month in sorted({month for months in surveys.values() for month in months}):
            rows.append(row(f'UNE_DEAP_SEX_AGE_RT_M.{area}.{best}', 'monthly', date.fromisoformat(f'{month}-01'), surveys[best].get(month), retrieved,
                            canonical='unemployment_rate_nsa', entity=f'iso3:{area.lower()}', unit='percent'))
        odd += [refused('duplicate_conflict', f'UNE_DEAP_SEX_AGE_RT_M.{area}.{survey}', None, None, 'source', survey)
                for survey in surveys if survey != best]
    return {'observations': rows, 'refused': odd}


# --- Commitments of Traders

def days(text):
    return [date.fromisoformat(day) for day in text.split()]


def weeks(first, last):
    return [first + timedelta(weeks=n) for n in range((last - first).days // 7 + 1)]


CLOSED = set(days('2001-12-24 2004-06-11 2007-01-02 2008-12-26 2014-12-26 2018-12-05 2020-12-24 2025-01-09'))
PUBLISHED = dict.fromkeys(weeks(date(2013, 10, 1), date(2013, 10, 29)), date(2013, 11, 8))
# 2019: a report each Friday and Tuesday from the first of February, oldest first.
PUBLISHED.update(zip(
    days('2018-12-24 2018-12-31') + weeks(date(2019, 1, 8), date(2019, 2, 26)),
    [day for day in (date(2019, 2, 1) + timedelta(days=n) for n in range(33)) if day.weekday() in (1, 4)],
))
PUBLISHED.update({date(2023, 1, 31): date(2023, 2, 24), **dict.fromkeys(weeks(date(2023, 2, 7), date(2023, 3, 14)), date(2023, 3, 24))})
# 2025: from Wednesday the 19th of November each Tuesday and Friday but those beside holidays.
PUBLISHED.update(zip(
    [date(2025, 11, 10) if day == date(2025, 11, 11) else day for day in weeks(date(2025, 9, 30), date(2026, 1, 13))],
    [date(2025, 11, 19)] + [
        day for day in (date(2025, 11, 21) + timedelta(days=n) for n in range(61))
        if day.weekday() in (1, 4) and day not in days('2025-11-28 2025-12-26 2026-01-02')
    ],
))


def published(report):
    if report < date(1992, 10, 6):
        return end_of(report + timedelta(days=31))
    day = PUBLISHED.get(report)
    if day is None:
        # Mondays stand for the Tuesday of their week.
        day, left = report + timedelta(days=1 if report.weekday() == 0 else 0), 3
        while left:
            day += timedelta(days=1)
            left -= day.weekday() < 5 and day not in HOLIDAYS and day not in CLOSED
    if report.year < 2001:
        day += timedelta(days=7)
    return at(day, '15:30', NEW_YORK)


def positions(rows, measures, sides, retrieved):
    """rows: (code, name, day, {measure: value})."""
    good, bad, names = [], [], {}
    for code, name, day, values in rows:
        entity = f"cftc_{code.lower().replace('+', 'plus')}"
        first = names.setdefault((entity, name), (code, day))
        names[entity, name] = (code, min(first[1], day))
        fault = None
        for measure, value in values.items():
            if value is not None and (value < 0 or value != int(value)) and fault is None:
                fault = refused('out_of_range', f'{code}.{measure}', entity, str(day), measure, spoken(value))
        total = values.get('open_interest')
        for legs in sides if total is not None and fault is None else []:
            told = [values.get(leg) for leg in legs]
            if None not in told and 2 * abs(sum(told) - total) > len(legs) + 1 and fault is None:
                fault = refused('reconciliation_failed', f'{code}.open_interest', entity, str(day), 'open_interest', spoken(total))
        if fault is not None:
            bad.append(fault)
            continue
        known = published(day)
        if known > retrieved >= at(day + timedelta(days=3), '15:30', NEW_YORK):
            known = retrieved
        label = str(day) if day.weekday() == 4 and day > date(1992, 10, 6) else None
        for measure, value in values.items():
            good.append(row(f'{code}.{measure}', 'weekly', day, value, known, measures[measure], entity, 'contracts', known, label=label))
    entities = [contract(entity, code, name, day) for (entity, name), (code, day) in names.items()]
    return {'observations': good, 'refused': bad, 'entities': entities}


def contract(entity, code, name, day):
    return {
        'entityId': entity, 'entityType': 'futures_contract', 'name': name, 'country': None, 'currency': None,
        'identifiers': {'cftcContractCode': code}, 'seenOn': str(day),
    }


LEGACY = {
    'open_interest': ('Open Interest (All)', 'open_interest_all'),
    'noncommercial_long': ('Noncommercial Positions-Long (All)', 'noncomm_positions_long_all'),
    'noncommercial_short': ('Noncommercial Positions-Short (All)', 'noncomm_positions_short_all'),
    'noncommercial_spreading': ('Noncommercial Positions-Spreading (All)', 'noncomm_postions_spread_all'),
    'commercial_long': ('Commercial Positions-Long (All)', 'comm_positions_long_all'),
    'commercial_short': ('Commercial Positions-Short (All)', 'comm_positions_short_all'),
    'nonreportable_long': ('Nonreportable Positions-Long (All)', 'nonrept_positions_long_all'),
    'nonreportable_short': ('Nonreportable Positions-Short (All)', 'nonrept_positions_short_all'),
}
LEGACY_SIDES = [
    [f'{who}_{side}' for who in ('noncommercial', 'commercial', 'nonreportable')] + ['noncommercial_spreading'] for side in ('long', 'short')
]
# Whose contract is not, or not always, the one that it bears in 2025: the compiler's splices.
SPLICED = {'ALUMINUM - COMMODITY EXCHANGE': None, 'CRUDE OIL': None, 'DOW JONES': None}
SINCE = {
    'NASDAQ-100': date(2023, 5, 2), 'S&P 500': date(2023, 5, 2), 'RUSSELL': date(2017, 10, 1),
    # The same numbers in every week; a fifth from one week to the next, in all of Chicago's grains; a twentieth and back, dozens of times.
    'COCOA': date(2005, 1, 4), 'COFFEE': date(2005, 1, 4), 'SUGAR': date(2005, 1, 4),
    'CORN': date(1998, 1, 6), 'SOYBEANS': date(1998, 1, 6), 'WHEAT': date(1998, 1, 6),
    'GOLD': date(2008, 7, 29), 'SILVER': date(2007, 7, 3),
}


def legacy_rows(body):
    return [
        (r['CFTC Contract Market Code'], r['Market and Exchange Names'], date.fromisoformat(r['As of Date in Form YYYY-MM-DD']),
         {measure: number(r[column]) for measure, (column, _) in LEGACY.items()})
        for r in table(body, strip=True)
    ]


def cftc_legacy(key, body, retrieved, beside=None, **_):
    measures = {measure: f'cot_{measure}' for measure in LEGACY}
    if '/socrata/' in key:
        answer = json.loads(body)
        told = [r for r in answer if r['futonly_or_combined'] == 'FutOnly']
        rows = [
            (r['cftc_contract_market_code'].strip(), r['market_and_exchange_names'].strip(), date.fromisoformat(r['report_date_as_yyyy_mm_dd'][:10]),
             {measure: number(r.get(field, '')) for measure, (_, field) in LEGACY.items()})
            for r in told
        ]
        kinds = positions(rows, measures, LEGACY_SIDES, retrieved)
        kinds['refused'] += [
            refused('schema_drift', code := r['cftc_contract_market_code'].strip(), f"cftc_{code.lower().replace('+', 'plus')}",
                    r['report_date_as_yyyy_mm_dd'][:10], 'futonly_or_combined', r['futonly_or_combined'])
            for r in answer if r['futonly_or_combined'] != 'FutOnly'
        ]
        return kinds
    if 'contract_codes_' in key or 'history_code_to' in key:
        lower = 'history_code_to' in key
        code, name = ('cftc_contract_market_code', 'market_and_exchange_names') if lower else ('CFTC Contract Market Code', 'Market and Exchange Names')
        seen = '2025-01-07' if lower else f'{key[-8:-4]}-01-01'
        told = {(r[code], r[name]) for r in table(body, strip=True)}
        return {'entities': [contract(f"cftc_{c.lower().replace('+', 'plus')}", c, n, seen) for c, n in told]}
    if 'noncommercial_history_' not in key:
        return positions(legacy_rows(body), measures, LEGACY_SIDES, retrieved)
    told = [(r['Code'], date.fromisoformat(r['Date']), number(r['NonComm Long']), number(r['NonComm Short'])) for r in table(body, strip=True)]
    codes = named_by_positions(told, beside) if beside else {'COPPER': '085692', 'GOLD': '088691', 'S&P 500': '13874+'}
    rows, bad = [], []
    for name, day, long, short in told:
        code = None if name in SPLICED else codes.get(name)
        if code is not None and day >= SINCE.get(name, date.min):
            rows.append((code, name, day, {'noncommercial_long': long, 'noncommercial_short': short}))
        else:
            entity = None if code is None else f"cftc_{code.lower().replace('+', 'plus')}"
            bad.append(refused('identity_unresolved', name, entity, str(day), 'Code', f"{'' if long is None else long}/{'' if short is None else short}"))
    kinds = positions(rows, measures, [], retrieved)
    return {'observations': kinds['observations'], 'refused': kinds['refused'] + bad}


def named_by_positions(history, report):
    """The contract behind a name: the only one that shows the same long and short positions in every week that both have."""
    stated = {}
    for code, _, day, values in legacy_rows(pathlib.Path(report).read_bytes()):
        stated.setdefault(day, {}).setdefault((values['noncommercial_long'], values['noncommercial_short']), set()).add(code)
    found = {}
    for name, day, long, short in history:
        if day in stated:
            here = stated[day].get((long, short), set())
            found[name] = found[name] & here if name in found else here
    return {name: next(iter(codes)) for name, codes in found.items() if len(codes) == 1}


def cftc_tff(key, body, retrieved, suffix='', **_):
    plain = lambda name: re.sub(r'[\s_]+', '_', name.strip()).lower()
    classes = {'dealer': 'dealer', 'asset_mgr': 'asset_manager', 'lev_money': 'leveraged_funds', 'other_rept': 'other_reportables'}
    columns = {'open_interest': 'open_interest_all', 'nonreportable_long': 'nonrept_positions_long_all', 'nonreportable_short': 'nonrept_positions_short_all'}
    for theirs, ours in classes.items():
        columns.update({f'{ours}_{long}': f'{theirs}_positions_{short}_all' for long, short in (('long', 'long'), ('short', 'short'), ('spreading', 'spread'))})
    sides = [[f'{name}_{leg}' for name in classes.values() for leg in (side, 'spreading')] + [f'nonreportable_{side}'] for side in ('long', 'short')]
    rows = []
    for told in table(body, strip=True):
        r = {plain(name): cell for name, cell in told.items()}
        day = datetime.strptime(r['as_of_date_in_form_yymmdd'].zfill(6), '%y%m%d').date()
        rows.append((r['cftc_contract_market_code'], r['market_and_exchange_names'], day, {m: number(r[c]) for m, c in columns.items()}))
    return positions(rows, {measure: f'cot_tff_{measure}{suffix}' for measure in columns}, sides, retrieved)


def cftc_tff_combined(key, body, retrieved, **_):
    return cftc_tff(key, body, retrieved, '_combined')


def cftc_legacy_combined(key, body, retrieved, **_):
    return positions(legacy_rows(body), {measure: f'cot_{measure}_combined' for measure in LEGACY}, LEGACY_SIDES, retrieved)


def cftc_disaggregated(key, body, retrieved, suffix='', **_):
    plain = lambda name: re.sub(r'[\s_]+', '_', name.strip()).lower()
    classes = {'prod_merc': 'producer', 'swap': 'swap_dealer', 'm_money': 'managed_money', 'other_rept': 'other_reportables', 'nonrept': 'nonreportable'}
    columns = {'open_interest': 'open_interest_all'}
    for theirs, ours in classes.items():
        for long, short in (('long', 'long'), ('short', 'short'), ('spreading', 'spread')):
            if long != 'spreading' or ours not in ('producer', 'nonreportable'):
                columns[f'{ours}_{long}'] = f'{theirs}_positions_{short}_all'
    sides = [[name for name in columns if name.endswith((side, 'spreading'))] for side in ('long', 'short')]
    rows = []
    for told in table(body, strip=True):
        r = {plain(name): cell for name, cell in told.items()}
        day = datetime.strptime(r['as_of_date_in_form_yymmdd'].zfill(6), '%y%m%d').date()
        rows.append((r['cftc_contract_market_code'], r['market_and_exchange_names'], day, {m: number(r[c]) for m, c in columns.items()}))
    return positions(rows, {measure: f'cot_disaggregated_{measure}{suffix}' for measure in columns}, sides, retrieved)


def cftc_disaggregated_combined(key, body, retrieved, **_):
    return cftc_disaggregated(key, body, retrieved, '_combined')


# --- SEC

def company(cik, name, seen, country=None, **identifiers):
    return {
        'entityId': f'company_{cik}', 'entityType': 'company', 'name': name, 'country': country, 'currency': None,
        'identifiers': {'cik': cik, **identifiers}, 'seenOn': seen,
    }


def sec(key, body, retrieved, **_):
    if 'daily-index' in key:
        return {}
    told = json.loads(body)
    older = re.search(r'CIK(\d{10})-submissions-\d{3}', key)
    if older:
        bare = {'filings': {'recent': told}, 'name': '', 'tickers': [], 'exchanges': [], 'formerNames': []}
        return {'filings': submissions(older[1], bare, retrieved)['filings']}
    if key.endswith('company_tickers.json'):
        by_cik = {}
        for entry in told.values():
            by_cik.setdefault(f"{int(entry['cik_str']):010d}", (entry['title'], []))[1].append(entry['ticker'])
        nothing = dict.fromkeys(['sic', 'sicDescription', 'lei', 'fiscalYearEnd', 'countryCode'])
        return {
            'companies': [
                {'cik': cik, 'name': title, 'tickers': tickers, 'exchanges': [], 'formerNames': [], 'observedAt': retrieved, **nothing}
                for cik, (title, tickers) in by_cik.items()
            ],
            'entities': [company(cik, title, retrieved[:10], ticker=tickers[0]) for cik, (title, tickers) in by_cik.items()],
        }
    is_facts = '/companyfacts/' in key
    if is_facts and not told.get('facts'):
        return {}
    cik = f"{int(told['cik']):010d}"
    return facts(cik, told, retrieved) if is_facts else submissions(cik, told, retrieved)


def rounded_to(value, unit):
    """The power of ten to which a figure seems rounded, thousands or more; two digits of it count, and the cents of an amount a share."""
    sign, digits, exponent = Decimal(str(value)).normalize().as_tuple()
    if exponent > 0:
        exponent = min(exponent, exponent + len(digits) - 2)
        exponent = exponent if exponent >= 3 else 0
    return min(exponent, -2) if '/' in unit or unit == 'pure' else exponent


def facts(cik, told, retrieved):
    groups, rows, bad = {}, [], []
    for taxonomy, concepts in told['facts'].items():
        for concept, about in concepts.items():
            for unit, values in about['units'].items():
                for fact in values:
                    identity = (taxonomy, concept, unit, fact['accn'], fact.get('start'), fact['end'])
                    groups.setdefault(identity, (about['label'], []))[1].append(fact)
    for (taxonomy, concept, unit, *_), (label, same) in groups.items():
        fact = min(same, key=lambda one: rounded_to(one['val'], unit))
        exact = Decimal(str(fact['val']))
        if all(
            one['val'] == fact['val']
            or rounded_to(one['val'], unit) > rounded_to(fact['val'], unit)
            and 2 * abs(exact - Decimal(str(one['val']))) <= Decimal(10) ** rounded_to(one['val'], unit)
            for one in same
        ):
            frame = next((one['frame'] for one in [fact, *same] if one.get('frame')), None)
            rows.append({
                'cik': cik, 'taxonomy': taxonomy, 'concept': concept, 'label': label, 'unit': unit,
                'periodStart': fact.get('start'), 'periodEnd': fact['end'], 'value': fact['val'], 'accessionNumber': fact['accn'],
                'fiscalYear': fact['fy'], 'fiscalPeriod': fact['fp'], 'form': fact['form'], 'filed': fact['filed'],
                'frame': frame, 'observedAt': known_on(date.fromisoformat(fact['filed']), retrieved),
            })
        else:
            for value in dict.fromkeys(one['val'] for one in same):
                bad.append(refused('duplicate_conflict', f'{taxonomy}:{concept}', f'company_{cik}', fact['end'], f'{taxonomy}.{concept}.{unit}', spoken(value)))
    newest = max(fact['filed'] for _, same in groups.values() for fact in same)
    return {'facts': rows, 'refused': bad, 'entities': [company(cik, told['entityName'], newest)]}


def public_from(accepted, filed, form, retrieved):
    """A filing dated after the day of its acceptance is disseminated from 06:00 of its date; a file that holds it before shows it public."""
    moment = instant(accepted)
    same_evening = re.sub(r'/A$', '', form) in ('3', '4', '5', '144', 'SC 13D', 'SC 13G', 'SCHEDULE 13D', 'SCHEDULE 13G')
    if same_evening or filed <= accepted.astimezone(ZoneInfo(NEW_YORK)).date():
        return moment
    morning = at(filed, '06:00', NEW_YORK)
    # What came before its own acceptance is left impossible.
    return morning if retrieved < moment else min(morning, retrieved)


def sec_fsds(key, body, retrieved, **_):
    """Quarterly numbers: of the whole company, standard tags, with a value. A minute of acceptance counts from its end."""
    def table(name):
        with zipfile.ZipFile(io.BytesIO(body)) as packed:
            lines = packed.read(name).decode().splitlines()
        header, *rest = [line.split('\t') for line in lines]
        return [dict(zip(header, cells)) for cells in rest]

    day = lambda digits: datetime.strptime(digits, '%Y%m%d').date()
    filings, entities, numbers = {}, [], []
    for told in table('sub.txt'):
        cik, filed, accepted = told['cik'].zfill(10), day(told['filed']), None
        since = known_on(filed, retrieved)
        if told['accepted']:
            accepted = datetime.fromisoformat(told['accepted'][:19]).replace(tzinfo=ZoneInfo(NEW_YORK))
            latest = accepted + timedelta(milliseconds=59_999) if accepted.second == 0 else accepted
            since = public_from(latest, filed, told['form'], retrieved)
        country = told.get('countryba', '')
        entities.append(company(cik, told['name'], str(filed), country if re.fullmatch('[A-Z]{2}', country) else None))
        filings[told['adsh']] = {
            'cik': cik, 'accessionNumber': told['adsh'], 'form': told['form'], 'filed': str(filed), 'reportDate': None,
            'acceptedAt': accepted and instant(accepted), 'items': None, 'primaryDocument': None, 'observedAt': since,
        }
    for told in table('num.txt'):
        standard = re.match(r'([^/]+)/\d{4}', told['version'])
        if told['coreg'] or told['segments'] or not told['value'] or not standard:
            continue
        filing = filings[told['adsh']]
        numbers.append({
            'cik': filing['cik'], 'accessionNumber': told['adsh'], 'taxonomy': standard[1], 'concept': told['tag'], 'unit': told['uom'],
            'monthEnd': str(day(told['ddate'])), 'quarters': int(told['qtrs']), 'value': float(told['value']),
            'filed': filing['filed'], 'observedAt': filing['observedAt'],
        })
    return {'entities': entities, 'filings': list(filings.values()), 'statement_numbers': numbers}


def submissions(cik, told, retrieved):
    recent = told['filings']['recent']
    times = [datetime.fromisoformat(text[:19]) if text else None for text in recent['acceptanceDateTime']]
    filed = [date.fromisoformat(day) for day in recent['filingDate']]
    in_utc = [moment and moment.replace(tzinfo=timezone.utc) for moment in times]
    in_new_york = [moment and moment.replace(tzinfo=ZoneInfo(NEW_YORK)) for moment in times]

    def impossible(moments):
        """Accepted while EDGAR was shut, or after the day of filing."""
        local = [(moment.astimezone(ZoneInfo(NEW_YORK)), day) for moment, day in zip(moments, filed) if moment]
        return sum(not 6 <= moment.hour < 22 or moment.date() > day for moment, day in local)

    accepted = in_utc if impossible(in_utc) < impossible(in_new_york) else in_new_york
    text = lambda cell: (cell or '').strip() or None
    rows = []
    for index, accession in enumerate(recent['accessionNumber']):
        moment, form = accepted[index], recent['form'][index]
        rows.append({
            'cik': cik, 'accessionNumber': accession, 'form': form, 'filed': str(filed[index]),
            'reportDate': text(recent['reportDate'][index]), 'acceptedAt': moment and instant(moment), 'items': text(recent['items'][index]),
            'primaryDocument': text(recent['primaryDocument'][index]),
            'observedAt': public_from(moment, filed[index], form, retrieved) if moment else known_on(filed[index], retrieved),
        })
    business = (told.get('addresses') or {}).get('business') or {}
    state = text(business.get('stateOrCountry'))
    country = business.get('countryCode')
    if state and state.isalpha() and state != 'XX':
        country = state if state in ('PR', 'GU', 'VI', 'AS', 'MP') else 'US'
    day = lambda stamp: stamp[:10] if stamp else None
    exchanges = [exchange for exchange in told['exchanges'] if exchange]
    about = {
        'cik': cik, 'name': told['name'], 'tickers': told['tickers'], 'exchanges': exchanges,
        **{name: text(told.get(name)) for name in ('sic', 'sicDescription', 'lei', 'fiscalYearEnd')}, 'countryCode': country,
        'formerNames': [{'name': f['name'], 'from': day(f['from']), 'to': day(f['to'])} for f in told['formerNames']], 'observedAt': retrieved,
    }
    listed = {'ticker': told['tickers'][0]} if told['tickers'] else {}
    if listed and exchanges[:1] == ['Nasdaq']:
        listed['mic'] = 'XNAS'
    seen = str(max(filed)) if filed else retrieved[:10]
    return {'filings': rows, 'companies': [about], 'entities': [company(cik, told['name'], seen, country, **listed)]}


# --- Markets

CURRENCIES = dict(pair.split('=') for pair in (
    'Australia=aud Austria=ats Belgium=bef Brazil=brl Canada=cad China=cny Denmark=dkk Euro=eur Finland=fim France=frf Germany=dem Greece=grd '
    'Hong_Kong=hkd India=inr Ireland=iep Italy=itl Japan=jpy Malaysia=myr Mexico=mxn Netherlands=nlg New_Zealand=nzd Norway=nok Portugal=pte '
    'Singapore=sgd South_Africa=zar South_Korea=krw Spain=esp Sri_Lanka=lkr Sweden=sek Switzerland=chf Taiwan=twd Thailand=thb '
    'United_Kingdom=gbp Venezuela=ves').split())


def quotes(key, body, retrieved, **_):
    if key.endswith('.json'):
        told = json.loads(body)
        bars = [(p['time'], p['open'], p['high'], p['low'], p['close'], p['volume']) for p in told['prices']]
        if 'futures' in key:
            symbol = told['symbol']
            return traded(bars, symbol, f"future_{symbol.split('=')[0].lower()}", 'usd', 'contracts', '17:00', pseudo=True)
        return traded(bars, told['symbol'], f"ticker:{told['symbol'].lower()}", 'usd', 'shares', '16:00')
    rows = table(body)
    if 'GSPC' in key:
        return traded([(r['date'], *(number(r[c]) for c in ('open', 'high', 'low', 'close', 'volume'))) for r in rows], 'GSPC', 'index_sp500', 'index', 'shares', '16:00')
    if 'vix' in key:
        return traded([(r['DATE'], *(number(r[c]) for c in ('OPEN', 'HIGH', 'LOW', 'CLOSE'))) for r in rows], 'VIX', 'index_vix', 'index', None, '16:15')
    name = key.rsplit('/', 1)[1]
    spots = {'brent-daily.csv': ('daily', 7), 'wti-daily.csv': ('daily', 7), 'gold-monthly.csv': ('monthly', 5)}
    if name in spots:
        often, lag = spots[name]
        entity = f"commodity_{name.split('-')[0]}"
        return {'observations': [late(entity, 'spot_price', often, 'usd', r['Date'], number(r['Price']), lag, retrieved) for r in rows]}
    if name == 'fx-monthly.csv':
        told = [(r['Country'], r['Date'], number(r['Exchange rate'])) for r in rows]
        kind, often, lag = 'exchange_rate_monthly', 'monthly', 5
        unknown = [(country, day[:7], value) for country, day, value in told if country.replace(' ', '_') not in CURRENCIES]
    else:
        columns = [c for c in rows[0] if c not in ('Data', '') and any(number(r[c]) is not None for r in rows)]
        told = [(country, r['Data'], number(r[country])) for country in columns for r in rows]
        kind, often, lag = 'exchange_rate_h10', 'daily', 7
        unknown = [(country, None, None) for country in columns if country.replace(' ', '_') not in CURRENCIES]
    known = [(CURRENCIES[country.replace(' ', '_')], day, value) for country, day, value in told if country.replace(' ', '_') in CURRENCIES]
    return {
        'observations': [late(f'cur_{currency}', kind, often, 'national_currency_per_usd', day, value, lag, retrieved) for currency, day, value in known],
        'refused': [refused('identity_unresolved', country, None, when, 'Country', spoken(value)) for country, when, value in unknown],
    }


def late(entity, canonical, often, unit, text, value, lag, retrieved):
    """Known at the usual lag; a value in hand after its period is over, at the latest then."""
    day = date.fromisoformat(text if len(text) == 10 else f'{text}-01')
    last = date.fromisoformat(period(often, day)[2])
    known = end_of(last + timedelta(days=lag))
    if end_of(last) <= retrieved < known:
        known = retrieved
    return row(f'{entity}.{canonical}', often, day, value, known, canonical, entity, unit, pseudo=True)


def traded(bars, symbol, entity, unit, volume_unit, close, pseudo=None):
    rows, bad = [], []
    fields = ('open', 'high', 'low', 'close')
    for text, *told in bars:
        prices = dict(zip(fields, told))
        wrong = next((f for f in fields if prices[f] is not None and prices[f] <= 0), None) if pseudo is None else None
        if wrong is not None:
            bad.append(refused('out_of_range', f'{symbol}.{wrong}', entity, text, wrong, spoken(prices[wrong])))
            continue
        shown = fields
        if None not in prices.values():
            slack = abs(prices['close']) / 1_000_000
            inside = all(prices['low'] - slack <= prices[f] <= prices['high'] + slack for f in ('open', 'close'))
            if not inside:
                shown = ('close',)
                bad.append(refused('out_of_range', f'{symbol}.range', entity, text, 'range', f"{spoken(prices['low'])}/{spoken(prices['high'])}"))
        day = date.fromisoformat(text)
        known = at(day, close, NEW_YORK)
        rows += [row(f'{symbol}.{f}', 'daily', day, prices[f], known, f'price_{f}', entity, unit, pseudo=pseudo) for f in shown]
        if volume_unit is not None:
            rows.append(row(f'{symbol}.volume', 'daily', day, told[4] or None, known, 'volume', entity, volume_unit, pseudo=pseudo))
    return {'observations': rows, 'refused': bad}


def dividends(key, body, retrieved, **_):
    symbol = key.rsplit('/', 1)[1][:-4]
    paid, bad = {}, []
    for r in table(body):
        value = number(r['Div'])
        if value is None or value <= 0:
            bad.append(refused('out_of_range', f'{symbol}.dividend', None, r['Ex'], 'Div', spoken(value)))
            continue
        amounts, known = paid.get(r['Ex'], (set(), r['Ex']))
        paid[r['Ex']] = (amounts | {Decimal(r['Div'])}, max(known, r['Dec']))
    if symbol == 'MNR':
        return {'refused': bad + [refused('identity_unresolved', 'MNR.dividend', None, ex, 'Ex', None) for ex in paid]}
    rows = [
        row(f'{symbol}.dividend', 'event', date.fromisoformat(ex), float(sum(amounts)), known_on(date.fromisoformat(known), retrieved),
            'dividend_per_share', f'ticker:{symbol.lower()}', 'usd')
        for ex, (amounts, known) in paid.items()
    ]
    return {'observations': rows, 'refused': bad}


# --- Central banks that answer in CSV or JSON of their own

def told_days(found, observed):
    """Days of each series; one without a value counts on working days between two that have one."""
    rows = []
    for code in sorted({code for code, _, _ in found}):
        mine = [(day, value) for c, day, value in found if c == code]
        full = [day for day, value in mine if value is not None]
        for day, value in mine:
            if value is not None or (full and min(full) < day < max(full) and day.weekday() < 5):
                rows.append(row(code, 'daily', day, value, observed))
    return {'observations': [{name: cell for name, cell in r.items() if name != 'frequency'} for r in rows]}


def boe(key, body, retrieved, **_):
    if 'bank-rate-history' in key:
        rows = []
        for r in table(body):
            stated = r.get('Date') or r['Date Changed']
            if len(stated) == 10:
                day = date.fromisoformat(stated)
            else:
                day = datetime.strptime(stated.replace('-', ' '), '%d %b %y').date()
                day = day if day <= parsed(retrieved).date() else day.replace(year=day.year - 100)
            rows.append(row('IUDBEDR', 'daily', day, number(r['Rate']), known_on(day, retrieved)))
        return {'observations': [{k: v for k, v in r.items() if k != 'frequency'} for r in rows]}
    if key.endswith('.csv'):
        found = []
        for r in table(body):
            day = datetime.strptime(r['DATE'], '%d %b %Y').date()
            found += [(code, day, number(r[code], ('', '..'))) for code in ('IUDBEDR', 'IUDSOIA')]
        return told_days(found, retrieved)
    rows = {}
    for one in ElementTree.fromstring(body).iter():
        if one.get('TIME'):
            stamp = datetime.strptime(one.get('LAST_UPDATED'), '%Y-%m-%d %H:%M:%S').replace(tzinfo=ZoneInfo('Europe/London'))
            told = row('LPMVWYR', 'monthly', date.fromisoformat(one.get('TIME')), number(one.get('OBS_VALUE')), min(instant(stamp), retrieved))
            rows[told['period']] = {name: cell for name, cell in told.items() if name != 'frequency'}
    return {'observations': list(rows.values())}


def riksbank(key, body, retrieved, **_):
    code = re.search(r'(\w+)\.json$', key)[1]
    return told_days([(code, date.fromisoformat(r['date']), r['value']) for r in json.loads(body)], retrieved)


def boj(key, body, retrieved, **_):
    found = []
    for series in json.loads(body)['RESULTSET']:
        days = [datetime.strptime(str(day), '%Y%m%d').date() for day in series['VALUES']['SURVEY_DATES']]
        found += [(series['SERIES_CODE'], day, value) for day, value in zip(days, series['VALUES']['VALUES'])]
    return told_days(found, retrieved)


def bcb(key, body, retrieved, **_):
    code = re.search(r'bcb/(\d+)', key)[1]
    today = parsed(retrieved).astimezone(ZoneInfo('America/Sao_Paulo')).date()
    found = [(code, datetime.strptime(r['data'], '%d/%m/%Y').date(), number(r['valor'])) for r in json.loads(body)]
    found = [one for one in found if one[1] <= today]
    if code != '433':
        return told_days(found, retrieved)
    return {'observations': [{k: v for k, v in row(code, 'monthly', day, value, retrieved).items() if k != 'frequency'} for _, day, value in found]}


def bcb_focus(key, body, retrieved, **_):
    rows = []
    for r in json.loads(body)['value']:
        day = date.fromisoformat(r['Data'])
        if r['baseCalculo'] == 1:
            continue
        if '/' in r.get('DataReferencia', ''):
            month, year = map(int, r['DataReferencia'].split('/'))
            months = (year - day.year) * 12 + month - day.month
            code = f"Mensais.IPCA.{'current' if months == 0 else 'previous'}"
            if months not in (0, -1) or r['Indicador'] != 'IPCA':
                continue
        elif 'DataReferencia' in r:
            years = int(r['DataReferencia']) - day.year
            code = f"Anuais.{r['Indicador']}.{'current' if years == 0 else 'next'}"
            if years not in (0, 1) or r['Indicador'] not in ('IPCA', 'Selic') or r['IndicadorDetalhe']:
                continue
        else:
            code = f"Inflacao12Meses.IPCA.{r['Suavizada']}"
            if r['Indicador'] != 'IPCA':
                continue
        rows.append({k: v for k, v in row(code, 'daily', day, r['Mediana'], retrieved).items() if k != 'frequency'})
    return {'observations': rows}


def boc(key, body, retrieved, **_):
    code = re.search(r'(\w+)\.json$', key)[1]
    found = [(code, date.fromisoformat(r['d']), number((r.get(code) or {}).get('v') or '')) for r in json.loads(body)['observations']]
    return told_days(found, retrieved)


def snb(key, body, retrieved, **_):
    found = []
    for series in json.loads(body)['timeseries']:
        code = re.search(r'{(\w+)}', series['metadata']['key'])[1]
        if code in ('LZ', 'SARON'):
            found += [(code, date.fromisoformat(r['date']), r['value']) for r in series['values']]
    return told_days(found, retrieved)


# --- Surveys of forecasters

def of_round(code, year, quarter, value, retrieved, known=None):
    last = date(year + quarter // 4, 3 * quarter % 12 + 1, 1) - timedelta(days=1)
    seen = min(parsed(retrieved), parsed(end_of(known or last)))
    return {
        'seriesCode': code,
        'period': f'{year}-Q{quarter}',
        'periodStart': str(date(year, 3 * quarter - 2, 1)),
        'periodEnd': str(last),
        'value': value,
        'observedAt': instant(seen),
    }


def philadelphia_spf(key, body, retrieved, **_):
    name = key.split('/')[-1].lower()
    statistic, kind = ('mean' if 'mean' in name else 'median'), ('growth' if 'growth' in name else 'level')
    alone = re.search(r'_([a-z]+)_', name)
    wanted = [alone[1].upper()] if alone else ['RGDP', 'NGDP'] if kind == 'growth' else 'UNEMP CPI CORECPI PCE COREPCE NGDP'.split()
    rows = []
    for variable in wanted:
        header, *lines = sheet_rows(body, None if alone else variable)
        columns = {name: letters for letters, name in header.items()}
        for line in lines:
            year, quarter = (int(float(line[columns[name]])) for name in ('YEAR', 'QUARTER'))
            if variable in ('RGDP', 'NGDP') and year < 1992:
                continue
            for horizon in range(2, 7):
                column = f'{variable}{horizon}' if kind == 'level' else f'd{variable.lower()}{horizon}'
                value = line.get(columns[column], '#N/A')
                if value != '#N/A':
                    known = date(1990, 9, 30) if (year, quarter) == (1990, 2) else None
                    rows.append(of_round(f'{statistic}.{column}', year, quarter, float(value), retrieved, known))
    return {'observations': rows}


def ecb_spf(key, body, retrieved, **_):
    rows = []
    with zipfile.ZipFile(io.BytesIO(body)) as archive:
        for name in archive.namelist():
            year, quarter = int(name[:4]), int(name[5])
            points, section = {}, None
            for cells in csv.reader(io.StringIO(archive.read(name).decode())):
                title = re.match('(INFLATION|CORE|GROWTH|EXPECTED UNEMPLOYMENT|ASSUMPTIONS)', cells[0]) if cells else None
                if title:
                    section = {'INFLATION': 'HICP', 'CORE': 'CORE', 'GROWTH': 'GDP', 'EXPECTED UNEMPLOYMENT': 'UNEMPLOYMENT'}.get(title[0])
                elif section and re.fullmatch(r'\d{4}', cells[0] if cells else '') and cells[2].strip() and 0 <= int(cells[0]) - year <= 2:
                    points.setdefault(f'{section}.{int(cells[0]) - year}', []).append(float(cells[2]))
            for code, answers in points.items():
                rows.append(of_round(f'median.{code}', year, quarter, statistics.median(answers), retrieved))
                rows.append(of_round(f'mean.{code}', year, quarter, math.fsum(answers) / len(answers), retrieved))
    return {'observations': rows}


# --- Archives of real-time data, and rounds in workbooks

def serial_day(serial):
    return date(1899, 12, 30) + timedelta(days=int(float(serial)))


def quarter_end(year, quarter):
    return month_end(int(year), 3 * int(quarter))


def listed(told):
    """Of a series that the reference lists with its frequency."""
    return {name: cell for name, cell in told.items() if name != 'frequency'}


def told_by(code, targets, frequency):
    """targets: (period end, [(known, value), ...] in the order of the vintages)"""
    rows = []
    for last, told in targets:
        before = None
        for known, value in told:
            if value is not None and value != before:
                rows.append(listed(row(code, frequency, last, value, known)))
                before = value
    return rows


def known_by(last, retrieved, months):
    """The end of the last day; the retrieval if that came within the months that end with it."""
    year, month = divmod(last.year * 12 + last.month - months, 12)
    return retrieved if str(date(year, month + 1, 1)) <= retrieved[:10] and retrieved < end_of(last) else end_of(last)


def float_or_none(held):
    return None if held in (None, '', '#N/A') else float(held)


def philadelphia_rtdsm(key, body, retrieved, **_):
    variable, by = re.search(r'/([A-Za-z]+)([QM])v[QM]d', key).groups()
    variable = variable.upper()
    header, *lines = sheet_rows(body)
    first = {'ROUTPUT': (1992, 3), 'P': (1992, 3), 'CPI': (1994, 9)}.get(variable, (0, 0))
    vintages = []
    for letters, name in header.items():
        if letters != 'A':
            year, number = re.fullmatch(variable + r'(\d\d)[QM](\d+)', name).groups()
            year = int(year) + (2000 if int(year) < 62 else 1900)
            month = int(number) * (3 if by == 'Q' else 1)
            if (year, month) >= first:
                vintages.append((letters, known_by(month_end(year, month), retrieved, 3 if by == 'Q' else 1)))
    targets = []
    for line in lines:
        if line:
            year, part = line['A'].split(':')
            last = quarter_end(year, part[1]) if part[0] == 'Q' else month_end(int(year), int(part))
            targets.append((last, [(known, float_or_none(line.get(letters))) for letters, known in vintages]))
    return {'observations': told_by(variable, targets, 'quarterly' if 'Q' in lines[0]['A'] else 'monthly')}


def seco(key, body, retrieved, **_):
    rows = []
    volumes = 'gdp_cssa cons_gov cons_priv inv_gfcf inv_constr inv_fixed exp imp exp_ex_v imp_ex_v'
    for sheet in f'gdp gdp_ea gdp_us gdp_jp {volumes} gdp_d cpi_nsa cpi_sa empl_nsa empl_sa ru_nsa ru_sa ur_nsa ur_sa'.split():
        if sheet not in sheet_names(body):
            continue
        lines = list(sheet_rows(body, sheet))
        at = next(place for place, line in enumerate(lines) if line.get('A') == 'time')
        days = next(line for line in reversed(lines[:at])) if at else {}
        vintages = []
        for letters, name in lines[at].items():
            if letters != 'A':
                dated = known_on(serial_day(days[letters]), retrieved) if isinstance(days.get(letters), (int, float)) else None
                vintages.append((letters, dated or known_by(quarter_end(*name.split('q')), retrieved, 3)))
        targets = []
        for line in lines[at + 1:]:
            if 'A' in line:
                first = serial_day(line['A'])
                targets.append((quarter_end(first.year, first.month // 3 + 1), [(known, float_or_none(line.get(letters))) for letters, known in vintages]))
        rows += told_by(sheet, targets, 'quarterly')
    return {'observations': rows}


def ny_fed_nowcast(key, body, retrieved, **_):
    lines = list(sheet_rows(body, 'Forecasts By Quarter'))
    at = next(place for place, line in enumerate(lines) if line.get('A') == 'Forecast Date')
    rows = []
    for line in lines[at + 1:]:
        if 'A' not in line:
            continue
        day = serial_day(line['A'])
        # Suspended in September 2021, relaunched on 8 September 2023.
        if day < date(2016, 4, 15) or date(2021, 9, 3) < day < date(2023, 9, 8):
            continue
        for letters, name in lines[at].items():
            value = line.get(letters)
            if letters != 'A' and name >= '2016' and value is not None:
                rows.append(listed(row('GDP', 'quarterly', quarter_end(name[:4], name[5]), value, known_on(day, retrieved))))
    return {'observations': rows}


def fed_staff(key, body, retrieved, **_):
    found = {}
    for sheet in ('gRGDP', 'UNEMP', 'gPCPI', 'gPCPIX', 'gPPCE', 'gPPCEX'):
        header, *lines = sheet_rows(body, sheet)
        columns = {name: letters for letters, name in header.items()}
        for line in (one for one in lines if one):
            day = datetime.strptime(str(int(line[columns['GBdate']])), '%Y%m%d').date()
            if sheet == 'gRGDP' and day < date(1991, 12, 11):
                continue
            known = min(end_of(min(date(day.year + 6, day.month, 1) + timedelta(days=day.day - 1), month_end(day.year + 6, day.month))), retrieved)
            year, quarter = str(line[columns['DATE']]).split('.')
            for ahead in range(10):
                value = float_or_none(line.get(columns[f'{sheet}F{ahead}']))
                if value is not None:
                    place = int(year) * 4 + int(quarter) - 1 + ahead
                    found[sheet, place, known] = listed(row(sheet, 'quarterly', quarter_end(place // 4, place % 4 + 1), value, known))
    return {'observations': list(found.values())}


# --- Calendars

def bls_calendar(key, body, retrieved, **_):
    text = re.sub(r'\r?\n[ \t]', '', body.decode('utf-8-sig'))
    rows = []
    for event in re.findall(r'BEGIN:VEVENT\r?\n(.*?)END:VEVENT', text, re.S):
        told = {}
        for line in event.split('\n'):
            if ':' in line:
                name, value = line.rstrip('\r').split(':', 1)
                told[name.split(';')[0]] = (name, value.replace('\\,', ',').replace('\\;', ';').replace('\\n', '\n').replace('\\\\', '\\'))
        name, start = told['DTSTART']
        whole = len(start) == 8
        stamp = datetime.strptime(start[:8] if whole else start[:15], '%Y%m%d' if whole else '%Y%m%dT%H%M%S')
        zone = timezone.utc if whole or start.endswith('Z') else ZoneInfo(NEW_YORK)
        title = told['SUMMARY'][1]
        code, which = ' '.join(title.split()), None
        match = re.fullmatch(r'(.+) for (?:the )?(?:(\w+) )?(?:(quarter) (?:of )?)?(\d{4})', code, re.I)
        if match:
            what, part, quarter, year = match.groups()
            if part is None:
                code, which = what, year
            elif part.title() in MONTHS:
                code, which = what, f'{year}-{MONTHS.index(part.title()):02d}'
            elif part.lower() in ('first', 'second', 'third', 'fourth'):
                code, which = what, f"{year}-Q{('first', 'second', 'third', 'fourth').index(part.lower()) + 1}"
        status = told.get('STATUS', ('', ''))[1]
        changed = told.get('LAST-MODIFIED', told.get('DTSTAMP', (None, None)))[1]
        changed = changed and instant(datetime.strptime(changed, '%Y%m%dT%H%M%SZ').replace(tzinfo=timezone.utc))
        rows.append({
            'scheduleId': told['UID'][1], 'releaseCode': code, 'title': title, 'scheduledAt': instant(stamp.replace(tzinfo=zone)),
            'timePrecision': 'tentative' if status == 'TENTATIVE' else 'date_only' if whole else 'exact', 'timezone': NEW_YORK,
            'status': 'cancelled' if status == 'CANCELLED' else 'scheduled', 'period': which, 'url': told.get('URL', ('', None))[1],
            'observedAt': changed if changed and changed < retrieved else retrieved,
        })
    return {'schedules': rows}


ZONES = {
    'fed': NEW_YORK, 'ecb': 'Europe/Berlin', 'boe': 'Europe/London', 'boj': 'Asia/Tokyo', 'rba': 'Australia/Sydney', 'boc': 'America/Toronto',
    'snb': 'Europe/Zurich', 'riksbank': 'Europe/Stockholm',
}


def cb_meetings(key, body, retrieved, **_):
    return {'schedules': [
        {'scheduleId': f'{bank}|{day}', 'releaseCode': bank, 'title': None, 'scheduledAt': f'{day}T00:00:00.000Z', 'timePrecision': 'tentative',
         'timezone': ZONES[bank], 'status': 'scheduled', 'period': None, 'url': None, 'observedAt': retrieved}
        for bank, years in json.loads(body).items() if bank in ZONES
        for year, listed in years.items() if year != 'meetings_per_year' for day in listed
    ]}


# --- Documents

def document(bank, kind, named, title, text, url, language, event, released, observed=None):
    return {
        'documentId': f"doc_{bank}_{kind}_{str(named).replace('-', '')}", 'entityId': f'cb_{bank}', 'documentType': kind,
        'title': squeezed(title), 'text': squeezed(text), 'url': url, 'language': language, 'eventDate': str(event),
        'releasedAt': released, 'observedAt': observed or released,
    }


def meeting_ahead(day, zone, url, known):
    return {'scheduleId': f'next_meeting|{day}', 'releaseCode': 'next_meeting', 'title': None, 'scheduledAt': f'{day}T00:00:00.000Z',
            'timePrecision': 'date_only', 'timezone': zone, 'status': 'scheduled', 'period': None, 'url': url, 'observedAt': known}


def between(text, start=None, end=None):
    lines = text.replace('\xa0', ' ').replace('\r\n', '\n').split('\n')
    stripped = [line.strip() for line in lines]
    first = next(i for i, line in enumerate(stripped) if line.startswith(start)) + 1 if start else 0
    last = next((i for i, line in enumerate(stripped) if i >= first and line.startswith(end)), len(lines)) if end else len(lines)
    return '\n'.join(lines[first:last])


class Wire(HTMLParser):
    """A page as sent: its title, address and language, each piece of text between two tags, and where its links lead."""
    def __init__(self, body):
        super().__init__()
        self.title, self.url, self.language, self.pieces, self.links, self.run, self.tag, self.main = '', None, '', [], [], '', '', 0
        self.feed(body.decode('utf-8'))
        self.cut()

    def cut(self):
        if self.run.strip() and self.tag == 'title':
            self.title = ' '.join(self.run.split())
        elif self.run.strip():
            self.pieces.append(' '.join(self.run.split()))
        self.run = ''

    def handle_starttag(self, tag, attributes):
        self.cut()
        self.tag, named = tag, dict(attributes)
        self.language = named.get('lang', self.language) if tag == 'html' else self.language
        self.url = named.get('content') if named.get('property') == 'og:url' else self.url
        if tag == 'main':
            self.main = len(self.pieces)
        if tag == 'a':
            self.links.append([named.get('href', ''), len(self.pieces)])

    def handle_endtag(self, tag):
        self.cut()
        self.tag = ''

    def handle_data(self, data):
        self.run += data

    def part(self, start, end, after=0):
        first = next(i for i, piece in enumerate(self.pieces) if re.match(start, piece)) + after
        last = next(i for i, piece in enumerate(self.pieces) if i > first and re.match(end, piece))
        return self.pieces[first:last]

    def within_main(self, end):
        self.pieces = self.pieces[self.main:]
        return self.as_collected('', end)

    def as_collected(self, start, end):
        return {'title': self.title, 'source_url': self.url, 'language': self.language[:2], 'text': '\n'.join(self.part(start, end))}


def fed_statements(key, body, retrieved, **_):
    day = datetime.strptime(key.rsplit('/', 1)[1][:8], '%Y%m%d').date()
    if key.endswith('.txt'):
        text = body.decode('utf-8')
        # The Committee met on the 27th and 28th of June 2007.
        day = date(2007, 6, 28) if day == date(2007, 6, 18) else day
        named, url, language, released = 'FOMC statement', None, 'en', known_on(day, retrieved)
    else:
        page = Wire(body).as_collected('FOMC Minutes', 'Last Update') if key.endswith('.html') else json.loads(body)
        # Bytes of UTF-8 that somebody read as Latin-1.
        text = re.sub('[\u00c2-\u00f4][\u0080-\u00bf]+', lambda m: m[0].encode('latin-1').decode('utf-8'), page['text'])
        url, language = page['source_url'], page['language']
        if '/minutes/' in key:
            text = between(text, 'Minutes of the Federal Open Market Committee', 'Back to Top')
            held_on = text.split('\n')[0]
            if 'was held' in held_on:
                held_on = re.findall(r'\w+ \d+, \d{4}', held_on)[-1]
            published = at(day + timedelta(days=21), '14:00', NEW_YORK)
            minutes = document('fed', 'minutes', day, f'Minutes of the Federal Open Market Committee, {held_on}', text, url, language, day, published)
            # Weekdays, the first month and day, then the last day, of another month perhaps, and the year.
            planned = re.search(r'next meeting of the Committee would be held on [^,]+, (\w+) [^,]*?(\w*) ?\b(\d+), (\d{4})\.', text)
            if not planned:
                return {'documents': [minutes]}
            month = planned[2] or planned[1]
            return {'documents': [minutes], 'schedules': [
                meeting_ahead(date(int(planned[4]), MONTHS.index(month), int(planned[3])), NEW_YORK, url, published)]}
        named = page['title'].removeprefix('Federal Reserve Board - ')
        hour = re.search(r'For release at (\d+):(\d\d) ([ap])\.m\.', text)
        text = between(text, 'Share', 'Last Update:')
        if hour:
            clock = f"{int(hour[1]) % 12 + 12 * (hour[3] == 'p'):02d}:{hour[2]}"
            released = at(day, clock, NEW_YORK)
        elif date(2013, 3, 20) <= day <= date(2015, 12, 31):
            released = at(day, '14:00', NEW_YORK)
        else:
            released = known_on(day, retrieved)
    voted = re.search(r'Voting (\([^)]*\) )?(for|in favor of)\b', re.sub(r'\s+', ' ', text))
    spoke = re.search(r'federal funds|reserve positions|reserve markets|discount rate|stance of monetary policy', re.sub(r'\s+', ' ', text))
    policy = voted or (day < date(2002, 3, 19) and spoke)
    if not policy and url is None:
        named = 'Federal Reserve press release'
    return {'documents': [document('fed', 'policy_statement' if policy else 'other', day, named, text, url, language, day, released)]}


def ecb_documents(key, body, retrieved, **_):
    page = Wire(body).within_main('CONTACT') if key.endswith('.html') else json.loads(body)
    day = datetime.strptime(key.rsplit('/', 1)[1][:8], '%Y%m%d').date()
    text, url, language = page['text'], page['source_url'], page['language']
    if '/statements/' in key:
        text = between(text, end='* * *').split('Jump to the transcript of the questions and answers')[-1]
        return {'documents': [document('ecb', 'policy_statement', day, page['title'], text, url, language, day, known_on(day, retrieved))]}
    body_of = between(text, end='Related topics') if '\nRelated topics\n' in text else between(text, end='CONTACT')
    if '/accounts/' in key:
        meeting = written(re.search(r'(?m)(\d{1,2} [A-Z][a-z]+ \d{4})$', page['title'] + '\n' + text)[1])
        return {'documents': [document('ecb', 'minutes', day, page['title'], body_of, url, language, meeting, known_on(day, retrieved))]}
    conference = re.search(r'press conference starting at (\d\d:\d\d) CET', text.replace('\n', ' '))
    clock = {'14:30': '13:45', '14:45': '14:15'}.get(conference[1]) if conference else None
    released = at(day, clock, 'Europe/Berlin') if clock else known_on(day, retrieved)
    lines = body_of.split('\n')
    head = [line for line in lines[:3] if line.strip().lower() not in ('press release', 'monetary policy decisions') and written(line.strip()) is None]
    return {'documents': [document('ecb', 'policy_decision', day, page['title'], '\n'.join(head + lines[3:]), url, language, day, released)]}


def boe_documents(key, body, retrieved, **_):
    if key.endswith('/index.html'):
        return {}
    page = json.loads(body) if key.endswith('.json') else Wire(body).as_collected(r'Monetary Policy Summary, \w+ \d+$', 'The Bank of England Act 1998')
    page['title'] = page['title'].split(' | ')[0]
    heading = 'Minutes of the Monetary Policy Committee meeting ending on '
    summary, rest = page['text'].split('\n' + heading, 1)
    ended, minutes = rest.split('\n', 1)
    meeting = written(ended)
    day = meeting + timedelta(days=1)
    released = at(day, '12:00', 'Europe/London')
    corrections = [written(text) for text in re.findall(r'\nCorrection made on (\d+ \w+ \d{4})', page['text'])]
    observed = max([released] + [known_on(corrected, retrieved) for corrected in corrections])
    kept = [line for line in minutes.split('\n') if not re.match(r'Correction made on |Close$|Monetary Policy Committee voting history$', line)]
    url, language = page['source_url'], page['language']
    return {'documents': [
        document('boe', 'policy_statement', day, page['title'], summary, url, language, meeting, released, observed),
        document('boe', 'minutes', day, heading + ended, '\n'.join(kept), url, language, meeting, released, observed),
    ]}


def rba_documents(key, body, retrieved, **_):
    name = key.rsplit('/', 1)[1].rsplit('.', 1)[0]
    if name.startswith('index-'):
        return {}
    if name.startswith('mr-'):
        wire = Wire(body)
        day, *lines = wire.part('Date$', 'More on the ', after=1)
        title = ' '.join(wire.part('Media Release', 'Number', after=1))
        kind = 'policy_statement' if 'Monetary Policy Decision' in title else 'other'
        named = str(written(day)) + (f'_{name}' if kind == 'other' else '')
        return {'documents': [document('rba', kind, named, title, '\n'.join(lines), wire.url, 'en', written(day), known_on(written(day), retrieved))]}
    day = date.fromisoformat(name) if '-' in name else datetime.strptime(name, '%d%m%Y').date()
    page = json.loads(body) if key.endswith('.json') else Wire(body).as_collected('Minutes', 'Follow us')
    page['title'] = page['text'].split('\n')[0]
    title, heading, *lines = page['text'].split('\n')
    text = between('\n'.join(lines), end='Related Information')
    named = f"{page['title']}, {re.sub(' [–-] ', ', ', heading)}"
    return {'documents': [document('rba', 'minutes', day, named, text, page['source_url'], page['language'], day, known_on(day + timedelta(days=14), retrieved))]}


def riksbank_documents(key, body, retrieved, **_):
    rows = []
    if key.endswith('.html'):
        folder, wire = key.split('/')[-3], Wire(body)
        for href, index in wire.links:
            if href.endswith('.pdf'):
                stamp = re.match(r'(\d\d)/(\d\d)/(\d{4})', wire.pieces[index])
                rows.append({'rule': 'schema_drift', 'seriesCode': None, 'entityId': 'cb_riksbank', 'period': stamp and '-'.join(stamp.groups()[::-1]), 'fieldPath': folder,
                             'observedValue': urljoin('https://www.riksbank.se/', href), 'reason': 'PDF'})
        return {'refused': rows}
    for r in table(body):
        day = date.fromisoformat(r['Date'])
        flat = re.sub(r'\s+', ' ', r['Text'])
        meeting = written(re.search(r'(?:DATE: ?|meeting on )(\d+ \w+ \d{4})', flat)[1])
        frame = r'Postal address: SE-103 37 Stockholm, Visiting address: Brunkebergstorg 11|Telephone: \+46[^\n]*riksbank\.se'
        text = re.sub(r'(?m)^[ \t]*\d+ (?:\(\d+\)|\[\d+\])[ \t]*$', '', re.sub(frame, '', r['Text']))
        named = f"{meeting.day} {meeting:%B %Y}"
        released = observed = known_on(day, retrieved)
        if r['Type'] == 'minutes':
            rows.append(document('riksbank', 'minutes', day, f'Minutes of the monetary policy meeting of {named}', text, None, 'en', meeting, released))
            continue
        notified = re.search(r'notified on (\d+ \w+ \d{4}) at (\d+)[.:](\d\d)(?! ?p)', flat)
        planned = re.search(r'This decision will be published at (\d+)[.:](\d\d) on (\d+ \w+ \d{4})', flat)
        if notified and written(notified[1]) == day:
            released = observed = at(day, f'{int(notified[2]):02d}:{notified[3]}', 'Europe/Stockholm')
        elif not notified and planned and written(planned[3]) == day:
            released = observed = at(day, f'{int(planned[1]):02d}:{planned[2]}', 'Europe/Stockholm')
        corrected = re.search(r'On (\d+ \w+ \d{4}), an? (?:\w+ )?error was corrected', flat)
        if corrected:
            observed = max(released, known_on(written(corrected[1]), retrieved))
        rows.append(document('riksbank', 'policy_statement', day, f'Policy rate decision of {named}', text, None, 'en', meeting, released, observed))
    return {'documents': rows}


def boc_documents(key, body, retrieved, **_):
    documents, schedules = [], []
    if key.endswith('/index.html'):
        return {}
    releases, url = table(body) if key.endswith('.csv') else [], None
    if key.endswith('.html'):
        day = datetime.strptime(key[-13:-5], '%Y%m%d').date()
        url = f'https://www.bankofcanada.ca/{day:%Y/%m}/fad-press-release-{day}/'
        releases = [{'Release Date': str(day), 'Date': str(day), 'Text': '\n'.join(Wire(body).part('The Bank of Canada today', 'Content Type'))}]
    for r in releases:
        known = known_on(date.fromisoformat(r['Release Date'] or r['Date']), retrieved)
        documents.append(document('boc', 'policy_statement', r['Date'], 'Bank of Canada policy interest rate announcement', r['Text'], url, 'en',
                                  r['Date'], known))
        planned = re.search(r'next scheduled date for announcing the overnight rate target is (\w+) (\d+), (\d{4})', ' '.join(r['Text'].split()))
        if planned:
            schedules.append(meeting_ahead(date(int(planned[3]), MONTHS.index(planned[1]), int(planned[2])), 'America/Toronto', url, known))
    return {'documents': documents, 'schedules': schedules}


for line in sys.stdin:
    asked = json.loads(line)
    read = globals().get({'abs': 'abs_'}.get(asked['source'], asked['source']))
    if read is None:
        sys.exit(f"{asked['source']} has no second reader: write def {asked['source']}(key, body, retrieved, **_) in test/peers/readers.py")
    given = {name: asked[name] for name in ('beside', 'out') if name in asked}
    kinds = read(asked['key'], pathlib.Path(asked['path']).read_bytes(), asked['retrievedAt'], **given)
    print(json.dumps({kind: rows for kind, rows in kinds.items() if rows}), flush=True)
