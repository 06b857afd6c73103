// Events and calendar entries, in the version known at a cutoff.
import { z } from 'zod';
import { defineQuery, run } from '../db/query.ts';
import { type Grants, rightsUnder } from '../model/grant.ts';
import { CalendarEntry, Event, EventStatus, EventType } from '../model/event.ts';
import { idHash } from '../model/observation.ts';
import { Importance, SourceTier } from '../model/trust.ts';
import { definePaged, type FoundPage, type PageOf, runPaged, type SortKey } from './paging.ts';
import type { Snapshot } from './snapshot.ts';

const nullableText = z.string().nullable();

const EventRow = z.strictObject({
  eventId: z.string(),
  eventType: EventType,
  title: z.string(),
  summary: nullableText,
  entityId: nullableText,
  country: nullableText,
  currency: nullableText,
  importance: Importance,
  status: EventStatus,
  occurredAt: z.string(),
  timePrecision: Event.shape.timePrecision,
  publishedAt: nullableText,
  observedAt: z.string(),
  indicatorIds: z.array(z.string()),
  observationIds: z.array(z.string()),
  calendarEventId: nullableText,
  sourceId: z.string(),
  sourceTier: SourceTier,
  sourceUrl: nullableText,
  documentHash: nullableText,
  language: nullableText,
  attribution: z.string(),
  isRedistributable: z.boolean(),
  license: z.string(),
  rightsNote: nullableText,
});
type EventRow = z.infer<typeof EventRow>;

export const eventsListQuery = defineQuery('events/list.sql', {
  params: z.strictObject({
    eventId: nullableText,
    eventType: nullableText,
    country: nullableText,
    entityId: nullableText,
    importance: nullableText,
    status: nullableText,
    dateFrom: nullableText,
    dateTo: nullableText,
    asOf: nullableText,
    onDate: z.string(),
    q: nullableText,
  }),
  row: EventRow,
});

const Begin = z.strictObject({ firstObservedAt: nullableText });

export const eventsBeginQuery = defineQuery('events/begin.sql', {
  params: eventsListQuery.params.omit({ asOf: true, onDate: true }),
  row: Begin,
});

const EVENT_SORTS = {
  occurred_at: { expression: 'occurred_at', type: 'timestamptz' },
  observed_at: { expression: 'observed_at', type: 'timestamptz' },
  title: { expression: 'title', type: 'varchar' },
} as const satisfies Record<string, SortKey>;
export const eventsList = definePaged(eventsListQuery, EVENT_SORTS, { column: 'event_id', type: 'varchar' });

/** Days are inclusive; null is no bound. */
export interface EventFilters {
  readonly eventId: string | null;
  readonly eventType: string | null;
  readonly country: string | null;
  readonly entityId: string | null;
  readonly importance: string | null;
  readonly status: string | null;
  readonly dateFrom: string | null;
  readonly dateTo: string | null;
  readonly asOf: string | null;
  /** Day of the cutoff, else today. */
  readonly onDate: string;
  readonly q: string | null;
}

export async function listEvents(
  snapshot: Snapshot,
  filters: EventFilters,
  page: PageOf<keyof typeof EVENT_SORTS>,
): Promise<FoundPage<Event>> {
  const found = await runPaged(snapshot, eventsList, { ...filters }, page);
  const rows = snapshot.historyFrom == null ? found.rows : await withSeen(snapshot, found.rows, snapshot.historyFrom);
  return { ...found, rows: rows.map((row) => toEvent(row, snapshot.grants)) };
}

export const eventObservationsQuery = defineQuery('events/observations_seen.sql', {
  params: z.strictObject({ seriesNos: z.array(z.int()), idHashes: z.array(z.string()), periodFrom: z.string() }),
  row: z.strictObject({ idHash: z.union([z.bigint(), z.number()]) }),
});

/** The events, with only the observations whose periods may be shown. */
async function withSeen(snapshot: Snapshot, rows: readonly EventRow[], periodFrom: string): Promise<readonly EventRow[]> {
  const hashOf = (id: string) => String(idHash(id));
  const idHashes = [...new Set(rows.flatMap((row) => row.observationIds.map(hashOf)))];
  const { byIndicatorId } = snapshot.catalogue;
  const series = rows.flatMap((row) => row.indicatorIds.flatMap((id) => byIndicatorId.get(id) ?? []));
  const seriesNos = [...new Set(series.map((one) => one.seriesNo))];
  const isAsked = idHashes.length > 0 && seriesNos.length > 0;
  const found = isAsked ? await run(snapshot, eventObservationsQuery, { seriesNos, idHashes, periodFrom }) : [];
  const seen = new Set(found.map((row) => String(row.idHash)));
  return rows.map((row) => ({ ...row, observationIds: row.observationIds.filter((id) => seen.has(hashOf(id))) }));
}

