// The metrics of a running service: text that parses, labels out of closed sets, and figures that are those of the interface.
import { afterAll, describe, expect, it } from 'vitest';
import { serveMetrics } from '../../src/metrics/metrics.ts';
import { noteLastRun } from '../../src/snapshot/last-run.ts';
import { routes } from '../../src/routes/index.ts';
import { openRoutes } from '../../src/http/open-routes.ts';
import type { ListBody } from '../service.ts';
import { startSampleService } from '../service.ts';
import { parseMetrics, type Sample } from './parse.ts';

const service = await startSampleService({ hasMetrics: true, rateLimitScale: 1 });
if (service.metrics === null) throw new Error('the service has no metrics');
const listening = await serveMetrics(service.metrics, { host: '127.0.0.1', port: 0 }, () => undefined);
afterAll(async () => {
  await listening.stop();
  await service.stop();
});

const scrape = async () => {
  const answer = await fetch(`http://127.0.0.1:${listening.port}/metrics`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toContain('text/plain; version=0.0.4');
  return parseMetrics(await answer.text());
};
const of = (samples: readonly Sample[], name: string, labels: Readonly<Record<string, string>> = {}) =>
  samples.filter((sample) => sample.name === name && Object.entries(labels).every(([label, value]) => sample.labels[label] === value));
const valueOf = (...asked: Parameters<typeof of>) => of(...asked).reduce((sum, { value }) => sum + value, 0);

describe('requests', () => {
  it('are counted by the template of their route and their status, whatever their parameters', async () => {
    const before = await scrape();
    await (await service.get('/entities/us')).text();
    await (await service.get('/entities/nothing-of-that-name')).text();
    await (await service.get('/no/such/route')).text();
    await (await service.get('/v1/entities/us')).text();
    const after = await scrape();
    const more = (labels: Readonly<Record<string, string>>) =>
      valueOf(after, 'asof_requests_total', labels) - valueOf(before, 'asof_requests_total', labels);
    expect(more({ route: '/entities/:idOrSlug', status: '200' })).toBe(2);
    expect(more({ route: '/entities/:idOrSlug', status: '404' })).toBe(1);
    expect(more({ route: 'none', status: '404' })).toBe(1);
    const known = new Set([...routes, ...openRoutes].map(({ path }) => path).concat('none'));
    expect(of(after, 'asof_requests_total').filter(({ labels }) => !known.has(labels['route'] ?? ''))).toEqual([]);
    expect(valueOf(after, 'asof_request_duration_seconds_count')).toBe(valueOf(after, 'asof_requests_total'));
  });

  it('have no key and no address in any label', async () => {
    await (await service.get('/entities/us?api_key=asof_0123456789')).text();
    const text = await service.metrics?.text();
    for (const key of Object.values(service.keys)) expect(text).not.toContain(key);
    expect(text).not.toMatch(/asof_[0-9A-Za-z]{20,}|key_[0-9a-f]/);
    expect(text).not.toContain('127.0.0.1');
  });

  it('answered from the cache are counted apart from refused ones', async () => {
    const before = await scrape();
    for (let index = 0; index < 5; index += 1) await (await service.get('/countries?limit=3')).text();
    for (let index = 0; index < 101; index += 1) await (await service.get('/countries', { key: null })).text();
    const after = await scrape();
    const more = (name: string, labels: Readonly<Record<string, string>>) => valueOf(after, name, labels) - valueOf(before, name, labels);
    expect(more('asof_cache_lookups_total', { outcome: 'hit' })).toBe(3);
    expect(more('asof_cache_lookups_total', { outcome: 'miss' })).toBe(2);
    expect(more('asof_refusals_total', { reason: 'rate', bound: 'unauthenticated' })).toBe(1);
  });

  it('leave no lane in use once they are answered', async () => {
    const samples = await scrape();
    expect(
      of(samples, 'asof_lane_queries')
        .map(({ labels }) => `${labels['class']} ${labels['state']}`)
        .toSorted(),
    ).toEqual(['lookup', 'screen', 'bulk'].flatMap((one) => [`${one} running`, `${one} waiting`]).toSorted());
    expect(valueOf(samples, 'asof_lane_queries')).toBe(0);
  });
});

describe('metrics', () => {
  const seconds = (instant: unknown) => (typeof instant === 'string' ? Date.parse(instant) / 1000 : undefined);

  it('of sources equal those of /source-health', async () => {
    const { data } = (await (await service.get('/source-health?limit=500')).json()) as ListBody;
    const samples = await scrape();
    expect(data.length).toBeGreaterThan(10);
    for (const health of data) {
      const labels = { source_id: String(health['sourceId']) };
      const one = (name: string) => of(samples, name, labels)[0]?.value;
      expect(one('asof_source_last_success_timestamp_seconds')).toBe(seconds(health['lastSuccessAt']));
      expect(one('asof_source_last_new_data_timestamp_seconds')).toBe(seconds(health['lastNewDataAt']));
      expect(one('asof_source_last_attempt_timestamp_seconds')).toBe(seconds(health['lastAttemptAt']));
      expect(one('asof_source_consecutive_failures')).toBe(health['consecutiveFailures']);
      expect(one('asof_source_stale_series')).toBe(health['seriesStale']);
      const holding = of(samples, 'asof_source_status', labels).filter(({ value }) => value === 1);
      expect(holding.map(({ labels: { status } }) => status)).toEqual([health['status']]);
    }
    expect(of(samples, 'asof_source_stale_series').length).toBe(data.length);
  });

  it('of series and quarantine equal those of /ops/liveness and /quarantine', async () => {
    const liveness = (await (await service.get('/ops/liveness?limit=1')).json()) as { data: { summary: Record<string, number> } };
    const { data } = (await (await service.get('/quarantine?limit=500')).json()) as ListBody;
    const samples = await scrape();
    expect(Object.fromEntries(of(samples, 'asof_series').map(({ labels, value }) => [labels['verdict'], value]))).toEqual(
      liveness.data.summary,
    );
    expect(valueOf(samples, 'asof_quarantine_findings')).toBe(data.length);
    const open = data.filter(({ status, rule }) => status === 'open' && rule === data[0]?.['rule']).length;
    expect(valueOf(samples, 'asof_quarantine_findings', { status: 'open', rule: String(data[0]?.['rule']) })).toBe(open);
  });

  it('name the served snapshot, its age, the memory of its engine and the outcome of the last run', async () => {
    const { data } = (await (await service.get('/snapshot')).json()) as { data: { snapshotId: string; knowledgeCutoff: string } };
    const first = await scrape();
    expect(of(first, 'asof_snapshot_info').map(({ labels }) => labels)).toEqual([{ snapshot_id: data.snapshotId, serves: 'sample' }]);
    expect(valueOf(first, 'asof_snapshot_age_seconds')).toBe((service.clock.now - Date.parse(data.knowledgeCutoff)) / 1000);
    expect(valueOf(first, 'asof_engine_memory_bytes')).toBeGreaterThan(0);
    expect(valueOf(first, 'process_resident_memory_bytes')).toBeGreaterThan(1e6);
    expect([valueOf(first, 'asof_ready'), valueOf(first, 'asof_figures_up')]).toEqual([1, 1]);
    expect(of(first, 'asof_last_run_outcome')).toEqual([]);
    const finishedAt = '2026-11-21T04:00:00.000Z';
    await noteLastRun(service.dataDir, { startedAt: '2026-11-21T03:30:00.000Z', finishedAt, outcome: 'partial' });
    const second = await scrape();
    expect(
      of(second, 'asof_last_run_outcome')
        .filter(({ value }) => value === 1)
        .map(({ labels }) => labels['outcome']),
    ).toEqual(['partial']);
    expect(valueOf(second, 'asof_last_run_finished_timestamp_seconds')).toBe(Date.parse(finishedAt) / 1000);
  });
});

describe('the listener', () => {
  it('answers only /metrics, and the interface has no such route', async () => {
    for (const [path, method] of [
      ['/', 'GET'],
      ['/observations', 'GET'],
      ['/metrics', 'POST'],
    ] as const)
      expect((await fetch(`http://127.0.0.1:${listening.port}${path}`, { method })).status).toBe(404);
    expect((await service.get('/metrics')).status).toBe(404);
  });
});
