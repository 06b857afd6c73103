// Reserve Bank of Australia: minutes of the Board's meetings, as the Bank's pages or as JSON of a collection, and its decisions, as media releases. Date fields
// are wrong in both (`0104-20-14`; pages of minutes state the meeting's day, one of another year or none): files are named after the meeting,
// DDMMYYYY until 2014 and YYYY-MM-DD since, and the page's second line repeats that day. A decision has its day next to its number.
import { addDays, isDay } from '../../model/period.ts';
import { rbaDocumentsFeed } from './documents-feed.ts';
import { rbaLinkOf } from './documents-feed.ts';
import { type CentralBankPage, dayOfText, linesBetween, plainText, readCentralBankPage } from '../readers/central-bank-page.ts';
import { readHtmlPage, requireLinks } from '../readers/html.ts';
import { excerpt } from '../readers/text.ts';
import type { Batch, DocumentRecord } from '../../model/record.ts';
import { knownOn, type Payload, type Source } from '../source.ts';
import { UpstreamError } from '../upstream-error.ts';

const ID = 'rba_documents';
const RBA = 'https://www.rba.gov.au';
const FILE =
  /(?:^|\/)central-bank-text\/rba\/minutes\/(?:html\/)?(?:(\d{2})(\d{2})(\d{4})|(\d{4})-(\d{2})-(\d{2}))\.(?:json|(?<=\/html\/[\d-]+\.)html)$/;
const RELEASE = /(?:^|\/)central-bank-text\/rba\/decisions\/html\/(mr-(\d{2})-\d{2})\.html$/;
/** The Bank's list of a year, which has only links. */
const LIST = /(?:^|\/)central-bank-text\/rba\/(minutes|decisions)\/html\/index-(\d{4})\.html$/;
// Minutes appear two weeks after the meeting; the page does not state the hour.
const DAYS_UNTIL_MINUTES = 14;

export const rbaDocuments: Source = {
  id: ID,
  version: 1,
  owns: (path) => FILE.test(path) || RELEASE.test(path) || LIST.test(path),
  address: (path) => {
    const [, folder, listed] = LIST.exec(path) ?? [];
    if (listed !== undefined)
      return `${RBA}/monetary-policy/${folder === 'minutes' ? 'rba-board-minutes' : 'int-rate-decisions'}/${listed}/`;
    const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.\w+$/, '');
    const [, , short] = RELEASE.exec(path) ?? [];
    if (short !== undefined) return `${RBA}/media-releases/20${short}/${name}.html`;
    return `${RBA}/monetary-policy/rba-board-minutes/${meetingDay(path).slice(0, 4)}/${name}.html`;
  },
  mediaType: 'application/json',
  feed: rbaDocumentsFeed,
  normalise: function* (payload): Generator<Batch> {
    const [, folder, year] = LIST.exec(payload.key) ?? [];
    if (folder === undefined) {
      yield { kind: 'documents', rows: [RELEASE.test(payload.key) ? readDecision(payload) : readMinutes(payload)] };
      return;
    }
    const link = rbaLinkOf(folder);
    // The first meeting of a year is in February.
    if (link !== undefined && payload.retrievedAt >= `${year}-04`) requireLinks(ID, payload.body, link);
  },
};

function meetingDay(key: string): string {
  const [, date, month, year, isoYear = year, isoMonth = month, isoDate = date] = FILE.exec(key) ?? [];
  return `${isoYear}-${isoMonth}-${isoDate}`;
}

/** A page from the Bank begins with its title. */
function wirePage(body: Uint8Array): CentralBankPage {
  const page = readHtmlPage(ID, body, '#content');
  const text = plainText(page.text);
  return { ...page, title: text.split('\n')[0] ?? '', language: page.language.split('-')[0] ?? '', text };
}

function readMinutes({ key, body, retrievedAt }: Payload): DocumentRecord {
  const day = meetingDay(key);
  if (!isDay(day)) throw new UpstreamError(ID, `${key} does not name the day of the meeting, DDMMYYYY or YYYY-MM-DD`);
  const page = key.endsWith('.html') ? wirePage(body) : readCentralBankPage(ID, body, { bank: 'rba', type: 'minutes' });
  const [, heading = '', ...rest] = page.text.split('\n');
  const [place, written = ''] = heading.split(/ [–-] /);
  // A meeting of two days is named after its last day.
  const lastDay = /\d{1,2} [A-Z][a-z]+ \d{4}$/.exec(written)?.[0] ?? '';
  if (dayOfText(lastDay) !== day) throw new UpstreamError(ID, `expected minutes of the meeting of ${day}, found ${excerpt(heading)}`);
  const observedAt = knownOn(addDays(day, DAYS_UNTIL_MINUTES), retrievedAt);
  return {
    documentId: `doc_rba_minutes_${day.replaceAll('-', '')}`,
    entityId: 'cb_rba',
    documentType: 'minutes',
    title: `${page.title}, ${place}, ${written}`,
    text:
      rest
        .join('\n')
        .split(/\nRelated Information(?:\n|$)/)[0]
        ?.trim() ?? '',
    url: page.url,
    language: page.language,
    eventDate: day,
    releasedAt: observedAt,
    observedAt,
  };
}

function readDecision({ body, key, retrievedAt }: Payload): DocumentRecord {
  const page = readHtmlPage(ID, body, '#content');
  const lines = page.text.split('\n').map((line) => line.trim());
  const day = dayOfText(lines[lines.indexOf('Date') + 1] ?? '');
  const [, name = '', year] = RELEASE.exec(key) ?? [];
  if (day?.slice(2, 4) !== year || day === null)
    throw new UpstreamError(ID, `expected a release of 20${year}, found ${excerpt(page.text)}`);
  const title = plainText(lines.slice(lines[0] === 'Media Release' ? 1 : 0, lines.indexOf('Number')).join(' '));
  const text = plainText(
    linesBetween(ID, page.text, /^Date$/, /^(?:More on the .* monetary policy decision\b|Enquiries$)/)
      .split('\n')
      .slice(2)
      .join('\n'),
  );
  // The same list links to other releases of the Board.
  const documentType = /\bMonetary Policy Decision\b/i.test(title) && /\bcash rate\b/.test(text) ? 'policy_statement' : 'other';
  // A day may have several of those.
  const named = documentType === 'other' ? `${day}_${name}` : day;
  const observedAt = knownOn(day, retrievedAt);
  return {
    documentId: `doc_rba_${documentType}_${named.replaceAll('-', '')}`,
    entityId: 'cb_rba',
    documentType,
    title,
    text,
    url: page.url,
    language: page.language.split('-')[0] ?? '',
    eventDate: day,
    releasedAt: observedAt,
    observedAt,
  };
}
