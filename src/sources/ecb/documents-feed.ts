// European Central Bank: a list a year for decisions, statements and accounts.
import { type Publication, WORKING_DAYS } from '../feeds/due.ts';
import { isClosed, isDueFor, isThere, isWanted, yearOf } from '../feeds/documents.ts';
import type { Answer, Feed, Plan, Request } from '../feeds/feed.ts';
import { linksOf } from '../readers/html.ts';

const AT_QUARTER_PAST_TWO: Publication = { time: '14:15', zone: 'Europe/Berlin', weekdays: WORKING_DAYS };
const AT_HALF_PAST_ONE: Publication = { time: '13:30', zone: 'Europe/Berlin', weekdays: WORKING_DAYS };
const ECB = 'https://www.ecb.europa.eu';
const FIRST_YEAR = 2015;
const LISTS = [
  { folder: 'decisions', path: '/press/govcdec/mopo', link: /\/press\/pr\/date\/\d{4}\/html\/ecb\.mp(\d{6})~[0-9a-f]+\.en\.html/g },
  {
    folder: 'statements',
    path: '/press/press_conference/monetary-policy-statement',
    link: /\/press\/(?:press_conference\/monetary-policy-statement|pressconf)\/\d{4}\/html\/ecb\.is(\d{6})~[0-9a-f]+\.en\.html/g,
  },
  { folder: 'accounts', path: '/press/accounts', link: /\/press\/accounts\/\d{4}\/html\/ecb\.mg(\d{6})~[0-9a-f]+\.en\.html/g },
] as const;

const listOf = (folder: string, year: number): string => `central-bank-text/ecb/${folder}/html/index-${year}.html`;

export const ecbDocumentsFeed: Feed = {
  publisher: 'ecb',
  // Accounts appear an hour before decisions would, four weeks after them.
  isDue: (now, held) =>
    isDueFor(now, held, listOf('decisions', yearOf(now)), AT_QUARTER_PAST_TWO) ||
    isDueFor(now, held, listOf('accounts', yearOf(now)), AT_HALF_PAST_ONE),
  *plan(now, held) {
    for (const { folder, path, link } of LISTS) {
      for (let year = yearOf(now); year >= FIRST_YEAR; year -= 1) {
        const key = listOf(folder, year);
        if (isClosed(now, held, key, year)) continue;
        yield* documentsOf(
          { key, url: `${ECB}${path}/${year}/html/index_include.en.html`, mayShrink: true, dueBy: `${year}-02-28` },
          folder,
          link,
          (one, ...others) => isWanted(now, held, one, ...others),
        );
      }
    }
  },
};

function* documentsOf(list: Request, folder: string, link: RegExp, isAsked: (...keys: [string, string]) => boolean): Plan {
  const answer: Answer = yield list;
  if (!isThere(answer)) return;
  for (const [path, yymmdd = ''] of linksOf(answer.body, link)) {
    const key = `central-bank-text/ecb/${folder}/html/20${yymmdd}.html`;
    if (isAsked(key, `central-bank-text/ecb/${folder}/20${yymmdd}.json`)) yield { key, url: `${ECB}${path}` };
  }
}
