// Of the United States and their regions and companies the nation is the one to use, as of each day: factors and days by hand, the newest period that the files of
// the mirror have of each by then, and the source that the registry prefers among those that had it.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPipeline, type Pipeline, REAL_DATA } from '../pipeline.ts';
import { type ListBody, type RunningService, startService } from '../service.ts';

const READ =
  /^(?:fred-md\/(?:2016-(?:06|12)|2020-(?:04|12)|2021-12|2023-06|2024-03)\.csv|alfred-realtime\/(?:HS|BP|EMP|CPI)\.csv|us-census\/RESCONST-mf\.csv|prices\/daily_json\/AAPL\.json|sec\/submissions\/CIK0000320193\.json)$/;

type Preferred = readonly [period: string, source: string, actual: number];

/**
 * The nation in all 42 cases, by factor, as of the end of each day: its newest period, the source of the row to use, and the number that the file of FRED-MD of that month
 * has. FRED's real-time files, preferred by the registry for levels, end in 2018; the Census Bureau's own file, which says that it was updated on 19 January 2023, reaches to
 * December 2022, so that none of these periods is its; inflation is preferred as computed from FRED-MD.
 */
const PREFERRED: Readonly<Record<string, Readonly<Record<string, Preferred>>>> = {
  housing_starts: {
    '2016-06-30': ['2016-05', 'fred', 1164],
    '2016-12-31': ['2016-11', 'fred', 1090],
    '2020-04-30': ['2020-03', 'fred_md', 1216],
    '2020-12-31': ['2020-11', 'fred_md', 1547],
    '2021-12-31': ['2021-11', 'fred_md', 1679],
    '2023-06-30': ['2023-05', 'fred_md', 1631],
    '2024-03-31': ['2024-02', 'fred_md', 1521],
  },
  building_permits: {
    '2016-06-30': ['2016-05', 'fred', 1136],
    '2016-12-31': ['2016-11', 'fred', 1212],
    '2020-04-30': ['2020-03', 'fred_md', 1350],
    '2020-12-31': ['2020-11', 'fred_md', 1635],
    '2021-12-31': ['2021-11', 'fred_md', 1717],
    '2023-06-30': ['2023-05', 'fred_md', 1496],
    '2024-03-31': ['2024-02', 'fred_md', 1524],
  },
  nonfarm_payrolls: {
    '2016-06-30': ['2016-05', 'fred', 143894],
    '2016-12-31': ['2016-11', 'fred', 145128],
    '2020-04-30': ['2020-03', 'fred_md', 151786],
    '2020-12-31': ['2020-11', 'fred_md', 142629],
    '2021-12-31': ['2021-11', 'fred_md', 148611],
    '2023-06-30': ['2023-05', 'fred_md', 156105],
    '2024-03-31': ['2024-02', 'fred_md', 157808],
  },
  cpi: {
    '2016-06-30': ['2016-05', 'fred', 239.41],
    '2016-12-31': ['2016-11', 'fred', 242.348],
    '2020-04-30': ['2020-03', 'fred_md', 257.953],
    '2020-12-31': ['2020-11', 'fred_md', 260.817],
    '2021-12-31': ['2021-11', 'fred_md', 278.88],
    '2023-06-30': ['2023-05', 'fred_md', 303.294],
    '2024-03-31': ['2024-02', 'fred_md', 311.054],
  },
  cpi_inflation_yoy: {
    '2016-06-30': ['2016-05', 'fred_md', 1.0698],
    '2016-12-31': ['2016-11', 'fred_md', 1.6978],
    '2020-04-30': ['2020-03', 'fred_md', 1.5183],
    '2020-12-31': ['2020-11', 'fred_md', 1.1609],
    '2021-12-31': ['2021-11', 'fred_md', 6.8805],
    '2023-06-30': ['2023-05', 'fred_md', 4.1288],
    '2024-03-31': ['2024-02', 'fred_md', 3.1657],
  },
  pce_price_index: {
    '2016-06-30': ['2016-05', 'fred_md', 110.431],
    '2016-12-31': ['2016-11', 'fred_md', 111.47],
    '2020-04-30': ['2020-03', 'fred_md', 110.503],
    '2020-12-31': ['2020-11', 'fred_md', 111.704],
    '2021-12-31': ['2021-11', 'fred_md', 118.201],
    '2023-06-30': ['2023-05', 'fred_md', 127.007],
    '2024-03-31': ['2024-02', 'fred_md', 122.312],
  },
};
const CASES = Object.entries(PREFERRED).flatMap(([factor, days]) =>
  Object.entries(days).map(([day, wanted]) => [factor, day, wanted] as const),
);

const ASKED = 'entity=us,us_northeast,us_midwest,us_south,us_west,company_0000320193';

describe.skipIf(!existsSync(REAL_DATA))('the preferred row for the United States', () => {
  let pipeline: Pipeline;
  let service: RunningService;
  beforeAll(async () => {
    pipeline = await openPipeline();
    const paths = readdirSync(REAL_DATA, { recursive: true, encoding: 'utf8' }).filter((path) => READ.test(path));
    await pipeline.run(
      Object.fromEntries(paths.map((path) => [path, new Uint8Array(readFileSync(join(REAL_DATA, path)))])),
      '2026-11-20T10:00:00.000Z',
    );
    service = await startService(pipeline.dataDir, { now: Date.parse('2026-11-21T00:00:00Z') });
  }, 900_000);
  afterAll(async () => {
    await service.stop();
    await pipeline.remove();
  });

  async function rowsOf(factor: string, day: string) {
    const response = await service.get(`/observations?${ASKED}&indicator_id=${factor}&as_of=${day}&order=desc&limit=60`);
    return ((await response.json()) as ListBody).data;
  }

  it.each(CASES)('is the national one for %s as of %s', async (factor, day, [period, sourceId, actual]) => {
    const rows = await rowsOf(factor, day);
    const slot = rows.filter((row) => row['period'] === period);
    const used = slot.filter((row) => row['preferredForFactor'] === true);
    expect(used.map((row) => [row['indicatorId'], row['sourceId'], row['freshnessStatus']])).toEqual([[`us_${factor}`, sourceId, 'fresh']]);
    expect(used[0]?.['actual']).toBeCloseTo(actual, 4);
    // No row of the nation is of a later period, and the regions beside it, where the files have them, are as fit as it is.
    expect(rows.filter((row) => row['indicatorId'] === `us_${factor}` && String(row['period']) > period)).toEqual([]);
    const regions = slot.filter((row) => /^us_(?:northeast|midwest|south|west)_/.test(String(row['indicatorId'])));
    expect(regions.map((row) => [row['scoringEligible'], row['factorKey']])).toEqual(
      Array.from({ length: /starts|permits/.test(factor) ? 4 : 0 }, () => [true, null]),
    );
  });

  // The nation has no price of a share, and a company competes for no slot of its country.
  it.each([
    ['2016-06-30', 0],
    // The quotes begin on April 9: fifteen days of trading.
    ['2020-04-30', 15],
    ['2024-03-31', 60],
  ])('does not exist for the price of a share as of %s', async (day, count) => {
    const rows = await rowsOf('price_close', day);
    const told = rows.map((row) => [row['indicatorId'], row['factorKey'], row['preferredForFactor']]);
    expect(told).toEqual(Array.from({ length: count }, () => ['company_0000320193_price_close', null, false]));
  });
});
