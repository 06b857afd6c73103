import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ScreenCounts, ScreenField, ScreenRow } from '../../src/model/screener.ts';
import { fredMdFile } from '../pipeline.ts';
import type { ErrorBody, ListBody } from '../service.ts';
import { type FixtureService, startFixtureService } from './fixture-service.ts';

const months = (from: string, values: readonly number[]): Record<string, number> =>
  Object.fromEntries(
    values.map((value, index) => {
      const month = Number(from.slice(0, 4)) * 12 + Number(from.slice(5)) - 1 + index;
      return [`${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`, value];
    }),
  );

// Thirty months to May 2020 as first known, then two more with the last of them revised.
const rising = Array.from({ length: 30 }, (_, index) => 3 + index / 10);
const FIRST = fredMdFile('2020-06', {
  UNRATE: months('2017-12', rising),
  CPIAUCSL: months(
    '2017-12',
    rising.map((_, index) => 250 + index),
  ),
});
const SECOND = fredMdFile('2020-08', { UNRATE: months('2017-12', [...rising.slice(0, 29), 6.5, 7, 8]) });
const FX = 'Date, USD, JPY, GBP, CHF, \n1 June 2020, 1.1, 120, 0.9, 1.1, \n2 June 2020, 1.2, 130, 0.9, 1.1, \n';

let service: FixtureService;
beforeAll(async () => {
  service = await startFixtureService(
    [
      { files: { ...FIRST, 'ecb-eurofxref/eurofxref.csv': FX }, at: '2020-09-01T08:00:00.000Z' },
      { files: SECOND, at: '2020-09-02T08:00:00.000Z' },
    ],
    '2020-09-03T08:00:00.000Z',
  );
});
afterAll(() => service.stop());

const screen = async (query: string, key: 'full' | 'free' = 'full') => {
  const body: ListBody & { readonly meta: { readonly screener?: unknown } } = await service.list(`/public/screener?${query}`, key);
  return { rows: z.array(ScreenRow).parse(body.data), counts: ScreenCounts.parse(body.meta.screener), meta: body.meta };
};
const refusal = async (query: string) => {
  const response = await service.get(`/public/screener?${query}`);
  return { status: response.status, error: ((await response.json()) as ErrorBody).error };
};
const CURRENCIES = 'universe=entities&entity_type=currency&eligible_only=false';

