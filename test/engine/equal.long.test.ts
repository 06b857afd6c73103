// ClickHouse and DuckDB answer alike: screens, lists, newest periods and changes drawn at random over lakes drawn at random, rows, order, keys and types.
// ENGINE_DRAWS says how many (npm run test:engine: 10,000).
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { piecesOf } from '../../src/disk/durable.ts';
import { openCluster, type ClusterConnection } from '../../src/engine/connection.ts';
import { engineOver } from '../../src/engine/heavy.ts';
import { loadSnapshot } from '../../src/engine/load.ts';
import { heldLoads, loadOf, tablesOf, TABLES } from '../../src/engine/loads.ts';
import type { Manifest } from '../../src/model/manifest.ts';
import { parseColumns } from '../../src/model/screener-dsl.ts';
import { countBackfills, listChanges, observationsLatest, observationsList, bindSeries } from '../../src/queries/reads/engine.ts';
import type { VintageFilters } from '../../src/queries/reads/rows.ts';
import type { ObservationSort } from '../../src/queries/reads/order.ts';
import { type PageOf, runPaged } from '../../src/queries/paging.ts';
import { preferredVintages } from '../../src/queries/preferred.ts';
import { screen } from '../../src/queries/screener/screener.ts';
import type { Snapshot } from '../../src/queries/snapshot.ts';
import { seriesWith } from '../boundaries/by-hand/series.ts';
import { openRelations, type Print, type Relations } from '../boundaries/by-hand/tables.ts';
import { UNFILTERED } from '../pipeline.ts';
import { drawLake, drawScreen, type Luck, luckOf, screenedOf } from '../screener/draws.ts';
import { createScreened, type ScreenedLake, snapshotOf } from '../screener/screens-by-hand.ts';
import { type Cluster, NO_CLUSTER, startCluster } from './cluster.ts';

const DRAWS = Number(process.env['ENGINE_DRAWS'] ?? 240);
const SEED = Number(process.env['ENGINE_SEED'] ?? 20_261_124);
/** Questions of a lake. */
const OF_A_LAKE = 250;
/** Values with a spread that are compared of each lake: some have few. */
const LEAST_SPREADS = 20;
/** Pairs of cutoffs that each lake is asked at. */
const PAIRS = 20;
const LAKES = Math.ceil(DRAWS / OF_A_LAKE);

