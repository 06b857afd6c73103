// What is assumed to have been known before a first download: in answers that ask for it, and in no others.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findVintage } from '../../src/queries/provenance.ts';
import { readCurrent, snapshotPaths } from '../../src/snapshot/manifest.ts';
import { openSnapshot } from '../../src/snapshot/serving/reader.ts';
import { rowsOf } from '../panels/choice.ts';
import { type RunningService, sampleLake, startSampleService } from '../service.ts';

interface Row {
  readonly observationId: string;
  readonly indicatorId: string;
  readonly period: string;
  readonly periodEnd: string;
  readonly actual: number | null;
  readonly value: number;
  readonly vintage: string;
  readonly observedAt: string;
  readonly revised: boolean;
  readonly consensus: number | null;
  readonly scoringEligible: boolean;
  readonly preferredForFactor: boolean;
  readonly grade: number;
  readonly releaseNumber: number | null;
  readonly isBackfill: boolean;
}

const OECD = '/observations?indicator_id=consumer_confidence&source_id=oecd&limit=500';
const isAssumed = ({ vintage }: Row) => vintage.startsWith('assumed:');
const MS_PER_DAY = 86_400_000;

let service: RunningService;
beforeAll(async () => {
  service = await startSampleService();
});
afterAll(() => service.stop());

const rows = (path: string, key: 'full' | 'free' = 'full') => rowsOf<Row>(service, path, key);

