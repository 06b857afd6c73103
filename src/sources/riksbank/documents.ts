// Sveriges Riksbank: policy decisions and minutes in one CSV of texts from PDF pages. `Date` is the day of publication; `Release Date`
// is empty. Decisions state their hour of publication; minutes do not. The Bank's own lists lead only to PDF: each listed one is reported as
// not read.
import { isDay } from '../../model/period.ts';
import { riksbankDocumentsFeed } from './documents-feed.ts';
import { instantAt } from '../local-time.ts';
import { dayOfText } from '../readers/central-bank-page.ts';
import { readCommunications, type Communication } from '../readers/communications.ts';
import { requireLinks } from '../readers/html.ts';
import { excerpt } from '../readers/text.ts';
import type { Batch, DocumentRecord, RefusedRecord } from '../../model/record.ts';
import { knownOn, type Payload, type Source } from '../source.ts';
import { UpstreamError } from '../upstream-error.ts';

const ID = 'riksbank_documents';
const TABLE = /(?:^|\/)central-bank-text\/communications_riksbank\.csv$/;
const LIST = /(?:^|\/)central-bank-text\/riksbank\/(decisions|minutes)\/html\/index\.html$/;
const REPORT = 'https://www.riksbank.se/en-gb/monetary-policy/monetary-policy-report';
const PLACES: Readonly<Record<string, string>> = {
  decisions: `${REPORT}/monetary-policy-decision-documents/`,
  minutes: `${REPORT}/minutes-of-the-executive-boards-monetary-policy-meetings/`,
};
/** A link to a PDF, and the day at the start of its text: `19/03/2026`. */
const PDF = /<a\b[^<>]*\bhref="([^"<>]+\.pdf)"[^<>]*>(?:\s|<[^<>]*>)*(?:(\d{2})\/(\d{2})\/(\d{4}))?/gi;

export const riksbankDocuments: Source = {
  id: ID,
  version: 1,
  owns: (path) => TABLE.test(path) || LIST.test(path),
  address: (path) => PLACES[LIST.exec(path)?.[1] ?? ''] ?? 'https://www.riksbank.se/en-gb/monetary-policy/',
  mediaType: 'text/csv',
  feed: riksbankDocumentsFeed,
  normalise: function* (payload): Generator<Batch> {
    const { body, retrievedAt } = payload;
    if (LIST.test(payload.key)) {
      yield { kind: 'refused', rows: unreadOf(payload) };
      return;
    }
    const rows = readCommunications(ID, body, ['statement', 'minutes']).map((row) =>
      row.type === 'minutes' ? minutes(row, retrievedAt) : statement(row, retrievedAt),
    );
    yield { kind: 'documents', rows };
  },
};

/** A PDF has no text without its layout: it is reported with its day and its address, and not read. */
function unreadOf({ key, body }: Payload): readonly RefusedRecord[] {
  const [, folder = ''] = LIST.exec(key) ?? [];
  const place = new URL(PLACES[folder] ?? REPORT);
  return requireLinks(ID, body, PDF).map(([, href = '', date, month, year]) => {
    const day = date === undefined ? null : `${year}-${month}-${date}`;
    const url = URL.canParse(href, place.href) ? new URL(href, place.href).href : href;
    return {
      rule: 'schema_drift',
      seriesCode: null,
      entityId: 'cb_riksbank',
      period: day !== null && isDay(day) ? day : null,
      fieldPath: folder,
      observedValue: url,
      reason: `the document stands there as PDF alone, which is not read: ${url}`,
    };
  });
}

const PLACE = /(?:Postal address: SE-103 37 Stockholm, Visiting address: Brunkebergstorg 11|Telephone: \+46[^\n]{0,300}riksbank\.se)/g;

/** Line ends are those of the PDF page, so the text becomes one paragraph. */
function flow(text: string): string {
  return text
    .normalize('NFC')
    .replace(PLACE, ' ')
    .replace(/^[^\S\n]*\d+ (?:\(\d+\)|\[\d+\])[^\S\n]*$/gm, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

function statement({ line, date, text }: Communication, retrievedAt: string): DocumentRecord {
  const whole = flow(text);
  const meeting = meetingDay(whole, date, line);
  const time = publicationTime(whole, date);
  const releasedAt = time === null ? knownOn(date, retrievedAt) : instantAt(date, time, 'Europe/Stockholm');
  // A corrected text was not known before the correction.
  const [, corrected = ''] = /\bOn (\d{1,2} [A-Z][a-z]+ \d{4}), an? (?:\w+ )?error was corrected/.exec(whole) ?? [];
  const correctedOn = dayOfText(corrected);
  const observedAt = correctedOn === null ? releasedAt : later(releasedAt, knownOn(correctedOn, retrievedAt));
  return {
    ...common('policy_statement', date),
    title: `Policy rate decision of ${written(meeting)}`,
    text: whole,
    eventDate: meeting,
    releasedAt,
    observedAt,
  };
}

function minutes({ line, date, text }: Communication, retrievedAt: string): DocumentRecord {
  const whole = flow(text);
  const meeting = meetingDay(whole, date, line);
  const observedAt = knownOn(date, retrievedAt);
  return {
    ...common('minutes', date),
    title: `Minutes of the monetary policy meeting of ${written(meeting)}`,
    text: whole,
    eventDate: meeting,
    releasedAt: observedAt,
    observedAt,
  };
}

const common = (documentType: 'policy_statement' | 'minutes', date: string) => ({
  documentId: `doc_riksbank_${documentType}_${date.replaceAll('-', '')}`,
  entityId: 'cb_riksbank',
  documentType,
  url: null,
  language: 'en',
});

/** The decision is made the day before its publication, and dated by that day. */
function meetingDay(text: string, published: string, line: number): string {
  const [, dated = ''] = /(?:\bDATE: ?|meeting on )(\d{1,2} [A-Z][a-z]+ \d{4})/.exec(text) ?? [];
  const day = dayOfText(dated);
  if (day === null || day > published) {
    throw new UpstreamError(
      ID,
      `expected a meeting dated not after ${published} on line ${line}, found ${excerpt(dated === '' ? text : dated)}`,
    );
  }
  return day;
}

/** `notified on 19 March 2026 at 9.30 am`, or `will be published at 09.30 on 9 February 2023`; null unless it is the day of publication. */
function publicationTime(text: string, date: string): string | null {
  const [, notifiedOn = '', at = ''] = /notified on (\d{1,2} [A-Z][a-z]+ \d{4}) at (\d{1,2}[.:]\d{2})(?! ?p\.?m)/i.exec(text) ?? [];
  const [, from = '', publishedOn = ''] =
    /This decision will be published at (\d{1,2}[.:]\d{2}) on (\d{1,2} [A-Z][a-z]+ \d{4})/.exec(text) ?? [];
  const [day, time] = notifiedOn === '' ? [publishedOn, from] : [notifiedOn, at];
  return dayOfText(day) === date ? time.replace('.', ':').padStart(5, '0') : null;
}

const later = (one: string, other: string): string => (one > other ? one : other);

function written(day: string): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`));
}
