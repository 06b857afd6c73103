// Federal Reserve: FOMC statements and minutes, from the Board's pages as JSON (statements since 2011), earlier ones as plain text.
import { z } from 'zod';
import { addDays, isDay } from '../../model/period.ts';
import { instantAt } from '../local-time.ts';
import { fedStatementsFeed } from './statements-feed.ts';
import { type Announced, announcedMeeting } from '../readers/announced-meeting.ts';
import { dayOfAmericanText, tagIn } from '../readers/central-bank-page.ts';
import { readHtmlPage } from '../readers/html.ts';
import { readJson } from '../readers/json.ts';
import { decodeText, excerpt, refuseMarkup } from '../readers/text.ts';
import type { Batch, DocumentRecord } from '../../model/record.ts';
import { knownOn, type Payload, type Source } from '../source.ts';
import { UpstreamError } from '../upstream-error.ts';

const ID = 'fed_statements';
const FILE =
  /(?:^|\/)central-bank-text\/fed\/(statements|minutes|statements_1994_2016_txt)\/(?:html\/)?(\d{4})(\d{2})(\d{2})\.(?:json|txt|(?<=\/html\/\d{8}\.)html)$/;
/** The Board's list of meetings, which has only links. */
const LIST = /(?:^|\/)central-bank-text\/fed\/fomccalendars\.html$/;
const NEW_YORK = 'America/New_York';

export const fedStatements: Source = {
  id: ID,
  version: 2,
  owns: (path) => {
    const file = FILE.exec(path);
    if (LIST.test(path)) return true;
    // From 2011 on the same statements come with address and time of release.
    return file !== null && !(file[1] === 'statements_1994_2016_txt' && Number(file[2]) >= 2011);
  },
  address: (path) => {
    if (LIST.test(path)) return 'https://www.federalreserve.gov/monetarypolicy/fomccalendars.htm';
    const { folder, day } = fileOf(path);
    const date = day.replaceAll('-', '');
    if (folder === 'minutes') return `https://www.federalreserve.gov/monetarypolicy/fomcminutes${date}.htm`;
    return folder === 'statements' ? `https://www.federalreserve.gov/newsevents/pressreleases/monetary${date}a.htm` : null;
  },
  mediaType: 'application/json',
  feed: fedStatementsFeed,
  normalise: function* (payload): Generator<Batch> {
    if (LIST.test(payload.key)) return;
    const { folder } = fileOf(payload.key);
    const read = folder === 'minutes' ? readMinutes : folder === 'statements' ? readStatement : readText;
    const document = read(payload);
    yield { kind: 'documents', rows: [document] };
    const next = document.documentType === 'minutes' ? nextMeeting(document.text) : null;
    if (next !== null) yield announcedMeeting(document, next, NEW_YORK);
  },
};

function fileOf(path: string): { readonly folder: string; readonly day: string } {
  const [, folder = '', year, month, date] = FILE.exec(path) ?? [];
  const day = `${year}-${month}-${date}`;
  if (!isDay(day)) throw new UpstreamError(ID, `${path} does not name the day of the meeting, YYYYMMDD`);
  return { folder, day };
}

const Page = z.looseObject({
  bank_id: z.literal('fed'),
  doc_type: z.enum(['statement', 'minutes']),
  meeting_date: z.string().refine(isDay, 'expected a day'),
  title: z.string(),
  source_url: z.url(),
  language: z.string(),
  text: z.string().min(1),
});

function readPage({ key, body }: Payload, type: 'statement' | 'minutes'): { readonly page: z.infer<typeof Page>; readonly text: string } {
  const page = key.endsWith('.html') ? wirePage(key, body, type) : readJson(ID, body, Page);
  const { day } = fileOf(key);
  if (page.doc_type !== type) throw new UpstreamError(ID, `expected a page of type ${type}, found ${page.doc_type}`);
  if (page.meeting_date !== day) throw new UpstreamError(ID, `expected the meeting of ${day}, found ${page.meeting_date}`);
  return { page, text: plainText(page.text) };
}

