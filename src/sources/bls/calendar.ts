// US Bureau of Labor Statistics: the release schedule as iCalendar, in Washington time.
import { blsCalendarFeed } from './calendar-feed.ts';
import { instantAt } from '../local-time.ts';
import { type CalendarEvent, readCalendar } from '../readers/icalendar.ts';
import type { Batch, ScheduleRecord } from '../../model/record.ts';
import type { Payload, Source } from '../source.ts';
import { UpstreamError } from '../upstream-error.ts';

const ID = 'bls_calendar';
const WASHINGTON = 'America/New_York';
const ZONES: Readonly<Record<string, string>> = {
  'US-Eastern': WASHINGTON,
  'US/Eastern': WASHINGTON,
  [WASHINGTON]: WASHINGTON,
  UTC: 'UTC',
};

export const blsCalendar: Source = {
  id: ID,
  version: 1,
  owns: (path) => /(?:^|\/)(?:calendars\/bls-release-schedule|bls_calendar\/)[^/]*\.ics$/.test(path),
  address: () => 'https://www.bls.gov/schedule/news_release/bls.ics',
  mediaType: 'text/calendar',
  feed: blsCalendarFeed,
  normalise: function* (payload): Generator<Batch> {
    const events = readCalendar(ID, payload.body);
    if (events.length === 0) throw new UpstreamError(ID, 'the schedule has no events');
    const repeated = events.find((event, index) => events.findIndex(({ uid }) => uid === event.uid) !== index);
    if (repeated !== undefined) throw new UpstreamError(ID, `the event ${repeated.uid} stands twice in the schedule`);
    yield { kind: 'schedules', rows: events.map((event) => toSchedule(payload, event)) };
  },
};

function toSchedule({ retrievedAt }: Payload, event: CalendarEvent): ScheduleRecord {
  const { releaseCode, period } = readTitle(event.summary);
  return {
    scheduleId: event.uid,
    releaseCode,
    title: event.summary,
    scheduledAt: event.time === null ? `${event.day}T00:00:00.000Z` : instantAt(event.day, event.time, zoneOf(event)),
    timePrecision: event.status === 'TENTATIVE' ? 'tentative' : event.time === null ? 'date_only' : 'exact',
    timezone: WASHINGTON,
    status: event.status === 'CANCELLED' ? 'cancelled' : 'scheduled',
    period,
    url: event.url,
    // The file's own time of the last change, if it can be true; otherwise the retrieval.
    observedAt: event.changedAt !== null && event.changedAt < retrievedAt ? event.changedAt : retrievedAt,
  };
}

function zoneOf({ uid, timezone }: CalendarEvent): string {
  const zone = ZONES[timezone ?? ''];
  if (zone === undefined) throw new UpstreamError(ID, `the event ${uid} is timed in the unknown zone ${timezone}`);
  return zone;
}

const MONTHS = ['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october', 'november', 'december'];
const QUARTERS = ['first', 'second', 'third', 'fourth'];

/** `Consumer Price Index for December 2022`, `Employment Cost Index for Fourth Quarter 2022`, `Union Membership (Annual) for 2022`, or without a period. */
function readTitle(summary: string): { readonly releaseCode: string; readonly period: string | null } {
  const title = summary.replace(/\s+/g, ' ').trim();
  const [, code = '', part, year = ''] = /^(.+) for (?:the )?(?:(\w+) (?:quarter (?:of )?)?)?(\d{4})$/i.exec(title) ?? [];
  const [month, quarter] = [MONTHS, QUARTERS].map((names) => names.indexOf(part?.toLowerCase() ?? '') + 1);
  if (code === '' || (part !== undefined && !month && !quarter)) return { releaseCode: title, period: null };
  if (part === undefined) return { releaseCode: code, period: year };
  return { releaseCode: code, period: month ? `${year}-${String(month).padStart(2, '0')}` : `${year}-Q${quarter}` };
}
