// European Commission, DG ECFIN, Business and Consumer Surveys: the main indicators by country, one dated file per release, in the long
// form date,country,series,value. The publisher's sheet has a cell for every month, country and survey; this form leaves out the empty ones.
import { addMonths, isDay, lastDayOfMonth, periodOf } from '../model/period.ts';
import { observationBatches, withoutRepeats } from './batches.ts';
import { readCsv } from './readers/csv.ts';
import { excerpt } from './readers/text.ts';
import type { ObservationRecord } from '../model/record.ts';
import { knownOn, type Payload, type Source, UpstreamError } from './source.ts';

const ID = 'dg_ecfin';

export const dgEcfin: Source = {
  id: ID,
  version: 1,
  owns: (path) => /(?:^|\/)dg-ecfin-bcs\/data_esi_values\.\d{4}-\d{2}-\d{2}\.csv$/.test(path),
  address: () =>
    'https://economy-finance.ec.europa.eu/economic-forecast-and-surveys/business-and-consumer-surveys/download-business-and-consumer-survey-data/time-series_en',
  mediaType: 'text/csv',
  knownAt: ({ key, retrievedAt }) => knownOn(releaseDay(key), retrievedAt),
  normalise: (payload) => observationBatches(rowsOf(payload)),
};

function releaseDay(key: string): string {
  const day = /\.(\d{4}-\d{2}-\d{2})\.csv$/.exec(key)?.[1];
  if (day === undefined || !isDay(day)) throw new UpstreamError(ID, `expected a day in the file name, found ${key}`);
  return day;
}

function rowsOf({ key, body, retrievedAt }: Payload): Iterable<ObservationRecord> {
  const table = readCsv(body, { sourceId: ID, required: ['date', 'country', 'series', 'value'], missing: ['NA'] });
  if (table.rows.length === 0) throw new UpstreamError(ID, 'the file has no rows');
  const [date, country, series, value] = [table.text('date'), table.text('country'), table.text('series'), table.number('value')];
  const observedAt = knownOn(releaseDay(key), retrievedAt);
  const stated = table.rows.map((row) => ({
    month: monthOf(date(row), row.line),
    code: `${codeOf(country(row), row.line)}.${codeOf(series(row), row.line)}`,
    value: value(row),
  }));
  checkMonths(
    stated.map(({ month }) => month),
    releaseDay(key),
  );
  return withoutRepeats(
    ID,
    [...stated, ...emptyCells(stated)].map((cell) => toRecord(cell, observedAt)),
  );
}

interface Cell {
  /** `YYYY-MM` */
  readonly month: string;
  /** Country and survey as the Commission abbreviates them: `EL.CONS`. */
  readonly code: string;
  readonly value: number | null;
}

function toRecord({ month, code, value }: Cell, observedAt: string): ObservationRecord {
  return { seriesCode: code, ...periodOf('monthly', `${month}-01`), value, observedAt };
}

function monthOf(day: string, line: number): string {
  if (!isDay(day) || day !== lastDayOfMonth(day.slice(0, 7)))
    throw new UpstreamError(ID, `expected the last day of a month on line ${line}, found ${excerpt(day)}`);
  return day.slice(0, 7);
}

function codeOf(text: string, line: number): string {
  if (!/^[A-Z][A-Z0-9_]+$/.test(text))
    throw new UpstreamError(ID, `expected a code of country or survey on line ${line}, found ${excerpt(text)}`);
  return text;
}

/** The file states no count of its rows: a month with less than half of the month before it, or an early end, betrays one that was cut. */
function checkMonths(months: readonly string[], released: string): void {
  const counts = new Map<string, number>();
  for (const month of months) counts.set(month, (counts.get(month) ?? 0) + 1);
  const sorted = [...counts.keys()].sort();
  for (const [index, month] of sorted.entries()) {
    const before = sorted[index - 1];
    if (before === undefined) continue;
    if (monthAfter(before) !== month) throw new UpstreamError(ID, `${month} follows ${before}: months are missing`);
    const [rows, rowsBefore] = [counts.get(month) ?? 0, counts.get(before) ?? 0];
    if (2 * rows < rowsBefore)
      throw new UpstreamError(ID, `${month} has ${rows} rows, ${before} has ${rowsBefore}: the file may be truncated`);
  }
  // A month's results come out at its end, those of December in the first days of January.
  const last = sorted.at(-1) ?? '';
  if (last !== released.slice(0, 7) && monthAfter(last) !== released.slice(0, 7))
    throw new UpstreamError(ID, `the file of ${released} ends with ${last}: it may be truncated, or named wrongly`);
}

function monthAfter(month: string): string {
  return addMonths(`${month}-01`, 1).slice(0, 7);
}

/** A reading that an earlier release gave and this one does not was withdrawn: EEI for Luxembourg stood in 2024, and not in 2025. */
function* emptyCells(stated: readonly Cell[]): Generator<Cell> {
  const months = new Set(stated.map(({ month }) => month));
  const countries = new Set(stated.map(({ code }) => code.split('.')[0]));
  const surveys = new Set(stated.map(({ code }) => code.split('.')[1]));
  const given = new Set(stated.map(({ month, code }) => `${month} ${code}`));
  for (const month of months) {
    for (const country of countries) {
      for (const survey of surveys) {
        const code = `${country}.${survey}`;
        if (!given.has(`${month} ${code}`)) yield { month, code, value: null };
      }
    }
  }
}
