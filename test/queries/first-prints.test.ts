// Which periods have a first print, by the rule of the contract: became known within a fixed span after the period's end, and either the series had an
// earlier vintage or the period is the newest of its first one.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Given, openRelations, type Relations } from '../boundaries/by-hand/tables.ts';

const VINTAGES = `series_no integer, period varchar, period_start date, period_end date, value double, value_text varchar, metadata varchar,
  vintage varchar, observed_at timestamptz, known_to timestamptz, prior_observed_at timestamptz, prior_value double, prior_vintage varchar,
  release_no bigint, first_observed_at timestamptz, first_vintage varchar, first_retrieved_at timestamptz, obs_status varchar, is_revised boolean, released_at timestamptz,
  retrieved_at timestamptz, ingested_at timestamptz, run_id varchar, source_run_id varchar, input_run_ids varchar[], change_sequence bigint,
  inputs struct(series_no bigint, period varchar, vintage varchar, "role" varchar)[], derived_from varchar[]`;

let relations: Relations;
beforeAll(async () => {
  relations = await openRelations();
});
afterAll(() => relations.close());

type Print = readonly [periodEnd: string, observedAt: string, more?: { readonly vintage: string }];

/** By the end of each period whether it is a backfill. */
async function backfills(frequency: string, ...prints: readonly Print[]): Promise<Readonly<Record<string, unknown>>> {
  const series = { seriesNo: 1, sourceId: 's', indicatorId: 'i', entityId: 'us', frequency };
  await relations.table(
    'derived.all_series',
    'series_no integer, source_id varchar, indicator_id varchar, canonical_id varchar, entity_id varchar, frequency varchar',
    [series],
  );
  const rows = prints.map(([periodEnd, observedAt, { vintage } = { vintage: observedAt }], index): Given => {
    const [first] = prints.filter(([end]) => end === periodEnd).toSorted((a, b) => (a[1] < b[1] ? -1 : 1));
    return {
      seriesNo: 1,
      period: periodEnd,
      periodEnd,
      value: index,
      vintage,
      observedAt,
      firstObservedAt: first?.[1],
      firstVintage: first?.[2]?.vintage ?? first?.[1],
      releaseNo: 1,
      changeSequence: index,
    };
  });
  await relations.macros('first_print_days');
  await relations.table('derived.all_vintages', VINTAGES, rows);
  await relations.table('derived.ruled_series', 'series_no integer', []);
  await relations.table('series.runs', 'run_id varchar, source_id varchar', []);
  await relations.table('reference.sources', 'source_id varchar, vintages_dated_to varchar', []);
  await relations.create('derived/series_statistics', 'published/vintages');
  const found = await relations.rows(
    'select period_end::varchar as period, bool_or(is_backfill) as any_of, bool_and(is_backfill) as all_of from published.vintages group by all order by all',
  );
  for (const { anyOf, allOf } of found) expect(anyOf).toBe(allOf);
  return Object.fromEntries(found.map(({ period, anyOf }) => [z.string().parse(period), anyOf]));
}

describe('a first print', () => {
  it('of a first download is that of its newest period only', async () => {
    const at = '2024-02-20T12:00:00Z';
    expect(await backfills('monthly', ['2023-11-30', at], ['2023-12-31', at], ['2024-01-31', at])).toEqual({
      '2023-11-30': true,
      '2023-12-31': true,
      '2024-01-31': false,
    });
  });

  it('of a later vintage is that of each period that ended recently, whatever came with it', async () => {
    const first: Print = ['2024-01-31', '2024-02-20T12:00:00Z'];
    const later = '2024-05-20T12:00:00Z';
    const prints: Print[] = [first, ['2023-12-31', later], ['2024-02-29', later], ['2024-03-31', later], ['2024-01-31', later]];
    expect(await backfills('monthly', ...prints)).toEqual({
      '2023-12-31': true,
      '2024-01-31': false,
      '2024-02-29': false,
      '2024-03-31': false,
    });
  });

  it.each([
    ['daily', 30],
    ['weekly', 90],
    ['monthly', 129],
    ['quarterly', 299],
    ['annual', 999],
    ['event', 90],
  ])('of %s figures comes within %i days', async (frequency, days) => {
    const dayAfter = (count: number) => new Date(Date.parse('2020-06-30T23:00:00Z') + count * 86_400_000).toISOString();
    const early: Print = ['2019-12-31', '2020-01-01T00:00:00Z'];
    expect(await backfills(frequency, early, ['2020-06-30', dayAfter(days)])).toMatchObject({ '2020-06-30': false });
    expect(await backfills(frequency, early, ['2020-06-30', dayAfter(days + 1)])).toMatchObject({ '2020-06-30': true });
    // The first vintage of a series that ended long before is none either.
    expect(await backfills(frequency, ['2020-06-30', dayAfter(days + 1)])).toEqual({ '2020-06-30': true });
  });

  it('is never a pseudo vintage', async () => {
    const pseudo = { vintage: 'pseudo:2024-02-01' };
    expect(await backfills('daily', ['2024-01-31', '2024-01-31T21:00:00Z'], ['2024-02-01', '2024-02-01T21:00:00Z', pseudo])).toEqual({
      '2024-01-31': false,
      '2024-02-01': true,
    });
  });

  it('of values that a rule dates is each of them', async () => {
    const days = ['2024-01-30', '2024-01-31', '2024-02-01'];
    const found = await backfills('daily', ...days.map((day): Print => [day, `${day}T21:00:00Z`]));
    expect(Object.values(found)).toEqual([false, false, false]);
  });
});
