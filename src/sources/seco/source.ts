// State Secretariat for Economic Affairs of Switzerland, real-time database: a workbook with a sheet per variable, a row per quarter and a column per
// vintage. Row 10 has the day of a vintage: of the publication for Switzerland, of the extraction for other countries. A vintage without a day is known from the
// end of its quarter of publication, which row 11 has.
import { addMonths, type Period, periodOf, quarterOf } from '../../model/period.ts';
import type { Batch, ObservationRecord } from '../../model/record.ts';
import { observationBatches } from '../records/batches.ts';
import { dayOfCell, type SheetCell, sheetsOf } from '../readers/sheet.ts';
import { excerpt } from '../readers/text.ts';
import { knownOn, type Payload, type Source } from '../source.ts';
import { UpstreamError } from '../upstream-error.ts';
import { knownAtEndOf, revisionsOf, type Vintage, type VintageRow } from '../records/revisions.ts';

const ID = 'seco';
const FILE = /(?:^|\/)seco\/(?:[^/]+\/)?realtime_database\.xlsx$/;
const VOLUME = 'Mio. CHF, real, seasonally adjusted';
/** Sheets, each with the beginning of the line that names its unit. */
const SHEETS: Readonly<Record<string, string>> = {
  gdp: VOLUME,
  gdp_ea: 'Mio. Euro, real, seasonally adjusted',
  gdp_us: 'Mio. USD, real, seasonally adjusted (not annualized',
  gdp_jp: 'Mio. JPY, real, seasonally adjusted (not annualized',
};
/** They came into the workbook over the years: an older one does not have them all. */
const LATER_SHEETS: Readonly<Record<string, string>> = {
  gdp_cssa: 'Mio. CHF, real, seasonally and sport event adjusted',
  cons_gov: VOLUME,
  cons_priv: VOLUME,
  inv_gfcf: VOLUME,
  inv_constr: VOLUME,
  inv_fixed: VOLUME,
  exp: VOLUME,
  imp: VOLUME,
  exp_ex_v: VOLUME,
  imp_ex_v: VOLUME,
  gdp_d: 'Seasonally adjusted',
  cpi_nsa: 'Not seasonally adjusted',
  cpi_sa: 'Seasonally adjusted',
  empl_nsa: 'Full time equivalents, not seasonally adjusted',
  empl_sa: 'Full time equivalents, seasonally adjusted',
  ru_nsa: 'Average of monthly data, not seasonally adjusted',
  ru_sa: 'Average of monthly data, seasonally adjusted',
  ur_nsa: 'Percentage points, not seasonally adjusted',
  ur_sa: 'Percentage points, seasonally adjusted',
};
const UNIT_ROW = 1;
const DAY_ROW = 9;
const QUARTER_ROW = 10;

export const seco: Source = {
  id: ID,
  version: 2,
  owns: (path) => FILE.test(path),
  address: () =>
    'https://www.seco.admin.ch/seco/en/home/wirtschaftslage---wirtschaftspolitik/Wirtschaftslage/bip-quartalsschaetzungen-/daten.html',
  mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  normalise: batchesOf,
};

async function* batchesOf({ body, retrievedAt }: Payload): AsyncGenerator<Batch> {
  const sheets = await sheetsOf(ID, body);
  for (const [sheet, unit] of Object.entries({ ...SHEETS, ...LATER_SHEETS })) {
    const lines = sheets.get(sheet);
    if (lines !== undefined) yield* observationBatches(recordsOf(sheet, unit, lines, retrievedAt));
    else if (sheet in SHEETS)
      throw new UpstreamError(ID, `expected the sheet ${sheet}, found ${excerpt([...sheets.keys()].join(', '), 200)}`);
  }
}

function recordsOf(
  sheet: string,
  unit: string,
  lines: readonly (readonly SheetCell[])[],
  retrievedAt: string,
): Iterable<ObservationRecord> {
  const stated = String(lines[UNIT_ROW]?.[0] ?? '');
  if (!stated.startsWith(unit)) throw new UpstreamError(ID, `expected ${unit} in ${sheet}, found ${excerpt(stated)}`);
  const vintages = vintagesOf(sheet, lines[DAY_ROW] ?? [], lines[QUARTER_ROW] ?? [], retrievedAt);
  const rows = lines.slice(QUARTER_ROW + 1).flatMap((cells): VintageRow[] => {
    const first = cells[0] ?? null;
    return first === null || first === '' ? [] : [{ period: quarterIn(sheet, first), cells }];
  });
  checkRows(sheet, rows);
  return revisionsOf(sheet, rows, vintages, (cell, period) => numberOf(sheet, cell, period));
}

function vintagesOf(
  sheet: string,
  days: readonly SheetCell[],
  [first, ...quarters]: readonly SheetCell[],
  retrievedAt: string,
): readonly Vintage[] {
  if (first !== 'time')
    throw new UpstreamError(ID, `expected time and a column for each vintage in ${sheet}, found ${excerpt(String(first))}`);
  const vintages = quarters.flatMap((quarter, place): Vintage[] => {
    if (quarter === null || quarter === '') return [];
    const [, year, number = ''] = /^(\d{4})q([1-4])$/.exec(String(quarter)) ?? [];
    if (year === undefined) throw new UpstreamError(ID, `expected a quarter of publication in ${sheet}, found ${excerpt(String(quarter))}`);
    const day = dayOfCell(days[place + 1]);
    const published = quarterOf(year, number);
    return [{ place: place + 1, observedAt: day === null ? knownAtEndOf(published, retrievedAt) : knownOn(day, retrievedAt) }];
  });
  if (vintages.length === 0) throw new UpstreamError(ID, `the sheet ${sheet} has no vintages`);
  for (const [place, { observedAt }] of vintages.entries()) {
    if (place > 0 && observedAt <= (vintages[place - 1]?.observedAt ?? ''))
      throw new UpstreamError(ID, `the vintage of ${observedAt.slice(0, 10)} stands after a newer one in ${sheet}`);
  }
  return vintages;
}

/** A quarter is written as its first day. */
function quarterIn(sheet: string, cell: SheetCell): Period {
  const day = dayOfCell(cell);
  const quarter = day === null ? null : periodOf('quarterly', day);
  if (quarter === null || quarter.periodStart !== day)
    throw new UpstreamError(ID, `expected the first day of a quarter in ${sheet}, found ${excerpt(String(cell))}`);
  return quarter;
}

function checkRows(sheet: string, rows: readonly VintageRow[]): void {
  if (rows.length === 0) throw new UpstreamError(ID, `the sheet ${sheet} has no quarters`);
  for (const [place, { period }] of rows.entries()) {
    const before = rows[place - 1]?.period;
    if (before !== undefined && addMonths(before.periodStart, 3) !== period.periodStart)
      throw new UpstreamError(ID, `${period.period} follows ${before.period} in ${sheet}: quarters are missing or out of order`);
  }
}

function numberOf(sheet: string, cell: SheetCell, { period }: Period): number | null {
  if (cell === null || cell === '') return null;
  if (typeof cell !== 'number' || !Number.isFinite(cell))
    throw new UpstreamError(ID, `expected a number of ${sheet} in ${period}, found ${excerpt(String(cell))}`);
  return cell;
}
