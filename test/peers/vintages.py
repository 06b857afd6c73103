"""Levels vintage by vintage, from the files: one row a moment of knowledge, one column a period, no gaps between periods."""
import pathlib

import numpy
import pandas

REFERENCE = pathlib.Path(__file__).parents[2] / 'data' / 'reference' / 'series.csv'
END_OF_DAY = pandas.Timedelta(days=1) - pandas.Timedelta(milliseconds=1)


def indicators(source):
    """Name of a column or series, which may change, -> indicator, as the reference table has them."""
    table = pandas.read_csv(REFERENCE, dtype=str)
    own = table[table['source_id'] == source]
    return dict(zip(own['series_code'], own['entity_id'] + '_' + own['canonical_id']))


def months_of(dates, vintage):
    parts = dates.str.split('/', expand=True).astype(int)
    year = parts[2].where(parts[2] > 99, 2000 + parts[2])
    year = year.where(year <= vintage.year, year - 100)
    return pandas.PeriodIndex.from_fields(year=year, month=parts[0], freq='M')


def read_fred_md(path):
    """The months of one vintage by indicator; the first data row holds transformation codes, the last rows are blank."""
    table = pandas.read_csv(path, dtype=str, skiprows=[1]).dropna(how='all')
    table.columns = table.columns.str.strip()
    table.index = months_of(table.pop('sasdate'), pandas.Period(path.stem, 'M'))
    return table.replace({'.': None}).astype(float).rename(columns=indicators('fred_md'))


def fred_md(real):
    """Vintage month -> months by indicator."""
    return {path.stem: read_fred_md(path) for path in sorted((real / 'fred-md').glob('*.csv'))}


def fred_md_levels(tables, indicator):
    """An indicator that a vintage lacks stays as it was known."""
    held = {vintage: table[indicator] for vintage, table in tables.items() if indicator in table}
    levels = pandas.DataFrame(held).T
    levels = levels.reindex(columns=pandas.period_range(levels.columns.min(), levels.columns.max(), freq='M'))
    levels.index = [pandas.Period(vintage, 'M').end_time.floor('D') + END_OF_DAY for vintage in levels.index]
    return levels


def alfred_levels(real, name):
    table = pandas.read_csv(real / 'alfred-realtime' / f'{name}.csv')
    date, since, until = (pandas.to_datetime(table[column].str[:10]) for column in ('date', 'realtime_start', 'realtime_end'))
    periods = pandas.PeriodIndex(date, freq='Q' if name == 'RGDP' else 'M')
    newest = until.max()
    moments = numpy.unique(numpy.concatenate([since, (until + pandas.Timedelta(days=1))[until < newest]]))
    known = numpy.full((len(moments), (periods.max() - periods.min()).n + 1), numpy.nan)
    first, last = numpy.searchsorted(moments, since), numpy.searchsorted(moments, until, side='right')
    for value, column, start, end in zip(table[name], (periods - periods.min()).map(lambda gap: gap.n), first, last):
        known[start:end, column] = value
    every = pandas.period_range(periods.min(), periods.max(), freq=periods.freq)
    return pandas.DataFrame(known, pandas.DatetimeIndex(moments) + END_OF_DAY, every)


def label(period):
    return f'{period.year}-Q{period.quarter}' if period.freqstr.startswith('Q') else str(period)


def changes(values):
    """A row for each moment at which a period's value became another: its first value, a revision, a withdrawal."""
    before = values.shift(1)
    is_new = values.ne(before) & ~(values.isna() & before.isna())
    rows, columns = numpy.nonzero(is_new.to_numpy())
    periods = numpy.array([label(period) for period in values.columns])
    # An instant is written by its milliseconds since 1970.
    instants = (values.index - pandas.Timestamp(0)) // pandas.Timedelta(milliseconds=1)
    return pandas.DataFrame({'period': periods[columns], 'observed_ms': instants[rows], 'value': values.to_numpy()[rows, columns]})


