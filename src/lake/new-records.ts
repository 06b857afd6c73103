// SQL that finds the new ones among the staged records of a table, by comparison with the lake's records of the source.
import { columnsOf, LAKE_TABLES, type RecordTable } from './layout.ts';

/** Records of a state, which may return to an earlier one; by their subject. */
const VERSIONED: Partial<Record<RecordTable, string>> = { schedules: 'schedule_id' };

/** Subjects within one file: its next content may return to an earlier one. */
const SUBJECTS: Partial<Record<RecordTable, readonly string[]>> = {
  companies: ['cik'],
  documents: ['document_id'],
  filings: ['accession_number'],
  facts: [
    'cik',
    'taxonomy',
    'concept',
    'unit',
    'period_start',
    'period_end',
    'accession_number',
    'fiscal_year',
    'fiscal_period',
    'form',
    'frame',
  ],
};

/**
 * Staged records that are new in the lake, apart from the time they were seen, or that the same file has contradicted since.
 * With a version: records that differ from the previous one of their subject.
 */
export function newRecords(table: RecordTable): string {
  const columns = LAKE_TABLES[table];
  const content = Object.keys(columns).filter((name) => name !== 'observed_at');
  const cast = Object.entries(columns).map(([name, type]) =>
    type.endsWith('[]') ? `from_json(${name}, '["varchar"]') as ${name}` : `${name}::${type} as ${name}`,
  );
  const order = Object.keys(columnsOf(table)).slice(0, 4).join(', ');
  const versioned = VERSIONED[table];
  return `
    with hashed as (
      select row_no, payload_no, md5(to_json(struct_pack(${content.map((name) => `${name} := ${name}`).join(', ')}))) as record_hash
      from staged.${table}
      anti join staged.refused_records using (row_no)
    ),
    fresh as (${versioned === undefined ? unknownRecords(table) : changedRecords(table, versioned)})
    select ${cast.join(', ')}, payloads.payload_id, payloads.run_id, payloads.retrieved_at, fresh.record_hash,
      getvariable('record_sequence')::bigint as change_sequence
    from staged.${table}
    inner join fresh using (row_no)
    inner join staged.payloads using (payload_no)
    order by ${order}, record_hash`;
}

function unknownRecords(table: RecordTable): string {
  const unknown = `
    select record_hash, min(row_no) as row_no
    from hashed
    anti join staged.lake_${table}_own as known using (record_hash)
    group by record_hash`;
  const subject = SUBJECTS[table];
  return subject === undefined ? unknown : `${unknown} union ${returnedRecords(table, subject)}`;
}

/** Statements about tickers, from lists and from files of filers, are compared with the last statement from any of them. */
const ACROSS_FILES: ReadonlySet<RecordTable> = new Set(['companies']);

/** Records that an earlier content of the file had and the newest content on the subject lacks. */
function returnedRecords(table: RecordTable, subject: readonly string[]): string {
  const columns = LAKE_TABLES[table] as Readonly<Record<string, string>>;
  const own = subject.map((name) => `staged.${table}.${name}::${columns[name]} as ${name}`).join(', ');
  const list = subject.join(', ');
  const key = ACROSS_FILES.has(table) ? `'${table}'` : 'key';
  return `
    select record_hash, row_no from (
      with files as (select payload_id, any_value(${key}) as key from staged.lake_ingestions group by all),
      rewritten as (
        select key from (select payload_id, key from files union select payload_id, ${key} as key from staged.payloads)
        group by key having count(*) > 1
      ),
      said as (
        select ${own}, ${key === 'key' ? 'payloads.key' : `${key} as key`}, payloads.retrieved_at, hashed.record_hash, hashed.row_no
        from staged.${table} inner join hashed using (row_no, payload_no) inner join staged.payloads using (payload_no)
        semi join rewritten on rewritten.key = ${key === 'key' ? 'payloads.key' : key}
      ),
      held as (
        select ${list}, files.key, known.retrieved_at, known.record_hash, null as row_no
        from staged.lake_${table}_own as known
        inner join files using (payload_id)
        semi join (select distinct key from said) as keys on keys.key = files.key
      ),
      statements as (
        select *,
          count(*) filter (where row_no is null) over (partition by ${list}, key, record_hash, retrieved_at) as held_rows,
          max(retrieved_at) over (partition by ${list}, key order by retrieved_at groups between unbounded preceding and 1 preceding) as before_at,
          max(retrieved_at) over (partition by ${list}, key, record_hash order by retrieved_at groups between unbounded preceding and 1 preceding) as same_before_at
        from (from held union all from said)
      )
      select record_hash, row_no from statements
      where row_no is not null and held_rows = 0 and before_at is not null and same_before_at is distinct from before_at
      qualify row_number() over (partition by ${list}, key, record_hash, retrieved_at order by row_no) = 1
    )`;
}

function changedRecords(table: RecordTable, subject: string): string {
  return `
    select record_hash, row_no
    from (
      select ${subject}, observed_at, retrieved_at, record_hash, null as row_no from staged.lake_${table}_own
      union all
      select ${subject}, observed_at::timestamptz, retrieved_at, record_hash, row_no
      from staged.${table} inner join hashed using (row_no, payload_no) inner join staged.payloads using (payload_no)
    )
    qualify row_no is not null
      and record_hash is distinct from lag(record_hash) over (partition by ${subject} order by observed_at, retrieved_at, row_no nulls first)`;
}
