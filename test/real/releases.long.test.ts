// First prints of American indicators beside the days on which ALFRED says that they came out, told from its files by themselves.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { REAL_DATA } from '../pipeline.ts';
import { type FixtureService, startFixtureService } from '../routes/fixture-service.ts';

const FILES = ['EMP', 'UR', 'HS', 'CPI'].map((name) => `alfred-realtime/${name}.csv`);
const CALENDAR = 'fred-api/release_dates.10-CPI.recorded-2025-01-20.json';

const Observation = z.looseObject({ period: z.string(), releaseEventId: z.string().nullable() });
const Release = z.looseObject({ eventId: z.string(), occurredAt: z.string(), status: z.string() });

/** Period → the day on which it was first printed, of the newest period of each day; not of the day on which the archive begins. */
function newestPrints(file: string): ReadonlyMap<string, string> {
  const firstDays = new Map<string, string>();
  for (const line of readFileSync(join(REAL_DATA, file), 'utf8').trim().split('\n').slice(1)) {
    const [date = '', , start = ''] = line.split(',');
    const [period, day] = [date.slice(0, 7), start.slice(0, 10)];
    const known = firstDays.get(period);
    if (known === undefined || day < known) firstDays.set(period, day);
  }
  const newest = new Map<string, string>();
  for (const [period, day] of firstDays) if ((newest.get(day) ?? '') < period) newest.set(day, period);
  newest.delete([...newest.keys()].sort()[0] ?? '');
  return new Map([...newest].map(([day, period]) => [period, day]));
}

describe.skipIf(!existsSync(REAL_DATA))('first prints and the releases that carried them', () => {
  let service: FixtureService;
  beforeAll(async () => {
    const monthly = readdirSync(join(REAL_DATA, 'fred-md')).filter((name) => name.startsWith('2016-'));
    const paths = [...FILES, CALENDAR, ...monthly.map((name) => `fred-md/${name}`)];
    const files = Object.fromEntries(paths.map((path) => [path, readFileSync(join(REAL_DATA, path))]));
    service = await startFixtureService([{ files, at: '2026-11-20T10:00:00.000Z' }], '2026-11-21T10:00:00.000Z');
  });
  afterAll(() => service?.stop());

  const firstPrints = async (indicator: string, source: string) =>
    z
      .array(Observation)
      .parse(
        (await service.list(`/observations?indicator_id=${indicator}&source_id=${source}&vintage=first&start_date=1994-11-01&limit=500`))
          .data,
      );
  const dayOf = async (title: string) => {
    const found = z
      .array(Release)
      .parse((await service.list(`/events?event_type=data_release&start_date=1994-12-01&q=${encodeURIComponent(title)}&limit=500`)).data);
    return new Map(found.map((event) => [event.eventId, event.occurredAt.slice(0, 10)]));
  };

  it.each([
    ['us_nonfarm_payrolls', 'EMP', 'Employment Situation', 282],
    ['us_unemployment_rate', 'UR', 'Employment Situation', 282],
    ['us_housing_starts', 'HS', 'New Residential Construction', 279],
  ] as const)('of %s name the release of that day', async (indicator, file, title, count) => {
    const printed = newestPrints(`alfred-realtime/${file}.csv`);
    expect(printed.size).toBe(count);
    const days = await dayOf(title);
    const named = (await firstPrints(indicator, 'fred')).filter((row) => row.releaseEventId !== null);
    expect(new Map(named.map((row) => [row.period, days.get(row.releaseEventId ?? '')]))).toEqual(printed);
  });

  it('of consumer prices name the release by the days that FRED lists, at most four days before the print', async () => {
    const printed = newestPrints('alfred-realtime/CPI.csv');
    const days = await dayOf('Consumer Price Index');
    const late = (await firstPrints('us_cpi', 'fred'))
      .filter((row) => printed.has(row.period))
      .map((row) => (Date.parse(printed.get(row.period) ?? '') - Date.parse(days.get(row.releaseEventId ?? '') ?? '')) / 86_400_000);
    expect(late.length).toBe(printed.size);
    expect(late.filter((lag) => !(lag >= 0 && lag <= 4))).toEqual([]);
  });

  it('of FRED-MD, whose file comes at the end of the month, name the release of that month', async () => {
    const days = await dayOf('Employment Situation');
    const named = (await firstPrints('us_nonfarm_payrolls', 'fred_md')).filter((row) => row.releaseEventId !== null);
    expect(named.map((row) => [row.period, days.get(row.releaseEventId ?? '')])).toEqual([
      ['2015-12', '2016-01-08'],
      ['2016-01', '2016-02-05'],
      ['2016-02', '2016-03-04'],
      ['2016-03', '2016-04-01'],
      ['2016-04', '2016-05-06'],
      ['2016-05', '2016-06-03'],
      ['2016-06', '2016-07-08'],
      ['2016-07', '2016-08-05'],
      ['2016-08', '2016-09-02'],
      ['2016-09', '2016-10-07'],
      ['2016-10', '2016-11-04'],
      ['2016-11', '2016-12-02'],
    ]);
  });
});
