// Insee: all series in one answer.
import { type Publication, WORKING_DAYS } from '../feeds/due.ts';
import type { Feed } from '../feeds/feed.ts';
import { wholeFilesFeed } from '../feeds/whole-files.ts';
import { withoutClock } from '../readers/sdmx-ml.ts';

/** Base 2021, adjusted: industry except construction, and manufacturing. */
export const INSEE_SERIES: readonly string[] = ['010768261', '010768307'];
const INSEE_MORNING: Publication = { time: '08:45', zone: 'Europe/Paris', weekdays: WORKING_DAYS };
export const inseeFeed: Feed = {
  ...wholeFilesFeed(
    'insee',
    [{ key: 'insee/SERIES_BDM.IPI.xml', url: `https://www.bdm.insee.fr/series/sdmx/data/SERIES_BDM/${INSEE_SERIES.join('+')}` }],
    { publication: INSEE_MORNING },
  ),
  essence: withoutClock,
};
