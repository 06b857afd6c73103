// Documents of central banks: their own lists name the documents, and each is requested once. A document that leaves a list still exists.
import { isKeyDue, isMissingDue, type Publication, WORKING_DAYS } from './due.ts';
import { linksOf } from '../readers/html.ts';
import type { Answer, Feed, Held, Plan, Request } from './feed.ts';

const AT_TWO: Publication = { time: '14:00', zone: 'America/New_York', weekdays: WORKING_DAYS };
const AT_QUARTER_PAST_TWO: Publication = { time: '14:15', zone: 'Europe/Berlin', weekdays: WORKING_DAYS };
const AT_HALF_PAST_ONE: Publication = { time: '13:30', zone: 'Europe/Berlin', weekdays: WORKING_DAYS };

const isDueFor = (now: string, held: Held, key: string, publication: Publication): boolean =>
  isKeyDue(now, held, key, { everyHours: 24, publication });

/** A listed document that is missing may come within the day. */
const HOURS_BETWEEN_RETRIES = 1;

/** @param others further keys under which a folder may have the document */
const isWanted = (now: string, held: Held, key: string, ...others: readonly string[]): boolean =>
  isMissingDue(now, held, key, HOURS_BETWEEN_RETRIES) && others.every((other) => held.newest(other) === null);

/** The list of a year is closed a month after it. */
function isClosed(now: string, held: Held, key: string, year: number): boolean {
  const [thisYear, month] = [Number(now.slice(0, 4)), now.slice(5, 7)];
  const isOpen = year === thisYear || (year === thisYear - 1 && month === '01');
  const newest = held.newest(key);
  return newest !== null && !isOpen && newest.checkedAt.slice(0, 4) > String(year);
}

const yearOf = (now: string): number => Number(now.slice(0, 4));

const isThere = (answer: Answer): answer is Extract<Answer, { readonly body: Uint8Array }> =>
  answer.kind === 'new' || answer.kind === 'same';

// --- Federal Reserve

const FED = 'https://www.federalreserve.gov';
const MEETINGS: Request = {
  key: 'central-bank-text/fed/fomccalendars.html',
  url: `${FED}/monetarypolicy/fomccalendars.htm`,
  mayShrink: true,
};

/** Statements at once, minutes three weeks later. */
const FED_DOCUMENTS = [
  {
    folder: 'statements',
    link: /\/newsevents\/pressreleases\/monetary(\d{8})a\.htm/g,
    place: (day: string) => `/newsevents/pressreleases/monetary${day}a.htm`,
  },
  {
    folder: 'minutes',
    link: /\/monetarypolicy\/fomcminutes(\d{8})\.htm/g,
    place: (day: string) => `/monetarypolicy/fomcminutes${day}.htm`,
  },
] as const;

export const fedFeed: Feed = {
  publisher: 'fed',
  isDue: (now, held) => isDueFor(now, held, MEETINGS.key, AT_TWO),
  *plan(now, held) {
    const answer: Answer = yield MEETINGS;
    if (!isThere(answer)) return;
    for (const { folder, link, place } of FED_DOCUMENTS) {
      const days = linksOf(answer.body, link).map(([, day = '']) => day);
      for (const day of days.toSorted().toReversed()) {
        const key = `central-bank-text/fed/${folder}/html/${day}.html`;
        if (isWanted(now, held, key, `central-bank-text/fed/${folder}/${day}.json`)) yield { key, url: `${FED}${place(day)}` };
      }
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

// --- Bank of England

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

export const boeFeed: Feed = {
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

// --- Reserve Bank of Australia

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

export const rbaFeed: Feed = {
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

// --- Bank of Canada

const BOC = 'https://www.bankofcanada.ca';
const BOC_LIST: Request = { key: 'central-bank-text/boc/statements/html/index.html', url: `${BOC}/press/press-releases/`, mayShrink: true };
const AT_QUARTER_TO_TEN: Publication = { time: '09:45', zone: 'America/Toronto', weekdays: WORKING_DAYS };
export const BOC_LINK = /\/\d{4}\/\d{2}\/fad-press-release-(\d{4})-(\d{2})-(\d{2})\//g;

export const bocFeed: Feed = {
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

// --- Sveriges Riksbank: its lists lead only to PDF, which is not read; they are requested so that each document is named.

const RIKSBANK = 'https://www.riksbank.se/en-gb/monetary-policy/monetary-policy-report';
const RIKSBANK_LISTS: readonly Request[] = [
  ['decisions', 'monetary-policy-decision-documents'],
  ['minutes', 'minutes-of-the-executive-boards-monetary-policy-meetings'],
].map(([folder, path]) => ({ key: `central-bank-text/riksbank/${folder}/html/index.html`, url: `${RIKSBANK}/${path}/`, mayShrink: true }));
const AT_HALF_PAST_NINE: Publication = { time: '09:30', zone: 'Europe/Stockholm', weekdays: WORKING_DAYS };

export const riksbankFeed: Feed = {
  publisher: 'riksbank',
  isDue: (now, held) => RIKSBANK_LISTS.some(({ key }) => isDueFor(now, held, key, AT_HALF_PAST_NINE)),
  *plan() {
    yield* RIKSBANK_LISTS;
  },
  isOfListsAlone: true,
};
