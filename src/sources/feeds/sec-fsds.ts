// The SEC's quarterly data sets of statements: the last year of them, as far as it is not held; they check the facts that are taken filer by filer.
import { addDays, addMonths } from '../../model/period.ts';
import { firstOf } from './addresses.ts';
import { isDueAfter } from './due.ts';
import type { Feed, Request } from './feed.ts';

/** Newest first; quarters have moved between them. */
export const FSDS_ADDRESSES = [
  'https://www.sec.gov/files/dera/data/financial-statement-data-sets/',
  'https://www.sec.gov/files/dera/financial-statement-data-sets/',
] as const;
const QUARTERS = 4;
/** They come out some days into the next quarter, at times weeks. */
const DAYS_TO_APPEAR = 45;
const DAYS_BETWEEN_CHECKS = 7;

/** The quarters that are over, newest first. */
function quartersBefore(now: string): readonly Request[] {
  const [year, month] = [Number(now.slice(0, 4)), Number(now.slice(5, 7))];
  const start = `${year}-${String(month - ((month - 1) % 3)).padStart(2, '0')}-01`;
  return Array.from({ length: QUARTERS }, (_, index) => {
    const over = addMonths(start, -3 * index);
    const of = addDays(over, -1);
    const name = `${of.slice(0, 4)}q${Number(of.slice(5, 7)) / 3}`;
    return {
      key: `sec/fsds/${name}.zip`,
      url: `${FSDS_ADDRESSES[0]}${name}.zip`,
      dueBy: addDays(over, DAYS_TO_APPEAR),
    };
  });
}

export const secFsdsFeed: Feed = {
  publisher: 'sec',
  isDue: (now, held) =>
    quartersBefore(now).some(({ key }) => {
      const [newest, asked] = [held.newest(key), held.askedAt(key)];
      if (newest === null) return asked === null || asked.slice(0, 10) < now.slice(0, 10);
      return isDueAfter(now, newest, 24 * DAYS_BETWEEN_CHECKS);
    }),
  *plan(now) {
    // Quarters are made anew at times: those that are held are asked for with their validators.
    for (const request of quartersBefore(now))
      yield* firstOf(FSDS_ADDRESSES.map((folder) => ({ ...request, url: request.url.replace(FSDS_ADDRESSES[0], folder) })));
  },
};
