// Sveriges Riksbank: its policy rate and the krona against euro and dollar, a JSON list of days each. The answer does not name its series: its key does.
import { z } from 'zod';
import { observationBatches, withoutRepeats } from '../records/batches.ts';
import { riksbankFeed } from './feed.ts';
import { riksbankAddress } from './feed.ts';
import { RIKSBANK_SERIES } from './feed.ts';
import { readJson, StatedNumber } from '../readers/json.ts';
import type { Payload, Source } from '../source.ts';
import { UpstreamError } from '../upstream-error.ts';
import type { ObservationRecord } from '../../model/record.ts';
import { dailyRecords, expectDay } from '../records/daily.ts';

const ID = 'riksbank';
const FILE = /(?:^|\/)riksbank\/([A-Z]+)\.json$/;

export const riksbank: Source = {
  id: ID,
  version: 2,
  owns: (path) => codeOf(path) !== null,
  address: (path) => riksbankAddress(codeOf(path) ?? ''),
  mediaType: 'application/json',
  knownAt: ({ retrievedAt }) => retrievedAt,
  normalise: (payload) => observationBatches(withoutRepeats(ID, rowsOf(payload))),
  feed: riksbankFeed,
};

function codeOf(path: string): string | null {
  const code = FILE.exec(path)?.[1];
  return code !== undefined && code in RIKSBANK_SERIES ? code : null;
}

const Answer = z.array(z.looseObject({ date: z.string(), value: StatedNumber.nullable() }));

function rowsOf({ key, body, retrievedAt }: Payload): ObservationRecord[] {
  const code = codeOf(key);
  if (code === null) throw new UpstreamError(ID, `expected a series that is read, found ${key}`);
  const answer = readJson(ID, body, Answer);
  if (answer.length === 0) throw new UpstreamError(ID, 'the answer has no rows');
  return dailyRecords(
    code,
    answer.map(({ date, value }) => ({ day: expectDay(ID, code, date, date), value })),
    retrievedAt,
  );
}
