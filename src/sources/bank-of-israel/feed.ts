// Bank of Israel: the policy rate, and one file a currency.
import { csvFiles, wholeFilesFeed } from '../feeds/whole-files.ts';

const BANK_OF_ISRAEL = 'https://edge.boi.gov.il/FusionEdgeServer/sdmx/v2/data/dataflow/BOI.STATISTICS';
export const BANK_OF_ISRAEL_FILES: Readonly<Record<string, string>> = {
  BR: `${BANK_OF_ISRAEL}/BR/1.0/MNT_RIB_BOI_D.D.RIB_BOI?format=csv`,
  ...Object.fromEntries(
    ['EUR', 'GBP', 'USD'].map((currency) => [
      `EXR.${currency}`,
      `${BANK_OF_ISRAEL}/EXR/1.0/RER_${currency}_ILS.D.${currency}.ILS.ILS.OF00?format=csv`,
    ]),
  ),
};
export const bankOfIsraelFeed = wholeFilesFeed('bank_of_israel', csvFiles('bank-of-israel', BANK_OF_ISRAEL_FILES));
