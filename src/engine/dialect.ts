// The SQL of ClickHouse: a twin for each heavy statement of sql/queries/, and pages around it.
import type { Dialect } from '../db/dialect.ts';
import { sqlText } from '../db/query.ts';

/** Days and instants are integers, see wire.ts. */
const TYPES: Readonly<Record<string, string>> = {
  date: 'Int32',
  timestamptz: 'Int64',
  varchar: 'String',
  double: 'Float64',
  bigint: 'Int64',
  ubigint: 'UInt64',
};

/** The sorts whose expression is another one than in DuckDB. `join` is an additional join that it needs. */
const SORTS: Readonly<Record<string, { readonly expression: string; readonly join?: string }>> = {
  release_date: { expression: 'toInt32(floor(coalesce(released_at, observed_at) / 86400000000))' },
  indicator_id: {
    expression: 'series.indicator_id',
    join: 'inner join {series:Identifier} as series on series.series_no = listed.series_no',
  },
};

export const CLICKHOUSE: Dialect = {
  statement: twinText,
  keyedOf: (sql, sort, expression) =>
    `select listed.*, ${SORTS[sort]?.expression ?? expression} as sort_key from (${sql}) as listed ${SORTS[sort]?.join ?? ''}`,
  bound: (which, part, type) => `{${which}_${part}:Nullable(${TYPES[type]})}`,
  number: (name) => `{${name}:UInt32}`,
  textOf: (column, kind) => (kind === 'tie' ? `toString(${column})` : `fromUnixTimestamp64Micro(${column}, 'UTC')`),
  isSame: (one, other) => `(${one} = ${other} or (${one} is null and ${other} is null))`,
};

/** Adds the shared CTEs in front, if the text names them, because ClickHouse has no table macros. */
function twinText(file: string): string {
  const text = sqlText(`clickhouse/${file}`);
  const inFront = [
    ...(text.includes('calendar_place') ? [sqlText('clickhouse/macros/calendar_place.sql').trimEnd()] : []),
    ...(text.includes('asked_vintages') ? [`asked_vintages as (${sqlText('clickhouse/macros/asked_vintages.sql')})`] : []),
  ].join(',\n');
  if (inFront === '') return text;
  const [comment = '', ...rest] = text.split(/^(?=(?:with|select)\b)/m);
  const own = rest.join('');
  return own.startsWith('with') ? `${comment}with\n${inFront},${own.slice('with'.length)}` : `${comment}with\n${inFront}\n${own}`;
}
