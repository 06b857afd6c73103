// Commitments of Traders: the common parts of the reports. Positions are those of Tuesday's close (Monday's before a holiday).
import { addDays, isDay, lastDayOfMonth, type Period, periodOf } from '../../model/period.ts';
import { observationBatches } from '../records/batches.ts';
import { instantAt } from '../local-time.ts';
import type { Batch, EntityRecord, ObservationRecord, RefusedRecord } from '../../model/record.ts';
import { knownOn, type Payload } from '../source.ts';
import { UpstreamError } from '../upstream-error.ts';
import { type CsvColumn, type CsvRow, type CsvTable, readCsv } from '../readers/csv.ts';
import { excerpt } from '../readers/text.ts';

export interface Position {
  readonly code: string;
  readonly name: string;
  readonly reportDay: string;
  /** By measure, `noncommercial_long`. */
  readonly values: Readonly<Record<string, number | null>>;
}

export interface CotReport {
  readonly sourceId: string;
  /** Measure → canonical indicator. */
  readonly measures: Readonly<Record<string, string>>;
  /** Measures that add up to `open_interest`; spreading counts on both sides. */
  readonly sides: { readonly long: readonly string[]; readonly short: readonly string[] };
}

// Codes of consolidated contracts end in +, which a query string decodes as a blank.
export const contractEntityId = (code: string): string => `cftc_${code.toLowerCase().replace('+', 'plus')}`;

export function* cotBatches(report: CotReport, positions: readonly Position[], retrievedAt: string): Generator<Batch> {
  if (positions.length === 0) throw new UpstreamError(report.sourceId, 'the report has no rows');
  refuseRepeats(report.sourceId, positions);
  const sound: Position[] = [];
  const refused: RefusedRecord[] = [];
  for (const position of positions) {
    const fault = faultOf(report, position);
    if (fault === null) sound.push(position);
    else refused.push(fault);
  }
  yield* entityBatch(positions.map(({ code, name, reportDay }) => contractEntity(code, name, reportDay)));
  yield* observationBatches(recordsOf(report, sound, retrievedAt));
  if (refused.length > 0) yield { kind: 'refused', rows: refused };
}

export function contractEntity(code: string, name: string, seenOn: string): EntityRecord {
  return {
    entityId: contractEntityId(code),
    entityType: 'futures_contract',
    name,
    country: null,
    currency: null,
    identifiers: { cftcContractCode: code },
    seenOn,
  };
}

/** One record per contract and name, with the first day of that name. */
export function* entityBatch(entities: readonly EntityRecord[]): Generator<Batch> {
  const first = new Map<string, EntityRecord>();
  for (const entity of entities) {
    const key = `${entity.entityId}|${entity.name}`;
    const known = first.get(key);
    if (known === undefined || entity.seenOn < known.seenOn) first.set(key, entity);
  }
  if (first.size > 0) yield { kind: 'entities', rows: [...first.values()] };
}

function* recordsOf({ measures }: CotReport, positions: readonly Position[], retrievedAt: string): Generator<ObservationRecord> {
  const releases = new Map<string, string>();
  for (const { code, reportDay, values } of positions) {
    const observedAt = releases.get(reportDay) ?? releaseKnownAt(reportDay, retrievedAt);
    releases.set(reportDay, observedAt);
    for (const [measure, value] of Object.entries(values)) {
      yield {
        seriesCode: `${code}.${measure}`,
        canonicalId: measures[measure] ?? `cot_${measure}`,
        entityId: contractEntityId(code),
        frequency: 'weekly',
        unit: 'contracts',
        ...reportPeriod(reportDay),
        value,
        observedAt,
        releasedAt: observedAt,
      };
    }
  }
}

/** Four reports of a Friday, before holidays, exist next to one of a Tuesday of the same week: they are labelled by their day. */
function reportPeriod(reportDay: string): Period {
  const week = periodOf('weekly', reportDay);
  return weekday(reportDay) === 5 && reportDay > WEEKLY_SINCE ? { ...week, period: reportDay } : week;
}

function refuseRepeats(sourceId: string, positions: readonly Position[]): void {
  const seen = new Set<string>();
  for (const { code, reportDay } of positions) {
    const key = `${code} of ${reportDay}`;
    if (seen.has(key)) throw new UpstreamError(sourceId, `${key} stands twice in the file`);
    seen.add(key);
  }
}

function faultOf({ sides }: CotReport, { code, reportDay, values }: Position): RefusedRecord | null {
  const refuse = (rule: RefusedRecord['rule'], measure: string, reason: string): RefusedRecord => ({
    rule,
    seriesCode: `${code}.${measure}`,
    entityId: contractEntityId(code),
    period: reportDay,
    fieldPath: measure,
    observedValue: String(values[measure] ?? null),
    reason,
  });
  for (const [measure, value] of Object.entries(values)) {
    if (value !== null && (value < 0 || !Number.isInteger(value)))
      return refuse('out_of_range', measure, 'a count of contracts is a whole number from 0');
  }
  const openInterest = values['open_interest'] ?? null;
  if (openInterest === null) return null;
  for (const [side, legs] of Object.entries(sides)) {
    const numbers = legs.map((leg) => values[leg] ?? null);
    const sum = numbers.reduce<number>((total, leg) => total + (leg ?? 0), 0);
    // Consolidated contracts are converted and rounded leg by leg, which changes each number by at most half a contract.
    const isOff = Math.abs(sum - openInterest) > (legs.length + 1) / 2;
    if (!numbers.includes(null) && isOff) {
      return refuse('reconciliation_failed', 'open_interest', `the ${side} positions add up to ${sum}, open interest is ${openInterest}`);
    }
  }
  return null;
}

