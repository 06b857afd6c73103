// The snapshot report.
import { z } from 'zod';
import { Counts } from './manifest.ts';
import { Instant } from './period.ts';

const instant = (description: string) => Instant.nullable().describe(description);

export const SnapshotReport = z
  .strictObject({
    snapshotId: z.string().describe('Identifier, derived from the content.'),
    generatedAt: Instant.describe('Time of the last write to the lake before the build.'),
    knowledgeCutoff: Instant.describe('Everything known up to this instant is in the snapshot.'),
    schemaVersion: z.string().describe('Version of the schema of its tables.'),
    previousSnapshotId: z.string().nullable().describe('The snapshot before it.'),
    contentHash: z.string().describe('SHA-256 over its files; the same for the same content.'),
    counts: Counts.describe('Row counts.'),
    tables: z
      .array(
        z
          .strictObject({
            name: z.string().describe('Table.'),
            rowCount: z.int().describe('Rows.'),
            bytes: z.int().describe('Bytes on disk.'),
            partitions: z.int().describe('Files.'),
            maxObservedAt: instant('Newest knowledge time, if the table has one.'),
            hash: z.string().describe('SHA-256 over the hashes of its files.'),
          })
          .meta({ id: 'SnapshotTable' }),
      )
      .describe('Tables of the snapshot.'),
    changesCursor: z.string().describe('Cursor for /observations/changes without filters; it continues after the newest change.'),
    manifestUrl: z.string().describe('Address of the manifest.'),
  })
  .meta({ id: 'Snapshot' });
export type SnapshotReport = z.infer<typeof SnapshotReport>;
