// ALFRED cut into windows, as the API cuts it, says what it says uncut.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { assert as holds, asyncProperty, integer } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { vintagesOf } from '../../src/sources/st-louis-fed/fred-feed.ts';
import { REAL_DATA } from '../pipeline.ts';
import { tell } from '../readers/read.ts';
import { alfredOf, FOR_EVER, type RealTimeRow, vintagesOfRows } from '../replay/alfred.ts';
import { answered, drive, NOTHING_HELD } from '../replay/plans.ts';

/** What becomes known when: each change of each period, by knowledge time. */
async function changesOf(files: readonly (readonly [key: string, body: string])[]): Promise<string[]> {
  const rows: { readonly period: string; readonly observedAt: string; readonly value: number | null }[] = [];
  for (const [key, body] of files) for (const one of (await tell('fred', key, body)).observations) rows.push(one);
  const newest = new Map<string, number | null>();
  const changes: string[] = [];
  for (const { period, observedAt, value } of rows.toSorted((a, b) =>
    a.observedAt < b.observedAt ? -1 : a.observedAt > b.observedAt ? 1 : 0,
  )) {
    const before = newest.get(period) ?? null;
    newest.set(period, value);
    if (before !== value) changes.push(`${period} ${observedAt} ${value}`);
  }
  return changes.toSorted();
}

const SERIES = 'GDP';
const UNCUT = `fred-api/series_observations.${SERIES}.all-realtime.json`;
const page = (rows: readonly RealTimeRow[]) =>
  JSON.stringify({
    realtime_start: '1776-07-04',
    realtime_end: FOR_EVER,
    units: 'lin',
    output_type: 1,
    count: rows.length,
    offset: 0,
    limit: 100_000,
    observations: rows,
  });

async function changesOfWindows(rows: readonly RealTimeRow[], size: number) {
  const ask = alfredOf(rows, vintagesOfRows(rows));
  const files: [string, string][] = [];
  const statuses: number[] = [];
  const { givenUp } = drive(vintagesOf(SERIES, NOTHING_HELD, size), ({ key, url }) => {
    const { status, body } = ask(new URL(url));
    statuses.push(status);
    if (key.includes('observations')) files.push([key, body]);
    return answered(body);
  });
  return { changes: await changesOf(files), windows: files.length, givenUp, refused: statuses.filter((status) => status !== 200).length };
}

function holdsForAnyCut(name: string, rows: readonly RealTimeRow[], runs: number, smallest = 2): void {
  it(`with any cut: ${name}`, async () => {
    const uncut = await changesOf([[UNCUT, page(rows)]]);
    expect(uncut.length).toBeGreaterThan(10);
    await holds(
      asyncProperty(integer({ min: smallest, max: vintagesOfRows(rows).length + 2 }), async (size) => {
        const { changes, givenUp } = await changesOfWindows(rows, size);
        expect([changes, givenUp]).toEqual([uncut, []]);
      }),
      { numRuns: runs, seed: 7 },
    );
  });
}

const row = (date: string, from: string, to: string, value: number | string): RealTimeRow => ({
  date,
  realtime_start: from,
  realtime_end: to,
  value: String(value),
});

describe('windows of ALFRED', () => {
  // Of the first month a value is revised twice, of the second it is withdrawn and comes back, of the third it is missing for a while.
  holdsForAnyCut(
    'say what it says uncut: revisions, a withdrawal, a value that comes back, a missing one',
    [
      row('2020-01-01', '2020-02-07', '2020-03-06', 100),
      row('2020-01-01', '2020-03-07', '2020-05-08', 101),
      row('2020-01-01', '2020-05-09', FOR_EVER, 102),
      row('2020-02-01', '2020-03-07', '2020-04-03', 110),
      row('2020-02-01', '2020-06-06', FOR_EVER, 111),
      row('2020-03-01', '2020-04-04', '2020-05-08', '.'),
      row('2020-03-01', '2020-05-09', FOR_EVER, 120),
      row('2020-04-01', '2020-05-09', FOR_EVER, 130),
      row('2020-05-01', '2020-06-06', '2020-07-03', 140),
      row('2020-05-01', '2020-07-04', FOR_EVER, 141),
      ...['2019-08-01', '2019-09-01', '2019-10-01', '2019-11-01', '2019-12-01'].map((date, index) =>
        row(date, '2020-01-10', FOR_EVER, index),
      ),
    ],
    12,
  );

  it('of a daily series with 4,700 vintages are all accepted, and contain each vintage once', async () => {
    const dayOf = (number: number) => new Date(Date.UTC(2000, 0, 1 + number)).toISOString().slice(0, 10);
    // Each day's value is out on the day after, and that of the day before is revised.
    const rows = Array.from({ length: 4700 }, (_, index) => [
      row(dayOf(index), dayOf(index + 1), dayOf(index + 1), index),
      row(dayOf(index), dayOf(index + 2), FOR_EVER, index + 0.5),
    ]).flat();
    const { changes, windows, refused, givenUp } = await changesOfWindows(rows, 1000);
    expect([windows, refused, givenUp]).toEqual([5, 0, []]);
    expect(changes.length).toBe(2 * 4700);
    expect(changes).toEqual(await changesOf([[UNCUT, page(rows)]]));
    const whole = alfredOf(
      rows,
      vintagesOfRows(rows),
    )(new URL('https://a/observations?realtime_start=1776-07-04&realtime_end=9999-12-31&limit=1'));
    expect(whole.status).toBe(400);
  });
});

const File = z.object({
  observations: z.array(z.object({ date: z.string(), realtime_start: z.string(), realtime_end: z.string(), value: z.string() })),
});

describe.skipIf(!existsSync(join(REAL_DATA, 'fred-api')))('the recorded answers', () => {
  const read = (path: string) => readFileSync(join(REAL_DATA, path), 'utf8');
  for (const day of existsSync(join(REAL_DATA, 'fred-api')) ? ['2024-11-03', '2025-01-20'] : []) {
    const { observations } = File.parse(JSON.parse(read(`fred-api/series_observations.GDP.all-realtime.recorded-${day}.json`)));
    holdsForAnyCut(`of GDP as of ${day} say uncut what they say in windows`, observations, 6, 20);
  }
  for (const name of existsSync(join(REAL_DATA, 'alfred-realtime')) ? readdirSync(join(REAL_DATA, 'alfred-realtime')) : []) {
    const cells = read(`alfred-realtime/${name}`)
      .trim()
      .split(/\r?\n/)
      .slice(1)
      .map((line) => line.split(',') as [string, string, string, string]);
    const newest = cells
      .map(([, to]) => to)
      .toSorted()
      .at(-1);
    const rows = cells.map(([date, to, from, value]) =>
      row(date.slice(0, 10), from.slice(0, 10), to === newest ? FOR_EVER : to.slice(0, 10), value),
    );
    holdsForAnyCut(`${name} of ALFRED says uncut what it says in windows`, rows, 2, 60);
  }
});
