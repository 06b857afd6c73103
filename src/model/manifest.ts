// The manifest of a snapshot: names of Frictionless Data Package, with the SHA-256, size and row count of every file.
import { z } from 'zod';
import { JsonObject } from './provenance.ts';
import { Day, Instant } from './period.ts';

/** Types of Frictionless Table Schema. */
export const FieldType = z
  .enum(['any', 'array', 'boolean', 'date', 'datetime', 'integer', 'number', 'object', 'string'])
  .meta({ id: 'FieldType' });
export type FieldType = z.infer<typeof FieldType>;

const ResourceField = z
  .strictObject({
    name: z.string(),
    type: FieldType,
    physicalType: z.string().describe('Type of the column in the file, as DuckDB names it.'),
    unit: z.string().nullable(),
    description: z.string(),
  })
  .meta({ id: 'ResourceField' });

export const Resource = z
  .strictObject({
    name: z.string().describe('Name of the file; for a table in several files, table and partition.'),
    table: z.string().describe('Table in this file, whole or in part.'),
    description: z.string().describe('Meaning of one row.'),
    type: z.literal('file').describe('Always file: the resource is one file.'),
    path: z.string(),
    format: z.literal('parquet'),
    mediatype: z.literal('application/vnd.apache.parquet'),
    bytes: z.int(),
    hash: z.string().describe('SHA-256 of the file.'),
    schema: z.strictObject({ fields: z.array(ResourceField), primaryKey: z.array(z.string()) }).meta({ id: 'ResourceSchema' }),
    partition: z.record(z.string(), z.union([z.string(), z.number()])).meta({ id: 'ResourcePartition' }),
    rowCount: z.int(),
    minPeriodEnd: Day.nullable(),
    maxPeriodEnd: Day.nullable(),
    minObservedAt: Instant.nullable(),
    maxObservedAt: Instant.nullable(),
    rights: JsonObject,
  })
  .meta({ id: 'ManifestResource' });
export type Resource = z.infer<typeof Resource>;

export const Counts = z
  .strictObject({
    entities: z.int(),
    countries: z.int(),
    indicators: z.int(),
    observations: z.int(),
    vintages: z.int(),
    companies: z.int(),
    events: z.int(),
  })
  .meta({ id: 'SnapshotCounts' });

export const Manifest = z
  .strictObject({
    profile: z.literal('data-package'),
    name: z.literal('asof'),
    id: z.string(),
    version: z.string(),
    created: Instant,
    snapshotId: z.string(),
    previousSnapshotId: z.string().nullable(),
    knowledgeCutoff: Instant,
    schemaVersion: z.string(),
    contentHash: z.string(),
    lastChangeSequence: z.int(),
    counts: Counts,
    licenses: z.array(z.strictObject({ name: z.string(), title: z.string(), path: z.string() }).meta({ id: 'ManifestLicense' })),
    sources: z.array(z.strictObject({ sourceId: z.string(), title: z.string(), path: z.string() }).meta({ id: 'ManifestSource' })),
    resources: z.array(Resource),
  })
  .meta({ id: 'Manifest' });
export type Manifest = z.infer<typeof Manifest>;
