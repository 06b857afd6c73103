// Bank of Canada: press releases on the policy interest rate in one CSV. They are dated by day alone, and each names the day of the next one.
import { announcedMeeting } from './readers/announced-meeting.ts';
import { readCommunications } from './readers/communications.ts';
import { dayOfAmericanText, plainText } from './readers/central-bank-page.ts';
import type { Batch, DocumentRecord } from '../model/record.ts';
import { knownOn, type Source } from './source.ts';

const ID = 'boc_documents';

export const bocDocuments: Source = {
  id: ID,
  version: 2,
  owns: (path) => /(?:^|\/)central-bank-text\/communications_boc\.csv$/.test(path),
  address: () => 'https://www.bankofcanada.ca/core-functions/monetary-policy/key-interest-rate/',
  mediaType: 'text/csv',
  normalise: function* ({ body, retrievedAt }): Generator<Batch> {
    const rows = readCommunications(ID, body, ['statement']).map(({ date, releaseDate, text }): DocumentRecord => {
      const observedAt = knownOn(releaseDate ?? date, retrievedAt);
      return {
        documentId: `doc_boc_policy_statement_${date.replaceAll('-', '')}`,
        entityId: 'cb_boc',
        documentType: 'policy_statement',
        title: 'Bank of Canada policy interest rate announcement',
        text: plainText(text),
        url: null,
        language: 'en',
        eventDate: date,
        releasedAt: observedAt,
        observedAt,
      };
    });
    yield { kind: 'documents', rows };
    for (const row of rows) {
      const [, written] = /The next scheduled date for announcing the overnight rate target is ([^.]*)\./.exec(row.text) ?? [];
      if (written !== undefined) yield announcedMeeting(row, { written, day: dayOfAmericanText(written) }, 'America/Toronto');
    }
  },
};
