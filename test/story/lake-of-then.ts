// What a derived indicator says as of a cutoff must be what it would have said then: the same as over a lake that holds nothing known later.
import { cp, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EngineLimits, openWriter, quote } from '../../src/db/connect.ts';
import { toValue } from '../../src/db/rows.ts';
import { LAKE_TABLE_NAMES, type LakeTable, columnsOf } from '../../src/lake/layout.ts';
import type { SnapshotReader } from '../../src/snapshot/reader.ts';
import { openPipeline, type Pipeline } from '../pipeline.ts';

export interface Difference {
  readonly cutoff: string;
  /** Said as of the cutoff, but not by the lake of that time. */
  readonly tooMuch: readonly string[];
  /** Said by the lake of that time, but not as of the cutoff. */
  readonly missing: readonly string[];
}

export interface LookAheadReport {
  readonly differences: readonly Difference[];
  /** Rows compared over all cutoffs: a comparison of nothing proves nothing. */
  readonly rowsCompared: number;
}

/**
 * Compares, at each cutoff, every row of the given canonical indicators as of the cutoff with the newest rows of a snapshot built from
 * the pipeline's lake without what became known later. Expects a published snapshot of the lake.
 */
export async function compareWithLakeOfThen(
  pipeline: Pipeline,
  canonicalIds: readonly string[],
  cutoffs: readonly string[],
  rowsOf: RowsAsOf = vintagesAsOf,
): Promise<LookAheadReport> {
  const full = await pipeline.open();
  const differences: Difference[] = [];
  let rowsCompared = 0;
  for (const cutoff of cutoffs) {
    const said = await rowsOf(full, canonicalIds, cutoff);
    const then = await onLakeOfThen(pipeline, cutoff, (reader) => rowsOf(reader, canonicalIds, null));
    const [saidSet, thenSet] = [new Set(said), new Set(then)];
    const tooMuch = said.filter((row) => !thenSet.has(row));
    const missing = then.filter((row) => !saidSet.has(row));
    if (tooMuch.length > 0 || missing.length > 0) differences.push({ cutoff, tooMuch, missing });
    rowsCompared += said.length;
  }
  return { differences, rowsCompared };
}

/** Every instant at which something became known to the lake, a millisecond before it, and the middle to the next. */
export async function interestingCutoffs(pipeline: Pipeline): Promise<string[]> {
  const rows = await pipeline.lake('select distinct observed_at from observations order by 1');
  const instants = rows.map((row) => Date.parse(String(row['observed_at'])));
  const cutoffs = instants.flatMap((instant, index) => [
    instant - 1,
    instant,
    Math.floor((instant + (instants[index + 1] ?? instant)) / 2),
  ]);
  return [...new Set(cutoffs)].map((cutoff) => new Date(cutoff).toISOString());
}

/** Rows as of a cutoff, or as of the end of what a snapshot knows, as texts. */
export type RowsAsOf = (reader: SnapshotReader, canonicalIds: readonly string[], cutoff: string | null) => Promise<string[]>;

const vintagesAsOf: RowsAsOf = async (reader, canonicalIds, cutoff) => {
  const ids = canonicalIds.map(quote).join(', ');
  const at = cutoff === null ? "timestamptz 'infinity'" : `timestamptz ${quote(cutoff)}`;
  return reader.withConnection(async (connection) => {
    const result = await connection.runAndReadAll(`
      select series.source_id, series.indicator_id, series.frequency, period, value, value_text, metadata, vintage, observed_at
      from published.vintages
      inner join published.series using (series_no)
      where series.canonical_id in (${ids}) and observed_at <= ${at} and (known_to is null or known_to > ${at})
      order by all`);
    return result.getRows().map((row) => JSON.stringify(row.map(toValue)));
  });
};

