// A few rows in an engine of their own, and the SQL of the project over them: a relation or a query is asked without the rest of the pipeline.
import { type DuckDBConnection, DuckDBInstance, type DuckDBPreparedStatement } from '@duckdb/node-api';
import PQueue from 'p-queue';
import { createRelation } from '../../../src/db/layers.ts';
import type { Reader } from '../../../src/db/query.ts';
import { camelCase, snakeCase, toValue, type Value } from '../../../src/db/rows.ts';
import { columnsOf, LAKE_TABLE_NAMES } from '../../../src/lake/layout.ts';
import { OR_ASSUMED } from '../../../src/model/trust.ts';
import { QUERY_MACROS } from '../../../src/snapshot/build/relations.ts';

export type Given = Readonly<Record<string, unknown>>;
export type Found = Readonly<Record<string, Value>>;

export interface Relations {
  readonly connection: DuckDBConnection;
  readonly reader: Reader;
  /**
   * A table with these columns (`name type, …`) and rows, keys in camelCase; a column that a row does not have is null.
   * Over published.vintages stand the macros of a server too.
   */
  readonly table: (name: string, columns: string, rows?: readonly object[]) => Promise<void>;
  /** Tables of the lake with their own columns and source_id; those not named are left as they are. */
  readonly lake: (tables: Readonly<Record<string, readonly Given[]>>) => Promise<void>;
  /** Relations out of the files of sql/, in the order in which they read each other. */
  readonly create: (...paths: readonly string[]) => Promise<void>;
  readonly macros: (...names: readonly string[]) => Promise<void>;
  readonly rows: (sql: string) => Promise<Found[]>;
  readonly close: () => void;
}

/** Macros over the vintages; those of companies, entities and countries are made where these are at hand. */
const OF_OTHERS = [
  'macros/companies/ticker_holder',
  'macros/entities/entity_status',
  'macros/companies/scored_companies',
  'macros/entities/entities_as_of',
  'macros/entities/countries_as_of',
  'assumed/assumed_vintages',
  ...Object.values(OR_ASSUMED).map((name) => `macros/${name}`),
];
const OF_VINTAGES = QUERY_MACROS.filter(({ path }) => !OF_OTHERS.includes(path));
// Macros over the values that they are given alone.
const OF_VALUES = [
  'macros/is_projection',
  'macros/print_day',
  'macros/is_in_force',
  'macros/calendar_place',
  'macros/companies/is_periodic_form',
  'macros/companies/is_statement_form',
  'macros/entities/is_national',
  'macros/entities/holds_on',
  'macros/entities/country_known_at',
  'macros/entities/currency_at',
  'macros/entities/central_bank_at',
  'macros/entities/member_of_at',
  'macros/entities/name_at',
];

