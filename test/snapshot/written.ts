// Candidates whose files are a few bytes: publishing verifies and names them, and never looks inside.
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Manifest, Resource } from '../../src/model/manifest.ts';
import { contentHash, SCHEMA_VERSION, type SnapshotPaths, snapshotIdOf } from '../../src/snapshot/manifest.ts';

export const sha256 = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

export function resourceOf(name: string, body: string, more: Partial<Resource> = {}): Resource {
  return {
    name,
    table: name,
    description: `What ${name} is.`,
    type: 'file',
    path: `files/${name}-${sha256(body).slice(0, 32)}.parquet`,
    format: 'parquet',
    mediatype: 'application/vnd.apache.parquet',
    bytes: Buffer.byteLength(body),
    hash: `sha256:${sha256(body)}`,
    schema: { fields: [{ name: 'value', type: 'number', physicalType: 'double', unit: null, description: 'The value.' }], primaryKey: [] },
    partition: {},
    rowCount: 1,
    minPeriodEnd: null,
    maxPeriodEnd: null,
    minObservedAt: null,
    maxObservedAt: null,
    rights: {},
    ...more,
  };
}

export function manifestOf(resources: readonly Resource[]): Manifest {
  const hash = contentHash(resources);
  return {
    profile: 'data-package',
    name: 'asof',
    id: snapshotIdOf(hash),
    version: '1',
    created: '2024-01-01T00:00:00.000Z',
    snapshotId: snapshotIdOf(hash),
    previousSnapshotId: null,
    knowledgeCutoff: '2024-01-01T00:00:00.000Z',
    schemaVersion: SCHEMA_VERSION,
    contentHash: hash,
    lastChangeSequence: 1,
    counts: { entities: 0, countries: 0, indicators: 0, observations: 0, vintages: 0, companies: 0, events: 0 },
    licenses: [],
    sources: [],
    resources: [...resources],
  };
}

/** Leaves a candidate as derive does: its files, the copy that servers read, and the manifest to be. */
export function writeCandidate(paths: SnapshotPaths, bodies: Readonly<Record<string, string>>): Manifest {
  const manifest = manifestOf(Object.entries(bodies).map(([name, body]) => resourceOf(name, body)));
  for (const folder of [paths.files, paths.served]) mkdirSync(folder, { recursive: true });
  for (const [index, body] of Object.values(bodies).entries()) writeFileSync(join(paths.root, manifest.resources[index]?.path ?? ''), body);
  writeFileSync(join(paths.served, `${manifest.snapshotId}.duckdb`), 'copy');
  writeFileSync(paths.candidate, JSON.stringify(manifest));
  return manifest;
}
