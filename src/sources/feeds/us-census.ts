import { isDueAfter, WORKING_DAYS } from './due.ts';
import type { Feed, Request } from './feed.ts';

const FILE: Request = {
  key: 'us-census/RESCONST-mf.zip',
  url: 'https://www.census.gov/econ/currentdata/datasets/RESCONST-mf.zip',
};

export const usCensusFeed: Feed = {
  publisher: 'census',
  isDue: (now, held) => isDueAfter(now, held.newest(FILE.key), 24, { time: '08:30', zone: 'America/New_York', weekdays: WORKING_DAYS }),
  *plan() {
    yield FILE;
  },
};