export async function openRelations(): Promise<Relations> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  await connection.run("set TimeZone = 'UTC'");
  for (const path of OF_VALUES) await createRelation(connection, { path, as: 'macro' });
  const statements = new Map<string, DuckDBPreparedStatement>();
  // A connection and its statements serve one question at a time, as those of a server do.
  const oneAtATime = new PQueue({ concurrency: 1 });
  const table: Relations['table'] = async (name, columns, rows = []) => {
    const [schema, own] = name.includes('.') ? name.split('.') : ['main', name];
    await connection.run(`create schema if not exists ${schema}`);
    await connection.run(`create or replace table ${schema}.${own} (${columns})`);
    if (name === 'published.vintages') for (const macro of OF_VINTAGES) await createRelation(connection, macro);
    if (rows.length === 0) return;
    const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
    const values = rows.map((row) => {
      const cells = new Map<string, unknown>(Object.entries(row));
      return `(${names.map((one) => literal(cells.get(one))).join(', ')})`;
    });
    await connection.run(
      `insert into ${schema}.${own} (${names.map((one) => `"${snakeCase(one)}"`).join(', ')}) values ${values.join(', ')}`,
    );
  };
  return {
    connection,
    // Rows by hand leave out what a question does not look at.
    reader: { checks: 'none', withConnection: (use) => oneAtATime.add(() => use(connection, statements)) },
    table,
    async lake(tables) {
      for (const name of LAKE_TABLE_NAMES) {
        const rows = tables[name];
        if (rows === undefined) continue;
        const columns = Object.entries(columnsOf(name)).map(([column, type]) => `"${column}" ${type}`);
        await table(`lake.${name}`, [...columns, 'source_id varchar'].join(', '), rows);
      }
    },
    async create(...paths) {
      for (const path of paths) await createRelation(connection, { path, as: 'table' });
    },
    async macros(...names) {
      for (const name of names) await createRelation(connection, { path: `macros/${name}`, as: 'macro' });
    },
    async rows(sql) {
      const result = await connection.runAndReadAll(sql);
      const names = result.columnNames().map(camelCase);
      return result.getRows().map((row) => Object.fromEntries(names.map((name, index) => [name, toValue(row[index] ?? null)])));
    },
    close() {
      for (const statement of statements.values()) statement.destroySync();
      connection.closeSync();
      instance.closeSync();
    },
  };
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : `'${value}'::double`;
  if (typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`;
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  return `{${Object.entries(value)
    .map(([name, one]) => `'${snakeCase(name)}': ${literal(one)}`)
    .join(', ')}}`;
}

/** An instant moved by so many milliseconds. */
export function moved(instant: string, ms: number): string {
  return new Date(Date.parse(instant) + ms).toISOString();
}

/** The instant, one millisecond before it and one after it. */
export function around(instant: string): readonly [before: string, at: string, after: string] {
  return [moved(instant, -1), instant, moved(instant, 1)];
}

export const compare = <Key extends string | number>(a: Key, b: Key): number => (a < b ? -1 : a > b ? 1 : 0);

/** Columns of published.vintages. */
export const VINTAGE_COLUMNS = `series_no integer, period varchar, period_start date, period_end date, value double, value_text varchar,
  metadata varchar, vintage varchar, observed_at timestamptz, known_to timestamptz, prior_observed_at timestamptz, prior_value double,
  prior_vintage varchar, release_no integer, is_revised boolean, is_backfill boolean, knowledge_grade utinyint, obs_status varchar, released_at timestamptz, retrieved_at timestamptz,
  ingested_at timestamptz, run_id varchar, source_run_id varchar, input_run_ids varchar[], change_sequence bigint, id_hash ubigint,
  inputs struct(series_no bigint, period varchar, vintage varchar, "role" varchar)[], derived_from varchar[]`;

/** What a publisher said of a period, in the order in which it was said. */
export interface Print {
  readonly seriesNo: number;
  readonly period: string;
  readonly periodEnd: string;
  readonly value: number | null;
  readonly observedAt: string;
  readonly releasedAt?: string | null;
  readonly retrievedAt?: string;
  readonly ingestedAt?: string;
  readonly changeSequence?: number;
  readonly runId?: string | null;
  readonly isDerived?: boolean;
  /** Of a period without a first print; the same on each of its prints. */
  readonly isBackfill?: boolean;
  readonly obsStatus?: string | null;
  readonly vintage?: string;
}

export interface Vintage extends Print {
  readonly periodStart: string;
  readonly vintage: string;
  readonly knownTo: string | null;
  readonly priorObservedAt: string | null;
  readonly priorValue: number | null;
  readonly priorVintage: string | null;
  readonly releaseNo: number;
  readonly isRevised: boolean;
  readonly isBackfill: boolean;
  readonly obsStatus: string | null;
  readonly sourceRunId: string | null;
  readonly retrievedAt: string;
  readonly ingestedAt: string;
  readonly changeSequence: number;
  readonly idHash: number;
  readonly inputs: readonly Given[] | null;
  readonly derivedFrom: string[] | null;
}

/** The vintages of prints as published.vintages has them; of one period no two are known at the same instant. */
export function toVintages(prints: readonly Print[]): readonly Vintage[] {
  const labelOf = (print: Print) => print.vintage ?? print.observedAt.slice(0, 19);
  return prints.map((print, index) => {
    const own = prints
      .filter((one) => one.seriesNo === print.seriesNo && one.periodEnd === print.periodEnd)
      .toSorted((a, b) => compare(a.observedAt, b.observedAt));
    const place = own.indexOf(print);
    const [prior, next] = [own[place - 1], own[place + 1]];
    const { isDerived = false, isBackfill = false, ...rest } = print;
    return {
      releasedAt: null,
      obsStatus: null,
      retrievedAt: print.observedAt,
      ingestedAt: print.observedAt,
      changeSequence: index + 1,
      runId: isDerived ? null : 'run',
      sourceRunId: sourceRunOf(print),
      ...rest,
      periodStart: print.periodEnd,
      vintage: labelOf(print),
      knownTo: next?.observedAt ?? null,
      priorObservedAt: prior?.observedAt ?? null,
      priorValue: prior?.value ?? null,
      priorVintage: prior === undefined ? null : labelOf(prior),
      releaseNo: place + 1,
      isRevised: own[0]?.value !== print.value,
      isBackfill,
      // Not in the order of anything else.
      idHash: ((index + 1) * 7919) % 104_729,
      inputs: isDerived ? [{ seriesNo: 1, period: 'p', vintage: 'v', role: 'input' }] : null,
      derivedFrom: isDerived ? ['us_cpi'] : null,
    };
  });
}

function sourceRunOf({ isDerived = false, runId }: Print): string | null {
  return isDerived ? null : (runId ?? 'run');
}
