// Key-set paging around a list query: nulls last both ways, ties broken by the row's own key. The order is the one thing composed in
// TypeScript, out of a closed map; every value is bound.
import { z } from 'zod';
import { type Bound, type HeldRows, type Query, type Reader, runHeld, runKeyed } from '../db/query.ts';
import { toText, type Value } from '../db/rows.ts';

export interface SortKey {
  /** SQL over the columns of the list query, which is called `listed`; of the order, where something comes first both ways. */
  readonly expression: string | ((order: Order) => string);
  readonly type: 'date' | 'timestamptz' | 'varchar' | 'double' | 'bigint';
  /** The same in the words of ClickHouse, where that differs; `join` is what it needs beside `listed`. */
  readonly twin?: { readonly expression: string; readonly join?: string };
}

export interface Tie {
  readonly column: string;
  readonly type: 'ubigint' | 'varchar';
  /** What comes between the sort key and this one, in the order asked for; never null. */
  readonly second?: { readonly column: string; readonly type: 'timestamptz' };
}

export type Order = 'asc' | 'desc';

const pageParams = { afterKey: z.string().nullable(), afterTie: z.string().nullable(), limit: z.int() };
const secondParams = { afterSecond: z.string().nullable() };
type PageParams = typeof pageParams;

export interface PagedQuery<Params extends z.ZodRawShape, Row, Sort extends string> {
  /** In the order of their map; the first is the default. */
  readonly sorts: readonly [Sort, ...Sort[]];
  readonly statement: (sort: Sort, order: Order) => Query<Params & PageParams, Row>;
  /** How many columns follow those of a row: its place in the order. */
  readonly keyCount: number;
  /** The parameters of a page. */
  readonly bind: (page: Pick<PageOf<Sort>, 'after' | 'limit'>) => Bounds;
}

type Bounds = { readonly [Name in keyof PageParams]: Bound };

export function definePaged<Params extends z.ZodRawShape, Row, Sort extends string>(
  query: Query<Params, Row>,
  sortKeys: Readonly<Record<Sort, SortKey>>,
  tie: Tie,
): PagedQuery<Params, Row, Sort> {
  const statements = new Map<string, Query<Params & PageParams, Row>>();
  const params = { ...query.params.shape, ...pageParams, ...(tie.second === undefined ? {} : secondParams) };
  const statement = (sort: Sort, order: Order) => {
    const name = `${sort} ${order}`;
    let made = statements.get(name);
    if (made === undefined) {
      made = {
        file: query.file,
        sql: pageOf(query.sql, sortKeys[sort], tie, order),
        ...(query.twin === undefined ? {} : { twin: twinPageOf(query.twin, sortKeys[sort], tie, order) }),
        params: z.strictObject(params) as unknown as z.ZodObject<Params & PageParams>,
        row: query.row,
        isBulk: query.isBulk === true,
      };
      statements.set(name, made);
    }
    return made;
  };
  return {
    sorts: Object.keys(sortKeys) as [Sort, ...Sort[]],
    statement,
    keyCount: tie.second === undefined ? 2 : 3,
    bind: (page) => bindPage(page, tie.second !== undefined),
  };
}

function pageOf(sql: string, key: SortKey, { column, type, second }: Tie, order: Order): string {
  const beyond = order === 'asc' ? '>' : '<';
  const after = `$after_key::varchar::${key.type}`;
  const isTied = `${column} > $after_tie::varchar::${type}`;
  const afterSecond = second === undefined ? '' : `$after_second::varchar::${second.type}`;
  const isBeyond =
    second === undefined ? isTied : `(${second.column} ${beyond} ${afterSecond} or (${second.column} = ${afterSecond} and ${isTied}))`;
  const sortKey = `${typeof key.expression === 'string' ? key.expression : key.expression(order)} as sort_key`;
  // Of the rows of the page alone: made of all rows, these texts cost more than their order.
  const texts = [`${column}::varchar as tie_key`, ...(second === undefined ? [] : [`${second.column}::varchar as second_key`])];
  const ordered = [`sort_key ${order} nulls last`, ...(second === undefined ? [] : [`${second.column} ${order}`]), column];
  const limited = `select * from (select listed.*, ${sortKey} from (${sql}) as listed) as listed
where $after_tie::varchar is null
    or ($after_key::varchar is not null and (sort_key ${beyond} ${after} or sort_key is null))
    or (sort_key is not distinct from ${after} and ${isBeyond})
order by ${ordered.join(', ')}
limit $limit::integer`;
  return `select *, ${texts.join(', ')} from (${limited}) as listed order by ${ordered.join(', ')}`;
}

/** Days and instants are whole numbers there, see src/engine/wire.ts. */
const TWIN_TYPES = {
  date: 'Int32',
  timestamptz: 'Int64',
  varchar: 'String',
  double: 'Float64',
  bigint: 'Int64',
  ubigint: 'UInt64',
} as const;

