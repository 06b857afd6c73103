// The snapshots in a cluster and their tables. A load fills tables of its own name, then one row makes it visible; no row names a partial load.
import { sqlText } from '../db/query.ts';
import { toText, type Value } from '../db/rows.ts';
import { ClusterError, type ClusterConnection, type Limits } from './connection.ts';
import { statementOf } from './wire.ts';

/** By their names in statements. */
export const TABLES = ['series', 'vintages', 'states', 'values_3y'] as const;
export type TableName = (typeof TABLES)[number];
export type TablesOfLoad = Readonly<Record<TableName, string>>;

/** Increase this when the tables of a load change: earlier forms are ignored. */
const TABLES_VERSION = 3;

export interface Load {
  readonly loadId: string;
  readonly snapshotId: string;
}

export function tablesOf({ loadId }: Pick<Load, 'loadId'>): TablesOfLoad {
  const named = TABLES.map((name) => [name, `asof_${name}_${loadId}`] as const);
  return Object.fromEntries(named) as unknown as TablesOfLoad;
}

/** The visible loads, oldest first; none if nothing was ever loaded. */
export async function heldLoads(cluster: ClusterConnection, limits: Limits): Promise<readonly Load[]> {
  try {
    const rows = await allRows(cluster, statementOf(sqlText('clickhouse/loads/list.sql'), { tablesVersion: TABLES_VERSION }, {}), limits);
    return rows.map(([loadId, snapshotId]) => ({ loadId: toText(loadId), snapshotId: toText(snapshotId) }));
  } catch (error) {
    if (error instanceof ClusterError && error.type === 'UNKNOWN_TABLE') return [];
    throw error;
  }
}

/** The first of several loads of one snapshot is used. */
export function loadOf(loads: readonly Load[], snapshotId: string): Load | null {
  return loads.find((one) => one.snapshotId === snapshotId) ?? null;
}

export async function noteLoad(
  cluster: ClusterConnection,
  load: Load,
  { at, isDropped }: { readonly at: number; readonly isDropped: boolean },
  limits: Limits,
): Promise<void> {
  await cluster.command(statementOf(sqlText('clickhouse/loads/table.sql'), {}, {}), limits);
  const values = { ...load, tablesVersion: TABLES_VERSION, writtenAt: at, isDropped };
  await cluster.command(statementOf(sqlText('clickhouse/loads/add.sql'), values, {}), limits);
}

export async function dropTable(cluster: ClusterConnection, table: string, limits: Limits): Promise<void> {
  await cluster.command(statementOf(sqlText('clickhouse/loads/drop.sql'), {}, { table }), limits);
}

/** Tables of loads, with their age in seconds. */
export async function tablesThere(
  cluster: ClusterConnection,
  at: number,
  limits: Limits,
): Promise<readonly { readonly name: string; readonly age: number }[]> {
  const rows = await allRows(cluster, statementOf(sqlText('clickhouse/loads/tables.sql'), { at }, {}), limits);
  return rows.map(([name, age]) => ({ name: toText(name), age: Number(age) }));
}

export async function allRows(
  cluster: ClusterConnection,
  statement: ReturnType<typeof statementOf>,
  limits: Limits,
): Promise<readonly (readonly Value[])[]> {
  return cluster.read(statement, limits, async (parts) => {
    const found: (readonly Value[])[] = [];
    for await (const { rows } of parts) found.push(...rows);
    return found;
  });
}
