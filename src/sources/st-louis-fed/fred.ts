// FRED and ALFRED, Federal Reserve Bank of St. Louis: real-time periods and bare downloads in CSV, the API's answers in JSON.
import { z } from 'zod';
import { dayNumber, type Frequency, isDay, periodOf } from '../../model/period.ts';
import { observationBatches } from '../records/batches.ts';
import { fredFeed } from './fred-feed.ts';
import { csvPieces, parseNumber, readCsv } from '../readers/csv.ts';
import { apiAddress, apiFile, checkLength, Day, fileName, Page, readAnswer, windowParameters } from './fred-api.ts';
import { checkJson } from '../readers/json.ts';
import { type Reading, realTimePeriods } from './real-time-periods.ts';
import type { ObservationRecord } from '../../model/record.ts';
import { knownOn, type Payload, type Source } from '../source.ts';
import { UpstreamError } from '../upstream-error.ts';

const ID = 'fred';

export const fred: Source = {
  id: ID,
  version: 1,
  // fred_releases reads the API's answers about releases and their dates as a calendar.
  owns: (path) =>
    /(?:^|\/)(?:(?:alfred-realtime|fredgraph-csv|fred-date-value-csv)\/[^/]+\.csv|fred-api\/(?!(?:releases?_dates|release_series|series_release|series_vintagedates)\.)[^/]+\.json)$/.test(
      path,
    ),
  address,
  mediaType: 'text/csv',
  knownAt: ({ key, retrievedAt }) => (isBareDownload(key) ? retrievedAt : null),
  normalise: (payload) => observationBatches(readingsOf(payload)),
  feed: fredFeed,
};

interface Series {
  readonly code: string;
  readonly dates: Iterable<string>;
  readonly readings: Iterable<Reading>;
}

function readingsOf(payload: Payload): Iterable<ObservationRecord> {
  const { key } = payload;
  if (isRealTime(key)) return toRecords(readRealTimeCsv(payload), payload);
  if (isBareDownload(key)) return toRecords(readDownload(payload), payload);
  const answer = readAnswer(ID, payload.body);
  const endpoint = apiFile(key).endpoint;
  if (endpoint === 'series_observations') return toRecords(readObservations(answer, key), payload);
  checkCatalogue(answer, endpoint);
  return []; // Releases, series and tags describe observations; they have none.
}

function isRealTime(key: string): boolean {
  return folderOf(key) === 'alfred-realtime';
}

function isBareDownload(key: string): boolean {
  return ['fredgraph-csv', 'fred-date-value-csv'].includes(folderOf(key));
}

function folderOf(key: string): string {
  return key.split('/').at(-2) ?? '';
}

/** Each record is made on demand: a file may have a million. */
function toRecords({ code, dates: stated, readings }: Series, { retrievedAt }: Payload): Iterable<ObservationRecord> {
  const dates = [...new Set(stated)].sort();
  if (dates.length === 0) throw new UpstreamError(ID, `${code} has no observations`);
  const frequency = frequencyOf(code, dates);
  const periods = new Map(dates.map((date) => [date, periodOf(frequency, date)]));
  const labels = new Set([...periods.values()].map(({ period }) => period));
  if (labels.size < dates.length) throw new UpstreamError(ID, `${code} has two ${frequency} dates in one period`);
  function* made(): Generator<ObservationRecord> {
    for (const { date, value, heldFrom, isHeldBefore } of readings) {
      yield {
        seriesCode: code,
        frequency,
        ...(periods.get(date) ?? periodOf(frequency, date)),
        value,
        observedAt: heldFrom === null ? retrievedAt : knownOn(heldFrom, retrievedAt),
        ...(isHeldBefore === true ? { isPseudo: true } : {}),
      };
    }
  }
  return made();
}

// Median gap between dates, and the gaps that a sound series of that frequency may have around missing periods.
const SPACINGS: readonly {
  readonly frequency: Frequency;
  readonly median: readonly [number, number];
  readonly gap: readonly [number, number];
}[] = [
  { frequency: 'daily', median: [1, 1], gap: [1, 5] },
  { frequency: 'weekly', median: [7, 7], gap: [5, 9] },
  { frequency: 'monthly', median: [28, 31], gap: [28, 31] },
  { frequency: 'quarterly', median: [90, 92], gap: [90, 92] },
  { frequency: 'annual', median: [365, 366], gap: [365, 366] },
];

