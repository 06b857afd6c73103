// Bank of England, its statistical database: it answers unknown codes with a page.
import { WORKING_DAYS } from '../feeds/due.ts';
import { wholeFilesFeed } from '../feeds/whole-files.ts';

export const BOE_CODES: readonly string[] = ['IUDBEDR', 'IUDSOIA'];
export const BOE_RATES = `https://www.bankofengland.co.uk/boeapps/database/_iadb-fromshowcolumns.asp?csv.x=yes&Datefrom=01/Jan/1975&Dateto=now&SeriesCodes=${BOE_CODES.join(',')}&CSVF=TN&UsingCodes=Y&VPD=Y&VFD=N`;
export const boeFeed = wholeFilesFeed('boe', [{ key: 'boe/rates.csv', url: BOE_RATES }], {
  publication: { time: '12:00', zone: 'Europe/London', weekdays: WORKING_DAYS },
});