/** Baseline forecasts, which once made stay as they are. */
export const forecastsAsOf: RowsAsOf = async (reader, canonicalIds, cutoff) => {
  const at = cutoff === null ? "timestamptz 'infinity'" : `timestamptz ${quote(cutoff)}`;
  return reader.withConnection(async (connection) => {
    const result = await connection.runAndReadAll(`
      select series.indicator_id, forecasts.* exclude (series_no)
      from published.forecasts
      inner join published.series using (series_no)
      where series.canonical_id in (${canonicalIds.map(quote).join(', ')}) and observed_at <= ${at}
      order by all`);
    return result.getRows().map((row) => JSON.stringify(row.map(toValue)));
  });
};

/** @param isCacheShared whether results of the full lake may be taken over: quicker, and blind to a cache that leaks */
export async function onLakeOfThen<Result>(
  pipeline: Pipeline,
  cutoff: string,
  use: (reader: SnapshotReader) => Promise<Result>,
  isCacheShared = false,
): Promise<Result> {
  const dataDir = await mkdtemp(join(tmpdir(), 'asof-then-'));
  const then = await openPipeline({ ...pipeline.options, dataDir });
  try {
    const shared = isCacheShared ? ['lake', 'derived-cache'] : ['lake'];
    for (const name of shared) await cp(join(pipeline.dataDir, name), join(dataDir, name), { recursive: true });
    await forgetAfter(join(dataDir, 'lake'), cutoff, then.workspace.limits('test'));
    await then.publish();
    return await use(await then.open());
  } finally {
    await then.remove();
  }
}

/**
 * A text that replaces another is known from its retrieval, whatever time it states; so is a fact that does. A fact is known from the acceptance of its
 * filing, where that is known (table `accepted`). The runs stay, because every row names its own, and end
 * by the cutoff, which is then all that the lake knows of the time.
 */
function keptRows(table: LakeTable, files: string, cutoff: string): string {
  const rows = `read_parquet(${quote(files)}, hive_partitioning = false)`;
  const at = `timestamptz ${quote(cutoff)}`;
  if (table === 'attempts')
    return `select * replace (least(finished_at, ${at}) as finished_at, least(started_at, ${at}) as started_at, least(collected_at, ${at}) as collected_at) from ${rows}`;
  if (table === 'facts') {
    return `
      select * exclude (accepted_at, statement_no)
      from (
          select
              facts.*,
              accepted.accepted_at,
              row_number() over (
                  partition by cik, taxonomy, concept, unit, period_start, period_end, accession_number order by retrieved_at, record_hash
              ) as statement_no,
          from ${rows} as facts
          left join accepted using (accession_number)
      )
      where if(statement_no = 1, least(coalesce(accepted_at, observed_at), retrieved_at), retrieved_at) <= ${at}`;
  }
  if (table !== 'documents') return `from ${rows} where observed_at <= ${at}`;
  return `
    select * exclude (version_no)
    from (select *, row_number() over (partition by document_id order by retrieved_at, observed_at, record_hash) as version_no from ${rows})
    where if(version_no = 1, observed_at, greatest(observed_at, retrieved_at)) <= ${at}`;
}

async function forgetAfter(lake: string, cutoff: string, limits: EngineLimits): Promise<void> {
  const engine = await openWriter(limits);
  try {
    await engine.connection.run('create table accepted (accession_number varchar, accepted_at timestamptz)');
    await engine.connection.run(`
      insert into accepted
      select accession_number, min(accepted_at)
      from read_parquet(${quote(join(lake, 'filings/*/*.parquet'))}, union_by_name = true, hive_partitioning = false)
      where accepted_at is not null
      group by all`);
    for (const table of LAKE_TABLE_NAMES.filter((name) => name === 'attempts' || 'observed_at' in columnsOf(name))) {
      for (const partition of await readdir(join(lake, table))) {
        const folder = join(lake, table, partition);
        const parts = (await readdir(folder)).filter((name) => /^part-.*\.parquet$/.test(name));
        if (parts.length === 0) continue;
        await engine.connection.run(
          `copy (${keptRows(table, join(folder, 'part-*.parquet'), cutoff)}) to ${quote(join(folder, 'kept'))} (format parquet)`,
        );
        for (const name of parts) await rm(join(folder, name));
        await rename(join(folder, 'kept'), join(folder, 'part-00000000.parquet'));
      }
    }
  } finally {
    engine.close();
  }
}
