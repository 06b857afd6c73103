// Bank of England: the Monetary Policy Summary and the minutes, which are on one page and appear together at noon of the day after the
// meeting's last day. Dates of files and fields are the first of the month; the page's own text has the day. The page comes from the Bank, or as JSON
// of a collection.
import { addDays } from '../../model/period.ts';
import { boeDocumentsFeed } from './documents-feed.ts';
import { BOE_LINK } from './documents-feed.ts';
import { instantAt } from '../local-time.ts';
import { type CentralBankPage, dayOfText, linesBetween, plainText, readCentralBankPage, splitAt } from '../readers/central-bank-page.ts';
import { readHtmlPage, requireLinks } from '../readers/html.ts';
import { excerpt } from '../readers/text.ts';
import type { Batch, DocumentRecord } from '../../model/record.ts';
import { knownOn, type Payload, type Source } from '../source.ts';
import { UpstreamError } from '../upstream-error.ts';

const ID = 'boe_documents';
const FILE = /(?:^|\/)central-bank-text\/boe\/minutes\/(?:html\/)?(\d{4})(\d{2})\d{2}\.(?:json|(?<=\/html\/\d{8}\.)html)$/;
/** The Bank's list of pages, which has only links. */
const LIST = /(?:^|\/)central-bank-text\/boe\/minutes\/html\/index\.html$/;
const PAGES = 'https://www.bankofengland.co.uk/monetary-policy-summary-and-minutes';
const MINUTES = '\nMinutes of the Monetary Policy Committee meeting ending on ';

export const boeDocuments: Source = {
  id: ID,
  version: 1,
  owns: (path) => FILE.test(path) || LIST.test(path),
  address: (path) => {
    if (LIST.test(path)) return `${PAGES}/monetary-policy-summary-and-minutes`;
    const [, year = '', month = ''] = FILE.exec(path) ?? [];
    return `${PAGES}/${year}/${monthName(Number(month))}-${year}`;
  },
  mediaType: 'application/json',
  feed: boeDocumentsFeed,
  normalise: function* (payload): Generator<Batch> {
    if (LIST.test(payload.key)) {
      requireLinks(ID, payload.body, BOE_LINK);
      return;
    }
    yield { kind: 'documents', rows: readPage(payload) };
  },
};

const monthName = (month: number): string =>
  new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' }).format(new Date(Date.UTC(2000, month - 1))).toLowerCase();

/** The Bank's page has a frame around the text that the collection has. */
function pageOf({ key, body }: Payload): CentralBankPage {
  if (!key.endsWith('.html')) return readCentralBankPage(ID, body, { bank: 'boe', type: 'minutes' });
  const page = readHtmlPage(ID, body, 'main');
  const text = linesBetween(ID, page.text, /^Monetary Policy Summary, [A-Z][a-z]+ \d{4}$/, /^The Bank of England Act 1998 gives /);
  return { ...page, title: page.title.replace(/ \| Bank of England$/, ''), text: plainText(text) };
}

function readPage(payload: Payload): readonly DocumentRecord[] {
  const { key, retrievedAt } = payload;
  const page = pageOf(payload);
  const [summary, rest] = splitAt(ID, page.text, MINUTES);
  const [heading = '', ...paragraphs] = rest.split('\n');
  const meeting = dayOfText(heading);
  if (meeting === null) throw new UpstreamError(ID, `expected the last day of the meeting, found ${excerpt(heading)}`);
  const released = addDays(meeting, 1);
  const [, year, month] = FILE.exec(key) ?? [];
  if (!released.startsWith(`${year}-${month}`)) throw new UpstreamError(ID, `expected a page of ${year}-${month}, found ${released}`);
  const releasedAt = instantAt(released, '12:00', 'Europe/London');
  const correctedAt = lastCorrection(page.text, retrievedAt);
  const observedAt = correctedAt !== null && correctedAt > releasedAt ? correctedAt : releasedAt;
  const record = (documentType: 'policy_statement' | 'minutes', title: string, text: string): DocumentRecord => ({
    documentId: `doc_boe_${documentType}_${released.replaceAll('-', '')}`,
    entityId: 'cb_boe',
    documentType,
    title,
    text,
    url: page.url,
    language: page.language,
    eventDate: meeting,
    releasedAt,
    observedAt,
  });
  return [
    record('policy_statement', page.title, summary),
    record('minutes', `Minutes of the Monetary Policy Committee meeting ending on ${heading}`, withoutCorrections(paragraphs)),
  ];
}

/** A corrected page is known in its present wording from the correction. */
function lastCorrection(text: string, retrievedAt: string): string | null {
  const days = [...text.matchAll(/^Correction made on (\d{1,2} [A-Z][a-z]+ \d{4})\./gm)].map(([, written = '']) => dayOfText(written));
  const last = days
    .filter((day) => day !== null)
    .sort()
    .at(-1);
  return last === undefined ? null : knownOn(last, retrievedAt);
}

/** Footnotes on corrections quote the removed text. */
function withoutCorrections(paragraphs: readonly string[]): string {
  return paragraphs.filter((line) => !/^(?:Correction made on |Close$|Monetary Policy Committee voting history$)/.test(line)).join('\n');
}
