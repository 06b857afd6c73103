// CFTC, Traders in Financial Futures, futures only: 84 columns in the spreadsheets (saved as CSV), 87 in the yearly text files.
import { cftcTffFeed } from './feeds/cftc.ts';
import { cotBatches, type CotReport, namedColumns, type Position, reportDayOf, requireCode, requireFuturesOnly } from './readers/cot.ts';
import { readCsv } from './readers/csv.ts';
import { readUnpacked } from './readers/zip.ts';
import { type Payload, type Source, UpstreamError } from './source.ts';

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
const COLUMNS: Readonly<Record<string, string>> = {
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

const REPORT: CotReport = {
  sourceId: ID,
  measures: Object.fromEntries(Object.keys(COLUMNS).map((measure) => [measure, `cot_tff_${measure}`])),
  sides: {
    long: [...classes.map((name) => `${name}_long`), 'nonreportable_long', ...spreading],
    short: [...classes.map((name) => `${name}_short`), 'nonreportable_short', ...spreading],
  },
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
  normalise: (payload) => readUnpacked(ID, payload, (file) => cotBatches(REPORT, readPositions(file), file.retrievedAt)),
  feed: cftcTffFeed,
};

function readPositions({ body }: Payload): Position[] {
  const table = readCsv(body, { sourceId: ID, required: [], trim: true });
  const columns = namedColumns(ID, table);
  const dateColumn = ['Report_Date_as_YYYY-MM-DD', 'Report_Date_as_MM_DD_YYYY'].find(columns.has);
  if (dateColumn === undefined)
    throw new UpstreamError(ID, 'expected the column Report_Date_as_YYYY-MM-DD or Report_Date_as_MM_DD_YYYY, found neither');
  const [name, code] = [columns.text('Market_and_Exchange_Names'), columns.text('CFTC_Contract_Market_Code')];
  const [date, yymmdd, kind] = [columns.text(dateColumn), columns.text('As_of_Date_In_Form_YYMMDD'), columns.text('FutOnly_or_Combined')];
  const values = Object.entries(COLUMNS).map(([measure, column]) => [measure, columns.number(column)] as const);
  return table.rows.map((row) => {
    requireFuturesOnly(ID, kind(row));
    return {
      code: requireCode(ID, code(row)),
      name: name(row),
      reportDay: reportDayOf(ID, date(row), yymmdd(row), row),
      values: Object.fromEntries(values.map(([measure, read]) => [measure, read(row)])),
    };
  });
}
