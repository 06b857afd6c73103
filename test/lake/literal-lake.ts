// A lake of rows written out in the test, without sources and reference data: what commits and compactions do to files is seen at once.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { type Lake, openLake, type StagedFile } from '../../src/lake/lake.ts';
import { columnsOf, type LakeTable } from '../../src/lake/layout.ts';

const LIMITS = { threads: 1, memory: '200MB', tempSize: '100MB' };

export const openLiteral = (root: string): Promise<Lake> => openLake(join(root, 'lake'), { ...LIMITS, tempDirectory: join(root, 'spill') });

/** Rows of a table by column; the others are null. */
export function rowsOf(table: LakeTable, rows: readonly Readonly<Record<string, string | number>>[]): StagedFile {
  const columns = Object.entries(columnsOf(table));
  const line = (row: Readonly<Record<string, string | number>>) =>
    `select ${columns.map(([name, type]) => `${row[name] === undefined ? 'null' : `'${row[name]}'`}::${type} as ${name}`).join(', ')}`;
  return { table, select: rows.length === 0 ? `${line({})} limit 0` : rows.map(line).join(' union all ') };
}

/** A night: one value with the next number of change, and on odd days the run that brought it. */
export async function night(lake: Lake, day: number, sourceId = 'fred'): Promise<void> {
  const sequence = lake.lastChangeSequence() + 1;
  const at = `2024-01-${String(day).padStart(2, '0')}T08:00:00.000Z`;
  const period = `2024-01-${String(29 - day).padStart(2, '0')}`;
  const observation = {
    indicator_id: 'x',
    frequency: 'daily',
    period,
    period_end: period,
    value: day,
    observed_at: at,
    change_sequence: sequence,
  };
  const files = [
    rowsOf('observations', [observation]),
    rowsOf('quarantine', []),
    rowsOf('ingestions', day % 2 === 0 ? [] : [{ run_id: `run_${day}`, started_at: at, status: 'ok' }]),
  ];
  await lake.commit(sourceId, at, files, { lastChangeSequence: sequence });
}

/** Every row of the tables that `night` writes, as a reader of the files finds them. */
export async function rowsIn(root: string, table: LakeTable = 'observations'): Promise<string[]> {
  const files = join(root, 'lake', table, '*/*.parquet');
  const result = await (await connected()).runAndReadAll(
    `select * from read_parquet('${files}', union_by_name = true, hive_partitioning = true) order by all`,
  );
  return result.getRows().map((row) => row.map(String).join(' '));
}

/** The periods of one file of a partition, in the order in which they stand there. */
export async function periodsIn(root: string, sourceId: string): Promise<string[]> {
  const files = join(root, `lake/observations/source_id=${sourceId}/*.parquet`);
  const result = await (await connected()).runAndReadAll(`select period from read_parquet('${files}', hive_partitioning = false)`);
  return result.getRows().map(String);
}

let reading: Promise<DuckDBConnection> | null = null;

function connected(): Promise<DuckDBConnection> {
  reading ??= DuckDBInstance.create(':memory:', { threads: '1' }).then((instance) => instance.connect());
  return reading;
}

/** Every file below a folder, hidden and partial ones too. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}
