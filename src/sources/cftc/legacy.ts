// CFTC, legacy Commitments of Traders, futures only: the yearly text file, the API's JSON, and a history of non-commercial positions
// by commodity name, which is read only for names with a verified contract.
import { z } from 'zod';
import { isDay } from '../../model/period.ts';
import { cftcLegacyFeed } from './feed.ts';
import {
  contractEntity,
  contractEntityId,
  cotBatches,
  type CotReport,
  entityBatch,
  namedColumns,
  type Position,
  reportDayOf,
  requireCode,
} from './cot.ts';
import { readCsv } from '../readers/csv.ts';
import { readJson } from '../readers/json.ts';
import { excerpt } from '../readers/text.ts';
import { readUnpacked } from '../readers/zip.ts';
import type { Batch, RefusedRecord } from '../../model/record.ts';
import type { Payload, Source } from '../source.ts';
import { UpstreamError } from '../upstream-error.ts';

const ID = 'cftc_legacy';

/** Measure → column of the text file and field of the API; the misspelling of "positions" is the API's. */
export const LEGACY_FIELDS: Readonly<Record<string, readonly [string, string]>> = {
  open_interest: ['Open Interest (All)', 'open_interest_all'],
  noncommercial_long: ['Noncommercial Positions-Long (All)', 'noncomm_positions_long_all'],
  noncommercial_short: ['Noncommercial Positions-Short (All)', 'noncomm_positions_short_all'],
  noncommercial_spreading: ['Noncommercial Positions-Spreading (All)', 'noncomm_postions_spread_all'],
  commercial_long: ['Commercial Positions-Long (All)', 'comm_positions_long_all'],
  commercial_short: ['Commercial Positions-Short (All)', 'comm_positions_short_all'],
  nonreportable_long: ['Nonreportable Positions-Long (All)', 'nonrept_positions_long_all'],
  nonreportable_short: ['Nonreportable Positions-Short (All)', 'nonrept_positions_short_all'],
};

export const LEGACY_SIDES: CotReport['sides'] = {
  long: ['noncommercial_long', 'noncommercial_spreading', 'commercial_long', 'nonreportable_long'],
  short: ['noncommercial_short', 'noncommercial_spreading', 'commercial_short', 'nonreportable_short'],
};

const REPORT: CotReport = {
  sourceId: ID,
  measures: Object.fromEntries(Object.keys(LEGACY_FIELDS).map((measure) => [measure, `cot_${measure}`])),
  sides: LEGACY_SIDES,
};

export const cftcLegacy: Source = {
  id: ID,
  version: 2,
  owns: (path) =>
    /(?:^|\/)cftc\/(?:legacy_futonly\/(?:annual_[^/]+\.txt|deacot\d{4}\.zip|noncommercial_history_[^/]+\.csv|history_code_to_cftc_code\.csv)|contract_codes_\d{4}\.csv|socrata\/[^/]+\.json)$/.test(
      path,
    ),
  address: (path) => {
    const year = /\/(?:annual_|deacot)(\d{4})/.exec(path)?.[1];
    const dataset = /\/socrata\/([a-z0-9]{4}-[a-z0-9]{4})/.exec(path)?.[1];
    if (dataset !== undefined) return `https://publicreporting.cftc.gov/resource/${dataset}.json`;
    return year === undefined ? null : `https://www.cftc.gov/files/dea/history/deacot${year}.zip`;
  },
  mediaType: 'text/csv',
  normalise: (payload) => {
    if (payload.key.includes('/socrata/')) return readAnswers(payload);
    if (payload.key.includes('/contract_codes_')) return readContracts(payload);
    if (payload.key.endsWith('/history_code_to_cftc_code.csv')) return readCrosswalk(payload);
    return payload.key.includes('/noncommercial_history_')
      ? readHistory(payload)
      : readUnpacked(ID, payload, (file) => cotBatches(REPORT, readLegacy(ID, file), file.retrievedAt));
  },
  feed: cftcLegacyFeed(Object.values(LEGACY_FIELDS).map(([, field]) => field)),
};

/** The yearly text file, of futures only or with options: both have the same columns. */
export function readLegacy(sourceId: string, { body }: Pick<Payload, 'body'>): Position[] {
  const table = readCsv(body, { sourceId, required: [], trim: true });
  const columns = namedColumns(sourceId, table);
  const [name, code] = [columns.text('Market and Exchange Names'), columns.text('CFTC Contract Market Code')];
  const [date, yymmdd] = [columns.text('As of Date in Form YYYY-MM-DD'), columns.text('As of Date in Form YYMMDD')];
  const values = Object.entries(LEGACY_FIELDS).map(([measure, [column]]) => [measure, columns.number(column)] as const);
  return table.rows.map((row) => ({
    code: requireCode(sourceId, code(row)),
    name: name(row),
    reportDay: reportDayOf(sourceId, date(row), yymmdd(row), row),
    values: Object.fromEntries(values.map(([measure, read]) => [measure, read(row)])),
  }));
}

// --- The API: every value is text, and a missing one has no field.

