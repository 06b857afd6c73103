// Deutsche Bundesbank: yields of listed Federal securities by residual maturity, from its daily estimate of the term structure. An answer names no release;
// a changed value of a past day is a revision. Days without trading have no value.
import { observationBatches } from '../records/batches.ts';
import { bundesbankFeed } from './feed.ts';
import { bundesbankYield } from './feed.ts';
import { BUNDESBANK_MATURITIES } from './feed.ts';
import type { Source } from '../source.ts';
import { type ListedSeries, recordsOf, xmlReadings } from '../records/listed-series.ts';

const ID = 'bundesbank';
const FILE = /(?:^|\/)(?:bundesbank\/BBSIS\.(R\d{2}XX)\.xml|central-banks\/bbk-data\.xml)$/;

const DIMENSIONS = [
  'BBK_STD_FREQ',
  'BBK_SEIS_BEARER_REG',
  'BBK_SEIS_ITEM',
  'BBK_SEIS_VALUATION',
  'BBK_STD_CURRENCY',
  'BBK_SEIS_ISSUER_CLASS',
  'BBK_SEIS_LISTED_SUB',
  'BBK_SEIS_SECURITY_CLASS',
  'BBK_SEIS_MATURITY',
  'BBK_SEIS_INTEREST_TYPE',
  'BBK_SEIS_INTEREST_RATE',
  'BBK_SEIS_REDEMPTION',
  'BBK_SEIS_CERTIFICATE',
  'BBK_SEIS_COVERAGE',
  'BBK_SEIS_RATING',
];
const YIELD: ListedSeries = { frequency: 'daily', expected: { BBK_UNIT: 'PROZENT', BBK_UNIT_MULT: '0' } };
const CODES = new Set(BUNDESBANK_MATURITIES.map((maturity) => bundesbankYield(maturity).code));

export const bundesbank: Source = {
  id: ID,
  version: 2,
  owns: (path) => FILE.test(path),
  address: (path) => bundesbankYield(FILE.exec(path)?.[1] ?? 'R10XX').url,
  mediaType: 'application/xml',
  knownAt: ({ retrievedAt }) => retrievedAt,
  normalise: ({ body, retrievedAt }) =>
    observationBatches(
      recordsOf(
        ID,
        xmlReadings(ID, body, { BBK_SEIS: { prefix: 'BBSIS.', ids: DIMENSIONS } }),
        (code) => (CODES.has(code) ? YIELD : null),
        () => retrievedAt,
      ),
    ),
  feed: bundesbankFeed,
};