/** No FRED file of observations names its frequency. @param dates distinct and ascending */
function frequencyOf(code: string, dates: readonly string[]): Frequency {
  const numbers = dates.map(dayNumber);
  const gaps = numbers.slice(1).map((number, index) => number - (numbers[index] ?? 0));
  const sorted = gaps.toSorted((a, b) => a - b);
  const median = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
  const refuse = (why: string) => new UpstreamError(ID, `the frequency of ${code} cannot be told from its ${dates.length} dates: ${why}`);
  if (gaps.length < 2) throw refuse('too few');
  const spacing = SPACINGS.find(({ median: [low, high] }) => median >= low && median <= high);
  if (spacing === undefined) throw refuse(`the usual gap is ${median} days`);
  const [low, high] = spacing.gap;
  const regular = gaps.filter((gap) => gap >= low && gap <= high).length;
  if ((sorted[0] ?? 0) < low || regular < 0.75 * gaps.length) {
    throw refuse(`${gaps.length - regular} of ${gaps.length} gaps are not ${spacing.frequency}`);
  }
  // A quarter is labelled by its first month, in some files by its last; a middle month is ambiguous.
  const odd = spacing.frequency === 'quarterly' ? dates.find((date) => Number(date.slice(5, 7)) % 3 === 2) : undefined;
  if (odd !== undefined) throw refuse(`${odd} lies in the middle of a quarter`);
  return spacing.frequency;
}

function readRealTimeCsv({ body }: Payload): Series {
  const known = ['date', 'realtime_end', 'realtime_start'];
  const periods = realTimePeriods(ID);
  let code = '';
  for (const table of csvPieces(body, { sourceId: ID, required: known })) {
    code = onlyColumn(table.columns, known);
    const [date, start, end, value] = [table.text('date'), table.text('realtime_start'), table.text('realtime_end'), table.number(code)];
    for (const row of table.rows) {
      const where = `line ${row.line}`;
      periods.add({
        date: dayOf(date(row), where),
        heldFrom: dayOf(start(row), where),
        heldTo: dayOf(end(row), where),
        value: value(row),
      });
    }
  }
  return { code, dates: periods.dates(), readings: periods.readings(periods.newest(), () => true) };
}

function readDownload({ body, key }: Payload): Series {
  const isGraph = folderOf(key) === 'fredgraph-csv';
  const table = readCsv(body, { sourceId: ID, required: isGraph ? [] : ['date', 'value'] });
  const dateColumn = isGraph ? table.columns.find((column) => column === 'DATE' || column === 'observation_date') : 'date';
  if (dateColumn === undefined)
    throw new UpstreamError(ID, `expected the column DATE or observation_date, found ${table.columns.join(', ')}`);
  const column = onlyColumn(table.columns, [dateColumn]);
  const [date, value] = [table.text(dateColumn), table.number(column)];
  const readings = table.rows.map((row) => ({ date: dayOf(date(row), `line ${row.line}`), value: value(row), heldFrom: null }));
  const dates = new Set<string>();
  for (const reading of readings) {
    if (dates.has(reading.date)) throw new UpstreamError(ID, `${reading.date} stands twice in the file`);
    dates.add(reading.date);
  }
  // A graph's file may be saved under any name; its header names the series.
  return { code: isGraph ? column : fileName(key), dates, readings };
}

function onlyColumn(columns: readonly string[], others: readonly string[]): string {
  const [column, ...further] = columns.filter((name) => name !== '' && !others.includes(name));
  if (column === undefined || further.length > 0) {
    throw new UpstreamError(ID, `expected one column of values beside ${others.join(', ')}, found ${columns.join(', ')}`);
  }
  return column;
}

function dayOf(text: string, where: string): string {
  const day = text.replace(/ 00:00:00$/, '');
  if (!isDay(day)) throw new UpstreamError(ID, `expected a day at ${where}, found ${JSON.stringify(text)}`);
  return day;
}

const Observations = Page.extend({
  realtime_start: Day,
  realtime_end: Day,
  units: z.literal('lin', 'not the series itself but a transformation of it'),
  output_type: z.literal([1, 2, 3, 4]),
  observations: z.array(z.looseObject({ date: Day })),
});
const Vintage = z.looseObject({ date: Day, realtime_start: Day, realtime_end: Day, value: z.string() });

function readObservations(answer: unknown, key: string): Series {
  const page = checkJson(ID, answer, Observations);
  const { subject } = apiFile(key);
  if (subject === null) throw new UpstreamError(ID, `the file name ${key} does not name the series`);
  const readings = readingsOfPage(page, subject).map((reading) => clippedTo(page, reading));
  return { code: subject, dates: readings.map(({ date }) => date), readings };
}

const BEGINNING = '1776-07-04';

/**
 * A value still in force from before the requested window comes with the first day of the window. If the lake has an earlier window, the value is already
 * known; otherwise that day is the latest on which it became known. An answer for one day is that day's state, as a download is.
 */
function clippedTo({ realtime_start: start, realtime_end: end }: z.infer<typeof Observations>, reading: Reading): Reading {
  return reading.heldFrom === start && start !== BEGINNING && start !== end ? { ...reading, isHeldBefore: true } : reading;
}

