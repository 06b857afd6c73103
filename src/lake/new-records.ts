// SQL that finds the new ones among the staged records of a table, by comparison with the lake's records of the source.
import { filled, sqlText } from '../db/query.ts';
import { columnsOf, LAKE_TABLES, type RecordTable } from './layout.ts';

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
  schedules: ['schedule_id'],
};

/** Records of a state, which may return to an earlier one. They are compared across files, with the previous one of their subject. */
const STATES: ReadonlySet<RecordTable> = new Set(['schedules']);

/** Statements about tickers, from lists and from files of filers, are compared with the last statement from any of them. */
const ACROSS_FILES: ReadonlySet<RecordTable> = new Set(['companies']);

/** Staged records that are new in the lake, apart from the time they were seen, or that the same file has contradicted since. */
export function newRecords(table: RecordTable): string {
  const columns: Readonly<Record<string, string>> = LAKE_TABLES[table];
  const names = Object.keys(columns);
  const cast = (name: string) =>
    columns[name]?.endsWith('[]') === true ? `from_json(${name}, '["varchar"]') as ${name}` : `${name}::${columns[name]} as ${name}`;
  const subject = SUBJECTS[table] ?? [];
  const parts = {
    staged_records: `staged.${table}`,
    lake_records: `staged.lake_${table}_own`,
    content_columns: names
      .filter((name) => name !== 'observed_at')
      .map((name) => `${name} := ${name}`)
      .join(', '),
    typed_columns: names.map(cast).join(', '),
    first_columns: Object.keys(columnsOf(table)).slice(0, 4).join(', '),
    subject_columns: subject.join(', '),
    stated_subject: subject.map((name) => `records.${name}::${columns[name]} as ${name}`).join(', '),
    file_key: ACROSS_FILES.has(table) ? `'${table}'` : 'payloads.key',
  };
  const textOf = (file: string) => filled(sqlText(`staging/records/${file}.sql`), parts);
  const unknown = subject.length === 0 ? textOf('unknown') : `${textOf('unknown')} union (${textOf('returned')})`;
  return filled(textOf('new'), { fresh_records: `(${STATES.has(table) ? textOf('changed') : unknown})` });
}
