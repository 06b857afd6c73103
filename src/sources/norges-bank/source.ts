// Norges Bank: its policy rate and the krone against dollar and euro, on business days. Only business days have a rate: a policy rate
// holds until the next one.
import { observationBatches } from '../records/batches.ts';
import { norgesBankFeed } from './feed.ts';
import { NORGES_BANK_FILES } from './feed.ts';
import type { Payload, Source } from '../source.ts';
import { csvReadings, type ListedSeries, type Reading, recordsOf, xmlReadings } from '../records/listed-series.ts';

const ID = 'norges_bank';
const FILE = /(?:^|\/)(?:norges[-_]bank\/(EXR|IR)\.csv|central-banks\/nob-data\.xml)$/;

const RATES = { prefix: 'EXR.', ids: ['FREQ', 'BASE_CUR', 'QUOTE_CUR', 'TENOR'] };
const POLICY_RATE = { prefix: 'IR.', ids: ['FREQ', 'INSTRUMENT_TYPE', 'TENOR', 'UNIT_MEASURE'] };

/** Rates of some currencies are per hundred units. */
const ONE_UNIT: ListedSeries = { frequency: 'daily', expected: { UNIT_MULT: '0' } };
const LISTED: ReadonlyMap<string, ListedSeries> = new Map([
  ['EXR.B.EUR.NOK.SP', ONE_UNIT],
  ['EXR.B.USD.NOK.SP', ONE_UNIT],
  ['IR.B.KPRA.SD.R', { frequency: 'daily', expected: {} }],
]);

export const norgesBank: Source = {
  id: ID,
  version: 2,
  owns: (path) => FILE.test(path),
  address: (path) => NORGES_BANK_FILES[FILE.exec(path)?.[1] ?? 'EXR'] ?? null,
  mediaType: 'text/csv',
  knownAt: ({ retrievedAt }) => retrievedAt,
  normalise: (payload) =>
    observationBatches(
      recordsOf(
        ID,
        readingsOf(payload),
        (code) => LISTED.get(code) ?? null,
        () => payload.retrievedAt,
      ),
    ),
  feed: norgesBankFeed,
};

function readingsOf({ key, body }: Payload): Iterable<Reading> {
  if (key.endsWith('.xml')) return xmlReadings(ID, body, { EXR: RATES, IR: POLICY_RATE });
  return csvReadings(body, { sourceId: ID, delimiter: ';' }, FILE.exec(key)?.[1] === 'IR' ? POLICY_RATE : RATES);
}
