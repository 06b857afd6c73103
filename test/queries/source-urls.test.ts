// The file that a row names: the one that brought its value, of a derived row the newest of its inputs, and never one that came later.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { derivedSeries, listDerivedObservations } from '../../src/queries/derived.ts';
import { toObservations } from '../../src/queries/observation-rows.ts';
import { idOf, seriesOf } from '../../src/model/catalogue.ts';
import { listVintages } from '../reads.ts';
import { findVintage, provenanceOf } from '../../src/queries/provenance.ts';
import type { SnapshotReader } from '../../src/snapshot/serving/reader.ts';
import { fredMdFile, openPipeline, type Pipeline, UNFILTERED } from '../pipeline.ts';

// March is revised in the second file, April is not: each change on a month before is of one file, or of both.
const FILES = {
  ...fredMdFile('2020-05', { PAYEMS: { '2020-02': 98, '2020-03': 100, '2020-04': 131 } }),
  ...fredMdFile('2020-06', { PAYEMS: { '2020-02': 98, '2020-03': 100, '2020-04': 129, '2020-05': 132 } }),
};
const AT = Date.parse('2021-01-01T00:00:00.000Z');
const [FIRST, SECOND] = [/2020-05\.csv$/, /2020-06\.csv$/];

let pipeline: Pipeline;
let snapshot: SnapshotReader;
beforeAll(async () => {
  pipeline = await openPipeline();
  await pipeline.run(FILES, '2021-01-01T00:00:00.000Z');
  snapshot = await pipeline.open();
});
afterAll(() => pipeline.remove());

it('the source URL is that of the newest input of the exact vintage, on every route', async () => {
  const series = derivedSeries(snapshot.catalogue, ['payrolls_mom_change']);
  const page = { sort: 'period_end', order: 'asc', after: null, limit: 100 } as const;
  const filters = { ...UNFILTERED, vintage: 'all' } as const;
  const rows = await (await listDerivedObservations(snapshot, series, filters, AT, page)).rows.all();
  const wanted = [
    ['2020-03', FIRST],
    ['2020-04', FIRST],
    ['2020-04', SECOND],
    ['2020-05', SECOND],
  ] as const;
  expect(rows).toHaveLength(wanted.length);
  const found = await listVintages(snapshot, series, filters, page);
  const shown = await toObservations(found.rows, { catalogue: snapshot.catalogue, at: AT });
  for (const [index, [month, file]] of wanted.entries()) {
    const row = rows[index];
    expect(row?.periodEnd?.slice(0, 7)).toBe(month);
    expect(row?.sourceUrl).toMatch(file);
    expect(shown[index]?.sourceUrl).toBe(row?.sourceUrl);
    const vintage = await findVintage(snapshot, row?.id ?? '');
    if (vintage === null) throw new Error('no such vintage');
    const told = await provenanceOf(snapshot, vintage, { asOf: null, at: AT, showsLocator: false });
    expect(told.sourceUrl).toBe(row?.sourceUrl);
    expect(told.rawPayload).toBeNull();
  }
  // April of the second file was computed with March of the first.
  expect(rows[2]?.sourceRefs.map(({ url }) => [SECOND, FIRST].findIndex((file) => file.test(url ?? '')))).toEqual([0, 1]);
});

it('the source URL is the page of the data set if the file of a value has no address', async () => {
  const { rows } = await listVintages(snapshot, snapshot.catalogue.series, UNFILTERED, {
    sort: 'period_end',
    order: 'asc',
    after: null,
    limit: 1,
  });
  const [row] = rows;
  if (row === undefined) throw new Error('no row');
  const unnamed = { ...row, sourceRunId: null };
  const [shown] = await toObservations([unnamed], { catalogue: snapshot.catalogue, at: AT });
  expect(shown?.sourceUrl ?? '').not.toMatch(/2020-0[56]\.csv$/);
  expect(shown?.observationId).toBe(idOf(seriesOf(snapshot.catalogue, row), row));
});
