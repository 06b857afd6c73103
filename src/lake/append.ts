// Records of payloads → new rows of the lake. Records are staged, checked, compared with the rows in force, and appended if they are new.
// A record that breaks a rule goes to quarantine. One flush is one commit: all of it or nothing.
import { join } from 'node:path';
import { type DuckDBAppender, DuckDBDateValue, DuckDBTimestampTZValue, type DuckDBConnection } from '@duckdb/node-api';
import { quote } from '../db/connect.ts';
import { parquetFiles } from '../db/files.ts';
import { toValue, type Value } from '../db/rows.ts';
import { dayNumber } from '../model/period.ts';
import type { ObservationRecord, RefusedRecord } from '../model/record.ts';
import { judgeStaged } from './judge.ts';
import type { Lake, StagedFile } from './lake.ts';
import { LAKE_TABLES, RECORD_TABLES, type RecordTable } from './layout.ts';
import { newRecords } from './new-records.ts';
import { stageUnlistedFilers } from './unlisted-filers.ts';
import { dropStanding, forgetStanding, rememberAppended } from './standing.ts';

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

export interface Finding {
  readonly rule: string;
  readonly severity: string;
  readonly rows: number;
}

export interface PayloadCounts {
  readonly rowsRead: number;
  readonly rowsWritten: number;
  readonly rowsQuarantined: number;
  /** New entries in quarantine, by rule: refused rows (block) and warnings of written ones (warn). */
  readonly findings: readonly Finding[];
  /** The newest knowledge time of an observation of the payload; null without observations. */
  readonly newestObservedAt: string | null;
}

const OBSERVATION_COLUMNS = `
  payload_no integer, row_no bigint, series_code varchar, canonical_id varchar, entity_ref varchar, frequency varchar, unit varchar,
  period varchar, period_start date, period_end date, value double, observed_at timestamptz, released_at timestamptz, obs_status varchar,
  is_pseudo boolean`;

/** Measured on facts of companies, the most numerous records. */
const OBSERVATIONS_PER_RECORD = 15;

export interface Stage {
  /** Opens a payload; everything staged from then on belongs to it, until it is kept or dropped. */
  readonly open: (payload: PayloadInHand) => void;
  readonly observations: (rows: readonly ObservationRecord[]) => void;
  readonly records: (table: RecordTable, rows: readonly StagedRecord[]) => void;
  readonly refused: (rows: readonly RefusedRecord[]) => void;
  /** Runs a bulk statement whose rows are observations; see sql/sources/. */
  readonly bulk: (sql: string, parameters: Readonly<Record<string, string>>) => Promise<void>;
  /** Keeps the open payload. */
  readonly keep: () => Promise<void>;
  /** Drops the open payload after a failure. */
  readonly drop: () => Promise<void>;
  /** The staged amount, in observations: a record of another table has many text columns and counts as several. */
  readonly stagedSize: () => number;
  /** Checks and compares everything kept, and returns the rows to commit, with the counts of each payload. */
  readonly settle: (options: { readonly ingestedAt: string; readonly connectorVersion: number }) => Promise<Settled>;
  /** Clears the stage, after any settled rows were committed. */
  readonly clear: () => Promise<void>;
}

export interface Settled {
  readonly files: readonly StagedFile[];
  readonly counts: ReadonlyMap<string, PayloadCounts>;
  /** The oldest knowledge time among the observations to append; null if there are none. */
  readonly earliestObservedAt: string | null;
  readonly lastChangeSequence: number;
}

