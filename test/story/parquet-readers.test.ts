// The lake is plain Parquet: a reader that shares nothing with DuckDB finds the same rows.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { columnsOf } from '../../src/lake/layout.ts';
import { fredMdFile, openPipeline, type Pipeline, realTimeFile } from '../pipeline.ts';

const COLUMNS = [...Object.keys(columnsOf('observations')), 'source_id'];

function toText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'string' ? value : JSON.stringify(typeof value === 'bigint' ? Number(value) : value);
}

/** Rows of every file of every partition; the folder's name says the partition. */
async function readPlainly(lake: string, table: string): Promise<Record<string, string | null>[]> {
  const rows: Record<string, string | null>[] = [];
  for (const path of readdirSync(join(lake, table), { recursive: true, encoding: 'utf8' }).sort()) {
    const sourceId = /^source_id=([a-z_]+)\/.*\.parquet$/.exec(path)?.[1];
    if (sourceId === undefined) continue;
    const bytes = readFileSync(join(lake, table, path));
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
    for (const row of await parquetReadObjects({ file, compressors })) {
      rows.push(Object.fromEntries([...Object.entries(row).map(([name, value]) => [name, toText(value)]), ['source_id', sourceId]]));
    }
  }
  return rows;
}

describe('a Parquet reader without DuckDB', () => {
  let pipeline: Pipeline;
  beforeAll(async () => {
    pipeline = await openPipeline();
    const months = Object.fromEntries([...Array(100).keys()].map((index) => [monthAfter('2012-01', index), 100 + index / 8]));
    await pipeline.ingest(
      fredMdFile('2020-05', { PAYEMS: months, CPIAUCSL: months, UNRATE: { ...months, '2015-01': null } }),
      '2021-01-01T00:00:00.000Z',
    );
    const revised = { ...months, '2020-04': 1e-7, '2020-05': -0.1 };
    const files = {
      ...fredMdFile('2020-06', { PAYEMS: revised, CPIAUCSL: { ...months, '2020-05': null }, UNRATE: { ...months, '2015-02': null } }),
      ...realTimeFile('EMP', 'EMP', [
        ['2020-01-01', '2020-02-07', '2020-12-31', 10.125],
        ['2020-02-01', '2020-03-06', '2020-12-31', 11],
        ['2020-03-01', '2020-04-03', '2020-12-31', 12],
      ]),
    };
    await pipeline.ingest(files, '2021-01-02T00:00:00.000Z');
  });
  afterAll(() => pipeline.remove());

  it('finds the same observations in all partitions', async () => {
    const plain = await readPlainly(join(pipeline.dataDir, 'lake'), 'observations');
    const order = 'order by change_sequence, source_id';
    const cast = COLUMNS.map((name) => {
      if (name.endsWith('_at')) return `strftime(${name} at time zone 'UTC', '%Y-%m-%dT%H:%M:%S.%g') || 'Z' as ${name}`;
      return name.startsWith('period_') ? `${name}::varchar || 'T00:00:00.000Z' as ${name}` : name;
    });
    const rows = await pipeline.lake(`select ${cast.join(', ')} from observations ${order}`);
    const expected = rows.map((row) => Object.fromEntries(COLUMNS.map((name) => [name, toText(row[name])])));
    const found = plain.toSorted((a, b) => Number(a['change_sequence']) - Number(b['change_sequence']));
    expect(found.length).toBeGreaterThan(300);
    expect(new Set(found.map((row) => row['source_id']))).toEqual(new Set(['fred', 'fred_md']));
    expect(found).toEqual(expected);
  });

  it('finds the documented columns, also in a lake without a row', async () => {
    const path = join(pipeline.dataDir, 'lake/observations/source_id=none/schema.parquet');
    const bytes = readFileSync(path);
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
    expect(await parquetReadObjects({ file, compressors })).toEqual([]);
    const [first] = await readPlainly(join(pipeline.dataDir, 'lake'), 'observations');
    expect(Object.keys(first ?? {})).toEqual(COLUMNS);
  });
});

function monthAfter(month: string, months: number): string {
  const index = Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1 + months;
  return `${Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}`;
}
