// What the pages take from the reference tables: names of countries, other entities and sources by their ids, places in the ranking of the search,
// recessions by country, and the prices of futures contracts.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';

const REFERENCE = join(import.meta.dirname, '../../data/reference');

interface Names {
  readonly entities: Readonly<Record<string, string>>;
  readonly sources: Readonly<Record<string, string>>;
  /** The search puts equally good matches in the order of these numbers, 1 first. Most names have no number, and come last. */
  readonly places: Readonly<Record<'entities' | 'indicators', Readonly<Record<string, number>>>>;
}

export function namesOf(): Names {
  const countries = rowsOf('countries').map(({ iso2 = '', name = '' }): [string, string] => [iso2.toLowerCase(), name]);
  const others = rowsOf('entities').map(({ entity_id = '', name = '' }): [string, string] => [entity_id, name]);
  const sources = rowsOf('sources').map(({ source_id = '', name = '' }): [string, string] => [source_id, name]);
  const placesOf = (kind: string) =>
    Object.fromEntries(
      rowsOf('search_words').flatMap((row): [string, number][] =>
        row['kind'] === kind && row['place'] !== '' ? [[row['id'] ?? '', Number(row['place'])]] : [],
      ),
    );
  return {
    entities: Object.fromEntries([...countries, ...others]),
    sources: Object.fromEntries(sources),
    places: { entities: placesOf('entity'), indicators: placesOf('indicator') },
  };
}

/** Of a peak or trough: its month, and the day on which it was announced, null before there were announcements. */
interface Recession {
  readonly peak: string;
  readonly trough: string | null;
  readonly peakAnnounced: string | null;
  readonly troughAnnounced: string | null;
}

export function recessionsOf(): Readonly<Record<string, readonly Recession[]>> {
  const orNull = (text = '') => (text === '' ? null : text);
  const all = rowsOf('recessions').map(({ country = '', peak = '', trough, peak_announced, trough_announced }) => ({
    country,
    recession: { peak, trough: orNull(trough), peakAnnounced: orNull(peak_announced), troughAnnounced: orNull(trough_announced) },
  }));
  return Object.fromEntries(
    [...new Set(all.map(({ country }) => country))].map((code) => [
      code,
      all.filter(({ country }) => country === code).map(({ recession }) => recession),
    ]),
  );
}

/** A series that has the price of a contract, or its rate. */
interface ContractPrice {
  readonly indicatorId: string;
  readonly sourceId: string;
  readonly frequency: string;
  readonly label: string;
}

/** Market code of a contract → the series with its price, the best first. */
export function contractPricesOf(): Readonly<Record<string, readonly ContractPrice[]>> {
  const rows = rowsOf('contract_prices');
  const pricesOf = (code: string) =>
    rows
      .filter((row) => row['contract_code'] === code)
      .map(({ indicator_id = '', source_id = '', frequency = '', label = '' }) => ({
        indicatorId: indicator_id,
        sourceId: source_id,
        frequency,
        label,
      }));
  return Object.fromEntries([...new Set(rows.map(({ contract_code = '' }) => contract_code))].map((code) => [code, pricesOf(code)]));
}

function rowsOf(table: string): readonly Readonly<Record<string, string>>[] {
  return parse(readFileSync(join(REFERENCE, `${table}.csv`)), { columns: true });
}
