// Partition keys and file names: the only file with paths inside the lake, and the documented schema of its tables.
import { join } from 'node:path';
import { patternOf, quote } from '../db/connect.ts';
import { filled, sqlText } from '../db/query.ts';

/** Columns of the Parquet tables, in order, with their DuckDB types. Every table is Hive-partitioned by source_id. */
export const LAKE_TABLES = {
  /** One row per vintage of one reference period of one series: a value, or null if the publisher withdrew it. */
  observations: {
    indicator_id: 'varchar',
    entity_id: 'varchar',
    canonical_id: 'varchar',
    series_code: 'varchar',
    frequency: 'varchar',
    unit: 'varchar',
    period: 'varchar',
    period_start: 'date',
    period_end: 'date',
    value: 'double',
    obs_status: 'varchar',
    vintage: 'varchar',
    observed_at: 'timestamptz',
    released_at: 'timestamptz',
    retrieved_at: 'timestamptz',
    ingested_at: 'timestamptz',
    payload_id: 'varchar',
    run_id: 'varchar',
    change_sequence: 'bigint',
  },
  /** One row per XBRL fact and filing that reported it. */
  facts: {
    cik: 'varchar',
    taxonomy: 'varchar',
    concept: 'varchar',
    label: 'varchar',
    unit: 'varchar',
    period_start: 'date',
    period_end: 'date',
    value: 'double',
    accession_number: 'varchar',
    fiscal_year: 'integer',
    fiscal_period: 'varchar',
    form: 'varchar',
    filed: 'date',
    frame: 'varchar',
    observed_at: 'timestamptz',
  },
  filings: {
    cik: 'varchar',
    accession_number: 'varchar',
    form: 'varchar',
    filed: 'date',
    report_date: 'date',
    accepted_at: 'timestamptz',
    items: 'varchar',
    primary_document: 'varchar',
    observed_at: 'timestamptz',
  },
  /** Numbers of statements with rounded periods, used to check facts. */
  statement_numbers: {
    cik: 'varchar',
    accession_number: 'varchar',
    taxonomy: 'varchar',
    concept: 'varchar',
    unit: 'varchar',
    month_end: 'date',
    quarters: 'integer',
    value: 'double',
    filed: 'date',
    observed_at: 'timestamptz',
  },
  /** A filer as one payload described it; lists are JSON text. */
  companies: {
    cik: 'varchar',
    name: 'varchar',
    tickers: 'varchar[]',
    exchanges: 'varchar[]',
    sic: 'varchar',
    sic_description: 'varchar',
    lei: 'varchar',
    fiscal_year_end: 'varchar',
    country_code: 'varchar',
    former_names: 'varchar',
    observed_at: 'timestamptz',
  },
  documents: {
    document_id: 'varchar',
    entity_id: 'varchar',
    document_type: 'varchar',
    title: 'varchar',
    text: 'varchar',
    url: 'varchar',
    language: 'varchar',
    event_date: 'date',
    released_at: 'timestamptz',
    observed_at: 'timestamptz',
  },
  /** When a publication is due, as one payload states it; a row for each change of the publisher's schedule. */
  schedules: {
    schedule_id: 'varchar',
    release_code: 'varchar',
    title: 'varchar',
    scheduled_at: 'timestamptz',
    time_precision: 'varchar',
    timezone: 'varchar',
    status: 'varchar',
    period: 'varchar',
    url: 'varchar',
    observed_at: 'timestamptz',
  },
  /** An entity under one name; `seen_on` is the first day for which a payload gives that name. */
  entities: {
    entity_id: 'varchar',
    entity_type: 'varchar',
    name: 'varchar',
    country: 'varchar',
    currency: 'varchar',
    identifiers: 'varchar',
    seen_on: 'date',
  },
  quarantine: {
    quarantine_id: 'varchar',
    rule: 'varchar',
    rule_version: 'varchar',
    severity: 'varchar',
    reason: 'varchar',
    indicator_id: 'varchar',
    entity_id: 'varchar',
    series_code: 'varchar',
    period: 'varchar',
    field_path: 'varchar',
    observed_value: 'varchar',
    expected: 'varchar',
    payload_id: 'varchar',
    run_id: 'varchar',
    connector_version: 'integer',
    detected_at: 'timestamptz',
  },
  /** An operator's decision on a finding: `released` (its payload is read again and the finding passes) or `rejected`. */
  resolutions: {
    quarantine_id: 'varchar',
    payload_id: 'varchar',
    indicator_id: 'varchar',
    status: 'varchar',
    note: 'varchar',
    resolved_at: 'timestamptz',
  },
  /** One row per payload and connector version that read it: the ingestion run of the provenance chain. */
  ingestions: {
    run_id: 'varchar',
    payload_id: 'varchar',
    key: 'varchar',
    sha256: 'varchar',
    bytes: 'bigint',
    media_type: 'varchar',
    address: 'varchar',
    http_status: 'integer',
    etag: 'varchar',
    last_modified: 'varchar',
    retrieved_at: 'timestamptz',
    known_at: 'timestamptz',
    connector_version: 'integer',
    code_revision: 'varchar',
    started_at: 'timestamptz',
    finished_at: 'timestamptz',
    status: 'varchar',
    error: 'varchar',
    rows_read: 'bigint',
    rows_written: 'bigint',
    rows_quarantined: 'bigint',
  },
  /** One row per source and collection, with or without new data, and per later run that read some of it. */
  attempts: {
    attempt_id: 'varchar',
    collected_at: 'timestamptz',
    started_at: 'timestamptz',
    finished_at: 'timestamptz',
    status: 'varchar',
    error: 'varchar',
    payloads_seen: 'bigint',
    payloads_new: 'bigint',
    payloads_failed: 'bigint',
    rows_written: 'bigint',
    rows_quarantined: 'bigint',
  },
  /** The outcome of each request to a publisher, for budgets and for the next request. */
  fetches: {
    finished_at: 'timestamptz',
    publisher: 'varchar',
    key: 'varchar',
    url: 'varchar',
    kind: 'varchar',
    status: 'integer',
    sha256: 'varchar',
    bytes: 'bigint',
    milliseconds: 'bigint',
    attempts: 'integer',
    etag: 'varchar',
    last_modified: 'varchar',
    moved_to: 'varchar',
    error: 'varchar',
  },
} as const satisfies Record<string, Record<string, string>>;

