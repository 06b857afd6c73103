// Sources that no other file here takes through three nights: all there is; conditions alone where nothing has changed, and nothing written; one changed
// payload, and exactly what it says otherwise, known from its own time.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FRED_SERIES } from '../../src/sources/st-louis-fed/fred-feed.ts';
import { sourceOf } from '../readers/second-reader.ts';
import { openPipeline, type Pipeline } from '../pipeline.ts';
import { alfredOf, type RealTimeRow, vintagesOfRows } from '../replay/alfred.ts';
import type { ReplayOptions } from '../replay/fetcher.ts';
import { fetchNight } from '../replay/nights.ts';
import { openReplay, type Replay } from '../replay/server.ts';
import { zipOf } from '../replay/zip.ts';

let replay: Replay;
let pipeline: Pipeline;
beforeAll(async () => {
  replay = await openReplay();
});
beforeEach(async () => {
  replay.forget();
  pipeline = await openPipeline();
});
afterEach(() => pipeline.remove());
afterAll(() => replay.close());

const fixture = (path: string) => readFileSync(join(import.meta.dirname, '../fixtures', path), 'utf8');
const serve = (place: string, body: string, type: string) => replay.serve(place, () => ({ body, headers: { 'content-type': type } }));

const CFTC = 'www.cftc.gov/files/dea/history';
/** A year without reports of its own holds those of another contract. */
function serveFinancial(text: string): void {
  replay.serve(
    `${CFTC}/fin_fut_txt_2006_2016.zip`,
    zipOf({ name: 'F_TFF_2006_2016.txt', body: text.replaceAll('2025-05-20', '2016-05-17').replaceAll(',250520,', ',160517,') }),
  );
  for (let year = 2017; year <= 2025; year += 1)
    replay.serve(
      `${CFTC}/fut_fin_txt_${String(year)}.zip`,
      zipOf({
        name: 'FinFutYY.txt',
        body: text.replaceAll('2025-05-20', `${String(year)}-05-20`).replaceAll(',250520,', `,${String(year).slice(2)}0520,`),
      }),
    );
}
const FINANCIAL = fixture('cftc_tff/yearly-text.raw.txt');

const serveConstruction = (text: string) =>
  replay.serve('www.census.gov/econ_getzippedfile/', zipOf({ name: 'RESCONST-mf.csv', body: text }));
const CONSTRUCTION = fixture('us_census/sections.raw.csv');

const MONTHLY = 'www.stlouisfed.org/-/media/project/frbstl/stlouisfed/research/fred-md/monthly';
const serveMonth = (name: string, text: string) => serve(`${MONTHLY}/${name}.csv`, text, 'text/csv');

const serveSchedule = (text: string) => serve('www.bls.gov/schedule/news_release/bls.ics', text, 'text/calendar');
const SCHEDULE = fixture('bls_calendar/schedule-with-changes.raw.ics');

/** Twelve months, each known from the 14th of the next but one. */
const FIRST_PRINTS = Array.from({ length: 12 }, (_, at): RealTimeRow => {
  const day = (year: number, month: number, date: string) => `${String(year)}-${String(month).padStart(2, '0')}-${date}`;
  const [year, month] = at + 3 > 12 ? [2030, at - 9] : [2029, at + 3];
  return { date: day(2029, at + 1, '01'), realtime_start: day(year, month, '14'), realtime_end: '9999-12-31', value: String(100 + at) };
});
/** December was revised on 14 April. */
const REVISED = FIRST_PRINTS.flatMap((row) =>
  row.date === '2029-12-01'
    ? [
        { ...row, realtime_end: '2030-04-13' },
        { ...row, realtime_start: '2030-04-14', value: '112.5' },
      ]
    : [row],
);
function serveAlfred(changed: readonly RealTimeRow[]): void {
  for (const place of ['observations', 'vintagedates'])
    replay.serve(`api.stlouisfed.org/fred/series/${place}`, ({ url }) => {
      const rows = url.searchParams.get('series_id') === 'CPIAUCSL' ? changed : FIRST_PRINTS;
      return { ...alfredOf(rows, vintagesOfRows(rows))(url), headers: { 'content-type': 'application/json' } };
    });
}

const SWEDEN = 'api.riksbank.se/swea/v1/Observations';
function serveSweden(policyRates: string): void {
  serve(`${SWEDEN}/SECBREPOEFF/1994-06-01`, policyRates, 'application/json');
  serve(`${SWEDEN}/SEKEURPMI/1999-01-04`, fixture('riksbank/euro.raw.json'), 'application/json');
  serve(`${SWEDEN}/SEKUSDPMI/1993-01-04`, '[{"date":"2031-05-02","value":10.125}]', 'application/json');
}
const POLICY_RATES = fixture('riksbank/policy-rate.raw.json');

interface Nights {
  readonly id: string;
  readonly nights: readonly [string, string, string];
  readonly first: () => void;
  readonly changed: () => void;
  /** What the ledger says of each night: new/unchanged/not out yet/failed. */
  readonly told: readonly [string, string, string];
  /** `period value vintage` of what the third night wrote. */
  readonly written: readonly string[];
  readonly options?: ReplayOptions;
}

