// Every plan of a read returns the rows, order and keys that the engine returns for the general statements over the vintages.
import { existsSync } from 'node:fs';
import { open, readFile, rm, writeFile } from 'node:fs/promises';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Pack, Packs } from '../../src/model/pack.ts';
import { vintagesOfPacks } from '../../src/queries/reads/packs.ts';
import { readVintages } from '../../src/queries/reads/read.ts';
import { bindSeries, observationsLatest, observationsList } from '../../src/queries/reads/engine.ts';
import { listLatest, listVintages, together } from '../reads.ts';
import type { VintageFilters } from '../../src/queries/reads/rows.ts';
import type { ObservationSort } from '../../src/queries/reads/order.ts';
import { type PageOf, runPaged } from '../../src/queries/paging.ts';
import { screen } from '../../src/queries/screener/screener.ts';
import { screenerFields } from '../../src/queries/screener/fields.ts';
import { readFields } from '../../src/queries/screener/readings.ts';
import { verdictTurnsAt } from '../../src/model/trust.ts';
import { readCurrent, snapshotPaths } from '../../src/snapshot/manifest.ts';
import { openPacks, writePacks } from '../../src/snapshot/packs.ts';
import { openSnapshot, type SnapshotReader } from '../../src/snapshot/serving/reader.ts';
import { UNFILTERED } from '../pipeline.ts';
import { sampleLake } from '../service.ts';
import { isLong, isWhole } from '../suite.ts';

const QUESTIONS = isWhole ? 10_000 : isLong ? 500 : 30;

let folder: string;
let snapshot: SnapshotReader;
let engine: SnapshotReader;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'asof-reads-'));
  const paths = snapshotPaths(await sampleLake());
  const manifest = await readCurrent(paths);
  if (manifest === null) throw new Error('the sample has no snapshot');
  const limits = { threads: 2, memory: '400MB', tempDirectory: folder, tempSize: '1GB' };
  snapshot = await openSnapshot(paths, manifest, { limits, connections: 2 });
  engine = { ...snapshot, packs: null, newest: null };
});
afterAll(async () => {
  snapshot.close();
  await rm(folder, { recursive: true });
});

interface Question {
  readonly places: readonly number[];
  /** Moments of the series' own prints, or a millisecond beside them. */
  readonly moments: Readonly<Record<'asOf' | 'observedFrom' | 'observedTo', readonly [number, number] | null>>;
  readonly days: Readonly<Record<'periodFrom' | 'periodTo', number | null>>;
  readonly vintage: 'latest' | 'first' | 'all';
  readonly releaseNumber: number | null;
  readonly numericOnly: boolean;
  readonly backfill: boolean | null;
  readonly sort: ObservationSort;
  readonly order: 'asc' | 'desc';
  readonly limit: number;
}

const momentOf = fc.option(fc.tuple(fc.nat(), fc.constantFrom(-1, 0, 1)), { freq: 2 });
const question: fc.Arbitrary<Question> = fc.record({
  places: fc.oneof(fc.array(fc.nat(), { minLength: 1, maxLength: 3 }), fc.array(fc.nat(), { minLength: 4, maxLength: 30 })),
  moments: fc.record({ asOf: momentOf, observedFrom: momentOf, observedTo: momentOf }),
  days: fc.record({ periodFrom: fc.option(fc.nat(), { freq: 1 }), periodTo: fc.option(fc.nat(), { freq: 1 }) }),
  vintage: fc.constantFrom('latest', 'first', 'all'),
  releaseNumber: fc.option(fc.integer({ min: 1, max: 3 }), { freq: 1 }),
  numericOnly: fc.boolean(),
  backfill: fc.option(fc.boolean(), { freq: 1 }),
  sort: fc.constantFrom(...observationsList.sorts),
  order: fc.constantFrom('asc', 'desc'),
  limit: fc.constantFrom(1, 2, 7, 100, 5000),
});

const HISTORY_FROM = '2020-01-01';
const seriesAt = (seriesNo: number) => ({ indicatorId: String(seriesNo), frequency: 'monthly' }) as const;
const NO_MOMENTS = { asOf: null, observedFrom: null, observedTo: null };
const NOTHING_ASKED = {
  days: { periodFrom: null, periodTo: null },
  vintage: 'latest',
  releaseNumber: null,
  numericOnly: false,
  backfill: null,
} as const;

