// One archive a month, published at its end: the newest two as long as they may change, then all earlier ones, counting down to the first.
import { addMonths, lastDayOfMonth } from '../../model/period.ts';
import { isDueAfter, WORKING_DAYS } from '../feeds/due.ts';
import { type Answer, type Feed, type Held, NEVER_DUE, type Plan } from '../feeds/feed.ts';

const ADDRESS = 'https://ec.europa.eu/economy_finance/db_indicators/surveys/documents/series';
const FILE = 'main_indicators_sa_nace2.zip';
/** Earlier archives have other classifications. */
const FIRST_MONTH = '2010-05';
/** This many missing months in a row mark the end of the archive; after this many days it is checked again. */
const MOST_MISSING = 3;
const DAYS_BETWEEN_LOOKS = 30;
const ELEVEN = { time: '11:00', zone: 'Europe/Brussels', weekdays: WORKING_DAYS };

/** @param month `2026-11` */
const keyOf = (month: string): string => `dg-ecfin-bcs/nace2_ecfin_${month.slice(2, 4)}${month.slice(5)}/${FILE}`;
const before = (month: string, months = 1): string => addMonths(`${month}-01`, -months).slice(0, 7);

/** The month of an archive's results, by its key; null for any other key. */
export function archiveMonthOf(key: string): string | null {
  const [, year, month] = /(?:^|\/)dg-ecfin-bcs\/nace2_ecfin_(\d{2})(0[1-9]|1[0-2])\/main_indicators_sa_nace2\.zip$/.exec(key) ?? [];
  return year === undefined ? null : `20${year}-${month}`;
}

/** When the archive of a month was published at the latest: the results of December come in January. */
export const archiveKnownBy = (month: string): string => `${lastDayOfMonth(before(month, -1))}T23:59:59.999Z`;

export const archiveAddress = (month: string): string => `${ADDRESS}/nace2_ecfin_${month.slice(2, 4)}${month.slice(5)}/${FILE}`;

export const dgEcfinFeed: Feed = {
  publisher: 'ecfin',
  isDue: (now, held) => {
    const asked = held.askedAt(keyOf(now.slice(0, 7)));
    return isDueAfter(now, asked === null ? null : { retrievedAt: asked, checkedAt: asked }, 24, ELEVEN);
  },
  *plan(now, held) {
    const month = now.slice(0, 7);
    for (const one of [before(month), month]) if (now < archiveKnownBy(one)) yield request(one, `${before(one, -1)}-10`);
    yield* olderThan(before(month), now, held);
  },
};

function* olderThan(month: string, now: string, held: Held): Plan {
  let missing = 0;
  for (let one = before(month); one >= FIRST_MONTH && missing < MOST_MISSING; one = before(one)) {
    if (held.newest(keyOf(one)) !== null) {
      missing = 0;
      continue;
    }
    const asked = held.askedAt(keyOf(one));
    const isFresh = asked !== null && Date.parse(now) - Date.parse(asked) < DAYS_BETWEEN_LOOKS * 86_400_000;
    const answer: Answer = isFresh ? { kind: 'absent' } : yield request(one, NEVER_DUE);
    missing = 'body' in answer ? 0 : missing + 1;
  }
}

/** The address of an unpublished month redirects to a page. */
const request = (month: string, dueBy: string) => ({ key: keyOf(month), url: archiveAddress(month), dueBy });
