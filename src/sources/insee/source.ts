// Insee, bank of macro-economic data: indices of industrial production. Each series states the day of its last update, and is known from the end of that day.
// A new base year is a new series.
import { isDay } from '../../model/period.ts';
import { observationBatches } from '../records/batches.ts';
import { inseeFeed } from './feed.ts';
import { INSEE_SERIES } from './feed.ts';
import { excerpt } from '../readers/text.ts';
import { knownOn, type Payload, type Source } from '../source.ts';
import { UpstreamError } from '../upstream-error.ts';
import { type ListedSeries, type Reading, recordsOf, xmlReadings } from '../records/listed-series.ts';

const ID = 'insee';
const FILE = /(?:^|\/)(?:insee\/SERIES_BDM\.IPI\.xml|sdmx\/insee\/IPI-2010-A21\.generic\.xml)$/;

const INDEX: ListedSeries = { frequency: 'monthly', expected: { FREQ: 'M', UNIT_MEASURE: 'SO', UNIT_MULT: '0' } };
const OF_2010: ListedSeries = { ...INDEX, expected: { ...INDEX.expected, BASE_PER: '2010' } };

/** By base: sections of industry and construction, unadjusted and adjusted. Yearly means and weights are skipped. */
const LISTED: ReadonlyMap<string, ListedSeries> = new Map([
  ...INSEE_SERIES.map((idBank) => [idBank, INDEX] as const),
  ...['B', 'C', 'D', 'E', 'F'].flatMap((section) =>
    ['BRUT', 'CVS-CJO'].map((nature) => [`IPI-2010-A21.M.${section}.${nature}`, OF_2010] as const),
  ),
]);

export const insee: Source = {
  id: ID,
  version: 2,
  owns: (path) => FILE.test(path),
  address: (path) =>
    `https://www.bdm.insee.fr/series/sdmx/data/${path.endsWith('generic.xml') ? 'IPI-2010-A21' : `SERIES_BDM/${INSEE_SERIES.join('+')}`}`,
  mediaType: 'application/xml',
  normalise: (payload) =>
    observationBatches(
      recordsOf(
        ID,
        xmlReadings(ID, payload.body, {
          SERIES_BDM: { prefix: '', ids: ['IDBANK'] },
          'IPI-2010-A21': { prefix: 'IPI-2010-A21.', ids: ['FREQ', 'PRODUIT', 'NATURE'] },
        }),
        (code) => LISTED.get(code) ?? null,
        (reading) => updatedOn(reading, payload),
      ),
    ),
  feed: inseeFeed,
};

function updatedOn({ seriesCode, stated }: Reading, { retrievedAt }: Payload): string {
  const day = stated('LAST_UPDATE') ?? '';
  if (!isDay(day)) throw new UpstreamError(ID, `expected the day of the last update of ${seriesCode}, found ${excerpt(day)}`);
  return knownOn(day, retrievedAt);
}