/** What engines are known to differ in: fractions that do not end, zeros with a sign, the least and the largest, days outside of a calendar, microseconds, texts. */
function hardSeries(firstNo: number): Pick<ScreenedLake, 'series' | 'prints'> {
  const values = [
    0.1,
    0.2,
    0.3,
    -0,
    0,
    5e-324,
    1e15 + 0.3,
    -1.7976931348623157e308,
    123_456_789.123_456_79,
    1 / 3,
    null,
    2.2250738585072014e-308,
  ];
  const seriesOf = (seriesNo: number, entityId: string, canonicalId: string) =>
    seriesWith({
      seriesNo,
      entityId,
      entityType: 'country',
      canonicalId,
      indicatorId: `${entityId}_${canonicalId}_hard`,
      sourceId: 'hard',
    });
  const monthEnd = (year: number, month: number) => new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
  const fractions = Array.from({ length: 40 }, (_, index): Print[] => {
    const periodEnd = monthEnd(2020, index + 1);
    const print = { seriesNo: firstNo, period: periodEnd.slice(0, 7), periodEnd, value: (index * 0.1) / 3 };
    const observedAt = `2023-12-${String(1 + (index % 28)).padStart(2, '0')}T23:59:59.999999Z`;
    return [
      { ...print, observedAt },
      // The very microsecond after the one that a cutoff in milliseconds can name.
      {
        ...print,
        value: values[index % values.length] ?? null,
        observedAt: '2024-01-31T12:00:00.000001Z',
        vintage: `tab\there 'quoted' \\ ${index} é 日本`,
        isDerived: index % 2 === 0,
        obsStatus: ['A', 'P', null][index % 3] ?? null,
      },
    ];
  });
  const outside = ['1849-02-28', '1850-02-28', '2400-02-28', '2401-02-28', '2400-02-29'].map(
    (periodEnd, index): Print => ({
      seriesNo: firstNo + 1,
      period: periodEnd,
      periodEnd,
      value: index + 0.1,
      observedAt: `2022-0${index + 1}-01T00:00:00.000Z`,
      releasedAt: `2022-0${index + 1}-01T00:00:00.000Z`,
      runId: null,
    }),
  );
  // Each month raises the one before it, whose first value ends at that very moment; their sums depend on the order of adding.
  const raised = Array.from({ length: 40 }, (_, index): Print[] => {
    const printOf = (at: number, more: number) => ({
      seriesNo: firstNo + 3,
      period: monthEnd(2020, at + 1).slice(0, 7),
      periodEnd: monthEnd(2020, at + 1),
      value: (at * 0.1) / 3 + more,
      observedAt: new Date(Date.UTC(2020, index + 1, 12, 12)).toISOString(),
    });
    return [...(index === 0 ? [] : [printOf(index - 1, 0.7)]), printOf(index, 0.1)];
  });
  return {
    series: [
      seriesOf(firstNo, 'us', 'alpha'),
      seriesOf(firstNo + 1, 'fr', 'alpha'),
      seriesOf(firstNo + 2, 'de', 'beta'),
      seriesOf(firstNo + 3, 'br', 'beta'),
    ],
    prints: [
      ...raised.flat(),
      ...fractions.flat(),
      ...outside,
      { seriesNo: firstNo + 2, period: '2024', periodEnd: '2024-03-31', value: 7.7, observedAt: '2024-04-01T00:00:00.000Z' },
    ],
  };
}

function lakeOf(luck: Luck): ScreenedLake {
  const lake = drawLake(luck);
  const hard = hardSeries(Math.max(...lake.series.map((one) => one.seriesNo)) + 5);
  return { ...lake, series: [...lake.series, ...hard.series], prints: [...lake.prints, ...hard.prints] };
}

/** Publishes the tables of a lake by hand as files, and has them loaded. */
async function load(relations: Relations, cluster: ClusterConnection, lake: ScreenedLake, folder: string, snapshotId: string) {
  await relations.table(
    'main.named',
    'series_no integer, indicator_id varchar',
    lake.series.map(({ seriesNo, indicatorId }) => ({ seriesNo, indicatorId })),
  );
  await relations.connection.run(
    'create or replace table published.series as select * from published.series inner join named using (series_no)',
  );
  // Identifiers of 64 bits, of which no two are equal.
  await relations.connection.run(`create or replace table published.vintages as
    with numbered as (select *, row_number() over (order by ingested_at, series_no, period_end) as number from published.vintages)
    select * exclude (number) replace (number as change_sequence, (number::hugeint * 11400714819323198485 % 18446744073709551616)::ubigint as id_hash) from numbered`);
  const resources = [];
  for (const table of TABLES) {
    const path = join(folder, `${snapshotId}-${table}.parquet`);
    await relations.connection.run(`copy (from published.${table}) to '${path}' (format parquet)`);
    const [count] = await relations.rows(`select count(*) as n from '${path}'`);
    resources.push({ table, path, rowCount: Number(count?.['n']), bytes: (await stat(path)).size });
  }
  await loadSnapshot(cluster, { snapshotId, resources } as unknown as Manifest, {
    pathOf: ({ path }) => path,
    read: piecesOf,
    keep: 2,
    now: Date.now,
    random: Math.random,
    limits: { threads: 1, memory: '200MB', tempDirectory: folder, tempSize: '1GB' },
  });
  const found = loadOf(await heldLoads(cluster, { seconds: 60 }), snapshotId);
  if (found === null) throw new Error(`${snapshotId} is not held`);
  return engineOver(cluster, tablesOf(found));
}

const SORTS: readonly ObservationSort[] = ['period_end', 'observed_at', 'release_date', 'indicator_id', 'actual'];

