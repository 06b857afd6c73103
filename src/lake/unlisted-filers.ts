// Filers that a list of tickers no longer names: a record ends their tickers, unless the list lost too many filers to be complete.
import type { DuckDBConnection } from '@duckdb/node-api';
import { sqlText } from '../db/query.ts';

/** Share of the filers in the previous list. */
const MOST_DROPPED = 0.05;

/** Stages the records, and a finding if they are held back. Expects `staged.lake_companies_own` and `staged.lake_files`. */
export async function stageUnlistedFilers(connection: DuckDBConnection): Promise<void> {
  // Rows of an earlier settling.
  await connection.run('delete from staged.companies where row_no < 0');
  await connection.run('delete from staged.refused where row_no < 0');
  const lists = await connection.runAndReadAll(`
    select payload_no from staged.payloads
    where regexp_matches(key, '(^|/)sec/company_tickers\\.json$') and payload_no in (select payload_no from staged.companies)
    order by retrieved_at, payload_no`);
  for (const [payloadNo] of lists.getRows()) {
    await connection.run(`set variable list_payload_no = ${Number(payloadNo)}`);
    await connection.run(`create or replace table staged.unlisted_filers as ${sqlText('staging/unlisted_filers.sql')}`);
    const found = await connection.runAndReadAll(`
      select count(*), any_value(standing_filers), exists(
        from staged.released inner join staged.payloads using (payload_id) where payload_no = getvariable('list_payload_no')::integer
      ) from staged.unlisted_filers`);
    const [gone, standing, isReleased] = found.getRows()[0] ?? [];
    if (Number(gone) > MOST_DROPPED * Number(standing) && isReleased !== true) await holdBack(connection, Number(gone), Number(standing));
    else await endTickers(connection);
  }
}

async function endTickers(connection: DuckDBConnection): Promise<void> {
  await connection.run(`
    insert into staged.companies by name
    select
      payload_no, (select coalesce(min(row_no), 0) from staged.companies where row_no < 0) - row_number() over (order by cik) as row_no,
      cik, name, '[]' as tickers, '[]' as exchanges, '[]' as former_names, retrieved_at::varchar as observed_at
    from staged.unlisted_filers cross join staged.payloads
    where payload_no = getvariable('list_payload_no')::integer`);
}

async function holdBack(connection: DuckDBConnection, gone: number, standing: number): Promise<void> {
  const reason = `The list lacks ${gone} of ${standing} filers, more than 5 percent, so it ends no tickers. If the list is complete, run: npm run quarantine -- release ID --note TEXT`;
  await connection.run(
    `insert into staged.refused
     values (getvariable('list_payload_no')::integer, -getvariable('list_payload_no')::integer, 'scale_jump', 'company_tickers', null, null, 'tickers', $1, $2)`,
    [`${gone} of ${standing}`, reason],
  );
}
