// Names of countries, other entities and sources by their ids, from the reference tables: the pages show them in place of ids.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';

const REFERENCE = join(import.meta.dirname, '../../data/reference');

interface Names {
  readonly entities: Readonly<Record<string, string>>;
  readonly sources: Readonly<Record<string, string>>;
}

export function namesOf(): Names {
  const countries = rowsOf('countries').map(({ iso2 = '', name = '' }): [string, string] => [iso2.toLowerCase(), name]);
  const others = rowsOf('entities').map(({ entity_id = '', name = '' }): [string, string] => [entity_id, name]);
  const sources = rowsOf('sources').map(({ source_id = '', name = '' }): [string, string] => [source_id, name]);
  return { entities: Object.fromEntries([...countries, ...others]), sources: Object.fromEntries(sources) };
}

function rowsOf(table: string): readonly Readonly<Record<string, string>>[] {
  return parse(readFileSync(join(REFERENCE, `${table}.csv`)), { columns: true });
}