function drawFilters(luck: Luck, lake: ScreenedLake): VintageFilters {
  const moment = (share: number) =>
    luck.is(share) ? new Date(Date.parse(luck.pick(lake.prints).observedAt) + luck.pick([-1, 0, 1])).toISOString() : null;
  const day = (share: number) => (luck.is(share) ? luck.pick([luck.pick(lake.prints).periodEnd, '0001-01-01', '9999-12-31']) : null);
  return {
    asOf: luck.is(0.05) ? luck.pick(['0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z']) : moment(0.5),
    observedFrom: moment(0.2),
    observedTo: moment(0.2),
    periodFrom: day(0.2),
    periodTo: day(0.15),
    vintage: luck.pick(['latest', 'latest', 'first', 'all']),
    releaseNumber: luck.is(0.1) ? 1 + luck.below(3) : null,
    numericOnly: luck.is(0.3),
    backfill: luck.is(0.6) ? null : luck.is(0.7),
  };
}

describe.skipIf(NO_CLUSTER !== null)(`both engines${NO_CLUSTER === null ? '' : ` (${NO_CLUSTER})`}`, { timeout: 8 * 3_600_000 }, () => {
  let server: Cluster;
  let cluster: ClusterConnection;
  let relations: Relations;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'asof-engine-'));
    server = await startCluster();
    cluster = openCluster(server.url);
    relations = await openRelations();
  });
  afterAll(async () => {
    relations.close();
    await cluster.close();
    await server.stop();
    await rm(folder, { recursive: true });
  });

  it.each(Array.from({ length: LAKES }, (_, index) => SEED + index))(
    `give the same answer (${DRAWS} questions in all; lake %i)`,
    async (seed) => {
      const luck = luckOf(seed);
      const lake = lakeOf(luck);
      await createScreened(relations, lake);
      const engine = await load(relations, cluster, lake, folder, `snap_${seed}`);
      const rows = { screen: 0, list: 0, latest: 0, changes: 0, pages: 0 };
      for (let number = 0; number < Math.min(OF_A_LAKE, DRAWS); number += 1) {
        const kind = luck.pick(['screen', 'screen', 'screen', 'list', 'list', 'latest', 'changes'] as const);
        if (kind === 'screen') {
          const { screen: asked, page, grants, text } = drawScreen(luck, screenedOf(luck, lake));
          const local = snapshotOf(relations, lake, grants);
          const found = await screen({ ...local, engine }, asked, page);
          expectSame(text, found, await screen(local, asked, page));
          rows.screen += found.rows.length;
        } else rows[kind] += await compareLists(kind, luck, lake, snapshotOf(relations, lake), engine, () => (rows.pages += 1));
      }
      // Of those drawn few ask for the spread of a series that has enough values.
      const screened = screenedOf(luck, lake);
      const columns = parseColumns('alpha@z3y,beta@z3y,gamma@z3y', screened.fields);
      const everything = { entityType: null, country: null, sector: null, filter: [], ranking: [], historyFrom: null, isFreshOnly: false };
      let spreads = 0;
      for (let moment = 0; moment < 10 || (spreads <= LEAST_SPREADS && moment < 100); moment += 1) {
        const asOf = screened.moment();
        const asked = { ...everything, universe: 'entities', isEligibleOnly: false, columns, asOf, at: Date.parse(asOf) } as const;
        const page = { sort: 'name', order: 'asc', begin: 0, limit: 100 } as const;
        const local = snapshotOf(relations, lake);
        const found = await screen({ ...local, engine }, asked, page);
        expectSame(`spreads as of ${asOf}`, found, await screen(local, asked, page));
        spreads += found.rows.flatMap(({ values }) => Object.values(values).filter(({ value }) => value !== null)).length;
      }
      expect(spreads).toBeGreaterThan(LEAST_SPREADS);
      expect(await compareCutoffs(luck, lake, snapshotOf(relations, lake), engine)).toBeGreaterThan(PAIRS);
      // Questions that leave nothing would compare nothing.
      expect(Math.min(rows.screen, rows.list, rows.latest, rows.changes, rows.pages)).toBeGreaterThan(Math.min(OF_A_LAKE, DRAWS) / 20);
    },
  );
});

