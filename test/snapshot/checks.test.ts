// Every rule of every check finds the row that breaks it and lets the one beside it pass; and a real derive asks every check.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sqlText } from '../../src/db/query.ts';
import { fredMdFile, openPipeline } from '../pipeline.ts';
import { KnownError } from '../../src/known-error.ts';

const FILES = readdirSync(join(import.meta.dirname, '../../sql/checks'))
  .map((name) => name.replace('.sql', ''))
  .sort();

// Series 1 is observed: a period revised once, one withdrawn, and two in another order of time. Series 9 is derived from it.
const SOUND = `
  create schema published; create schema reference; create schema series; create schema derived;
  create table reference.canonical_indicators as from (values ('x', 'monthly', false), ('y', 'monthly', true), ('z', 'monthly', true)) as t (canonical_id, frequency, is_derived);
  create table reference.derived_indicators as from (values ('y', 'x', 'monthly', 1), ('z', null, 'event', null)) as t (slug, input, frequency, months);
  create table series.series as from (values (1, 'x', 'monthly')) as t (series_no, canonical_id, frequency);
  create table series.vintages as from (values
    (1, date '2024-01-31', timestamptz '2024-02-10 00:00:00Z', null::timestamptz), (1, date '2024-02-29', '2024-03-10 00:00:00Z', null)) as t (series_no, period_end, observed_at, known_to);
  create table derived.transforms as from (values ('y')) as t (canonical_id);
  create view derived.derived_rows as from derived.transforms;
  create table published.runs as from (values ('r1'), ('r2')) as t (run_id);
  create table published.series as from (values (1, 'us_x', 'us', 'United States', 'Somebody'), (9, 'us_y', 'us', 'United States', 'Ourselves')) as t (series_no, indicator_id, entity_id, entity_name, attribution);
  create table published.vintages (series_no integer, period varchar, period_end date, value double, vintage varchar, observed_at timestamptz, known_to timestamptz,
    release_no integer, run_id varchar, id_hash ubigint, inputs struct(series_no integer, period varchar, vintage varchar)[]);
  insert into published.vintages values
    (1, '2024-01', '2024-01-31', 10, 'a', '2024-02-10 00:00:00Z', '2024-03-10 00:00:00Z', 1, 'r1', 101, null),
    (1, '2024-01', '2024-01-31', 11, 'b', '2024-03-10 00:00:00Z', null, 2, 'r2', 102, null),
    (1, '2024-02', '2024-02-29', 12, 'a', '2024-03-10 00:00:00Z', '2024-04-10 00:00:00Z', 1, 'r2', 103, null),
    (1, '2024-02', '2024-02-29', null, 'b', '2024-04-10 00:00:00Z', null, 2, 'r2', 104, null),
    (9, '2024-01', '2024-01-31', 100, 'b', '2024-03-10 00:00:00Z', null, 1, null, 901, [{series_no: 1, period: '2024-01', vintage: 'b'}, {series_no: 1, period: '2024-02', vintage: 'a'}]);
  create table published.forecasts as from (values
    (1, '2024-01', 11::double, 10::double, 12::double, timestamptz '2024-02-10 00:00:00Z'),
    (1, '2024-02', 12.0, 12.0, 12.0, timestamptz '2024-03-10 00:00:00Z'))
    as t (series_no, base_period, forecast, forecast_lower, forecast_upper, observed_at);
  create table published.calendar (event_id varchar, observed_at timestamptz, known_to timestamptz, status varchar, scheduled_at timestamptz, time_precision varchar,
    actual double, observation_id varchar, forecast double, forecast_lower double, forecast_upper double);
  insert into published.calendar values
    ('e1', '2024-02-01 00:00:00Z', '2024-02-10 13:30:00Z', 'scheduled', '2024-02-10 13:30:00Z', 'exact', null, null, 5, 4, 6),
    ('e1', '2024-02-10 13:30:00Z', null, 'released', '2024-02-10 13:30:00Z', 'exact', 10, 'obs_1', 5, 5, 5),
    ('e2', '2024-02-09 10:00:00Z', null, 'released', '2024-02-10 00:00:00Z', 'date_only', 1, 'obs_2', null, null, null),
    ('e3', '2024-02-01 00:00:00Z', null, 'released', '2024-01-10 00:00:00Z', 'estimated', null, null, null, null, null)`;

