// The tables of a stage: observations, refused records, and records of the other tables, each row with the number of its payload and its own.
import { type DuckDBAppender, type DuckDBConnection, DuckDBDateValue, DuckDBTimestampTZValue } from '@duckdb/node-api';
import { dayNumber } from '../model/period.ts';
import type { ObservationRecord, RefusedRecord } from '../model/record.ts';
import { LAKE_TABLES, RECORD_TABLES, type RecordTable } from './layout.ts';

/** A record of another table: its columns by camelCase name. Lists and objects become JSON if the column is text. */
export type StagedRecord = Readonly<Record<string, unknown>>;

/** The rows of one payload, and its ingestion run. */
export interface PayloadInHand {
  readonly payloadId: string;
  readonly runId: string;
  /** The file whose content this payload is. */
  readonly key: string;
  readonly retrievedAt: string;
}

export type StagedTable = 'observations' | 'refused' | RecordTable;

export interface StagedTables {
  /** Begin a row with the numbers of its payload and its own. */
  readonly appenderOf: (table: StagedTable) => DuckDBAppender;
  /** Writes the appended rows to the tables, which accept further rows. */
  readonly flush: () => Promise<void>;
  /** Removes the rows of a payload. */
  readonly drop: (payloadNo: number) => Promise<void>;
  /** Writes the appended rows, and refuses further rows until you clear the tables. */
  readonly close: () => void;
  readonly clear: () => Promise<void>;
}

const TABLES: readonly StagedTable[] = ['observations', 'refused', ...RECORD_TABLES];

export async function openStagedTables(connection: DuckDBConnection): Promise<StagedTables> {
  const appenders = new Map<StagedTable, DuckDBAppender>();
  /** Those with rows that may not be in their table yet. */
  const used = new Set<StagedTable>();
  const open = async () => {
    for (const table of TABLES) appenders.set(table, await connection.createAppender(table, 'staged'));
  };
  const close = () => {
    for (const appender of appenders.values()) appender.closeSync();
    appenders.clear();
    used.clear();
  };
  await createTables(connection);
  await open();
  return {
    appenderOf(table) {
      const appender = appenders.get(table);
      if (appender === undefined) throw new Error(`no appender for ${table}`);
      used.add(table);
      return appender;
    },
    async flush() {
      for (const table of used) appenders.get(table)?.flushSync();
      used.clear();
      if (appenders.size === 0) await open();
    },
    async drop(payloadNo) {
      close();
      for (const table of TABLES) await connection.run(`delete from staged.${table} where payload_no = ${payloadNo}`);
      await open();
    },
    close,
    async clear() {
      close();
      await connection.run('drop schema if exists staged cascade');
      await createTables(connection);
      await open();
    },
  };
}

async function createTables(connection: DuckDBConnection): Promise<void> {
  const records = RECORD_TABLES.map((table) => {
    const columns = Object.keys(LAKE_TABLES[table]).map((name) => `${name} varchar`);
    return `create or replace table staged.${table} (payload_no integer, row_no bigint, ${columns.join(', ')})`;
  });
  await connection.run(`create schema if not exists staged;
    create or replace table staged.observations (payload_no integer, row_no bigint, series_code varchar,
    canonical_id varchar, entity_ref varchar, frequency varchar, unit varchar, period varchar, period_start date, period_end date,
    value double, observed_at timestamptz, released_at timestamptz, obs_status varchar, is_pseudo boolean);
    create or replace table staged.refused (payload_no integer, row_no bigint, rule varchar, series_code varchar,
    entity_id varchar, period varchar, field_path varchar, observed_value varchar, reason varchar);
    ${records.join('; ')}`);
}

export function appendObservation(out: DuckDBAppender, row: ObservationRecord): void {
  appendText(out, row.seriesCode);
  appendText(out, row.canonicalId);
  appendText(out, row.entityId);
  appendText(out, row.frequency);
  appendText(out, row.unit);
  appendText(out, row.period);
  out.appendDate(new DuckDBDateValue(dayNumber(row.periodStart)));
  out.appendDate(new DuckDBDateValue(dayNumber(row.periodEnd)));
  if (row.value === null) out.appendNull();
  else out.appendDouble(row.value);
  out.appendTimestampTZ(new DuckDBTimestampTZValue(toMicros(row.observedAt)));
  if (row.releasedAt === undefined) out.appendNull();
  else out.appendTimestampTZ(new DuckDBTimestampTZValue(toMicros(row.releasedAt)));
  appendText(out, row.obsStatus);
  out.appendBoolean(row.isPseudo ?? false);
}

export function appendRefused(out: DuckDBAppender, row: RefusedRecord): void {
  for (const value of [row.rule, row.seriesCode, row.entityId, row.period, row.fieldPath, row.observedValue, row.reason])
    appendText(out, value);
}

/** Appends the columns of a record in the order of its table. */
export function recordAppender(table: RecordTable): (out: DuckDBAppender, row: StagedRecord) => void {
  const names = Object.keys(LAKE_TABLES[table]).map((name) => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()));
  return (out, row) => {
    for (const name of names) appendText(out, row[name]);
  };
}

/** Inserts the rows of a bulk statement, and returns their number; see sql/sources/. */
export async function insertObservations(
  connection: DuckDBConnection,
  sql: string,
  parameters: Readonly<Record<string, string>>,
  { payloadNo, lastRow }: { readonly payloadNo: number; readonly lastRow: number },
): Promise<number> {
  const statement = await connection.prepare(
    `insert into staged.observations by name select ${payloadNo} as payload_no, ${lastRow} + row_number() over () as row_no, * from (${sql})`,
  );
  statement.bind(parameters);
  return (await statement.run()).rowsChanged;
}

/** The payloads themselves, numbered from one. */
export async function stagePayloads(connection: DuckDBConnection, payloads: readonly PayloadInHand[]): Promise<void> {
  await connection.run(
    'create or replace table staged.payloads (payload_no integer, payload_id varchar, run_id varchar, key varchar, retrieved_at timestamptz)',
  );
  const appender = await connection.createAppender('payloads', 'staged');
  for (const [index, payload] of payloads.entries()) {
    appender.appendInteger(index + 1);
    appender.appendVarchar(payload.payloadId);
    appender.appendVarchar(payload.runId);
    appender.appendVarchar(payload.key);
    appender.appendTimestampTZ(new DuckDBTimestampTZValue(toMicros(payload.retrievedAt)));
    appender.endRow();
  }
  appender.closeSync();
}

function toMicros(instant: string): bigint {
  const ms = Date.parse(instant);
  if (Number.isNaN(ms)) throw new RangeError(`${instant} is not an instant`);
  return BigInt(ms) * 1000n;
}

function appendText(out: DuckDBAppender, value: unknown): void {
  if (value === null || value === undefined) out.appendNull();
  else if (typeof value === 'string') out.appendVarchar(value);
  else out.appendVarchar(JSON.stringify(value));
}
