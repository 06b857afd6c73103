// What the service published beside what another implementation computed: every row of both, measure by measure.
import type { DuckDBConnection } from '@duckdb/node-api';
import { openWriter, quote } from '../../src/db/connect.ts';
import { toValue } from '../../src/db/rows.ts';
import type { Pipeline } from '../pipeline.ts';

export interface Comparison {
  readonly name: string;
  /** A statement that gives our rows. */
  readonly ours: string;
  /** A statement that gives theirs; `peers('x.csv')` reads what a script wrote, `asked('x.json')` what it was asked. */
  readonly theirs: string;
  readonly keys: readonly string[];
  /** Milliseconds from which a row holds, until the next of the same keys: compared at every instant at which either says something. */
  readonly instant?: string;
  /** Measure → the largest difference allowed, relative to values above 1; null: equal. */
  readonly measures: Readonly<Record<string, number | null>>;
  /** Column of ours that says why a row differs, null where nothing does. */
  readonly explained?: string;
  /** Column of ours that says why a row may differ from theirs of a later instant, null where nothing does. */
  readonly explainedLater?: string;
}

export interface Outcome {
  readonly name: string;
  readonly measure: string;
  readonly rows: number;
  /** Rows in which both have a value. */
  readonly values: number;
  readonly largest: number | null;
  readonly explained: number;
  readonly differing: number;
  /** The first of the differing rows. */
  readonly example: string | null;
}

export interface Peers {
  readonly connection: DuckDBConnection;
  readonly compare: (comparison: Comparison) => Promise<readonly Outcome[]>;
  readonly rows: (sql: string) => Promise<readonly (readonly unknown[])[]>;
  readonly close: () => void;
}

/** Opens the published relations of a pipeline, and the folder into which the scripts write. */
export async function openPeers(pipeline: Pipeline, folder: string): Promise<Peers> {
  const { connection, close } = await openWriter(pipeline.workspace.limits('test'));
  const files = new Map<string, string[]>();
  for (const { path } of (await pipeline.current()).resources) {
    const [table = ''] = path.replace('files/', '').split('-');
    files.set(table, [...(files.get(table) ?? []), quote(`${pipeline.dataDir}/snapshots/${path}`)]);
  }
  await connection.run('create schema published');
  for (const [table, paths] of files) {
    await connection.run(`create view published.${table} as from read_parquet([${paths.join(', ')}], union_by_name = true)`);
  }
  // Empty cells are null; days and periods stay text, so that both sides write them alike.
  await connection.run(`create macro peers(name) as table
    from read_csv(${quote(`${folder}/`)} || name, header = true, auto_type_candidates = ['BOOLEAN', 'BIGINT', 'DOUBLE', 'VARCHAR'], sample_size = -1)`);
  await connection.run(
    `create macro asked(name) as table from read_json(${quote(`${folder}/`)} || name, timestampformat = '-', dateformat = '-')`,
  );
  const rows = async (sql: string) => (await connection.runAndReadAll(sql)).getRows().map((row) => row.map(toValue));
  return { connection, rows, close, compare: async (comparison) => compareRows(connection, rows, comparison) };
}

async function compareRows(connection: DuckDBConnection, rows: Peers['rows'], comparison: Comparison): Promise<readonly Outcome[]> {
  const { ours, theirs, keys, instant, measures, explained, explainedLater } = comparison;
  await connection.run(`create or replace temp table ours as ${ours}`);
  await connection.run(`create or replace temp table theirs as ${theirs}`);
  const named = instant === undefined ? keys : [...keys, instant];
  const list = named.join(', ');
  const meets = (side: string) =>
    [
      ...keys.map((key) => `${side}.${key} = grid.${key}`),
      ...(instant === undefined ? [] : [`${side}.${instant} <= grid.${instant}`]),
    ].join(' and ');
  const later =
    instant === undefined || explainedLater === undefined ? 'null' : `if(ours.${instant} < grid.${instant}, ours.${explainedLater}, null)`;
  const join = instant === undefined ? 'left join' : 'asof left join';
  const columns = Object.keys(measures).map((name) => `ours.${name} as our_${name}, theirs.${name} as their_${name}`);
  await connection.run(`
    create or replace temp table paired as
    select ${named.map((name) => `grid.${name}`).join(', ')}, ours.${keys[0]} is null or theirs.${keys[0]} is null as is_alone,
      coalesce(${explained === undefined ? 'null' : `ours.${explained}`}, ${later}) as why, ${columns.join(', ')}
    from (select ${list} from ours union select ${list} from theirs) as grid
    ${join} ours on ${meets('ours')}
    ${join} theirs on ${meets('theirs')}`);
  const outcomes: Outcome[] = [];
  for (const [measure, tolerance] of Object.entries(measures)) {
    const [our, their] = [`our_${measure}`, `their_${measure}`];
    const gap = tolerance === null ? 'null' : `abs(${our} - ${their}) / greatest(1, abs(${their}))`;
    const differs =
      tolerance === null
        ? `${our}::varchar is distinct from ${their}::varchar`
        : `(${our} is null) != (${their} is null) or ${gap} > ${tolerance}`;
    const [found = []] = await rows(`
      select count(*)::integer, count(*) filter (${our} is not null and ${their} is not null)::integer, max(${gap})::double,
        count(*) filter ((is_alone or ${differs}) and why is null)::integer, count(*) filter ((is_alone or ${differs}) and why is not null)::integer
      from paired`);
    const [example = []] = await rows(`
      select to_json({${named.map((name) => `${name}: ${name}`).join(', ')}, ours: ${our}, theirs: ${their}})::varchar
      from paired where (is_alone or ${differs}) and why is null order by all limit 1`);
    outcomes.push({
      name: comparison.name,
      measure,
      rows: Number(found[0]),
      values: Number(found[1]),
      largest: typeof found[2] === 'number' ? found[2] : null,
      differing: Number(found[3]),
      explained: Number(found[4]),
      example: typeof example[0] === 'string' ? example[0] : null,
    });
  }
  return outcomes;
}

const number = (value: number) => value.toLocaleString('en-US');

/** The outcomes as a table to read. */
export function tableOf(outcomes: readonly Outcome[]): string {
  const lines = [
    ['compared', 'measure', 'rows', 'values', 'largest difference', 'explained', 'unexplained'],
    ...outcomes.map(({ name, measure, rows, values, largest, explained, differing }) => [
      name,
      measure,
      number(rows),
      number(values),
      largest === null ? 'equal' : largest === 0 ? '0' : largest.toExponential(1),
      number(explained),
      number(differing),
    ]),
  ];
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0))) ?? [];
  return lines
    .map((line) =>
      line.map((cell, column) => (column < 2 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join('  '),
    )
    .join('\n');
}
