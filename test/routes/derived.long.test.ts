import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { DerivedIndicatorEntry, DerivedObservation } from '../../src/model/derived.ts';
import { fredMdFile, realTimeFile } from '../pipeline.ts';
import { type FixtureService, startFixtureService } from './fixture-service.ts';

const YEAR = Object.fromEntries(
  Array.from({ length: 12 }, (_, at) => [`${at < 9 ? 2020 : 2021}-${String(((at + 3) % 12) + 1).padStart(2, '0')}`, 200]),
);
const MAY = fredMdFile('2021-05', { CPIAUCSL: { '2020-03': 200, ...YEAR, '2021-03': 204, '2021-04': 206 } });
const JUNE = fredMdFile('2021-06', { CPIAUCSL: { '2020-03': 200, ...YEAR, '2021-03': 204, '2021-04': 208, '2021-05': null } });
const FRED = realTimeFile(
  'CPI',
  'CPI',
  Object.entries({ ...YEAR, '2021-04': 206 })
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([month, level]) => [`${month}-01`, `${month}-28`, '2021-06-30', level] as const),
);

let service: FixtureService;
beforeAll(async () => {
  const at = '2021-07-01T08:00:00.000Z';
  service = await startFixtureService([{ files: { ...MAY, ...JUNE, ...FRED }, at }], '2021-07-02T08:00:00.000Z');
});
afterAll(() => service.stop());

const rows = async (query: string, key: 'full' | 'free' = 'full') =>
  z.array(DerivedObservation).parse((await service.list(`/derived-observations${query}`, key)).data);
const detail = async (name: string) => service.get(`/derived-indicators/${name}`);

describe('/derived-indicators', () => {
  it('lists entries without their entities, which the detail has', async () => {
    const all = z.array(DerivedIndicatorEntry).parse((await service.list('/derived-indicators')).data);
    expect(all.map((entry) => entry.entityIds)).toEqual(all.map(() => null));
    const bodies = await Promise.all(
      ['cpi_inflation_yoy', 'indicator_cpi_inflation_yoy'].map(async (name) => (await (await detail(name)).json()) as { data: unknown }),
    );
    const [bare, prefixed] = bodies.map((body) => DerivedIndicatorEntry.parse(body.data));
    expect(bare).toEqual(prefixed);
    expect(bare).toMatchObject({
      indicatorId: 'indicator_cpi_inflation_yoy',
      derivedFrom: ['cpi', 'cpi_nsa'],
      sourceIds: ['fred', 'fred_md'],
      entityIds: ['us'],
      entityCount: 1,
      latestPeriodEnd: '2021-04-30T00:00:00.000Z',
      availability: 'public',
      availabilityReason: null,
    });
    // Neither is named by the reference data: the first by name.
    expect(bare?.preferredSourceId).toBe('fred');
  });

  it('shows the backtest of each series in the detail of the baseline forecast', async () => {
    const body = (await (await detail('forecast_baseline')).json()) as { data: unknown };
    const entry = DerivedIndicatorEntry.parse(body.data);
    expect(entry).toMatchObject({
      family: 'forecast',
      derivedFrom: ['cpi', 'cpi_inflation_mom'],
      sourceIds: ['fred', 'fred_md'],
      entityIds: ['us'],
      observationCount: 5,
      latestPeriodEnd: '2021-05-31T00:00:00.000Z',
      // So few values are forecast by the naive method alone.
      metadata: { method: 'naive_v1', valuesAt: '/platform/macro-data' },
    });
    const levels = entry.metadata?.backtest?.series.filter((row) => row.indicatorId === 'us_cpi') ?? [];
    const table = levels.map((row) => [row.indicatorId, row.sourceId, row.forecastLevel, row.originCount, row.mase]);
    expect(table).toEqual([
      ['us_cpi', 'fred_md', 0.8, 1, null],
      ['us_cpi', 'fred', 0.8, 2, null],
    ]);
    const listed = z.array(DerivedIndicatorEntry).parse((await service.list('/derived-indicators?family=forecast')).data);
    expect(listed).toEqual([{ ...entry, entityIds: null, metadata: null }]);
  });

  it('lists indicators without values, and filters by availability', async () => {
    const all = z.array(DerivedIndicatorEntry).parse((await service.list('/derived-indicators?limit=500')).data);
    expect(
      all.filter((entry) => entry.entityCount === 0).every((entry) => entry.observationCount === 0 && entry.latestPeriodEnd === null),
    ).toBe(true);
    expect((await service.list('/derived-indicators?availability=internal_only')).data).toEqual([]);
  });

  it('answers not_found for an indicator that is not computed', async () => {
    expect((await detail('indicator_nothing')).status).toBe(404);
  });
});