export type LakeTable = keyof typeof LAKE_TABLES;
export const LAKE_TABLE_NAMES: readonly LakeTable[] = [
  'observations',
  'facts',
  'filings',
  'statement_numbers',
  'companies',
  'documents',
  'schedules',
  'entities',
  'quarantine',
  'resolutions',
  'ingestions',
  'attempts',
  'fetches',
];

/**
 * Columns that the lake adds to records, except observations: the origin of the record, and the change number that all records of its
 * commit share; null if an older release appended it without one.
 */
const ORIGIN_COLUMNS = {
  payload_id: 'varchar',
  run_id: 'varchar',
  retrieved_at: 'timestamptz',
  record_hash: 'varchar',
  change_sequence: 'bigint',
} as const;
export const RECORD_TABLES = [
  'facts',
  'filings',
  'statement_numbers',
  'companies',
  'documents',
  'schedules',
  'entities',
] as const satisfies readonly LakeTable[];
export type RecordTable = (typeof RECORD_TABLES)[number];

export function isRecordTable(table: LakeTable): table is RecordTable {
  return RECORD_TABLES.some((name) => name === table);
}

export function columnsOf(table: LakeTable): Readonly<Record<string, string>> {
  return isRecordTable(table) ? { ...LAKE_TABLES[table], ...ORIGIN_COLUMNS } : LAKE_TABLES[table];
}

/** @param files the pattern of a table's files, as an expression of SQL */
function rowsOf(files: string): string {
  return filled(sqlText('lake/rows.sql'), { lake_files: files });
}

/** The rows of a table in the folder of the variable `lake_root`. */
export function rowsBelowRoot(table: LakeTable): string {
  return rowsOf(`getvariable('lake_root') || '/${table}/*/*.parquet'`);
}

export interface LakePaths {
  readonly root: string;
  readonly lock: string;
  readonly staging: string;
  readonly commits: string;
  readonly commit: (number: number) => string;
  /** The files that were verified, and when; see verified.ts. */
  readonly verified: string;
  /** Relative to the root, as commits name them. */
  readonly partFile: (table: LakeTable, sourceId: string, commit: number) => string;
  readonly emptyFile: (table: LakeTable) => string;
  readonly partition: (table: LakeTable, sourceId: string) => string;
  /** A pattern for DuckDB: the files of one source, or of all. */
  readonly pattern: (table: LakeTable, sourceId?: string) => string;
  /** The rows of a table as SQL, with the column `source_id`, which the files lack. */
  readonly rows: (table: LakeTable) => string;
}

export function lakePaths(root: string): LakePaths {
  const pattern = (table: LakeTable, sourceId = '*') => `${patternOf(join(root, table))}/source_id=${sourceId}/*.parquet`;
  const number = (commit: number) => String(commit).padStart(8, '0');
  return {
    root,
    lock: join(root, 'writer.lock'),
    staging: join(root, '.staging'),
    commits: join(root, 'commits'),
    commit: (commit) => join(root, 'commits', `${number(commit)}.json`),
    verified: join(root, 'verified.json'),
    partFile: (table, sourceId, commit) => `${table}/source_id=${sourceId}/part-${number(commit)}.parquet`,
    // Zero rows, so that the schema is readable before the first observation.
    emptyFile: (table) => `${table}/source_id=none/schema.parquet`,
    partition: (table, sourceId) => join(root, table, `source_id=${sourceId}`),
    pattern,
    rows: (table) => `(\n${rowsOf(quote(pattern(table)))})`,
  };
}
