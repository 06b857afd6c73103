// ALFRED: every vintage of each series, in real-time windows small enough for one answer of the API. Each is requested four times a
// day; after the calendar's hour of a release its values are requested in every run, until they are there.
import { z } from 'zod';
import { isDueAfter, isKeyDue, yearBefore } from '../feeds/due.ts';
import { type Answer, type Feed, type GiveUp, type Held, NEVER_DUE, type Plan, type Request } from '../feeds/feed.ts';

const API = 'https://api.stlouisfed.org/fred/series/';
const BEGINNING = '1776-07-04';
const END = '9999-12-31';
/** The API refuses more than 2,000. */
const VINTAGES_PER_WINDOW = 1000;
const ROWS_PER_PAGE = 100_000;
const DATES_PER_PAGE = 10_000;
const MOST_PAGES = 50;

/** Those of data/reference/series.csv, without names that only a folder of ALFRED files uses. */
export const FRED_SERIES: readonly string[] = [
  'AWHI',
  'CPIAUCSL',
  'DEXCHUS',
  'DFF',
  'DGORDER',
  'DGS10',
  'DTWEXBGS',
  'EXPGSC1',
  'FEDFUNDS',
  'FEDTARMD',
  'GCEC1',
  'GDP',
  'GDPC1',
  'GDPC1MD',
  'GPDIC1',
  'GS10',
  'HOUST',
  'HSN1F',
  'ICSA',
  'IMPGSC1',
  'INDPRO',
  'JCXFEMD',
  'JTSJOL',
  'M2SL',
  'MORTGAGE30US',
  'PAYEMS',
  'PCECC96',
  'PCECTPIMD',
  'PCEPILFE',
  'PERMIT',
  'PERMIT1',
  'POP',
  'PPIACO',
  'RSXFS',
  'RSXFSN',
  'T10Y2Y',
  'UNRATE',
  'UNRATEMD',
  'UNRATENSA',
];

/** The series of releases with an hour, by their name in the calendar of BLS. */
export const FRED_RELEASES: Readonly<Record<string, readonly string[]>> = {
  'Consumer Price Index': ['CPIAUCSL'],
  'Employment Situation': ['AWHI', 'PAYEMS', 'UNRATE', 'UNRATENSA'],
  'Job Openings and Labor Turnover Survey': ['JTSJOL'],
  'Producer Price Index': ['PPIACO'],
};
const HOURS_BETWEEN_LOOKS = 6;

const datesKey = (series: string, page = 1): string => `fred-api/series_vintagedates.${series}${suffix(page)}.json`;
const suffix = (page: number): string => (page === 1 ? '' : `.page${page}`);

export const fredFeed: Feed = {
  publisher: 'fred',
  alsoFor: ['fred_releases'],
  isDue: (now, held) => isAllDue(now, held) || releasedOf(now, held).length > 0,
  *plan(now, held) {
    for (const series of isAllDue(now, held) ? FRED_SERIES : releasedOf(now, held)) yield* vintagesOf(series, held);
  },
  *probe(now) {
    yield { ...pageOf('UNRATE', { from: `${yearBefore(now)}-01-01`, to: END }, 1), dueBy: NEVER_DUE };
  },
};

function isAllDue(now: string, held: Held): boolean {
  return isKeyDue(now, held, datesKey(FRED_SERIES.at(-1) ?? ''), { everyHours: HOURS_BETWEEN_LOOKS });
}

/** The series of releases published since their last vintage. */
function releasedOf(now: string, held: Held): readonly string[] {
  return Object.entries(FRED_RELEASES).flatMap(([release, series]) => {
    const releasedAt = held.lastRelease('bls_calendar', release);
    // A series without any data waits for its turn among all.
    return series.filter((one) => {
      const newest = held.newest(datesKey(one));
      return newest !== null && isDueAfter(now, newest, Number.POSITIVE_INFINITY, releasedAt);
    });
  });
}

export interface Window {
  readonly from: string;
  readonly to: string;
}

/**
 * Each window begins at the last vintage of the previous one: a value still in force comes back with the window's first day, on which it is known
 * to have been stated earlier. The last window is open, and grows until it is full.
 */
