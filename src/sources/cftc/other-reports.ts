// CFTC, the reports other than legacy and financial futures: the disaggregated one, and all three with options combined.
// We had no file of them; names of files and columns come from public readers of them.
import { LEGACY_FIELDS, LEGACY_SIDES, readLegacy } from './legacy.ts';
import { TFF_COLUMNS, TFF_SIDES } from './tff.ts';
import { cftcFilesFeed, type YearlyFiles } from './feed.ts';
import { cotBatches, type CotReport, type Counted, type Position, readClasses } from './cot.ts';
import { readUnpacked } from '../readers/zip.ts';
import type { Payload, Source } from '../source.ts';

interface Breadth {
  readonly id: string;
  readonly files: YearlyFiles;
  /** Names of the unpacked text files, with the year as the first group. */
  readonly text: RegExp;
  /** Measure → canonical indicator. */
  readonly measures: CotReport['measures'];
  readonly sides: CotReport['sides'];
  readonly read: (file: Pick<Payload, 'body'>) => Position[];
}

function breadthSource({ id, files, text, measures, sides, read }: Breadth): Source {
  const plain = new RegExp(`(?:^|/)cftc/${files.folder}/${text.source}$`);
  const packed = new RegExp(`(?:^|/)cftc/${files.folder}/((?:${files.name('\\d{4}')}|${files.before})\\.zip)$`);
  const report: CotReport = { sourceId: id, measures, sides };
  return {
    id,
    version: 1,
    owns: (path) => plain.test(path) || packed.test(path),
    address: (path) => {
      const year = plain.exec(path)?.[1];
      return `https://www.cftc.gov/files/dea/history/${packed.exec(path)?.[1] ?? `${files.name(year ?? '')}.zip`}`;
    },
    mediaType: 'text/csv',
    normalise: (payload) => readUnpacked(id, payload, (file) => cotBatches(report, read(file), file.retrievedAt)),
    feed: cftcFilesFeed(files),
  };
}

const measuresOf = (names: readonly string[], prefix: string, suffix: string): CotReport['measures'] =>
  Object.fromEntries(names.map((measure) => [measure, `${prefix}${measure}${suffix}`]));

/** Measure → column; the two underscores after Swap are the publisher's. */
const DISAGGREGATED: Readonly<Record<string, string>> = {
  open_interest: 'Open_Interest_All',
  producer_long: 'Prod_Merc_Positions_Long_All',
  producer_short: 'Prod_Merc_Positions_Short_All',
  swap_dealer_long: 'Swap_Positions_Long_All',
  swap_dealer_short: 'Swap__Positions_Short_All',
  swap_dealer_spreading: 'Swap__Positions_Spread_All',
  managed_money_long: 'M_Money_Positions_Long_All',
  managed_money_short: 'M_Money_Positions_Short_All',
  managed_money_spreading: 'M_Money_Positions_Spread_All',
  other_reportables_long: 'Other_Rept_Positions_Long_All',
  other_reportables_short: 'Other_Rept_Positions_Short_All',
  other_reportables_spreading: 'Other_Rept_Positions_Spread_All',
  nonreportable_long: 'NonRept_Positions_Long_All',
  nonreportable_short: 'NonRept_Positions_Short_All',
};
const side = (name: 'long' | 'short') => [
  ...['producer', 'swap_dealer', 'managed_money', 'other_reportables', 'nonreportable'].map((one) => `${one}_${name}`),
  ...['swap_dealer', 'managed_money', 'other_reportables'].map((one) => `${one}_spreading`),
];

const disaggregated = (id: string, counted: Counted, suffix: string, files: YearlyFiles, text: RegExp): Source =>
  breadthSource({
    id,
    files,
    text,
    measures: measuresOf(Object.keys(DISAGGREGATED), 'cot_disaggregated_', suffix),
    sides: { long: side('long'), short: side('short') },
    read: (file) => readClasses(id, file, DISAGGREGATED, counted),
  });

export const cftcDisaggregated: Source = disaggregated(
  'cftc_disaggregated',
  'FutOnly',
  '',
  { folder: 'disagg_futonly', name: (year) => `fut_disagg_txt_${year}`, before: 'fut_disagg_txt_hist_2006_2016' },
  /f_year_(\d{4})[^/]*\.txt/,
);

export const cftcDisaggregatedCombined: Source = disaggregated(
  'cftc_disaggregated_combined',
  'Combined',
  '_combined',
  { folder: 'disagg_combined', name: (year) => `com_disagg_txt_${year}`, before: 'com_disagg_txt_hist_2006_2016' },
  /c_year_(\d{4})[^/]*\.txt/,
);

export const cftcLegacyCombined: Source = breadthSource({
  id: 'cftc_legacy_combined',
  files: { folder: 'legacy_combined', name: (year) => `deahistfo${year}`, before: 'deahistfo_1995_2016' },
  text: /annualof_(\d{4})[^/]*\.txt/,
  measures: measuresOf(Object.keys(LEGACY_FIELDS), 'cot_', '_combined'),
  sides: LEGACY_SIDES,
  read: (file) => readLegacy('cftc_legacy_combined', file),
});

export const cftcTffCombined: Source = breadthSource({
  id: 'cftc_tff_combined',
  files: { folder: 'tff_combined', name: (year) => `com_fin_txt_${year}`, before: 'fin_com_txt_2006_2016' },
  text: /FinComYY_(\d{4})[^/]*\.txt/,
  measures: measuresOf(Object.keys(TFF_COLUMNS), 'cot_tff_', '_combined'),
  sides: TFF_SIDES,
  read: (file) => readClasses('cftc_tff_combined', file, TFF_COLUMNS, 'Combined'),
});
