// Many small files of one partition → one file with the same rows: each night adds a few, and readers pay for every file they open.
import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parquetFiles } from '../db/files.ts';
import type { Lake } from './lake.ts';
import { isRecordTable, LAKE_TABLE_NAMES, LAKE_TABLES, type LakeTable } from './layout.ts';

export interface CompactOptions {
  /** A partition is compacted once it has more small files than this. */
  readonly moreThan: number;
  /** Files of at least this size stay as they are. */
  readonly smallBytes: number;
}

const DEFAULTS: CompactOptions = { moreThan: 8, smallBytes: 64 * 1024 * 1024 };

/** Compacts every partition that has become many small files. Returns how many files were replaced. */
export async function compact(lake: Lake, createdAt: string, options: CompactOptions = DEFAULTS): Promise<number> {
  let replaced = 0;
  for (const table of LAKE_TABLE_NAMES) {
    for (const sourceId of await partitionsOf(lake, table)) {
      const small = await smallFiles(lake, table, sourceId, options);
      if (small.length <= options.moreThan) continue;
      const files = small.map((path) => join(lake.paths.root, path));
      const select = `select * from ${parquetFiles(files, { isByName: true })} order by ${sortKey(table)}`;
      await lake.commit(sourceId, createdAt, [{ table, select }], { removes: small });
      replaced += small.length;
    }
  }
  return replaced;
}

/** The order that puts the rows of one series, filer or run together. */
export function sortKey(table: LakeTable): string {
  if (table === 'observations') return 'indicator_id, frequency, period_end, observed_at, change_sequence';
  if (isRecordTable(table)) return `${Object.keys(LAKE_TABLES[table]).slice(0, 4).join(', ')}, record_hash`;
  if (table === 'quarantine' || table === 'resolutions') return 'quarantine_id';
  if (table === 'fetches') return 'finished_at, key';
  return table === 'ingestions' ? 'started_at, run_id' : 'started_at, attempt_id';
}

async function partitionsOf(lake: Lake, table: LakeTable): Promise<string[]> {
  const folder = join(lake.paths.root, table);
  if (!existsSync(folder)) return [];
  return (await readdir(folder))
    .map((name) => name.replace('source_id=', ''))
    .filter((id) => id !== 'none')
    .sort();
}

async function smallFiles(lake: Lake, table: LakeTable, sourceId: string, options: CompactOptions): Promise<string[]> {
  const folder = lake.paths.partition(table, sourceId);
  const names = (await readdir(folder)).filter((name) => name.endsWith('.parquet')).sort();
  const sizes = await Promise.all(names.map(async (name) => ({ name, bytes: (await stat(join(folder, name))).size })));
  return sizes.filter(({ bytes }) => bytes < options.smallBytes).map(({ name }) => `${table}/source_id=${sourceId}/${name}`);
}
