// Board of Governors of the Federal Reserve System, projections of the staff (Greenbook, since 2010 Tealbook): a workbook with a sheet per variable and a row per
// round, from the Federal Reserve Bank of Philadelphia. GBdate is the day on which the Committee got it. By rule they become public after five
// years, and the workbook is updated once a year (the Bank's page of the data set): a round is known six years after its day.
import { addMonths, endOfDay, type Period, periodOf, quarterOf } from '../../model/period.ts';
import type { Batch, ObservationRecord } from '../../model/record.ts';
import { observationBatches } from '../records/batches.ts';
import { type SheetCell, sheetRows } from '../readers/sheet.ts';
import { excerpt } from '../readers/text.ts';
import type { Payload, Source } from '../source.ts';
import { UpstreamError } from '../upstream-error.ts';

const ID = 'fed_staff';
const FILE = /(?:^|\/)philadelphia-fed\/greenbook\/(?:[^/]+\/)?GreenBook_Row_Format\.xlsx$/i;
const MONTHS_CLOSED = 72;
const HORIZONS = 10;
/** Sheets, each with its first round: before 11 December 1991 output was the gross national product. */
const SHEETS: Readonly<Record<string, string>> = {
  gRGDP: '1991-12-11',
  UNEMP: '1967-01-01',
  gPCPI: '1967-01-01',
  gPCPIX: '1967-01-01',
  gPPCE: '1967-01-01',
  gPPCEX: '1967-01-01',
};

export const fedStaff: Source = {
  id: ID,
  version: 1,
  owns: (path) => FILE.test(path),
  address: () =>
    'https://www.philadelphiafed.org/-/media/FRBP/Assets/Surveys-And-Data/greenbook-data/documentation/GreenBook_Row_Format.xlsx',
  mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  normalise: batchesOf,
};

async function* batchesOf({ body, retrievedAt }: Payload): AsyncGenerator<Batch> {
  for (const sheet of Object.keys(SHEETS)) yield* observationBatches(recordsOf(sheet, await sheetRows(ID, body, sheet), retrievedAt));
}

function recordsOf(
  sheet: string,
  [header = [], ...lines]: readonly (readonly SheetCell[])[],
  retrievedAt: string,
): readonly ObservationRecord[] {
  const placeOf = (name: string) => {
    const place = header.findIndex((cell) => cell === name);
    if (place < 0) throw new UpstreamError(ID, `expected the column ${name} in ${sheet}, found ${excerpt(header.join(', '), 200)}`);
    return place;
  };
  const horizons = Array.from({ length: HORIZONS }, (_, ahead) => placeOf(`${sheet}F${ahead}`));
  const [date, day] = [placeOf('DATE'), placeOf('GBdate')];
  const found = new Map<string, ObservationRecord>();
  let before = '';
  for (const cells of lines) {
    if (cells.every((cell) => cell === null)) continue;
    const round = roundOf(sheet, cells[date] ?? null, cells[day] ?? null);
    if (round.day <= before) throw new UpstreamError(ID, `the round of ${round.day} follows that of ${before} in ${sheet}`);
    before = round.day;
    if (round.day < (SHEETS[sheet] ?? '')) continue;
    const observedAt = knownAt(round.day, retrievedAt);
    for (const [ahead, place] of horizons.entries()) {
      const value = numberOf(sheet, round.day, cells[place] ?? null);
      if (value === null) continue;
      const target = periodOf('quarterly', addMonths(round.quarter.periodStart, 3 * ahead));
      // If a file makes several rounds known at one moment, the newest of them counts.
      found.set(`${target.period}|${observedAt}`, { seriesCode: sheet, ...target, value, observedAt });
    }
  }
  if (before === '') throw new UpstreamError(ID, `the sheet ${sheet} has no rounds`);
  return [...found.values()];
}

function knownAt(day: string, retrievedAt: string): string {
  const end = endOfDay(addMonths(day, MONTHS_CLOSED));
  return end < retrievedAt ? end : retrievedAt;
}

/** `2016.4` and `20161207`. */
function roundOf(sheet: string, date: SheetCell, day: SheetCell): { readonly day: string; readonly quarter: Period } {
  const [, year, number = ''] = /^(\d{4})\.([1-4])$/.exec(String(date)) ?? [];
  const [, y, m, d] = /^(\d{4})(\d{2})(\d{2})$/.exec(String(day)) ?? [];
  if (year === undefined || y === undefined)
    throw new UpstreamError(ID, `expected quarter and day of a round of ${sheet}, found ${excerpt(`${String(date)} ${String(day)}`)}`);
  return { day: `${y}-${m}-${d}`, quarter: quarterOf(year, number) };
}

function numberOf(sheet: string, day: string, cell: SheetCell): number | null {
  if (cell === null || cell === '' || cell === '#N/A') return null;
  if (typeof cell !== 'number' || !Number.isFinite(cell))
    throw new UpstreamError(ID, `expected a number of ${sheet} in the round of ${day}, found ${excerpt(String(cell))}`);
  return cell;
}
