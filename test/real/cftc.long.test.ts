// Row counts and values compared by hand with the files of the mirror.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cftcLegacy } from '../../src/sources/cftc/legacy.ts';
import { cftcTff } from '../../src/sources/cftc/tff.ts';
import type { Batch } from '../../src/model/record.ts';
import type { Source } from '../../src/sources/source.ts';
import { openPipeline } from '../pipeline.ts';

const ROOT = process.env['REAL_DATA_DIR'] ?? '../shared/real-data';
const RETRIEVED_AT = '2026-11-20T10:00:00.000Z';

async function read(source: Source, key: string) {
  expect(source.owns(key)).toBe(true);
  const body = new Uint8Array(readFileSync(join(ROOT, key)));
  const batches: Batch[] = [];
  for await (const batch of source.normalise({ key, body, retrievedAt: RETRIEVED_AT })) {
    expect(batch.rows.length).toBeLessThanOrEqual(5000);
    batches.push(batch);
  }
  return {
    observations: batches.flatMap((batch) => (batch.kind === 'observations' ? batch.rows : [])),
    entities: batches.flatMap((batch) => (batch.kind === 'entities' ? batch.rows : [])),
    refused: batches.flatMap((batch) => (batch.kind === 'refused' ? batch.rows : [])),
  };
}