const Answer = z.array(
  z
    .looseObject({
      market_and_exchange_names: z.string(),
      cftc_contract_market_code: z.string(),
      report_date_as_yyyy_mm_dd: z.string(),
      futonly_or_combined: z.string(),
      open_interest_all: z.string(),
    })
    .catchall(z.string()),
);

/** The API also has reports on futures and options combined, with the same fields: their rows are refused one by one. */
function* readAnswers({ body, retrievedAt }: Payload): Generator<Batch> {
  const rows = readJson(ID, body, Answer);
  const isFuturesOnly = (row: z.infer<typeof Answer>[number]) => row.futonly_or_combined.toLowerCase() === 'futonly';
  const sound = rows.filter(isFuturesOnly);
  if (sound.length > 0 || rows.length === 0) yield* cotBatches(REPORT, toPositions(sound), retrievedAt);
  const refused = rows
    .filter((row) => !isFuturesOnly(row))
    .map(
      (row): RefusedRecord => ({
        rule: 'schema_drift',
        seriesCode: row.cftc_contract_market_code.trim(),
        entityId: contractEntityId(row.cftc_contract_market_code.trim()),
        period: row.report_date_as_yyyy_mm_dd.slice(0, 10),
        fieldPath: 'futonly_or_combined',
        observedValue: row.futonly_or_combined,
        reason: 'The report is not on futures only.',
      }),
    );
  if (refused.length > 0) yield { kind: 'refused', rows: refused };
}

function toPositions(rows: z.infer<typeof Answer>): Position[] {
  return rows.map((row) => {
    const reportDay = row.report_date_as_yyyy_mm_dd.slice(0, 10);
    if (!isDay(reportDay)) throw new UpstreamError(ID, `expected a report date, found ${excerpt(row.report_date_as_yyyy_mm_dd)}`);
    const values = Object.entries(LEGACY_FIELDS).map(([measure, [, field]]) => [measure, countOf(row[field], field)]);
    return {
      code: requireCode(ID, row.cftc_contract_market_code.trim()),
      name: row.market_and_exchange_names.trim(),
      reportDay,
      values: Object.fromEntries(values),
    };
  });
}

function countOf(text: string | undefined, field: string): number | null {
  const cell = text?.trim() ?? '';
  if (cell === '' || cell === '.') return null;
  if (!/^-?\d+(?:\.0+)?$/.test(cell)) throw new UpstreamError(ID, `expected a number in ${field}, found ${excerpt(cell)}`);
  return Number(cell);
}

// --- Lists of contracts

function* readContracts({ body, key }: Payload): Generator<Batch> {
  const table = readCsv(body, { sourceId: ID, required: ['CFTC Contract Market Code', 'Market and Exchange Names'], trim: true });
  const [code, name] = [table.text('CFTC Contract Market Code'), table.text('Market and Exchange Names')];
  const year = /(\d{4})\.csv$/.exec(key)?.[1];
  yield* entityBatch(table.rows.map((row) => contractEntity(requireCode(ID, code(row)), name(row), `${year}-01-01`)));
}

/** The crosswalk behind HISTORY. The source reads one payload at a time, so the file can only confirm the list in the code. */
function* readCrosswalk({ body }: Payload): Generator<Batch> {
  const required = ['history_code', 'cftc_contract_market_code', 'market_and_exchange_names'];
  const table = readCsv(body, { sourceId: ID, required, trim: true });
  const [theirs, code, name] = [
    table.text('history_code'),
    table.text('cftc_contract_market_code'),
    table.text('market_and_exchange_names'),
  ];
  for (const row of table.rows) {
    const known = HISTORY[theirs(row)];
    if (known !== undefined && 'code' in known && known.code !== code(row)) {
      throw new UpstreamError(ID, `expected ${known.code} for ${theirs(row)}, found ${excerpt(code(row))}`);
    }
  }
  yield* entityBatch(table.rows.map((row) => contractEntity(requireCode(ID, code(row)), name(row), '2025-01-07')));
}

// --- History by commodity name

type Identity = { readonly code: string; readonly from?: string; readonly doubt?: string } | { readonly doubt: string };

