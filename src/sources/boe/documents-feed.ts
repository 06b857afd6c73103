// Bank of England: one list of summaries and minutes.
import { type Publication, WORKING_DAYS } from '../feeds/due.ts';
import { isDueFor, isThere } from '../feeds/documents.ts';
import type { Answer, Feed, Request } from '../feeds/feed.ts';
import { linksOf } from '../readers/html.ts';

const BOE = 'https://www.bankofengland.co.uk';
const BOE_FOLDER = '/monetary-policy-summary-and-minutes';
const BOE_LIST: Request = {
  key: 'central-bank-text/boe/minutes/html/index.html',
  url: `${BOE}${BOE_FOLDER}${BOE_FOLDER}`,
  mayShrink: true,
};
const AT_NOON: Publication = { time: '12:00', zone: 'Europe/London', weekdays: WORKING_DAYS };
const MONTHS = 'january february march april may june july august september october november december'.split(' ');
export const BOE_LINK = new RegExp(`${BOE_FOLDER}/(\\d{4})/(${MONTHS.join('|')})-\\1(?=["#?])`, 'g');

export const boeDocumentsFeed: Feed = {
  publisher: 'boe',
  isDue: (now, held) => isDueFor(now, held, BOE_LIST.key, AT_NOON),
  *plan(_now, held) {
    const answer: Answer = yield BOE_LIST;
    if (!isThere(answer)) return;
    const pages = linksOf(answer.body, BOE_LINK).map(([path, year = '', month = '']) => {
      const number = String(MONTHS.indexOf(month) + 1).padStart(2, '0');
      return { path, day: `${year}${number}01` };
    });
    for (const { path, day } of pages.toSorted((one, other) => other.day.localeCompare(one.day))) {
      const key = `central-bank-text/boe/minutes/html/${day}.html`;
      if (held.newest(key) !== null || held.newest(`central-bank-text/boe/minutes/${day}.json`) !== null) continue;
      const page: Answer = yield { key, url: `${BOE}${path}`, group: key };
      // The page of a future meeting exists for months before it.
      if (isThere(page) && saysWhen(page.body)) yield { giveUp: `${key} is to come`, isNotOutYet: true };
    }
  },
};

const saysWhen = (body: Uint8Array): boolean =>
  /Monetary Policy Committee meeting will be published on \d/.test(new TextDecoder().decode(body).replace(/\s+/g, ' '));
