// A page of a central bank as JSON: its text with its address and time on the bank's site. The text has one line per element of the page,
// which breaks sentences at links; days are read from the text itself, because the fields of some banks are wrong.
import { z } from 'zod';
import { isDay } from '../../model/period.ts';
import { UpstreamError } from '../upstream-error.ts';
import { readJson } from './json.ts';
import { excerpt } from './text.ts';

const Page = z.looseObject({
  bank_id: z.string(),
  doc_type: z.string(),
  title: z.string(),
  source_url: z.url(),
  language: z.string().min(1),
  text: z.string().min(1),
});

export interface CentralBankPage {
  readonly title: string;
  readonly url: string;
  readonly language: string;
  readonly text: string;
}

export interface PageKind {
  readonly bank: string;
  readonly type: string;
}

export function readCentralBankPage(sourceId: string, body: Uint8Array, kind: PageKind): CentralBankPage {
  const page = readJson(sourceId, body, Page);
  if (page.bank_id !== kind.bank) throw new UpstreamError(sourceId, `expected a page of ${kind.bank}, found one of ${page.bank_id}`);
  if (page.doc_type !== kind.type) throw new UpstreamError(sourceId, `expected a page of type ${kind.type}, found ${page.doc_type}`);
  const text = plainText(page.text);
  const tag = tagIn(text);
  if (tag !== null) throw new UpstreamError(sourceId, `expected text, found the tag ${excerpt(tag)}`);
  return { title: page.title.replace(/\s+/g, ' ').trim(), url: page.source_url, language: page.language, text };
}

/** The first tag of HTML or XML in a text; null if it has none. */
export function tagIn(text: string): string | null {
  return /<\/?[a-z][^<>]*>/i.exec(text)?.[0] ?? null;
}

/** Composed Unicode with ordinary blanks, one paragraph per line. */
export function plainText(text: string): string {
  return joinBroken(
    text
      .normalize('NFC')
      .replace(/\r\n/g, '\n')
      .replace(/[\u00a0\u202f]/g, ' ')
      .replace(/[\u00ad\u200b\ufeff]/g, '')
      // A line that begins with tabs continues the previous one: the page's source was wrapped there.
      .replace(/(?<! ) *\n\t+ */g, ' ')
      .split('\n')
      .map((line) => line.replace(/\s+/g, ' ').trim())
      .filter((line) => line !== ''),
  ).join('\n');
}

const UNFINISHED = /(?:[,(–]|\b(?:the|a|an|of|our|its|in|on|to|and|or|under|with|by|for|regarding))$/i;

/** A line that continues in lower case or with punctuation, or after an incomplete one, was one sentence before a link broke it. */
function joinBroken(lines: readonly string[]): string[] {
  const joined: string[][] = [];
  let before: string | undefined;
  for (const line of lines) {
    if (before !== undefined && (/^[a-z(]|^[,.;:)]/.test(line) || UNFINISHED.test(before)) && !/[.!?]$/.test(before)) {
      joined.at(-1)?.push(/^[,.;:)]/.test(line) ? line : ` ${line}`);
    } else {
      joined.push([line]);
    }
    before = line;
  }
  return joined.map((pieces) => pieces.join(''));
}

const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];

/** `7 March 2019` → `2019-03-07`; null for anything else. */
export function dayOfText(text: string): string | null {
  const [, date, month = '', year] = /^(\d{1,2}) ([A-Z][a-z]+) (\d{4})$/.exec(text.replace(/\s+/g, ' ').trim()) ?? [];
  if (date === undefined || !MONTHS.includes(month)) return null;
  const day = `${year}-${String(MONTHS.indexOf(month) + 1).padStart(2, '0')}-${date.padStart(2, '0')}`;
  return isDay(day) ? day : null;
}

/** `March 7, 2019` → `2019-03-07`; null for anything else. */
export function dayOfAmericanText(text: string): string | null {
  const [, month, date, year] = /^([A-Z][a-z]+) (\d{1,2}), (\d{4})$/.exec(text.replace(/\s+/g, ' ').trim()) ?? [];
  return dayOfText(`${date} ${month} ${year}`);
}

/** The text before and after the first place of a mark. */
export function splitAt(sourceId: string, text: string, mark: string): readonly [string, string] {
  const at = text.indexOf(mark);
  if (at === -1) throw new UpstreamError(sourceId, `expected ${excerpt(mark)} in the page, found ${excerpt(text)}`);
  return [text.slice(0, at).trim(), text.slice(at + mark.length).trim()];
}

/** The lines of a page from the first that matches the one pattern to the first after it that matches the other; throws if either is missing. */
export function linesBetween(sourceId: string, text: string, from: RegExp, until: RegExp): string {
  const lines = text.split('\n').map((line) => line.trim());
  const first = lines.findIndex((line) => from.test(line));
  const end = lines.findIndex((line, index) => index > first && until.test(line));
  if (first === -1 || end === -1)
    throw new UpstreamError(sourceId, `expected a part of the page from ${from} to ${until}, found ${excerpt(text)}`);
  return lines.slice(first, end).join('\n');
}
