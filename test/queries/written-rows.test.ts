// Rows written straight as JSON are the rows that the other forms are made of, letter by letter.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { heldRows } from '../../src/db/query.ts';
import type { Series } from '../../src/model/catalogue.ts';
import { budgetAt, dueAt } from '../../src/model/trust.ts';
import { isKept } from '../../src/queries/reads/newest.ts';
import { latestRows, observationRows } from '../../src/queries/written-rows.ts';
import { toLatestObservations, toObservations } from '../../src/queries/observation-rows.ts';
import { listLatest, listVintages, objectsOf } from '../reads.ts';
import { readCurrent, snapshotPaths } from '../../src/snapshot/manifest.ts';
import { openSnapshot, type SnapshotReader } from '../../src/snapshot/serving/reader.ts';
import { UNFILTERED } from '../pipeline.ts';
import { sampleLake } from '../service.ts';
import { isLong } from '../suite.ts';

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

const inForm = (hasRights: boolean) => ({ hasRights, isBulk: false, asOf: null });
const rightsOf = (_: number, series: Series) => ({ rights: series.rights });

it.each([true, false])('the written prints of the newest periods equal the objects, with rights: %s', async (hasRights) => {
  const { catalogue, knowledgeCutoff } = snapshot;
  const page = { sort: 'period_end', order: 'desc', after: null, limit: 100_000 } as const;
  const { rows } = await listLatest(snapshot, catalogue.series, UNFILTERED, page);
  const context = { catalogue, at: Date.parse(knowledgeCutoff) };
  const objects = hasRights ? await toLatestObservations(rows, context, rightsOf) : await toLatestObservations(rows, context);
  expect(rows.length).toBeGreaterThan(100);
  expect(objects.some((row) => row.preferredForFactor === true && row.previous !== null && row.derivedFrom !== null)).toBe(true);
  for (const asked of [rows, rows, rows.map((row) => ({ ...row }))])
    expect(String(await latestRows(heldRows(asked), context, inForm(hasRights)).json(null))).toBe(JSON.stringify(objects));
});

it('a cached newest print is written as of the exact requested moment, with later and earlier ones around it', async () => {
  const { catalogue, knowledgeCutoff } = snapshot;
  const page = { sort: 'observed_at', order: 'desc', after: null, limit: 100_000 } as const;
  const some = catalogue.series.filter((_, place) => isLong || place % 5 === 0);
  const { rows } = await listLatest(snapshot, some, UNFILTERED, page);
  expect(rows.every(isKept)).toBe(true);
  const cutoff = Date.parse(knowledgeCutoff);
  const dues = rows.flatMap((row) => {
    const series = catalogue.byNumber.get(row.seriesNo);
    const days = series === undefined ? null : budgetAt(series, cutoff);
    return days === null ? [] : [dueAt(row.periodEnd, days)];
  });
  const turns = [...new Set(dues.filter((due) => due > cutoff))].sort((a, b) => a - b).slice(0, isLong ? 8 : 2);
  expect(turns.length).toBeGreaterThan(1);
  const moments = [cutoff, ...turns.flatMap((due) => [due, due + 1]), cutoff + 1, cutoff - 40 * 86_400_000, cutoff];
  const seen = new Set<string>();
  // The same series with other rights, as after a grant, in between.
  const other = { ...catalogue, byNumber: new Map([...catalogue.byNumber].map(([no, one]) => [no, { ...one, provider: 'Another' }])) };
  for (const known of [catalogue, other, catalogue])
    for (const at of moments) {
      // As the rows decide it among them, and as a larger answer has decided it: none of these is preferred there.
      for (const preferred of [null, new Set<string>()]) {
        const context = { catalogue: known, at, preferred };
        const written = await latestRows(heldRows(rows), context, inForm(false)).json(null);
        expect(String(written)).toBe(JSON.stringify(await toLatestObservations(rows, context)));
        seen.add(String(written));
      }
    }
  expect(seen.size).toBeGreaterThan(4 * turns.length);
});