/** Expects the schema `reference` on the lake's connection; see reference.ts. */
export async function openStage(lake: Lake, sourceId: string): Promise<Stage> {
  const { connection } = lake;
  const payloads: (PayloadInHand & { rows: number })[] = [];
  let appenders = new Map<string, DuckDBAppender>();
  let rowNumber = 0;
  let size = 0;
  let isSettled = false;
  /** Record tables with staged rows since the last clear. */
  const staged = new Set<RecordTable>();

  const current = () => {
    const payload = payloads.at(-1);
    if (payload === undefined) throw new Error('no payload is open');
    return payload;
  };
  const closeAppenders = () => {
    for (const appender of appenders.values()) appender.closeSync();
    appenders = new Map();
  };
  const tables = ['observations', 'refused', ...RECORD_TABLES];
  const create = async () => {
    await connection.run('create schema if not exists staged');
    await connection.run(`create or replace table staged.observations (${OBSERVATION_COLUMNS})`);
    await connection.run(`create or replace table staged.refused (payload_no integer, row_no bigint, rule varchar, series_code varchar,
      entity_id varchar, period varchar, field_path varchar, observed_value varchar, reason varchar)`);
    for (const table of RECORD_TABLES) {
      const columns = Object.keys(LAKE_TABLES[table]).map((name) => `${name} varchar`);
      await connection.run(`create or replace table staged.${table} (payload_no integer, row_no bigint, ${columns.join(', ')})`);
    }
  };
  const appenderOf = async (table: string): Promise<DuckDBAppender> => {
    const existing = appenders.get(table);
    if (existing) return existing;
    const appender = await connection.createAppender(table, 'staged');
    appenders.set(table, appender);
    return appender;
  };
  await forgetStanding(connection);
  await create();
  for (const table of tables) await appenderOf(table);
  const appender = (table: string): DuckDBAppender => {
    const found = appenders.get(table);
    if (found === undefined) throw new Error(`no appender for ${table}`);
    return found;
  };

  return {
    open(payload) {
      payloads.push({ ...payload, rows: 0 });
    },
    observations(rows) {
      const payload = current();
      const out = appender('observations');
      size += rows.length;
      for (const row of rows) {
        rowNumber += 1;
        payload.rows += 1;
        appendObservation(out, payloads.length, rowNumber, row);
      }
    },
    records(table, rows) {
      const payload = current();
      if (rows.length > 0) staged.add(table);
      size += rows.length * OBSERVATIONS_PER_RECORD;
      const out = appender(table);
      const names = Object.keys(LAKE_TABLES[table]).map((name) =>
        name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      );
      for (const row of rows) {
        rowNumber += 1;
        payload.rows += 1;
        out.appendInteger(payloads.length);
        out.appendBigInt(BigInt(rowNumber));
        for (const name of names) appendText(out, row[name]);
        out.endRow();
      }
    },
    refused(rows) {
      const payload = current();
      const out = appender('refused');
      size += rows.length;
      for (const row of rows) {
        rowNumber += 1;
        payload.rows += 1;
        out.appendInteger(payloads.length);
        out.appendBigInt(BigInt(rowNumber));
        for (const value of [row.rule, row.seriesCode, row.entityId, row.period, row.fieldPath, row.observedValue, row.reason])
          appendText(out, value);
        out.endRow();
      }
    },
    async bulk(sql, parameters) {
      const payload = current();
      const statement = await connection.prepare(
        `insert into staged.observations by name select ${payloads.length} as payload_no, ${rowNumber} + row_number() over () as row_no, * from (${sql})`,
      );
      statement.bind(parameters);
      const result = await statement.run();
      payload.rows += result.rowsChanged;
      size += result.rowsChanged;
      rowNumber += result.rowsChanged;
    },
    async keep() {
      closeAppenders();
      for (const table of tables) await appenderOf(table);
    },
    async drop() {
      closeAppenders();
      for (const table of tables) {
        await connection.run(`delete from staged.${table} where payload_no = ${payloads.length}`);
        await appenderOf(table);
      }
      current().rows = 0;
    },
    stagedSize: () => size,
    async settle({ ingestedAt, connectorVersion }) {
      closeAppenders();
      await setVariables(connection, {
        source_id: sourceId,
        ingested_at: ingestedAt,
        connector_version: String(connectorVersion),
        last_change_sequence: String(lake.lastChangeSequence()),
      });
      await stagePayloads(connection, payloads);
      await viewLake(lake, sourceId, staged);
      if (staged.has('companies')) await stageUnlistedFilers(connection);
      await judgeStaged(connection);
      isSettled = true;
      return collect(connection, payloads, staged);
    },
    async clear() {
      closeAppenders();
      payloads.length = 0;
      rowNumber = 0;
      size = 0;
      staged.clear();
      if (isSettled) await rememberAppended(connection);
      isSettled = false;
      await connection.run('drop schema if exists staged cascade');
      await create();
      for (const table of tables) await appenderOf(table);
    },
  };
}

/** Removes the temporary tables of a stage from the lake's connection, however it ended. */
export async function dropStage(connection: DuckDBConnection): Promise<void> {
  await connection.run('drop schema if exists staged cascade');
  await dropStanding(connection);
}

function appendObservation(out: DuckDBAppender, payloadNo: number, rowNo: number, row: ObservationRecord): void {
  out.appendInteger(payloadNo);
  out.appendBigInt(BigInt(rowNo));
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
  out.endRow();
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

async function setVariables(connection: DuckDBConnection, variables: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(variables)) await connection.run(`set variable ${name} = ${quote(value)}`);
}

