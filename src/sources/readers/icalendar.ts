// iCalendar (RFC 5545) → events. The library silently reads a truncated file and an unknown time zone: both are refused here.
import { convertIcsCalendar, type IcsEvent } from 'ts-ics';
import { UpstreamError } from '../upstream-error.ts';
import { decodeText, excerpt, refuseMarkup } from './text.ts';

export interface CalendarEvent {
  readonly uid: string;
  readonly summary: string;
  /** As written: the day, and the hour in `timezone`, null for an all-day event. */
  readonly day: string;
  readonly time: string | null;
  /** `UTC`, or the file's own name of the zone; null for an all-day event. */
  readonly timezone: string | null;
  readonly status: 'CONFIRMED' | 'TENTATIVE' | 'CANCELLED' | null;
  readonly url: string | null;
  /** The last change of the event's entry, if stated. */
  readonly changedAt: string | null;
}

export function readCalendar(sourceId: string, body: Uint8Array): CalendarEvent[] {
  const text = decodeText(sourceId, body);
  refuseMarkup(sourceId, text, 'iCalendar');
  if (!/^BEGIN:VCALENDAR\s/.test(text)) throw new UpstreamError(sourceId, `expected BEGIN:VCALENDAR, found ${excerpt(text)}`);
  if (!/\nEND:VCALENDAR\s*$/.test(text))
    throw new UpstreamError(sourceId, `the calendar is truncated; it ends in ${excerpt(text.slice(-60))}`);
  checkParts(sourceId, text);
  const floating = /^DTSTART(?:;VALUE=DATE-TIME)?:\d{8}T\d{6}\s*$/m.exec(withoutZones(text));
  if (floating !== null) throw new UpstreamError(sourceId, `${floating[0].trim()} names no time zone`);
  const events = convert(sourceId, text);
  const begun = [...text.matchAll(/^BEGIN:VEVENT\s*$/gm)].length;
  if (events.length !== begun) throw new UpstreamError(sourceId, `expected ${begun} events, found ${events.length}`);
  return events.map((event) => toEvent(sourceId, event));
}

// A schedule has one or two time zones; the library searches all of them for each event.
const MOST_ZONES = 20;
const MOST_PARTS = 5;

/** Each part must end inside its parent. The library would search the whole file for other ends. */
function checkParts(sourceId: string, text: string): void {
  const open: string[] = [];
  let zones = 0;
  for (const [, edge = '', part = ''] of text.matchAll(/^(BEGIN|END):([A-Z-]{1,40})[^\S\n]*$/gm)) {
    if (edge === 'BEGIN') open.push(part);
    else if (open.pop() !== part) throw new UpstreamError(sourceId, `the calendar ends ${part} where another part is open`);
    if (edge === 'BEGIN' && part === 'VTIMEZONE') zones += 1;
    if (open.length > MOST_PARTS || zones > MOST_ZONES)
      throw new UpstreamError(sourceId, `the calendar has parts more than ${MOST_PARTS} deep, or more than ${MOST_ZONES} time zones`);
  }
  if (open.length > 0) throw new UpstreamError(sourceId, `the calendar does not end its ${open.at(-1)}`);
}

/** The file without its descriptions of time zones. */
function withoutZones(text: string): string {
  let isInZone = false;
  return text
    .split('\n')
    .filter((line) => {
      const isOfZone = isInZone || line.startsWith('BEGIN:VTIMEZONE');
      isInZone = isOfZone && !line.startsWith('END:VTIMEZONE');
      return !isOfZone;
    })
    .join('\n');
}

function convert(sourceId: string, text: string): readonly IcsEvent[] {
  try {
    return convertIcsCalendar(undefined, text).events ?? [];
  } catch (cause) {
    throw new UpstreamError(sourceId, `the payload is not iCalendar: ${excerpt(cause instanceof Error ? cause.message : String(cause))}`, {
      cause,
    });
  }
}

function toEvent(sourceId: string, { uid, summary, start, status, url, lastModified, stamp }: IcsEvent): CalendarEvent {
  const { date: written, timezone } = start.local ?? { date: start.date, timezone: 'UTC' };
  if (!uid || !summary || Number.isNaN(written.getTime())) {
    throw new UpstreamError(sourceId, `an event lacks UID, SUMMARY or DTSTART: ${excerpt(JSON.stringify({ uid, summary, start }))}`);
  }
  const [day = '', time = ''] = written.toISOString().split('T');
  const isWholeDay = start.type === 'DATE';
  return {
    uid,
    summary,
    day,
    time: isWholeDay ? null : time.slice(0, 8),
    timezone: isWholeDay ? null : timezone,
    status: status ?? null,
    url: url ?? null,
    changedAt: instantOf(lastModified?.date) ?? instantOf(stamp?.date),
  };
}

function instantOf(date: Date | undefined): string | null {
  return date === undefined || Number.isNaN(date.getTime()) ? null : date.toISOString();
}