function readingsOfPage(page: z.infer<typeof Observations>, subject: string): readonly Reading[] {
  if (page.output_type === 2 || page.output_type === 3) return readVintageColumns(page.observations, subject);

  checkLength(ID, page, page.observations.length, 'observations');
  const rows = checkJson(ID, page.observations, z.array(Vintage));
  // Initial releases end at the first revision: their end withdraws nothing.
  if (page.output_type === 4)
    return rows.map((row) => ({ date: row.date, heldFrom: row.realtime_start, value: valueOf(row.value, row.date) }));
  const periods = realTimePeriods(ID);
  for (const row of rows)
    periods.add({ date: row.date, heldFrom: row.realtime_start, heldTo: row.realtime_end, value: valueOf(row.value, row.date) });
  // The periods of the first and last date of a page may continue on its neighbours.
  const [first, last] = [page.offset > 0 ? rows[0]?.date : null, page.count > page.offset + rows.length ? rows.at(-1)?.date : null];
  return [...periods.readings(page.realtime_end, (date) => date !== first && date !== last)];
}

/** Output types 2 and 3: one object per observation date, one key per vintage, `GDP_19921222`; type 3 omits unchanged values. */
function readVintageColumns(rows: readonly { readonly date: string }[], code: string): Reading[] {
  return rows.flatMap((row) =>
    Object.entries(row)
      .filter(([name]) => name !== 'date')
      .map(([name, value]): Reading => {
        const [, series, year, month, day] = /^(.+)_(\d{4})(\d{2})(\d{2})$/.exec(name) ?? [];
        const vintage = `${year}-${month}-${day}`;
        if (series !== code || !isDay(vintage)) throw new UpstreamError(ID, `expected vintages of ${code}, found the column ${name}`);
        return { date: row.date, value: valueOf(value, row.date), heldFrom: vintage };
      }),
  );
}

function valueOf(value: unknown, date: string): number | null {
  if (value === '.' || value === '') return null;
  const number = typeof value === 'string' ? parseNumber(value) : null;
  if (number === null) throw new UpstreamError(ID, `expected a number or "." for ${date}, found ${JSON.stringify(value)}`);
  return number;
}

const Named = z.looseObject({ id: z.int(), name: z.string() });
const CATALOGUE = {
  categories: z.array(Named),
  releases: z.array(Named),
  sources: z.array(Named),
  seriess: z.array(z.looseObject({ id: z.string(), title: z.string(), frequency_short: z.string(), units: z.string() })),
  tags: z.array(z.looseObject({ name: z.string(), group_id: z.string() })),
  elements: z.record(z.string(), z.looseObject({ element_id: z.int(), name: z.string() })),
};
const ENDPOINTS: Readonly<Record<string, keyof typeof CATALOGUE>> = {
  category: 'categories',
  category_children: 'categories',
  category_series: 'seriess',
  release: 'releases',
  release_sources: 'sources',
  release_tables: 'elements',
  release_tags: 'tags',
  releases: 'releases',
  series: 'seriess',
  series_categories: 'categories',
  series_search: 'seriess',
  series_tags: 'tags',
  series_updates: 'seriess',
  source: 'sources',
  source_releases: 'releases',
  sources: 'sources',
  tags: 'tags',
};

function checkCatalogue(answer: unknown, endpoint: string): void {
  const list = ENDPOINTS[endpoint];
  if (list === undefined) throw new UpstreamError(ID, `${endpoint} is not a known answer of the API`);
  const entries = checkJson(ID, answer, z.looseObject({ [list]: CATALOGUE[list] }))[list];
  const page = Page.safeParse(answer);
  if (page.success && Array.isArray(entries)) checkLength(ID, page.data, entries.length, list);
}

// The mirror's names for series of ALFRED with the values and real-time periods of these codes.
const ALFRED_CODES: Readonly<Record<string, string>> = {
  AWH: 'AWHI',
  BP: 'PERMIT',
  CPI: 'CPIAUCSL',
  EMP: 'PAYEMS',
  HS: 'HOUST',
  IP: 'INDPRO',
  PPI: 'PPIACO',
  RGDP: 'GDPC1',
  UR: 'UNRATE',
};
const VARIANTS: Readonly<Record<string, string>> = {
  'all-realtime': '&realtime_start=1776-07-04&realtime_end=9999-12-31',
  'initial-release': '&realtime_start=1776-07-04&output_type=4',
};

function address(path: string): string | null {
  const name = fileName(path);
  if (isRealTime(path)) return `https://alfred.stlouisfed.org/series?seid=${encodeURIComponent(ALFRED_CODES[name] ?? name)}`;
  // Text after an underscore is a remark on the series, `DEXCHUS_YUAN_DOLLAR_EXCHANGE_RATE`.
  if (isBareDownload(path)) return `https://fred.stlouisfed.org/graph/fredgraph.csv?id=${encodeURIComponent(name.split('_')[0] ?? name)}`;
  return apiAddress(path, (variant) => VARIANTS[variant] ?? windowParameters(variant));
}
