// European Commission, DG ECFIN, economic forecasts: the tables of the charts of each round, one file per quantity, with a row per country and a column per
// year. The file name has the day of the round. All of it is projection, because the tables do not mark years with final national accounts.
import { isDay } from '../../model/period.ts';
import type { Batch, ObservationRecord, RefusedRecord } from '../../model/record.ts';
import { observationBatches, withoutRepeats } from '../records/batches.ts';
import { readCsv } from '../readers/csv.ts';
import { outlookEntity } from '../readers/outlook-countries.ts';
import { excerpt } from '../readers/text.ts';
import { knownOn, type Payload, type Source } from '../source.ts';
import { UpstreamError } from '../upstream-error.ts';
import { yearOf } from '../records/projection-rounds.ts';

const ID = 'ec_forecasts';
const FILE = /(?:^|\/)european-commission\/forecasts\/(\d{4})(\d{2})(\d{2})_(NGDP_RPCH|PCPIPCH|LUR)\.csv$/;

const QUANTITIES: Readonly<Record<string, string>> = {
  NGDP_RPCH: 'projection_gdp_growth',
  PCPIPCH: 'projection_inflation',
  LUR: 'projection_unemployment_rate',
};

export const ecForecasts: Source = {
  id: ID,
  version: 1,
  owns: (path) => FILE.test(path),
  // The tables are part of the charts of a round's page, without URLs of their own.
  address: () => 'https://economy-finance.ec.europa.eu/economic-forecast-and-surveys/economic-forecasts_en',
  mediaType: 'text/csv',
  knownAt: ({ key, retrievedAt }) => knownOn(roundOf(key).day, retrievedAt),
  normalise: roundBatches,
};

function roundOf(key: string): { readonly day: string; readonly quantity: string } {
  const [, year, month, date, quantity = ''] = FILE.exec(key) ?? [];
  const day = `${year}-${month}-${date}`;
  if (!isDay(day)) throw new UpstreamError(ID, `expected the day of the round in the file name, found ${key}`);
  return { day, quantity };
}

/** Names as in the charts; a group with the members at the time of its round. */
const AREAS: readonly (readonly [RegExp, string])[] = [
  [/^(?:Euro area|EA)(?: \d{2})?$/i, 'ea'],
  [/^(?:European Union|EU)(?: \d{2})?$/i, 'eu'],
  [/^CzechRepublic$/, 'iso3:cze'],
];

function* roundBatches({ key, body, retrievedAt }: Payload): Generator<Batch> {
  const { day, quantity } = roundOf(key);
  const table = readCsv(body, { sourceId: ID, required: ['Category'], mayLackFinalLineEnd: true });
  const years = table.columns.filter((column) => /^20\d{2}$/.test(column));
  if (years.length === 0 || table.rows.length === 0) throw new UpstreamError(ID, 'the table has no years, or no rows');
  const columns = years.map((year) => ({ year, value: table.number(year) }));
  const place = table.text('Category');
  const rows: ObservationRecord[] = [];
  const refused: RefusedRecord[] = [];
  for (const row of table.rows) {
    const name = place(row).trim();
    const entityId = AREAS.find(([pattern]) => pattern.test(name))?.[1] ?? outlookEntity(name, '');
    if (entityId === null) refused.push(unresolved(name));
    else {
      const seriesCode = `${entityId.replace('iso3:', '').toUpperCase()}.${quantity}`;
      const identity = { seriesCode, canonicalId: QUANTITIES[quantity] ?? '', entityId, frequency: 'annual', unit: 'percent' } as const;
      const observedAt = knownOn(day, retrievedAt);
      for (const { year, value } of columns) {
        const projected = value(row);
        if (projected !== null) rows.push({ ...identity, ...yearOf(year), value: projected, observedAt });
      }
    }
  }
  yield* observationBatches(withoutRepeats(ID, rows));
  if (refused.length > 0) yield { kind: 'refused', rows: refused };
}

function unresolved(name: string): RefusedRecord {
  return {
    rule: 'identity_unresolved',
    seriesCode: name,
    entityId: null,
    period: null,
    fieldPath: 'Category',
    observedValue: null,
    reason: `${excerpt(name)} is neither a country nor a group that is known`,
  };
}