it.each([true, false])('the written vintages of a few periods equal the objects, with rights: %s', async (hasRights) => {
  const { catalogue, knowledgeCutoff } = snapshot;
  const page = { sort: 'period_end', order: 'desc', after: null, limit: isLong ? 20_000 : 4_000 } as const;
  const { rows } = await listVintages(snapshot, catalogue.series, { ...UNFILTERED, vintage: 'all' }, page);
  const context = { catalogue, at: Date.parse(knowledgeCutoff), preferred: new Set([String(rows[7]?.idHash)]) };
  const objects = hasRights ? await toObservations(rows, context, rightsOf) : await toObservations(rows, context);
  expect(objects.filter((row) => row.preferredForFactor).length).toBe(1);
  expect(objects.some((row) => row.releaseEventId !== null)).toBe(true);
  expect(objects.some((row) => row.actual === null || row.revised)).toBe(true);
  expect(String(await observationRows(heldRows(rows), context, inForm(hasRights)).json(null))).toBe(JSON.stringify(objects));
});

it('the written rows with some columns are those members of the objects, for each column and for several', async () => {
  const { catalogue, knowledgeCutoff } = snapshot;
  const page = { sort: 'period_end', order: 'desc', after: null, limit: 300 } as const;
  const context = { catalogue, at: Date.parse(knowledgeCutoff) };
  const { rows: vintages } = await listVintages(snapshot, catalogue.series, UNFILTERED, page);
  const { rows: latest } = await listLatest(snapshot, catalogue.series, UNFILTERED, page);
  for (const [written, objects] of [
    [observationRows(heldRows(vintages), context, inForm(true)), await toObservations(vintages, context, rightsOf)],
    [latestRows(heldRows(latest), context, inForm(true)), await toLatestObservations(latest, context, rightsOf)],
  ] as const) {
    const names = Object.keys(objects[0] ?? {});
    expect(names.length).toBeGreaterThan(40);
    const several = [names.toReversed(), ['period', 'actual', 'vintage', 'observedAt'], ['unit', 'preferredForFactor', 'period']];
    for (const columns of [...names.map((name) => [name]), ...several]) {
      const expected = objects.map((row) => Object.fromEntries(columns.map((name) => [name, Reflect.get(row, name)])));
      expect([columns, String(await written.json(columns))]).toEqual([columns, JSON.stringify(expected)]);
    }
  }
});

it('a row has the file that carried it, even if the rows of a series came from several files', async () => {
  const { knowledgeCutoff } = snapshot;
  const addresses = ['2020-05', '2020-06'].map((month): [string, string] => [`run_${month}`, `https://publisher.example/${month}.csv`]);
  const catalogue = { ...snapshot.catalogue, addresses: new Map(addresses) };
  const page = { sort: 'period_end', order: 'asc', after: null, limit: 30 } as const;
  const one = catalogue.series.find(({ vintageCount }) => vintageCount >= 30);
  const { rows } = await listVintages(snapshot, one === undefined ? [] : [one], { ...UNFILTERED, vintage: 'all' }, page);
  const carried = rows.map((row, place) => ({ ...row, sourceRunId: place % 5 < 3 ? 'run_2020-05' : 'run_2020-06' }));
  const context = { catalogue, at: Date.parse(knowledgeCutoff), preferred: new Set<string>() };
  const objects = await toObservations(carried, context);
  expect([carried.length, new Set(objects.map(({ sourceUrl }) => sourceUrl)).size]).toEqual([30, 2]);
  expect(String(await observationRows(heldRows(carried), context, inForm(false)).json(null))).toBe(JSON.stringify(objects));
});

it('rows that are read in small parts prefer the same rows as rows that are read together', async () => {
  const page = { sort: 'period_end', order: 'desc', after: null, limit: 3000 } as const;
  const { rows: vintages } = await listVintages(snapshot, snapshot.catalogue.series, UNFILTERED, page);
  const { rows: latest } = await listLatest(snapshot, snapshot.catalogue.series, UNFILTERED, page);
  // One factor for all series, so that all rows of a period compete. Parts alone would prefer one row each.
  const asOne = new Map([...snapshot.catalogue.byNumber].map(([no, one]) => [no, { ...one, country: 'US', factorKey: 'one factor' }]));
  const context = { catalogue: { ...snapshot.catalogue, byNumber: asOne }, at: Date.parse(snapshot.knowledgeCutoff) };
  for (const [rows, expected] of [
    [observationRows(heldRows(vintages), context, inForm(false)), await toObservations(vintages, context)],
    [latestRows(heldRows(latest), context, inForm(false)), await toLatestObservations(latest, context)],
  ] as const) {
    expect(expected.some(({ preferredForFactor }) => preferredForFactor)).toBe(true);
    expect(await objectsOf<(typeof expected)[number]>(rows)).toEqual(expected);
  }
});
