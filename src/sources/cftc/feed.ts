// Commitments of Traders: yearly files, and for the legacy report the API too. At times the API is months behind the files, and files are missing.
// Reports appear on Friday at 15:30 in New York, later after holidays.
import { z } from 'zod';
import { isDueAfter, isKeyDue, isMissingDue, type Publication } from '../feeds/due.ts';
import { type Answer, type Feed, type Held, NEVER_DUE, type Plan, type Request } from '../feeds/feed.ts';

const FILES = 'https://www.cftc.gov/files/dea/history/';
const API = 'https://publicreporting.cftc.gov/resource/';
const LEGACY_FUTURES_ONLY = '6dca-aqww';
const FIRST_YEAR = 1986;
/** Earlier years are together in one file of several hundred megabytes. */
const FIRST_YEARLY = 2017;
const PAGE = 50_000;
const MOST_PAGES = 10;

const FRIDAY: Publication = { time: '15:30', zone: 'America/New_York', weekdays: [5] };

const legacyFile = (year: number): Request => yearly('legacy_futonly', `deacot${year}.zip`, year);

/** The file of a new year does not exist before its first report; until then the server sends a page. */
function yearly(folder: string, name: string, year: number): Request {
  return { key: `cftc/${folder}/${name}`, url: `${FILES}${name}`, dueBy: `${year}-01-31` };
}

/** @param fields of the API to read */
export function cftcLegacyFeed(fields: readonly string[]): Feed {
  return {
    publisher: 'cftc',
    isDue: (now, held) => isYearDue(now, held, legacyFile),
    *plan(now, held) {
      yield* openYears(now, held, legacyFile);
      yield* reportsBetween(quarterBefore(now), null, fields);
      for (let year = FIRST_YEARLY - 1; year >= FIRST_YEAR; year -= 1) {
        const from = `${year}-01-01`;
        if (isMissingDue(now, held, apiKey(from, 1))) yield* reportsBetween(from, `${year}-12-31`, fields);
      }
    },
  };
}

/** A report with one file per year, and one for all earlier years. */
export interface YearlyFiles {
  readonly folder: string;
  /** Name of a year's archive, without its extension. */
  readonly name: (year: string) => string;
  /** Name of the archive of earlier years. */
  readonly before: string;
}

export function cftcFilesFeed({ folder, name, before }: YearlyFiles): Feed {
  const file = (year: number): Request => yearly(folder, `${name(String(year))}.zip`, year);
  return {
    publisher: 'cftc',
    isDue: (now, held) => isYearDue(now, held, file),
    *plan(now, held) {
      yield* openYears(now, held, file);
      const first: Request = { key: `cftc/${folder}/${before}.zip`, url: `${FILES}${before}.zip` };
      if (isMissingDue(now, held, first.key)) yield first;
    },
  };
}

export const cftcTffFeed: Feed = cftcFilesFeed({
  folder: 'tff_futonly',
  name: (year) => `fut_fin_txt_${year}`,
  before: 'fin_fut_txt_2006_2016',
});

function isYearDue(now: string, held: Held, file: (year: number) => Request): boolean {
  const year = Number(now.slice(0, 4));
  const newest = held.newest(file(year).key);
  // In January the previous year may be the newest one.
  const before = newest === null && now.slice(5, 7) === '01' ? held.newest(file(year - 1).key) : null;
  if (before !== null) return isDueAfter(now, before, 24, FRIDAY);
  return isKeyDue(now, held, file(year).key, { everyHours: 24, publication: FRIDAY });
}

/** A year is closed once the next one's reports arrive: corrections of its last weeks may come until March. */
function* openYears(now: string, held: Held, file: (year: number) => Request): Plan {
  const thisYear = Number(now.slice(0, 4));
  for (let year = thisYear; year >= FIRST_YEARLY; year -= 1) {
    const isOpen = year === thisYear || (year === thisYear - 1 && now.slice(5, 7) <= '03');
    if (isOpen) yield file(year);
    else if (isMissingDue(now, held, file(year).key)) yield { ...file(year), dueBy: NEVER_DUE };
  }
}

// --- The API

const apiKey = (from: string, page: number): string =>
  `cftc/socrata/${LEGACY_FUTURES_ONLY}_from_${from}${page === 1 ? '' : `.page${page}`}.json`;

const Rows = z.array(z.record(z.string(), z.unknown()));

/** Pages of an unordered answer repeat and omit rows; a page is the last one if it is not full. */
function* reportsBetween(from: string, to: string | null, fields: readonly string[]): Plan {
  const day = 'report_date_as_yyyy_mm_dd';
  const columns = ['market_and_exchange_names', 'cftc_contract_market_code', day, 'futonly_or_combined', ...fields];
  const query = new URLSearchParams({
    $select: columns.join(','),
    $where: to === null ? `${day} >= '${from}'` : `${day} between '${from}' and '${to}'`,
    $order: `${day},cftc_contract_market_code`,
    $limit: String(PAGE),
  });
  let firstOfPage = '';
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    query.set('$offset', String((page - 1) * PAGE));
    const answer: Answer = yield {
      key: apiKey(from, page),
      url: `${API}${LEGACY_FUTURES_ONLY}.json?${String(query).replaceAll('+', '%20')}`,
      group: `reports from ${from}`,
      mayShrink: page > 1,
      // A past year that the API refuses does not hide the others.
      ...(to === null || page > 1 ? {} : { dueBy: NEVER_DUE }),
    };
    if (answer.kind === 'absent' || answer.kind === 'failed') return;
    const rows = rowsOf(answer.body);
    const problem = problemOf(rows, page, firstOfPage);
    if (problem !== null) {
      yield { giveUp: `the API's answer from ${from}, page ${page}, ${problem}`, isEmpty: rows?.length === 0 };
      return;
    }
    firstOfPage = JSON.stringify(rows?.[0]);
    if (rows === null || rows.length < PAGE) return;
  }
  yield { giveUp: `the API's answer from ${from} has more than ${MOST_PAGES} pages` };
}

function problemOf(rows: readonly unknown[] | null, page: number, firstOfPage: string): string | null {
  if (rows === null) return 'is no list of reports';
  if (rows.length === 0) return page === 1 ? 'has no reports' : null;
  return JSON.stringify(rows[0]) === firstOfPage ? 'repeats the page before it' : null;
}

function rowsOf(body: Uint8Array): readonly Record<string, unknown>[] | null {
  try {
    return Rows.parse(JSON.parse(new TextDecoder().decode(body)));
  } catch {
    return null;
  }
}

/** The first day of the previous quarter: 13 to 26 weeks back, and the same request on every day of a quarter. */
function quarterBefore(now: string): string {
  const [year, month] = [Number(now.slice(0, 4)), Number(now.slice(5, 7))];
  const start = month - ((month - 1) % 3) - 3;
  return start > 0 ? `${year}-${String(start).padStart(2, '0')}-01` : `${year - 1}-10-01`;
}
