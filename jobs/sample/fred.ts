// FRED and ALFRED: a table of real-time periods, bare downloads, two of which stopped arriving, an answer of the API.
import { addDays, lastDayOfMonth } from '../../src/model/period.ts';
import { type Course, crisisAt, noise, rounded, valueAt } from './invent.ts';
import { businessDays, monthAfter, monthsSince2020, SAMPLE_FOLDER, type SampleFile, weekdayOf, yesterdayOf } from './days.ts';

const FIRST_QUARTER = '2019-01';
/** The downloads that stopped end this many days ago. */
const DAYS_SINCE_STOP = 60;
const REAL_GDP: Course = { base: 20_600, growth: 0.021, swing: 0.012, jitter: 0.002, crisis: 0.1 };
const NOMINAL_GDP: Course = { base: 21_700, growth: 0.045, swing: 0.012, jitter: 0.002, crisis: 0.105 };
/** Part of the crisis that each estimate of a quarter did not see. */
const UNSEEN = [0.15, 0.06, 0.02];
/** The values of GS10 in FRED-MD, whose daily form this is. */
const YIELD: Course = { base: 3.7, swing: 0.25, jitter: 0.01 };
const STOPPED: readonly (readonly [code: string, course: Course])[] = [
  ['DEXCHUS', { base: 6.9, swing: 0.03, jitter: 0.002 }],
  ['DFF', { base: 3.2, swing: 0.5 }],
  ['DTWEXBGS', { base: 118, swing: 0.04, jitter: 0.003 }],
];

export function* fredFiles(now: number): Generator<SampleFile> {
  const until = yesterdayOf(now);
  yield { path: `${SAMPLE_FOLDER}alfred-realtime/RGDP.csv`, body: realTimeTable(until) };
  yield { path: `${SAMPLE_FOLDER}fredgraph-csv/DGS10.csv`, body: download('DGS10', businessDays(until, 500), YIELD) };
  // An older copy of the same file: its differences are no revisions.
  const older = businessDays(addDays(until, -30), 40);
  yield {
    path: `${SAMPLE_FOLDER}fred-date-value-csv/DGS10.csv`,
    body: download('DGS10', older, YIELD, { [older[5] ?? '']: 9.99 }).replace('DATE,DGS10', 'date,value'),
  };
  const stopped = addDays(until, -DAYS_SINCE_STOP);
  const saturday = addDays(stopped, -((weekdayOf(stopped) + 1) % 7));
  const weeks = Array.from({ length: 52 }, (_, index) => addDays(saturday, -7 * (51 - index)));
  yield {
    path: `${SAMPLE_FOLDER}fredgraph-csv/ICSA.csv`,
    body: download('ICSA', weeks, { base: 236_000, swing: 0.1, jitter: 0.03 }, {}, 0),
  };
  for (const [code, course] of STOPPED) {
    yield { path: `${SAMPLE_FOLDER}fredgraph-csv/${code}.csv`, body: download(code, businessDays(stopped, 60), course) };
  }
  yield { path: `${SAMPLE_FOLDER}fred-api/series_observations.GDP.all-realtime.json`, body: answer(until) };
}

interface Print {
  readonly from: string;
  /** null: still in force. */
  readonly to: string | null;
  readonly value: number;
}

/** First months of the quarters with a published first print. */
export function quarters(until: string): string[] {
  const thisMonth = until.slice(0, 7);
  const start = monthAfter(thisMonth, -((Number(thisMonth.slice(5)) - 1) % 3));
  const newest = printDays(monthAfter(start, -3))[0] ?? '';
  const last = monthAfter(start, newest <= until ? -3 : -6);
  const count = (monthsSince2020(`${last}-01`) - monthsSince2020(`${FIRST_QUARTER}-01`)) / 3 + 1;
  return Array.from({ length: count }, (_, index) => monthAfter(FIRST_QUARTER, 3 * index));
}

/** Advance, second and third estimate, and the yearly revision at the end of the September after. */
export function printDays(quarter: string): string[] {
  const end = lastDayOfMonth(monthAfter(quarter, 2));
  const third = addDays(end, 88);
  const september = `${third.slice(5) > '09-25' ? Number(third.slice(0, 4)) + 1 : third.slice(0, 4)}-09-27`;
  return [addDays(end, 29), addDays(end, 58), third, september];
}

/** Output without errors of its estimates. @param quarter `YYYY-MM` of its first month */
export function gdpAt(name: 'GDP' | 'RGDP', quarter: string, hasCrisis: boolean): number {
  const course = name === 'GDP' ? NOMINAL_GDP : REAL_GDP;
  return valueAt(name, monthsSince2020(`${quarter}-01`), hasCrisis ? course : { ...course, crisis: 0 });
}

function printsOf(name: string, quarter: string, until: string, course: Course): Print[] {
  const month = monthsSince2020(`${quarter}-01`);
  const level = valueAt(name, month, course);
  const missed = (course.crisis ?? 0) * crisisAt(month);
  const days = printDays(quarter).filter((day) => day <= until);
  return days.map((from, index) => {
    const next = days[index + 1];
    const value = rounded(level * (1 + 0.003 * noise(name, quarter, index) + missed * (UNSEEN[index] ?? 0)), 3);
    return { from, to: next === undefined ? null : addDays(next, -1), value };
  });
}

/** ALFRED's table names a quarter by its last month. One line has a value from before its quarter began. */
function realTimeTable(until: string): string {
  const lines = quarters(until).flatMap((quarter) =>
    printsOf('RGDP', quarter, until, REAL_GDP).map(
      ({ from, to, value }) => `${monthAfter(quarter, 2)}-01,${to ?? until} 00:00:00,${from} 00:00:00,${value}`,
    ),
  );
  const early = '2019-12-01,2019-09-29 00:00:00,2019-07-30 00:00:00,20123.456';
  return `date,realtime_end,realtime_start,RGDP\n${[...lines, early].join('\n')}\n`;
}

function download(
  code: string,
  days: readonly string[],
  course: Course,
  other: Readonly<Record<string, number>> = {},
  decimals = 2,
): string {
  const name = code === 'DGS10' ? 'fred_md GS10' : `fred ${code}`;
  const lines = days.map((day) => {
    // Markets close on New Year's Day and at Christmas.
    const isClosed = ['01-01', '12-25'].includes(day.slice(5));
    return `${day},${isClosed ? '.' : (other[day] ?? valueAt(name, monthsSince2020(day), course)).toFixed(decimals)}`;
  });
  return `DATE,${code}\n${lines.join('\n')}\n`;
}

function answer(until: string): string {
  const observations = quarters(until).flatMap((quarter) =>
    printsOf('GDP', quarter, until, NOMINAL_GDP).map(({ from, to, value }) => ({
      realtime_start: from,
      realtime_end: to ?? '9999-12-31',
      date: `${quarter}-01`,
      value: String(value),
    })),
  );
  return JSON.stringify({
    realtime_start: '1776-07-04',
    realtime_end: '9999-12-31',
    observation_start: '1600-01-01',
    observation_end: '9999-12-31',
    units: 'lin',
    output_type: 1,
    file_type: 'json',
    order_by: 'observation_date',
    sort_order: 'asc',
    count: observations.length,
    offset: 0,
    limit: 100_000,
    observations,
  });
}
