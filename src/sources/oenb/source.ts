// Oesterreichische Nationalbank: its lending, from its own balance sheet, in the XML of its data service.
import { observationBatches } from '../records/batches.ts';
import { oenbFeed } from './feed.ts';
import { OENB_ADDRESS } from './feed.ts';
import { parseNumber } from '../readers/csv.ts';
import { excerpt } from '../readers/text.ts';
import { plainAttributes, readXml } from '../readers/xml.ts';
import type { Source } from '../source.ts';
import { UpstreamError } from '../upstream-error.ts';
import { type ListedSeries, type Reading, recordsOf } from '../records/listed-series.ts';

const ID = 'oenb';
const FILE = /(?:^|\/)(?:oenb\/VDBFKBSC217000\.xml|central-banks\/onb-data\.xml)$/;

/** Bank code 00100 is the Oesterreichische Nationalbank itself. Yearly values repeat those of December, one of them with another rounding. */
const LOANS: ListedSeries = { frequency: 'monthly', expected: { unitMult: '6', unitText: 'in millions Euro' } };
const LISTED: ReadonlyMap<string, ListedSeries> = new Map([['VDBFKBSC217000.AT.00100KI.AT.Z0Z.M', LOANS]]);

export const oenb: Source = {
  id: ID,
  version: 1,
  owns: (path) => FILE.test(path),
  address: () => OENB_ADDRESS,
  mediaType: 'application/xml',
  knownAt: ({ retrievedAt }) => retrievedAt,
  normalise: ({ body, retrievedAt }) =>
    observationBatches(
      recordsOf(
        ID,
        readingsOf(body),
        (code) => LISTED.get(code) ?? null,
        () => retrievedAt,
      ),
    ),
  feed: oenbFeed,
};

/** A `dataSet` is one series, identified by its position, attributes and frequency. */
function readingsOf(body: Uint8Array): Reading[] {
  const readings: Reading[] = [];
  let dataSet: ReadonlyMap<string, string> = new Map();
  readXml(
    ID,
    body,
    { expected: 'OeNBData', isRoot: (local) => local === 'OeNBData' },
    {
      open(element) {
        if (element.local === 'dataSet') dataSet = plainAttributes(element);
        if (element.local === 'obs') readings.push(readingOf(dataSet, Object.fromEntries(plainAttributes(element))));
      },
    },
  );
  return readings;
}

function readingOf(dataSet: ReadonlyMap<string, string>, { periode, value }: Readonly<Record<string, string>>): Reading {
  const seriesCode = ['pos', 'attr1', 'attr2', 'attr3', 'attr4', 'freq'].map((name) => dataSet.get(name) ?? '').join('.');
  const isMissing = value === undefined || ['', '-', '.', ':', 'NaN'].includes(value);
  const number = isMissing ? null : parseNumber(value);
  if (periode === undefined || (number === null && !isMissing))
    throw new UpstreamError(ID, `expected a period and a number of ${seriesCode}, found ${excerpt(`${periode} ${value}`)}`);
  return { seriesCode, period: periode, value: number, stated: (name) => dataSet.get(name) };
}
