// Relations of sql/ over tables of given rows: the same text that the snapshot is built from, without a lake.
import { resolve } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { z } from 'zod';
import { openWriter, quote } from '../../../src/db/connect.ts';
import { createRelation } from '../../../src/db/layers.ts';
import { columnsOf, LAKE_TABLE_NAMES } from '../../../src/lake/layout.ts';
import { QUERY_MACROS, RELATIONS } from '../../../src/snapshot/build/relations.ts';

export type Given = string | number | boolean | null | readonly string[];
export type GivenRow = Readonly<Record<string, Given>>;

/** What a statement answers, as JSON has it: numbers and booleans as such, dates and instants as text. */
export type Found = Readonly<Record<string, unknown>>;

export interface Relations {
  /** Creates `schema.name` with these columns and rows; a column that a row leaves out is null. */
  readonly give: (name: string, columns: Readonly<Record<string, string>>, rows?: readonly GivenRow[]) => Promise<void>;
  /** Creates relations by the path of their file: `positions/cot_nets`, `macros/observation_id`. */
  readonly build: (...paths: readonly string[]) => Promise<void>;
  readonly run: (sql: string) => Promise<void>;
  readonly connection: DuckDBConnection;
  readonly ask: (sql: string) => Promise<readonly Found[]>;
  readonly close: () => void;
}

/** Macros over the values that they are given alone. */
const OF_VALUES = [
  'macros/is_projection',
  'macros/print_day',
  'macros/is_in_force',
  'macros/companies/is_annual_form',
  'macros/companies/is_periodic_form',
  'macros/companies/is_statement_form',
  'macros/companies/is_restatement',
  'macros/entities/is_national',
  'macros/entities/holds_on',
  'macros/entities/country_known_at',
  'macros/entities/currency_at',
  'macros/entities/central_bank_at',
  'macros/entities/member_of_at',
  'macros/entities/name_at',
];

const MACROS = new Set([...RELATIONS, ...QUERY_MACROS].flatMap(({ path, as }) => (as === 'macro' ? [path] : [])));

export async function openRelations(): Promise<Relations> {
  const { connection, close } = await openWriter({ threads: 1, memory: '500MB', tempDirectory: '', tempSize: '0MB' });
  await connection.run(`set variable reference_root = ${quote(resolve(import.meta.dirname, '../../../data/reference'))}`);
  for (const path of OF_VALUES) await createRelation(connection, { path, as: 'macro' });
  const relations: Relations = {
    connection,
    async give(name, columns, rows = []) {
      const [schema] = name.split('.');
      await connection.run(`create schema if not exists ${schema}`);
      const listed = Object.entries(columns);
      await connection.run(`create or replace table ${name} (${listed.map(([column, type]) => `${column} ${type}`).join(', ')})`);
      for (const row of rows) {
        const unknown = Object.keys(row).filter((column) => !(column in columns));
        if (unknown.length > 0) throw new RangeError(`${name} has no ${unknown.join(', ')}`);
      }
      for (let at = 0; at < rows.length; at += 2000) {
        const values = rows.slice(at, at + 2000).map((row) => `(${listed.map(([column]) => literal(row[column] ?? null)).join(', ')})`);
        await connection.run(`insert into ${name} values ${values.join(', ')}`);
      }
    },
    async build(...paths) {
      for (const path of paths) {
        await createRelation(connection, { path, as: MACROS.has(path) ? 'macro' : 'table' });
      }
    },
    async run(sql) {
      await connection.run(sql);
    },
    async ask(sql) {
      const result = await connection.runAndReadAll(`select to_json(answered)::varchar from (${sql}) as answered`);
      return result.getRows().map(([row]) => Answer.parse(JSON.parse(String(row))));
    },
    close,
  };
  return relations;
}

const Answer = z.record(z.string(), z.unknown());

function literal(value: Given): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'object') return `[${value.map(quote).join(', ')}]`;
  return String(value);
}

/** The tables of the lake, empty but for the rows given. */
export async function giveLake(
  relations: Relations,
  rows: Readonly<Partial<Record<(typeof LAKE_TABLE_NAMES)[number], readonly GivenRow[]>>>,
) {
  for (const table of LAKE_TABLE_NAMES) {
    await relations.give(`lake.${table}`, { ...columnsOf(table), source_id: 'varchar' }, rows[table]);
  }
}

export const SERIES_COLUMNS = {
  series_no: 'integer',
  source_id: 'varchar',
  indicator_id: 'varchar',
  entity_id: 'varchar',
  canonical_id: 'varchar',
  series_code: 'varchar',
  frequency: 'varchar',
  unit: 'varchar',
  source_tier: 'varchar',
  is_redistributable: 'boolean',
  license: 'varchar',
  rights_note: 'varchar',
  ceased_at: 'timestamptz',
  ceased_final_period: 'varchar',
  newest_run_id: 'varchar',
} as const;

/** As series.vintages, one print of a period: give `known_to` where another follows. */
export const VINTAGE_COLUMNS = {
  series_no: 'integer',
  period: 'varchar',
  period_start: 'date',
  period_end: 'date',
  value: 'double',
  vintage: 'varchar',
  observed_at: 'timestamptz',
  known_to: 'timestamptz',
  release_no: 'bigint',
  released_at: 'timestamptz',
  retrieved_at: 'timestamptz',
  ingested_at: 'timestamptz',
  run_id: 'varchar',
  change_sequence: 'bigint',
} as const;

const DAY = 86_400_000;

export function plusDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10);
}
