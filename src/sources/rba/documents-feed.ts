// Reserve Bank of Australia: a list a year for decisions and minutes.
import { WORKING_DAYS } from '../feeds/due.ts';
import { isClosed, isDueFor, isThere, isWanted, yearOf } from '../feeds/documents.ts';
import type { Answer, Feed } from '../feeds/feed.ts';
import { linksOf } from '../readers/html.ts';

const RBA = 'https://www.rba.gov.au';
const RBA_LISTS = [
  {
    folder: 'decisions',
    path: '/monetary-policy/int-rate-decisions',
    since: 2015,
    link: /\/media-releases\/\d{4}\/(mr-\d{2}-\d{2})\.html/g,
    at: { time: '14:30', zone: 'Australia/Sydney', weekdays: WORKING_DAYS },
  },
  {
    folder: 'minutes',
    path: '/monetary-policy/rba-board-minutes',
    since: 2006,
    link: /\/monetary-policy\/rba-board-minutes\/\d{4}\/(\d{4}-\d{2}-\d{2}|\d{8})\.html/g,
    at: { time: '11:30', zone: 'Australia/Sydney', weekdays: WORKING_DAYS },
  },
] as const;
export const rbaLinkOf = (folder: string): RegExp | undefined => RBA_LISTS.find((list) => list.folder === folder)?.link;

const rbaKey = (folder: string, name: string): string => `central-bank-text/rba/${folder}/html/${name}.html`;

export const rbaDocumentsFeed: Feed = {
  publisher: 'rba',
  isDue: (now, held) => RBA_LISTS.some(({ folder, at }) => isDueFor(now, held, rbaKey(folder, `index-${yearOf(now)}`), at)),
  *plan(now, held) {
    for (const { folder, path, since, link } of RBA_LISTS) {
      for (let year = yearOf(now); year >= since; year -= 1) {
        const key = rbaKey(folder, `index-${year}`);
        if (isClosed(now, held, key, year)) continue;
        const answer: Answer = yield { key, url: `${RBA}${path}/${year}/`, mayShrink: true, dueBy: `${year}-03-31` };
        if (!isThere(answer)) continue;
        for (const [place, name = ''] of linksOf(answer.body, link)) {
          const page = rbaKey(folder, name);
          if (isWanted(now, held, page, `central-bank-text/rba/minutes/${name}.json`)) yield { key: page, url: `${RBA}${place}` };
        }
      }
    }
  },
};
