// The lake's rows for each series that a run has met: the newest statement of each period, and the reach of each retrieval. They are read
// once per series and updated with the run's own rows, so that the last of many flushes costs no more than the first.
import type { DuckDBConnection } from '@duckdb/node-api';
import { sqlText } from '../db/query.ts';

/** Starts again without any series. */
export async function forgetStanding(connection: DuckDBConnection): Promise<void> {
  await dropStanding(connection);
  await connection.run(`create schema standing;
    create table standing.series (series_no integer, indicator_id varchar, frequency varchar);
    create table standing.newest (series_no integer, period_end date, observed_at timestamptz, value double);
    create table standing.reach (series_no integer, retrieved_at timestamptz, period_end date);
    create table standing.tidied as select 0 as rows`);
}

export async function dropStanding(connection: DuckDBConnection): Promise<void> {
  await connection.run('drop schema if exists standing cascade');
}

/** Reads from `staged.lake_observations` the rows for those of `staged.series` that are new to the run. */
export async function meetStaged(connection: DuckDBConnection): Promise<void> {
  await connection.run(`create or replace table standing.met as ${textOf('series')}`);
  const met = (await connection.run('insert into standing.series from standing.met')).rowsChanged;
  if (met > 0) await hear(connection, observationsOf('standing.met', 'staged.lake_observations'));
}

/** Call it once `staged.appended` is in the lake. */
export async function rememberAppended(connection: DuckDBConnection): Promise<void> {
  await hear(connection, observationsOf('standing.series', 'staged.appended'));
  const found = await connection.runAndReadAll('select (select count(*) from standing.newest) > 2 * rows from standing.tidied');
  if (found.getRows()[0]?.[0] === true) await tidy(connection);
}

/** Reduces the newest statements of one period, one per flush, to a single one. */
async function tidy(connection: DuckDBConnection): Promise<void> {
  await connection.run('create or replace view standing.heard as from standing.newest');
  await connection.run(`create or replace table standing.tidy as ${textOf('newest')}`);
  await connection.run('create or replace table standing.newest as from standing.tidy');
  await connection.run('drop table standing.tidy');
  await connection.run('create or replace table standing.tidied as select count(*) as rows from standing.newest');
}

function observationsOf(series: string, observations: string): string {
  return `select met.series_no, stated.* from ${observations} as stated inner join ${series} as met using (indicator_id, frequency)`;
}

async function hear(connection: DuckDBConnection, rows: string): Promise<void> {
  await connection.run(`create or replace view standing.heard as ${rows}`);
  for (const table of ['newest', 'reach'] as const) await connection.run(`insert into standing.${table} ${textOf(table)}`);
}

function textOf(relation: 'series' | 'newest' | 'reach'): string {
  return sqlText(`staging/standing/${relation}.sql`);
}
