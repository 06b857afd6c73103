// A future meeting that a central bank announces in one of its documents → its calendar entry, known as soon as the document.
import type { Batch, DocumentRecord } from '../../model/record.ts';
import { excerpt } from './text.ts';

/** The announcement in a document: its words, and the day that they give. */
export interface Announced {
  readonly written: string;
  /** null: the words are not the usual ones. */
  readonly day: string | null;
}

/** The code under which data/reference/releases.csv lists the meetings that documents announce. */
const RELEASE_CODE = 'next_meeting';

/** The entry, or a refused record if the words give no day after that of the document. */
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
        // A document gives a meeting no identifier, so its day identifies it.
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
