// Asks DuckDB whether every file of sql/ is what its binding says: it binds, takes the declared parameters, gives the declared columns.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  ANY,
  BIGINT,
  BOOLEAN,
  DATE,
  DOUBLE,
  type DuckDBConnection,
  type DuckDBType,
  DuckDBTypeId,
  INTEGER,
  LIST,
  STRUCT,
  VARCHAR,
} from '@duckdb/node-api';
import { mismatch } from './column-types.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { relationName, textOf } from '../../src/db/layers.ts';
import { readsOf } from '../../src/db/reads.ts';
import { camelCase, snakeCase } from '../../src/db/rows.ts';
import { pagedQueries, queries } from '../queries/all-queries.ts';
import { CLICKHOUSE } from '../../src/engine/dialect.ts';
import { columnsOf as lakeColumnsOf, LAKE_TABLE_NAMES } from '../../src/lake/layout.ts';
import { describedTables } from '../../src/snapshot/build/descriptions.ts';
import { lakeDocument } from '../../tools/lake-document.ts';
import { CHECKS, RELATIONS } from '../../src/snapshot/build/relations.ts';
import { sources } from '../../src/sources/index.ts';
import type { SnapshotReader } from '../../src/snapshot/serving/reader.ts';
import { openPipeline, type Pipeline } from '../pipeline.ts';

/** What `parameterTypeId` gives where DuckDB has no type for a parameter yet. */
const UNTOLD = 0;

