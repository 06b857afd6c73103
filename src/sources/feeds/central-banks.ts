// Documents of central banks: their own lists name what there is, and each is asked for once.
import { isDueAfter, type Publication, WORKING_DAYS } from './due.ts';
import { linksOf } from '../readers/html.ts';
import type { Answer, Feed, Plan, Request } from './feed.ts';

const AT_TWO: Publication = { time: '14:00', zone: 'America/New_York', weekdays: WORKING_DAYS };
const AT_QUARTER_PAST_TWO: Publication = { time: '14:15', zone: 'Europe/Berlin', weekdays: WORKING_DAYS };

// --- Federal Reserve

const FED = 'https://www.federalreserve.gov';
const MEETINGS: Request = {
  key: 'central-bank-text/fed/fomccalendars.html',
  url: `${FED}/monetarypolicy/fomccalendars.htm`,
  mayShrink: true,
};

export const fedFeed: Feed = {
  publisher: 'fed',
  isDue: (now, held) => isDueAfter(now, held.newest(MEETINGS.key), 24, AT_TWO),
  *plan(_now, held) {
    const answer: Answer = yield MEETINGS;
    if (answer.kind === 'absent' || answer.kind === 'failed') return;
    const days = linksOf(answer.body, /\/newsevents\/pressreleases\/monetary(\d{8})a\.htm/g).map(([, day = '']) => day);
    for (const day of days.toSorted()) {
      const keys = [`central-bank-text/fed/statements/html/${day}.html`, `central-bank-text/fed/statements/${day}.json`] as const;
      if (keys.every((key) => held.newest(key) === null))
        yield { key: keys[0], url: `${FED}/newsevents/pressreleases/monetary${day}a.htm` };
    }
  },
};

// --- European Central Bank

const ECB = 'https://www.ecb.europa.eu';
const FIRST_YEAR = 2015;
const LISTS = [
  { folder: 'decisions', path: '/press/govcdec/mopo', link: /\/press\/pr\/date\/\d{4}\/html\/ecb\.mp(\d{6})~[0-9a-f]+\.en\.html/g },
  {
    folder: 'statements',
    path: '/press/press_conference/monetary-policy-statement',
    link: /\/press\/(?:press_conference\/monetary-policy-statement|pressconf)\/\d{4}\/html\/ecb\.is(\d{6})~[0-9a-f]+\.en\.html/g,
  },
] as const;

const listOf = (folder: string, year: number): string => `central-bank-text/ecb/${folder}/html/index-${year}.html`;

export const ecbDocumentsFeed: Feed = {
  publisher: 'ecb',
  isDue: (now, held) => isDueAfter(now, held.newest(listOf('decisions', Number(now.slice(0, 4)))), 24, AT_QUARTER_PAST_TWO),
  *plan(now, held) {
    const thisYear = Number(now.slice(0, 4));
    for (const { folder, path, link } of LISTS) {
      for (let year = FIRST_YEAR; year <= thisYear; year += 1) {
        const key = listOf(folder, year);
        // The list of a year is closed a month after it.
        const isOpen = year === thisYear || (year === thisYear - 1 && now.slice(5, 7) === '01');
        const newest = held.newest(key);
        if (newest !== null && !isOpen && newest.checkedAt.slice(0, 4) > String(year)) continue;
        yield* documentsOf(
          { key, url: `${ECB}${path}/${year}/html/index_include.en.html`, mayShrink: true, dueBy: `${year}-02-28` },
          folder,
          link,
          (one) => held.newest(one) !== null,
        );
      }
    }
  },
};

function* documentsOf(list: Request, folder: string, link: RegExp, isHeld: (key: string) => boolean): Plan {
  const answer: Answer = yield list;
  if (answer.kind === 'absent' || answer.kind === 'failed') return;
  for (const [path, yymmdd = ''] of linksOf(answer.body, link).toReversed()) {
    const keys = [`central-bank-text/ecb/${folder}/html/20${yymmdd}.html`, `central-bank-text/ecb/${folder}/20${yymmdd}.json`] as const;
    if (!keys.some(isHeld)) yield { key: keys[0], url: `${ECB}${path}` };
  }
}
