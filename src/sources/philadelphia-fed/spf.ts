// Federal Reserve Bank of Philadelphia, Survey of Professional Forecasters: medians and means of the answers, by round. A workbook has a
// sheet per variable, with columns named after it and the horizon: 1 is the quarter before the round, which is no forecast, 2 the quarter of the round.
import { readSheet } from 'read-excel-file/node';
import type { Period } from '../../model/period.ts';
import type { Batch, ObservationRecord } from '../../model/record.ts';
import { observationBatches, withoutRepeats } from '../records/batches.ts';
import { excerpt } from '../readers/text.ts';
import { membersOf } from '../readers/zip.ts';
import type { Payload, Source } from '../source.ts';
import { UpstreamError } from '../upstream-error.ts';
import { knownAtEndOf, roundAfter, roundOf } from '../records/survey-rounds.ts';

const ID = 'philadelphia_spf';
const FOLDER = 'https://www.philadelphiafed.org/-/media/FRBP/Assets/Surveys-And-Data/survey-of-professional-forecasters';
/** All variables in one file, or one variable: `medianGrowth.xlsx`, `Median_CPI_Level.xlsx`. */
const BOOK = /(?:^|\/)philadelphia-fed\/spf\/(?:[^/]+\/)?(median)(?:_(CPI|CORECPI|PCE|COREPCE|UNEMP|NGDP))?_?(level)\.xlsx$/i;
const GROWTH = /(?:^|\/)philadelphia-fed\/spf\/(?:[^/]+\/)?(median|mean)(?:_(RGDP|NGDP))?_?(growth)\.xlsx$/i;
const MOST_BYTES = 64 * 1024 * 1024;
const MOST_PARTS = 500;
const HORIZONS = ['2', '3', '4', '5', '6'];
const LEVELS = ['UNEMP', 'CPI', 'CORECPI', 'PCE', 'COREPCE', 'NGDP'];
const GROWTHS = ['RGDP', 'NGDP'];
/** Earlier rounds asked for the gross national product. */
const FIRST_ROUNDS: Readonly<Record<string, string>> = { RGDP: '1992-Q1', NGDP: '1992-Q1' };
/** The Federal Reserve Bank sent its first round late, together with the next one. */
const LATE_ROUND = '1990-Q2';

export const philadelphiaSpf: Source = {
  id: ID,
  version: 1,
  owns: (path) => bookOf(path) !== null,
  address: (path) => addressOf(path),
  mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  normalise: batchesOf,
};

interface Book {
  readonly statistic: string;
  /** Null: all of them. */
  readonly variable: string | null;
  readonly kind: 'level' | 'growth';
}

function bookOf(path: string): Book | null {
  const [, statistic, variable, kind] = BOOK.exec(path) ?? GROWTH.exec(path) ?? [];
  if (statistic === undefined || kind === undefined) return null;
  return {
    statistic: statistic.toLowerCase(),
    variable: variable?.toUpperCase() ?? null,
    kind: kind.toLowerCase() === 'level' ? 'level' : 'growth',
  };
}

function addressOf(path: string): string | null {
  const book = bookOf(path);
  if (book === null) return null;
  const { statistic, variable, kind } = book;
  return variable === null
    ? `${FOLDER}/historical-data/${statistic}${kind}.xlsx`
    : `${FOLDER}/data-files/files/${statistic}_${variable.toLowerCase()}_${kind}.xlsx`;
}

async function* batchesOf(payload: Payload): AsyncGenerator<Batch> {
  const book = bookOf(payload.key);
  if (book === null) throw new UpstreamError(ID, `expected a workbook of medians or means, found ${excerpt(payload.key)}`);
  const records: ObservationRecord[] = [];
  // A workbook is a zip: one that is too large or damaged is refused before it is unpacked.
  await membersOf(ID, payload.body, MOST_BYTES, MOST_PARTS);
  const variables = book.variable === null ? (book.kind === 'level' ? LEVELS : GROWTHS) : [book.variable];
  for (const variable of variables) records.push(...recordsOf(book, variable, await sheetOf(book, variable, payload.body), payload));
  yield* observationBatches(withoutRepeats(ID, records));
}

type Cell = string | number | boolean | Date | null;

/** The file of one variable has one sheet, named after the statistic. */
async function sheetOf(book: Book, variable: string, body: Uint8Array): Promise<readonly (readonly Cell[])[]> {
  try {
    return (await readSheet(Buffer.from(body), book.variable === null ? variable : 1)) as Cell[][];
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UpstreamError(ID, `the sheet ${variable} cannot be read: ${reason}`, { cause });
  }
}

function recordsOf(
  { statistic, kind }: Book,
  variable: string,
  [header = [], ...rows]: readonly (readonly Cell[])[],
  { retrievedAt }: Payload,
): ObservationRecord[] {
  const names = HORIZONS.map((horizon) => (kind === 'level' ? `${variable}${horizon}` : `d${variable.toLowerCase()}${horizon}`));
  const places = ['YEAR', 'QUARTER', ...names].map((name) => placeOf(header, name));
  const [year = 0, quarter = 0, ...horizons] = places;
  const stated = rows.filter((row) => row.some((cell) => cell !== null));
  const rounds = stated.map((row) => statedRound(variable, row[year] ?? null, row[quarter] ?? null));
  checkRounds(variable, rounds);
  return stated.flatMap((row, index) => {
    const round = rounds[index];
    if (round === undefined || round.period < (FIRST_ROUNDS[variable] ?? '')) return [];
    const observedAt = knownAtEndOf(round.period === LATE_ROUND ? roundOf(1990, 3) : round, retrievedAt);
    return horizons.flatMap((place, at) => {
      const value = numberOf(variable, round, row[place] ?? null);
      return value === null ? [] : [{ seriesCode: `${statistic}.${names[at] ?? ''}`, ...round, value, observedAt }];
    });
  });
}

function placeOf(header: readonly Cell[], name: string): number {
  const place = header.findIndex((cell) => typeof cell === 'string' && cell.trim() === name);
  if (place < 0) throw new UpstreamError(ID, `expected the column ${name}, found ${excerpt(header.join(', '), 200)}`);
  return place;
}

function statedRound(variable: string, year: Cell, quarter: Cell): Period {
  if (!Number.isInteger(year) || !Number.isInteger(quarter) || !(Number(quarter) >= 1 && Number(quarter) <= 4))
    throw new UpstreamError(
      ID,
      `expected year and quarter of a round of ${variable}, found ${excerpt(`${String(year)} ${String(quarter)}`)}`,
    );
  return roundOf(Number(year), Number(quarter));
}

function checkRounds(variable: string, rounds: readonly Period[]): void {
  if (rounds.length === 0) throw new UpstreamError(ID, `the sheet ${variable} has no rounds`);
  for (const [index, round] of rounds.entries()) {
    const before = rounds[index - 1];
    if (before !== undefined && roundAfter(before) !== round.period)
      throw new UpstreamError(ID, `${round.period} follows ${before.period} in ${variable}: rounds are missing or out of order`);
  }
}

/** Values that were not asked for or not given are `#N/A`. */
function numberOf(variable: string, { period }: Period, cell: Cell): number | null {
  if (cell === null || (typeof cell === 'string' && ['#N/A', ''].includes(cell.trim()))) return null;
  if (typeof cell !== 'number' || !Number.isFinite(cell))
    throw new UpstreamError(ID, `expected a number of ${variable} in ${period}, found ${excerpt(String(cell))}`);
  return cell;
}
