// SQL steps that check staged rows and compare them with the lake.
import type { DuckDBConnection } from '@duckdb/node-api';
import { createRelation } from '../db/layers.ts';
import { sqlText } from '../db/query.ts';
import { meetStaged } from './standing.ts';

// In the order of their inputs. Reading the lake's rows needs the staged series; finding suspended rows needs both.
const STEPS_OF_STAGE = ['entity_refs', 'series', 'ruled', 'judged'] as const;
const STEPS_OF_LAKE = ['known', 'known_reach'] as const;
const STEPS_OF_BOTH = ['placed', 'compared', 'appended', 'refused_records', 'quarantined'] as const;

/** Everything staged → `staged.appended` and `staged.quarantined`. Expects the schema `standing`. */
export async function judgeStaged(connection: DuckDBConnection): Promise<void> {
  const create = async (step: string) => {
    await connection.run(`create or replace table staged.${step} as ${sqlText(`staging/${step}.sql`)}`);
  };
  for (const path of ['macros/is_projection', 'macros/companies/is_periodic_form', 'macros/companies/ticker_claims'])
    await createRelation(connection, { path, as: 'macro' });
  if (await hasRow(connection, "select true from staged.observations where starts_with(entity_ref, 'ticker:') limit 1"))
    await create('ticker_refs');
  else await connection.run('create or replace table staged.ticker_refs (payload_no integer, entity_ref varchar, entity_id varchar)');
  // To update the staged rows instead would hold all of them in memory: DuckDB cannot move the old values to disk.
  await connection.run(`create or replace view staged.stated as ${sqlText('staging/stated.sql')}`);
  for (const step of STEPS_OF_STAGE) await create(step);
  await meetStaged(connection);
  for (const step of STEPS_OF_LAKE) await create(step);
  await connection.run(
    'create or replace table staged.held (payload_no integer, series_ix integer, known_periods bigint, changed_periods bigint, factor double)',
  );
  // A suspended payload must not be compared with the next one, so this finds them one by one.
  let isFound = await hasRow(connection, sqlText('staging/suspected.sql'));
  while (isFound) isFound = (await connection.run(`insert into staged.held ${sqlText('staging/jumps.sql')}`)).rowsChanged > 0;
  for (const step of STEPS_OF_BOTH) await create(step);
}

async function hasRow(connection: DuckDBConnection, select: string): Promise<boolean> {
  return (await connection.runAndReadAll(select)).getRows()[0]?.[0] === true;
}
