// European Central Bank, its data portal: the three key rates by day, the euro short-term rate, and monthly means of currency reference rates.
import { observationBatches } from '../records/batches.ts';
import { ecbDataFeed } from './data-feed.ts';
import { ECB_DATA_FILES } from './data-feed.ts';
import type { Payload, Source } from '../source.ts';
import { csvReadings, type ListedSeries, type Reading, recordsOf, xmlReadings } from '../records/listed-series.ts';

const ID = 'ecb_data';
const FILE =
  /(?:^|\/)(?:ecb[-_]data\/(EST|EXR|FM)\.csv|central-banks\/ecb-data-fm\.xml|sdmx\/ecb\/EXR\.M\.[A-Z]{3}\.EUR\.SP00\.A\.generic-2\.1\.xml)$/;

const STRUCTURES = {
  ECB_FMD2: {
    prefix: 'FM.',
    ids: ['FREQ', 'REF_AREA', 'CURRENCY', 'PROVIDER_FM', 'INSTRUMENT_FM', 'PROVIDER_FM_ID', 'DATA_TYPE_FM'],
  },
  ECB_EXR1: { prefix: 'EXR.', ids: ['FREQ', 'CURRENCY', 'CURRENCY_DENOM', 'EXR_TYPE', 'EXR_SUFFIX'] },
};
/** In CSV the key of the series has its own column. */
const KEY = { prefix: '', ids: ['KEY'] };

const KEY_RATE: ListedSeries = { frequency: 'daily', expected: { UNIT: 'PCPA', UNIT_MULT: '0' } };
const LISTED: ReadonlyMap<string, ListedSeries> = new Map([
  ['EST.B.EU000A2X2A25.WT', { frequency: 'daily', expected: { UNIT_MEASURE: 'PC', UNIT_MULT: '0' } }],
  ...['DFR', 'MLFR', 'MRR_FR'].map((rate) => [`FM.D.U2.EUR.4F.KR.${rate}.LEV`, KEY_RATE] as const),
]);

export const ecbData: Source = {
  id: ID,
  version: 2,
  owns: (path) => FILE.test(path),
  address: (path) => ECB_DATA_FILES[FILE.exec(path)?.[1] ?? (path.includes('ecb-data-fm') ? 'FM' : 'EXR')] ?? null,
  mediaType: 'text/csv',
  knownAt: ({ retrievedAt }) => retrievedAt,
  normalise: (payload) => observationBatches(recordsOf(ID, readingsOf(payload), listedAs, () => payload.retrievedAt)),
  feed: ecbDataFeed,
};

function readingsOf({ key, body }: Payload): Iterable<Reading> {
  return key.endsWith('.xml') ? xmlReadings(ID, body, STRUCTURES) : csvReadings(body, { sourceId: ID }, KEY);
}

function listedAs(code: string): ListedSeries | null {
  const currency = /^EXR\.M\.([A-Z]{3})\.EUR\.SP00\.A$/.exec(code)?.[1];
  if (currency === undefined) return LISTED.get(code) ?? null;
  return {
    frequency: 'monthly',
    expected: { UNIT: currency, UNIT_MULT: '0' },
    described: {
      canonicalId: 'ecb_reference_rate_monthly',
      entityId: `cur_${currency.toLowerCase()}`,
      unit: 'national_currency_per_eur',
    },
  };
}
