// The log of a Delta table (reader protocol 1, writer protocol 2): one file of actions per version, each a line of JSON. Pure: the actions
// of a version follow from the log so far and the files of a snapshot.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Resource } from '../../../model/manifest.ts';
import { deltaSchema } from './schema.ts';

/**
 * Bounds by which readers skip files, for the columns that have them. Values are as in JSON; instants are rounded outward to milliseconds.
 */
export interface FileStatistics {
  readonly minValues: Readonly<Record<string, string | number>>;
  readonly maxValues: Readonly<Record<string, string | number>>;
  readonly nullCount: Readonly<Record<string, number>>;
}

/** A file of a table, by its name in the table's folder. */
export interface TableFile {
  readonly name: string;
  readonly bytes: number;
  readonly rowCount: number;
  readonly statistics: FileStatistics;
}

/** A table in one snapshot. */
export interface TableState {
  readonly table: string;
  readonly description: string;
  readonly fields: Resource['schema']['fields'];
  readonly files: readonly TableFile[];
}

/** The snapshot of a version. */
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

/** The state after all versions so far. */
export interface LogState {
  /** The number of the next version; 0 for a new table. */
  readonly nextVersion: number;
  readonly schemaString: string | null;
  readonly description: string | null;
  readonly files: ReadonlySet<string>;
  /** Columns with bounds in every file. */
  readonly bounded: readonly string[];
  /** Snapshots that brought a version, in order. */
  readonly snapshotIds: readonly string[];
  /** Time of the last version, in milliseconds since 1970. */
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
 * The property that lists a table's columns with statistics. A reader may take a column without bounds for a column without values, and
 * skip a file
 * that it needs. So we list only columns that have bounds in every file.
 */
const BOUNDED = 'delta.dataSkippingStatsColumns';

/** The kept snapshots decide how long a version is readable. Without these settings Spark refuses versions older than a week. */
const RETENTION = { 'delta.deletedFileRetentionDuration': 'interval 36500 days', 'delta.logRetentionDuration': 'interval 36500 days' };

/** The log with one more version. Throws if the text is not a version. */
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
  /** Milliseconds since 1970: the snapshot's knowledge cutoff, but always later than the version before. */
  readonly timestamp: number;
}

/** The version for a snapshot. Null if the snapshot does not change the table. */
export function nextVersion(state: LogState, table: TableState, of: VersionOf): NewVersion | null {
  const schemaString = deltaSchema(table.fields);
  const added = table.files.filter(({ name }) => !state.files.has(name));
  const names = new Set(table.files.map(({ name }) => name));
  const removed = [...state.files].filter((name) => !names.has(name));
  const isOtherwiseDescribed = schemaString !== state.schemaString || table.description !== state.description;
  if (added.length === 0 && removed.length === 0 && !isOtherwiseDescribed) return null;
  const bounded = boundedIn(added, added.length === table.files.length ? null : state.bounded);
  const isMetaDataNew = isOtherwiseDescribed || bounded.join(',') !== state.bounded.join(',');
  // Readers find the version of a moment by this time, so it must increase.
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

/** @param before the columns with bounds in each of the files that stay; null if no file stays */
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

/** A UUID of version 8. It depends only on the table, so a rebuilt log has the same one. */
function idOf(table: string): string {
  const hex = createHash('sha256').update(`asof.${table}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** The file name of a version. */
export function versionFile(version: number): string {
  return `${String(version).padStart(20, '0')}.json`;
}
