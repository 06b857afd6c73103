// The whole history, some 630 kB, on working days after 16:00 in Frankfurt. The bank publishes its last 90 days only as XML.
import { isKeyDue, WORKING_DAYS } from '../feeds/due.ts';
import type { Feed, Request } from '../feeds/feed.ts';

const HISTORY: Request = {
  key: 'ecb-eurofxref/eurofxref-hist.zip',
  url: 'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist.zip',
};

export const ecbFxFeed: Feed = {
  publisher: 'ecb',
  isDue: (now, held) =>
    isKeyDue(now, held, HISTORY.key, { everyHours: 24, publication: { time: '16:00', zone: 'Europe/Berlin', weekdays: WORKING_DAYS } }),
  *plan() {
    yield HISTORY;
  },
};
