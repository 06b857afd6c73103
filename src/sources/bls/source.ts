// US Bureau of Labor Statistics, answers of its public data API: the newest values of single series, without vintages.
import { z } from 'zod';
import { isDay, lastDayOfMonth, periodOf } from '../../model/period.ts';
import type { ObservationRecord, RefusedRecord } from '../../model/record.ts';
import { observationBatches, withoutRepeats } from '../records/batches.ts';
import { blsFeed } from './feed.ts';
import { parseNumber, readCsv } from '../readers/csv.ts';
import { checkJson, parseJson } from '../readers/json.ts';
import { statusField } from '../readers/obs-status.ts';
import { excerpt } from '../readers/text.ts';
import { knownOn, type Payload, type Source } from '../source.ts';
import { UpstreamError } from '../upstream-error.ts';
import type { Batch } from '../../model/record.ts';

const ID = 'bls';
/** A file with all values of a survey, in a folder named by its month or year. */
const FLAT = /(?:^|\/)bls\/(\d{4}(?:-\d{2})?)\/cu\.data\.1\.AllItems(?:\.txt)?$/;
const FILE = /(?:^|\/)bls\/(?:bls-api\.[^/]*|timeseries\.([A-Z0-9]+))\.json$/;

export const bls: Source = {
  id: ID,
  version: 2,
  owns: (path) => FILE.test(path) || FLAT.test(path),
  address: (path) =>
    FLAT.test(path)
      ? 'https://download.bls.gov/pub/time.series/cu/cu.data.1.AllItems'
      : `https://api.bls.gov/publicAPI/v1/timeseries/data/${FILE.exec(path)?.[1] ?? ''}`,
  mediaType: 'application/json',
  knownAt,
  normalise: (payload) => (FLAT.test(payload.key) ? observationBatches(withoutRepeats(ID, flatRows(payload))) : readAnswer(payload)),
  feed: blsFeed,
};

/** A file in a folder states no day: it is known from the end of the month or year that the folder names, or from an earlier retrieval. */
function knownAt({ key, retrievedAt }: Pick<Payload, 'key' | 'retrievedAt'>): string {
  const named = FLAT.exec(key)?.[1];
  if (named === undefined) return retrievedAt;
  const end = knownOn(named.length === 4 ? `${named}-12-31` : lastDayOfMonth(named), retrievedAt);
  return end < retrievedAt ? end : retrievedAt;
}

const ALL_ITEMS = new Set(['CUSR0000SA0', 'CUUR0000SA0']);

function flatRows({ key, body, retrievedAt }: Payload): ObservationRecord[] {
  const required = ['series_id', 'year', 'period', 'value'];
  const table = readCsv(body, { sourceId: ID, required, delimiter: '\t', trim: true, missing: ['-'] });
  const [series, year, period, value] = [table.text('series_id'), table.text('year'), table.text('period'), table.number('value')];
  const footnotes = table.columns.includes('footnote_codes') ? table.text('footnote_codes') : () => '';
  const observedAt = knownAt({ key, retrievedAt });
  const rows = table.rows.flatMap((row): ObservationRecord[] => {
    const month = /^M(0[1-9]|1[0-2])$/.exec(period(row))?.[1];
    if (!ALL_ITEMS.has(series(row)) || month === undefined) return [];
    const day = `${year(row)}-${month}-01`;
    if (!isDay(day)) throw new UpstreamError(ID, `expected a month on line ${row.line}, found ${excerpt(`${year(row)} ${period(row)}`)}`);
    const status = statusOf(footnotes(row).split(','));
    return [{ seriesCode: series(row), ...periodOf('monthly', day), value: value(row), observedAt, ...statusField(status) }];
  });
  if (rows.length === 0) throw new UpstreamError(ID, 'the file has no rows of all items');
  return rows;
}

/** The code of a preliminary value. The other footnotes are notes about a series or a month. */
const statusOf = (footnotes: readonly (string | null | undefined)[]): string | undefined => (footnotes.includes('P') ? 'P' : undefined);

const Row = z.looseObject({
  year: z.string().regex(/^\d{4}$/),
  period: z.string(),
  value: z.string(),
  footnotes: z.array(z.looseObject({ code: z.string().nullish() })).nullish(),
});
const Answer = z.looseObject({
  status: z.string(),
  message: z.array(z.string()),
  Results: z.union([
    z.looseObject({ series: z.array(z.looseObject({ seriesID: z.string(), data: z.array(Row) })) }),
    // A refusal has no data.
    z.looseObject({}),
  ]),
});

function* readAnswer({ key, body, retrievedAt }: Payload): Generator<Batch> {
  const answer = checkJson(ID, unwrapped(parseJson(ID, body)), Answer);
  const said = answer.message.length === 0 ? '' : `: ${excerpt(answer.message.join('; '), 200)}`;
  if (answer.status !== 'REQUEST_SUCCEEDED') throw new UpstreamError(ID, `the answer is ${answer.status}${said}`, { retriable: true });
  const series = z.array(z.looseObject({ seriesID: z.string(), data: z.array(Row) })).safeParse(answer.Results['series']).data ?? [];
  if (!series.some(({ data }) => data.length > 0)) throw new UpstreamError(ID, `the answer has no rows${said}`);
  const named = FILE.exec(key)?.[1];
  const other = series.find(({ seriesID }) => named !== undefined && seriesID !== named);
  if (other !== undefined) throw new UpstreamError(ID, `expected the series ${named}, found ${excerpt(other.seriesID)}`);
  const rows: ObservationRecord[] = [];
  const refused: RefusedRecord[] = [];
  for (const { seriesID, data } of series) {
    if (data.length === 0) refused.push(absent(seriesID, said));
    for (const row of data) {
      const record = toRecord(seriesID, row, retrievedAt);
      if (record !== null) rows.push(record);
    }
  }
  yield* observationBatches(withoutRepeats(ID, rows));
  if (refused.length > 0) yield { kind: 'refused', rows: refused };
}

/** A third party stores answers as `{ updated, data }`. */
function unwrapped(value: unknown): unknown {
  const wrapped = z.looseObject({ updated: z.string(), data: z.unknown() }).safeParse(value);
  return wrapped.success ? wrapped.data.data : value;
}

/** M13 is the mean of the year, not a month. */
function toRecord(
  seriesCode: string,
  { year, period, value, footnotes }: z.infer<typeof Row>,
  observedAt: string,
): ObservationRecord | null {
  if (period === 'M13') return null;
  const day = `${year}-${/^M(\d{2})$/.exec(period)?.[1]}-01`;
  if (!isDay(day)) throw new UpstreamError(ID, `expected a month of ${seriesCode}, found ${excerpt(`${year} ${period}`)}`);
  // Not collected: October 2025.
  const number = value === '-' ? null : parseNumber(value);
  if (number === null && value !== '-')
    throw new UpstreamError(ID, `expected a number of ${seriesCode} for ${day.slice(0, 7)}, found ${excerpt(value)}`);
  return {
    seriesCode,
    ...periodOf('monthly', day),
    value: number,
    observedAt,
    ...statusField(statusOf(footnotes?.map(({ code }) => code) ?? [])),
  };
}

function absent(seriesCode: string, said: string): RefusedRecord {
  return {
    rule: 'identity_unresolved',
    seriesCode,
    entityId: null,
    period: null,
    fieldPath: 'data',
    observedValue: null,
    reason: `the answer has no rows of it${said}`,
  };
}
