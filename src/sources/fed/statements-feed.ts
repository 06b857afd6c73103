// Federal Reserve: its calendar of meetings lists statements and minutes.
import { type Publication, WORKING_DAYS } from '../feeds/due.ts';
import { isDueFor, isThere, isWanted } from '../feeds/documents.ts';
import type { Answer, Feed, Request } from '../feeds/feed.ts';
import { linksOf } from '../readers/html.ts';

const AT_TWO: Publication = { time: '14:00', zone: 'America/New_York', weekdays: WORKING_DAYS };
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

export const fedStatementsFeed: Feed = {
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
