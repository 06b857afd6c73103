// Every area of both data sets in full: together they are a few megabytes. Policy rates are updated each week, prices each month.
import { isKeyDue, smallOf, yearBefore } from '../feeds/due.ts';
import type { Feed, Held, Request } from '../feeds/feed.ts';

const API = 'https://stats.bis.org/api/v1/data';

/** Data set → its address; an empty dimension of the key means all areas. */
export const BIS_DATA_SETS: Readonly<Record<string, string>> = {
  WS_CBPOL: `${API}/WS_CBPOL/M./all?format=csv`,
  WS_LONG_CPI: `${API}/WS_LONG_CPI/M..628/all?format=csv`,
};

const FILES: readonly Request[] = Object.entries(BIS_DATA_SETS).map(([name, url]) => ({ key: `bis/${name}.M.csv`, url }));

const dueOf = (now: string, held: Held) => FILES.filter(({ key }) => isKeyDue(now, held, key, { everyHours: 24 }));

export const bisFeed: Feed = {
  publisher: 'bis',
  isDue: (now, held) => dueOf(now, held).length > 0,
  *plan(now, held) {
    yield* dueOf(now, held);
  },
  *probe(now) {
    yield* FILES.slice(0, 1).map((request) => smallOf(request, `startPeriod=${yearBefore(now)}`));
  },
};
