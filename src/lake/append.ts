// Records of payloads → new rows of the lake. Records are staged, checked, compared with the rows in force, and appended if they are new.
// A record that breaks a rule goes to quarantine. One flush is one commit: all of it or nothing.
import { join } from 'node:path';
import type { DuckDBAppender, DuckDBConnection } from '@duckdb/node-api';
import { quote } from '../db/connect.ts';
import { parquetFiles } from '../db/files.ts';
import { filled, sqlText } from '../db/query.ts';
import { toValue, type Value } from '../db/rows.ts';
import type { ObservationRecord, RefusedRecord } from '../model/record.ts';
import { judgeStaged } from './judge.ts';
import type { Lake, StagedFile } from './lake.ts';
import { RECORD_TABLES, type RecordTable } from './layout.ts';
import { newRecords } from './new-records.ts';
import {
  appendObservation,
  appendRefused,
  insertObservations,
  openStagedTables,
  type PayloadInHand,
  recordAppender,
  type StagedRecord,
  type StagedTable,
  stagePayloads,
} from './staged-tables.ts';
import { dropStanding, forgetStanding, rememberAppended } from './standing.ts';
import { stageUnlistedFilers } from './unlisted-filers.ts';

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
  readonly settle: (options: SettleOptions) => Promise<Settled>;
  /** Clears the stage, after any settled rows were committed. */
  readonly clear: () => Promise<void>;
}

interface SettleOptions {
  readonly ingestedAt: string;
  readonly connectorVersion: number;
}

export interface Settled {
  readonly files: readonly StagedFile[];
  readonly counts: ReadonlyMap<string, PayloadCounts>;
  /** The oldest knowledge time among the observations to append; null if there are none. */
  readonly earliestObservedAt: string | null;
  readonly lastChangeSequence: number;
}

/** A payload with the number of its staged rows. */
type StagedPayload = PayloadInHand & { rows: number };

/** Expects the schema `reference` on the lake's connection; see reference.ts. */
export async function openStage(lake: Lake, sourceId: string): Promise<Stage> {
  const { connection } = lake;
  await forgetStanding(connection);
  const tables = await openStagedTables(connection);
  const payloads: StagedPayload[] = [];
  let lastRow = 0;
  let size = 0;
  let isSettled = false;
  /** Record tables with staged rows since the last clear. */
  const staged = new Set<RecordTable>();

  const current = () => {
    const payload = payloads.at(-1);
    if (payload === undefined) throw new Error('no payload is open');
    return payload;
  };
  const add = <Row>(table: StagedTable, rows: readonly Row[], write: (out: DuckDBAppender, row: Row) => void) => {
    const payload = current();
    const out = tables.appenderOf(table);
    for (const row of rows) {
      lastRow += 1;
      payload.rows += 1;
      out.appendInteger(payloads.length);
      out.appendBigInt(BigInt(lastRow));
      write(out, row);
      out.endRow();
    }
  };

  return {
    open(payload) {
      payloads.push({ ...payload, rows: 0 });
    },
    observations(rows) {
      size += rows.length;
      add('observations', rows, appendObservation);
    },
    records(table, rows) {
      size += rows.length * OBSERVATIONS_PER_RECORD;
      if (rows.length > 0) staged.add(table);
      add(table, rows, recordAppender(table));
    },
    refused(rows) {
      size += rows.length;
      add('refused', rows, appendRefused);
    },
    async bulk(sql, parameters) {
      const payload = current();
      const added = await insertObservations(connection, sql, parameters, { payloadNo: payloads.length, lastRow });
      payload.rows += added;
      size += added;
      lastRow += added;
    },
    keep: () => tables.flush(),
    async drop() {
      await tables.drop(payloads.length);
      current().rows = 0;
    },
    stagedSize: () => size,
    async settle(options) {
      tables.close();
      // Appending a million rows leaves 220 MB behind.
      await lake.rest();
      await judgeAll(lake, sourceId, payloads, staged, options);
      isSettled = true;
      return collect(connection, payloads, staged);
    },
    async clear() {
      tables.close();
      payloads.length = 0;
      lastRow = 0;
      size = 0;
      staged.clear();
      if (isSettled) await rememberAppended(connection);
      isSettled = false;
      await tables.clear();
    },
  };
}

