// What is said as of a cutoff must be what would have been said then: the same as over a lake that holds nothing known later.
import { cp, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { z } from 'zod';
import { openWriter, quote } from '../../../src/db/connect.ts';
import { toValue } from '../../../src/db/rows.ts';
import { LAKE_TABLE_NAMES, type LakeTable } from '../../../src/lake/layout.ts';
import type { SnapshotReader } from '../../../src/snapshot/serving/reader.ts';
import { reseal } from '../../lake/reseal.ts';
import { openPipeline, type Pipeline } from '../../pipeline.ts';

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
async function onLakeOfThen<Result>(
  pipeline: Pipeline,
  cutoff: string,
  use: (reader: SnapshotReader) => Promise<Result>,
  isCacheShared = false,
): Promise<Result> {
  const then = await buildLakeOfThen(pipeline, cutoff, isCacheShared);
  try {
    return await use(await then.open());
  } finally {
    await then.remove();
  }
}

/** The lake without what became known after the cutoff, published; to be removed by whoever asked for it. */
export async function buildLakeOfThen(pipeline: Pipeline, cutoff: string, isCacheShared = false): Promise<Pipeline> {
  const dataDir = await mkdtemp(join(tmpdir(), 'asof-then-'));
  const referenceDir = join(dataDir, 'reference');
  await cp(pipeline.options.referenceDir ?? resolve(import.meta.dirname, '../../../data/reference'), referenceDir, { recursive: true });
  const then = await openPipeline({ ...pipeline.options, dataDir, referenceDir });
  try {
    const shared = isCacheShared ? ['lake', 'derived-cache'] : ['lake'];
    for (const name of shared) await cp(join(pipeline.dataDir, name), join(dataDir, name), { recursive: true });
    const engine = await openWriter(then.workspace.limits('test'));
    try {
      await forgetAfter(engine.connection, join(dataDir, 'lake'), referenceDir, cutoff);
    } finally {
      engine.close();
    }
    await reseal(join(dataDir, 'lake'));
    await then.publish();
    return then;
  } catch (error) {
    await then.remove();
    throw error;
  }
}

/**
 * A text that replaces another is known from its retrieval, whatever time it states; so is a fact that does, and a filing that is described again. A
 * fact is known from the acceptance of its filing, if that is known (table `accepted`). The runs stay, because every row names its own, and end by the
 * cutoff, which is then all that the lake knows of the time. Prices stand as a vendor stated them then, which adjusts all of them for a split (table
 * `splits`, those after the cutoff).
 *
 * Of a later list or file about a filer that was known then, the tickers alone stay, from their own time on: look-ups and the join of quotes use them
 * (test/story/shown-tickers.ts checks that nothing shows them). Its name is that of then, by EDGAR's dated former names (table `names_then`). Of the
 * names of other things those stay that were seen by then; if there is none, the oldest.
 */
function keptRows(table: LakeTable, files: string, cutoff: string): string {
  const rows = `read_parquet(${quote(files)}, hive_partitioning = false)`;
  const at = `timestamptz ${quote(cutoff)}`;
  const versions = (subject: string) => `
    select *, row_number() over (partition by ${subject} order by retrieved_at, observed_at, record_hash) as version_no from ${rows}`;
  switch (table) {
    case 'attempts':
      return `select * replace (least(finished_at, ${at}) as finished_at, least(started_at, ${at}) as started_at, least(collected_at, ${at}) as collected_at) from ${rows}`;
    case 'facts':
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
    case 'documents':
      return `
        select * exclude (version_no)
        from (${versions('document_id')})
        where if(version_no = 1, observed_at, greatest(observed_at, retrieved_at)) <= ${at}`;
    case 'filings':
      return `
        select * exclude (version_no)
        from (${versions('accession_number')})
        where if(version_no = 1, observed_at, greatest(observed_at, retrieved_at)) <= ${at}`;
    case 'companies':
      return `
        select * from ${rows} where observed_at <= ${at}
        union all by name
        select later.* replace (
            names_then.name as name,
            coalesce(names_then.former_names, '[]') as former_names,
            [] as exchanges,
            null as sic,
            null as sic_description,
            null as lei,
            null as fiscal_year_end,
            null as country_code
        )
        from ${rows} as later
        inner join names_then using (cik)
        where later.observed_at > ${at} and cik in (from known_filers)`;
    case 'observations':
      return `
        select * exclude (split_since) replace (
            if(split_since is null, value, round(value * split_since, 10)) as value
        )
        from (
            select
                *,
                (
                    select product(ratio ** if(canonical_id = 'volume', -1, 1))
                    from splits
                    where
                        'company_' || cik = entity_id
                        and canonical_id in ('price_open', 'price_high', 'price_low', 'price_close', 'volume')
                        and effective_date > period_end
                        and effective_date <= (retrieved_at at time zone 'UTC')::date
                ) as split_since
            from ${rows}
        )
        where observed_at <= ${at} and (not starts_with(entity_id, 'company_') or substr(entity_id, 9) in (from known_companies))`;
    case 'entities':
      return `
        select * replace (
            if(retrieved_at <= ${at} or entity_type != 'company', country, null) as country,
            if(retrieved_at <= ${at} or entity_type != 'company', identifiers, json_object('cik', identifiers ->> '$.cik')) as identifiers
        )
        from ${rows} as entities
        where
            retrieved_at <= ${at}
            or (
                entity_id in (from known_entities)
                and (
                    record_hash = (select oldest_names.record_hash from oldest_names where oldest_names.entity_id = entities.entity_id)
                    or (
                        entity_type = 'futures_contract'
                        and seen_on <= (select reports.last_period from reports where reports.entity_id = entities.entity_id)
                    )
                )
            )`;
    case 'statement_numbers':
    case 'schedules':
      return `from ${rows} where observed_at <= ${at}`;
    case 'quarantine':
    case 'resolutions':
    case 'ingestions':
    case 'fetches':
      return `from ${rows}`;
  }
}

async function forgetAfter(connection: DuckDBConnection, lake: string, referenceDir: string, cutoff: string): Promise<void> {
  const at = `timestamptz ${quote(cutoff)}`;
  const all = (table: LakeTable) =>
    `read_parquet(${quote(join(lake, table, '*/*.parquet'))}, union_by_name = true, hive_partitioning = false)`;
  await connection.run(`
    create table accepted as
    select accession_number, min(accepted_at) as accepted_at from ${all('filings')}
    where accepted_at is not null
    group by all`);
  await connection.run(`
    create table known_filers as
    select cik from ${all('filings')} where observed_at <= ${at}
    union
    select cik from ${all('facts')} left join accepted using (accession_number) where least(coalesce(accepted_at, observed_at), retrieved_at) <= ${at}`);
  // A quote of a symbol was of no company before a filing or a list named its holder.
  await connection.run(`
    create table known_companies as
    from known_filers
    union
    select cik from ${all('companies')} where observed_at <= ${at}`);
  await connection.run(`
    create table known_entities as
    select entity_id from ${all('observations')} where observed_at <= ${at} and not starts_with(entity_id, 'company_')
    union
    select 'company_' || cik from known_companies
    union
    select entity_id from ${all('documents')} where observed_at <= ${at}`);
  await connection.run(`
    create table reports as
    select entity_id, max(period_end) as last_period from ${all('observations')} where observed_at <= ${at}
    group by all`);
  // Over all partitions: the oldest name of one partition may be the newest of all.
  await connection.run(`
    create table oldest_names as
    select
        entity_id,
        arg_min(record_hash, row(if(entity_type = 'futures_contract', seen_on, null), retrieved_at, seen_on, record_hash)) as record_hash
    from ${all('entities')}
    group by all`);
  await nameFilers(connection, all('companies'), at);
  await forgetReference(connection, referenceDir, at);
  for (const table of LAKE_TABLE_NAMES) {
    for (const partition of await readdir(join(lake, table))) {
      const folder = join(lake, table, partition);
      const parts = (await readdir(folder)).filter((name) => /^part-.*\.parquet$/.test(name));
      if (parts.length === 0) continue;
      await connection.run(
        `copy (${keptRows(table, join(folder, 'part-*.parquet'), cutoff)}) to ${quote(join(folder, 'kept'))} (format parquet)`,
      );
      for (const name of parts) await rm(join(folder, name));
      await rename(join(folder, 'kept'), join(folder, 'part-00000000.parquet'));
    }
  }
}

/**
 * The name of each filer at the moment, and its former names by then as EDGAR's file states them: a former name holds through its last day, the first
 * name stated after the last of them from the next day on. If none is dated by then, the oldest.
 */
async function nameFilers(connection: DuckDBConnection, companies: string, at: string): Promise<void> {
  const after = (day: string) => `(${day} + 1)::timestamp at time zone 'UTC'`;
  await connection.run(`
    create table names_then as
    with

    newest as (
        select cik, last(former_names order by observed_at, record_hash) as former_names
        from ${companies}
        where sic is not null or len(exchanges) > 0 or former_names != '[]'
        group by all
    ),

    former as (
        select cik, former.name as name, max(former) as former, max(left(former."to", 10)::date) as last_day
        from (select cik, unnest(from_json(former_names, '[{"name":"VARCHAR","from":"VARCHAR","to":"VARCHAR"}]')) as former from newest)
        where former."to" is not null
        group by cik, former.name
    ),

    still as (
        select cik, arg_min(name, last_day) as name from former
        where ${after('last_day')} > ${at}
        group by all
    ),

    changed as (
        select cik, max(last_day) as last_day, to_json(list(former order by last_day desc))::varchar as former_names
        from former
        where ${after('last_day')} <= ${at}
        group by all
    ),

    stated as (
        select
            companies.cik,
            min_by(name, (observed_at, sic is null, record_hash)) as first_name,
            max_by(name, (observed_at, sic is not null, record_hash)) filter (where observed_at <= ${at}) as last_name,
        from ${companies} as companies
        left join (select cik, max(last_day) as last_day from former group by all) as ends using (cik)
        where ends.last_day is null or observed_at >= ${after('ends.last_day')}
        group by all
    )

    select
        filers.cik,
        coalesce(still.name, stated.last_name, stated.first_name, filers.name) as name,
        changed.former_names,
    from (select cik, min_by(name, observed_at) as name from ${companies} group by all) as filers
    left join still using (cik)
    left join stated using (cik)
    left join changed using (cik)`);
}

/**
 * Splits, share classes and breaks that were still to come, ends of series that were not known of, lexicons that were not released, and what had not yet
 * happened to countries, currencies and other entities. Those that did not exist yet stay, because others name them: no list has them before their first day.
 */
async function forgetReference(connection: DuckDBConnection, folder: string, at: string): Promise<void> {
  const read = (name: string) =>
    `read_csv(${quote(join(folder, `${name}.csv`))}, all_varchar = true, header = true, delim = ',', quote = '"', escape = '"', nullstr = '')`;
  const write = (name: string) =>
    connection.run(`copy ${name} to ${quote(join(folder, `${name}.csv`))} (header, delim ',', quote '"', escape '"')`);
  const isDay = (column: string) => `${column}::date::timestamp at time zone 'UTC' <= ${at}`;
  await connection.run(`
    create table splits as
    select cik, effective_date::date as effective_date, ratio::double as ratio from ${read('stock_splits')} where not ${isDay('effective_date')}`);
  await connection.run(`create table stock_splits as from ${read('stock_splits')} where ${isDay('effective_date')}`);
  await write('stock_splits');
  await connection.run(`create table all_cessations as from ${read('cessations')}`);
  await connection.run(`
    create table cessations as
    from all_cessations where (known_on::date + 1)::timestamp at time zone 'UTC' - interval 1 millisecond <= ${at}`);
  await write('cessations');
  // An indicator is retired once the last of its series is.
  await connection.run(`
    create table still_going as
    select canonical_id from (from all_cessations anti join cessations using (source_id, series_code)) inner join ${read('series')} using (source_id, series_code)`);
  await connection.run(`
    create table canonical_indicators as
    select * replace (
        if(canonical_id in (from still_going), 'active', status) as status,
        if(canonical_id in (from still_going), null, successor_canonical_id) as successor_canonical_id
    )
    from ${read('canonical_indicators')}`);
  await write('canonical_indicators');
  for (const [name, column] of [
    ['share_classes', 'valid_from'],
    ['cot_breaks', 'date'],
  ] as const) {
    await connection.run(`create table ${name} as from ${read(name)} where ${column} is null or ${isDay(column)}`);
    await write(name);
  }
  for (const name of ['country_currencies', 'country_memberships']) {
    await connection.run(`
      create table ${name} as
      select * replace (if(("to"::date + 1)::timestamp at time zone 'UTC' <= ${at}, "to", null) as "to")
      from ${read(name)}
      where "from" is null or ${isDay('"from"')}`);
    await write(name);
  }
  const hasEnded = `coalesce((valid_to::date + 1)::timestamp at time zone 'UTC' <= ${at}, false)`;
  await connection.run(`
    create table names_to_come as
    select entity_id, arg_min(alias, valid_to::date) as name from ${read('aliases')}
    where scheme = 'former' and alias_type = 'name' and not ${hasEnded}
    group by all`);
  await connection.run(`
    create table aliases as
    select * replace (if(${hasEnded}, valid_to, null) as valid_to)
    from ${read('aliases')}
    where (valid_from is null or ${isDay('valid_from')}) and (scheme is distinct from 'former' or ${hasEnded})`);
  await write('aliases');
  await connection.run(`
    create table countries as
    select countries.* replace (coalesce(names.name, countries.name) as name, if(names.name is null, official_name, null) as official_name)
    from ${read('countries')} as countries
    left join names_to_come as names on names.entity_id = lower(countries.iso2)`);
  await write('countries');
  await connection.run(`
    create table entities as
    select * replace (
        if(valid_to is null or ${hasEnded}, status, 'active') as status,
        if(valid_to is null or ${hasEnded}, successor_entity_id, null) as successor_entity_id,
        if(${hasEnded}, valid_to, null) as valid_to
    )
    from ${read('entities')}`);
  await write('entities');
  const lexicons = join(folder, 'cb_lexicon');
  for (const name of await readdir(lexicons)) {
    const { releasedAt } = z
      .looseObject({ releasedAt: z.string().nullable() })
      .parse(JSON.parse(await readFile(join(lexicons, name), 'utf8')));
    const isLater = await connection.runAndReadAll(`select ${releasedAt === null ? 'false' : `timestamptz ${quote(releasedAt)} > ${at}`}`);
    if (isLater.getRows()[0]?.[0] === true) await rm(join(lexicons, name));
  }
}
