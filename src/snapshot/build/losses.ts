// Compares a candidate with the current snapshot, because a lake that was moved, emptied or partly restored derives without an error.
import { join } from 'node:path';
import { openWriter, SMALL } from '../../db/connect.ts';
import { parquetFiles } from '../../db/files.ts';
import type { Manifest, Resource } from '../../model/manifest.ts';
import type { SnapshotPaths } from '../manifest.ts';
import { KnownError } from '../../known-error.ts';

export async function refuseLoss(paths: SnapshotPaths, current: Manifest, candidate: Manifest): Promise<void> {
  if (current.contentHash === candidate.contentHash) return;
  const lost = [...lostTables(current, candidate), ...(await lostSources(paths, current, candidate)), ...lostVintages(current, candidate)];
  if (lost.length === 0) return;
  throw new KnownError(
    `Snapshot ${candidate.snapshotId} is not published. Compared with the current one, ${current.snapshotId}, it lost ${lost.join('; ')}. ` +
      'Check the lake and the raw archive with npm run doctor, and restore missing files. If the loss is intended, run: npm run publish -- --accept-loss',
  );
}

/** The set of tables depends on the schema: another release may have fewer. */
function lostTables(current: Manifest, candidate: Manifest): string[] {
  const after = rowsBy(candidate, ({ table }) => table);
  const isOneSchema = current.schemaVersion === candidate.schemaVersion;
  return [...rowsBy(current, ({ table }) => table)]
    .filter(([name, rows]) => (isOneSchema && !after.has(name)) || (rows > 0 && after.get(name) === 0))
    .map(([name, rows]) => `the table ${name} (${counted(rows)} rows)`);
}

/** Only losses of more than half count: a source may withdraw series, and a fix of a reader may remove some. */
function lostVintages(current: Manifest, candidate: Manifest): string[] {
  const datasetOf = (resource: Resource) => (resource.table === 'vintages' ? String(resource.partition['dataset'] ?? '') : null);
  const after = rowsBy(candidate, datasetOf);
  const lost = [...rowsBy(current, datasetOf)]
    .map(([dataset, before]) => ({ name: dataset, before, now: after.get(dataset) ?? 0 }))
    .filter(({ before, now }) => now * 2 < before);
  const whole = { name: '', before: current.counts.vintages, now: candidate.counts.vintages };
  return [...(whole.now * 2 < whole.before ? [whole] : []), ...lost].map(
    ({ name, before, now }) => `${counted(before - now)} of ${counted(before)} vintages${name === '' ? '' : ` of ${name}`}`,
  );
}

/** Compares sources by their runs, because some bring only documents, filings or schedules. */
async function lostSources(paths: SnapshotPaths, current: Manifest, candidate: Manifest): Promise<string[]> {
  const filesOf = (manifest: Manifest) =>
    manifest.resources.filter(({ table }) => table === 'runs').map(({ path }) => join(paths.root, path));
  const [before, after] = [filesOf(current), filesOf(candidate)];
  if (before.length === 0 || after.length === 0) return [];
  const engine = await openWriter(SMALL);
  try {
    const result = await engine.connection.runAndReadAll(`
      select distinct source_id
      from ${parquetFiles(before)}
      where status = 'ok' and source_id not in (select source_id from ${parquetFiles(after)} where status = 'ok')
      order by source_id`);
    return result.getRows().map(([id]) => `the source ${String(id)}`);
  } finally {
    engine.close();
  }
}

function rowsBy(manifest: Manifest, keyOf: (resource: Resource) => string | null): Map<string, number> {
  const rows = new Map<string, number>();
  for (const resource of manifest.resources) {
    const key = keyOf(resource);
    if (key !== null && key !== '') rows.set(key, (rows.get(key) ?? 0) + resource.rowCount);
  }
  return rows;
}

function counted(count: number): string {
  return count.toLocaleString('en-US');
}