/** [the check, what breaks it, how, how many rows it then finds] */
const BROKEN: readonly (readonly [check: string, what: string, change: string, rows: number])[] = [
  ['ids_are_unique', 'two vintages of one series', 'update published.vintages set id_hash = 101 where id_hash = 102', 1],
  ['ids_are_unique', 'vintages of two series', 'update published.vintages set id_hash = 101 where series_no = 9', 1],
  ['ids_are_unique', 'three of one and two of another', 'update published.vintages set id_hash = if(id_hash < 104, 101, 104)', 2],
  ['one_newest_vintage', 'a period without one in force', "update published.vintages set known_to = '2024-05-01' where id_hash = 102", 1],
  ['one_newest_vintage', 'a period with two in force', 'update published.vintages set known_to = null where id_hash = 103', 1],
  ['one_newest_vintage', 'a derived period with none', "update published.vintages set known_to = '2024-05-01' where series_no = 9", 1],
  [
    'vintages_in_order',
    'one that ends before it begins',
    "update published.vintages set observed_at = '2024-03-11' where id_hash = 101",
    1,
  ],
  ['vintages_in_order', 'a gap before the next one', "update published.vintages set known_to = '2024-03-09' where id_hash = 101", 1],
  ['vintages_in_order', 'one that reaches into the next', "update published.vintages set known_to = '2024-03-11' where id_hash = 101", 1],
  [
    'vintages_in_order',
    'one without an end though another follows',
    'update published.vintages set known_to = null where id_hash = 101',
    1,
  ],
  ['vintages_in_order', 'a last one that ends', "update published.vintages set known_to = '2024-06-01' where id_hash = 102", 1],
  [
    'vintages_in_order',
    'releases numbered against time',
    "update published.vintages set release_no = 3 - release_no where period_end = '2024-01-31' and series_no = 1",
    2,
  ],
  [
    'vintages_in_order',
    'ends that belong to another period',
    "update published.vintages set known_to = if(id_hash = 101, timestamptz '2024-04-10', '2024-03-10') where id_hash in (101, 103)",
    2,
  ],
  [
    'nothing_known_before_its_inputs',
    'a second before its first input',
    "update published.vintages set observed_at = '2024-03-09 23:59:59Z' where series_no = 9",
    2,
  ],
  [
    'nothing_known_before_its_inputs',
    'before its last input alone',
    "update published.vintages set observed_at = '2024-03-10 00:00:01Z' where id_hash = 103",
    1,
  ],
  [
    'nothing_known_before_its_inputs',
    'before a later vintage that it names',
    "update published.vintages set inputs = [{series_no: 1, period: '2024-02', vintage: 'b'}] where series_no = 9",
    1,
  ],
  ['every_vintage_has_its_run', 'a run that is not there', "delete from published.runs where run_id = 'r1'", 1],
  ['every_vintage_has_its_run', 'no run named', 'update published.vintages set run_id = null where id_hash = 103', 1],
  ['values_are_finite', 'a value that is no number', "update published.vintages set value = 'nan' where id_hash = 101", 1],
  ['values_are_finite', 'one without bounds', "update published.vintages set value = 'inf' where id_hash = 102", 1],
  ['values_are_finite', 'one without bounds below, derived', "update published.vintages set value = '-inf' where series_no = 9", 1],
  ['every_series_is_described', 'an entity without a name', 'update published.series set entity_name = null where series_no = 1', 1],
  ['every_series_is_described', 'no attribution', 'update published.series set attribution = null where series_no = 9', 1],
  [
    'derived_indicators_are_whole',
    'one that no canonical indicator describes',
    "delete from reference.canonical_indicators where canonical_id = 'z'",
    1,
  ],
  [
    'derived_indicators_are_whole',
    'one whose canonical indicator is not derived',
    "update reference.canonical_indicators set is_derived = false where canonical_id = 'z'",
    1,
  ],
  [
    'derived_indicators_are_whole',
    'a level of another frequency',
    "update reference.canonical_indicators set frequency = 'daily' where canonical_id = 'x'",
    1,
  ],
  ['derived_indicators_are_whole', 'a transform without values', 'delete from derived.transforms', 1],
  ['derived_indicators_are_whole', 'values that are not listed', "insert into derived.transforms values ('w')", 1],
  [
    'forecasts_are_sound',
    'a lower bound that is no number',
    "update published.forecasts set forecast_lower = '-inf' where base_period = '2024-01'",
    1,
  ],
  [
    'forecasts_are_sound',
    'an upper bound that is no number',
    "update published.forecasts set forecast_upper = 'inf' where base_period = '2024-01'",
    1,
  ],
  [
    'forecasts_are_sound',
    'a forecast that is no number',
    "update published.forecasts set forecast = 'nan' where base_period = '2024-01'",
    1,
  ],
  [
    'forecasts_are_sound',
    'a forecast below its interval',
    "update published.forecasts set forecast = 9.999 where base_period = '2024-01'",
    1,
  ],
  [
    'forecasts_are_sound',
    'a forecast above its interval',
    "update published.forecasts set forecast = 12.001 where base_period = '2024-01'",
    1,
  ],
  [
    'forecasts_are_sound',
    'a period that nobody knows',
    "update published.forecasts set base_period = '2024-03' where base_period = '2024-02'",
    1,
  ],
  [
    'forecasts_are_sound',
    'a period known of another series alone',
    "insert into published.forecasts values (9, '2024-02', 1, 1, 1, '2025-01-01')",
    1,
  ],
  ['forecasts_are_sound', 'a period of which only the withdrawal is known', 'delete from published.vintages where id_hash = 103', 1],
  [
    'forecasts_are_sound',
    'one made before the period was known',
    "update published.forecasts set observed_at = '2024-03-09 23:59:59Z' where base_period = '2024-02'",
    1,
  ],
  [
    'calendar_is_sound',
    'a version that ends where it begins',
    "update published.calendar set known_to = observed_at where event_id = 'e1' and status = 'scheduled'",
    1,
  ],
  [
    'calendar_is_sound',
    'a version that ends before it begins',
    "update published.calendar set known_to = '2024-01-01' where event_id = 'e3'",
    1,
  ],
  ['calendar_is_sound', 'a number before the release', "update published.calendar set status = 'scheduled' where event_id = 'e2'", 1],
  ['calendar_is_sound', 'a number of no observation', "update published.calendar set observation_id = null where event_id = 'e2'", 1],
  [
    'calendar_is_sound',
    'a release a second before its time',
    "update published.calendar set observed_at = '2024-02-10 13:29:59Z' where event_id = 'e1' and status = 'released'",
    1,
  ],
  [
    'calendar_is_sound',
    'a release more than fourteen hours before its day',
    "update published.calendar set observed_at = '2024-02-09 09:59:59Z' where event_id = 'e2'",
    1,
  ],
  [
    'calendar_is_sound',
    'a forecast outside its interval',
    "update published.calendar set forecast = 6.5 where event_id = 'e1' and status = 'scheduled'",
    1,
  ],
];

