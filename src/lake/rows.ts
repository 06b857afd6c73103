// Rows made in TypeScript → a file of the lake.
import { quote } from '../db/connect.ts';
import type { StagedFile } from './lake.ts';
import { LAKE_TABLES, type LakeTable } from './layout.ts';

export type Row = Readonly<Record<string, string | number | null>>;

/** Rows of a lake table given as JSON; absent columns are null. */
export function rowsOf(table: LakeTable, rows: readonly Row[]): StagedFile {
  const columns = Object.entries(LAKE_TABLES[table]);
  const shape = JSON.stringify([Object.fromEntries(columns.map(([name]) => [name, 'VARCHAR']))]);
  const cast = columns.map(([name, type]) => `r.${name}::${type} as ${name}`).join(', ');
  return { table, select: `select ${cast} from (select unnest(from_json(${quote(JSON.stringify(rows))}, ${quote(shape)})) as r)` };
}
