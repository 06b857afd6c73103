// As-of answers of the whole pipeline against a second, naive reading of the publishers' files: every statement of a file is kept, and
// each question is answered by looking through all of them.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SnapshotReader } from '../../src/snapshot/serving/reader.ts';
import { ask, openPipeline, type Pipeline, REAL_DATA } from '../pipeline.ts';

const RETRIEVED_AT = '2026-11-20T10:00:00.000Z';
const DRAWS = 1000;
const FOREVER = '9999-12-31';
const FRED_FOLDERS = ['alfred-realtime', 'fred-api', 'fredgraph-csv', 'fred-date-value-csv'];

/** Held on the days `from` to `to`; a bare download states no days. */
interface Statement {
  readonly value: number | null;
  readonly days: { readonly from: string; readonly to: string } | null;
  readonly file: string;
}

interface RawSeries {
  readonly sourceId: string;
  readonly indicatorId: string;
  readonly frequency: string;
  readonly periodEnds: readonly string[];
  readonly statements: (periodEnd: string) => readonly Statement[];
  /** The last period for which a file has a value. */
  readonly reach: Map<string, string>;
}

describe.skipIf(!existsSync(join(REAL_DATA, 'fred-md')))('as-of answers', () => {
  let pipeline: Pipeline;
  let snapshot: SnapshotReader;

  beforeAll(async () => {
    pipeline = await openPipeline();
    const files = ['fred-md', ...FRED_FOLDERS].flatMap(listFolder);
    await pipeline.run(Object.fromEntries(files.map((path) => [path, readFileSync(join(REAL_DATA, path))])), RETRIEVED_AT);
    snapshot = await pipeline.open();
  });
  afterAll(() => pipeline.remove());

  const answer = async ({ sourceId, indicatorId, frequency }: RawSeries, periodEnd: string, asOf: string) => {
    const rows = await ask(
      snapshot,
      { sourceId, indicatorIds: [indicatorId], frequency },
      { asOf, periodFrom: periodEnd, periodTo: periodEnd },
    );
    if (rows.length > 1) throw new Error(`${rows.length} answers to one question`);
    return rows[0]?.value ?? null;
  };

  it.each([
    ['fred_md', readFredMd, 20200531],
    ['fred', readFred, 19920131],
  ])('of %s equal a naive reading of the raw files', async (sourceId, read, seed) => {
    const all = read();
    expect(all.length).toBeGreaterThan(25);
    const random = randomFrom(seed);
    const wrong: unknown[] = [];
    let withValue = 0;
    for (let draws = 0; draws < DRAWS; ) {
      const series = pick(all, random);
      const periodEnd = pick(series.periodEnds, random);
      const statements = series.statements(periodEnd);
      if (statements.length === 0) continue;
      draws += 1;
      const cutoff = drawCutoff(statements, random);
      const expected = asKnown(series, statements, cutoff);
      const actual = await answer(series, periodEnd, cutoff);
      if (actual !== expected) wrong.push({ indicatorId: series.indicatorId, periodEnd, cutoff, expected, actual });
      if (expected !== null) withValue += 1;
    }
    expect(wrong).toEqual([]);
    expect(withValue).toBeGreaterThan(DRAWS / 2);
    expect(all.every((series) => series.sourceId === sourceId)).toBe(true);
  });

  it.each([
    ['2020-05-31T23:59:59.998Z', null],
    ['2020-05-31T23:59:59.999Z', 131_045],
    ['2020-06-29T23:59:59.999Z', 131_045],
    ['2020-06-30T23:59:59.999Z', 130_403],
    ['2020-07-31T23:59:59.999Z', 130_303],
  ])('US nonfarm payrolls of April 2020, as of %s, are %s', async (asOf, expected) => {
    const payrolls: RawSeries = {
      sourceId: 'fred_md',
      indicatorId: 'us_nonfarm_payrolls',
      frequency: 'monthly',
      periodEnds: [],
      statements: () => [],
      reach: new Map(),
    };
    expect(await answer(payrolls, '2020-04-30', asOf)).toBe(expected);
  });
});

interface Dated extends Statement {
  readonly days: NonNullable<Statement['days']>;
}

/** What was known at the cutoff: the newest statement by then. A bare download, known from its retrieval, replaces only what it outlasts. */
function asKnown(series: RawSeries, statements: readonly Statement[], cutoff: string): number | null {
  // The last day that had ended by the cutoff.
  const day = cutoff.endsWith('T23:59:59.999Z') ? cutoff.slice(0, 10) : dayBefore(cutoff.slice(0, 10));
  const held = statements
    .filter((statement): statement is Dated => statement.days !== null && statement.days.from <= day)
    .toSorted((a, b) => (a.days.from < b.days.from ? -1 : 1))
    .at(-1);
  const isOver = held !== undefined && held.days.to < day && held.days.to < lastDayOf(series, held.file);
  const dated = held === undefined || isOver ? null : held.value;
  return cutoff < RETRIEVED_AT ? dated : onRetrieval(series, statements, held === undefined ? undefined : dated);
}