/** What comes close and breaks nothing. */
const CLOSE: readonly (readonly [what: string, change: string])[] = [
  [
    'a vintage that holds for no time at all',
    "update published.vintages set observed_at = '2024-03-10' where id_hash = 101; update published.forecasts set observed_at = '2024-03-10'",
  ],
  ['a derived vintage known with its last input', "update published.vintages set observed_at = '2024-03-10' where series_no = 9"],
  [
    'an input that a later vintage has revised',
    "update published.vintages set observed_at = '2024-03-12', known_to = null where id_hash = 102; update published.vintages set known_to = '2024-03-12' where id_hash = 101; update published.vintages set inputs = [{series_no: 1, period: '2024-01', vintage: 'a'}] where series_no = 9",
  ],
  ['a derived vintage of a run that nobody knows', "update published.vintages set run_id = 'nobody' where series_no = 9"],
  ['a value that is not stated', 'update published.vintages set value = null where id_hash in (102, 901)'],
  ['the largest number', 'update published.vintages set value = 1.7e308 where id_hash = 101'],
  ['a forecast on its bounds', "update published.forecasts set forecast = 10, forecast_upper = 10 where base_period = '2024-01'"],
  ['a forecast on its upper bound', "update published.forecasts set forecast = 12 where base_period = '2024-01'"],
  ['a forecast made later', "update published.forecasts set observed_at = '2025-01-01'"],
  [
    'a release on the second',
    "update published.calendar set observed_at = '2024-02-10 13:30:00Z' where event_id = 'e1' and status = 'released'",
  ],
  [
    'a release in the east, fourteen hours before the day begins',
    "update published.calendar set observed_at = '2024-02-09 10:00:00Z' where event_id = 'e2'",
  ],
  ['a release without a number', "update published.calendar set actual = null, observation_id = null where event_id = 'e2'"],
  ['an entry that was scheduled after its day', "update published.calendar set status = 'cancelled' where event_id = 'e3'"],
];

