// Documents of central banks: their own lists name the documents, and each is requested once. A document that leaves a list still exists.
import { isKeyDue, isMissingDue, type Publication } from './due.ts';
import type { Answer, Held } from './feed.ts';

export const isDueFor = (now: string, held: Held, key: string, publication: Publication): boolean =>
  isKeyDue(now, held, key, { everyHours: 24, publication });

/** A listed document that is missing may come within the day. */
const HOURS_BETWEEN_RETRIES = 1;

/** @param others further keys under which a folder may have the document */
export const isWanted = (now: string, held: Held, key: string, ...others: readonly string[]): boolean =>
  isMissingDue(now, held, key, HOURS_BETWEEN_RETRIES) && others.every((other) => held.newest(other) === null);

/** The list of a year is closed a month after it. */
export function isClosed(now: string, held: Held, key: string, year: number): boolean {
  const [thisYear, month] = [Number(now.slice(0, 4)), now.slice(5, 7)];
  const isOpen = year === thisYear || (year === thisYear - 1 && month === '01');
  const newest = held.newest(key);
  return newest !== null && !isOpen && newest.checkedAt.slice(0, 4) > String(year);
}

export const yearOf = (now: string): number => Number(now.slice(0, 4));

export const isThere = (answer: Answer): answer is Extract<Answer, { readonly body: Uint8Array }> =>
  answer.kind === 'new' || answer.kind === 'same';
