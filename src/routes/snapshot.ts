import { createHash } from 'node:crypto';
import { itemRoute } from '../http/route.ts';
import type { Manifest } from '../model/manifest.ts';
import { SnapshotReport } from '../model/snapshot.ts';
import type { Snapshot } from '../queries/snapshot.ts';
import { observationsChanges } from './observations-changes.ts';

const query = {};
/** Sorts after every observation of the same sequence. */
const LAST_ID = String(2n ** 64n - 1n);

export const snapshot = itemRoute<Snapshot, typeof query, SnapshotReport>({
  path: '/snapshot',
  scope: 'ops:read',
  tag: 'operations',
  summary: 'The snapshot that answers now: what it knows, how much, and its hashes.',
  example: '/snapshot',
  query,
  data: SnapshotReport,
  find: async (_query, context) => {
    const { manifest } = context.snapshot;
    return {
      snapshotId: manifest.snapshotId,
      generatedAt: manifest.created,
      knowledgeCutoff: manifest.knowledgeCutoff,
      schemaVersion: manifest.schemaVersion,
      previousSnapshotId: manifest.previousSnapshotId,
      contentHash: manifest.contentHash,
      counts: manifest.counts,
      tables: tablesOf(manifest),
      changesCursor: context.resumeCursor(observationsChanges.path, [manifest.lastChangeSequence, LAST_ID]),
      manifestUrl: '/manifest',
    };
  },
});

function tablesOf(manifest: Manifest): SnapshotReport['tables'] {
  const names = [...new Set(manifest.resources.map((resource) => resource.name))];
  return names.map((name) => {
    const parts = manifest.resources.filter((resource) => resource.name === name);
    return {
      name,
      rowCount: parts.reduce((sum, part) => sum + part.rowCount, 0),
      bytes: parts.reduce((sum, part) => sum + part.bytes, 0),
      partitions: parts.length,
      maxObservedAt:
        parts
          .map((part) => part.maxObservedAt)
          .filter((instant) => instant !== null)
          .sort()
          .at(-1) ?? null,
      hash: `sha256:${createHash('sha256')
        .update(parts.map((part) => part.hash).join('\n'))
        .digest('hex')}`,
    };
  });
}
