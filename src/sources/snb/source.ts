// Swiss National Bank, its data portal: the policy rate and SARON at the close of trading, from the cube of current rates.
import { z } from 'zod';
import type { ObservationRecord } from '../../model/record.ts';
import { observationBatches, withoutRepeats } from '../records/batches.ts';
import { snbFeed } from './feed.ts';
import { SNB_ADDRESS } from './feed.ts';
import { SNB_CODES } from './feed.ts';
import { readJson, StatedNumber } from '../readers/json.ts';
import { excerpt } from '../readers/text.ts';
import type { Payload, Source } from '../source.ts';
import { UpstreamError } from '../upstream-error.ts';
import { dailyRecords, expectDay } from '../records/daily.ts';

const ID = 'snb';
const FILE = /(?:^|\/)snb\/snbgwdzid\.json$/;

export const snb: Source = {
  id: ID,
  version: 2,
  owns: (path) => FILE.test(path),
  address: () => SNB_ADDRESS,
  mediaType: 'application/json',
  knownAt: ({ retrievedAt }) => retrievedAt,
  normalise: (payload) => observationBatches(withoutRepeats(ID, rowsOf(payload))),
  feed: snbFeed,
};

const Series = z.looseObject({
  metadata: z.looseObject({ key: z.string(), frequency: z.string(), scale: z.string(), unit: z.string() }),
  values: z.array(z.looseObject({ date: z.string(), value: StatedNumber.nullable() })),
});

function rowsOf({ body, retrievedAt }: Payload): ObservationRecord[] {
  const { timeseries } = readJson(ID, body, z.looseObject({ timeseries: z.array(Series) }));
  return SNB_CODES.flatMap((code) => {
    const found = timeseries.filter(({ metadata }) => metadata.key.endsWith(`.snbgwdzid{${code}}`));
    const [series] = found;
    if (series === undefined || found.length > 1) throw new UpstreamError(ID, `expected one series ${code}, found ${found.length}`);
    return seriesRows(code, series, retrievedAt);
  });
}

/** Other rates of the cube are basis points and factors under the same unit. */
function seriesRows(code: string, { metadata, values }: z.infer<typeof Series>, observedAt: string): ObservationRecord[] {
  const { frequency, scale, unit } = metadata;
  if (!/^P1D(?:_|$)/.test(frequency) || scale !== '' || unit !== 'In percent')
    throw new UpstreamError(ID, `expected days in percent of ${code}, found ${excerpt([frequency, scale, unit].join(', '))}`);
  const rows = dailyRecords(
    code,
    values.map(({ date, value }) => ({ day: expectDay(ID, code, date, date), value })),
    observedAt,
  );
  if (rows.length === 0) throw new UpstreamError(ID, `the answer has no values of ${code}`);
  return rows;
}