/** The Board's page in the form of the collection. */
function wirePage(key: string, body: Uint8Array, type: 'statement' | 'minutes'): z.infer<typeof Page> {
  const { title, url, language, text } = readHtmlPage(ID, body, '#content');
  return { bank_id: 'fed', doc_type: type, meeting_date: fileOf(key).day, title, source_url: url, language, text };
}

// --- Statements

function readStatement(payload: Payload): DocumentRecord {
  const { page, text } = readPage(payload, 'statement');
  const [heading, rest] = splitAt(text, '\nShare\n');
  const content = splitAt(rest, '\nLast Update:')[0].trim();
  const day = page.meeting_date;
  if (!heading.includes(writtenDay(day)))
    throw new UpstreamError(ID, `expected a release of ${writtenDay(day)}, found ${excerpt(heading.slice(-120))}`);
  return statement(payload, day, {
    title: page.title.replace(/^Federal Reserve Board - /, ''),
    text: content,
    url: page.source_url,
    language: page.language,
    time: statedTime(heading) ?? (TWO_O_CLOCK.from <= day && day <= TWO_O_CLOCK.to ? '14:00' : null),
  });
}

// Scheduled statements of these days appeared at 14:00 without stating it; since 2016 each page states its hour.
const TWO_O_CLOCK = { from: '2013-03-20', to: '2015-12-31' };

/** "For release at 2:00 p.m. EST": New York time, even if the page has the wrong one of EST and EDT. */
function statedTime(heading: string): string | null {
  const [, hour, minute, half] = /^For release at (\d{1,2}):(\d{2}) (a|p)\.m\. E[SD]T$/m.exec(heading) ?? [];
  if (hour === undefined) return null;
  return `${String((Number(hour) % 12) + (half === 'p' ? 12 : 0)).padStart(2, '0')}:${minute}`;
}

// Wrong days in the collection of texts, by the Board's own calendar.
const MEETING_DAYS: Readonly<Record<string, string>> = { '2007-06-18': '2007-06-28' };

function readText(payload: Payload): DocumentRecord {
  const raw = decodeText(ID, payload.body);
  refuseMarkup(ID, raw, 'plain text');
  // Lines are wrapped by hand; a blank line or a bullet starts a paragraph.
  const text = plainText(raw)
    .split(/\n\s*\n|\n(?=\s*\* )/)
    .map((paragraph) => paragraph.replace(/\s+/g, ' ').trim())
    .filter((paragraph) => paragraph !== '')
    .join('\n');
  const { day } = fileOf(payload.key);
  return statement(payload, MEETING_DAYS[day] ?? day, { title: 'FOMC statement', text, url: null, language: 'en', time: null });
}

interface Release {
  readonly title: string;
  readonly text: string;
  readonly url: string | null;
  readonly language: string;
  /** In New York time; null if no hour is certain (14:15 as a rule before 2013-03, 12:30 before press conferences). */
  readonly time: string | null;
}

function statement({ retrievedAt }: Payload, day: string, { title, text, url, language, time }: Release): DocumentRecord {
  const documentType = isPolicyStatement(text, day) ? 'policy_statement' : 'other';
  const observedAt = time === null ? knownOn(day, retrievedAt) : instantAt(day, time, NEW_YORK);
  return {
    documentId: documentId(documentType, day),
    entityId: 'cb_fed',
    documentType,
    title: documentType === 'other' && url === null ? 'Federal Reserve press release' : title,
    text,
    url,
    language,
    eventDate: day,
    releasedAt: observedAt,
    observedAt,
  };
}

/**
 * A policy statement has the votes, as all have since 2002-03-19; an earlier one names the decided rate or reserves.
 * Other texts on the same pages (swap lines, facilities, strategy, implementation) are other releases.
 */
function isPolicyStatement(text: string, day: string): boolean {
  if (/\bVoting (?:\([^()]*\) )?(?:for|in favor of)\b/.test(text)) return true;
  return day < '2002-03-19' && /federal funds|reserve positions|reserve markets|discount rate|stance of monetary policy/.test(text);
}

