// The newest print of each series: published ready, and equal to what the general query finds among the vintages.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Modifier } from '../../src/model/screener-dsl.ts';
import { listLatest } from '../reads.ts';
import { bindSeries, observationsLatest } from '../../src/queries/reads/engine.ts';
import type { VintageFilters } from '../../src/queries/reads/rows.ts';
import { runPaged } from '../../src/queries/paging.ts';
import { screen } from '../../src/queries/screener/screener.ts';
import type { SnapshotReader } from '../../src/snapshot/serving/reader.ts';
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
    const bound = bindSeries(snapshot, snapshot.catalogue.series, filters);
    return runPaged(snapshot, observationsLatest, { ...bound, historyFrom: null }, PAGE);
  };

  it('is next to the prior period, as known before and after', async () => {
    const { rows } = await listLatest(snapshot, snapshot.catalogue.series, UNFILTERED, PAGE);
    const payrolls = rows.find((row) => snapshot.catalogue.byNumber.get(row.seriesNo)?.canonicalId === 'nonfarm_payrolls');
    expect(payrolls).toMatchObject({ period: '2020-05', value: 132, previous: 131, revisedPrevious: 129 });
  });

  it('has no previous value over a gap, in rows and screens, by month and by calendar year', async () => {
    const gap = await openPipeline();
    const months = { M08: '324.0', M09: '324.7', M10: '-', M11: '326.1' };
    const rowOf = ([period, value]: readonly [string, string], year: string) => ({ year, period, periodName: 'x', value, footnotes: [{}] });
    const data = [...Object.entries(months).map((one) => rowOf(one, '2025')), rowOf(['M11', '317.7'], '2024')].toReversed();
    const Results = { series: [{ seriesID: 'CUSR0000SA0', data }] };
    const body = JSON.stringify({ status: 'REQUEST_SUCCEEDED', responseTime: 1, message: [], Results });
    await gap.run({ 'bls/timeseries.CUSR0000SA0.json': body }, '2026-01-10T00:00:00.000Z');
    const held = await gap.open();
    const { rows } = await listLatest(held, held.catalogue.series, UNFILTERED, PAGE);
    const prices = rows.find((row) => held.catalogue.byNumber.get(row.seriesNo)?.canonicalId === 'cpi');
    expect(prices).toMatchObject({ period: '2025-11', value: 326.1, previous: null, revisedPrevious: null });
    const columns = ['prev', 'chg1', 'chg12'].map((modifier) => ({ field: 'cpi', modifier: modifier as Modifier }));
    const { rows: screened } = await screen(
      held,
      {
        universe: 'countries',
        entityType: null,
        country: 'US',
        sector: null,
        filter: [],
        ranking: [],
        columns,
        asOf: null,
        at: Date.parse('2026-01-10T00:00:00.000Z'),
        historyFrom: null,
        isFreshOnly: false,
        isEligibleOnly: false,
      },
      { sort: 'rank', order: 'asc', begin: 0, limit: 10 },
    );
    const values = Object.values(screened[0]?.values ?? {}).map(({ value }) => value);
    expect(values).toEqual([null, null, 8.4]);
    await gap.remove();
  });

  it.each([
    ['no filter', {}],
    ['a first period that all series reach', { periodFrom: '2020-04-01' }],
    ['a first period that only some series reach', { periodFrom: '2020-05-01' }],
    ['a first period that no series reaches', { periodFrom: '2020-06-01' }],
  ])('equals the result of the general query under %s', async (_, filters) => {
    const found = await listLatest(snapshot, snapshot.catalogue.series, { ...UNFILTERED, ...filters }, PAGE);
    expect(found).toEqual(await general({ ...UNFILTERED, ...filters }));
  });

  it('comes from the vintages if the request has a cutoff', async () => {
    const { rows } = await listLatest(snapshot, snapshot.catalogue.series, { ...UNFILTERED, asOf: '2020-06-01T00:00:00.000Z' }, PAGE);
    expect(rows.map((row) => row.period)).toEqual(rows.map(() => '2020-04'));
  });
});
