// One file a month, early in it. Vintages stand by themselves since 2015; from 2025 on their names end in -md.
import { addMonths } from '../../model/period.ts';
import type { Answer, Feed, Request } from './feed.ts';

const ADDRESS = 'https://www.stlouisfed.org/-/media/project/frbstl/stlouisfed/research/fred-md/monthly/';
const FIRST = '2015-01';
const NAMED_MD_SINCE = '2025-01';
const HOURS_BETWEEN_LOOKS = 6;
/** Each vintage is out within its month; a file that is not there ten days later is missing. */
const DAYS_AFTER = '-10';

const file = (name: string, dueBy: string): Request => ({ key: `fred-md/${name}.csv`, url: `${ADDRESS}${name}.csv`, dueBy });

export const fredMdFeed: Feed = {
  publisher: 'st_louis_fed',
  isDue: (now, held) => {
    const month = now.slice(0, 7);
    if (isHeld(held.keys('fred-md/'), month)) return false;
    const asked = held.askedAt(`fred-md/${month}.csv`);
    return asked === null || Date.parse(now) - Date.parse(asked) >= HOURS_BETWEEN_LOOKS * 3_600_000;
  },
  *plan(now, held) {
    const keys = held.keys('fred-md/');
    for (let month = FIRST; month <= now.slice(0, 7); month = addMonths(`${month}-01`, 1).slice(0, 7)) {
      if (isHeld(keys, month)) continue;
      if (month >= NAMED_MD_SINCE) {
        const answer: Answer = yield file(`${month}-md`, '9999-12-31');
        if (answer.kind === 'new' || answer.kind === 'same') continue;
      }
      yield file(month, `${addMonths(`${month}-01`, 1).slice(0, 7)}${DAYS_AFTER}`);
    }
  },
};

function isHeld(keys: readonly string[], month: string): boolean {
  return keys.some((key) => key.includes(month));
}