export function windowsOf(vintageDates: readonly string[], size = VINTAGES_PER_WINDOW): Window[] {
  const windows: Window[] = [];
  let from = BEGINNING;
  for (let last = size - 1; last < vintageDates.length - 1; last += size - 1) {
    const to = vintageDates[last] ?? END;
    windows.push({ from, to });
    from = to;
  }
  return [...windows, { from, to: END }];
}

export function* vintagesOf(series: string, held: Held, size = VINTAGES_PER_WINDOW): Plan {
  const vintages = yield* vintageDatesOf(series);
  if (vintages === null) return;
  // New data are archived once they are complete.
  const changedAt = vintages.isNew ? END : (held.newest(datesKey(series))?.retrievedAt ?? END);
  for (const window of windowsOf(vintages.dates, size)) {
    const newest = held.newest(pageOf(series, window, 1).key);
    // A closed window is final; the open one is current up to the last vintage before its request.
    if (newest !== null && (window.to !== END || newest.checkedAt >= changedAt)) continue;
    // Without it, values still in force would seem to begin with a later window.
    if (!(yield* observationsOf(series, window))) return;
  }
}

const Head = z.looseObject({ count: z.int(), offset: z.int(), limit: z.int() });
const Dates = Head.extend({ vintage_dates: z.array(z.string()) });
const Observations = Head.extend({ observations: z.array(z.unknown()) });

interface Vintages {
  /** Ascending. */
  readonly dates: readonly string[];
  readonly isNew: boolean;
}

/** Null if they are not available. */
function* vintageDatesOf(series: string): Generator<Request | GiveUp, Vintages | null, Answer> {
  const dates: string[] = [];
  let isNew = false;
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const offset = (page - 1) * DATES_PER_PAGE;
    const answer: Answer = yield {
      key: datesKey(series, page),
      // Without both bounds the answer contains the day of the request.
      url: `${API}vintagedates?file_type=json&series_id=${series}&realtime_start=${BEGINNING}&realtime_end=${END}&limit=${DATES_PER_PAGE}&offset=${offset}`,
      group: `vintages of ${series}`,
      mayShrink: page > 1,
    };
    if (answer.kind === 'absent' || answer.kind === 'failed') return null;
    const head = parsed(answer.body, Dates);
    if (head === null || head.vintage_dates.length === 0 || head.offset !== offset) {
      yield { giveUp: `${series}: the answer names no vintages` };
      return null;
    }
    dates.push(...head.vintage_dates);
    isNew ||= answer.kind === 'new';
    if (dates.length >= head.count) return { dates: dates.toSorted(), isNew };
  }
  yield { giveUp: `${series}: more than ${MOST_PAGES} pages of vintages` };
  return null;
}

function pageOf(series: string, { from, to }: Window, page: number): Request {
  const offset = (page - 1) * ROWS_PER_PAGE;
  return {
    key: `fred-api/series_observations.${series}.window-${from}-to-${to}${suffix(page)}.json`,
    url: `${API}observations?file_type=json&series_id=${series}&realtime_start=${from}&realtime_end=${to}&limit=${ROWS_PER_PAGE}&offset=${offset}`,
    group: `${series} from ${from} to ${to}`,
    mayShrink: page > 1,
  };
}

/** True if the whole window is there. */
function* observationsOf(series: string, window: Window): Generator<Request | GiveUp, boolean, Answer> {
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const answer: Answer = yield pageOf(series, window, page);
    if (answer.kind === 'absent' || answer.kind === 'failed') return false;
    const head = parsed(answer.body, Observations);
    if (head === null || head.offset !== (page - 1) * ROWS_PER_PAGE) {
      yield { giveUp: `${series} from ${window.from}, page ${page}: the answer is another one than was asked for` };
      return false;
    }
    if (head.offset + head.observations.length >= head.count) return true;
    if (head.observations.length < head.limit) {
      yield { giveUp: `${series} from ${window.from}, page ${page}: expected ${head.limit} rows, found ${head.observations.length}` };
      return false;
    }
  }
  yield { giveUp: `${series} from ${window.from}: more than ${MOST_PAGES} pages` };
  return false;
}

function parsed<T>(body: Uint8Array, schema: z.ZodType<T>): T | null {
  try {
    return schema.parse(JSON.parse(new TextDecoder().decode(body)));
  } catch {
    return null;
  }
}
