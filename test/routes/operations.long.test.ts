import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { QuarantineRecord, SourceHealth } from '../../src/model/operations.ts';
import { Liveness } from '../../src/model/series.ts';
import { SnapshotReport } from '../../src/model/snapshot.ts';
import { fredMdFile } from '../pipeline.ts';
import type { ErrorBody, ListBody } from '../service.ts';
import { type FixtureService, startFixtureService } from './fixture-service.ts';

const MAY = fredMdFile('2024-05', {
  PAYEMS: { '2024-02': 100, '2024-03': 101, '2024-04': 102 },
  INDPRO: { '2024-03': 100, '2024-04': 100 },
});
const JUNE = fredMdFile('2024-06', { PAYEMS: { '2024-03': 101, '2024-04': 2040, '2024-05': 103 } });
const BROKEN = { 'fred-md/2024-07.csv': '<html>/srv/asof/raw is no table' };

let service: FixtureService;
beforeAll(async () => {
  const arrivals = [
    { files: MAY, at: '2024-06-01T08:00:00.000Z' },
    { files: JUNE, at: '2024-07-01T08:00:00.000Z' },
    { files: BROKEN, at: '2024-08-20T08:00:00.000Z' },
  ];
  service = await startFixtureService(arrivals, '2024-08-21T08:00:00.000Z');
});
afterAll(() => service.stop());

const health = async (query = '') => z.array(SourceHealth).parse((await service.list(`/source-health${query}`)).data);
const records = async (query: string) => z.array(QuarantineRecord).parse((await service.list(`/quarantine${query}`)).data);
const report = async (query = '') => {
  const body = (await (await service.get(`/ops/liveness${query}`)).json()) as { data: unknown };
  return Liveness.parse(body.data);
};

const refused = async (path: string) => {
  const response = await service.get(path);
  return { status: response.status, ...((await response.json()) as ErrorBody).error };
};

describe('/source-health', () => {
  it('separates last success, last new data and last error, and has the next run', async () => {
    const [source] = await health('?source_id=fred_md');
    expect(source).toMatchObject({
      connectorId: 'fred_md',
      connectorVersion: 1,
      status: 'degraded',
      lastAttemptAt: '2024-08-20T08:00:00.000Z',
      lastSuccessAt: '2024-07-01T08:00:00.000Z',
      lastNewDataAt: '2024-07-01T08:00:00.000Z',
      lastErrorAt: '2024-08-20T08:00:00.000Z',
      lastErrorCode: 'payload_refused',
      consecutiveFailures: 1,
      successRate7d: 0,
      expectedIntervalSeconds: 2_592_000,
      nextRunAt: '2024-09-19T08:00:00.000Z',
      seriesTotal: 2,
      seriesFresh: 1,
      seriesStale: 1,
      freshnessStatus: 'fresh',
      checkedAt: '2024-08-21T08:00:00.000Z',
    });
    expect(source?.lastErrorMessage).toMatch(/payloads failed: fred_md: .*the header begins with/);
    expect(source?.lastErrorMessage).not.toContain('/srv');
  });

  it('shows a source that was never tried as unknown, and filters by verdict', async () => {
    expect((await health('?source_id=ecb_fx'))[0]).toMatchObject({
      status: 'unknown',
      lastAttemptAt: null,
      nextRunAt: null,
      seriesTotal: 0,
    });
    expect((await health('?status=degraded')).map((source) => source.sourceId)).toEqual(['fred_md']);
    // What made the snapshot has succeeded.
    expect((await health('?status=healthy')).map((source) => source.sourceId)).toEqual(['asof']);
  });

  it('refuses an unknown verdict, and a key without its scope', async () => {
    expect(await refused('/source-health?status=great')).toMatchObject({ status: 400, code: 'bad_request' });
    expect((await service.get('/source-health', { key: 'data' })).status).toBe(403);
  });
});

