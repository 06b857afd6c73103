// The file of each calendar year, oldest first; a year that is over is asked for once more after its end. In January the new one is not there at once.
import { isDueAfter, WORKING_DAYS } from './due.ts';
import type { Answer, Feed, Held } from './feed.ts';

const FIRST_YEAR = 1990;
const ADDRESS = 'https://home.treasury.gov/resource-center/data-chart-center/interest-rates/daily-treasury-rates.csv';

const keyOf = (year: number): string => `us-treasury/daily-treasury-rates.${year}.csv`;

export const usTreasuryFeed: Feed = {
  publisher: 'us_treasury',
  isDue: (now, held) => {
    const year = yearOf(now);
    const isMissing = yearsUntil(year - 1).some((one) => held.newest(keyOf(one)) === null);
    const newest = held.newest(keyOf(year)) ?? (now.slice(0, 10) <= firstWeekOf(year) ? held.newest(keyOf(year - 1)) : null);
    return isMissing || isDueAfter(now, newest, 24, { time: '18:00', zone: 'America/New_York', weekdays: WORKING_DAYS });
  },
  *plan(now, held) {
    const year = yearOf(now);
    for (const one of yearsUntil(year)) {
      if (isFinal(one, now, held)) continue;
      const answer: Answer = yield {
        key: keyOf(one),
        group: keyOf(one),
        url: `${ADDRESS}/${one}/all?type=daily_treasury_yield_curve&field_tdr_date_value=${one}&page&_format=csv`,
        ...(one === year ? { dueBy: firstWeekOf(year) } : {}),
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

/** Confirmed a week into the year after it, when its last days are corrected too. */
function isFinal(year: number, now: string, held: Held): boolean {
  const newest = held.newest(keyOf(year));
  return newest !== null && year < yearOf(now) && newest.checkedAt >= firstWeekOf(year + 1);
}
