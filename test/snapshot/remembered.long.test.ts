// A table of an earlier build stands for a table only when everything that it is computed from is as it was, and its file is whole.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openWriter } from '../../src/db/connect.ts';
import { createRelation, type Relation } from '../../src/db/layers.ts';
import { sqlText } from '../../src/db/query.ts';
import { RELATIONS } from '../../src/snapshot/build/relations.ts';
import { createRemembered, sourcesOf, type TakenOver } from '../../src/snapshot/build/remembered.ts';
import { openResultFiles } from '../../src/snapshot/build/result-files.ts';

const PERCENTILES: Relation = { path: 'positions/cot_percentiles', as: 'table', isRemembered: true };
const REPORTS = 200;

const NETS = `
  create schema if not exists positions;
  create schema if not exists reference;
  create table reference.cot_breaks (contract_code varchar, entity_id varchar, report_date date, reason varchar);
  create table positions.cot_nets as
  select
      1 as contract_no,
      'cftc_1' as entity_id,
      no::integer as report_no,
      (date '2020-01-07' + no::integer * 7)::date as report_date,
      (no * no % 97)::bigint as net,
      timestamptz '2020-01-10 20:30:00Z' + to_days(no::integer * 7) as observed_at,
      timestamptz 'infinity' as known_to,
      timestamptz '2026-01-01' as retrieved_at,
      timestamptz '2026-01-01' as ingested_at,
      no as change_sequence,
  from range(1, ${REPORTS} + 1) as reports (no)`;

interface Built {
  readonly takenOver: TakenOver | null;
  readonly rows: string;
}

describe('a remembered table', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'asof-remembered-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function build(change = '', options: { code?: string; worthwhile?: number } = {}): Promise<Built> {
    const engine = await openWriter({ threads: 2, memory: '300MB', tempDirectory: folder, tempSize: '1GB' });
    try {
      for (const statement of `${NETS};${change}`.split(';').filter((one) => one.trim() !== '')) await engine.connection.run(statement);
      await createRelation(engine.connection, { path: 'positions/cot_windows', as: 'view' });
      const files = openResultFiles(folder, options.code ?? 'code');
      const shelf = await files.open('tables');
      const takenOver = await createRemembered(engine.connection, PERCENTILES, files, shelf, options.worthwhile);
      await shelf.close();
      const rows = await engine.connection.runAndReadAll('from positions.cot_percentiles order by all');
      return { takenOver, rows: rows.getRows().map(String).join('\n') };
    } finally {
      engine.close();
    }
  }
  const file = () => join(folder, 'positions.cot_percentiles.parquet');
  const computed = { reused: 0, computed: REPORTS };

  it('is computed once, then reused with the same rows', async () => {
    const first = await build('', { worthwhile: 100 });
    expect(first.takenOver).toEqual(computed);
    expect(await build('', { worthwhile: 100 })).toEqual({ takenOver: { reused: REPORTS, computed: 0 }, rows: first.rows });
  });

  it('has its rows in the order of the statement, and leaves the engine its threads and its order', async () => {
    const engine = await openWriter({ threads: 2, memory: '300MB', tempDirectory: folder, tempSize: '1GB' });
    const read = async (sql: string) => (await engine.connection.runAndReadAll(sql)).getRows().map(String);
    try {
      for (const statement of NETS.split(';').filter((one) => one.trim() !== '')) await engine.connection.run(statement);
      await createRelation(engine.connection, { path: 'positions/cot_windows', as: 'view' });
      const files = openResultFiles(folder, 'code');
      await createRemembered(engine.connection, PERCENTILES, files, await files.open('tables'), 100);
      expect(await read(`from read_parquet('${file()}')`)).toEqual(await read('from positions.cot_percentiles'));
      expect(await read("select current_setting('threads'), current_setting('preserve_insertion_order')")).toEqual(['2,true']);
    } finally {
      engine.close();
    }
  });

  it('is reused if its inputs have the same rows in another order', async () => {
    const { rows } = await build('', { worthwhile: 100 });
    const reordered = 'create or replace table positions.cot_nets as from positions.cot_nets order by report_no desc';
    expect(await build(reordered, { worthwhile: 100 })).toEqual({ takenOver: { reused: REPORTS, computed: 0 }, rows });
  });

  it.each([
    ['a value', 'update positions.cot_nets set net = net + 1 where report_no = 7'],
    ['two values that change places', 'update positions.cot_nets set net = 10 - net where report_no in (1, 3)'],
    ['a knowledge time', 'update positions.cot_nets set observed_at = observed_at + interval 1 second where report_no = 7'],
    [
      'a row that came twice',
      'insert into positions.cot_nets select * replace (report_no + 500 as report_no) from positions.cot_nets where report_no = 200',
    ],
    ['a row of the table behind a view', "insert into reference.cot_breaks values ('1', 'cftc_1', date '2022-01-04', 'x')"],
    ['the type of a column', 'alter table positions.cot_nets alter net type integer'],
  ])('is computed again for %s', async (_, change) => {
    await build('', { worthwhile: 100 });
    const again = await build(change, { worthwhile: 100 });
    expect(again.takenOver?.reused).toBe(0);
    await rm(folder, { recursive: true });
    expect((await build(change, { worthwhile: 100 })).rows).toBe(again.rows);
  });

  it('is computed again by other code', async () => {
    await build('', { worthwhile: 100 });
    expect((await build('', { worthwhile: 100, code: 'other' })).takenOver).toEqual(computed);
  });

  it.each([
    ['a flipped bit', (bytes: Buffer) => bytes.fill((bytes[60] ?? 0) ^ 1, 60, 61)],
    ['a lost end', (bytes: Buffer) => bytes.subarray(0, -1)],
    ['nothing', () => Buffer.alloc(0)],
  ])('is computed again if its file holds %s', async (_, damage) => {
    const { rows } = await build('', { worthwhile: 100 });
    await writeFile(file(), damage(await readFile(file())));
    expect(await build('', { worthwhile: 100 })).toEqual({ takenOver: computed, rows });
    expect((await build('', { worthwhile: 100 })).takenOver).toEqual({ reused: REPORTS, computed: 0 });
  });

  it('is not cached if it has few rows of input', async () => {
    expect((await build()).takenOver).toBeNull();
  });
});

