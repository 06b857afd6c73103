// The newest print of each series: published ready, and equal to what the general query finds among the vintages.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listLatest, observationsLatest, type VintageFilters } from '../../src/queries/observations.ts';
import { runPaged } from '../../src/queries/paging.ts';
import type { SnapshotReader } from '../../src/snapshot/reader.ts';
import { fredMdFile, openPipeline, type Pipeline, UNFILTERED } from '../pipeline.ts';

// PAYEMS: the newest print revises the month before it. INDPRO: its newest period is withdrawn. UNRATE: one period only. CPIAUCSL: its
// newest period was printed before the period before it was revised. HOUST: the period before is withdrawn, one missing between.
const RELEASES = {
  ...fredMdFile('2020-05', {
    PAYEMS: { '2020-03': 100, '2020-04': 131 },
    INDPRO: { '2020-03': 90, '2020-04': 91 },
    UNRATE: { '2020-04': 14 },
    CPIAUCSL: { '2020-03': 250, '2020-04': 251 },
    HOUST: { '2020-02': 7, '2020-03': 8, '2020-04': 9 },
  }),
  ...fredMdFile('2020-06', {
    PAYEMS: { '2020-03': 100, '2020-04': 129, '2020-05': 132 },
    INDPRO: { '2020-03': 90, '2020-04': null },
    UNRATE: { '2020-04': 14 },
    CPIAUCSL: { '2020-03': 249, '2020-04': 251 },
    HOUST: { '2020-02': 7, '2020-03': null, '2020-04': 10 },
  }),
};

const PAGE = { sort: 'indicator_id', order: 'asc', after: null, limit: 100 } as const;

describe('the newest print', () => {
  let pipeline: Pipeline;
  let snapshot: SnapshotReader;

  beforeAll(async () => {
    pipeline = await openPipeline();
    await pipeline.run(RELEASES, '2021-01-01T00:00:00.000Z');
    snapshot = await pipeline.open();
  });
  afterAll(() => pipeline.remove());

  const general = (filters: VintageFilters) => {
    const { series } = snapshot.catalogue;
    const { numericOnly: _, ...rest } = filters;
    const range = { seriesFrom: series[0]?.seriesNo ?? 0, seriesTo: series.at(-1)?.seriesNo ?? 0, seriesNos: null };
    return runPaged(snapshot, observationsLatest, { ...rest, ...range, historyFrom: null }, PAGE);
  };

  it('stands beside the period before it, as known before and after', async () => {
    const { rows } = await listLatest(snapshot, snapshot.catalogue.series, UNFILTERED, PAGE);
    const payrolls = rows.find((row) => snapshot.catalogue.byNumber.get(row.seriesNo)?.canonicalId === 'nonfarm_payrolls');
    expect(payrolls).toMatchObject({ period: '2020-05', value: 132, previous: 131, revisedPrevious: 129 });
  });

  it.each([
    ['no filter', {}],
    ['a first period that all series reach', { periodFrom: '2020-04-01' }],
    ['a first period that only some series reach', { periodFrom: '2020-05-01' }],
    ['a first period that no series reaches', { periodFrom: '2020-06-01' }],
  ])('is what the general query finds under %s', async (_, filters) => {
    const found = await listLatest(snapshot, snapshot.catalogue.series, { ...UNFILTERED, ...filters }, PAGE);
    expect(found).toEqual(await general({ ...UNFILTERED, ...filters }));
  });

  it('goes through the vintages where the question is about the past', async () => {
    const { rows } = await listLatest(snapshot, snapshot.catalogue.series, { ...UNFILTERED, asOf: '2020-06-01T00:00:00.000Z' }, PAGE);
    expect(rows.map((row) => row.period)).toEqual(rows.map(() => '2020-04'));
  });
});
