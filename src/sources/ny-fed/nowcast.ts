// Federal Reserve Bank of New York, Staff Nowcast: the workbook of all weekly forecasts of GDP growth, with a row per forecast day and a column per
// quarter. The workbook states that quarters before 2016 were reconstructed later: they are not read, because nobody knew them then. The Bank published its
// first report on 15 April 2016, and none between September 2021 and 8 September 2023 (its press release of that day).
import { type Period, quarterOf } from '../../model/period.ts';
import type { Batch, ObservationRecord } from '../../model/record.ts';
import { observationBatches } from '../records/batches.ts';
import { dayOfCell, type SheetCell, sheetRows } from '../readers/sheet.ts';
import { excerpt } from '../readers/text.ts';
import { knownOn, type Payload, type Source } from '../source.ts';
import { UpstreamError } from '../upstream-error.ts';

const ID = 'ny_fed_nowcast';
const FILE = /(?:^|\/)ny-fed\/nowcast\/(?:[^/]+\/)?New-York-Fed-Staff-Nowcast_data_2002-present\.xlsx$/;
const SHEET = 'Forecasts By Quarter';
const FIRST_QUARTER = '2016-Q1';
const FIRST_DAY = '2016-04-15';
const PAUSE = { from: '2021-09-04', to: '2023-09-07' };

export const nyFedNowcast: Source = {
  id: ID,
  version: 1,
  owns: (path) => FILE.test(path),
  address: () =>
    'https://www.newyorkfed.org/medialibrary/Research/Interactives/Data/NowCast/Downloads/New-York-Fed-Staff-Nowcast_data_2002-present.xlsx',
  mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  normalise: batchesOf,
};

async function* batchesOf({ body, retrievedAt }: Payload): AsyncGenerator<Batch> {
  const lines = await sheetRows(ID, body, SHEET);
  const begin = lines.findIndex(([first]) => first === 'Forecast Date');
  if (begin < 0) throw new UpstreamError(ID, `expected the column Forecast Date in the sheet ${SHEET}`);
  const quarters = (lines[begin] ?? []).map((cell, place) => (place === 0 || cell === null ? null : quarterIn(cell)));
  const records: ObservationRecord[] = [];
  let before = '';
  for (const [first = null, ...cells] of lines.slice(begin + 1)) {
    if (first === null) continue;
    const day = dayOfCell(first);
    if (day === null || day <= before) throw new UpstreamError(ID, `expected a day after ${before}, found ${excerpt(String(first))}`);
    before = day;
    const isPublished = day >= FIRST_DAY && !(day >= PAUSE.from && day <= PAUSE.to);
    if (isPublished) records.push(...nowcastsOf(day, cells, quarters, knownOn(day, retrievedAt)));
  }
  if (records.length === 0) throw new UpstreamError(ID, 'the workbook has no forecasts that were made in real time');
  yield* observationBatches(records);
}

/** A line about the quarters above its cells. */
function nowcastsOf(
  day: string,
  cells: readonly SheetCell[],
  quarters: readonly (Period | null)[],
  observedAt: string,
): ObservationRecord[] {
  return cells.flatMap((cell, place) => {
    const quarter = quarters[place + 1] ?? null;
    if (cell === null || cell === '' || quarter === null || quarter.period < FIRST_QUARTER) return [];
    if (typeof cell !== 'number') throw new UpstreamError(ID, `expected a number of ${day}, found ${excerpt(String(cell))}`);
    return [{ seriesCode: 'GDP', ...quarter, value: cell, observedAt }];
  });
}

/** `2020Q2`. */
function quarterIn(cell: SheetCell): Period {
  const [, year = '', number] = /^(\d{4})Q([1-4])$/.exec(String(cell)) ?? [];
  if (number === undefined) throw new UpstreamError(ID, `expected a quarter such as 2020Q2, found ${excerpt(String(cell))}`);
  return quarterOf(year, number);
}