const documentId = (type: DocumentRecord['documentType'], day: string): string => `doc_fed_${type}_${day.replaceAll('-', '')}`;

// --- Minutes: published three weeks after the last day of the meeting; the page's `published_date` repeats that day.

function readMinutes(payload: Payload): DocumentRecord {
  const { page, text } = readPage(payload, 'minutes');
  const day = page.meeting_date;
  const content = splitAt(splitAt(text, '\nMinutes of the Federal Open Market Committee\n')[1], '\nBack to Top\n')[0].trim();
  const heading = content.split('\n')[0] ?? '';
  const lastDay = writtenDay(day).replace(' 0', ' ');
  // For a few meetings only the first sentence has the days.
  const meeting = / was held /.test(heading) && heading.includes(`, ${lastDay},`) ? lastDay : heading;
  if (!meeting.endsWith(`${Number(day.slice(8))}, ${day.slice(0, 4)}`)) {
    throw new UpstreamError(ID, `expected minutes of a meeting that ended on ${writtenDay(day)}, found ${excerpt(meeting)}`);
  }
  const observedAt = instantAt(addDays(day, 21), '14:00', NEW_YORK);
  return {
    documentId: documentId('minutes', day),
    entityId: 'cb_fed',
    documentType: 'minutes',
    title: `Minutes of the Federal Open Market Committee, ${meeting}`,
    text: content,
    url: page.source_url,
    language: page.language,
    eventDate: day,
    releasedAt: observedAt,
    observedAt,
  };
}

/** "It was agreed that the next meeting of the Committee would be held on Tuesday–Wednesday, April 30–May 1, 2024.": announced on the last day. */
function nextMeeting(text: string): Announced | null {
  const [, written] = /the next meeting of the Committee would be held on ([^.]{0,200})\./.exec(text) ?? [];
  if (written === undefined) return null;
  const [, weekday, first = '', firstDate = '', last = first, lastDate = firstDate, year = ''] =
    /^(?:[A-Z][a-z]+[-‐‑–—])?([A-Z][a-z]+), ([A-Z][a-z]+) (\d{1,2})(?:[-‐‑–—](?:([A-Z][a-z]+) )?(\d{1,2}))?, (\d{4})$/.exec(written) ?? [];
  const day = dayOfAmericanText(`${last} ${lastDate}, ${year}`);
  return { written, day: day !== null && weekdayName(day) === weekday ? day : null };
}

function weekdayName(day: string): string {
  return new Intl.DateTimeFormat('en-US', { weekday: 'long', timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`));
}

// --- Text

function splitAt(text: string, mark: string): readonly [string, string] {
  const at = text.indexOf(mark);
  if (at === -1) throw new UpstreamError(ID, `expected ${excerpt(mark)} in the page, found ${excerpt(text)}`);
  return [text.slice(0, at), text.slice(at + mark.length)];
}

/** `June 05, 2023` and `June 5, 2023` both occur; this is the first, more usual form. */
function writtenDay(day: string): string {
  const month = new Intl.DateTimeFormat('en-US', { month: 'long', timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`));
  return `${month} ${day.slice(8)}, ${day.slice(0, 4)}`;
}

/** Composed Unicode with ordinary blanks; UTF-8 that was decoded as Latin-1 in places (`â\x80\x93`) is decoded again. */
function plainText(text: string): string {
  const plain = text
    .replace(/[\u00c2-\u00df][\u0080-\u00bf]|[\u00e0-\u00ef][\u0080-\u00bf]{2}|[\u00f0-\u00f4][\u0080-\u00bf]{3}/g, (bytes) =>
      new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0))),
    )
    .normalize('NFC')
    .replace(/\u00a0/g, ' ')
    .replace(/\r\n/g, '\n');
  const tag = tagIn(plain);
  if (tag !== null) throw new UpstreamError(ID, `expected text, found the tag ${excerpt(tag)}`);
  return plain;
}