describe('a read from packs or the newest prints', () => {
  it.each([
    ['vintages', (from, series, filters, page) => listVintages(from, series, filters, page)],
    ['vintages in parts', inParts],
    ['newest periods', (from, series, filters, page) => newest(from, series, filters, page, null)],
    ['newest periods of a key that sees no more', (from, series, filters, page) => newest(from, series, filters, page, HISTORY_FROM)],
  ] satisfies readonly (readonly [string, Read])[])(
    `equals the answer of the engine, page after page (${QUESTIONS} questions): %s`,
    async (kind, read) => {
      const { packs, catalogue } = snapshot;
      if (packs === null) throw new Error('the snapshot has no packs');
      const total = { rows: 0, pages: 0, previous: 0 };
      await fc.assert(
        fc.asyncProperty(question, async (drawn) => {
          const series = [...new Set(drawn.places.map((place) => at(catalogue.series, place)))].sort((a, b) => a.seriesNo - b.seriesNo);
          const [pack] = (await packs.read(series.map((one) => one.seriesNo))) ?? [];
          if (pack === undefined) return;
          const filters = filtersOf(drawn, pack);
          let page: PageOf<ObservationSort> = { sort: drawn.sort, order: drawn.order, after: null, limit: drawn.limit };
          for (let pages = 0; pages < 4; pages += 1) {
            const cut = await read(snapshot, series, filters, page);
            expect(cut).toEqual(await read(engine, series, filters, page));
            total.rows += cut.rows.length;
            total.pages += 1;
            total.previous += cut.rows.filter((row) => 'revisedPrevious' in row && row.revisedPrevious !== null).length;
            if (cut.nextKey === null) break;
            page = { ...page, after: cut.nextKey };
          }
        }),
        { numRuns: QUESTIONS, seed: 20_261_122 },
      );
      // Not all questions may have been empty ones.
      expect(total.rows).toBeGreaterThan((kind.startsWith('vintages') ? 8 : 0.4) * QUESTIONS);
      expect(total.pages).toBeGreaterThanOrEqual(QUESTIONS / 2);
      expect(total.previous > 0).toBe(!kind.startsWith('vintages'));
    },
    3_600_000,
  );
});

describe('a large page by period', () => {
  it.each(['asc', 'desc'] as const)('%s has the rows of the engine, and other requests run while it is cut', async (order) => {
    const page: PageOf<ObservationSort> = { sort: 'period_end', order, after: null, limit: 9001 };
    // The columns are in memory from then on.
    await listVintages(snapshot, snapshot.catalogue.series, UNFILTERED, page);
    let turns = 0;
    const count = () => {
      turns += 1;
      next = setImmediate(count);
    };
    let next = setImmediate(count);
    const cut = await listVintages(snapshot, snapshot.catalogue.series, UNFILTERED, page);
    clearImmediate(next);
    expect([cut.rows.length, cut.nextKey === null]).toEqual([9001, false]);
    expect(turns).toBeGreaterThanOrEqual(4);
    expect(cut).toEqual(await listVintages(engine, snapshot.catalogue.series, UNFILTERED, page));
  });
});

it(`the newest values that a screen reads equal published.states (${QUESTIONS} questions)`, async () => {
  const fields = [...(await screenerFields(snapshot))].filter(
    ([field, type]) => type === 'number' && snapshot.catalogue.byCanonicalId.has(field),
  );
  const drawn = fc.record({
    places: fc.array(fc.nat(), { minLength: 1, maxLength: 6 }),
    moment: fc.option(fc.tuple(fc.nat(), fc.constantFrom(-1, 0, 1)), { freq: 3 }),
    historyFrom: fc.constantFrom(null, HISTORY_FROM),
  });
  const total = { rows: 0, past: 0 };
  await fc.assert(
    fc.asyncProperty(drawn, async ({ places, moment, historyFrom }) => {
      const refs = places.map((place) => ({ field: at(fields, place)[0], modifier: null }));
      const [first] = snapshot.catalogue.byCanonicalId.get(refs[0]?.field ?? '') ?? [];
      const [pack] = (await snapshot.packs?.read(first === undefined ? [] : [first.seriesNo])) ?? [];
      if (pack === undefined) return;
      const { asOf } = filtersOf({ ...NOTHING_ASKED, moments: { ...NO_MOMENTS, asOf: moment } }, pack);
      const looked = { asOf, at: Date.parse(snapshot.knowledgeCutoff), historyFrom };
      const read = async (from: SnapshotReader) =>
        (await readFields(from, looked, refs)).rows
          .map(({ seriesNo, period, periodEnd, value, vintage, observedAt, retrievedAt }) =>
            JSON.stringify([seriesNo, period, periodEnd, value, vintage, observedAt, retrievedAt]),
          )
          .sort();
      const rows = await read(snapshot);
      expect(rows).toEqual(await read(engine));
      total.rows += rows.length;
      total.past += asOf === null ? 0 : rows.length;
    }),
    { numRuns: QUESTIONS, seed: 20_261_122 },
  );
  expect(total.rows - total.past).toBeGreaterThan(QUESTIONS / 10);
  expect(total.past).toBeGreaterThan(QUESTIONS / 2);
}, 3_600_000);