const NIGHTS: readonly Nights[] = [
  {
    id: 'cftc_tff',
    nights: ['2025-05-24T08:00:00.000Z', '2025-05-25T09:00:00.000Z', '2025-05-31T08:00:00.000Z'],
    first: () => serveFinancial(FINANCIAL),
    changed: () =>
      replay.serve(
        `${CFTC}/fut_fin_txt_2025.zip`,
        zipOf({ name: 'FinFutYY.txt', body: FINANCIAL.replace('1000,     100,     200,', '1005,     105,     205,') }),
      ),
    told: ['10/0/0/0', '0/1/0/0', '1/0/0/0'],
    written: ['2025-W21 1005 2025-05-31', '2025-W21 105 2025-05-31', '2025-W21 205 2025-05-31'],
  },
  {
    id: 'us_census',
    nights: ['2020-06-18T08:00:00.000Z', '2020-06-19T12:40:00.000Z', '2020-06-20T13:00:00.000Z'],
    first: () => serveConstruction(CONSTRUCTION),
    changed: () =>
      serveConstruction(
        CONSTRUCTION.replace('2,1,1,0,1,1,1510.5', '2,1,1,0,1,1,1512').replace('Wednesday, 17-Jun-20', 'Friday, 19-Jun-20'),
      ),
    told: ['1/0/0/0', '0/1/0/0', '1/0/0/0'],
    written: ['2020-02 1512 2020-06-19'],
  },
  {
    id: 'fred_md',
    nights: ['2025-01-30T08:00:00.000Z', '2025-02-02T08:00:00.000Z', '2025-02-05T08:00:00.000Z'],
    first: () => serveMonth('2025-01-md', 'sasdate,PAYEMS\nTransform:,5\n11/1/2024,100\n12/1/2024,101\n'),
    changed: () => serveMonth('2025-02-md', 'sasdate,PAYEMS\nTransform:,5\n11/1/2024,100\n12/1/2024,102\n1/1/2025,103\n'),
    // A vintage that is here is never asked for again; the next is not out yet.
    told: ['1/0/3/0', '0/0/4/0', '1/0/1/0'],
    written: ['2024-12 102 2025-02-05', '2025-01 103 2025-02-05'],
  },
  {
    id: 'fred',
    nights: ['2030-04-01T12:00:00.000Z', '2030-04-02T12:00:00.000Z', '2030-04-14T18:00:00.000Z'],
    first: () => serveAlfred(FIRST_PRINTS),
    changed: () => serveAlfred(REVISED),
    // Two payloads of each series at first, later only the days of its vintages.
    told: [`${String(2 * FRED_SERIES.length)}/0/0/0`, `0/${String(FRED_SERIES.length)}/0/0`, `2/${String(FRED_SERIES.length - 1)}/0/0`],
    written: ['2029-12 112.5 2030-04-14'],
    options: { secrets: { FRED_API_KEY: 'a'.repeat(32) } },
  },
  {
    id: 'riksbank',
    nights: ['2031-05-02T18:00:00.000Z', '2031-05-04T18:00:00.000Z', '2031-05-06T18:00:00.000Z'],
    first: () => serveSweden(POLICY_RATES),
    changed: () => serveSweden(POLICY_RATES.replace('-0.5', '-0.25')),
    told: ['3/0/0/0', '0/3/0/0', '1/2/0/0'],
    written: ['2031-04-30 -0.25 2031-05-06'],
  },
];

const written = (after: number) =>
  pipeline.lake(
    `select period, value, vintage, change_sequence::integer as number from observations where change_sequence > ${String(after)} order by period, value`,
  );
const last = async () => Math.max(0, ...(await written(0)).map(({ number: one }) => Number(one)));

describe('three nights', () => {
  it.each(NIGHTS)(
    'of $id: all data, no news, exactly the changes',
    async ({ id, nights, first, changed, told, written: expected, options }) => {
      const source = sourceOf(id);
      const night = async (at: string) => {
        replay.forget();
        const {
          told: [line],
          sources,
        } = await fetchNight(pipeline, replay, [source], at, { contact: 'a test', ...options });
        return {
          line,
          written: sources.reduce((sum, one) => sum + one.payloads.reduce((rows, { rowsWritten }) => rows + rowsWritten, 0), 0),
        };
      };
      first();
      const begun = await night(nights[0]);
      expect([begun.line, begun.written > 0]).toEqual([`${id}: done, ${told[0]}`, true]);
      const before = await last();
      const second = await night(nights[1]);
      expect(second).toEqual({ line: `${id}: done, ${told[1]}`, written: 0 });
      // Of what is here already.
      const unconditional = replay.asked.filter(({ headers }) => headers['if-none-match'] === undefined);
      expect(unconditional.length).toBe(Number(told[1].split('/')[2]));
      expect(await written(before)).toEqual([]);
      changed();
      const third = await night(nights[2]);
      expect(third.line).toBe(`${id}: done, ${told[2]}`);
      expect(
        (await written(before)).map(({ period, value, vintage }) => [period, value, vintage].map(String).join(' ')).toSorted(),
      ).toEqual(expected.toSorted());
    },
  );

  it('of the calendar of the BLS: all data, no news, one release postponed', async () => {
    const source = sourceOf('bls_calendar');
    const night = async (at: string) => {
      replay.forget();
      return (await fetchNight(pipeline, replay, [source], at, { contact: 'a test' })).told;
    };
    const entries = () => pipeline.lake('select * from schedules order by all');
    serveSchedule(SCHEDULE);
    expect(await night('2030-01-02T08:00:00.000Z')).toEqual(['bls_calendar: done, 1/0/0/0']);
    const before = await entries();
    expect(before.length).toBeGreaterThan(2);
    expect(await night('2030-01-03T09:00:00.000Z')).toEqual(['bls_calendar: done, 0/1/0/0']);
    expect(replay.asked.map(({ headers }) => headers['if-none-match'] !== undefined)).toEqual([true]);
    expect(await entries()).toEqual(before);
    serveSchedule(SCHEDULE.replace('20300110T083000', '20300111T083000'));
    expect(await night('2030-01-04T10:00:00.000Z')).toEqual(['bls_calendar: done, 1/0/0/0']);
    expect((await entries()).length).toBe(before.length + 1);
  });
});
