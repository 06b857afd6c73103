import { isDueAfter } from './due.ts';
import type { Feed, Request } from './feed.ts';

/** The version that is read: another one may have other dimensions. */
export const IMF_PRICES = 'IMF.STA:CPI(5.0.0)';

/** Consumer prices on a year before, by month, of every country. */
export const IMF_REQUEST: Request = {
  key: 'imf/CPI.YOY_PCH_PA_PT.M.csv',
  url: 'https://api.imf.org/external/sdmx/2.1/data/IMF.STA,CPI,5.0.0/.CPI._T.YOY_PCH_PA_PT.M?detail=dataonly',
  accept: 'application/vnd.sdmx.data+csv;version=2.0.0',
};

export const imfFeed: Feed = {
  publisher: 'imf',
  isDue: (now, held) => isDueAfter(now, held.newest(IMF_REQUEST.key), 24),
  *plan() {
    yield IMF_REQUEST;
  },
};