it('a screen of newest values judges each at its own moment, whatever was judged before', async () => {
  const fields = [...(await screenerFields(snapshot))]
    .filter(([field]) => snapshot.catalogue.byCanonicalId.has(field))
    .filter((_, place) => isLong || place % 5 === 1);
  const { newest: prints } = snapshot;
  if (prints === null) throw new Error('the snapshot has no newest prints');
  const cutoff = Date.parse(snapshot.knowledgeCutoff);
  // Just before and at each moment from which a verdict is another one, forth and back.
  const turns = fields.flatMap(([field]) =>
    (snapshot.catalogue.byCanonicalId.get(field) ?? []).map((one) => verdictTurnsAt(one, one.latestPeriodEnd, cutoff)),
  );
  const sorted = [...new Set(turns.filter(Number.isFinite))].sort((a, b) => a - b);
  const ahead = sorted.filter((_, place) => isLong || place % Math.ceil(sorted.length / 3) === 0).flatMap((turn) => [turn - 1, turn]);
  const moments = [cutoff, ...ahead, ...ahead.toReversed(), cutoff];
  /** What the engine answers depends on the moment alone: it is asked once. */
  const ofEngine = new Map<number, Awaited<ReturnType<typeof screen>>>();
  const verdicts = new Set<string>();
  for (const moment of moments) {
    const asked = {
      universe: 'entities',
      entityType: null,
      country: null,
      sector: null,
      filter: [],
      ranking: [],
      columns: fields.map(([field]) => ({ field, modifier: null })),
      isFreshOnly: false,
      isEligibleOnly: false,
      asOf: null,
      at: moment,
      historyFrom: null,
    } as const;
    const page = { sort: 'rank', order: 'asc', begin: 0, limit: 10_000 } as const;
    const found = await screen(snapshot, asked, page);
    const same = ofEngine.get(moment) ?? (await screen(engine, asked, page));
    ofEngine.set(moment, same);
    expect(found).toEqual(same);
    for (const row of found.rows)
      for (const value of Object.values(row.values)) verdicts.add(`${value.freshnessStatus} ${value.scoringEligible}`);
  }
  expect(ahead.length).toBeGreaterThan(5);
  expect([...verdicts]).toEqual(expect.arrayContaining(['fresh true', 'fresh false', 'stale false']));
});

/** Of the engine by the general statement, which no print lies ready for. */
function newest(
  from: SnapshotReader,
  series: Parameters<typeof listLatest>[1],
  filters: VintageFilters,
  page: PageOf<ObservationSort>,
  historyFrom: string | null,
): ReturnType<typeof listLatest> {
  if (from !== engine) return listLatest(from, series, filters, page, historyFrom);
  return runPaged(from, observationsLatest, { ...bindSeries(from, series, filters), historyFrom }, page);
}

async function inParts(...[from, series, filters, page]: Parameters<Read>): ReturnType<Read> {
  const { rows, nextKey } = await readVintages({ snapshot: from, series, filters, page });
  const all: Awaited<ReturnType<Read>>['rows'][number][] = [];
  for await (const part of rows.parts(33)) all.push(...part);
  return { rows: all, nextKey };
}
type Read = (
  from: SnapshotReader,
  ...asked: Parameters<typeof listVintages> extends [unknown, ...infer Asked] ? Asked : never
) => ReturnType<typeof listVintages>;

function at<Item>(items: readonly Item[], place: number): Item {
  const item = items[place % items.length];
  if (item === undefined) throw new Error('an empty list');
  return item;
}

type Filtered = Pick<Question, 'moments' | 'days' | 'vintage' | 'releaseNumber' | 'numericOnly' | 'backfill'>;

function filtersOf({ moments, days, vintage, releaseNumber, numericOnly, backfill }: Filtered, pack: Pack): VintageFilters {
  const instant = (drawn: readonly [number, number] | null) =>
    drawn === null ? null : new Date(Math.trunc(at([...pack.observedAt], drawn[0]) / 1000) + drawn[1]).toISOString();
  const day = (drawn: number | null) =>
    drawn === null ? null : new Date(at([...pack.periodEnd], drawn) * 86_400_000).toISOString().slice(0, 10);
  return {
    asOf: instant(moments.asOf),
    observedFrom: instant(moments.observedFrom),
    observedTo: instant(moments.observedTo),
    periodFrom: day(days.periodFrom),
    periodTo: day(days.periodTo),
    vintage,
    releaseNumber,
    numericOnly,
    backfill,
  };
}

