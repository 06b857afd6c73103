// A second sample that differs from the first only behind a day, the begin of the window of a free key: other values, vintages, first periods, counts
// and revisions there, and the statistics that follow from them. What is derived, judged or forecast inside stays. Written here by itself, and not by the
// build: what the service must not show is stated, not computed by the code that is tested.
import { cp, mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { openWriter, quote } from '../../src/db/connect.ts';
import { createRelation } from '../../src/db/layers.ts';
import type { Manifest, Resource } from '../../src/model/manifest.ts';
import { writeCandidate } from '../../src/snapshot/build/last-build.ts';
import { openTableFiles, type TableFiles } from '../../src/snapshot/build/files.ts';
import { contentHash, readCurrent, snapshotIdOf, snapshotPaths } from '../../src/snapshot/manifest.ts';
import { publish } from '../../src/snapshot/build/publish.ts';
import { STATE_ORDER, VINTAGE_ORDER } from '../../src/snapshot/build/relations.ts';
import { writeServed } from '../../src/snapshot/build/write-copy.ts';

/** A copy of a DATA_DIR that serves the sample, changed behind `firstDay`. */
export async function changedBehind(dataDir: string, firstDay: string): Promise<string> {
  const other = await mkdtemp(join(tmpdir(), 'asof-changed-'));
  await cp(join(dataDir, 'sample'), join(other, 'sample'), { recursive: true });
  const paths = snapshotPaths(join(other, 'sample'));
  const manifest = await readCurrent(paths);
  if (manifest === null) throw new Error('There is no sample to change.');
  await mkdir(paths.staging, { recursive: true });
  const engine = await openWriter({ threads: 2, memory: '900MB', tempDirectory: join(other, 'tmp'), tempSize: '2GB' });
  try {
    await load(engine.connection, paths.root, manifest);
    await createRelation(engine.connection, { path: 'macros/observation_id', as: 'macro' });
    for (const statement of changes(firstDay)) {
      await engine.connection.run(statement).catch((error: unknown) => {
        throw new Error(`${String(error)} in ${statement}`);
      });
    }
    const resources: Resource[] = [];
    const files = openTableFiles(engine.connection, paths);
    for (const one of manifest.resources) resources.push(await written(files, one));
    const hash = contentHash(resources);
    const snapshotId = snapshotIdOf(hash);
    const warnings = await writeServed(engine.connection, paths, snapshotId);
    if (warnings.length > 0) throw new Error(warnings.join(' '));
    await writeCandidate(paths, { ...manifest, id: snapshotId, snapshotId, contentHash: hash, resources });
    await publish(paths, 2, { isLossAccepted: true });
  } finally {
    engine.close();
  }
  return other;
}

async function load(connection: DuckDBConnection, root: string, { resources }: Manifest): Promise<void> {
  await connection.run('create schema published');
  const vintages = resources.filter((one) => one.table === 'vintages').map(({ path }) => quote(join(root, path)));
  await connection.run(`set variable vintage_files = [${vintages.join(', ')}]`);
  for (const table of new Set(resources.map((one) => one.table))) {
    const files = resources.filter((one) => one.table === table).map(({ path }) => quote(join(root, path)));
    await connection.run(`create table published.${table} as from read_parquet([${files.join(', ')}], hive_partitioning = false)`);
  }
}

async function written(files: TableFiles, one: Resource): Promise<Resource> {
  const { table: name, partition, rights } = one;
  const part = Object.entries(partition).flatMap(([key, value]) =>
    key === 'dataset_no' ? [`series_no >> 20 = ${value}`] : key === 'epoch' ? [`epoch = ${value}`] : [],
  );
  if (part.length === 0) return (await files.whole(name)).resource;
  const order = { vintages: VINTAGE_ORDER, states: STATE_ORDER }[name] ?? 'all';
  const select = `from published.${name} where ${part.join(' and ')} order by ${order}`;
  return (await files.part({ name, select, partition, rights, licence: 'of the sample' })).resource;
}

/** Behind the day all numbers become others, rows are missing, and others are there. */
function changes(firstDay: string): readonly string[] {
  const day = `date ${quote(firstDay)}`;
  return [
    // A series of which nothing lies inside is not there at all, one of them.
    `create table gone as select series_no from published.series where series_no not in (select series_no from published.vintages where period_end >= ${day})
     and not is_derived order by series_no limit 1`,
    ...[
      'series',
      'vintages',
      'latest',
      'states',
      'values_3y',
      'series_revisions',
      'series_liveness',
      'cadence_budgets',
      'forecasts',
      'forecast_backtests',
    ].map((table) => `delete from published.${table} where series_no in (from gone)`),
    // First periods.
    `create table firsts as select series_no, min(period_end) as first_end, max(period_end) as last_end from published.vintages where period_end < ${day} group by all`,
    `delete from published.vintages where period_end < ${day} and series_no % 2 = 0
     and period_end < (select first_end + ((last_end - first_end) // 3)::integer from firsts where firsts.series_no = vintages.series_no)`,
    // Revisions that are not there.
    `create table single as select series_no, period, min(observed_at) as first_at from published.vintages where period_end < ${day} and series_no % 3 = 0 group by all having count(*) > 1`,
    `delete from published.vintages using single where vintages.series_no = single.series_no and vintages.period = single.period and observed_at > first_at`,
    `update published.vintages set known_to = null from single where vintages.series_no = single.series_no and vintages.period = single.period`,
    // Values.
    `update published.vintages set value = value * 1.5 + 1, prior_value = prior_value * 1.5 + 1 where period_end < ${day} and inputs is null`,
    `update published.vintages set value = value * 1.25 + 2, prior_value = prior_value * 1.25 + 2 where period_end < ${day} and inputs is not null`,
    // Knowledge times: of some series earlier by twenty days.
    `update published.vintages set observed_at = observed_at - interval 20 day, known_to = known_to - interval 20 day, prior_observed_at = prior_observed_at - interval 20 day
     where period_end < ${day} and series_no % 5 = 0`,
    // Revisions made inside the window of what lies behind it.
    `create table revised as select * from published.vintages where period_end < ${day} and known_to is null and value is not null and series_no % 7 < 2
     and observed_at < timestamptz '${firstDay} 00:00:00+00' + interval 200 day
     qualify row_number() over (partition by series_no order by period_end desc, observed_at desc) <= 5`,
    `update published.vintages set known_to = timestamptz '${firstDay} 12:00:00+00' + interval 200 day from revised
     where vintages.id_hash = revised.id_hash and vintages.series_no = revised.series_no`,
    `insert into published.vintages select * replace (
       timestamptz '${firstDay} 12:00:00+00' + interval 200 day as observed_at, value as prior_value, value * 1.1 as value, vintage as prior_vintage,
       observed_at as prior_observed_at, ((date ${quote(firstDay)} + 200)::varchar) as vintage, release_no + 1 as release_no, true as is_revised,
       hash(id_hash, 'revised')::ubigint as id_hash, change_sequence + 10000000 as change_sequence) from revised`,
    `create or replace table published.vintages as from published.vintages order by ${VINTAGE_ORDER}`,
    // What is counted.
    `create table counted as select series_no, min(period_end) filter (where value is not null) as first_end,
       max(period_end) filter (where value is not null and known_to is null) as last_end, count(*) filter (where known_to is null) as held, count(*) as kept,
       min(observed_at) as first_at, max(observed_at) as last_at from published.vintages group by all`,
    `update published.series set first_period_end = first_end, latest_period_end = last_end, observation_count = held, vintage_count = kept,
       first_observed_at = first_at, latest_observed_at = last_at from counted where counted.series_no = series.series_no`,
    // Where several numbers stand for one period, the newest.
    `update published.latest set value = held.value, vintage = held.vintage, observed_at = held.observed_at, id_hash = held.id_hash, release_no = held.release_no,
       is_revised = held.is_revised from (select * from published.vintages where known_to is null and value is not null and period_end < ${day}) as held
     where held.series_no = latest.series_no and held.period = latest.period`,
    `update published.latest set previous = previous * 1.5 + 1, revised_previous = coalesce(revised_previous, 1) * 1.5 where previous_period_end < ${day}`,
    `delete from published.states where period_end < ${day} and series_no % 2 = 0 and period_end < ${day} - 1000`,
    `update published.states set value = value * 1.5 + 1 where period_end < ${day}`,
    `delete from published.values_3y where period_end < ${day} and series_no % 2 = 0 and period_end < ${day} - 200`,
    `update published.values_3y set value = value * 1.5 + 1 where period_end < ${day}`,
    `update published.series_revisions set mean_abs_revision = coalesce(mean_abs_revision, 1) * 1.5, revised_share = coalesce(revised_share, 0.9) / 2,
       median_release_lag_days = coalesce(median_release_lag_days, 1) + 3`,
    `update published.series_liveness set identical_prints = identical_prints + 1`,
    ...['entities', 'countries', 'canonical_indicators', 'derived_indicators'].map(
      (table) =>
        `update published.${table} set observation_count = observation_count + 1000, latest_period_end = if(latest_period_end < ${day}, latest_period_end - 400, latest_period_end)
         where observation_count > 0`,
    ),
    `update published.entities set indicator_count = indicator_count + 1, updated_at = updated_at + interval 1 hour, known_from = known_from + interval 100 day
     where indicator_count > 0`,
    `update published.countries set indicator_count = indicator_count + 1 where indicator_count > 0`,
    `update published.canonical_indicators set country_count = country_count + 1, updated_at = updated_at + interval 1 hour where observation_count > 0`,
    `update published.derived_indicators set entity_count = entity_count + 1, entity_ids = list_append(entity_ids, 'zz'), source_ids = list_append(source_ids, 'zz')
     where observation_count > 0`,
    `update published.forecasts set forecast = forecast * 1.5, forecast_lower = forecast_lower * 1.5, forecast_upper = forecast_upper * 1.5
     where left(forecast_period, 4)::integer < year(${day})`,
    `update published.forecast_backtests set scored_count = scored_count + 7, origin_count = origin_count + 7, mase = mase * 1.5, rmse_ratio = rmse_ratio * 1.5,
       coverage = coverage / 2, msis = msis * 1.5, naive_mase = naive_mase * 1.5, combination_mase = combination_mase * 1.5`,
    // Of companies.
    `delete from published.financial_statements where period_end < ${day} - 900`,
    `update published.financial_statements set observed_at = observed_at - interval 9 day, filed_at = filed_at - 9,
       lines = list_transform(lines, lambda line: struct_update(line, value := line.value * 1.5)),
       merged_lines = list_transform(merged_lines, lambda line: struct_update(line, value := line.value * 1.5)) where period_end < ${day}`,
    `delete from published.company_figures where period_end < ${day} - 900`,
    `update published.company_figures set value = value * 1.5 where period_end < ${day}`,
    `update published.companies set known_from = known_from + interval 400 day,
       share_counts = list_transform(list_filter(share_counts, lambda one: one.shares_as_of >= ${day} - 900),
         lambda one: struct_update(one, shares := if(one.shares_as_of < ${day}, one.shares * 1.5, one.shares))),
       reports = list_filter(reports, lambda one: one.period_end >= ${day} - 400),
       valuations = list_filter(valuations, lambda one: one.price_as_of >= ${day} - 400),
       score_inputs = list_transform(list_filter(score_inputs, lambda one: one.window_end >= ${day} - 400),
         lambda one: struct_update(one, return_on_equity := if(one.window_end < ${day}, one.return_on_equity * 1.5, one.return_on_equity)))`,
    // What is dated.
    `delete from published.events where event_date < ${day} - 400`,
    `update published.events set title = title || ' (other)', observed_at = observed_at - interval 2 day where event_date < ${day}`,
    `create table old_ids as select observation_id(source_id, indicator_id, entity_id, frequency, period, vintage) as id
     from read_parquet(getvariable('vintage_files'), hive_partitioning = false) as vintages inner join published.series using (series_no) where period_end < ${day}`,
    `set variable old_ids = (select list(id) from old_ids where id in (select unnest(observation_ids) from published.events))`,
    `update published.events set observation_ids = list_filter(observation_ids, lambda one: not list_contains(getvariable('old_ids'), one)) where getvariable('old_ids') is not null`,
    `delete from published.calendar where scheduled_date < ${day} - 400`,
    `update published.calendar set title = title || ' (other)', actual = actual * 1.5, observed_at = observed_at - interval 2 day where scheduled_date < ${day} or period_end < ${day}`,
    `update published.calendar set previous = previous * 1.5, revised_previous = coalesce(revised_previous, 1) * 1.5, forecast = forecast * 1.5, forecast_lower = forecast_lower * 1.5
     where previous_period_end < ${day}`,
    // What the runs read of it.
    `update published.runs set rows_read = rows_read + 1000, rows_written = rows_written + 900, rows_quarantined = rows_quarantined + 1`,
  ];
}
