import { onlyMember } from '../readers/zip.ts';
import { firstOf } from '../feeds/addresses.ts';
import { isKeyDue, WORKING_DAYS } from '../feeds/due.ts';
import type { Feed } from '../feeds/feed.ts';

const RESCONST_KEY = 'us-census/RESCONST-mf.zip';
/** Newest first; the second one was last used in 2022. */
export const RESCONST_ADDRESSES = [
  'https://www.census.gov/econ_getzippedfile/?programCode=RESCONST',
  'https://www.census.gov/econ/currentdata/datasets/RESCONST-mf.zip',
] as const;
/** The zip may have a README next to the data. */
export const RESCONST_MEMBER = /(?:^|\/)[^/]*-mf\.csv$/i;

export const usCensusFeed: Feed = {
  publisher: 'census',
  isDue: (now, held) =>
    isKeyDue(now, held, RESCONST_KEY, { everyHours: 24, publication: { time: '08:30', zone: 'America/New_York', weekdays: WORKING_DAYS } }),
  *plan() {
    yield* firstOf(RESCONST_ADDRESSES.map((url) => ({ key: RESCONST_KEY, url })));
  },
  // The zip is packed for each answer, and Last-Modified is only the time of that.
  essence: async (body) => Buffer.from(await onlyMember('us_census', body, undefined, RESCONST_MEMBER)).toString('latin1'),
};
