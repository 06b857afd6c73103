// One file a month, early in the month. Single files exist from 2025 on, with names that end in -md; earlier vintages are in one zip. A file may be
// published again, revised: `2026-rev-08-md.csv`. The page of the database links to them; an unlinked file is requested under its usual names,
// newest first, so that a missing file hides none.
import { addMonths } from '../../model/period.ts';
import { firstOf, linkedFrom } from '../feeds/addresses.ts';
import { isOlderThan } from '../feeds/due.ts';
import { type Feed, type Held, NEVER_DUE, type Request } from '../feeds/feed.ts';

const FOLDER = 'https://www.stlouisfed.org/-/media/project/frbstl/stlouisfed/research/fred-md/';
const FIRST = '2015-01';
/** Older vintages are only in the zip. */
const SINGLE_SINCE = '2025-01';
const HOURS_BETWEEN_LOOKS = 6;
/** A missing file may come late, or under another name. */
const DAYS_BETWEEN_RETRIES = 7;
/** Each vintage is published within its month; if the last one is missing ten days later, that is a fault. An older one may be missing for good. */
const DAYS_AFTER = '-10';
/** Months with a check for a revised file. */
const REVISED_MONTHS = 3;

const PAGE: Request = {
  key: 'fred-md/index.html',
  url: 'https://www.stlouisfed.org/research/economists/mccracken/fred-databases',
  isIndex: true,
  dueBy: NEVER_DUE,
};
const LINK = /\/[^"'<>\s?#]*\/fred-md\/(?:monthly\/)?((?:historical-vintages[^"'<>\s?#/]*\.zip)|(?:\d{4}-(?:rev-)?\d{2}(?:-md)?\.csv))/gi;

/** Ten years and more, a member for each month. */
const ARCHIVE = { key: 'fred-md/historical-vintages.zip', dueBy: NEVER_DUE, mostMembers: 1000 } as const;
/** The zip has had two names, by the last month in it. */
const ARCHIVES: readonly Request[] = ['2025-12', '2024-12'].map((last) => ({
  ...ARCHIVE,
  url: `${FOLDER}historical-vintages-of-fred-md-2015-01-to-${last}.zip`,
}));

const keyOf = (name: string): string => `fred-md/${name}.csv`;
const monthBefore = (month: string): string => addMonths(`${month}-01`, -1).slice(0, 7);

export const fredMdFeed: Feed = {
  publisher: 'st_louis_fed',
  isDue: (now, held) => {
    const month = now.slice(0, 7);
    if (!isHeld(held.keys('fred-md/'), month)) return isOlderThan(now, held.askedAt(keyOf(month)), HOURS_BETWEEN_LOOKS);
    return missingSingles(now, held).some((one) => isRetriedNow(now, held, keyOf(one))) || areArchivesDue(now, held);
  },
  *plan(now, held) {
    const current = now.slice(0, 7);
    // A vintage that arrives now has no revised file yet.
    const keys = held.keys('fred-md/');
    const links = yield* linkedFrom(PAGE, LINK);
    const file = (name: string, dueBy: string): Request => ({
      key: keyOf(name),
      url: links.get(`${name}.csv`) ?? `${FOLDER}monthly/${name}.csv`,
      dueBy,
    });
    for (const month of missingSingles(now, held)) {
      if (month !== current && !isRetriedNow(now, held, keyOf(month))) continue;
      yield* firstOf([
        file(`${month}-md`, NEVER_DUE),
        file(month, month < monthBefore(current) ? NEVER_DUE : `${addMonths(`${month}-01`, 1).slice(0, 7)}${DAYS_AFTER}`),
      ]);
    }
    for (let [month, left] = [current, REVISED_MONTHS]; left > 0; [month, left] = [monthBefore(month), left - 1]) {
      const name = `${month.slice(0, 4)}-rev-${month.slice(5)}-md`;
      if (isHeld(keys, month) && isRetriedNow(now, held, keyOf(name))) yield file(name, NEVER_DUE);
    }
    const linked = [...links].filter(([name]) => name.endsWith('.zip')).map(([, url]) => ({ ...ARCHIVE, url }));
    const archives = [...linked, ...ARCHIVES.filter(({ url }) => !linked.some((one) => one.url === url))];
    if (areArchivesDue(now, held)) yield* firstOf(archives);
  },
};

/** Missing vintages that a single file may have, newest first. */
function missingSingles(now: string, held: Held): readonly string[] {
  const keys = held.keys('fred-md/');
  const missing: string[] = [];
  for (let month = now.slice(0, 7); month >= SINGLE_SINCE; month = monthBefore(month)) if (!isHeld(keys, month)) missing.push(month);
  return missing;
}

function areArchivesDue(now: string, held: Held): boolean {
  const keys = held.keys('fred-md/');
  let isComplete = true;
  for (let month = FIRST; month < SINGLE_SINCE; month = addMonths(`${month}-01`, 1).slice(0, 7)) isComplete &&= isHeld(keys, month);
  return !isComplete && ARCHIVES.every(({ key }) => isRetriedNow(now, held, key));
}

const isRetriedNow = (now: string, held: Held, key: string): boolean => isOlderThan(now, held.askedAt(key), 24 * DAYS_BETWEEN_RETRIES);

function isHeld(keys: readonly string[], month: string): boolean {
  return keys.some((key) => key.includes(month));
}
