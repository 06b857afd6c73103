// What a derived indicator says as of a cutoff must be what it would have said then: the same as over a lake that holds nothing known later.
import { cp, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EngineLimits, openWriter, quote } from '../src/db/connect.ts';
import { toValue } from '../src/db/rows.ts';
import { LAKE_TABLE_NAMES, columnsOf } from '../src/lake/layout.ts';
import type { SnapshotReader } from '../src/snapshot/reader.ts';
import { openPipeline, type Pipeline } from './pipeline.ts';

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

async function onLakeOfThen<Result>(pipeline: Pipeline, cutoff: string, use: (reader: SnapshotReader) => Promise<Result>): Promise<Result> {
  const dataDir = await mkdtemp(join(tmpdir(), 'asof-then-'));
  const then = await openPipeline({ dataDir });
  try {
    await cp(join(pipeline.dataDir, 'lake'), join(dataDir, 'lake'), { recursive: true });
    await forgetAfter(join(dataDir, 'lake'), cutoff, then.workspace.limits('test'));
    await then.publish();
    return await use(await then.open());
  } finally {
    await then.remove();
  }
}

async function forgetAfter(lake: string, cutoff: string, limits: EngineLimits): Promise<void> {
  const engine = await openWriter(limits);
  try {
    for (const table of LAKE_TABLE_NAMES.filter((name) => 'observed_at' in columnsOf(name))) {
      for (const name of await readdir(join(lake, table), { recursive: true })) {
        if (!/part-.*\.parquet$/.test(name)) continue;
        const path = join(lake, table, name);
        const kept = `${path}.kept`;
        const select = `from read_parquet(${quote(path)}, hive_partitioning = false) where observed_at <= timestamptz ${quote(cutoff)}`;
        await engine.connection.run(`copy (${select}) to ${quote(kept)} (format parquet)`);
        await rm(path);
        await rename(kept, path);
      }
    }
  } finally {
    engine.close();
  }
}