// Two rows of one period known at one moment, rows without a value, an infinite and a negative one, texts that repeat, microseconds.
const BY_HAND = `
  create table vintages as select * from (values
    (7, '2020-04', date '2020-04-30', 1.5,  'b', '2020-05-01 12:00:00.000001+00', '2020-06-01 00:00:00+00', null, 1, false, false, '2020-05-01 08:00:00+00', '2026-01-01 00:00:00+00', 'run_1', 18446744073709551615, ['cpi', 'gdp'], 'P'),
    (7, '2020-04', date '2020-04-30', null, 'a', '2020-06-01 00:00:00+00', null, '2020-05-01 12:00:00.000001+00', 2, true, false, null, '2026-01-01 00:00:00+00', null, 9, null, null),
    (7, '2020-04', date '2020-04-30', -2.0, 'c', '2020-06-01 00:00:00+00', null, '2020-05-01 12:00:00.000001+00', 3, true, false, null, '2026-01-01 00:00:00+00', null, 5, [], 'E'),
    (9, '1960-01', date '1960-01-31', 3.0,  'a', '2020-05-01 12:00:00+00', null, null, 1, false, true, null, '2026-01-01 00:00:00+00', 'run_2', 4294967296, ['cpi'], null)
  ) as rows (series_no, period, period_end, value, vintage, observed_at, known_to, prior_observed_at, release_no, is_revised, is_backfill, released_at, retrieved_at, source_run_id, id_hash, derived_from, obs_status)`;

async function packsByHand(): Promise<string> {
  const file = join(await mkdtemp(join(folder, 'packs-')), 'by-hand.packs');
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await connection.run("set TimeZone = 'UTC'");
  await connection.run(
    BY_HAND.replace(
      'select *',
      `select * replace (observed_at::timestamptz as observed_at, known_to::timestamptz as known_to, value::double as value, derived_from::varchar[] as derived_from,
        prior_observed_at::timestamptz as prior_observed_at, released_at::timestamptz as released_at, retrieved_at::timestamptz as retrieved_at,
        id_hash::ubigint as id_hash)`,
    ),
  );
  await writePacks(connection, 'vintages', file);
  connection.closeSync();
  instance.closeSync();
  return file;
}

async function opened(file: string): Promise<Packs & { readonly close: () => Promise<void> }> {
  const packs = await openPacks(file, 1_000_000);
  if (packs === null) throw new Error('no packs');
  return packs;
}

