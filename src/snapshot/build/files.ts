// Writes the files of a snapshot: staged first, then named by their content and described for the manifest.
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { z } from 'zod';
import { quote } from '../../db/connect.ts';
import { parquetFiles } from '../../db/files.ts';
import { instantOf, microsOf } from '../../db/instant.ts';
import { relationName } from '../../db/layers.ts';
import { renameDurably, sha256OfFile, syncPath } from '../../disk/durable.ts';
import type { FieldType, Resource } from '../../model/manifest.ts';
import { descriptionOf, sentenceOf, type TableDescription } from './descriptions.ts';
import { rowGroupSize } from './row-groups.ts';
import { SCHEMA_VERSION, type SnapshotPaths } from '../manifest.ts';

export interface WrittenFile {
  readonly resource: Resource;
  readonly isNew: boolean;
}

export interface FileToWrite {
  readonly name: string;
  readonly select: string;
  readonly partition: Record<string, string | number>;
  readonly rights: Record<string, unknown>;
  /** As text, for a reader who has only the file. */
  readonly licence: string;
}

export interface TableFiles {
  /** Writes a relation of the schema `published` as one file. */
  readonly whole: (name: string) => Promise<WrittenFile>;
  /** Writes a part of a table. All parts of a table must have the same columns. */
  readonly part: (file: FileToWrite) => Promise<WrittenFile>;
}

/** What all files of a table share. */
interface Layout {
  readonly rowGroup: number;
  readonly fields: Resource['schema']['fields'];
}

/** Describes the columns of each table once: a table may have hundreds of files. */
export function openTableFiles(connection: DuckDBConnection, paths: SnapshotPaths): TableFiles {
  const layouts = new Map<string, Layout>();
  const part = (file: FileToWrite) => writeFile(connection, paths, file, layouts);
  return {
    part,
    async whole(name) {
      const licensed = LICENSED[name];
      const rights = licensed === undefined ? {} : { redistributable: await isTrue(connection, licensed.isOpen), note: licensed.note };
      return part({ name, select: `from ${relationName(`published/${name}`)}`, partition: {}, rights, licence: PER_SOURCE });
    },
  };
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

async function writeFile(
  connection: DuckDBConnection,
  paths: SnapshotPaths,
  file: FileToWrite,
  layouts: Map<string, Layout>,
): Promise<WrittenFile> {
  const staged = join(paths.staging, `${file.name}.parquet`);
  const described = descriptionOf(file.name);
  const known = layouts.get(file.name);
  const rowGroup = known?.rowGroup ?? (await rowGroupSize(connection, `(${file.select})`));
  const { rowCount, bytes, bounds } = await copyTo(connection, staged, file, rowGroup);
  const fields = known?.fields ?? (await fieldsOf(connection, staged, described));
  layouts.set(file.name, { rowGroup, fields });
  const sha256 = await sha256OfFile(staged);
  const name = `${file.name}-${sha256.slice(0, 32)}.parquet`;
  const path = join(paths.files, name);
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

type Bounds = Pick<Resource, 'minPeriodEnd' | 'maxPeriodEnd' | 'minObservedAt' | 'maxObservedAt'>;

interface Copied {
  readonly rowCount: number;
  readonly bytes: number;
  readonly bounds: Bounds;
}

async function copyTo(connection: DuckDBConnection, path: string, file: FileToWrite, rowGroup: number): Promise<Copied> {
  // Without the snapshot id: that is a hash of the files, and an unchanged file belongs to several snapshots.
  const stated: Readonly<Record<string, string | number>> = {
    table: file.name,
    ...file.partition,
    schema_version: SCHEMA_VERSION,
    licence: file.licence,
    documentation: `${DOCUMENTATION}#${file.name}`,
  };
  const metadata = Object.entries(stated).map(([key, value]) => `"asof.${key}": ${quote(String(value))}`);
  const copied = await connection.runAndReadAll(
    `copy (${file.select}) to ${quote(path)} (format parquet, compression zstd, row_group_size ${rowGroup}, return_stats, kv_metadata {${metadata.join(', ')}})`,
  );
  const [row] = copied.getRowObjectsJson();
  const { count, file_size_bytes: bytes, column_statistics: columns } = Statistics.parse(row);
  const extreme = (column: string, end: 'min' | 'max') =>
    columns.find(({ key }) => key === `"${column}"`)?.value.find(({ key }) => key === end)?.value ?? null;
  const instant = (text: string | null) => (text === null ? null : instantOf(microsOf(text)));
  return {
    rowCount: count,
    bytes,
    bounds: {
      minPeriodEnd: extreme('period_end', 'min'),
      maxPeriodEnd: extreme('period_end', 'max'),
      minObservedAt: instant(extreme('observed_at', 'min')),
      maxObservedAt: instant(extreme('observed_at', 'max')),
    },
  };
}

/** The engine's statistics of the file that it wrote. Numbers are texts, and names are in double quotes. */
const Statistics = z.object({
  count: z.coerce.number(),
  file_size_bytes: z.coerce.number(),
  column_statistics: z.array(z.object({ key: z.string(), value: z.array(z.object({ key: z.string(), value: z.string() })) })),
});

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

async function fieldsOf(connection: DuckDBConnection, path: string, table: TableDescription): Promise<Resource['schema']['fields']> {
  const found = await connection.runAndReadAll(`describe select * from ${parquetFiles([path])}`);
  return found.getRows().map(([column, type]) => {
    const [name, physicalType] = [String(column), String(type).toLowerCase()];
    const described = table.columns.find((one) => one.name === name);
    if (described === undefined)
      throw new Error(`The column ${table.name}.${name} has no description. Add one to the list of published columns.`);
    return { name, type: fieldType(physicalType), physicalType, unit: described.unit, description: sentenceOf(described) };
  });
}
