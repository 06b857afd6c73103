// Key-set paging around a list query: nulls last both ways, ties broken by the row's own key. The order is the one thing composed in
// TypeScript, out of a closed map; every value is bound.
import { z } from 'zod';
import { type Bound, type Query, type Reader, run } from '../db/query.ts';

export interface SortKey {
  /** SQL over the columns of the list query, which is called `listed`. */
  readonly expression: string;
  readonly type: 'date' | 'timestamptz' | 'varchar' | 'double' | 'bigint';
}

export interface Tie {
  readonly column: string;
  readonly type: 'ubigint' | 'varchar';
}

export type Order = 'asc' | 'desc';

const pageParams = { afterKey: z.string().nullable(), afterTie: z.string().nullable(), limit: z.int() };
const keyColumns = { sortKey: z.union([z.string(), z.number(), z.bigint()]).nullable(), tieKey: z.string() };

type PageParams = typeof pageParams;
export type Paged<Row> = Row & { readonly sortKey: string | number | bigint | null; readonly tieKey: string };

export interface PagedQuery<Params extends z.ZodRawShape, Row, Sort extends string> {
  readonly sorts: readonly Sort[];
  readonly statement: (sort: Sort, order: Order) => Query<Params & PageParams, Paged<Row>>;
}

export function definePaged<Params extends z.ZodRawShape, Row, Sort extends string>(
  query: Query<Params, Row>,
  sortKeys: Readonly<Record<Sort, SortKey>>,
  tie: Tie,
): PagedQuery<Params, Row, Sort> {
  const statements = new Map<string, Query<Params & PageParams, Paged<Row>>>();
  const statement = (sort: Sort, order: Order) => {
    const name = `${sort} ${order}`;
    let made = statements.get(name);
    if (made === undefined) {
      made = {
        file: query.file,
        sql: pageOf(query.sql, sortKeys[sort], tie, order),
        params: z.strictObject({ ...query.params.shape, ...pageParams }) as unknown as z.ZodObject<Params & PageParams>,
        row: z.intersection(query.row, z.object(keyColumns)) as unknown as z.ZodType<Paged<Row>>,
      };
      statements.set(name, made);
    }
    return made;
  };
  return { sorts: Object.keys(sortKeys) as Sort[], statement };
}

function pageOf(sql: string, key: SortKey, tie: Tie, order: Order): string {
  const beyond = order === 'asc' ? '>' : '<';
  const after = `$after_key::varchar::${key.type}`;
  return `select * from (select listed.*, ${key.expression} as sort_key, listed.${tie.column}::varchar as tie_key from (${sql}) as listed) as listed
where $after_tie::varchar is null
    or ($after_key::varchar is not null and (sort_key ${beyond} ${after} or sort_key is null))
    or (sort_key is not distinct from ${after} and ${tie.column} > $after_tie::varchar::${tie.type})
order by sort_key ${order} nulls last, ${tie.column}
limit $limit::integer`;
}

export interface PageOf<Sort extends string> {
  readonly sort: Sort;
  readonly order: Order;
  /** Sort key and tie of the row before the page; null for the first page. */
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
  const bound = { ...values, ...bindPage({ ...page, limit: page.limit + 1 }) };
  const rows = await run(
    reader,
    query.statement(page.sort, page.order),
    bound as { readonly [Name in keyof (Params & PageParams)]: Bound },
  );
  const kept = rows.slice(0, page.limit);
  const last = kept.at(-1);
  const isMore = rows.length > page.limit && last !== undefined;
  return { rows: kept.map(withoutKeys), nextKey: isMore ? [last.sortKey === null ? null : String(last.sortKey), last.tieKey] : null };
}

export function bindPage({ after, limit }: Pick<PageOf<string>, 'after' | 'limit'>) {
  const [key = null, tie = null] = after ?? [];
  return { afterKey: key === null ? null : String(key), afterTie: tie === null ? null : String(tie), limit };
}

function withoutKeys<Row>({ sortKey: _, tieKey: __, ...row }: Paged<Row>): Row {
  return row as unknown as Row;
}

/** A sort name out of a request, when it is one of the query's. */
export function sortOf<Sort extends string>(query: { readonly sorts: readonly Sort[] }, name: string): Sort {
  const found = query.sorts.find((sort) => sort === name);
  if (found === undefined) throw new RangeError(`${name} is not a sortable field`);
  return found;
}