// --- Layout

const plain = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, ' ');

export interface NamedColumns {
  readonly text: (name: string) => CsvColumn<string>;
  readonly number: (name: string) => CsvColumn<number | null>;
  readonly has: (name: string) => boolean;
}

/** Columns by name, regardless of the blanks, underscores and capitals of that year. */
export function namedColumns(sourceId: string, table: CsvTable): NamedColumns {
  const actual = new Map<string, string>();
  for (const column of table.columns) {
    if (actual.has(plain(column))) throw new UpstreamError(sourceId, `the column ${plain(column)} stands twice in the header`);
    actual.set(plain(column), column);
  }
  const find = (name: string): string => {
    const column = actual.get(plain(name));
    if (column === undefined)
      throw new UpstreamError(sourceId, `expected the column ${name}, found ${excerpt(table.columns.join(', '), 200)}`);
    return column;
  };
  return { text: (name) => table.text(find(name)), number: (name) => table.number(find(name)), has: (name) => actual.has(plain(name)) };
}

/** `2025-03-11` or `3/11/2025`, checked against `250311`. */
export function reportDayOf(sourceId: string, text: string, yymmdd: string, { line }: Pick<CsvRow, 'line'>): string {
  const [, month = '', date = '', year = ''] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text) ?? [];
  const day = year === '' ? text.slice(0, 10) : `${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`;
  if (!isDay(day)) throw new UpstreamError(sourceId, `expected a report date on line ${line}, found ${excerpt(text)}`);
  if (day.slice(2).replaceAll('-', '') !== yymmdd.padStart(6, '0')) {
    throw new UpstreamError(sourceId, `the two report dates on line ${line} disagree: ${excerpt(text)} and ${excerpt(yymmdd)}`);
  }
  return day;
}

/** The unit of a report's numbers, from its last column. */
export type Counted = 'FutOnly' | 'Combined';
const COUNTS: Readonly<Record<Counted, string>> = { FutOnly: 'futures only', Combined: 'futures and options combined' };

function requireCounted(sourceId: string, expected: Counted, found: string): void {
  if (found.toLowerCase() !== expected.toLowerCase())
    throw new UpstreamError(sourceId, `expected a report on ${COUNTS[expected]} (${expected}), found ${excerpt(found)}`);
}

/**
 * Reports by classes of traders, in the spreadsheets (saved as CSV) or the yearly text files.
 * @param columns measure → column
 */
export function readClasses(
  sourceId: string,
  { body }: Pick<Payload, 'body'>,
  columns: Readonly<Record<string, string>>,
  counted: Counted,
): Position[] {
  const table = readCsv(body, { sourceId, required: [], trim: true });
  const named = namedColumns(sourceId, table);
  const dateColumn = ['Report_Date_as_YYYY-MM-DD', 'Report_Date_as_MM_DD_YYYY'].find(named.has);
  if (dateColumn === undefined)
    throw new UpstreamError(sourceId, 'expected the column Report_Date_as_YYYY-MM-DD or Report_Date_as_MM_DD_YYYY, found neither');
  const [name, code] = [named.text('Market_and_Exchange_Names'), named.text('CFTC_Contract_Market_Code')];
  const [date, yymmdd, kind] = [named.text(dateColumn), named.text('As_of_Date_In_Form_YYMMDD'), named.text('FutOnly_or_Combined')];
  const values = Object.entries(columns).map(([measure, column]) => [measure, named.number(column)] as const);
  return table.rows.map((row) => {
    requireCounted(sourceId, counted, kind(row));
    return {
      code: requireCode(sourceId, code(row)),
      name: name(row),
      reportDay: reportDayOf(sourceId, date(row), yymmdd(row), row),
      values: Object.fromEntries(values.map(([measure, read]) => [measure, read(row)])),
    };
  });
}

export function requireCode(sourceId: string, code: string): string {
  if (!/^[0-9A-Z]{5}[0-9A-Z+]$/.test(code))
    throw new UpstreamError(sourceId, `expected a contract code of six characters, found ${excerpt(code)}`);
  return code;
}

// --- Publication: the third federal working day after the Tuesday, 15:30 in New York, which is the Friday unless a holiday falls between.

const WEEKLY_SINCE = '1992-10-06';

