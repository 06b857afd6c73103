// Sveriges Riksbank: without a last day it sends all data; without data, status 204.
import { WORKING_DAYS } from '../feeds/due.ts';
import { wholeFilesFeed } from '../feeds/whole-files.ts';

/** Series → its first day. */
export const RIKSBANK_SERIES: Readonly<Record<string, string>> = {
  SECBREPOEFF: '1994-06-01',
  SEKEURPMI: '1999-01-04',
  SEKUSDPMI: '1993-01-04',
};
export const riksbankAddress = (code: string): string =>
  `https://api.riksbank.se/swea/v1/Observations/${code}/${RIKSBANK_SERIES[code] ?? ''}`;
export const riksbankFeed = wholeFilesFeed(
  'riksbank_api',
  Object.keys(RIKSBANK_SERIES).map((code) => ({ key: `riksbank/${code}.json`, url: riksbankAddress(code) })),
  { publication: { time: '16:30', zone: 'Europe/Stockholm', weekdays: WORKING_DAYS } },
);