async function stagePayloads(connection: DuckDBConnection, payloads: readonly PayloadInHand[]): Promise<void> {
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

type ViewedTable = 'observations' | 'quarantine' | 'ingestions' | 'resolutions' | RecordTable;

// The partition of this source, and every statement about tickers, with the empty file that keeps the schema before any data.
async function viewLake(lake: Lake, sourceId: string, records: Iterable<RecordTable>): Promise<void> {
  const view = async (name: string, table: ViewedTable, source: string) => {
    const empty = join(lake.paths.root, lake.paths.emptyFile(table));
    const found = await lake.connection.runAndReadAll(
      `select file from glob(${quote(lake.paths.pattern(table, source))}) where file <> ${quote(empty)} order by file`,
    );
    const files = [empty, ...found.getRows().map(([file]) => String(file))];
    await lake.connection.run(`create or replace view staged.${name} as select * from ${parquetFiles(files, { isByName: true })}`);
  };
  await view('lake_observations', 'observations', sourceId);
  await view('lake_quarantine', 'quarantine', sourceId);
  await view('lake_resolutions', 'resolutions', sourceId);
  await lake.connection.run(
    `create or replace view staged.released as select distinct payload_id, indicator_id from staged.lake_resolutions where status = 'released'`,
  );
  await view('lake_ingestions', 'ingestions', sourceId);
  await view('lake_companies', 'companies', '*');
  await view('lake_files', 'ingestions', '*');
  for (const table of records) await view(`lake_${table}_own`, table, sourceId);
}

async function collect(
  connection: DuckDBConnection,
  payloads: readonly (PayloadInHand & { rows: number })[],
  records: ReadonlySet<RecordTable>,
): Promise<Settled> {
  const files: StagedFile[] = [
    { table: 'observations', select: 'from staged.appended' },
    { table: 'quarantine', select: 'select * exclude (payload_no) from staged.quarantined' },
  ];
  const written: string[] = ['select payload_id, count(*) as rows from staged.appended group by all'];
  const appended = await connection.runAndReadAll(
    `select coalesce(max(change_sequence), getvariable('last_change_sequence')::bigint), min(observed_at), count(*) from staged.appended`,
  );
  const [lastObserved = null, earliestObservedAt = null, appendedRows = null] = appended.getRows()[0] ?? [];
  // Values computed from records are changes too, and come after all earlier ones.
  const recordSequence = Number(lastObserved ?? 0) + 1;
  await setVariables(connection, { record_sequence: String(recordSequence) });
  for (const table of RECORD_TABLES.filter((name) => records.has(name))) {
    await connection.run(`create or replace table staged.new_${table} as ${newRecords(table)}`);
    files.push({ table, select: `from staged.new_${table}` });
    written.push(`select payload_id, count(*) as rows from staged.new_${table} group by all`);
  }
  const tally = async (sql: string) => {
    const rows = (await connection.runAndReadAll(`select payload_id, sum(rows)::bigint from (${sql}) group by all`)).getRows();
    return new Map(rows.map(([id, count]) => [String(id), Number(count)]));
  };
  const writtenRows = await tally(written.join(' union all '));
  const newRecordRows = [...writtenRows.values()].reduce((sum, rows) => sum + rows, 0) - Number(appendedRows);
  const found = await connection.runAndReadAll(
    'select payload_id, rule, severity, count(*) from staged.quarantined group by all order by all',
  );
  const findings = found
    .getRows()
    .map(([id, rule, severity, rows]) => ({ id: String(id), rule: String(rule), severity: String(severity), rows: Number(rows) }));
  const heldRows = await tally(`
    select payload_id, count(*) as rows
    from staged.judged inner join staged.held using (payload_no, series_ix) inner join staged.payloads using (payload_no)
    where rule is null
    group by all`);
  const newest = await connection.runAndReadAll('select payload_no, max(observed_at) from staged.observations group by all');
  const newestObservedAt = new Map(newest.getRows().map(([payloadNo, observedAt = null]) => [Number(payloadNo), toValue(observedAt)]));
  return {
    files,
    counts: new Map(
      payloads.map((payload, index) => {
        const own = findings
          .filter((finding) => finding.id === payload.payloadId)
          .map(({ rule, severity, rows }) => ({ rule, severity, rows }));
        // A payload that is held back is one finding per series, and all of its rows.
        const rowsQuarantined =
          own
            .filter((finding) => finding.severity === 'block' && finding.rule !== 'scale_jump')
            .reduce((sum, finding) => sum + finding.rows, 0) + (heldRows.get(payload.payloadId) ?? 0);
        return [
          payload.payloadId,
          {
            rowsRead: payload.rows,
            rowsWritten: writtenRows.get(payload.payloadId) ?? 0,
            rowsQuarantined,
            findings: own,
            newestObservedAt: textOf(newestObservedAt.get(index + 1)),
          },
        ];
      }),
    ),
    earliestObservedAt: textOf(toValue(earliestObservedAt)),
    lastChangeSequence: newRecordRows > 0 ? recordSequence : Number(lastObserved ?? 0),
  };
}

function textOf(value: Value | undefined): string | null {
  return typeof value === 'string' ? value : null;
}