describe('the inputs of a remembered relation', () => {
  const paths = RELATIONS.map(({ path }) => path);
  const remembered = RELATIONS.flatMap((step) => (step.as === 'table' && step.isRemembered === true ? [step] : []));
  let connection: DuckDBConnection;
  beforeAll(async () => {
    connection = await (await DuckDBInstance.create(':memory:')).connect();
  });
  afterAll(() => connection.closeSync());

  it('are found through views and macros', async () => {
    const { texts, tables } = await sourcesOf(connection, PERCENTILES);
    expect(texts).toHaveLength(2);
    expect(tables).toEqual(['positions.cot_nets', 'reference.cot_breaks']);
    expect((await sourcesOf(connection, { path: 'published/series', as: 'table' })).tables).toContain('lake.attempts');
  });

  it.each(remembered.map((one) => [one.path, one] as const))('%s reads only tables that come before it', async (path, relation) => {
    const { tables } = await sourcesOf(connection, relation);
    expect(tables.length).toBeGreaterThan(0);
    const before = paths.slice(0, paths.indexOf(path)).map((one) => one.replace('/', '.'));
    expect(tables.filter((table) => !table.startsWith('reference.') && !before.includes(table))).toEqual([]);
  });

  it('are never the clock, chance or the file system', async () => {
    const banned =
      /\b(?:(?:now|today|random|uuid|gen_random_uuid|get_current_timestamp|getvariable|read_\w+)\s*\(|current_(?:timestamp|date)\b)/;
    const sources = await Promise.all(remembered.map((one) => sourcesOf(connection, one)));
    const texts = sources.flatMap((one) => one.texts).map((text) => text.replaceAll(/--.*$/gm, ''));
    // Which part of a table is being made is said by a variable; its parts together are the table (test/filings/parts).
    const ofParts = sqlText('macros/is_in_part.sql').replaceAll(/--.*$/gm, '');
    expect(texts.filter((text) => banned.test(text) && text !== ofParts)).toEqual([]);
  });
});