/** Compares everything staged with the rows of the lake, and applies the rules. */
async function judgeAll(
  lake: Lake,
  sourceId: string,
  payloads: readonly StagedPayload[],
  records: ReadonlySet<RecordTable>,
  { ingestedAt, connectorVersion }: SettleOptions,
): Promise<void> {
  const { connection } = lake;
  await setVariables(connection, {
    source_id: sourceId,
    ingested_at: ingestedAt,
    connector_version: String(connectorVersion),
    last_change_sequence: String(lake.lastChangeSequence()),
  });
  await stagePayloads(connection, payloads);
  await viewLake(lake, sourceId, records);
  if (records.has('companies')) await stageUnlistedFilers(connection);
  await judgeStaged(connection);
}

/** Removes the temporary tables of a stage from the lake's connection, however it ended. */
export async function dropStage(connection: DuckDBConnection): Promise<void> {
  await connection.run('drop schema if exists staged cascade');
  await dropStanding(connection);
}

async function setVariables(connection: DuckDBConnection, variables: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(variables)) await connection.run(`set variable ${name} = ${quote(value)}`);
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
  await lake.connection.run(`create or replace view staged.released as ${sqlText('staging/released.sql')}`);
  await view('lake_ingestions', 'ingestions', sourceId);
  await view('lake_companies', 'companies', '*');
  await view('lake_files', 'ingestions', '*');
  for (const table of records) await view(`lake_${table}_own`, table, sourceId);
}

async function collect(
  connection: DuckDBConnection,
  payloads: readonly StagedPayload[],
  records: ReadonlySet<RecordTable>,
): Promise<Settled> {
  const ask = async (sql: string) => (await connection.runAndReadAll(sql)).getRows();
  const files: StagedFile[] = [
    { table: 'observations', select: 'from staged.appended' },
    { table: 'quarantine', select: 'select * exclude (payload_no) from staged.quarantined' },
  ];
  const [[lastObserved = 0, earliestObservedAt = null] = []] = await ask(sqlText('staging/settled/changes.sql'));
  // Values computed from records are changes too, and come after all earlier ones.
  const recordSequence = Number(lastObserved) + 1;
  await setVariables(connection, { record_sequence: String(recordSequence) });
  const written = ['appended'];
  let newRecordRows = 0;
  for (const table of RECORD_TABLES.filter((name) => records.has(name))) {
    const created = await connection.runAndReadAll(`create or replace table staged.new_${table} as ${newRecords(table)}`);
    newRecordRows += Number(created.getRows()[0]?.[0]);
    files.push({ table, select: `from staged.new_${table}` });
    written.push(`new_${table}`);
  }
  const findings = (await ask(sqlText('staging/settled/findings.sql'))).map(([id, rule, severity, rows]) => ({
    id: String(id),
    rule: String(rule),
    severity: String(severity),
    rows: Number(rows),
  }));
  const ids = written.map((table) => `select payload_id from staged.${table}`);
  const counted = await ask(filled(sqlText('staging/settled/payloads.sql'), { written_rows: `(${ids.join(' union all ')})` }));
  return {
    files,
    counts: new Map(
      payloads.map(({ payloadId, rows }, index) => {
        const [rowsWritten, rowsHeld, newestObservedAt = null] = counted[index] ?? [];
        const own = findings.filter((finding) => finding.id === payloadId).map(({ id: _, ...finding }) => finding);
        // A payload that is held back is one finding per series, and all of its rows.
        const blocked = own.filter((finding) => finding.severity === 'block' && finding.rule !== 'scale_jump');
        return [
          payloadId,
          {
            rowsRead: rows,
            rowsWritten: Number(rowsWritten),
            rowsQuarantined: blocked.reduce((sum, finding) => sum + finding.rows, Number(rowsHeld)),
            findings: own,
            newestObservedAt: textOf(toValue(newestObservedAt)),
          },
        ];
      }),
    ),
    earliestObservedAt: textOf(toValue(earliestObservedAt)),
    lastChangeSequence: newRecordRows > 0 ? recordSequence : Number(lastObserved),
  };
}

function textOf(value: Value | undefined): string | null {
  return typeof value === 'string' ? value : null;
}
