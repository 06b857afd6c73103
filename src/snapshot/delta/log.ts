// The log of a Delta table (protocol 1 of readers, 2 of writers): one file of actions a version, each a line of JSON. Pure: what a version adds and
// removes follows from what the log says so far and from the files that a snapshot lists.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Resource } from '../../model/manifest.ts';
import { deltaSchema } from './schema.ts';

/** What readers leave files out by, of the columns that have bounds: values as JSON; instants rounded outward to milliseconds. */
export interface FileStatistics {
  readonly minValues: Readonly<Record<string, string | number>>;
  readonly maxValues: Readonly<Record<string, string | number>>;
  readonly nullCount: Readonly<Record<string, number>>;
}

/** A file of a table, by the name that it has within the table's folder. */
export interface TableFile {
  readonly name: string;
  readonly bytes: number;
  readonly rowCount: number;
  readonly statistics: FileStatistics;
}

/** A table as a snapshot has it. */
export interface TableState {
  readonly table: string;
  readonly description: string;
  readonly fields: Resource['schema']['fields'];
  readonly files: readonly TableFile[];
}

/** The snapshot that a version is written for. */
export interface VersionOf {
  readonly snapshotId: string;
  readonly knowledgeCutoff: string;
  readonly schemaVersion: string;
  readonly version: string;
}

const Action = z.looseObject({
  metaData: z
    .looseObject({ schemaString: z.string(), description: z.string(), configuration: z.record(z.string(), z.string()) })
    .optional(),
  add: z.looseObject({ path: z.string() }).optional(),
  remove: z.looseObject({ path: z.string() }).optional(),
  commitInfo: z.looseObject({ snapshotId: z.string(), timestamp: z.int() }).optional(),
});

/** What the versions so far come to. */
export interface LogState {
  /** Of the next one; 0 of a table without any. */
  readonly nextVersion: number;
  readonly schemaString: string | null;
  readonly description: string | null;
  readonly files: ReadonlySet<string>;
  /** Columns that have bounds in each of the files. */
  readonly bounded: readonly string[];
  /** Snapshots for which a version was written, in their order. */
  readonly snapshotIds: readonly string[];
  /** Of the last version, in milliseconds since 1970. */
  readonly timestamp: number;
}

export const EMPTY_LOG: LogState = {
  nextVersion: 0,
  schemaString: null,
  description: null,
  files: new Set(),
  bounded: [],
  snapshotIds: [],
  timestamp: Number.NEGATIVE_INFINITY,
};

/**
 * The columns that a table has statistics of. A reader may take a column without bounds for one without rows in the file, and leave out what it looks for: so
 * bounds are given of the columns alone that have them in every file, and the table says which these are.
 */
const BOUNDED = 'delta.dataSkippingStatsColumns';

/** How long a version can be read is a matter of the snapshots that are kept: without these Spark refuses versions older than a week. */
const RETENTION = { 'delta.deletedFileRetentionDuration': 'interval 36500 days', 'delta.logRetentionDuration': 'interval 36500 days' };

/** The log with one version more. Throws when the text is no version. */
export function applied(state: LogState, text: string): LogState {
  const files = new Set(state.files);
  let { schemaString, description, bounded, timestamp } = state;
  const snapshotIds = [...state.snapshotIds];
  for (const line of text.split('\n').filter((one) => one !== '')) {
    const action = Action.parse(JSON.parse(line));
    if (action.remove !== undefined) files.delete(action.remove.path);
    if (action.add !== undefined) files.add(action.add.path);
    if (action.metaData !== undefined) {
      ({ schemaString, description } = action.metaData);
      bounded = action.metaData.configuration[BOUNDED]?.split(',') ?? [];
    }
    if (action.commitInfo !== undefined) {
      snapshotIds.push(action.commitInfo.snapshotId);
      timestamp = action.commitInfo.timestamp;
    }
  }
  if (snapshotIds.length === state.snapshotIds.length) throw new Error('a version without its snapshot');
  return { nextVersion: state.nextVersion + 1, schemaString, description, files, bounded, snapshotIds, timestamp };
}