describe('an assumed row', () => {
  it('is missing before the first of them, and the hint names no later moment', async () => {
    const answer = await service.get(`${OECD}&include_assumed=true&as_of=2001-01-01`);
    const { data, meta } = (await answer.json()) as { data: readonly Row[]; meta: { hints: readonly object[] } };
    expect(data).toEqual([]);
    expect(meta.hints).toEqual([
      { parameter: 'as_of', message: 'Nothing is assumed to have been known at 2001-01-01T23:59:59.999Z. Ask for a later as_of.' },
    ]);
  });

  it('has the value of the first download, from the end of its period and the lag of its cadence on', async () => {
    const downloaded = new Map((await rows(OECD)).map((row) => [`${row.indicatorId} ${row.period}`, row]));
    const first = [...downloaded.values()].map(({ observedAt }) => observedAt).toSorted()[0] ?? '';
    const found = await rows(`${OECD}&include_assumed=true&as_of=2026-10-31`);
    expect(found.length).toBeGreaterThan(50);
    for (const row of found) {
      expect(row.actual).toBe(downloaded.get(`${row.indicatorId} ${row.period}`)?.actual);
      // 45 days after the last day of a month.
      const known = new Date(Date.parse(row.periodEnd) + 46 * MS_PER_DAY).toISOString();
      expect([row.observedAt, row.vintage]).toEqual([known, `assumed:${known.slice(0, 10)}`]);
      expect(row.observedAt < first && row.observedAt <= '2026-10-31T23:59:59.999Z').toBe(true);
    }
    expect(found.some(({ periodEnd }) => periodEnd === '2026-08-31')).toBe(true);
    expect(found.some(({ periodEnd }) => periodEnd === '2026-09-30')).toBe(false);
  });

  it('is never eligible, preferred or revised, and has no consensus', async () => {
    const found = await rows(`/observations?indicator_id=consumer_confidence&include_assumed=true&as_of=2026-10-31&limit=500`);
    const assumed = found.filter(isAssumed);
    expect(assumed.length).toBeGreaterThan(50);
    expect(assumed.some((row) => row.scoringEligible || row.preferredForFactor || row.revised || row.consensus !== null)).toBe(false);
    // The others are as they are without it.
    expect(found.filter((row) => !isAssumed(row))).toEqual(
      await rows(`/observations?indicator_id=consumer_confidence&as_of=2026-10-31&limit=500`),
    );
  });

  it('stands beside the download if you ask for all vintages, and ends with it otherwise', async () => {
    const all = await rows(`${OECD}&include_assumed=true&vintage=all`);
    const downloaded = await rows(`${OECD}&vintage=all`);
    expect(all.filter((row) => !isAssumed(row))).toEqual(downloaded);
    expect(all.length).toBeGreaterThan(downloaded.length);
    expect(await rows(`${OECD}&include_assumed=true`)).toEqual(await rows(OECD));
    expect(await rows(`${OECD}&include_assumed=true&as_of=2026-11-21`)).toEqual(await rows(`${OECD}&as_of=2026-11-21`));
  });

  it('is no print', async () => {
    for (const filter of [
      'vintage=first',
      'release_number=1',
      'vintage=first&include_backfill=true',
      'release_number=1&include_backfill=true',
    ])
      expect(await rows(`${OECD}&${filter}&include_assumed=true`), `with ${filter}`).toEqual(await rows(`${OECD}&${filter}`));
    const [bulk = ''] = (await (await service.get(`${OECD}&include_assumed=true&as_of=2026-10-31&format=ndjson`)).text()).split('\n');
    expect((JSON.parse(bulk) as Row).isBackfill).toBe(true);
  });

  it('is the newest known of its series among the latest observations', async () => {
    const path = '/observations/latest?indicator_id=consumer_confidence&source_id=oecd&as_of=2026-10-31&limit=500';
    expect(await rows(path)).toEqual([]);
    const latest = await rows(`${path}&include_assumed=true`);
    expect(latest.length).toBeGreaterThan(10);
    expect(latest.every(isAssumed)).toBe(true);
  });

  it('is in small pages, in every order, as in one answer', async () => {
    for (const order of ['sort=period_end&order=desc', 'sort=observed_at', 'sort=indicator_id']) {
      const path = `/observations?indicator_id=consumer_confidence&include_assumed=true&as_of=2026-10-31&start_date=2026-06-01&${order}`;
      const whole = await rows(`${path}&limit=500`);
      expect(whole.some(isAssumed)).toBe(true);
      expect(await rows(`${path}&limit=29`)).toEqual(whole);
    }
  });

  it('is followed to its file by its id, which says that its time is assumed', async () => {
    const [row] = await rows(`${OECD}&include_assumed=true&as_of=2026-10-31&sort=period_end&order=desc`);
    const path = `/provenance/observations/${row?.observationId ?? ''}`;
    const { data } = (await (await service.get(path)).json()) as {
      data: Row & { rawPayload: object | null; transformations: { name: string }[]; scoring: { eligible: boolean; reasons: string[] } };
    };
    expect(data).toMatchObject({
      observationId: row?.observationId,
      vintage: row?.vintage,
      actual: row?.actual,
      observedAt: row?.observedAt,
    });
    expect(data.rawPayload).not.toBeNull();
    expect(data.transformations.map(({ name }) => name)).toContain('assume_knowledge_time');
    expect(data.scoring.reasons).toContain('assumed_vintage');
    expect((await service.get(`${path}?as_of=2020-01-01`)).status).toBe(404);
  });

  it('costs an unknown id one look-up, once the ids of assumed rows have been read', async () => {
    const paths = snapshotPaths(await sampleLake());
    const manifest = await readCurrent(paths);
    if (manifest === null) throw new Error('the sample has no snapshot');
    const folder = await mkdtemp(join(tmpdir(), 'asof-assumed-'));
    const limits = { threads: 2, memory: '400MB', tempDirectory: folder, tempSize: '1GB' };
    const snapshot = await openSnapshot(paths, manifest, { limits, connections: 2 });
    let asked = 0;
    const counted: typeof snapshot = {
      ...snapshot,
      withConnection: (use) => {
        asked += 1;
        return snapshot.withConnection(use);
      },
    };
    try {
      const [row] = await rows(`${OECD}&include_assumed=true&as_of=2026-10-31`);
      expect((await findVintage(counted, String(row?.observationId)))?.vintage).toBe(row?.vintage);
      asked = 0;
      expect([await findVintage(counted, `obs_${'0'.repeat(26)}`), asked]).toEqual([null, 1]);
    } finally {
      snapshot.close();
      await rm(folder, { recursive: true });
    }
  });

  it('is for a free key in its window alone', async () => {
    const found = await rows(`${OECD}&include_assumed=true&as_of=2026-10-31`, 'free');
    expect(found.length).toBeGreaterThan(0);
    expect(found.every(({ periodEnd }) => periodEnd >= '2024-11-21')).toBe(true);
    const [old] = await rows(`${OECD}&include_assumed=true&as_of=2026-10-31&end_date=2024-06-30`);
    expect((await service.get(`/provenance/observations/${old?.observationId ?? ''}`, { key: 'free' })).status).toBe(404);
  });
});

describe('a panel', () => {
  const question = 'factor=consumer_confidence&source_id=oecd&from=2026-01-01&to=2026-10-31';
  it('has assumed rows at grade 3, and none at a better grade', async () => {
    const found = await rows(`/panels?${question}&grade=3&limit=500`);
    expect(found.length).toBeGreaterThan(100);
    expect(found.every((row) => isAssumed(row) && row.grade === 3 && !row.scoringEligible && row.releaseNumber === null)).toBe(true);
    expect(await rows(`/panels?${question}&limit=500`)).toEqual([]);
    expect(await rows(`/panels?${question}&grade=3&vintage=first&limit=500`)).toEqual([]);
    expect(await rows(`/panels?${question}&grade=3&eligible_only=true&limit=500`)).toEqual([]);
  });

  it('of changes has them too', async () => {
    const found = await rows(`/panels?${question}&grade=3&every=change&limit=500`);
    expect(found.length).toBeGreaterThan(100);
    expect(found.every(isAssumed)).toBe(true);
  });
});