/** When the first event that matches the filters was known. Null if there never was one. */
export async function eventsBegin(snapshot: Snapshot, { asOf: _, onDate: __, ...filters }: EventFilters): Promise<string | null> {
  return (await run(snapshot, eventsBeginQuery, filters))[0]?.firstObservedAt ?? null;
}

const ANY_EVENT: Omit<EventFilters, 'onDate'> = {
  eventId: null,
  eventType: null,
  country: null,
  entityId: null,
  importance: null,
  status: null,
  dateFrom: null,
  dateTo: null,
  asOf: null,
  q: null,
};

/** In the version known at the cutoff. Null if there is none on or after `dateFrom`. */
export async function findEvent(
  snapshot: Snapshot,
  eventId: string,
  { dateFrom, ...moment }: Pick<EventFilters, 'dateFrom' | 'asOf' | 'onDate'>,
): Promise<Event | null> {
  const page = { sort: 'occurred_at', order: 'asc', after: null, limit: 1 } as const;
  const { rows } = await listEvents(snapshot, { ...ANY_EVENT, eventId, dateFrom, ...moment }, page);
  return rows[0] ?? null;
}

function toEvent({ isRedistributable, license, rightsNote, ...row }: EventRow, grants: Grants): Event {
  return {
    ...row,
    rights: rightsUnder({ redistributable: isRedistributable, license, note: rightsNote }, row.sourceId, grants),
  };
}

export const calendarListQuery = defineQuery('events/calendar_list.sql', {
  params: z.strictObject({
    eventId: nullableText,
    country: nullableText,
    indicatorIds: z.array(z.string()).nullable(),
    importance: nullableText,
    category: nullableText,
    status: nullableText,
    dateFrom: nullableText,
    dateTo: nullableText,
    periodFrom: nullableText,
    asOf: nullableText,
    onDate: z.string(),
  }),
  row: CalendarEntry,
});

export const calendarBeginQuery = defineQuery('events/calendar_begin.sql', {
  params: calendarListQuery.params.omit({ asOf: true, onDate: true }),
  row: Begin,
});

const CALENDAR_SORTS = {
  scheduled_at: { expression: 'scheduled_at', type: 'timestamptz' },
  observed_at: { expression: 'observed_at', type: 'timestamptz' },
  country: { expression: 'country', type: 'varchar' },
} as const satisfies Record<string, SortKey>;
export const calendarList = definePaged(calendarListQuery, CALENDAR_SORTS, { column: 'event_id', type: 'varchar' });

/** Days are inclusive; null is no bound. */
export interface CalendarFilters {
  readonly eventId: string | null;
  readonly country: string | null;
  /** Storage or canonical ids. */
  readonly indicatorIds: readonly string[] | null;
  readonly importance: string | null;
  readonly category: string | null;
  readonly status: string | null;
  readonly dateFrom: string | null;
  readonly dateTo: string | null;
  /** Bound on the released period, if the entry has one. */
  readonly periodFrom: string | null;
  readonly asOf: string | null;
  /** Day of the cutoff, else today. */
  readonly onDate: string;
}

export function listCalendar(
  snapshot: Snapshot,
  filters: CalendarFilters,
  page: PageOf<keyof typeof CALENDAR_SORTS>,
): Promise<FoundPage<CalendarEntry>> {
  return runPaged(snapshot, calendarList, { ...filters }, page);
}

/** When the first entry that matches the filters was known. Null if there never was one. */
export async function calendarBegin(snapshot: Snapshot, { asOf: _, onDate: __, ...filters }: CalendarFilters): Promise<string | null> {
  return (await run(snapshot, calendarBeginQuery, filters))[0]?.firstObservedAt ?? null;
}

/** In the version known at the cutoff. Null if there is none, or if its day or its period is before `dateFrom`. */
export async function findCalendarEntry(
  snapshot: Snapshot,
  eventId: string,
  { dateFrom, ...moment }: Pick<CalendarFilters, 'dateFrom' | 'asOf' | 'onDate'>,
): Promise<CalendarEntry | null> {
  const any = { country: null, indicatorIds: null, importance: null, category: null, status: null, dateTo: null };
  const page = { sort: 'scheduled_at', order: 'asc', after: null, limit: 1 } as const;
  const { rows } = await listCalendar(snapshot, { ...any, eventId, dateFrom, periodFrom: dateFrom, ...moment }, page);
  return rows[0] ?? null;
}