describe.skipIf(!existsSync(ROOT))('the reports of the CFTC', () => {
  it.each([
    ['FinFut_2017.csv', 2110, 50],
    ['FinFut_2018.csv', 2538, 60],
    ['FinFut_2019.csv', 2518, 56],
    ['FinFut_2020.csv', 2345, 57],
    ['FinFut_2021.csv', 2603, 60],
    ['FinFut_2022.csv', 2719, 85],
    ['FinFut_2023.csv', 476, 56],
    ['FinFutYY_2024_to_0611.txt', 1408, 67],
    ['FinFutYY_2025_to_0429.txt', 1095, 74],
    ['FinFutYY_2026_to_0609.txt', 1962, 99],
  ])('have all fifteen measures of every row of %s', async (file, rows, names) => {
    const { observations, entities, refused } = await read(cftcTff, `cftc/tff_futonly/${file}`);
    expect(observations.length).toBe(rows * 15);
    expect(entities.length).toBe(names);
    expect(refused).toEqual([]);
    expect(new Set(observations.map((row) => `${row.seriesCode}|${row.period}`)).size).toBe(observations.length);
  });

  it('have leveraged funds in Canadian dollars of 2017-12-26, known on the Friday', async () => {
    const { observations } = await read(cftcTff, 'cftc/tff_futonly/FinFut_2017.csv');
    const found = observations.find((row) => row.seriesCode === '090741.leveraged_funds_short' && row.periodEnd === '2017-12-26');
    expect(found).toMatchObject({ value: 24114, unit: 'contracts', period: '2017-W52', observedAt: '2017-12-29T20:30:00.000Z' });
  });

  it('have every measure of the legacy report of 2025', async () => {
    const { observations, entities, refused } = await read(cftcLegacy, 'cftc/legacy_futonly/annual_2025_to_0311.txt');
    expect(observations.length).toBe(3190 * 8);
    // 351 contracts, one of which changes its name.
    expect(entities.length).toBe(352);
    expect(refused).toEqual([]);
    const wheat = observations.filter((row) => row.entityId === 'cftc_001602' && row.periodEnd === '2025-03-11');
    expect(wheat.map(({ canonicalId, value }) => [canonicalId, value])).toEqual([
      ['cot_open_interest', 437310],
      ['cot_noncommercial_long', 120935],
      ['cot_noncommercial_short', 199008],
      ['cot_noncommercial_spreading', 118976],
      ['cot_commercial_long', 163477],
      ['cot_commercial_short', 86551],
      ['cot_nonreportable_long', 33922],
      ['cot_nonreportable_short', 32775],
    ]);
  });

  it('have the history of each identified contract, equal to the legacy report', async () => {
    const history = await read(cftcLegacy, 'cftc/legacy_futonly/noncommercial_history_1986_2026.csv');
    expect(history.observations.length).toBe(96_898);
    expect(history.refused.length).toBe(64764 - 96_898 / 2);
    const keys = history.observations.map((row) => `${row.seriesCode}|${row.period}`);
    expect(new Set(keys).size).toBe(keys.length);
    const report = await read(cftcLegacy, 'cftc/legacy_futonly/annual_2025_to_0311.txt');
    const stated = new Map(report.observations.map((row) => [`${row.seriesCode}|${row.period}`, row.value]));
    const shared = history.observations.filter((row) => stated.has(`${row.seriesCode}|${row.period}`));
    expect(shared.length).toBeGreaterThan(700);
    expect(shared.filter((row) => stated.get(`${row.seriesCode}|${row.period}`) !== row.value)).toEqual([]);
  });

  it("skip weeks of the history in which a contract jumps in scale and back, or has another's numbers", async () => {
    const { observations } = await read(cftcLegacy, 'cftc/legacy_futonly/noncommercial_history_1986_2026.csv');
    const weeks = new Map<string, Map<string, string>>();
    for (const { entityId, periodEnd, value } of observations) {
      const week = weeks.get(periodEnd) ?? new Map<string, string>();
      weeks.set(periodEnd, week.set(String(entityId), `${week.get(String(entityId)) ?? ''} ${value}`));
    }
    const alike = [...weeks].filter(
      ([, week]) => new Set(week.values()).size < week.size && ![...week.values()].some((both) => both === ' 0 0'),
    );
    expect(alike.map(([day]) => day)).toEqual([]);
  });

  it('show a report as known after the holiday, the shutdown or on the Friday of its week', async () => {
    const { observations } = await read(cftcLegacy, 'cftc/legacy_futonly/noncommercial_history_1986_2026.csv');
    const known = new Map(observations.map((row) => [row.periodEnd, row.observedAt]));
    expect(['2012-11-20', '2015-06-30', '2017-07-03', '2018-12-24', '2025-11-25', '2026-08-18'].map((day) => known.get(day))).toEqual([
      '2012-11-26T20:30:00.000Z', // Thanksgiving
      '2015-07-06T19:30:00.000Z', // Friday, July 3, was the holiday
      '2017-07-07T19:30:00.000Z', // a report of a Monday
      '2019-02-01T20:30:00.000Z',
      '2025-12-19T20:30:00.000Z',
      '2026-08-21T19:30:00.000Z',
    ]);
  });

  it('have the contracts by code, with the consolidated ones', async () => {
    const { entities } = await read(cftcLegacy, 'cftc/contract_codes_2025.csv');
    expect(entities.length).toBe(351);
    expect(entities.filter(({ entityId }) => entityId.endsWith('plus')).length).toBe(3);
  });

  it('refuse the sample of the API, which includes options', async () => {
    const { observations, refused } = await read(cftcLegacy, 'cftc/socrata/jun7-fc8e_sample_20240820.json');
    expect(observations).toEqual([]);
    expect(refused.map(({ rule, observedValue }) => [rule, observedValue])).toEqual([['schema_drift', 'Combined']]);
  });

  it('name a contract through time: the Nasdaq mini since 2022-02-08', async () => {
    const pipeline = await openPipeline();
    try {
      const paths = ['FinFut_2021.csv', 'FinFut_2022.csv'].map((name) => `cftc/tff_futonly/${name}`);
      await pipeline.run(Object.fromEntries(paths.map((path) => [path, readFileSync(join(ROOT, path))])), RETRIEVED_AT);
      const snapshot = await pipeline.open();
      const named = await snapshot.withConnection(async (connection) =>
        connection.runAndReadAll(`
          select alias, is_primary, valid_from::varchar, valid_to::varchar from published.aliases
          where entity_id = 'cftc_209742' and alias_type = 'name' order by valid_from nulls first`),
      );
      expect(named.getRows()).toEqual([
        ['NASDAQ-100 STOCK INDEX (MINI) - CHICAGO MERCANTILE EXCHANGE', false, null, '2022-02-07'],
        ['NASDAQ MINI - CHICAGO MERCANTILE EXCHANGE', true, '2022-02-08', null],
      ]);
    } finally {
      await pipeline.remove();
    }
  });

  it('show the consolidated S&P 500 and Nasdaq-100 in E-mini contracts since 2023-05-02: a break, not a position', async () => {
    const files = ['FinFut_2022.csv', 'FinFut_2023.csv', 'FinFutYY_2024_to_0611.txt'].map((name) => `cftc/tff_futonly/${name}`);
    const pipeline = await openPipeline();
    try {
      await pipeline.run(Object.fromEntries(files.map((path) => [path, readFileSync(join(ROOT, path))])), RETRIEVED_AT);
      const snapshot = await pipeline.open();
      const said = await snapshot.withConnection(async (connection) =>
        connection.runAndReadAll(`
          select entity_id, period_end::varchar, value, (metadata ->> '$.net')::integer, (metadata ->> '$.windowCount')::integer
          from published.vintages inner join published.series using (series_no)
          where canonical_id = 'cot_tff_percentile' and entity_id in ('cftc_13874a', 'cftc_13874plus', 'cftc_20974plus')
            and period_end in ('2023-02-28', '2024-01-02', '2024-01-09')
          order by all`),
      );
      // The files end with February 2023 and begin again with January 2024. The E-mini contract beside the consolidated one did not change.
      expect(said.getRows()).toEqual([
        ['cftc_13874a', '2023-02-28', null, -298918, 61],
        ['cftc_13874a', '2024-01-02', null, -389801, 62],
        ['cftc_13874a', '2024-01-09', null, -312515, 63],
        ['cftc_13874plus', '2023-02-28', null, -59784, 61],
        ['cftc_13874plus', '2024-01-02', null, -390213, 1],
        ['cftc_13874plus', '2024-01-09', null, -307402, 2],
        ['cftc_20974plus', '2023-02-28', null, -6239, 61],
        ['cftc_20974plus', '2024-01-02', null, -35863, 1],
        ['cftc_20974plus', '2024-01-09', null, -36615, 2],
      ]);
    } finally {
      await pipeline.remove();
    }
  });
});
