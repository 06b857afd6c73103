// European Central Bank, its data portal: one file a data set.
import { csvFiles, wholeFilesFeed } from '../feeds/whole-files.ts';

const ECB = 'https://data-api.ecb.europa.eu/service/data';
export const ECB_DATA_FILES: Readonly<Record<string, string>> = {
  FM: `${ECB}/FM/D.U2.EUR.4F.KR.DFR+MLFR+MRR_FR.LEV?format=csvdata`,
  EST: `${ECB}/EST/B.EU000A2X2A25.WT?format=csvdata`,
  EXR: `${ECB}/EXR/M..EUR.SP00.A?format=csvdata`,
};
export const ecbDataFeed = wholeFilesFeed('ecb_data', csvFiles('ecb-data', ECB_DATA_FILES));