describe('/public/screener', () => {
  it('screens countries by their newest values, each with its observation', async () => {
    const { rows, counts, meta } = await screen('filter=unemployment_rate:gte:8');
    expect(rows).toMatchObject([
      {
        rank: 1,
        entityId: 'us',
        entityType: 'country',
        country: 'US',
        values: {
          unemployment_rate: {
            value: 8,
            unit: 'percent',
            period: '2020-07',
            freshnessStatus: 'fresh',
            scoringEligible: true,
            percentile: 50,
          },
        },
      },
    ]);
    const id = String(rows[0]?.values['unemployment_rate']?.observationId);
    expect((await service.get(`/provenance/observations/${id}`)).status).toBe(200);
    expect(counts).toEqual({ evaluated: counts.evaluated, matched: 1, excludedMissing: counts.evaluated - 1, excludedIneligible: 0 });
    expect(meta.as_of).toBeNull();
  });

  it('uses only data known at the cutoff', async () => {
    const values = async (asOf: string) =>
      (await screen(`columns=unemployment_rate,unemployment_rate@prev&country=US&as_of=${asOf}`)).rows[0]?.values;
    expect(await values('2020-06-29')).toMatchObject({ unemployment_rate: { value: null, period: null } });
    expect(await values('2020-06-30')).toMatchObject({
      unemployment_rate: { value: 5.9, period: '2020-05' },
      'unemployment_rate@prev': { value: 5.8 },
    });
    expect(await values('2020-08-31')).toMatchObject({ unemployment_rate: { value: 8 }, 'unemployment_rate@prev': { value: 7 } });
    expect((await screen('filter=unemployment_rate:gt:0&as_of=2021-12-31')).meta.as_of).toBe('2020-09-03T08:00:00.000Z');
  });

  it('judges freshness and eligibility at the cutoff', async () => {
    service.clock.now = Date.parse('2021-09-01T00:00:00.000Z');
    const stale = await screen('filter=unemployment_rate:gt:0');
    expect([stale.counts.matched, stale.counts.excludedIneligible]).toEqual([0, 1]);
    expect((await screen('filter=unemployment_rate:gt:0&as_of=2020-09-01')).counts.matched).toBe(1);
    const all = await screen('filter=unemployment_rate:gt:0&eligible_only=false');
    expect(all.rows[0]?.values['unemployment_rate']).toMatchObject({ freshnessStatus: 'stale', scoringEligible: false });
    const fresh = await screen('filter=unemployment_rate:gt:0&eligible_only=false&min_freshness=fresh');
    expect([fresh.counts.matched, fresh.counts.excludedMissing]).toEqual([0, fresh.counts.evaluated]);
    service.clock.now = Date.parse('2020-09-03T08:00:00.000Z');
  });

  it('computes every modifier from the known vintages', async () => {
    const names = ['prev', 'chg1', 'chg12', 'yoy', 'rank', 'pct', 'age_days', 'z3y'];
    const { rows } = await screen(`country=US&columns=${names.map((name) => `unemployment_rate@${name}`).join(',')}`);
    const value = (name: string) => rows[0]?.values[`unemployment_rate@${name}`];
    expect(['prev', 'chg1', 'chg12', 'rank', 'pct', 'age_days'].map((name) => value(name)?.value)).toEqual([7, 1, 3.1, 1, 50, 33]);
    expect(value('yoy')?.value).toBeCloseTo(100 * (8 / 4.9 - 1), 8);
    const known = [...rising.slice(0, 29), 6.5, 7, 8];
    const mean = known.reduce((sum, one) => sum + one, 0) / known.length;
    const deviation = Math.sqrt(known.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (known.length - 1));
    expect(value('z3y')?.value).toBeCloseTo((8 - mean) / deviation, 8);
    expect(['chg12', 'yoy', 'z3y', 'age_days'].map((name) => value(name)?.unit)).toEqual([
      'percentage_points',
      'percent',
      'standard_deviations',
      'days',
    ]);
  });

  it('ranks with nulls last in both directions, and gives percentiles among all evaluated', async () => {
    const ranked = await screen(`${CURRENCIES}&rank_by=ecb_reference_rate:desc&filter=ecb_reference_rate:is:notnull`);
    expect(ranked.rows.map((row) => [row.rank, row.entityId, row.values['ecb_reference_rate']?.percentile])).toEqual([
      [1, 'cur_jpy', 87.5],
      [2, 'cur_usd', 62.5],
      [3, 'cur_chf', 37.5],
      [4, 'cur_gbp', 12.5],
    ]);
    for (const order of ['asc', 'desc']) {
      const { rows } = await screen(`${CURRENCIES}&rank_by=ecb_reference_rate:${order}&limit=500`);
      expect(rows.slice(0, 4).every((row) => row.values['ecb_reference_rate']?.value !== null)).toBe(true);
      expect(rows.slice(4).every((row) => row.values['ecb_reference_rate']?.value === null)).toBe(true);
    }
    const places = await screen(`${CURRENCIES}&filter=ecb_reference_rate@rank:lte:2;name:neq:Yen`);
    expect(places.rows.map((row) => row.entityId).sort()).toEqual(['cur_jpy', 'cur_usd']);
    const changed = await screen(`${CURRENCIES}&filter=ecb_reference_rate@chg1:neq:0|ecb_reference_rate:lt:1&rank_by=name:asc`);
    expect(changed.rows.map((row) => row.entityId).sort()).toEqual(['cur_gbp', 'cur_jpy', 'cur_usd']);
  });

  it('returns the same rows by cursor as at once, in either order', async () => {
    for (const query of [`${CURRENCIES}&rank_by=ecb_reference_rate:desc`, `${CURRENCIES}&sort=name&order=desc`]) {
      const whole = (await screen(`${query}&limit=500`)).rows;
      const walked: ScreenRow[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page = await service.list(`/public/screener?${query}&limit=7${cursor === '' ? '' : `&cursor=${cursor}`}`);
        walked.push(...z.array(ScreenRow).parse(page.data));
        cursor = page.meta.pagination.next_cursor;
      }
      expect(walked).toEqual(whole);
    }
  });

  it('shows a free key nothing older than 24 months', async () => {
    const { rows, meta } = await screen('columns=unemployment_rate@z3y,unemployment_rate@chg12,unemployment_rate&country=US', 'free');
    expect(meta.history_limited).toBe(true);
    // 24 months from 2018-09-03 on hold the values of 23 months and the year before, but fewer than a spread needs.
    expect(rows[0]?.values).toMatchObject({
      'unemployment_rate@z3y': { value: null },
      'unemployment_rate@chg12': { value: 3.1 },
      unemployment_rate: { value: 8 },
    });
  });

  it('names an unknown field, and the nearest known name', async () => {
    const cases = {
      'filter=unemploymnt_rate:gt:1': ['filter', 'unemployment_rate'],
      'filter=unemployment_rate@chg13:gt:1': ['filter', 'chg1'],
      'filter=unemployment_rate@yyo:gt:1': ['filter', 'yoy'],
      'filter=unemployment_rate:gtt:1': ['filter', 'gt'],
      'rank_by=unemployment_rte:desc': ['rank_by', 'unemployment_rate'],
      'columns=nam': ['columns', 'name'],
    };
    for (const [query, [parameter, nearest]] of Object.entries(cases)) {
      const { status, error } = await refusal(query);
      expect([query, status, error.details?.['parameter'], error.details?.['nearest']]).toEqual([query, 400, parameter, nearest]);
      expect(error.message).toContain(`\`${nearest}\``);
    }
    expect((await refusal(`filter=${Array(21).fill('name:eq:a').join(';')}`)).error.details?.['part']).toBe('limit');
    expect((await refusal(`filter=name:eq:${'x'.repeat(2000)}`)).status).toBe(400);
    expect((await refusal('universe=planets')).error.details?.['parameter']).toBe('universe');
  });

  it('is available as CSV', async () => {
    const text = await (await service.get(`/public/screener?${CURRENCIES}&filter=ecb_reference_rate:gt:100&format=csv`)).text();
    expect(text.split('\r\n')[0]).toBe('rank,entityId,entityType,name,country,values');
    expect(text).toContain('cur_jpy');
  });
});

describe('/public/screener/filters', () => {
  it('offers fields with values and their distribution, in terms that work', async () => {
    const fields = z.array(ScreenField).parse((await service.list('/public/screener/filters?limit=500')).data);
    expect(fields.map((one) => one.field)).toEqual(fields.map((one) => one.field).toSorted());
    expect(fields.map((one) => one.field)).toEqual(
      expect.arrayContaining(['name', 'country', 'entity_type', 'sector', 'unemployment_rate', 'ecb_reference_rate']),
    );
    expect(fields.find((one) => one.field === 'ecb_reference_rate')).toMatchObject({
      min: 0.9,
      median: 1.15,
      max: 130,
      coverageCount: 4,
      universes: ['entities'],
    });
    expect(fields.find((one) => one.field === 'population')).toBeUndefined();
    for (const field of fields) {
      const response = await service.get(`/public/screener?universe=entities&limit=1&filter=${encodeURIComponent(field.example)}`);
      expect([field.field, response.status]).toEqual([field.field, 200]);
    }
  });
});