describe('/derived-observations', () => {
  const APRIL = 'start_date=2021-04-01&end_date=2021-04-30';

  it.each(['cpi_inflation_yoy', 'indicator_cpi_inflation_yoy', 'us_cpi_inflation_yoy'])(
    'finds them as %s, from every source',
    async (name) => {
      const found = await rows(`?indicator_id=${name}&${APRIL}`);
      expect(
        found.map(({ sourceId, valueNumeric }) => [sourceId, valueNumeric]).toSorted(([a], [b]) => String(a).localeCompare(String(b))),
      ).toEqual([
        ['fred', expect.closeTo(3)],
        ['fred_md', expect.closeTo(4)],
      ]);
    },
  );

  it('selects a source explicitly, and reads as of a moment', async () => {
    const [now] = await rows(`?indicator_id=cpi_inflation_yoy&entity=us&source_id=fred_md&${APRIL}`);
    expect(now).toMatchObject({
      indicatorId: 'indicator_cpi_inflation_yoy',
      providerId: 'asof',
      derivedFrom: ['us_cpi'],
      periodStart: '2021-04-01T00:00:00.000Z',
      periodEnd: '2021-04-30T00:00:00.000Z',
      revisionStatus: 'revised',
      metadata: {},
      sourceRefs: [
        { sourceId: 'fred_md', indicatorId: 'us_cpi', url: expect.stringMatching(/2021-06\.csv$/) },
        { sourceId: 'fred_md', indicatorId: 'us_cpi', url: expect.stringMatching(/2021-05\.csv$/) },
      ],
    });
    const [before] = await rows(`?indicator_id=cpi_inflation_yoy&entity=us&source_id=fred_md&${APRIL}&as_of=2021-06-15`);
    expect(before).toMatchObject({ valueNumeric: expect.closeTo(3), revisionStatus: 'initial' });
    expect(
      (await rows(`?indicator_id=cpi_inflation_yoy&entity=us&source_id=fred_md&${APRIL}&vintage=all&sort=observed_at`)).map(
        (row) => row.revisionStatus,
      ),
    ).toEqual(['initial', 'revised']);
  });

  it('names the exact input observations, each with its chain', async () => {
    const [row] = await rows(`?indicator_id=cpi_inflation_yoy&source_id=fred_md&${APRIL}`);
    expect(row?.inputObservationIds).toHaveLength(2);
    const chains = await Promise.all(
      [row?.id, ...(row?.inputObservationIds ?? [])].map((id) => service.get(`/provenance/observations/${id}`)),
    );
    expect(chains.map((chain) => chain.status)).toEqual([200, 200, 200]);
    const values = await Promise.all(
      chains.slice(1).map(async (chain) => ((await chain.json()) as { data: { actual: number } }).data.actual),
    );
    expect(values.toSorted((a, b) => a - b)).toEqual([200, 208]);
  });

  it('shows a free key only the last 24 months', async () => {
    service.clock.now = Date.parse('2023-04-15T08:00:00.000Z');
    expect((await rows('?indicator_id=cpi_inflation_yoy&source_id=fred_md', 'free')).map((row) => row.periodEnd)).toEqual([
      '2021-04-30T00:00:00.000Z',
    ]);
    expect((await rows('?indicator_id=cpi_inflation_yoy&source_id=fred_md')).length).toBe(2);
    expect((await service.list('/derived-observations', 'free')).meta.history_limited).toBe(true);
  });
});
