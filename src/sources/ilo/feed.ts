// International Labour Organization: one file an indicator.
import { smallOf, yearBefore } from '../feeds/due.ts';
import type { Feed } from '../feeds/feed.ts';
import { csvFiles, wholeFilesFeed } from '../feeds/whole-files.ts';

export const ILO_FILES: Readonly<Record<string, string>> = {
  UNE_DEAP_SEX_AGE_RT_M:
    'https://rplumber.ilo.org/data/indicator/?id=UNE_DEAP_SEX_AGE_RT_M&sex=SEX_T&classif1=AGE_YTHADULT_YGE15&type=code&format=.csv',
};
export const iloFeed: Feed = {
  ...wholeFilesFeed('ilo', csvFiles('ilo', ILO_FILES), { everyHours: 72 }),
  *probe(now) {
    yield* csvFiles('ilo', ILO_FILES).map((request) => smallOf(request, `timefrom=${yearBefore(now)}`));
  },
};