export interface NewVersion {
  readonly text: string;
  /** Milliseconds since 1970: the knowledge cutoff of its snapshot, later than that of every version before. */
  readonly timestamp: number;
}

/** The version that a snapshot brings; null where it leaves the table as the last one did. */
export function nextVersion(state: LogState, table: TableState, of: VersionOf): NewVersion | null {
  const schemaString = deltaSchema(table.fields);
  const added = table.files.filter(({ name }) => !state.files.has(name));
  const names = new Set(table.files.map(({ name }) => name));
  const removed = [...state.files].filter((name) => !names.has(name));
  const isOtherwiseDescribed = schemaString !== state.schemaString || table.description !== state.description;
  if (added.length === 0 && removed.length === 0 && !isOtherwiseDescribed) return null;
  const bounded = boundedIn(added, added.length === table.files.length ? null : state.bounded);
  const isMetaDataNew = isOtherwiseDescribed || bounded.join(',') !== state.bounded.join(',');
  // Readers find the version of a moment by these, so they never go back.
  const timestamp = Math.max(Date.parse(of.knowledgeCutoff), state.timestamp + 1);
  const actions = [
    { commitInfo: commitInfo(of, timestamp) },
    ...(state.nextVersion === 0 ? [{ protocol: { minReaderVersion: 1, minWriterVersion: 2 } }] : []),
    ...(isMetaDataNew ? [{ metaData: metaData(table, schemaString, bounded, timestamp) }] : []),
    ...removed.map((path) => ({ remove: { path, deletionTimestamp: timestamp, dataChange: true } })),
    ...added.map((file) => ({ add: addition(file, bounded, timestamp) })),
  ];
  return { text: actions.map((action) => `${JSON.stringify(action)}\n`).join(''), timestamp };
}

/** @param before the columns that have bounds in each of the files that stay; null where none stays */
function boundedIn(added: readonly TableFile[], before: readonly string[] | null): readonly string[] {
  const [first, ...others] = [...(before === null ? [] : [before]), ...added.map(({ statistics }) => Object.keys(statistics.minValues))];
  return (first ?? []).filter((name) => others.every((names) => names.includes(name)));
}

function commitInfo({ snapshotId, knowledgeCutoff, schemaVersion, version }: VersionOf, timestamp: number) {
  return {
    timestamp,
    operation: 'WRITE',
    operationParameters: { mode: 'Overwrite' },
    engineInfo: `asof/${version}`,
    snapshotId,
    knowledgeCutoff,
    schemaVersion,
  };
}

function metaData({ table, description }: TableState, schemaString: string, bounded: readonly string[], timestamp: number) {
  return {
    id: idOf(table),
    name: table,
    description,
    format: { provider: 'parquet', options: {} },
    schemaString,
    partitionColumns: [],
    configuration: { ...RETENTION, ...(bounded.length === 0 ? {} : { [BOUNDED]: bounded.join(',') }) },
    createdTime: timestamp,
  };
}

function addition({ name, bytes, rowCount, statistics }: TableFile, bounded: readonly string[], timestamp: number) {
  const { minValues, maxValues, nullCount } = statistics;
  const bounds = { minValues: only(minValues, bounded), maxValues: only(maxValues, bounded), nullCount: only(nullCount, bounded) };
  return {
    path: name,
    partitionValues: {},
    size: bytes,
    modificationTime: timestamp,
    dataChange: true,
    stats: JSON.stringify({ numRecords: rowCount, ...(bounded.length === 0 ? {} : bounds) }),
  };
}

const only = <Value>(values: Readonly<Record<string, Value>>, names: readonly string[]) =>
  Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));

/** A UUID of version 8: the same for a table whenever its log is made anew. */
function idOf(table: string): string {
  const hex = createHash('sha256').update(`asof.${table}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** The name of a version's file. */
export function versionFile(version: number): string {
  return `${String(version).padStart(20, '0')}.json`;
}
