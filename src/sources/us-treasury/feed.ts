// The file of each calendar year, newest first; a finished year is requested once more after its end. In January the new one is late.
import { isDueAfter, isKeyDue, isMissingDue, WORKING_DAYS } from '../feeds/due.ts';
import { type Answer, type Feed, type Held, NEVER_DUE } from '../feeds/feed.ts';

const FIRST_YEAR = 1990;
const ADDRESS = 'https://home.treasury.gov/resource-center/data-chart-center/interest-rates/daily-treasury-rates.csv';

const RULE = { everyHours: 24, publication: { time: '18:00', zone: 'America/New_York', weekdays: WORKING_DAYS } };

const keyOf = (year: number): string => `us-treasury/daily-treasury-rates.${year}.csv`;

export const usTreasuryFeed: Feed = {
  publisher: 'us_treasury',
  isDue: (now, held) => {
    const year = yearOf(now);
    const isMissing = yearsUntil(year - 1).some((one) => isMissingDue(now, held, keyOf(one)));
    const before = now.slice(0, 10) <= firstWeekOf(year) && held.newest(keyOf(year)) === null ? held.newest(keyOf(year - 1)) : null;
    return isMissing || (before === null ? isKeyDue(now, held, keyOf(year), RULE) : isDueAfter(now, before, 24, RULE.publication));
  },
  *plan(now, held) {
    const year = yearOf(now);
    for (const one of yearsUntil(year).toReversed()) {
      if (!isYearDue(one, now, held)) continue;
      const answer: Answer = yield {
        key: keyOf(one),
        group: keyOf(one),
        url: `${ADDRESS}/${one}/all?type=daily_treasury_yield_curve&field_tdr_date_value=${one}&page&_format=csv`,
        ...(one === year ? { dueBy: firstWeekOf(year) } : { dueBy: NEVER_DUE }),
      };
      const isEmpty = 'body' in answer && !/\n\d/.test(new TextDecoder().decode(answer.body));
      const isNotOutYet = one === year && now.slice(0, 10) <= firstWeekOf(year);
      if (isEmpty) yield { giveUp: `the file of ${one} has no rows`, isNotOutYet, isEmpty };
    }
  },
};

const firstWeekOf = (year: number): string => `${year}-01-08`;
const yearsUntil = (year: number): number[] => Array.from({ length: year - FIRST_YEAR + 1 }, (_, index) => FIRST_YEAR + index);
const yearOf = (now: string): number => Number(now.slice(0, 4));

function isYearDue(year: number, now: string, held: Held): boolean {
  if (year === yearOf(now)) return isKeyDue(now, held, keyOf(year), RULE);
  return held.newest(keyOf(year)) === null ? isMissingDue(now, held, keyOf(year)) : !isFinal(year, now, held);
}

/** Confirmed a week into the next year, when its last days are corrected too. */
function isFinal(year: number, now: string, held: Held): boolean {
  const newest = held.newest(keyOf(year));
  return newest !== null && year < yearOf(now) && newest.checkedAt >= firstWeekOf(year + 1);
}