/** The same page in the words of ClickHouse. */
function twinPageOf(sql: string, key: SortKey, { column, type, second }: Tie, order: Order): string {
  const beyond = order === 'asc' ? '>' : '<';
  const after = `{after_key:Nullable(${TWIN_TYPES[key.type]})}`;
  const tie = `{after_tie:Nullable(${TWIN_TYPES[type]})}`;
  const isTied = `${column} > ${tie}`;
  const afterSecond = second === undefined ? '' : `{after_second:Nullable(${TWIN_TYPES[second.type]})}`;
  const isBeyond =
    second === undefined ? isTied : `(${second.column} ${beyond} ${afterSecond} or (${second.column} = ${afterSecond} and ${isTied}))`;
  const own = typeof key.expression === 'string' ? key.expression : key.expression(order);
  const texts = [
    `toString(${column}) as tie_key`,
    ...(second === undefined ? [] : [`fromUnixTimestamp64Micro(${second.column}, 'UTC') as second_key`]),
  ];
  const ordered = [`sort_key ${order} nulls last`, ...(second === undefined ? [] : [`${second.column} ${order}`]), column];
  const keyed = `select listed.*, ${key.twin?.expression ?? own} as sort_key from (${sql}) as listed ${key.twin?.join ?? ''}`;
  const limited = `select * from (${keyed}) as listed
where ${tie} is null
    or (${after} is not null and (sort_key ${beyond} ${after} or sort_key is null))
    or ((sort_key = ${after} or (sort_key is null and ${after} is null)) and ${isBeyond})
order by ${ordered.join(', ')}
limit {limit:UInt32}`;
  return `select *, ${texts.join(', ')} from (${limited}) as listed order by ${ordered.join(', ')}`;
}

export interface PageOf<Sort extends string> {
  readonly sort: Sort;
  readonly order: Order;
  /** Sort key, second key where there is one, and tie of the row before the page; null for the first page. */
  readonly after: readonly (string | number | null)[] | null;
  readonly limit: number;
}

export interface FoundPage<Row> {
  readonly rows: readonly Row[];
  readonly nextKey: readonly (string | number | null)[] | null;
}

export async function runPaged<Params extends z.ZodRawShape, Row, Sort extends string>(
  reader: Reader,
  query: PagedQuery<Params, Row, Sort>,
  values: { readonly [Name in keyof Params]: Bound },
  page: PageOf<Sort>,
): Promise<FoundPage<Row>> {
  const bound = { ...values, ...query.bind({ ...page, limit: page.limit + 1 }) };
  const { rows, keysOf } = await runKeyed(reader, query.statement(page.sort, page.order), bound, query.keyCount);
  const isMore = rows.length > page.limit && page.limit > 0;
  return { rows: rows.slice(0, page.limit), nextKey: isMore ? toKey(keysOf(page.limit - 1)) : null };
}

/** A page of very many rows. */
export interface HeldPage<Row> {
  readonly rows: HeldRows<Row>;
  readonly nextKey: FoundPage<Row>['nextKey'];
}

/** As `runPaged`, the rows as they were found. */
export async function runPagedHeld<Params extends z.ZodRawShape, Row, Sort extends string>(
  reader: Reader,
  query: PagedQuery<Params, Row, Sort>,
  values: { readonly [Name in keyof Params]: Bound },
  page: PageOf<Sort>,
): Promise<HeldPage<Row>> {
  const { limit } = page;
  const bound = { ...values, ...query.bind({ ...page, limit: limit + 1 }) };
  const options = { keyCount: query.keyCount, limit };
  const { held, isMore, lastKeys } = await runHeld(reader, query.statement(page.sort, page.order), bound, options);
  return { rows: held, nextKey: isMore && limit > 0 ? toKey(lastKeys) : null };
}

/** Sort key, tie and, where there is one, second key, as the statement selects them. */
function toKey([sort = null, tie = null, ...second]: readonly Value[]): readonly (string | null)[] {
  return [sort, ...second, tie].map((key) => (key === null ? null : toText(key)));
}

function bindPage({ after, limit }: Pick<PageOf<string>, 'after' | 'limit'>, hasSecond: boolean): Bounds {
  const [key, second, tie] = (hasSecond ? after : after?.toSpliced(1, 0, null))?.map((one) => (one === null ? null : String(one))) ?? [];
  const afterSecond = hasSecond ? { afterSecond: second ?? null } : {};
  return { afterKey: key ?? null, afterTie: tie ?? null, limit, ...afterSecond };
}

/** A sort name out of a request, when it is one of the query's. */
export function sortOf<Sort extends string>(query: { readonly sorts: readonly Sort[] }, name: string): Sort {
  const found = query.sorts.find((sort) => sort === name);
  if (found === undefined) throw new RangeError(`${name} is not a sortable field`);
  return found;
}
