// The SEC's quarterly data sets of statements: the missing ones of the last year; they check the facts that are read filer by filer.
import { addDays, addMonths } from '../../model/period.ts';
import { firstOf, linkedFrom } from '../feeds/addresses.ts';
import { isDueAfter } from '../feeds/due.ts';
import { type Answer, type Feed, NEVER_DUE, type Plan, type Request } from '../feeds/feed.ts';

/** Newest first; quarters have moved from one to the next. */
export const FSDS_ADDRESSES = [
  'https://www.sec.gov/files/dera/data/financial-statement-data-sets/',
  'https://www.sec.gov/files/dera/financial-statement-data-sets/',
] as const;
/** It links to each quarter at its present address. */
const PAGE: Request = {
  key: 'sec/fsds/index.html',
  url: 'https://www.sec.gov/data-research/sec-markets-data/financial-statement-data-sets',
  isIndex: true,
  dueBy: NEVER_DUE,
};
const LINK = /\/[^"'<>\s?#]*\/(\d{4}q[1-4])\.zip/g;
const QUARTERS = 4;
/** A small quarter (4 MB) that we had from the SEC itself. */
const SMALLEST = '2010q2';
/** They appear some days into the next quarter, at times weeks. */
const DAYS_TO_APPEAR = 45;
const DAYS_BETWEEN_CHECKS = 7;

/** The finished quarters, newest first. */
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
    // Quarters are rebuilt at times: stored ones are requested with their validators.
    yield* quartersOf(quartersBefore(now));
  },
  *probe() {
    yield* quartersOf([{ key: `sec/fsds/${SMALLEST}.zip`, url: `${FSDS_ADDRESSES[0]}${SMALLEST}.zip`, dueBy: NEVER_DUE }]);
  },
};

/** Each at the known addresses, then at the link on the page of the data sets, which is requested once. */
function* quartersOf(requests: readonly Request[]): Plan {
  let links: ReadonlyMap<string, string> | null = null;
  for (const request of requests) {
    const name = /(\d{4}q\d)\.zip$/.exec(request.key)?.[1] ?? '';
    const known = FSDS_ADDRESSES.map((folder) => request.url.replace(FSDS_ADDRESSES[0], folder));
    const first: Answer = yield { ...request, dueBy: NEVER_DUE };
    if ('body' in first) continue;
    links ??= yield* linkedFrom(PAGE, LINK);
    const linked = links.get(name);
    const others = [...new Set([...(linked === undefined ? [] : [linked]), ...known])].filter((url) => url !== request.url);
    yield* firstOf(others.map((url) => ({ ...request, url })));
  }
}
