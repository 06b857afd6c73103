// Rows written straight as JSON are the rows that the other forms are made of, letter by letter.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Series } from '../../src/model/catalogue.ts';
import { toLatestObservations, toObservations, writeLatestObservations, writeObservations } from '../../src/queries/observation-rows.ts';
import { listLatest, listVintages } from '../../src/queries/observations.ts';
import { readCurrent, snapshotPaths } from '../../src/snapshot/manifest.ts';
import { openSnapshot, type SnapshotReader } from '../../src/snapshot/reader.ts';
import { UNFILTERED } from '../pipeline.ts';
import { sampleLake } from '../service.ts';

let folder: string;
let snapshot: SnapshotReader;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'asof-written-'));
  const paths = snapshotPaths(await sampleLake());
  const manifest = await readCurrent(paths);
  if (manifest === null) throw new Error('the sample has no snapshot');
  const limits = { threads: 2, memory: '400MB', tempDirectory: folder, tempSize: '1GB' };
  snapshot = await openSnapshot(paths, manifest, { limits, connections: 1 });
});
afterAll(async () => {
  snapshot.close();
  await rm(folder, { recursive: true });
});

const rightsOf = (_: number, series: Series) => ({ rights: series.rights });

it.each([true, false])('gives every print of the newest periods as the objects do, with rights: %s', async (hasRights) => {
  const { catalogue, knowledgeCutoff } = snapshot;
  const page = { sort: 'period_end', order: 'desc', after: null, limit: 100_000 } as const;
  const { rows } = await listLatest(snapshot, catalogue.series, UNFILTERED, page);
  const context = { catalogue, at: Date.parse(knowledgeCutoff) };
  const objects = hasRights ? toLatestObservations(rows, context, rightsOf) : toLatestObservations(rows, context);
  expect(rows.length).toBeGreaterThan(100);
  expect(objects.some((row) => row.preferredForFactor === true && row.previous !== null && row.derivedFrom !== null)).toBe(true);
  expect(writeLatestObservations(rows, context, hasRights)).toEqual(objects.map((row) => JSON.stringify(row)));
});

it.each([true, false])('gives every vintage of a few periods as the objects do, with rights: %s', async (hasRights) => {
  const { catalogue, knowledgeCutoff } = snapshot;
  const page = { sort: 'period_end', order: 'desc', after: null, limit: 3000 } as const;
  const { rows } = await listVintages(snapshot, catalogue.series, { ...UNFILTERED, vintage: 'all' }, page);
  const context = { catalogue, at: Date.parse(knowledgeCutoff), preferred: new Set([String(rows[7]?.idHash)]) };
  const objects = hasRights ? toObservations(rows, context, rightsOf) : toObservations(rows, context);
  expect(objects.filter((row) => row.preferredForFactor).length).toBe(1);
  expect(objects.some((row) => row.releaseEventId !== null)).toBe(true);
  expect(objects.some((row) => row.actual === null || row.revised)).toBe(true);
  expect(writeObservations(rows, context, hasRights)).toEqual(objects.map((row) => JSON.stringify(row)));
});
