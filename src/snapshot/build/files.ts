// Writes the files of a snapshot: staged first, then named by their content and described for the manifest.
import { existsSync } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { quote } from '../../db/connect.ts';
import { parquetFiles } from '../../db/files.ts';
import { relationName } from '../../db/layers.ts';
import { toText, toValue } from '../../db/rows.ts';
import { renameDurably, sha256OfFile, syncPath } from '../../disk/durable.ts';
import type { FieldType, Resource } from '../../model/manifest.ts';
import { descriptionOf, sentenceOf, type TableDescription } from './descriptions.ts';
import { rowGroupSize } from './row-groups.ts';
import { SCHEMA_VERSION, type SnapshotPaths } from '../manifest.ts';

export interface WrittenFile {
  readonly resource: Resource;
  readonly isNew: boolean;
}

export async function writeTable(connection: DuckDBConnection, paths: SnapshotPaths, name: string): Promise<WrittenFile> {
  const licensed = LICENSED[name];
  const rights = licensed === undefined ? {} : { redistributable: await isTrue(connection, licensed.isOpen), note: licensed.note };
  return writeFile(connection, paths, {
    name,
    select: `from ${relationName(`published/${name}`)}`,
    partition: {},
    rights,
    licence: PER_SOURCE,
  });
}

export const PER_SERIES = { note: 'Rights are per series: series.is_redistributable.' };
/** Tables whose single file holds values of several series, or results computed from them, with different licences. */
const LICENSED: Readonly<Record<string, { readonly isOpen: string; readonly note: string }>> = {
  latest: { isOpen: 'select bool_and(is_redistributable) from published.series', ...PER_SERIES },
  companies: {
    isOpen: 'select bool_and(are_prices_open) from published.companies',
    note: 'Prices and what is computed from them: valuations[].is_redistributable.',
  },
  multiples: {
    isOpen: 'select bool_and(is_redistributable) from published.multiples',
    note: 'Prices and what is computed from them: multiples.is_redistributable.',
  },
};

/** Also true if the select returns no row. */
async function isTrue(connection: DuckDBConnection, select: string): Promise<boolean> {
  return (await connection.runAndReadAll(select)).getRows()[0]?.[0] !== false;
}

/** The licence note of a table with several sources. */
export const PER_SOURCE = 'By source: sources.license, sources.license_url';

const DOCUMENTATION = 'docs/reference/tables.md';

export async function writeFile(
  connection: DuckDBConnection,
  paths: SnapshotPaths,
  file: {
    readonly name: string;
    readonly select: string;
    readonly partition: Record<string, string | number>;
    readonly rights: Record<string, unknown>;
    /** As text, for a reader who has only the file. */
    readonly licence: string;
  },
): Promise<WrittenFile> {
  const staged = join(paths.staging, `${file.name}.parquet`);
  const described = descriptionOf(file.name);
  // Without the snapshot id: that is a hash of the files, and an unchanged file belongs to several snapshots.
  const stated: Readonly<Record<string, string | number>> = {
    table: file.name,
    ...file.partition,
    schema_version: SCHEMA_VERSION,
    licence: file.licence,
    documentation: `${DOCUMENTATION}#${file.name}`,
  };
  const metadata = Object.entries(stated).map(([key, value]) => `"asof.${key}": ${quote(String(value))}`);
  const rowGroup = await rowGroupSize(connection, `(${file.select})`);
  const copied = await connection.runAndReadAll(
    `copy (${file.select}) to ${quote(staged)} (format parquet, compression zstd, row_group_size ${rowGroup}, kv_metadata {${metadata.join(', ')}})`,
  );
  const rowCount = Number(copied.getRows()[0]?.[0]);
  const sha256 = await sha256OfFile(staged);
  const name = `${file.name}-${sha256.slice(0, 32)}.parquet`;
  const path = join(paths.files, name);
  const { bounds, fields } = await measure(connection, staged, described);
  const bytes = (await stat(staged)).size;
  // Replace a damaged file: its name states the content.
  const isNew = !existsSync(path) || (await sha256OfFile(path)) !== sha256;
  if (isNew) {
    await syncPath(staged);
    await renameDurably(staged, path);
  } else await rm(staged);
  const resource: Resource = {
    name: [file.name, ...Object.entries(file.partition).flatMap(([key, value]) => (key === 'dataset_no' ? [] : [value]))].join('.'),
    table: file.name,
    description: described.meaning,
    type: 'file',
    path: `files/${name}`,
    format: 'parquet',
    mediatype: 'application/vnd.apache.parquet',
    bytes,
    hash: `sha256:${sha256}`,
    schema: { fields, primaryKey: [...described.key] },
    partition: file.partition,
    rowCount,
    ...bounds,
    rights: file.rights,
  };
  return { resource, isNew };
}

const FIELD_TYPES: readonly (readonly [RegExp, FieldType])[] = [
  [/\[\]$/, 'array'],
  [/^(struct|map)/, 'object'],
  [/^(varchar|uuid|enum)/, 'string'],
  [/^u?(tiny|small|big|huge)?int(eger)?$/, 'integer'],
  [/^(double|float|decimal)/, 'number'],
  [/^boolean$/, 'boolean'],
  [/^date$/, 'date'],
  [/^timestamp/, 'datetime'],
];

function fieldType(physicalType: string): FieldType {
  return FIELD_TYPES.find(([pattern]) => pattern.test(physicalType))?.[1] ?? 'any';
}

type Bounds = Pick<Resource, 'minPeriodEnd' | 'maxPeriodEnd' | 'minObservedAt' | 'maxObservedAt'>;

async function measure(
  connection: DuckDBConnection,
  path: string,
  table: TableDescription,
): Promise<{ bounds: Bounds; fields: Resource['schema']['fields'] }> {
  const found = await connection.runAndReadAll(`describe select * from ${parquetFiles([path])}`);
  const fields = found.getRows().map(([column, type]) => {
    const [name, physicalType] = [String(column), String(type).toLowerCase()];
    const described = table.columns.find((one) => one.name === name);
    if (described === undefined)
      throw new Error(`The column ${table.name}.${name} has no description. Add one to the list of published columns.`);
    return { name, type: fieldType(physicalType), physicalType, unit: described.unit, description: sentenceOf(described) };
  });
  return { bounds: await boundsOf(connection, path, new Set(fields.map(({ name }) => name))), fields };
}

async function boundsOf(connection: DuckDBConnection, path: string, columns: ReadonlySet<string>): Promise<Bounds> {
  const extremes = (name: string, expression: string) =>
    columns.has(name) ? [`min(${expression})`, `max(${expression})`] : ['null', 'null'];
  const asked = [...extremes('period_end', 'period_end::date'), ...extremes('observed_at', 'observed_at')];
  const hasBounds = columns.has('period_end') || columns.has('observed_at');
  const result = hasBounds ? await connection.runAndReadAll(`select ${asked.join(', ')} from ${parquetFiles([path])}`) : null;
  const [minPeriodEnd, maxPeriodEnd, minObservedAt, maxObservedAt] = (result?.getRows()[0] ?? [])
    .map(toValue)
    .map((value) => (value === null ? null : toText(value)));
  return {
    minPeriodEnd: minPeriodEnd ?? null,
    maxPeriodEnd: maxPeriodEnd ?? null,
    minObservedAt: minObservedAt ?? null,
    maxObservedAt: maxObservedAt ?? null,
  };
}
