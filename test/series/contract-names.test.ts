// Names of futures contracts through time, by the days on which reports gave them.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWriter } from '../../src/db/connect.ts';
import { createRelation } from '../../src/db/layers.ts';

type Seen = readonly [day: string, name: string, retrievedAt?: string];
type Span = readonly [name: string, validFrom: string | null, validTo: string | null];

describe('the names of a contract', () => {
  let engine: Awaited<ReturnType<typeof openWriter>>;
  beforeEach(async () => {
    engine = await openWriter({ threads: 2, memory: '200MB', tempDirectory: '', tempSize: '1GB' });
    await engine.connection.run(`
      create schema lake;
      create table lake.entities (entity_id varchar, entity_type varchar, name varchar, seen_on date, retrieved_at timestamptz, record_hash varchar);
      create schema series;
      create table series.series (series_no integer, entity_id varchar);
      create table series.vintages (series_no integer, period_end date, observed_at timestamptz)`);
  });
  afterEach(() => engine.close());

  async function spans(seen: readonly Seen[], type = 'futures_contract'): Promise<readonly Span[]> {
    for (const [day, name, retrievedAt = '2026-01-01'] of seen) {
      await engine.connection.run('insert into lake.entities values ($1, $2, $3, $4::date, $5::timestamptz, $3)', [
        'cftc_000001',
        type,
        name,
        day,
        retrievedAt,
      ]);
    }
    await createRelation(engine.connection, { path: 'series/contract_names', as: 'table' });
    const rows = await engine.connection.runAndReadAll(
      'select name, valid_from::varchar, valid_to::varchar from series.contract_names order by span_no',
    );
    return rows.getRows().map(([name, from, to]) => [String(name), from === null ? null : String(from), to === null ? null : String(to)]);
  }

  it('are one without days if they never change', async () => {
    expect(
      await spans([
        ['2020-01-07', 'A'],
        ['2021-01-05', 'A'],
      ]),
    ).toEqual([['A', null, null]]);
  });

  it('end the day before the next one was first seen', async () => {
    const seen: Seen[] = [
      ['2021-01-05', 'A'],
      ['2020-01-07', 'A'],
      ['2022-01-04', 'B'],
      ['2023-01-03', 'B'],
    ];
    expect(await spans(seen)).toEqual([
      ['A', null, '2022-01-03'],
      ['B', '2022-01-04', null],
    ]);
  });

  it('come back as a span of their own', async () => {
    expect(
      await spans([
        ['2025-01-01', 'A'],
        ['2025-01-14', 'B'],
        ['2025-02-18', 'A'],
      ]),
    ).toEqual([
      ['A', null, '2025-01-13'],
      ['B', '2025-01-14', '2025-02-17'],
      ['A', '2025-02-18', null],
    ]);
  });

  it('are the same with other blanks', async () => {
    expect(
      await spans([
        ['2024-01-02', 'A  - X'],
        ['2025-01-07', 'A - X'],
      ]),
    ).toEqual([['A - X', null, null]]);
  });

  it('of one day are the last retrieved', async () => {
    const seen: Seen[] = [
      ['2024-01-02', 'A', '2026-01-02'],
      ['2024-01-02', 'B', '2026-01-01'],
    ];
    expect(await spans(seen)).toEqual([['A', null, null]]);
  });

  it('are known once a report with them is published, and without one from their retrieval', async () => {
    await engine.connection.run(`
      insert into series.series values (1, 'cftc_000001');
      insert into series.vintages values
        (1, '2021-01-05', '2021-01-08 20:30:00+00'), (1, '2022-01-04', '2022-01-07 20:30:00+00'), (1, '2022-01-11', '2022-01-14 20:30:00+00')`);
    await spans([
      ['2021-01-05', 'A'],
      ['2022-01-04', 'B'],
      ['2023-01-03', 'C', '2026-01-01'],
    ]);
    const rows = await engine.connection.runAndReadAll(
      "select name, known_from at time zone 'UTC', known_to at time zone 'UTC' from series.contract_names order by span_no",
    );
    expect(rows.getRows().map((row) => row.map((value) => (value === null ? null : String(value))))).toEqual([
      ['A', '2021-01-08 20:30:00', '2022-01-07 20:30:00'],
      ['B', '2022-01-07 20:30:00', '2026-01-01 00:00:00'],
      ['C', '2026-01-01 00:00:00', null],
    ]);
  });

  it('are not added to other entities', async () => {
    expect(await spans([['2024-01-02', 'A']], 'company')).toEqual([]);
  });
});
