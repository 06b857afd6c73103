// European Central Bank: monetary policy decisions, the statements read at press conferences, and the accounts of meetings, from the
// ECB's pages, as HTML or as JSON of a collection.
import { isDay } from '../../model/period.ts';
import { ecbDocumentsFeed } from './documents-feed.ts';
import { instantAt } from '../local-time.ts';
import { type CentralBankPage, dayOfText, type PageKind, plainText, readCentralBankPage, splitAt } from '../readers/central-bank-page.ts';
import { readHtmlPage } from '../readers/html.ts';
import { excerpt } from '../readers/text.ts';
import type { Batch, DocumentRecord } from '../../model/record.ts';
import { knownOn, type Payload, type Source } from '../source.ts';
import { UpstreamError } from '../upstream-error.ts';

const ID = 'ecb_documents';
const FILE =
  /(?:^|\/)central-bank-text\/ecb\/(statements|decisions|accounts)\/(?:html\/)?(\d{4})(\d{2})(\d{2})\.(?:json|(?<=\/html\/\d{8}\.)html)$/;
/** The bank's list of a year, which has only links. */
const LIST = /(?:^|\/)central-bank-text\/ecb\/(?:statements|decisions|accounts)\/html\/index-\d{4}\.html$/;
const FRANKFURT = 'Europe/Berlin';
const FOOTER = /\n(?:Related topics|CONTACT)\n[^]*$/;

export const ecbDocuments: Source = {
  id: ID,
  version: 1,
  owns: (path) => FILE.test(path) || LIST.test(path),
  address: () => 'https://www.ecb.europa.eu/press/govcdec/mopo/html/index.en.html',
  mediaType: 'application/json',
  feed: ecbDocumentsFeed,
  normalise: function* (payload): Generator<Batch> {
    if (LIST.test(payload.key)) return;
    const [, folder] = FILE.exec(payload.key) ?? [];
    const read = folder === 'statements' ? readStatement : folder === 'decisions' ? readDecision : readAccount;
    yield { kind: 'documents', rows: [read(payload)] };
  },
};

/** The page from the ECB, or its form in the collection. */
function pageOf({ key, body }: Payload, kind: PageKind): CentralBankPage {
  if (!key.endsWith('.html')) return readCentralBankPage(ID, body, kind);
  const page = readHtmlPage(ID, body, 'main');
  return { ...page, text: plainText(page.text) };
}

/** The day in the file name, which the page must state itself: in its text, or in its address if the text has none. */
function publicationDay({ key }: Payload, { text, url }: CentralBankPage): string {
  const [, , year, month, date] = FILE.exec(key) ?? [];
  const day = `${year}-${month}-${date}`;
  if (!isDay(day)) throw new UpstreamError(ID, `${key} does not name a day, YYYYMMDD`);
  const dates = text.slice(0, 600).match(/\b\d{1,2} [A-Z][a-z]+ \d{4}\b/g) ?? [];
  // Accounts state since July 2021 when they are published.
  const isAddressed = /\/ecb\.mg(\d{6})[~.]/.exec(url)?.[1] === day.slice(2).replaceAll('-', '');
  if (!isAddressed && !dates.some((written) => dayOfText(written) === day)) {
    throw new UpstreamError(ID, `expected a page of ${day}, found ${excerpt(dates[0] ?? text)}`);
  }
  return day;
}

const record = (
  page: CentralBankPage,
  documentType: DocumentRecord['documentType'],
  {
    text,
    eventDate,
    observedAt,
    publishedOn,
  }: Pick<DocumentRecord, 'text' | 'eventDate' | 'observedAt'> & { readonly publishedOn: string },
): DocumentRecord => ({
  documentId: `doc_ecb_${documentType}_${publishedOn.replaceAll('-', '')}`,
  entityId: 'cb_ecb',
  documentType,
  title: page.title,
  text,
  url: page.url,
  language: page.language,
  eventDate,
  releasedAt: observedAt,
  observedAt,
});

/** The President's speech. The questions and answers after it are not a statement of the bank, and their transcript is corrected later. */
function readStatement(payload: Payload): DocumentRecord {
  const page = pageOf(payload, { bank: 'ecb', type: 'statement' });
  const day = publicationDay(payload, page);
  const [statement] = splitAt(ID, page.text, '\n* * *');
  const text = statement.split('\nJump to the transcript of the questions and answers\n').at(-1) ?? '';
  return record(page, 'policy_statement', { text, eventDate: day, observedAt: knownOn(day, payload.retrievedAt), publishedOn: day });
}

// A decision names the hour of the press conference, which gives its own: 45 minutes earlier until June 2022, 30 since.
const DECISION_BEFORE_CONFERENCE: Readonly<Record<string, string>> = { '14:30': '13:45', '14:45': '14:15' };

function readDecision(payload: Payload): DocumentRecord {
  const page = pageOf(payload, { bank: 'ecb', type: 'decision' });
  const day = publicationDay(payload, page);
  const [, conference = ''] = /press conference starting at (\d{2}:\d{2}) CET today/.exec(page.text) ?? [];
  const time = DECISION_BEFORE_CONFERENCE[conference];
  const observedAt = time === undefined ? knownOn(day, payload.retrievedAt) : instantAt(day, time, FRANKFURT);
  const text = page.text
    .replace(FOOTER, '')
    .split('\n')
    .filter((line, index) => index > 2 || !(/^(?:press release|monetary policy decisions)$/i.test(line) || dayOfText(line) !== null))
    .join('\n');
  return record(page, 'policy_decision', { text, eventDate: day, observedAt, publishedOn: day });
}

/** The title has the days of the meeting, `Meeting of 11-12 December 2024`; until 2019 the line below it does. */
function readAccount(payload: Payload): DocumentRecord {
  const page = pageOf(payload, { bank: 'ecb', type: 'account' });
  const day = publicationDay(payload, page);
  const heading = page.title === 'Account of the monetary policy meeting' ? (page.text.split('\n')[0] ?? '') : page.title;
  const [, lastDay = ''] = /(?:^|[ -–])(\d{1,2} [A-Z][a-z]+ \d{4})$/.exec(heading) ?? [];
  const eventDate = dayOfText(lastDay);
  if (eventDate === null || eventDate > day) {
    throw new UpstreamError(ID, `expected the days of a meeting before ${day} in the title, found ${excerpt(page.title)}`);
  }
  const text = page.text.replace(FOOTER, '');
  return record(page, 'minutes', { text, eventDate, observedAt: knownOn(day, payload.retrievedAt), publishedOn: day });
}
