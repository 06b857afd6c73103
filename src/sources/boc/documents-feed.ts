// Bank of Canada: one list of press releases.
import { type Publication, WORKING_DAYS } from '../feeds/due.ts';
import { isDueFor, isThere, isWanted } from '../feeds/documents.ts';
import type { Answer, Feed, Request } from '../feeds/feed.ts';
import { linksOf } from '../readers/html.ts';

const BOC = 'https://www.bankofcanada.ca';
const BOC_LIST: Request = { key: 'central-bank-text/boc/statements/html/index.html', url: `${BOC}/press/press-releases/`, mayShrink: true };
const AT_QUARTER_TO_TEN: Publication = { time: '09:45', zone: 'America/Toronto', weekdays: WORKING_DAYS };
export const BOC_LINK = /\/\d{4}\/\d{2}\/fad-press-release-(\d{4})-(\d{2})-(\d{2})\//g;

export const bocDocumentsFeed: Feed = {
  publisher: 'boc',
  isDue: (now, held) => isDueFor(now, held, BOC_LIST.key, AT_QUARTER_TO_TEN),
  *plan(now, held) {
    const answer: Answer = yield BOC_LIST;
    if (!isThere(answer)) return;
    for (const [path, year, month, day] of linksOf(answer.body, BOC_LINK)) {
      const key = `central-bank-text/boc/statements/html/${year}${month}${day}.html`;
      if (isWanted(now, held, key)) yield { key, url: `${BOC}${path}` };
    }
  },
};
