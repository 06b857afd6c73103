// Banco Central do Brasil, its time series: the daily target of the Selic rate and the dollar, the monthly change of consumer prices (IPCA). An answer does
// not name its series, but its key does. The target includes days up to the next meeting: future days are skipped until they arrive.
import { Temporal } from 'temporal-polyfill';
import { z } from 'zod';
import { periodOf } from '../../model/period.ts';
import type { ObservationRecord } from '../../model/record.ts';
import { observationBatches, withoutRepeats } from '../records/batches.ts';
import { bcbFeed } from './feed.ts';
import { bcbAddress } from './feed.ts';
import { BCB_SERIES } from './feed.ts';
import { readJson } from '../readers/json.ts';
import { excerpt } from '../readers/text.ts';
import type { Payload, Source } from '../source.ts';
import { UpstreamError } from '../upstream-error.ts';
import { dailyRecords, expectDay, numberIn } from '../records/daily.ts';

const ID = 'bcb';
const FILE = /(?:^|\/)bcb\/(\d+)(?:\.(\d{4}))?\.json$/;

export const bcb: Source = {
  id: ID,
  version: 2,
  owns: (path) => codeOf(path) !== null,
  address: (path) => bcbAddress(codeOf(path) ?? '', FILE.exec(path)?.[2] ?? null),
  mediaType: 'application/json',
  knownAt: ({ retrievedAt }) => retrievedAt,
  normalise: (payload) => observationBatches(withoutRepeats(ID, rowsOf(payload))),
  feed: bcbFeed,
};

/** Daily series come in windows, which the key names by their first year. */
function codeOf(path: string): string | null {
  const [, code, first] = FILE.exec(path) ?? [];
  if (code === undefined) return null;
  const series = BCB_SERIES[code];
  return series !== undefined && (series.frequency === 'daily') === (first !== undefined) ? code : null;
}

const Answer = z.array(z.looseObject({ data: z.string(), valor: z.string() }));

function rowsOf({ key, body, retrievedAt }: Payload): ObservationRecord[] {
  const code = codeOf(key);
  if (code === null) throw new UpstreamError(ID, `expected a series that is read, found ${key}`);
  const answer = readJson(ID, body, Answer);
  if (answer.length === 0) throw new UpstreamError(ID, 'the answer has no rows');
  const today = Temporal.Instant.from(retrievedAt).toZonedDateTimeISO('America/Sao_Paulo').toPlainDate().toString();
  const values = answer
    .map(({ data, valor }) => ({ day: dayOf(code, data), text: valor }))
    .filter(({ day }) => day <= today)
    .map(({ day, text }) => ({ day, value: numberIn(ID, code, day, text) }));
  return BCB_SERIES[code]?.frequency === 'monthly' ? monthlyRecords(code, values, retrievedAt) : dailyRecords(code, values, retrievedAt);
}

function monthlyRecords(code: string, values: readonly { readonly day: string; readonly value: number | null }[], observedAt: string) {
  const within = values.find(({ day }) => !day.endsWith('-01'));
  if (within !== undefined) throw new UpstreamError(ID, `expected months of ${code}, found ${within.day}`);
  return values.map(({ day, value }) => ({ seriesCode: code, ...periodOf('monthly', day), value, observedAt }));
}

/** `31/12/2026`. */
function dayOf(code: string, text: string): string {
  const [, day, month, year] = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(text) ?? [];
  if (year === undefined) throw new UpstreamError(ID, `expected a day of ${code}, found ${excerpt(text)}`);
  return expectDay(ID, code, `${year}-${month}-${day}`, text);
}
