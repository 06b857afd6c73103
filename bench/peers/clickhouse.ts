// ClickHouse within this process (chdb, a package of this folder), with the vintages of a generated lake in the best order for these queries.
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Lake } from '../generate.ts';
import { filesOf, manifestOf } from '../subject.ts';

interface Result {
  readonly text: () => string;
}

interface Session {
  readonly query: (text: string, format?: string) => string;
  readonly queryBindAsync: (
    text: string,
    parameters: Readonly<Record<string, unknown>>,
    options: { readonly format: string },
  ) => Promise<Result>;
  readonly close: () => void;
}

interface Package {
  readonly Session: new (folder: string) => Session;
}

export interface ClickHouse {
  /** @param values of the parameters p1, p2 and so on */
  readonly ask: (text: string, values: readonly unknown[]) => Promise<readonly (readonly unknown[])[]>;
  readonly stop: () => Promise<void>;
}

const ABSENT = 'ClickHouse is absent: chdb is not installed. Run npm install in bench/peers.';

// Rows of a series are adjacent; a granule is small, because one series is requested at a time.
const TABLES = `
  create table series (series_no UInt32, entity_id String, canonical_id String) engine = MergeTree order by canonical_id;
  create table vintages (
    series_no UInt32,
    period_end Date32,
    value Nullable(Float64),
    observed_at DateTime64(6, 'UTC'),
    known_to Nullable(DateTime64(6, 'UTC'))
  ) engine = MergeTree order by (series_no, period_end, observed_at) settings index_granularity = 1024`;

/** The reason if it is absent. */
export async function openClickHouse(lake: Lake): Promise<ClickHouse | string> {
  const found = packageOf();
  if (found === null) return ABSENT;
  const folder = mkdtempSync(join(tmpdir(), 'bench-clickhouse-'));
  const session = new found.Session(folder);
  const manifest = await manifestOf(lake);
  for (const statement of TABLES.split(';')) session.query(statement);
  for (const [name, columns] of [
    ['series', 'series_no, entity_id, canonical_id'],
    ['vintages', 'series_no, period_end, value, observed_at, known_to'],
  ] as const) {
    for (const file of filesOf(lake, manifest, name).split(', '))
      session.query(`insert into ${name} select ${columns} from file(${file}, Parquet)`);
    session.query(`optimize table ${name} final`);
  }
  return {
    ask: async (text, values) => {
      const parameters = Object.fromEntries(values.map((value, index) => [`p${index + 1}`, toParameter(value)]));
      const rows = (await session.queryBindAsync(text, parameters, { format: 'JSONCompactEachRow' })).text();
      return rows
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as readonly unknown[]);
    },
    stop: async () => {
      session.close();
      rmSync(folder, { recursive: true, force: true });
      await Promise.resolve();
    },
  };
}

/** Null if its package is missing. */
export function clickhouseVersion(): string | null {
  try {
    const { version } = createRequire(import.meta.url)('chdb/package.json') as { readonly version: string };
    return packageOf() === null ? null : `(chdb ${version})`;
  } catch {
    return null;
  }
}

/** An instant in ClickHouse's input format. */
function toParameter(value: unknown): unknown {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) ? value.replace('T', ' ').replace('Z', '') : value;
}

function packageOf(): Package | null {
  try {
    return createRequire(import.meta.url)('chdb') as Package;
  } catch {
    return null;
  }
}
