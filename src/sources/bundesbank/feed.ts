// Deutsche Bundesbank: yields by residual maturity, one file each.
import type { Feed } from '../feeds/feed.ts';
import { wholeFilesFeed } from '../feeds/whole-files.ts';
import { withoutClock } from '../readers/sdmx-ml.ts';

const SDMX_ML = 'application/vnd.sdmx.genericdata+xml;version=2.1';
/** Residual maturities of 2, 5, 10 and 30 years. */
export const BUNDESBANK_MATURITIES: readonly string[] = ['R02XX', 'R05XX', 'R10XX', 'R30XX'];

export function bundesbankYield(maturity: string): { readonly code: string; readonly url: string } {
  const key = `D.I.ZAR.ZI.EUR.S1311.B.A604.${maturity}.R.A.A._Z._Z.A`;
  return { code: `BBSIS.${key}`, url: `https://api.statistiken.bundesbank.de/rest/data/BBSIS/${key}` };
}

export const bundesbankFeed: Feed = {
  ...wholeFilesFeed(
    'bundesbank',
    BUNDESBANK_MATURITIES.map((maturity) => ({
      key: `bundesbank/BBSIS.${maturity}.xml`,
      url: bundesbankYield(maturity).url,
      accept: SDMX_ML,
    })),
  ),
  essence: withoutClock,
};
