// CFTC, Traders in Financial Futures, futures only: 84 columns in the spreadsheets (saved as CSV), 87 in the yearly text files.
import { cftcTffFeed } from './feed.ts';
import { cotBatches, type CotReport, readClasses } from './cot.ts';
import { readUnpacked } from '../readers/zip.ts';
import type { Source } from '../source.ts';

const ID = 'cftc_tff';
const PACKED = /(?:^|\/)cftc\/tff_futonly\/((?:fut_fin|fin_fut)_txt_\d{4}(?:_\d{4})?\.zip)$/;
const FILE = /(?:^|\/)cftc\/tff_futonly\/FinFut(?:YY)?_(\d{4})[^/]*\.(csv|txt)$/;

// The publisher's name of a class of traders → ours.
const CLASSES: Readonly<Record<string, string>> = {
  Dealer: 'dealer',
  Asset_Mgr: 'asset_manager',
  Lev_Money: 'leveraged_funds',
  Other_Rept: 'other_reportables',
};

/** Measure → column. */
export const TFF_COLUMNS: Readonly<Record<string, string>> = {
  open_interest: 'Open_Interest_All',
  ...Object.fromEntries(
    Object.entries(CLASSES).flatMap(([theirs, ours]) => [
      [`${ours}_long`, `${theirs}_Positions_Long_All`],
      [`${ours}_short`, `${theirs}_Positions_Short_All`],
      [`${ours}_spreading`, `${theirs}_Positions_Spread_All`],
    ]),
  ),
  nonreportable_long: 'NonRept_Positions_Long_All',
  nonreportable_short: 'NonRept_Positions_Short_All',
};

const classes = Object.values(CLASSES);
const spreading = classes.map((name) => `${name}_spreading`);

export const TFF_SIDES: CotReport['sides'] = {
  long: [...classes.map((name) => `${name}_long`), 'nonreportable_long', ...spreading],
  short: [...classes.map((name) => `${name}_short`), 'nonreportable_short', ...spreading],
};

const REPORT: CotReport = {
  sourceId: ID,
  measures: Object.fromEntries(Object.keys(TFF_COLUMNS).map((measure) => [measure, `cot_tff_${measure}`])),
  sides: TFF_SIDES,
};

export const cftcTff: Source = {
  id: ID,
  version: 1,
  owns: (path) => FILE.test(path) || PACKED.test(path),
  address: (path) => {
    const packed = PACKED.exec(path)?.[1];
    if (packed !== undefined) return `https://www.cftc.gov/files/dea/history/${packed}`;
    const [, year, extension] = FILE.exec(path) ?? [];
    return `https://www.cftc.gov/files/dea/history/fut_fin_${extension === 'csv' ? 'xls' : 'txt'}_${year}.zip`;
  },
  mediaType: 'text/csv',
  normalise: (payload) =>
    readUnpacked(ID, payload, (file) => cotBatches(REPORT, readClasses(ID, file, TFF_COLUMNS, 'FutOnly'), file.retrievedAt)),
  feed: cftcTffFeed,
};
