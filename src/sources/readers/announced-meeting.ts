// A meeting to come that a central bank names in one of its own documents → its entry of the calendar, known from when the document is.
import type { Batch, DocumentRecord } from '../../model/record.ts';
import { excerpt } from './text.ts';

/** What a document says of the next meeting: its words, and the day of the announcement that was read from them. */
export interface Announced {
  readonly written: string;
  /** null: the words are not the usual ones. */
  readonly day: string | null;
}

/** The code under which data/reference/releases.csv lists the meetings that documents announce. */
const RELEASE_CODE = 'next_meeting';

/** The entry; a refused record where the document names a meeting in words that give no day after its own. */
export function announcedMeeting(document: DocumentRecord, { written, day }: Announced, timezone: string): Batch {
  if (day === null || day <= document.eventDate) {
    return {
      kind: 'refused',
      rows: [
        {
          rule: 'schema_drift',
          seriesCode: null,
          entityId: document.entityId,
          period: null,
          fieldPath: 'text',
          observedValue: written,
          reason: `${document.documentId} names the next meeting as ${excerpt(written)}, which gives no day after ${document.eventDate}`,
        },
      ],
    };
  }
  return {
    kind: 'schedules',
    rows: [
      {
        // A document gives a meeting no identifier: it is the day that it is said to be on.
        scheduleId: `${RELEASE_CODE}|${day}`,
        releaseCode: RELEASE_CODE,
        title: null,
        scheduledAt: `${day}T00:00:00.000Z`,
        timePrecision: 'date_only',
        timezone,
        status: 'scheduled',
        period: null,
        url: document.url,
        observedAt: document.observedAt,
      },
    ],
  };
}
