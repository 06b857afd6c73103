// The published vintages, which are never whole in memory: one file per dataset.
import type { DuckDBConnection } from '@duckdb/node-api';
import { type EngineLimits, returnMemory } from '../../db/connect.ts';
import { ofDataset, ofDatasets } from '../../db/datasets.ts';
import type { SnapshotPaths } from '../manifest.ts';
import { PER_SERIES, type WrittenFile, writeFile, writeTable } from './files.ts';
import { VINTAGE_ORDER } from './relations.ts';

/** Vintages of the small datasets that are read at once: each reading of the view takes 30 ms, even for a few rows. */
const MOST_IN_HAND = 250_000;
const IN_HAND = 'published.vintages_in_hand';

/** One file per dataset. If a night brings no news for a source, its file stays the same. */
export async function writeVintages(connection: DuckDBConnection, paths: SnapshotPaths, limits: EngineLimits): Promise<WrittenFile[]> {
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
    vintages: Number(vintages),
  }));
  const written: WrittenFile[] = [];
  if (datasets.length === 0) return [await writeTable(connection, paths, 'vintages')];
  for (const group of inGroups(datasets)) {
    await returnMemory(connection, limits);
    const isSingle = group.length === 1;
    if (!isSingle) {
      const wanted = ofDatasets(group[0]?.no ?? 0, group.at(-1)?.no ?? 0);
      await connection.run(`create or replace table ${IN_HAND} as select * from published.vintages where ${wanted}`);
    }
    for (const { no, name, isRedistributable, licence } of group) {
      written.push(
        await writeFile(connection, paths, {
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

/** In their order; a dataset with more rows than a group is alone. */
function inGroups<Dataset extends { readonly vintages: number }>(datasets: readonly Dataset[]): readonly (readonly Dataset[])[] {
  const groups: Dataset[][] = [];
  let rows = 0;
  for (const dataset of datasets) {
    rows += dataset.vintages;
    const last = groups.at(-1);
    if (last === undefined || rows > MOST_IN_HAND) {
      groups.push([dataset]);
      rows = dataset.vintages;
    } else last.push(dataset);
  }
  return groups;
}
