// Reads and screens drawn at random over the generated lake on which everything is timed: as of any moment, of the newest, of the n-th release, they answer what all
// vintages of a series, gone through one by one, say. Cells of panels are what the rules choose from the latest rows. `npm run test:draws` draws 10,000 over ten million vintages; DRAWS_SEED repeats what a run drew.
import { mkdir } from 'node:fs/promises';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { generatedLake, type Lake, limitsOf } from '../../bench/generate.ts';
import { asof, type Server } from '../../bench/groups/http.ts';
import { filesOf, manifestOf } from '../../bench/subject.ts';
import { toValue } from '../../src/db/rows.ts';
import type { Series } from '../../src/model/catalogue.ts';
import type { Fields } from '../../src/model/screener-dsl.ts';
import { screen } from '../../src/queries/screener/screener.ts';
import { openSnapshot, type SnapshotReader } from '../../src/snapshot/serving/reader.ts';
import { compareDraws } from '../panels/choice.ts';
import { drawScreen, type Luck, luckOf } from '../screener/draws.ts';
import { pageOf, referenceScreen, rounded } from '../screener/reference.ts';

const VINTAGES = Number(process.env['DRAWS_VINTAGES'] ?? '300000');
const DRAWS = Number(process.env['DRAWS'] ?? '400');
const SEED = Number(process.env['DRAWS_SEED'] ?? '1');
const DAY = 86_400_000;
const MOST_ROWS = 100;

/** A vintage as the publisher said it, times in ISO form. */
const Print = z.strictObject({ period: z.string(), periodEnd: z.string(), value: z.number().nullable(), observedAt: z.string() });
type Print = z.infer<typeof Print>;

interface Row {
  readonly indicatorId: string;
  readonly period: string;
  readonly periodEnd: string;
  readonly actual: number | null;
  readonly observedAt: string;
  readonly vintage: string;
  readonly revised: boolean;
}

interface Asked {
  readonly as_of?: string;
  readonly observed_from?: string;
  readonly observed_to?: string;
  readonly start_date?: string;
  readonly end_date?: string;
  readonly vintage?: 'latest' | 'first' | 'all';
  readonly release_number?: number;
  readonly numeric_only?: 'true';
}

const byTime = (a: Print, b: Print) => (a.observedAt < b.observedAt ? -1 : 1);

function groupedByPeriod(prints: readonly Print[]): readonly (readonly Print[])[] {
  const grouped = new Map<string, Print[]>();
  for (const print of prints) {
    const own = grouped.get(print.periodEnd) ?? [];
    own.push(print);
    grouped.set(print.periodEnd, own);
  }
  return [...grouped.values()];
}

const endOf = (moment: string) => (moment.length === 10 ? `${moment}T23:59:59.999Z` : moment);

/** Of one period: what is left of its prints, in order of time. */
function leftOf(prints: readonly Print[], asked: Asked): readonly Print[] {
  const all = prints.toSorted(byTime);
  const cutoff = [asked.as_of, asked.observed_to].flatMap((one) => (one === undefined ? [] : [endOf(one)])).toSorted()[0] ?? '9';
  const known = all.filter(({ observedAt }) => observedAt <= cutoff);
  const since = known.filter(({ observedAt }) => observedAt >= (asked.observed_from ?? ''));
  const chosen =
    asked.release_number !== undefined
      ? since.filter((print) => all.indexOf(print) + 1 === asked.release_number)
      : asked.vintage === 'all'
        ? since
        : asked.vintage === 'first'
          ? since.slice(0, 1)
          : since.slice(-1);
  return chosen.filter(({ value }) => asked.numeric_only === undefined || value !== null);
}

function isAskedFor({ periodEnd }: Print, { start_date: from = '', end_date: to = '9' }: Asked): boolean {
  return periodEnd >= from && periodEnd <= to;
}

function expectedRows(series: Series, prints: readonly Print[], asked: Asked): readonly Row[] {
  return groupedByPeriod(prints.filter((print) => isAskedFor(print, asked))).flatMap((ofPeriod) => {
    const [first] = ofPeriod.toSorted(byTime);
    return leftOf(ofPeriod, asked).map((print) => rowOf(series, print, print.value !== first?.value));
  });
}

const rowOf = ({ indicatorId }: Series, { period, periodEnd, value, observedAt }: Print, revised: boolean): Row => ({
  indicatorId,
  period,
  periodEnd,
  actual: value,
  observedAt,
  vintage: observedAt.slice(0, 10),
  revised,
});

