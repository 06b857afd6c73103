// European Commission, DG ECFIN, Business and Consumer Surveys: the main indicators by country. One archive a month, in which the publisher's sheet has a cell for
// every month, country and survey; and dated files in a folder, one per release, in the long form date,country,series,value without empty cells.
import { addMonths, isDay, lastDayOfMonth, periodOf } from '../../model/period.ts';
import { observationBatches, withoutRepeats } from '../records/batches.ts';
import { archiveAddress, archiveKnownBy, archiveMonthOf, dgEcfinFeed } from './feed.ts';
import { readEcfinArchive } from './archive.ts';
import { readCsv } from '../readers/csv.ts';
import { excerpt } from '../readers/text.ts';
import type { Batch, ObservationRecord } from '../../model/record.ts';
import { knownOn, type Payload, type Source } from '../source.ts';
import { UpstreamError } from '../upstream-error.ts';

const ID = 'dg_ecfin';
const TABLE = /(?:^|\/)dg-ecfin-bcs\/data_esi_values\.\d{4}-\d{2}-\d{2}\.csv$/;
const LANDING =
  'https://economy-finance.ec.europa.eu/economic-forecast-and-surveys/business-and-consumer-surveys/download-business-and-consumer-survey-data/time-series_en';

export const dgEcfin: Source = {
  id: ID,
  version: 2,
  owns: (path) => TABLE.test(path) || archiveMonthOf(path) !== null,
  address: (path) => {
    const month = archiveMonthOf(path);
    return month === null ? LANDING : archiveAddress(month);
  },
  mediaType: 'text/csv',
  knownAt: (payload) => {
    const month = archiveMonthOf(payload.key);
    return month === null ? knownOn(releaseDay(payload.key), payload.retrievedAt) : archiveKnownAt(month, payload);
  },
  normalise: (payload) => {
    const month = archiveMonthOf(payload.key);
    return month === null ? observationBatches(rowsOf(payload)) : archiveBatches(month, payload);
  },
  feed: dgEcfinFeed,
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
  const stated = table.rows.map((row) => ({
    month: monthOf(date(row), row.line),
    code: `${codeOf(country(row), row.line)}.${codeOf(series(row), row.line)}`,
    value: value(row),
  }));
  return recordsOf(stated, releaseDay(key), knownOn(releaseDay(key), retrievedAt));
}

function recordsOf(stated: readonly Cell[], released: string, observedAt: string): Iterable<ObservationRecord> {
  checkMonths(
    stated.map(({ month }) => month),
    released,
  );
  return withoutRepeats(
    ID,
    [...stated, ...emptyCells(stated)].map((cell) => toRecord(cell, observedAt)),
  );
}

async function* archiveBatches(month: string, payload: Payload): AsyncGenerator<Batch> {
  const { cells } = await readEcfinArchive(ID, payload.body);
  const stated = cells.filter(({ value }) => value !== null);
  if (stated.length === 0) throw new UpstreamError(ID, 'the sheet has no values');
  yield* observationBatches(recordsOf(stated, `${month}-01`, await archiveKnownAt(month, payload)));
}

/**
 * A retrieval while its month was open counts as the knowledge time. The sheet of an older archive has its last saving time: if that was early enough,
 * its values were published by the end of the following month. A sheet that was saved later replaced the earlier values
 * at an unknown time.
 */
async function archiveKnownAt(month: string, { body, retrievedAt }: Payload): Promise<string> {
  const end = archiveKnownBy(month);
  if (retrievedAt <= end) return retrievedAt;
  const { savedAt } = await readEcfinArchive(ID, body);
  if (savedAt === null || savedAt > end)
    throw new UpstreamError(
      ID,
      `the archive of ${month} was saved at ${savedAt ?? 'a time that it does not say'}: since when it was known cannot be told`,
    );
  return end;
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

/** The file states no number of rows: a month with less than half the rows of the previous month, or an early end, means that it is truncated. */
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
  // A month's results are published at its end, those of December in the first days of January.
  const last = sorted.at(-1) ?? '';
  if (last !== released.slice(0, 7) && monthAfter(last) !== released.slice(0, 7))
    throw new UpstreamError(ID, `the file of ${released} ends with ${last}: it may be truncated, or named wrongly`);
}

function monthAfter(month: string): string {
  return addMonths(`${month}-01`, 1).slice(0, 7);
}

/** A reading of an earlier release that this one lacks was withdrawn: EEI for Luxembourg was in 2024, but not in 2025. */
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