describe('/quarantine', () => {
  it('links a warning to the observation that was written', async () => {
    const [record] = await records('?rule=scale_jump&severity=warn&indicator_id=us_nonfarm_payrolls&entity_id=us&source_id=fred_md');
    expect(record).toMatchObject({ period: '2024-04', observedValue: '2040.0', expected: { inForce: 102 }, status: 'released' });
    const chain = await service.get(`/provenance/observations/${record?.observationId}`);
    expect(((await chain.json()) as { data: { actual: number } }).data.actual).toBe(2040);
  });

  it('filters by the time of detection, and refuses reversed bounds', async () => {
    expect(await records('?detected_from=2024-07-02&detected_to=2024-08-19')).toEqual([]);
    expect(await records('?detected_from=2024-07-01&detected_to=2024-07-01&severity=warn')).not.toEqual([]);
    expect(await refused('/quarantine?detected_from=2024-07-02&detected_to=2024-07-01')).toMatchObject({
      status: 400,
      code: 'bad_request',
    });
    expect(await refused('/quarantine?rule=whatever')).toMatchObject({ status: 400 });
  });
});

describe('/ops/liveness', () => {
  it('judges each series by its own advances and the runs of its source', async () => {
    const { summary, series } = await report('?source_id=fred_md');
    const [production, payrolls] = ['us_industrial_production', 'us_nonfarm_payrolls'].map((id) =>
      series.find((one) => one.indicatorId === id),
    );
    expect(payrolls).toMatchObject({ verdict: 'live', latestPeriodEnd: '2024-05-31', lastAdvanceAt: '2024-07-01T08:00:00.000Z' });
    expect(production).toMatchObject({
      verdict: 'late',
      lastAdvanceAt: '2024-06-01T08:00:00.000Z',
      lastCheckedAt: '2024-07-01T08:00:00.000Z',
      identicalPrints: 2,
      upstreamAdvanced: true,
      budgetDays: 86,
    });
    // Each with its change on the month before.
    expect(summary).toEqual({ live: 2, late: 2, frozen: 0, ceased: 0, unknown: 0 });
    expect((await report('?verdict=late')).series.map((one) => one.indicatorId)).toEqual([
      'us_industrial_production',
      'us_industrial_production_mom',
    ]);
  });
});

describe('the pages of /ops/liveness', () => {
  const page = async (query: string) => report(`?${query}`);

  it('list the worst verdicts first, each series once, with one summary', async () => {
    const whole = await page('limit=500');
    const rank = ['frozen', 'late', 'unknown', 'live', 'ceased'];
    const ranks = whole.series.map((one) => rank.indexOf(one.verdict));
    expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
    expect(new Set(ranks).size).toBeGreaterThan(1);
    expect(whole.nextCursor).toBeNull();
    const walked = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const part: Liveness = await page(`limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`);
      expect(part.series.length).toBe(1);
      expect([part.summary, part.generatedAt]).toEqual([whole.summary, whole.generatedAt]);
      walked.push(...part.series);
      cursor = part.nextCursor;
    }
    expect(walked).toEqual(whole.series);
    expect(walked.length).toBeGreaterThan(3);
  });

  it('continue only for the same question', async () => {
    const { nextCursor } = await page('verdict=late&limit=1');
    expect((await page(`verdict=late&limit=1&cursor=${nextCursor}`)).series[0]?.verdict).toBe('late');
    expect(await refused(`/ops/liveness?verdict=live&cursor=${nextCursor}`)).toMatchObject({
      details: { parameter: 'cursor', reason: 'query_changed' },
    });
    expect(await refused('/ops/liveness?limit=501')).toMatchObject({ details: { parameter: 'limit' } });
  });
});

describe('/snapshot', () => {
  it('has a cursor that continues the feed of changes', async () => {
    const body = (await (await service.get('/snapshot')).json()) as { data: unknown };
    const { changesCursor } = SnapshotReport.parse(body.data);
    const after = (await (await service.get(`/observations/changes?cursor=${changesCursor}`)).json()) as ListBody;
    expect(after.data).toEqual([]);
    expect(after.meta.pagination.has_more).toBe(false);
    expect(await refused(`/observations/changes?country=US&cursor=${changesCursor}`)).toMatchObject({
      details: { reason: 'query_changed' },
    });
  });
});
