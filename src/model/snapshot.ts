// The snapshot report.
import { z } from 'zod';
import { Counts } from './manifest.ts';
import { Instant } from './period.ts';

const instant = (description: string) => Instant.nullable().describe(description);

export const SnapshotReport = z
  .strictObject({
    snapshotId: z.string().describe('Identifier, made of the content.'),
    generatedAt: Instant.describe('When the lake was last fed before it was built.'),
    knowledgeCutoff: Instant.describe('The moment up to which it knows.'),
    schemaVersion: z.string().describe('Version of the schema of its tables.'),
    previousSnapshotId: z.string().nullable().describe('The snapshot before it.'),
    contentHash: z.string().describe('SHA-256 over its files: equal for equal content.'),
    counts: Counts.describe('How much it holds.'),
    tables: z
      .array(
        z
          .strictObject({
            name: z.string().describe('Table.'),
            rowCount: z.int().describe('Rows.'),
            bytes: z.int().describe('Bytes on disk.'),
            partitions: z.int().describe('Files.'),
            maxObservedAt: instant('Newest knowledge time, where the table has one.'),
            hash: z.string().describe('SHA-256 over the hashes of its files.'),
          })
          .meta({ id: 'SnapshotTable' }),
      )
      .describe('Its tables.'),
    changesCursor: z.string().describe('Cursor with which /observations/changes, without filters, goes on after the newest change.'),
    manifestUrl: z.string().describe('Where the manifest is.'),
  })
  .meta({ id: 'Snapshot' });
export type SnapshotReport = z.infer<typeof SnapshotReport>;