/** The newest period with a value as known at the cutoff, and the one before it as known until then and after. */
function expectedLatest(series: Series, prints: readonly Print[], asOf: string | undefined) {
  const inForce = (before: (print: Print) => boolean) =>
    groupedByPeriod(prints.filter(before)).flatMap((ofPeriod) => ofPeriod.toSorted(byTime).slice(-1));
  const cutoff = asOf === undefined ? '9' : endOf(asOf);
  const newest = inForce(({ observedAt }) => observedAt <= cutoff)
    .filter(({ value }) => value !== null)
    .toSorted((a, b) => (a.periodEnd < b.periodEnd ? 1 : -1))[0];
  if (newest === undefined) return [];
  const first = prints.filter(({ periodEnd }) => periodEnd === newest.periodEnd).toSorted(byTime)[0];
  const earlier = prints.filter((print) => print.periodEnd < newest.periodEnd && print.observedAt <= newest.observedAt);
  const end = earlier.flatMap(({ periodEnd, value }) => (value === null ? [] : [periodEnd])).reduce((a, b) => (a > b ? a : b), '');
  const ofPrior = earlier.filter(({ periodEnd }) => periodEnd === end).toSorted(byTime);
  const after = ofPrior.at(-1)?.value ?? null;
  const before = ofPrior.filter(({ observedAt }) => observedAt < newest.observedAt).at(-1)?.value ?? null;
  return [
    {
      ...rowOf(series, newest, newest.value !== first?.value),
      previous: before ?? after,
      revisedPrevious: before === null || before === after ? null : after,
    },
  ];
}

let lake: Lake;
let server: Server;
let reader: SnapshotReader;
let printsOf: (series: Series) => Promise<readonly Print[]>;
let close: () => void;

beforeAll(
  async () => {
    lake = await generatedLake(VINTAGES, () => undefined);
    server = await asof(lake);
    const manifest = await manifestOf(lake);
    const limits = limitsOf(lake.dataDir, '2GB');
    await mkdir(limits.tempDirectory, { recursive: true });
    reader = await openSnapshot(lake.paths, manifest, { limits, connections: 1 });
    const instance = await DuckDBInstance.create(':memory:', { threads: '2', memory_limit: '3GB' });
    const connection = await instance.connect();
    await connection.run("set TimeZone = 'UTC'");
    await connection.run(
      `create table prints as select series_no, period, period_end, value, observed_at from read_parquet([${filesOf(lake, manifest, 'vintages')}])`,
    );
    const statement = await connection.prepare('select period, period_end, value, observed_at from prints where series_no = $1');
    printsOf = async ({ seriesNo }) => {
      statement.bind([seriesNo]);
      const rows = (await statement.runAndReadAll()).getRows().map((row) => row.map(toValue));
      return rows.map((row) =>
        Print.parse(Object.fromEntries(['period', 'periodEnd', 'value', 'observedAt'].map((name, at) => [name, row[at]]))),
      );
    };
    close = () => {
      connection.closeSync();
      instance.closeSync();
    };
  },
  4 * 3600 * 1000,
);

afterAll(async () => {
  close();
  reader.close();
  await server.stop();
});

async function answered(path: string, asked: Readonly<Record<string, string | number>>) {
  const query = new URLSearchParams(Object.entries(asked).map(([name, value]): [string, string] => [name, String(value)]));
  const { data } = JSON.parse(await server.fetch(`${path}?${query.toString()}`)) as { readonly data: readonly Record<string, unknown>[] };
  return data;
}

const only = (names: readonly string[]) => (row: Readonly<Record<string, unknown>>) =>
  JSON.stringify(Object.fromEntries(names.map((name) => [name, row[name]])));

/** Often the very moment of a print, or a millisecond beside it; at times a day. */
function drawMoment(luck: Luck, prints: readonly Print[]): string {
  const moment = new Date(Date.parse(luck.pick(prints).observedAt) + luck.pick([-1, 0, 0, 1, luck.below(90) * DAY])).toISOString();
  return luck.is(0.2) ? moment.slice(0, 10) : moment;
}

function drawAsked(luck: Luck, prints: readonly Print[], kind: 'as-of' | 'release'): Asked {
  const [from, to] = [luck.pick(prints).periodEnd, luck.pick(prints).periodEnd].toSorted();
  const asOf = kind === 'as-of' || luck.is(0.5) ? { as_of: drawMoment(luck, prints) } : {};
  const since = new Date(Date.parse(luck.pick(prints).observedAt)).toISOString();
  return {
    ...asOf,
    ...(kind === 'release' ? { release_number: 1 + luck.below(8) } : { vintage: luck.pick(['latest', 'latest', 'first', 'all'] as const) }),
    ...(luck.is(0.3) ? { start_date: String(from) } : {}),
    ...(luck.is(0.3) ? { end_date: String(to) } : {}),
    ...(luck.is(0.2) && (asOf.as_of === undefined || since <= endOf(asOf.as_of)) ? { observed_from: since } : {}),
    ...(luck.is(0.2) ? { numeric_only: 'true' as const } : {}),
  };
}

const ROW = ['indicatorId', 'period', 'periodEnd', 'actual', 'observedAt', 'vintage', 'revised'];

