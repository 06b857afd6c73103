// The files of relations that are never whole in memory: one per dataset, or per epoch. Small parts share one statement.
import type { DuckDBConnection } from '@duckdb/node-api';
import { type EngineLimits, returnMemory } from '../../db/connect.ts';
import { ofDataset, ofDatasets } from '../../db/datasets.ts';
import { createRelation, nameOf, relationName } from '../../db/layers.ts';
import { sqlText } from '../../db/query.ts';
import { PER_SERIES, PER_SOURCE, type TableFiles, type WrittenFile } from './files.ts';
import { STATE_ORDER, VALUE_ORDER, VINTAGE_ORDER, type Written } from './relations.ts';

/** Each statement takes 30 to 60 ms, even for a few rows. */
const MOST_VINTAGES_AT_ONCE = 250_000;
/** A state has up to 40 values of three years. */
const MOST_STATES_AT_ONCE = 5000;
/** The rows of the parts that share a statement. */
const IN_HAND = 'published.in_hand';

export function writeParts(
  connection: DuckDBConnection,
  relation: Written,
  files: TableFiles,
  limits: EngineLimits,
): Promise<readonly WrittenFile[]> {
  if (relation.by === 'dataset') return writeVintages(connection, files, limits);
  return nameOf(relation.path) === 'states' ? writeStates(connection, files, relation) : writeValues(connection, files, relation);
}

/** One file per dataset. If a night brings no news for a source, its file stays the same. */
async function writeVintages(connection: DuckDBConnection, files: TableFiles, limits: EngineLimits): Promise<WrittenFile[]> {
  const found = await connection.runAndReadAll(`
    with sizes as (select series_no >> 20 as dataset_no, count(*) as vintages from derived.all_vintages group by all)

    select
        series.series_no >> 20 as dataset_no,
        if(is_derived, series.canonical_id, series.source_id) as dataset,
        bool_and(is_redistributable) as is_redistributable,
        string_agg(distinct license, '; ' order by license) as licence,
        coalesce(any_value(sizes.vintages), 0) as vintages
    from published.series
    left join sizes on sizes.dataset_no = series.series_no >> 20
    group by all
    order by all`);
  const datasets = found.getRows().map(([no, name, isRedistributable, licence, vintages]) => ({
    no: Number(no),
    name: String(name),
    isRedistributable: isRedistributable === true,
    licence: String(licence),
    size: Number(vintages),
  }));
  const written: WrittenFile[] = [];
  if (datasets.length === 0) return [await files.whole('vintages')];
  for (const group of inGroups(datasets, MOST_VINTAGES_AT_ONCE)) {
    await returnMemory(connection, limits);
    const isSingle = group.length === 1;
    if (!isSingle) {
      const wanted = ofDatasets(group[0]?.no ?? 0, group.at(-1)?.no ?? 0);
      await connection.run(`create or replace table ${IN_HAND} as select * from published.vintages where ${wanted}`);
    }
    for (const { no, name, isRedistributable, licence } of group) {
      written.push(
        await files.part({
          name: 'vintages',
          select: `select * from ${isSingle ? 'published.vintages' : IN_HAND} where ${ofDataset(no)} order by ${VINTAGE_ORDER}`,
          partition: { dataset: name, dataset_no: no },
          rights: { redistributable: isRedistributable, ...PER_SERIES },
          licence,
        }),
      );
    }
  }
  await connection.run(`drop table if exists ${IN_HAND}`);
  return written;
}

// States and values have one file per calendar year of knowledge. New knowledge of this year leaves the files of earlier years unchanged.

/** The states are few, so one statement finds them all. */
async function writeStates(connection: DuckDBConnection, files: TableFiles, { path }: Pick<Written, 'path'>): Promise<WrittenFile[]> {
  await createRelation(connection, { path, as: 'table' });
  const select = `from ${relationName(path)}`;
  const written: WrittenFile[] = [];
  for (const { epoch } of await epochsOf(connection))
    written.push(await writeEpoch(files, path, `${select} where epoch = ${epoch} order by ${STATE_ORDER}`, { epoch }));
  return written.length > 0 ? written : [await writeEpoch(files, path, select, {})];
}

async function writeValues(connection: DuckDBConnection, files: TableFiles, { path }: Pick<Written, 'path'>): Promise<WrittenFile[]> {
  const own = sqlText(`${path}.sql`);
  const written: WrittenFile[] = [];
  for (const group of inGroups(await epochsOf(connection), MOST_STATES_AT_ONCE)) {
    await connection.run(`set variable first_epoch = ${group[0]?.epoch}; set variable last_epoch = ${group.at(-1)?.epoch}`);
    const isSingle = group.length === 1;
    if (!isSingle) await connection.run(`create or replace table ${IN_HAND} as ${own}`);
    for (const { epoch } of group) {
      const select = isSingle ? own : `from ${IN_HAND} where epoch = ${epoch} order by ${VALUE_ORDER}`;
      written.push(await writeEpoch(files, path, select, { epoch }));
    }
  }
  await connection.run(`drop table if exists ${IN_HAND}`);
  return written.length > 0 ? written : [await writeEpoch(files, path, own, {})];
}

/** The epochs with states, in order; the size counts the states. */
async function epochsOf(connection: DuckDBConnection) {
  const found = await connection.runAndReadAll('select epoch, count(*) from published.states group by epoch order by epoch');
  return found.getRows().map(([epoch, states]) => ({ epoch: Number(epoch), size: Number(states) }));
}

function writeEpoch(files: TableFiles, path: string, select: string, partition: Readonly<Record<string, number>>): Promise<WrittenFile> {
  return files.part({ name: nameOf(path), select, partition, rights: PER_SERIES, licence: PER_SOURCE });
}

/** In their order. A part that is larger than a group is alone. */
function inGroups<Part extends { readonly size: number }>(parts: readonly Part[], most: number): readonly (readonly Part[])[] {
  const groups: Part[][] = [];
  let size = 0;
  for (const part of parts) {
    size += part.size;
    const last = groups.at(-1);
    if (last === undefined || size > most) {
      groups.push([part]);
      size = part.size;
    } else last.push(part);
  }
  return groups;
}
