// Bank of Canada, Valet: one file a series.
import { WORKING_DAYS } from '../feeds/due.ts';
import { wholeFilesFeed } from '../feeds/whole-files.ts';

export const BOC_SERIES: readonly string[] = ['V39079', 'FXEURCAD', 'FXUSDCAD'];
export const bocAddress = (code: string): string => `https://www.bankofcanada.ca/valet/observations/${code}/json?start_date=2009-01-01`;
export const bocFeed = wholeFilesFeed(
  'boc',
  BOC_SERIES.map((code) => ({ key: `boc/${code}.json`, url: bocAddress(code) })),
  { publication: { time: '16:30', zone: 'America/Toronto', weekdays: WORKING_DAYS } },
);
