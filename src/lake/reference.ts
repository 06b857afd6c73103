// data/reference/*.csv → the schema `reference` of a writing engine.
import type { DuckDBConnection } from '@duckdb/node-api';
import { patternOf, quote } from '../db/connect.ts';
import { sqlText } from '../db/query.ts';

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
  'reconciliations',
] as const;

/** @param root folder of the reference files */
export async function loadReference(connection: DuckDBConnection, root: string): Promise<void> {
  await connection.run(`set variable reference_root = ${quote(patternOf(root))}`);
  await connection.run('create schema if not exists reference');
  for (const table of TABLES) await connection.run(`create or replace table reference.${table} as ${sqlText(`reference/${table}.sql`)}`);
}