const SQL = join(import.meta.dirname, '../../sql');
const namesIn = (folder: string) =>
  readdirSync(join(SQL, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.sql'))
    .sort();

let pipeline: Pipeline;
let snapshot: SnapshotReader;

// A lake with one number will do: every relation is created and every published table written.
beforeAll(async () => {
  pipeline = await openPipeline();
  await pipeline.ingest({ 'ecb-eurofxref/eurofxref.csv': 'Date, USD, \n2 January 2024, 1.0956, \n' }, '2024-01-03T00:00:00.000Z', sources);
  await pipeline.publish();
  snapshot = await pipeline.open();
});
afterAll(() => pipeline.remove());

const prepare = <Result>(use: (connection: DuckDBConnection) => Promise<Result>) =>
  snapshot.withConnection((connection) => use(connection));

async function parametersOf(sql: string): Promise<string[]> {
  return prepare(async (connection) => {
    const statement = await connection.prepare(sql);
    return Array.from({ length: statement.parameterCount }, (_, index) => statement.parameterName(index + 1)).sort();
  });
}

async function columnsOf(sql: string): Promise<string[]> {
  return prepare(async (connection) => {
    const statement = await connection.prepare(sql);
    return Array.from({ length: statement.columnCount }, (_, index) => camelCase(statement.columnName(index))).sort();
  });
}

describe.each(queries.map((query) => [query.file, query] as const))('sql/queries/%s', (_, query) => {
  it('has exactly the parameters of its binding', async () => {
    expect(await parametersOf(query.sql)).toEqual(Object.keys(query.params.shape).map(snakeCase).sort());
  });

  it('has exactly the columns of its binding', async () => {
    if (!(query.row instanceof z.ZodObject)) throw new Error(`${query.file} declares no plain row`);
    expect(await columnsOf(query.sql)).toEqual(Object.keys(query.row.shape).sort());
  });
});

describe.each(queries.map((query) => [query.file, query] as const))('the types of sql/queries/%s', (_, query) => {
  type Typed = readonly [name: string, type: DuckDBType];
  const columnTypes = () =>
    prepare(async (connection) => {
      const statement = await connection.prepare(query.sql);
      return Array.from(
        { length: statement.columnCount },
        (__, at): Typed => [camelCase(statement.columnName(at)), statement.columnType(at)],
      );
    });
  const parameterTypes = () =>
    prepare(async (connection) => {
      const statement = await connection.prepare(query.sql);
      return Array.from({ length: statement.parameterCount }, (__, index): Typed => {
        const at = index + 1;
        // What a list consists of is not told, nor the type of what only a function takes; a hash of 64 bits is bound as its digits.
        const told = new Map<number, DuckDBType>([
          [DuckDBTypeId.LIST, LIST(ANY)],
          [DuckDBTypeId.UBIGINT, VARCHAR],
          [UNTOLD, ANY],
        ]);
        const type = told.get(statement.parameterTypeId(at)) ?? statement.parameterType(at);
        return [camelCase(statement.parameterName(at)), type];
      });
    });
  const wrong = (types: readonly Typed[], shape: Readonly<Record<string, unknown>>) =>
    types.flatMap(([name, type]) => {
      const schema = shape[name];
      const said = schema instanceof z.ZodType ? mismatch(type, schema) : null;
      return said === null ? [] : [`${name}: ${said}`];
    });

  it('are those of the columns in its binding', async () => {
    if (!(query.row instanceof z.ZodObject)) throw new Error(`${query.file} declares no plain row`);
    expect(wrong(await columnTypes(), query.row.shape)).toEqual([]);
  });

  it('are those of the parameters in its binding', async () => {
    expect(wrong(await parameterTypes(), query.params.shape)).toEqual([]);
  });
});

describe('a type', () => {
  it.each([
    ['a number for a text', BIGINT, z.string()],
    ['a text for a number', VARCHAR, z.number().nullable()],
    ['a fraction for a count', DOUBLE, z.int()],
    ['a list of numbers for one of texts', LIST(INTEGER), z.array(z.string())],
    ['a truth for a text', BOOLEAN, z.enum(['true', 'false'])],
    ['a structure with another field', STRUCT({ period_end: DATE }), z.object({ period: z.string() })],
    ['a structure with a field of another type', STRUCT({ period_end: INTEGER }), z.object({ periodEnd: z.string() })],
  ])('%s is reported', (_, type, schema) => {
    expect(mismatch(type, schema)).not.toBeNull();
  });

  it.each([
    ['a day for a text', DATE, z.string().nullable()],
    ['a count for a number', BIGINT, z.number()],
    ['a structure in a list', LIST(STRUCT({ period_end: DATE })), z.array(z.object({ periodEnd: z.string() }))],
  ])('%s is accepted', (_, type, schema) => {
    expect(mismatch(type, schema)).toBeNull();
  });
});

describe.each(queries.flatMap(({ file, textIn, params }) => (textIn === undefined ? [] : [[file, textIn(CLICKHOUSE), params] as const])))(
  'the twin of sql/queries/%s in ClickHouse',
  (_, twin, params) => {
    it('uses no parameter that the query does not bind', () => {
      const bound = new Set(Object.keys(params.shape).map(snakeCase));
      const used = [...twin.matchAll(/\{(\w+):((?:\w|\(|\))+)\}/g)].flatMap(([, name = '', type]) => (type === 'Identifier' ? [] : [name]));
      expect(used.length).toBeGreaterThan(0);
      expect(used.filter((name) => !bound.has(name) && !(name.startsWith('no_') && bound.has(name.slice('no_'.length))))).toEqual([]);
    });
  },
);

describe('paged queries', () => {
  it('work in every sort and order, with the parameters of the page', async () => {
    for (const query of Object.values(pagedQueries)) {
      for (const sort of query.sorts) {
        for (const order of ['asc', 'desc'] as const) {
          const statement = query.statement(sort as never, order);
          expect(await parametersOf(statement.sql)).toEqual(Object.keys(statement.params.shape).map(snakeCase).sort());
        }
      }
    }
  });
});

describe('the lists of SQL files', () => {
  it('have every file of sql/queries', () => {
    expect([...new Set(queries.map((query) => query.file))].sort()).toEqual(namesIn('queries'));
  });

  it('have every query that is paged', () => {
    const folder = join(import.meta.dirname, '../../src/queries');
    const defined = filesIn(folder).flatMap((file) =>
      [...readFileSync(join(folder, file), 'utf8').matchAll(/^export const (\w+) = definePaged\(/gm)].map(([, name = '']) => name),
    );
    expect(Object.keys(pagedQueries).toSorted()).toEqual(defined.map(String).toSorted());
  });

  it('have every relation and check', () => {
    const own = RELATIONS.filter((step) => !step.path.startsWith('lake/')).map((step) => `${step.path}.sql`);
    // All views of the lake share one file.
    const listed = ['lake/rows.sql', ...own];
    const aside = [
      'assumed',
      'catalog',
      'checks',
      'clickhouse',
      'exporting',
      'mending',
      'queries',
      'reference',
      'sources',
      'staging',
      'sums',
      'verifying',
    ];
    const files = readdirSync(SQL, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !aside.includes(entry.name))
      .flatMap(({ name }) => namesIn(name).map((file) => `${name}/${file}`));
    expect(listed.toSorted()).toEqual(files.toSorted());
    expect([...CHECKS].sort()).toEqual(namesIn('checks').map((name) => name.replace('.sql', '')));
  });

  it('depend only on earlier ones: a schema reads itself and those before it', async () => {
    const order = [
      'lake',
      'macros',
      'series',
      'positions',
      'documents',
      'filings',
      'splits',
      'valuations',
      'derived',
      'forecasts',
      'calendar',
      'reconciliations',
      'published',
    ];
    const schemaOf = (path: string) => path.split(/[./]/)[0] ?? '';
    const listed = RELATIONS.map(({ path }) => schemaOf(path)).filter((schema) => schema !== 'lake' && schema !== 'macros');
    expect(listed).toEqual(listed.toSorted((a, b) => order.indexOf(a) - order.indexOf(b)));
    const standing = new Set<string>();
    const wrong: string[] = [];
    for (const step of RELATIONS) {
      if (step.as === 'table' || step.as === 'view' || step.as === 'files') {
        const { tables } = await prepare((connection) => readsOf(connection, textOf(step)));
        wrong.push(
          ...tables.filter((name) => !name.startsWith('reference.') && !standing.has(name)).map((name) => `${step.path} reads ${name}`),
        );
      }
      standing.add(relationName(step.path));
      if (step.path === 'forecasts/forecasts') standing.add('forecasts.forecast_backtests');
    }
    expect(wrong).toEqual([]);
  });

  it('match files with a first comment that describes them', () => {
    const all = readdirSync(SQL, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.sql'));
    expect(all.filter((name) => !readFileSync(join(SQL, name), 'utf8').startsWith('-- '))).toEqual([]);
  });
});

describe('the rows in force', () => {
  it('are selected by one macro: no query compares the ends of intervals itself', () => {
    const saying = namesIn('queries').filter((name) => /\bknown_to (?:is\b|[<>])/.test(readFileSync(join(SQL, 'queries', name), 'utf8')));
    expect(saying).toEqual([]);
  });
});

describe('values from requests', () => {
  it('are bound: no query text contains one', () => {
    const texts = filesIn(join(import.meta.dirname, '../../src/queries')).map((name) =>
      readFileSync(join(import.meta.dirname, '../../src/queries', name), 'utf8'),
    );
    expect(texts.join('\n')).not.toMatch(/\$\{(?:query|filters|values|params|page)\b/);
  });
});

/** Those in folders within it, too. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
}

/** Lines of a select list over several lines that hold more than one column. */
function crowdedLines(sql: string): string[] {
  const crowded: string[] = [];
  let list: number | null = null;
  for (const line of sql.split('\n')) {
    const indent = line.length - line.trimStart().length;
    if (list !== null && line.trim() !== '' && indent <= list) list = null;
    if (list !== null && indent === list + 4 && !line.trim().startsWith('--') && topCommas(line) > 1) crowded.push(line.trim());
    if (/^\s*select(?: distinct)?$/.test(line)) list = indent;
  }
  return crowded;
}

/** Commas outside of brackets and texts, and one more where something follows the last; 0 where brackets stay open. */
function topCommas(line: string): number {
  const plain = line.trim().replaceAll(/'[^']*'|"[^"]*"/g, "''");
  let depth = 0;
  let commas = 0;
  for (const character of plain) {
    if ('([{'.includes(character)) depth += 1;
    if (')]}'.includes(character)) depth -= 1;
    if (character === ',' && depth === 0) commas += 1;
  }
  return depth === 0 ? commas + (plain.endsWith(',') ? 0 : 1) : 0;
}

describe('a select list', () => {
  it('is on one line, or has one column per line', () => {
    expect(crowdedLines('select\n    a,\n    b, c,\nfrom x')).toEqual(['b, c,']);
    expect(crowdedLines('select\n    f(a, b) as c,\n    [1, 2] as d\nfrom (select a, b from y)')).toEqual([]);
    const files = readdirSync(SQL, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.sql'));
    expect(files.flatMap((name) => crowdedLines(readFileSync(join(SQL, name), 'utf8')).map((line) => `${name}: ${line}`))).toEqual([]);
  });
});

describe('the description of tables and columns', () => {
  const columns = (schema: 'published' | 'lake') =>
    new Map(describedTables(schema).map(({ name, columns: all }) => [name, all.map((one) => one.name)]));

  it('covers exactly the published columns', async () => {
    const { resources } = await pipeline.current();
    const tables = new Map(resources.map(({ table, schema }) => [table, schema.fields.map(({ name }) => name)]));
    expect(columns('published')).toEqual(tables);
    for (const { table, schema } of resources)
      expect([table, schema.primaryKey.filter((name) => !schema.fields.some((field) => field.name === name))]).toEqual([table, []]);
  });

  it('covers exactly the columns of the lake', () => {
    expect(columns('lake')).toEqual(new Map(LAKE_TABLE_NAMES.map((name) => [name, Object.keys(lakeColumnsOf(name))])));
  });

  it('equals docs/reference/tables.md (npx vitest run test/rules/sql-contract.test.ts -u rewrites it)', async () => {
    await expect(lakeDocument(await pipeline.current())).toMatchFileSnapshot('../../docs/reference/tables.md');
  });

  it('is in each file, with its table, schema, licence and documentation', async () => {
    const { resources, schemaVersion } = await pipeline.current();
    for (const { table, path } of resources) {
      const file = join(pipeline.paths.root, path);
      const kept = await pipeline.lake(
        `select decode("key") as name, decode("value") as said from parquet_kv_metadata('${file}') order by 1`,
      );
      const said = new Map(kept.map(({ name, said: text }) => [name, text]));
      expect([table, said.get('asof.table'), said.get('asof.schema_version'), said.get('asof.documentation')]).toEqual([
        table,
        table,
        schemaVersion,
        `docs/reference/tables.md#${table}`,
      ]);
      expect([table, said.get('asof.licence')]).toEqual([table, expect.stringMatching(/./)]);
    }
  });
});
