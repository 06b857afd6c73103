// FRED and ALFRED: a table of real-time periods, a bare download, an answer of the API.
import { addDays, lastDayOfMonth } from '../../src/model/period.ts';
import { type Course, noise, rounded, valueAt } from './invent.ts';
import { businessDays, monthAfter, months, monthsSince2020, SAMPLE_FOLDER, type SampleFile, yesterdayOf } from './days.ts';

const QUARTERS = 24;
const REAL_GDP: Course = { base: 20_600, growth: 0.021, swing: 0.012, jitter: 0.002 };
const NOMINAL_GDP: Course = { base: 21_700, growth: 0.045, swing: 0.012, jitter: 0.002 };
/** The course of GS10 in FRED-MD, whose daily form this is. */
const YIELD: Course = { base: 3.7, swing: 0.25, jitter: 0.01 };

export function* fredFiles(now: number): Generator<SampleFile> {
  const until = yesterdayOf(now);
  yield { path: `${SAMPLE_FOLDER}alfred-realtime/RGDP.csv`, body: realTimeTable(until) };
  yield { path: `${SAMPLE_FOLDER}fredgraph-csv/DGS10.csv`, body: download(until) };
  yield { path: `${SAMPLE_FOLDER}fred-api/series_observations.GDP.all-realtime.json`, body: answer(until) };
}

interface Print {
  readonly from: string;
  /** null: it still holds. */
  readonly to: string | null;
  readonly value: number;
}

/** First months of the quarters whose first print is out. */
export function quarters(until: string): string[] {
  const thisMonth = until.slice(0, 7);
  const start = monthAfter(thisMonth, -((Number(thisMonth.slice(5)) - 1) % 3));
  const newest = printDays(monthAfter(start, -3))[0] ?? '';
  const last = monthAfter(start, newest <= until ? -3 : -6);
  return months(last, QUARTERS * 3).filter((month) => Number(month.slice(5)) % 3 === 1);
}

/** Advance, second and third estimate, and the yearly revision at the end of the September after. */
export function printDays(quarter: string): string[] {
  const end = lastDayOfMonth(monthAfter(quarter, 2));
  const third = addDays(end, 88);
  const september = `${third.slice(5) > '09-25' ? Number(third.slice(0, 4)) + 1 : third.slice(0, 4)}-09-27`;
  return [addDays(end, 29), addDays(end, 58), third, september];
}

function printsOf(name: string, quarter: string, until: string, course: Course): Print[] {
  const level = valueAt(name, monthsSince2020(`${quarter}-01`), course);
  const days = printDays(quarter).filter((day) => day <= until);
  return days.map((from, index) => {
    const next = days[index + 1];
    const value = rounded(level * (1 + 0.003 * noise(name, quarter, index)), 3);
    return { from, to: next === undefined ? null : addDays(next, -1), value };
  });
}

/** ALFRED's table names a quarter by its last month. */
function realTimeTable(until: string): string {
  const lines = quarters(until).flatMap((quarter) =>
    printsOf('RGDP', quarter, until, REAL_GDP).map(
      ({ from, to, value }) => `${monthAfter(quarter, 2)}-01,${to ?? until} 00:00:00,${from} 00:00:00,${value}`,
    ),
  );
  return `date,realtime_end,realtime_start,RGDP\n${lines.join('\n')}\n`;
}

function download(until: string): string {
  const lines = businessDays(until, 500).map((day) => {
    // Markets close on New Year's Day and at Christmas.
    const isClosed = ['01-01', '12-25'].includes(day.slice(5));
    return `${day},${isClosed ? '.' : valueAt('fred_md GS10', monthsSince2020(day), YIELD).toFixed(2)}`;
  });
  return `DATE,DGS10\n${lines.join('\n')}\n`;
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