/** Of several downloads the one that reaches furthest counts; it replaces a known value only if nothing known reaches further. */
function onRetrieval(series: RawSeries, statements: readonly Statement[], dated: number | null | undefined): number | null {
  const seriesReach = [...series.reach.values()].sort().at(-1) ?? '';
  const reachOf = ({ file }: Statement) => series.reach.get(file) ?? '';
  const bare = statements
    .filter((statement) => statement.days === null)
    .toSorted((a, b) => (reachOf(a) < reachOf(b) ? -1 : 1))
    .at(-1);
  if (bare === undefined) return dated ?? null;
  return dated !== undefined && reachOf(bare) < seriesReach ? dated : bare.value;
}

const lastDays = new Map<string, string>();

/** The end of a file's real-time window: what holds until then still holds. */
function lastDayOf(series: RawSeries, file: string): string {
  let last = lastDays.get(file);
  if (last !== undefined) return last;
  const statements = series.periodEnds.flatMap((periodEnd) => series.statements(periodEnd));
  last = statements.reduce((newest, { days, file: of }) => (of === file && days !== null && days.to > newest ? days.to : newest), '');
  lastDays.set(file, last);
  return last;
}

/** On a statement's instant, a millisecond before it, within its life, or after everything. */
function drawCutoff(statements: readonly Statement[], random: () => number): string {
  const { days } = pick(statements, random);
  const kind = random();
  if (days === null || kind < 0.1) return kind < 0.5 ? RETRIEVED_AT : kind < 0.8 ? '2026-11-20T09:59:59.999Z' : '2027-01-01T00:00:00.000Z';
  if (kind < 0.4) return `${days.from}T23:59:59.999Z`;
  if (kind < 0.6) return `${days.from}T23:59:59.998Z`;
  const later = new Date(Date.parse(days.from) + Math.floor(random() * 400) * 86_400_000);
  return `${later.toISOString().slice(0, 10)}T${kind < 0.8 ? '12:00:00.000Z' : '23:59:59.999Z'}`;
}

// The cells of a question are read when it is asked: there are millions of them.
function readFredMd(): RawSeries[] {
  const vintages = listFolder('fred-md').map((file) => {
    const lines = readFileSync(join(REAL_DATA, file), 'utf8').split(/\r?\n/);
    const month = file.slice(-11, -4);
    const byPeriod = new Map(lines.filter((line) => /^\d/.test(line)).map((line) => [endOfMonth(monthOf(line, month)), line]));
    return { file, from: endOfMonth(month), header: cellsOf(lines[0] ?? ''), byPeriod };
  });
  const periodEnds = [...new Set(vintages.flatMap(({ byPeriod }) => [...byPeriod.keys()]))];
  // A column may have been renamed: then two codes stand for one series, each in its own vintages.
  const listed = [...describedSeries('fred_md')];
  const indicatorIds = [...new Set(listed.map(([, { indicatorId }]) => indicatorId))];
  const inUse = new Set(vintages.flatMap(({ header }) => header));
  return indicatorIds.flatMap((indicatorId) => {
    const codes = listed.filter(([code, described]) => described.indicatorId === indicatorId && inUse.has(code)).map(([code]) => code);
    if (codes.length === 0) return [];
    const statements = (periodEnd: string) =>
      vintages.flatMap(({ file, from, header, byPeriod }) => {
        const line = byPeriod.get(periodEnd);
        const column = header.findIndex((name) => codes.includes(name));
        if (line === undefined || column < 0) return [];
        return [{ value: toNumber(cellsOf(line)[column]), days: { from, to: FOREVER }, file }];
      });
    return [{ sourceId: 'fred_md', indicatorId, frequency: 'monthly', periodEnds, statements, reach: new Map() }];
  });
}

function monthOf(line: string, vintage: string): string {
  const [month = '', , years = ''] = line.slice(0, line.indexOf(',')).split('/');
  const year = years.length === 4 ? years : `${Number(years) > Number(vintage.slice(2, 4)) ? 19 : 20}${years}`;
  return `${year}-${month.padStart(2, '0')}`;
}