// Verified by equal long and short positions in the ten reports from 2025-01-07 to 2025-03-11.
const HISTORY: Readonly<Record<string, Identity>> = {
  'ALUMINUM - COMMODITY EXCHANGE': { doubt: 'many weeks are missing' },
  'AUSTRALIAN DOLLAR': { code: '232741' },
  'BRITISH POUND': { code: '096742' },
  'CANADIAN DOLLAR': { code: '090741' },
  CANOLA: { code: '135731' },
  COCOA: { code: '073732', from: '2005-01-04', doubt: 'COCOA, COFFEE and SUGAR are one and the same before 2005' },
  COFFEE: { code: '083731', from: '2005-01-04', doubt: 'COCOA, COFFEE and SUGAR are one and the same before 2005' },
  COPPER: { code: '085692' },
  CORN: { code: '002602', from: '1998-01-06', doubt: 'in thousands of bushels before 1998, a fifth of which are contracts' },
  COTTON: { code: '033661' },
  'CRUDE OIL': { doubt: 'WTI of ICE Futures Europe in 2024 and 2025, which did not exist when the series begins' },
  'DOW JONES': { doubt: 'mislabelled: the Dow Jones US Real Estate index in 2024 and 2025, spliced to others' },
  'EURO FX': { code: '099741' },
  'FEEDER CATTLE': { code: '061641' },
  GOLD: { code: '088691', from: '2008-07-29', doubt: 'weeks of a contract of another scale stand among its own until July 2008' },
  'JAPANESE YEN': { code: '097741' },
  'LEAN HOGS': { code: '054642' },
  'LIVE CATTLE': { code: '057642' },
  'MEXICAN PESO': { code: '095741' },
  'MICRO E-MINI S&P': { code: '13874U' },
  'NASDAQ-100': { code: '20974+', from: '2023-05-02', doubt: 'another scale before 2023-05-02' },
  'NAT GAS NYME - NEW YORK MERCANTILE EXCHANGE': { code: '023651' },
  'ORANGE JUICE': { code: '040701' },
  PALLADIUM: { code: '075651' },
  PLATINUM: { code: '076651' },
  RICE: { code: '039601' },
  RUSSELL: { code: '239742', from: '2017-10-01', doubt: 'spliced in August and September 2017' },
  'S&P 500': { code: '13874+', from: '2023-05-02', doubt: 'another scale before 2023-05-02' },
  SILVER: { code: '084691', from: '2007-07-03', doubt: 'weeks of a contract of another scale stand among its own until June 2007' },
  'SOYBEAN MEAL': { code: '026603' },
  'SOYBEAN OIL': { code: '007601' },
  SOYBEANS: { code: '005602', from: '1998-01-06', doubt: 'in thousands of bushels before 1998, a fifth of which are contracts' },
  SUGAR: { code: '080732', from: '2005-01-04', doubt: 'COCOA, COFFEE and SUGAR are one and the same before 2005' },
  'SWISS FRANC': { code: '092741' },
  'USD INDEX': { code: '098662' },
  'UST 10Y NOTE': { code: '043602' },
  'UST 2Y NOTE': { code: '042601' },
  'UST 5Y NOTE': { code: '044601' },
  'UST BOND': { code: '020601' },
  WHEAT: { code: '001602', from: '1998-01-06', doubt: 'in thousands of bushels before 1998, a fifth of which are contracts' },
  'WHEAT-HRSpring': { code: '001626' },
  'WHEAT-HRW': { code: '001612' },
};

interface HistoryRow {
  readonly name: string;
  readonly day: string;
  readonly long: number | null;
  readonly short: number | null;
}

function* readHistory(payload: Payload): Generator<Batch> {
  const positions: Position[] = [];
  const refused: RefusedRecord[] = [];
  for (const row of historyRows(payload)) {
    const identity = HISTORY[row.name] ?? { doubt: 'not among the names whose contract was verified' };
    if ('code' in identity && row.day >= (identity.from ?? '')) {
      positions.push({
        code: identity.code,
        name: row.name,
        reportDay: row.day,
        values: { noncommercial_long: row.long, noncommercial_short: row.short },
      });
    } else refused.push(unresolved(row, identity));
  }
  for (const batch of cotBatches(REPORT, positions, payload.retrievedAt)) {
    // The names are the compiler's, not the publisher's.
    if (batch.kind !== 'entities') yield batch;
  }
  for (let start = 0; start < refused.length; start += 5000) yield { kind: 'refused', rows: refused.slice(start, start + 5000) };
}

function historyRows({ body }: Payload): HistoryRow[] {
  const required = ['Date', 'NonComm Long', 'NonComm Short', 'NonComm Net', 'Code'];
  const table = readCsv(body, { sourceId: ID, required, trim: true });
  const [date, name] = [table.text('Date'), table.text('Code')];
  const [long, short, net] = [table.number('NonComm Long'), table.number('NonComm Short'), table.number('NonComm Net')];
  return table.rows.map((row) => {
    const read = { name: name(row), day: date(row), long: long(row), short: short(row) };
    if (!isDay(read.day)) throw new UpstreamError(ID, `expected a day on line ${row.line}, found ${excerpt(read.day)}`);
    const stated = net(row);
    if (stated !== null && read.long !== null && read.short !== null && read.long - read.short !== stated) {
      throw new UpstreamError(ID, `long less short is not net on line ${row.line}: ${read.long} - ${read.short}, ${stated}`);
    }
    return read;
  });
}

function unresolved({ name, day, long, short }: HistoryRow, identity: Identity): RefusedRecord {
  return {
    rule: 'identity_unresolved',
    seriesCode: name,
    entityId: 'code' in identity ? contractEntityId(identity.code) : null,
    period: day,
    fieldPath: 'Code',
    observedValue: `${long ?? ''}/${short ?? ''}`,
    reason: `the contract behind ${name} is not certain: ${identity.doubt ?? 'outside the weeks verified'}`,
  };
}
