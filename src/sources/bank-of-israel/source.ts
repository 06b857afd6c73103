// Bank of Israel: its daily policy rate, and the representative rates of the shekel against dollar, euro and pound.
import { observationBatches } from '../records/batches.ts';
import { bankOfIsraelFeed } from './feed.ts';
import { BANK_OF_ISRAEL_FILES } from './feed.ts';
import type { Payload, Source } from '../source.ts';
import { csvReadings, type ListedSeries, type Reading, recordsOf, xmlReadings } from '../records/listed-series.ts';

const ID = 'bank_of_israel';
const FILE = /(?:^|\/)(?:bank[-_]of[-_]israel\/(BR|EXR\.(?:EUR|GBP|USD))\.csv|central-banks\/boi-data\.xml)$/;

const RATES = { prefix: 'EXR.', ids: ['SERIES_CODE', 'FREQ', 'BASE_CURRENCY', 'COUNTER_CURRENCY', 'UNIT_MEASURE', 'DATA_TYPE'] };
const POLICY_RATE = { prefix: 'BR.', ids: ['SERIES_CODE', 'FREQ', 'IR_FV_TYPE'] };

/** Rates of some currencies are per ten or hundred units. */
const ONE_UNIT: ListedSeries = { frequency: 'daily', expected: { UNIT_MULT: '0' } };
const LISTED: ReadonlyMap<string, ListedSeries> = new Map([
  ...['EUR', 'GBP', 'USD'].map((currency) => [`EXR.RER_${currency}_ILS.D.${currency}.ILS.ILS.OF00`, ONE_UNIT] as const),
  ['BR.MNT_RIB_BOI_D.D.RIB_BOI', { frequency: 'daily', expected: { UNIT_MEASURE: 'PT', UNIT_MULT: '0' } }],
]);

export const bankOfIsrael: Source = {
  id: ID,
  version: 2,
  owns: (path) => FILE.test(path),
  address: (path) => BANK_OF_ISRAEL_FILES[FILE.exec(path)?.[1] ?? 'EXR.GBP'] ?? null,
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
  feed: bankOfIsraelFeed,
};

function readingsOf({ key, body }: Payload): Iterable<Reading> {
  if (key.endsWith('.xml')) return xmlReadings(ID, body, { EXR: RATES, BR: POLICY_RATE });
  return csvReadings(body, { sourceId: ID }, FILE.exec(key)?.[1] === 'BR' ? POLICY_RATE : RATES);
}