function readFred(): RawSeries[] {
  const described = describedSeries('fred');
  const found = new Map<string, RawSeries & { readonly periods: Map<string, Statement[]> }>();
  for (const path of FRED_FOLDERS.flatMap(listFolder)) {
    const file = path.slice(path.indexOf('/') + 1);
    const rows = path.endsWith('.json') ? readApi(path) : readRows(path);
    const frequency = frequencyOf(rows.map((row) => row.date));
    for (const { code, date, days, value } of rows) {
      const known = described.get(code);
      if (known === undefined) throw new Error(`${code} of ${file} is not described`);
      const series = { ...known, frequency };
      const key = `${series.indicatorId}|${frequency}`;
      const one = found.get(key) ?? seriesOf(series);
      found.set(key, one);
      const periodEnd = endOfPeriod(frequency, date);
      one.periods.set(periodEnd, [...(one.periods.get(periodEnd) ?? []), { value, days, file: path }]);
      if (value !== null && periodEnd > (one.reach.get(path) ?? '')) one.reach.set(path, periodEnd);
    }
  }
  return [...found.values()].map((one) => ({ ...one, periodEnds: [...one.periods.keys()] }));
}

interface RawRow extends Pick<Statement, 'value' | 'days'> {
  readonly code: string;
  readonly date: string;
}

function readRows(path: string): RawRow[] {
  const [header = [], ...rows] = readLines(path);
  const isRealTime = path.startsWith('alfred');
  const at = (cells: readonly string[], name: string) => (cells[header.indexOf(name)] ?? '').slice(0, 10);
  const dateName = header.find((name) => name.toLowerCase().endsWith('date')) ?? '';
  const valueName = header.find((name) => name !== dateName && !name.startsWith('realtime')) ?? '';
  const code = valueName === 'value' ? path.slice(path.indexOf('/') + 1, -4) : valueName;
  return rows
    .filter((cells) => cells.some((cell) => cell !== ''))
    .map((cells) => ({
      code,
      date: at(cells, dateName),
      days: isRealTime ? { from: at(cells, 'realtime_start'), to: at(cells, 'realtime_end') } : null,
      value: toNumber(cells[header.indexOf(valueName)]),
    }));
}

interface ApiAnswer {
  readonly observations?: readonly {
    readonly date: string;
    readonly realtime_start: string;
    readonly realtime_end: string;
    readonly value: string;
  }[];
}

// What the newest answer in all real-time periods says includes what the older answers and the initial releases say.
function readApi(path: string): RawRow[] {
  if (!/all-realtime\.recorded-2025/.test(path)) return [];
  const { observations = [] } = JSON.parse(readFileSync(join(REAL_DATA, path), 'utf8')) as ApiAnswer;
  return observations.map((row) => ({
    code: 'GDP',
    date: row.date,
    days: { from: row.realtime_start, to: row.realtime_end },
    value: toNumber(row.value),
  }));
}

type Described = Pick<RawSeries, 'sourceId' | 'indicatorId' | 'frequency'>;

function describedSeries(sourceId: string): Map<string, Described> {
  const rows = parse<Record<string, string>>(readFileSync('data/reference/series.csv'), { columns: true });
  return new Map(
    rows
      .filter((row) => row['source_id'] === sourceId)
      .map((row) => [
        row['series_code'] ?? '',
        { sourceId, indicatorId: `${row['entity_id']}_${row['canonical_id']}`, frequency: row['frequency'] ?? '' },
      ]),
  );
}

function seriesOf(described: Described) {
  const periods = new Map<string, Statement[]>();
  const statements = (periodEnd: string) => periods.get(periodEnd) ?? [];
  return { ...described, periodEnds: [], periods, statements, reach: new Map<string, string>() };
}

function listFolder(folder: string): string[] {
  return readdirSync(join(REAL_DATA, folder))
    .sort()
    .map((name) => `${folder}/${name}`);
}

function readLines(path: string): string[][] {
  const text = readFileSync(join(REAL_DATA, path), 'utf8').replace('\uFEFF', '');
  return text.split(/\r?\n/).map(cellsOf);
}

function cellsOf(line: string): string[] {
  return line.split(',').map((cell) => cell.replaceAll('"', '').trim());
}

function toNumber(text: string | undefined): number | null {
  return text === undefined || text === '' || text === '.' ? null : Number(text);
}

function endOfMonth(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
}

/** A downloaded graph may hold a daily or weekly series as monthly averages. */
function frequencyOf(dates: readonly string[]): string {
  const days = [...new Set(dates)].sort().map((date) => Date.parse(date) / 86_400_000);
  const gaps = days.slice(1).map((day, index) => day - (days[index] ?? 0));
  const usual = gaps.sort((a, b) => a - b)[Math.floor(gaps.length / 2)] ?? 0;
  return usual > 80 ? 'quarterly' : usual > 20 ? 'monthly' : usual > 4 ? 'weekly' : 'daily';
}

function endOfPeriod(frequency: string, date: string): string {
  if (frequency === 'monthly') return endOfMonth(date.slice(0, 7));
  if (frequency === 'quarterly') return endOfMonth(`${date.slice(0, 4)}-${Math.ceil(Number(date.slice(5, 7)) / 3) * 3}`);
  return date;
}

function dayBefore(day: string): string {
  return new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
}

function pick<Item>(items: readonly Item[], random: () => number): Item {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
}

/** Mulberry32: the same draws at every run. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
