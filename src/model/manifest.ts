// The manifest of a snapshot: names of Frictionless Data Package, with the SHA-256, size and row count of every file.
import { z } from 'zod';

const Day = z.string().nullable();

/** Types of Frictionless Table Schema. */
export const FieldType = z.enum(['any', 'array', 'boolean', 'date', 'datetime', 'integer', 'number', 'object', 'string']);
export type FieldType = z.infer<typeof FieldType>;

export const Resource = z.strictObject({
  name: z.string().describe('Its own: of a table in several files, table and partition.'),
  table: z.string().describe('Table that it holds, or is a part of.'),
  description: z.string().describe('What one row of the table is.'),
  type: z.literal('file').describe('What a validator checks: the bytes of the file.'),
  path: z.string(),
  format: z.literal('parquet'),
  mediatype: z.literal('application/vnd.apache.parquet'),
  bytes: z.int(),
  hash: z.string(),
  schema: z.strictObject({
    fields: z.array(
      z.strictObject({
        name: z.string(),
        type: FieldType,
        physicalType: z.string().describe('Type of the column in the file, as DuckDB names it.'),
        unit: z.string().nullable(),
        description: z.string(),
      }),
    ),
    primaryKey: z.array(z.string()),
  }),
  partition: z.record(z.string(), z.union([z.string(), z.number()])),
  rowCount: z.int(),
  minPeriodEnd: Day,
  maxPeriodEnd: Day,
  minObservedAt: Day,
  maxObservedAt: Day,
  rights: z.record(z.string(), z.unknown()),
});
export type Resource = z.infer<typeof Resource>;

export const Counts = z.strictObject({
  entities: z.int(),
  countries: z.int(),
  indicators: z.int(),
  observations: z.int(),
  vintages: z.int(),
  companies: z.int(),
  events: z.int(),
});

export const Manifest = z.strictObject({
  profile: z.literal('data-package'),
  name: z.literal('asof'),
  id: z.string(),
  version: z.string(),
  created: z.string(),
  snapshotId: z.string(),
  previousSnapshotId: z.string().nullable(),
  knowledgeCutoff: z.string(),
  schemaVersion: z.string(),
  contentHash: z.string(),
  lastChangeSequence: z.int(),
  counts: Counts,
  licenses: z.array(z.strictObject({ name: z.string(), title: z.string(), path: z.string() })),
  sources: z.array(z.strictObject({ sourceId: z.string(), title: z.string(), path: z.string() })),
  resources: z.array(Resource),
});
export type Manifest = z.infer<typeof Manifest>;
