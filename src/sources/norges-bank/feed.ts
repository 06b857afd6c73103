// Norges Bank: one file a data set.
import { type Publication, WORKING_DAYS } from '../feeds/due.ts';
import { csvFiles, wholeFilesFeed } from '../feeds/whole-files.ts';

const NORGES_BANK = 'https://data.norges-bank.no/api/data';
export const NORGES_BANK_FILES: Readonly<Record<string, string>> = {
  // Without its last part the key would also return volumes.
  IR: `${NORGES_BANK}/IR/B.KPRA.SD.R?format=csv&locale=en`,
  EXR: `${NORGES_BANK}/EXR/B.EUR+USD.NOK.SP?format=csv&locale=en`,
};
const AFTER_FIXING: Publication = { time: '16:00', zone: 'Europe/Oslo', weekdays: WORKING_DAYS };
export const norgesBankFeed = wholeFilesFeed('norges_bank', csvFiles('norges-bank', NORGES_BANK_FILES), { publication: AFTER_FIXING });
