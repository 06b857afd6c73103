// Bank of Japan: the unsecured overnight call rate and the yen against the dollar at nine in Tokyo, by day. Errors also have status 200, with the error in the
// answer's own STATUS. LAST_UPDATE is a day of the whole series, not of a value: values are known from their download.
import { z } from 'zod';
import type { ObservationRecord } from '../../model/record.ts';
import { observationBatches, withoutRepeats } from '../records/batches.ts';
import { bojFeed } from './feed.ts';
import { bojAddress } from './feed.ts';
import { BOJ_DATABASES } from './feed.ts';
import { readJson, StatedNumber } from '../readers/json.ts';
import { excerpt } from '../readers/text.ts';
import type { Payload, Source } from '../source.ts';
import { UpstreamError } from '../upstream-error.ts';
import { dailyRecords, expectDay } from '../records/daily.ts';

const ID = 'boj';
/** If an answer is incomplete, it continues at a position. */
const FILE = /(?:^|\/)(?:boj\/([A-Z0-9]+)(?:\.(\d+))?\.json|central-banks\/boj-data\.json)$/;

/** Code → its unit. */
const UNITS: Readonly<Record<string, RegExp>> = { FXERD01: /^Yen per U\.S\. Dollar$/i, STRDCLUCON: /^percent(?: per annum)?$/i };

export const boj: Source = {
  id: ID,
  version: 2,
  owns: (path) => FILE.test(path) && databaseOf(path) in BOJ_DATABASES,
  address: (path) => bojAddress(databaseOf(path), FILE.exec(path)?.[2] ?? null),
  mediaType: 'application/json',
  knownAt: ({ retrievedAt }) => retrievedAt,
  normalise: (payload) => observationBatches(withoutRepeats(ID, rowsOf(payload))),
  feed: bojFeed,
};

function databaseOf(path: string): string {
  return FILE.exec(path)?.[1] ?? 'FM08';
}

const Series = z.looseObject({
  SERIES_CODE: z.string(),
  UNIT: z.string(),
  FREQUENCY: z.string(),
  VALUES: z.looseObject({ SURVEY_DATES: z.array(z.int()), VALUES: z.array(StatedNumber.nullable()) }),
});
const Said = z.looseObject({ STATUS: z.int(), MESSAGE: z.string() });
const Answer = z.looseObject({ RESULTSET: z.array(Series) });

function rowsOf({ key, body, retrievedAt }: Payload): ObservationRecord[] {
  const { STATUS, MESSAGE } = readJson(ID, body, Said);
  if (STATUS !== 200) throw new UpstreamError(ID, `the answer is ${STATUS}: ${excerpt(MESSAGE, 200)}`, { retriable: STATUS >= 500 });
  const { RESULTSET: series } = readJson(ID, body, Answer);
  const codes = BOJ_DATABASES[databaseOf(key)] ?? [];
  const rows = series.flatMap((one) => {
    if (!codes.includes(one.SERIES_CODE)) throw new UpstreamError(ID, `expected ${codes.join(', ')}, found ${excerpt(one.SERIES_CODE)}`);
    return seriesRows(one, retrievedAt);
  });
  if (rows.length === 0) throw new UpstreamError(ID, 'the answer has no rows');
  return rows;
}

function seriesRows(
  { SERIES_CODE: code, UNIT, FREQUENCY, VALUES: { SURVEY_DATES: dates, VALUES: values } }: z.infer<typeof Series>,
  at: string,
) {
  if (FREQUENCY !== 'DAILY') throw new UpstreamError(ID, `expected days of ${code}, found ${excerpt(FREQUENCY)}`);
  if (UNITS[code]?.test(UNIT) !== true) throw new UpstreamError(ID, `expected another unit of ${code}, found ${excerpt(UNIT)}`);
  if (dates.length !== values.length) throw new UpstreamError(ID, `${code} has ${dates.length} dates and ${values.length} values`);
  const days = dates.map((date, index) => {
    const day = String(date).replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3');
    return { day: expectDay(ID, code, day, String(date)), value: values[index] ?? null };
  });
  return dailyRecords(code, days, at);
}
