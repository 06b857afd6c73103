// Bank of Canada, Valet: the daily target for the overnight rate and the Canadian dollar against dollar and euro; values are text.
import { z } from 'zod';
import type { ObservationRecord } from '../../model/record.ts';
import { observationBatches, withoutRepeats } from '../records/batches.ts';
import { bocFeed } from './feed.ts';
import { bocAddress } from './feed.ts';
import { BOC_SERIES } from './feed.ts';
import { readJson } from '../readers/json.ts';
import type { Payload, Source } from '../source.ts';
import { UpstreamError } from '../upstream-error.ts';
import { dailyRecords, expectDay, numberIn } from '../records/daily.ts';

const ID = 'boc';
const FILE = /(?:^|\/)boc\/([A-Z0-9]+)\.json$/;

export const boc: Source = {
  id: ID,
  version: 2,
  owns: (path) => codeOf(path) !== null,
  address: (path) => bocAddress(codeOf(path) ?? ''),
  mediaType: 'application/json',
  knownAt: ({ retrievedAt }) => retrievedAt,
  normalise: (payload) => observationBatches(withoutRepeats(ID, rowsOf(payload))),
  feed: bocFeed,
};

function codeOf(path: string): string | null {
  const code = FILE.exec(path)?.[1];
  return code !== undefined && BOC_SERIES.includes(code) ? code : null;
}

const Value = z.looseObject({ v: z.string().nullable() });

function rowsOf({ key, body, retrievedAt }: Payload): ObservationRecord[] {
  const code = codeOf(key);
  if (code === null) throw new UpstreamError(ID, `expected a series that is read, found ${key}`);
  const Answer = z.looseObject({
    seriesDetail: z.looseObject({ [code]: z.looseObject({ label: z.string() }) }),
    observations: z.array(z.looseObject({ d: z.string(), [code]: Value.optional() })),
  });
  const { observations } = readJson(ID, body, Answer);
  const values = observations.map((row) => {
    const text = z.string().parse(row['d']);
    const day = expectDay(ID, code, text, text);
    const { v } = Value.parse(row[code] ?? { v: null });
    return { day, value: numberIn(ID, code, day, v ?? '') };
  });
  const rows = dailyRecords(code, values, retrievedAt);
  if (rows.length === 0) throw new UpstreamError(ID, `the answer has no values of ${code}`);
  return rows;
}
