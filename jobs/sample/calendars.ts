// Release schedules: release dates of FRED, the schedule of the BLS, a list of meeting days. They match the other files of the sample.
import { addDays, toDay } from '../../src/model/period.ts';
import { FIRST_MEETING as FIRST_ECB_MEETING } from './central-bank-documents.ts';
import { monthAfter, months, SAMPLE_FOLDER, type SampleFile, weekdayOf, yesterdayOf } from './days.ts';
import { FIRST_MEETING as FIRST_FED_MEETING } from './fed-statements.ts';
import { printDays, quarters } from './fred.ts';

const DAYS_AHEAD = 90;
const MONTHS_BACK = 14;
const MEETINGS_BACK = 8;
const MEETING_INTERVAL = 42;

export function* calendarFiles(now: number): Generator<SampleFile> {
  const until = yesterdayOf(now);
  yield { path: `${SAMPLE_FOLDER}fred-api/release_dates.53-GDP.recorded-${until}.json`, body: releaseDates(until) };
  yield { path: `${SAMPLE_FOLDER}calendars/bls-release-schedule.ics`, body: schedule(until, 'now') };
  yield { path: `${SAMPLE_FOLDER}calendars/bls-release-schedule.before.ics`, body: schedule(until, 'before') };
  yield { path: `${SAMPLE_FOLDER}central-bank-text/meeting_calendar.json`, body: JSON.stringify(meetings(until), null, 2) };
}

function releaseDates(until: string): string {
  const known = quarters(until);
  const next = monthAfter(known.at(-1) ?? until.slice(0, 7), 3);
  const days = [...known, next].flatMap(printDays).filter((day) => day <= addDays(until, DAYS_AHEAD));
  const release_dates = [...new Set(days)].sort().map((date) => ({ release_id: 53, date }));
  return JSON.stringify({
    realtime_start: '1776-07-04',
    realtime_end: '9999-12-31',
    order_by: 'release_date',
    sort_order: 'asc',
    count: release_dates.length,
    offset: 0,
    limit: 10_000,
    release_dates,
  });
}

const HEAD = `BEGIN:VCALENDAR
PRODID:-//Sample//generated, not real//EN
VERSION:2.0
CALSCALE:GREGORIAN
METHOD:PUBLISH
X-WR-TIMEZONE:US-Eastern
BEGIN:VTIMEZONE
TZID:US-Eastern
BEGIN:DAYLIGHT
TZOFFSETFROM:-0500
TZOFFSETTO:-0400
DTSTART:20070311T020000
RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU
TZNAME:EDT
END:DAYLIGHT
BEGIN:STANDARD
TZOFFSETFROM:-0400
TZOFFSETTO:-0500
DTSTART:20071104T020000
RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU
TZNAME:EST
END:STANDARD
END:VTIMEZONE`;

/**
 * Employment on the first Friday of a month, consumer prices on its second Wednesday. Of the month after next: earnings that will not come out,
 * a day that is not confirmed, and a release that was moved between the two statements of the schedule.
 */
function schedule(until: string, stated: 'before' | 'now'): string {
  const next = monthAfter(until.slice(0, 7), 2);
  const changed = `${addDays(until, stated === 'now' ? -2 : -40).replaceAll('-', '')}T120000Z`;
  const special = [
    event(`${next}-14`, 'Real Earnings', { changed, status: stated === 'now' ? 'CANCELLED' : 'CONFIRMED' }),
    event(`${next}-20`, `Union Membership (Annual) for ${Number(next.slice(0, 4)) - 1}`, {
      changed,
      status: 'TENTATIVE',
      isWholeDay: true,
    }),
    event(stated === 'now' ? `${next}-25` : `${next}-18`, 'Employment Cost Index', { changed, status: 'CONFIRMED' }),
  ];
  const events = months(monthAfter(until.slice(0, 7), 3), MONTHS_BACK + 3).flatMap((month) => [
    event(firstWeekday(`${month}-01`, 5), 'Employment Situation'),
    event(firstWeekday(`${month}-08`, 3), 'Consumer Price Index'),
  ]);
  return `${[HEAD, ...events, ...special, 'END:VCALENDAR'].join('\n')}\n`;
}

interface Stated {
  readonly changed: string;
  readonly status: 'CONFIRMED' | 'TENTATIVE' | 'CANCELLED';
  readonly isWholeDay?: boolean;
}

function event(day: string, title: string, stated?: Stated): string {
  const start = stated?.isWholeDay === true ? `VALUE=DATE:${day.replaceAll('-', '')}` : `TZID=US-Eastern:${day.replaceAll('-', '')}T083000`;
  const state = stated === undefined ? '' : `\nLAST-MODIFIED:${stated.changed}\nSTATUS:${stated.status}`;
  return `BEGIN:VEVENT
SEQUENCE:1
CLASS:PUBLIC
UID:sample-${title.toLowerCase().replaceAll(' ', '-')}-${day.slice(0, 7)}
DTSTART;${start}
DURATION:PT0M
SUMMARY:${title}
TRANSP:TRANSPARENT${state}
END:VEVENT`;
}

function firstWeekday(from: string, weekday: number): string {
  return addDays(from, (weekday - weekdayOf(from) + 7) % 7);
}

function meetings(until: string) {
  return {
    _note: 'SAMPLE DATA, generated, not real. Meeting dates use the last day of each meeting (the announcement day). Dates are YYYY-MM-DD.',
    fed: byYear(FIRST_FED_MEETING, until),
    ecb: byYear(FIRST_ECB_MEETING, until),
  };
}

function byYear(first: number, until: string) {
  const days: string[] = [];
  for (let number = first; toDay(number) <= addDays(until, DAYS_AHEAD); number += MEETING_INTERVAL) days.push(toDay(number));
  const listed = days.slice(-MEETINGS_BACK);
  const years = [...new Set(listed.map((day) => day.slice(0, 4)))];
  return { meetings_per_year: 8, ...Object.fromEntries(years.map((year) => [year, listed.filter((day) => day.startsWith(year))])) };
}
