import { isKeyDue } from '../feeds/due.ts';
import type { Feed, Request } from '../feeds/feed.ts';

const SCHEDULE: Request = { key: 'calendars/bls-release-schedule.ics', url: 'https://www.bls.gov/schedule/news_release/bls.ics' };

export const blsCalendarFeed: Feed = {
  publisher: 'bls',
  isDue: (now, held) => isKeyDue(now, held, SCHEDULE.key, { everyHours: 24 }),
  *plan() {
    yield SCHEDULE;
  },
};