describe('packs', () => {
  it('return each row unchanged, ties by id', async () => {
    const packs = await opened(await packsByHand());
    const read = (await packs.read([7, 8, 9])) ?? [];
    const page = { sort: 'observed_at', order: 'asc', after: null, limit: 10 } as const;
    const found = await vintagesOfPacks(
      { filters: { ...UNFILTERED, vintage: 'all' }, page },
      { packs: read, texts: packs.texts, seriesAt },
    );
    const rows = await found.rows.all();
    await packs.close();
    expect(rows.map((row) => row.obsStatus)).toEqual([null, 'P', 'E', null]);
    expect(rows.map((row) => [row.seriesNo, row.period, row.periodEnd, row.value, row.vintage, row.releaseNo, row.isRevised])).toEqual([
      [9, '1960-01', '1960-01-31', 3, 'a', 1, false],
      [7, '2020-04', '2020-04-30', 1.5, 'b', 1, false],
      [7, '2020-04', '2020-04-30', -2, 'c', 3, true],
      [7, '2020-04', '2020-04-30', null, 'a', 2, true],
    ]);
    expect(
      rows.map((row) => [row.observedAt, row.releasedAt, row.retrievedAt, row.sourceRunId, String(row.idHash), row.derivedFrom]),
    ).toEqual([
      ['2020-05-01T12:00:00.000Z', null, '2026-01-01T00:00:00.000Z', 'run_2', '4294967296', ['cpi']],
      ['2020-05-01T12:00:00.000Z', '2020-05-01T08:00:00.000Z', '2026-01-01T00:00:00.000Z', 'run_1', '18446744073709551615', ['cpi', 'gdp']],
      ['2020-06-01T00:00:00.000Z', null, '2026-01-01T00:00:00.000Z', null, '5', []],
      ['2020-06-01T00:00:00.000Z', null, '2026-01-01T00:00:00.000Z', null, '9', null],
    ]);
  });

  it('return rows by period, ties by id in both directions, and end a page at the exact microsecond', async () => {
    const packs = await opened(await packsByHand());
    const read = (await packs.read([7])) ?? [];
    const pageOf = (order: 'asc' | 'desc', limit: number, after: PageOf<ObservationSort>['after']) => {
      const page = { sort: 'period_end', order, after, limit } as const;
      return together(vintagesOfPacks({ filters: { ...UNFILTERED, vintage: 'all' }, page }, { packs: read, texts: packs.texts, seriesAt }));
    };
    const vintages = async (order: 'asc' | 'desc', limit: number) => (await pageOf(order, limit, null)).rows.map((row) => row.vintage);
    expect([await vintages('asc', 3), await vintages('desc', 3)]).toEqual([
      ['b', 'c', 'a'],
      ['c', 'a', 'b'],
    ]);
    expect([await vintages('asc', 2), await vintages('desc', 2)]).toEqual([
      ['b', 'c'],
      ['c', 'a'],
    ]);
    const first = await pageOf('asc', 1, null);
    expect(first.nextKey).toEqual(['2020-04-30', '2020-05-01 12:00:00.000001+00', '18446744073709551615']);
    expect((await pageOf('asc', 3, first.nextKey)).rows.map((row) => row.vintage)).toEqual(['c', 'a']);
    await packs.close();
  });

  it('are refused if the engine fails midway, which looks like the end of its stream', async () => {
    const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
    const connection = await instance.connect();
    await connection.run(`create table many as select place // 500 as series_no, '2020' as period, date '2000-01-01' + (place % 500)::integer as period_end,
      1.0::double as value, 'a' as vintage, now() as observed_at, null::timestamptz as known_to, null::timestamptz as prior_observed_at,
      1 as release_no, false as is_revised, false as is_backfill, null::varchar as obs_status, now() as released_at, now() as retrieved_at, 'r' as source_run_id, 1::ubigint as id_hash,
      null::varchar[] as derived_from from range(30000) places (place)`);
    await connection.run(
      "create view broken as select * replace (if(series_no >= 50, error('the disk has a fault')::double, value) as value) from many",
    );
    const file = join(folder, 'broken.packs');
    await expect(writePacks(connection, 'broken', file)).rejects.toThrow(/of 30000 vintages/);
    expect(existsSync(file)).toBe(false);
    connection.closeSync();
    instance.closeSync();
  });

  it('are refused if the rows of a series are scattered or out of order', async () => {
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    await connection.run(`create table one as select 1 as series_no, '2020' as period, date '2020-12-31' - day::integer as period_end, 1.0::double as value,
      'a' as vintage, now() as observed_at, null::timestamptz as known_to, null::timestamptz as prior_observed_at, 1 as release_no, false as is_revised, false as is_backfill, null::varchar as obs_status,
      now() as released_at, now() as retrieved_at, 'r' as source_run_id, 1::ubigint as id_hash, null::varchar[] as derived_from from range(3) days (day)`);
    const file = join(folder, 'refused.packs');
    await expect(writePacks(connection, 'one', file)).rejects.toThrow('the vintages of series 1 do not lie by period and time');
    await connection.run(
      'create table apart as select * replace (if(period_end = (select max(period_end) from one), 1, period_end.day()) as series_no) from one union all (from one limit 1)',
    );
    await expect(writePacks(connection, 'apart', file)).rejects.toThrow('the vintages of series 1 do not lie together');
    connection.closeSync();
    instance.closeSync();
  });

  it.each([
    ['a flipped bit in a pack is not read: the engine is asked', 3, true],
    ['a flipped bit in the texts', -60, false],
    ['a flipped bit in the trailer', -30, false],
  ])('%s', async (_, place, isOpened) => {
    const file = await packsByHand();
    const bytes = await readFile(file);
    const index = place < 0 ? bytes.length + place : place;
    bytes[index] = (bytes[index] ?? 0) ^ 4;
    await writeFile(file, bytes);
    const packs = await openPacks(file, 1_000_000);
    expect(packs !== null).toBe(isOpened);
    expect((await packs?.read([7])) ?? null).toBeNull();
    await packs?.close();
  });

  it('that are cut off are not opened', async () => {
    const file = await packsByHand();
    const handle = await open(file, 'r+');
    const { size } = await handle.stat();
    await handle.truncate(size - 1);
    await handle.close();
    expect(await openPacks(file, 1_000_000)).toBeNull();
  });
});
