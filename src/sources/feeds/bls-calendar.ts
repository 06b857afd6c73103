import { isDueAfter } from './due.ts';
import type { Feed, Request } from './feed.ts';

const SCHEDULE: Request = { key: 'calendars/bls-release-schedule.ics', url: 'https://www.bls.gov/schedule/news_release/bls.ics' };

export const blsCalendarFeed: Feed = {
  publisher: 'bls',
  isDue: (now, held) => isDueAfter(now, held.newest(SCHEDULE.key), 24),
  *plan() {
    yield SCHEDULE;
  },
};