describe('the checks of a snapshot', () => {
  let connection: DuckDBConnection;
  beforeAll(async () => {
    connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
    await runAll(`set TimeZone = 'UTC'; ${SOUND}`);
  });
  afterAll(() => connection.closeSync());

  const runAll = async (statements: string) => {
    for (const statement of statements.split(';')) await connection.run(statement);
  };
  /** Rows that each check finds after a change, which is undone. */
  const foundAfter = async (change: string): Promise<Record<string, number>> => {
    await connection.run('begin');
    try {
      await runAll(change);
      const found: Record<string, number> = {};
      for (const name of FILES) {
        const rows = (await connection.runAndReadAll(`select * from (${sqlText(`checks/${name}.sql`)})`)).currentRowCount;
        if (rows > 0) found[name] = rows;
      }
      return found;
    } finally {
      await connection.run('rollback');
    }
  };

  it('find nothing in sound data', async () => {
    expect(await foundAfter('select 1')).toEqual({});
  });

  it.each(BROKEN)('%s finds %s', async (check, _, change, rows) => {
    expect((await foundAfter(change))[check]).toBe(rows);
  });

  it.each(CLOSE)('let pass %s', async (_, change) => {
    expect(await foundAfter(change)).toEqual({});
  });

  it('are each broken by a fixture here', () => {
    expect([...new Set(BROKEN.map(([check]) => check))].sort()).toEqual(FILES);
    expect(FILES).toHaveLength(10);
  });
});

/** What is done to the real relations of a build so that a check must find something. */
const DONE_TO_VINTAGES: Readonly<Record<string, string>> = {
  ids_are_unique: 'from published.sound union all from published.sound',
  one_newest_vintage: "select * replace (timestamptz '2099-01-01' as known_to) from published.sound",
  vintages_in_order: 'select * replace (observed_at - interval 1 day as known_to) from published.sound',
  nothing_known_before_its_inputs:
    "select * replace (if(inputs is null, observed_at, '1900-01-01'::timestamptz) as observed_at) from published.sound",
  every_vintage_has_its_run: "select * replace ('run_of_nobody' as run_id) from published.sound",
  values_are_finite: "select * replace ('inf'::double as value) from published.sound",
};
const DONE: Readonly<Record<string, string>> = {
  derived_indicators_are_whole: "delete from derived.transforms where canonical_id = 'cpi_inflation_yoy'",
  every_series_is_described: 'update published.series set attribution = null',
  forecasts_are_sound:
    "insert into published.forecasts by name select 1 as series_no, '2020-01' as base_period, 5 as forecast, 6 as forecast_lower, 7 as forecast_upper",
  calendar_is_sound: "insert into published.calendar by name select 'cal_x' as event_id, now() as observed_at, now() as known_to",
};

describe('a real derive', () => {
  const months = (count: number) =>
    [...Array(count).keys()].map((index) => `${2018 + Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}`);
  const file = fredMdFile('2019-04', { CPIAUCSL: Object.fromEntries(months(15).map((month, index) => [month, 250 + index])) });

  it('runs all ten checks over the relations that it publishes, and refuses if one finds a row', async () => {
    const pipeline = await openPipeline();
    const texts = new Map(FILES.map((name) => [sqlText(`checks/${name}.sql`), name]));
    const asked: string[] = [];
    const blind: string[] = [];
    let broken: string | null = null;
    const run: (this: DuckDBConnection, sql: string) => ReturnType<DuckDBConnection['run']> = Reflect.get(
      DuckDBConnection.prototype,
      'run',
    );
    Object.assign(DuckDBConnection.prototype, {
      async run(this: DuckDBConnection, sql: string, ...rest: []) {
        const check = [...texts].find(([text]) => sql.includes(text))?.[1];
        if (check === undefined) return run.call(this, sql, ...rest);
        asked.push(check);
        await run.call(this, 'begin');
        const view = DONE_TO_VINTAGES[check];
        if (view !== undefined) await run.call(this, 'alter view published.vintages rename to sound');
        await run.call(this, view === undefined ? (DONE[check] ?? '') : `create view published.vintages as ${view}`);
        const found = await (await run.call(this, sql)).getRows();
        if (found.length === 0) blind.push(check);
        const result = check === broken ? await run.call(this, sql) : null;
        await run.call(this, 'rollback');
        return result ?? run.call(this, sql);
      },
    });
    try {
      await pipeline.run(file, '2021-01-01T00:00:00.000Z');
      expect([asked.toSorted(), blind]).toEqual([FILES, []]);
      const before = await pipeline.current();
      broken = FILES.at(-1) ?? null;
      const refusal = await pipeline.publish().catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(KnownError);
      expect(String(refusal)).toContain(
        `The check ${broken} failed, so this snapshot is not published and the current one stays. First rows: {`,
      );
      expect(await pipeline.current()).toEqual(before);
    } finally {
      Object.assign(DuckDBConnection.prototype, { run });
      await pipeline.remove();
    }
  });
});