/** When the report became known; a payload with a delayed report proves that it was published by then. */
export function releaseKnownAt(reportDay: string, retrievedAt: string): string {
  const release = releaseOf(reportDay);
  const earliest = instantAt(addDays(reportDay, 3), '15:30', 'America/New_York');
  return release > retrievedAt && earliest <= retrievedAt ? retrievedAt : release;
}

function releaseOf(reportDay: string): string {
  // Until 1992 the positions of mid-month and month's end appeared in print, the month after at the latest; the days are not recorded.
  if (reportDay < WEEKLY_SINCE) return knownOn(addDays(reportDay, 31), '9999-12-31');
  const announced = DELAYED.find(({ reports }) => reports.includes(reportDay));
  const day = announced?.release ?? workingDayAfter(weekday(reportDay) === 1 ? addDays(reportDay, 1) : reportDay, 3);
  // Weekly positions appeared every second week until 2000, so one of two waited for a week.
  return instantAt(reportDay < '2001-01-01' ? addDays(day, 7) : day, '15:30', 'America/New_York');
}

interface Delay {
  readonly reports: readonly string[];
  readonly release: string;
}

const announced = (pairs: Readonly<Record<string, string>>): Delay[] =>
  Object.entries(pairs).map(([report, release]) => ({ reports: [report], release }));

const DELAYED: readonly Delay[] = [
  // Shutdown of October 2013. The publication time of each report is uncertain; all were published by the regular report of this day.
  { reports: ['2013-10-01', '2013-10-08', '2013-10-15', '2013-10-22', '2013-10-29'], release: '2013-11-08' },
  // Shutdown from 2018-12-22: from 2019-02-01 one report each Tuesday and Friday, as announced, until current.
  ...announced({
    '2018-12-24': '2019-02-01',
    '2018-12-31': '2019-02-05',
    '2019-01-08': '2019-02-08',
    '2019-01-15': '2019-02-12',
    '2019-01-22': '2019-02-15',
    '2019-01-29': '2019-02-19',
    '2019-02-05': '2019-02-22',
    '2019-02-12': '2019-02-26',
    '2019-02-19': '2019-03-01',
    '2019-02-26': '2019-03-05',
  }),
  // Cyber incident at ION: release 8662-23 and the announcement of 2023-02-24 confirm the first; the others followed by mid-March.
  { reports: ['2023-01-31'], release: '2023-02-24' },
  { reports: ['2023-02-07', '2023-02-14', '2023-02-21', '2023-02-28', '2023-03-07', '2023-03-14'], release: '2023-03-24' },
  // Shutdown of October 2025: the schedule announced on 2025-11-18. If reports came earlier, they are shown too late, never too early.
  ...announced({
    '2025-09-30': '2025-11-19',
    '2025-10-07': '2025-11-21',
    '2025-10-14': '2025-11-25',
    '2025-10-21': '2025-12-02',
    '2025-10-28': '2025-12-05',
    '2025-11-04': '2025-12-09',
    '2025-11-10': '2025-12-12',
    '2025-11-18': '2025-12-16',
    '2025-11-25': '2025-12-19',
    '2025-12-02': '2025-12-23',
    '2025-12-09': '2025-12-30',
    '2025-12-16': '2026-01-06',
    '2025-12-23': '2026-01-09',
    '2025-12-30': '2026-01-13',
    '2026-01-06': '2026-01-16',
    '2026-01-13': '2026-01-20',
  }),
];

/** 0 is Sunday. */
const weekday = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay();

function workingDayAfter(day: string, count: number): string {
  let next = day;
  for (let left = count; left > 0; ) {
    next = addDays(next, 1);
    if (weekday(next) !== 0 && weekday(next) !== 6 && !isFederalHoliday(next)) left -= 1;
  }
  return next;
}

// Further days on which the president closed federal offices: next to Christmas, and in mourning for a predecessor.
const CLOSED: readonly string[] = [
  '2001-12-24',
  '2004-06-11',
  '2007-01-02',
  '2008-12-26',
  '2014-12-26',
  '2018-12-05',
  '2020-12-24',
  '2025-01-09',
];

function isFederalHoliday(day: string): boolean {
  const year = Number(day.slice(0, 4));
  return CLOSED.includes(day) || [year, year + 1].some((of) => federalHolidays(of).includes(day));
}

function federalHolidays(year: number): string[] {
  const fixed = [`${year}-01-01`, `${year}-07-04`, `${year}-11-11`, `${year}-12-25`, ...(year > 2020 ? [`${year}-06-19`] : [])];
  const observed = fixed.map((day) => addDays(day, weekday(day) === 6 ? -1 : weekday(day) === 0 ? 1 : 0));
  const nth = (month: string, day: number, n: number): string => {
    const first = `${year}-${month}-01`;
    return addDays(first, ((day - weekday(first) + 7) % 7) + 7 * (n - 1));
  };
  const lastOfMay = lastDayOfMonth(`${year}-05`);
  const memorial = addDays(lastOfMay, -((weekday(lastOfMay) + 6) % 7));
  return [...observed, nth('01', 1, 3), nth('02', 1, 3), memorial, nth('09', 1, 1), nth('10', 1, 2), nth('11', 4, 4)];
}