async function compareLists(
  kind: 'list' | 'latest' | 'changes',
  luck: Luck,
  lake: ScreenedLake,
  local: Snapshot,
  engine: Snapshot['engine'],
  onPage: () => void,
): Promise<number> {
  const remote: Snapshot = { ...local, engine: engine ?? null };
  const share = luck.pick([0.05, 0.5, 1]);
  const series = local.catalogue.series.filter(() => luck.is(share));
  if (series.length === 0) return 0;
  const filters = drawFilters(luck, lake);
  const told = JSON.stringify([kind, filters, series.map((one) => one.seriesNo)]);
  if (kind === 'changes') {
    const asked = { ...filters, since: luck.is(0.4) ? luck.pick(lake.prints).observedAt.slice(0, 19) + 'Z' : null };
    const after = luck.is(0.4) ? { sequence: luck.below(lake.prints.length), idHash: String(luck.below(104_729)) } : null;
    const limit = luck.pick([1, 7, 500]);
    const found = await listChanges(remote, series, asked, after, limit);
    expectSame(told, found, await listChanges(local, series, asked, after, limit));
    return found.rows.length;
  }
  expectSame(told, await countBackfills(remote, series, filters), await countBackfills(local, series, filters));
  const { numericOnly } = filters;
  const bound = bindSeries(local, series, filters);
  const historyFrom = luck.is(0.2) ? '2022-01-01' : null;
  let page: PageOf<ObservationSort> = {
    sort: luck.pick(SORTS),
    order: luck.pick(['asc', 'desc']),
    after: null,
    limit: luck.pick([1, 3, 50, 2000]),
  };
  const read = (from: Snapshot) =>
    kind === 'list'
      ? runPaged(from, observationsList, { ...bound, numericOnly }, page)
      : runPaged(from, observationsLatest, { ...bound, historyFrom }, page);
  let rows = 0;
  for (let pages = 0; pages < 3; pages += 1) {
    const found = await read(remote);
    expect([told, page, found]).toStrictEqual([told, page, await read(local)]);
    rows += found.rows.length;
    onPage();
    if (kind === 'list' && luck.is(0.3)) {
      const at = Date.parse(local.knowledgeCutoff);
      expectSame(
        told,
        await preferredVintages(remote, series, filters, page, at),
        await preferredVintages(local, series, filters, page, at),
      );
    }
    if (found.nextKey === null) break;
    page = { ...page, after: found.nextKey };
  }
  return rows;
}

/** Compares the rows in force at pairs of cutoffs: as_of before observed_to, and after it. Returns the number of rows. */
async function compareCutoffs(luck: Luck, lake: ScreenedLake, local: Snapshot, engine: Snapshot['engine']): Promise<number> {
  const remote: Snapshot = { ...local, engine: engine ?? null };
  const page = { sort: 'period_end', order: 'asc', after: null, limit: 2000 } as const;
  let rows = 0;
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const [earlier = '', later = ''] = [luck.pick(lake.prints).observedAt, luck.pick(lake.prints).observedAt].toSorted();
    for (const [asOf, observedTo] of [
      [earlier, later],
      [later, earlier],
    ] as const) {
      const filters: VintageFilters = { ...UNFILTERED, asOf, observedTo };
      const bound = bindSeries(local, local.catalogue.series, filters);
      const ask = (from: Snapshot) => runPaged(from, observationsList, { ...bound, numericOnly: filters.numericOnly }, page);
      const found = await ask(remote);
      expectSame(JSON.stringify(filters), found, await ask(local));
      rows += found.rows.length;
    }
  }
  return rows;
}

function expectSame(told: string, found: unknown, wanted: unknown): void {
  expect([told, found]).toStrictEqual([told, wanted]);
}
