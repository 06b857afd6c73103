// data/reference/*.csv → the schema `reference` of a writing engine.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { parse } from 'csv-parse/sync';
import { z } from 'zod';
import { patternOf, quote } from '../db/connect.ts';
import { sqlText } from '../db/query.ts';
import { KnownError } from '../known-error.ts';

/** The columns of which each file has every combination once. */
export const REFERENCE_KEYS: Readonly<Record<string, readonly string[]>> = {
  aliases: ['entity_id', 'alias_type', 'alias', 'valid_from'],
  cadence_budgets: ['cadence'],
  canonical_indicators: ['canonical_id'],
  cessations: ['source_id', 'series_code'],
  company_figures: ['field'],
  consensus: ['entity_id', 'canonical_id', 'survey_canonical_id'],
  contract_prices: ['contract_code', 'position'],
  cot_breaks: ['contract_code', 'date'],
  countries: ['iso2'],
  country_currencies: ['iso2', 'from'],
  country_memberships: ['group', 'iso2', 'from'],
  derived_indicators: ['slug'],
  entities: ['entity_id'],
  holidays: ['calendar', 'day'],
  'files/mirror_leftovers': ['pattern'],
  publication_rules: ['source_id', 'canonical_id', 'entity_id'],
  recessions: ['country', 'peak'],
  reconciliations: ['pair'],
  releases: ['release_id'],
  search_words: ['kind', 'id'],
  series: ['source_id', 'series_code'],
  share_classes: ['cik', 'ticker', 'valid_from'],
  sic_divisions: ['first_sic'],
  'files/source_evidence': ['source_id'],
  sources: ['source_id'],
  stock_splits: ['cik', 'effective_date'],
  xbrl_concepts: ['statement_type', 'key', 'metric'],
};

const TABLES = [
  'sources',
  'cadence_budgets',
  'canonical_indicators',
  'derived_indicators',
  'series',
  'cessations',
  'countries',
  'cot_breaks',
  'country_currencies',
  'country_memberships',
  'entities',
  'aliases',
  'releases',
  'sic_divisions',
  'stock_splits',
  'share_classes',
  'xbrl_concepts',
  'company_figures',
  'consensus',
  'reconciliations',
  'holidays',
  'publication_rules',
] as const;

const Parsed = z.array(z.object({ info: z.object({ lines: z.int() }), record: z.record(z.string(), z.string()) }));

/** Throws a KnownError if a file says two things under one key. @param root folder of the reference files */
export function requireUniqueRows(root: string): void {
  for (const [table, key] of Object.entries(REFERENCE_KEYS)) {
    const file = join(root, `${table}.csv`);
    const lines = new Map<string, number>();
    for (const { info, record } of Parsed.parse(parse(readFileSync(file, 'utf8'), { columns: true, info: true }))) {
      const values = JSON.stringify(key.map((column) => record[column] ?? ''));
      const first = lines.get(values);
      if (first !== undefined) {
        const said = key.map((column) => `${column} ${JSON.stringify(record[column] ?? '')}`).join(', ');
        throw new KnownError(
          `${file}: line ${info.lines} repeats the key of line ${first} (${said}). Delete one of the two lines, then run the command again.`,
        );
      }
      lines.set(values, info.lines);
    }
  }
}

/** @param root folder of the reference files */
export async function loadReference(connection: DuckDBConnection, root: string): Promise<void> {
  requireUniqueRows(root);
  await connection.run(`set variable reference_root = ${quote(patternOf(root))}`);
  await connection.run('create schema if not exists reference');
  for (const table of TABLES) await connection.run(`create or replace table reference.${table} as ${sqlText(`reference/${table}.sql`)}`);
}