async function checkRead(luck: Luck, kind: 'as-of' | 'release'): Promise<number> {
  const series = luck.pick(reader.catalogue.series);
  const prints = await printsOf(series);
  const asked = drawAsked(luck, prints, kind);
  const [sort, key] = luck.pick([['period_end', 'periodEnd'] as const, ['observed_at', 'observedAt'] as const]);
  const order = luck.pick(['asc', 'desc']);
  const limit = 1 + luck.below(MOST_ROWS);
  const found = await answered('/observations', { indicator_id: series.indicatorId, sort, order, limit, ...asked });
  const expected = expectedRows(series, prints, asked).toSorted((a, b) => (a[key] < b[key] ? -1 : 1));
  const ordered = order === 'desc' ? expected.toReversed() : expected;
  const told = JSON.stringify({ indicatorId: series.indicatorId, sort, order, limit, ...asked });
  // Which of those that share a time comes first is for other tests: here each is one of them, and none comes twice.
  expect([told, found.map((row) => row[key])]).toEqual([told, ordered.slice(0, limit).map((row) => row[key])]);
  const all = new Set(expected.map((row) => only(ROW)({ ...row })));
  const rows = found.map(only(ROW));
  expect([told, rows.filter((row) => !all.has(row))]).toEqual([told, []]);
  expect([told, new Set(rows).size]).toEqual([told, rows.length]);
  return rows.length;
}

async function checkLatest(luck: Luck): Promise<number> {
  const chosen = [...new Set(Array.from({ length: 1 + luck.below(5) }, () => luck.pick(reader.catalogue.series)))];
  // One after the other: they share a statement.
  const prints: (readonly Print[])[] = [];
  for (const series of chosen) prints.push(await printsOf(series));
  const asOf = luck.is(0.5) ? drawMoment(luck, prints.flat()) : undefined;
  const indicators = chosen.map(({ indicatorId }) => indicatorId).join(',');
  const asked = { indicator_id: indicators, limit: 100, ...(asOf === undefined ? {} : { as_of: asOf }) };
  const found = await answered('/observations/latest', asked);
  const expected = chosen.flatMap((series, place) => expectedLatest(series, prints[place] ?? [], asOf));
  const form = only([...ROW, 'previous', 'revisedPrevious']);
  const told = JSON.stringify(asked);
  expect([told, ...found.map(form).toSorted()]).toEqual([told, ...expected.map((row) => form({ ...row })).toSorted()]);
  return found.length;
}

async function checkScreen(luck: Luck, fields: Fields): Promise<number> {
  const prints = await printsOf(luck.pick(reader.catalogue.series));
  const drawn = drawScreen(luck, {
    fields,
    texts: ['US', 'FR', 'country', 'region', 'France'],
    threshold: () => luck.below(22_000) / 10,
    moment: () => endOf(drawMoment(luck, prints)),
    cutoff: Date.parse(reader.knowledgeCutoff),
  });
  const { known, ...found } = await screen(reader, drawn.screen, drawn.page);
  const expected = { ...pageOf(await referenceScreen(reader, drawn.screen), drawn.page), withheld: [] };
  expect([drawn.text, rounded(found)]).toEqual([drawn.text, rounded(expected)]);
  const hasValue = found.rows.some(({ values }) => Object.values(values).some(({ observationId }) => observationId !== null));
  // A row with a value is of a known series.
  expect([drawn.text, known.size > 0 || !hasValue]).toEqual([drawn.text, true]);
  return found.rows.length;
}

describe('panel', { timeout: 8 * 3600 * 1000 }, () => {
  it(`has in ${Math.ceil(DRAWS / 4)} drawn cells from seed ${SEED} the row that the rules choose from the latest rows as of that moment`, async () => {
    const service = { get: async (path: string) => new Response(await server.fetch(path)) };
    const factors = [...new Set(reader.catalogue.series.map(({ canonicalId }) => canonicalId))];
    const compared = await compareDraws(service, { seed: SEED, cells: Math.ceil(DRAWS / 4), from: '1980-01-01', factors });
    process.stdout.write(`panel: ${compared.cells} cells\n`);
    expect(compared.differences).toEqual([]);
    expect(compared.cells).toBeGreaterThanOrEqual(Math.ceil(DRAWS / 4));
  });
});

describe.each(['as-of', 'latest', 'release', 'screen'] as const)('%s', { timeout: 8 * 3600 * 1000 }, (kind) => {
  it(`gives in ${Math.ceil(DRAWS / 4)} draws from seed ${SEED} the result of a scan of all vintages`, async () => {
    const luck = luckOf(SEED);
    const attributes = ['name', 'country', 'entity_type', 'sector'].map((name) => [name, 'string'] as const);
    const fields: Fields = new Map([...[...reader.catalogue.byCanonicalId.keys()].map((name) => [name, 'number'] as const), ...attributes]);
    let rows = 0;
    for (let number = 0; number < DRAWS / 4; number += 1) {
      rows +=
        kind === 'latest' ? await checkLatest(luck) : kind === 'screen' ? await checkScreen(luck, fields) : await checkRead(luck, kind);
    }
    process.stdout.write(`${kind}: ${Math.ceil(DRAWS / 4)} draws, ${rows} rows\n`);
    // Draws that leave nothing would compare nothing.
    expect(rows).toBeGreaterThan(DRAWS / 4);
  });
});
