// Bank of Canada: press releases on the policy interest rate, as the Bank's pages or in one CSV of a collection. They have a day without an hour, and each names
// the day of the next one.
import { bocDocumentsFeed } from './documents-feed.ts';
import { BOC_LINK } from './documents-feed.ts';
import { announcedMeeting } from '../readers/announced-meeting.ts';
import { readCommunications } from '../readers/communications.ts';
import { dayOfAmericanText, linesBetween, plainText } from '../readers/central-bank-page.ts';
import { readHtmlPage, requireLinks } from '../readers/html.ts';
import type { Batch, DocumentRecord } from '../../model/record.ts';
import { isDay } from '../../model/period.ts';
import { knownOn, type Payload, type Source } from '../source.ts';
import { UpstreamError } from '../upstream-error.ts';

const ID = 'boc_documents';
const TABLE = /(?:^|\/)central-bank-text\/communications_boc\.csv$/;
const PAGE = /(?:^|\/)central-bank-text\/boc\/statements\/html\/(\d{4})(\d{2})(\d{2})\.html$/;
/** The Bank's list of press releases, which has only links. */
const LIST = /(?:^|\/)central-bank-text\/boc\/statements\/html\/index\.html$/;
const BOC = 'https://www.bankofcanada.ca';

export const bocDocuments: Source = {
  id: ID,
  version: 2,
  owns: (path) => TABLE.test(path) || PAGE.test(path) || LIST.test(path),
  address: (path) => {
    const [, year, month, date] = PAGE.exec(path) ?? [];
    if (year !== undefined) return `${BOC}/${year}/${month}/fad-press-release-${year}-${month}-${date}/`;
    return LIST.test(path) ? `${BOC}/press/press-releases/` : `${BOC}/core-functions/monetary-policy/key-interest-rate/`;
  },
  mediaType: 'text/csv',
  feed: bocDocumentsFeed,
  normalise: function* (payload): Generator<Batch> {
    if (LIST.test(payload.key)) {
      requireLinks(ID, payload.body, BOC_LINK);
      return;
    }
    const rows = PAGE.test(payload.key) ? [readPage(payload)] : readTable(payload);
    yield { kind: 'documents', rows };
    for (const row of rows) {
      const [, written] = /The next scheduled date for announcing the overnight rate target is ([^.]{0,200})\./.exec(row.text) ?? [];
      if (written !== undefined) yield announcedMeeting(row, { written, day: dayOfAmericanText(written) }, 'America/Toronto');
    }
  },
};

function readTable({ body, retrievedAt }: Payload): DocumentRecord[] {
  return readCommunications(ID, body, ['statement']).map(({ date, releaseDate, text }) =>
    record(date, { text: plainText(text), url: null, observedAt: knownOn(releaseDate ?? date, retrievedAt) }),
  );
}

/** The release without the frame of the page: from its first sentence to the one on the next date. */
function readPage({ key, body, retrievedAt }: Payload): DocumentRecord {
  const day = (PAGE.exec(key) ?? []).slice(1).join('-');
  if (!isDay(day)) throw new UpstreamError(ID, `${key} does not name a day, YYYYMMDD`);
  const page = readHtmlPage(ID, body, 'body', bocDocuments.address(key) ?? '');
  if (!(page.text.match(/\b[A-Z][a-z]+ \d{1,2}, \d{4}\b/g) ?? []).some((written) => dayOfAmericanText(written) === day))
    throw new UpstreamError(ID, `expected a release of ${day} at ${page.url}, whose page does not give that day`);
  const start = /^The Bank of Canada today .*\btarget for the overnight rate\b/;
  const next = /^The next scheduled date for announcing the overnight rate target is /;
  const text = linesBetween(ID, page.text, start, next);
  const end = page.text.split('\n').find((line) => next.test(line.trim())) ?? '';
  return record(day, { text: plainText(`${text}\n${end}`), url: page.url, observedAt: knownOn(day, retrievedAt) });
}

const record = (date: string, { text, url, observedAt }: Pick<DocumentRecord, 'text' | 'url' | 'observedAt'>): DocumentRecord => ({
  documentId: `doc_boc_policy_statement_${date.replaceAll('-', '')}`,
  entityId: 'cb_boc',
  documentType: 'policy_statement',
  title: 'Bank of Canada policy interest rate announcement',
  text,
  url,
  language: 'en',
  eventDate: date,
  releasedAt: observedAt,
  observedAt,
});
