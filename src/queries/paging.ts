// Key-set paging around a list query. Nulls come last in both directions, and the row's own key breaks ties. Only the order is composed in
// TypeScript, from a closed map. Every value is bound.
import { z } from 'zod';
import type { Dialect } from '../db/dialect.ts';
import { type Bound, type HeldRows, type Query, type Question, type Reader, runHeld, runKeyed, sqlText } from '../db/query.ts';
import { toText, type Value } from '../db/rows.ts';

/** The sort of a list that the best answers to a text lead. Callers get it with `q`, and cannot name it. */
export const BEST_FIRST = 'relevance';

/** The ids that a search found, best first, and their places as parameters of lists. Null: nothing was searched. */
export function boundFound(ids: readonly string[] | null) {
  return { foundIds: ids, foundPlaces: ids?.map((_, index) => index + 1) ?? null };
}

/** The same, as parameters are declared. */
export const FOUND = { foundIds: z.array(z.string()).nullable(), foundPlaces: z.array(z.int()).nullable() };

export interface SortKey {
  /**
   * SQL over the columns of the list query, which has the alias `listed`. It is a function of the order if something comes first in both
   * directions.
   */
  readonly expression: string | ((order: Order) => string);
  readonly type: 'date' | 'timestamptz' | 'varchar' | 'double' | 'bigint';
}

export interface Tie {
  readonly column: string;
  readonly type: 'ubigint' | 'varchar';
  /** A key between the sort key and this one, in the requested order. Never null. */
  readonly second?: { readonly column: string; readonly type: 'timestamptz' };
}

export type Order = 'asc' | 'desc';

const afterParams = { afterKey: z.string().nullable(), afterTie: z.string().nullable() };
const pageParams = { ...afterParams, limit: z.int() };
const endParams = { ...afterParams, skipped: z.int() };
const upToParams = { ...afterParams, endKey: z.string().nullable(), endTie: z.string().nullable() };
const afterSecond = { afterSecond: z.string().nullable() };
const endSecond = { endSecond: z.string().nullable() };
type PageParams = typeof pageParams;
type EndParams = typeof endParams;
type UpToParams = typeof upToParams;

export interface PagedQuery<Params extends z.ZodRawShape, Row, Sort extends string> {
  /** Those that callers may name, in the order of their map. The first is the default. */
  readonly sorts: readonly [Sort, ...Sort[]];
  /** True if the best answers to a text can come first. */
  readonly isRanked: boolean;
  readonly statement: (sort: Sort, order: Order) => Query<Params & PageParams, Row>;
  /** How many key columns follow the columns of a row. */
  readonly keyCount: number;
  /** The parameters of a page. */
  readonly bind: (page: Pick<PageOf<Sort>, 'after' | 'limit'>) => Bounds<PageParams>;
  /** The rows of a page, unordered, bounded by the key of its last row instead of a count. */
  readonly upTo: (sort: Sort, order: Order) => Query<Params & UpToParams, Row>;
  readonly bindUpTo: (after: PageOf<Sort>['after'], end: PageOf<Sort>['after']) => Bounds<UpToParams>;
  readonly end: (sort: Sort, order: Order) => Query<Params & EndParams, Record<string, never>>;
  readonly bindEnd: (after: PageOf<Sort>['after'], skipped: number) => Bounds<EndParams>;
}

type Bounds<Names> = { readonly [Name in keyof Names]: Bound };

export function definePaged<Params extends z.ZodRawShape, Row, Sort extends string>(
  query: Query<Params, Row>,
  sortKeys: Readonly<Record<Sort, SortKey>>,
  tie: Tie,
  { isWide = false }: { readonly isWide?: boolean } = {},
): PagedQuery<Params, Row, Sort> {
  const hasSecond = tie.second !== undefined;
  const made = new Map<string, unknown>();
  const composed = <Own extends z.ZodRawShape, Of>(compose: typeof pageOf, own: z.ZodRawShape, row: z.ZodType<Of>, isBulk: boolean) => {
    const params = z.strictObject({ ...query.params.shape, ...own }) as unknown as z.ZodObject<Params & Own>;
    return (sort: Sort, order: Order): Query<Params & Own, Of> => {
      const name = `${compose.name} ${sort} ${order}`;
      const known = made.get(name) as Query<Params & Own, Of> | undefined;
      if (known !== undefined) return known;
      const by = { sort, key: sortKeys[sort], tie, order, isWide };
      const one = { ...around(query, (sql, dialect) => compose(sql, by, dialect)), params, row, isBulk };
      made.set(name, one);
      return one;
    };
  };
  const [second, bothSeconds] = hasSecond ? [afterSecond, { ...afterSecond, ...endSecond }] : [{}, {}];
  return {
    sorts: Object.keys(sortKeys).filter((sort) => sort !== BEST_FIRST) as [Sort, ...Sort[]],
    isRanked: BEST_FIRST in sortKeys,
    statement: composed<PageParams, Row>(pageOf, { ...pageParams, ...second }, query.row, query.isBulk === true),
    keyCount: hasSecond ? 3 : 2,
    bind: ({ after, limit }) => ({ ...bindPlace('after', after, hasSecond), limit }),
    upTo: composed<UpToParams, Row>(upTo, { ...upToParams, ...bothSeconds }, query.row, query.isBulk === true),
    bindUpTo: (after, end) => ({ ...bindPlace('after', after, hasSecond), ...bindPlace('end', end, hasSecond) }),
    end: composed<EndParams, Record<string, never>>(endOf, { ...endParams, ...second }, z.strictObject({}), false),
    bindEnd: (after, skipped) => ({ ...bindPlace('after', after, hasSecond), skipped }),
  };
}

const DUCKDB: Dialect = {
  statement: (file) => sqlText(`queries/${file}`),
  keyedOf: (sql, _, expression) => `select listed.*, ${expression} as sort_key from (${sql}) as listed`,
  bound: (which, part, type) => `$${which}_${part}::varchar::${type}`,
  number: (name) => `$${name}::integer`,
  textOf: (column) => `${column}::varchar`,
  isSame: (one, other) => `${one} is not distinct from ${other}`,
};

/** A statement around that of a question, in the SQL of each engine that may answer it. */
export function around({ file, sql, textIn }: Question, compose: (sql: string, dialect: Dialect) => string): Question {
  const other = textIn === undefined ? {} : { textIn: (dialect: Dialect) => compose(textIn(dialect), dialect) };
  return { file, sql: compose(sql, DUCKDB), ...other };
}

/** What a page is sorted by. */
interface Sorting {
  readonly sort: string;
  readonly key: SortKey;
  readonly tie: Tie;
  readonly order: Order;
  /** True for rows with many columns. */
  readonly isWide: boolean;
}

function keyedOf(sql: string, { sort, key: { expression }, order }: Sorting, dialect: Dialect): string {
  return dialect.keyedOf(sql, sort, typeof expression === 'string' ? expression : expression(order));
}

function pageOf(sql: string, by: Sorting, dialect: Dialect): string {
  const order = orderBy(by);
  const places = `select * from (${keyedOf(sql, by, dialect)}) as listed
where ${isBeyond('after', by, dialect)}
order by ${order}
limit ${dialect.number('limit')}`;
  const limited = by.isWide && dialect === DUCKDB ? rowsAt(places, sql, by.tie) : places;
  // Only for the rows of the page: to compute these texts for all rows costs more than the sort.
  return `select *, ${keyTexts(by.tie, dialect)} from (${limited}) as listed order by ${order}`;
}

/** Finds the rows of a page by the key columns alone, then reads their other columns. */
function rowsAt(places: string, sql: string, { column, second }: Tie): string {
  const columns = [column, ...(second === undefined ? [] : [second.column])];
  return `with page as materialized (select sort_key, ${columns.join(', ')} from (${places}) as listed)
select listed.*, page.sort_key from (${sql}) as listed
inner join page on ${columns.map((name) => `listed.${name} = page.${name}`).join(' and ')}`;
}

/** The key of the row that follows the first `skipped` rows of a page. No row if there are fewer. */
function endOf(sql: string, by: Sorting, dialect: Dialect): string {
  return `select sort_key, ${keyTexts(by.tie, dialect)} from (
    select * from (${keyedOf(sql, by, dialect)}) as listed
    where ${isBeyond('after', by, dialect)}
    order by ${orderBy(by)}
    limit 1 offset ${dialect.number('skipped')}
) as listed`;
}

/** The rows of a page that ends with a given row, unordered. */
function upTo(sql: string, by: Sorting, dialect: Dialect): string {
  return `select * from (${keyedOf(sql, by, dialect)}) as listed
where (${isBeyond('after', by, dialect)})
    and (${dialect.bound('end', 'tie', by.tie.type)} is null or not coalesce(${isBeyond('end', by, dialect)}, false))`;
}

function keyTexts({ column, second }: Tie, { textOf }: Dialect): string {
  const secondText = second === undefined ? '' : `, ${textOf(second.column, 'second')} as second_key`;
  return `${textOf(column, 'tie')} as tie_key${secondText}`;
}

function orderBy({ tie: { column, second }, order }: Sorting): string {
  return [`sort_key ${order} nulls last`, ...(second === undefined ? [] : [`${second.column} ${order}`]), column].join(', ');
}

/** True if a keyed row comes after the bound row, and for all rows if none is bound. */
function isBeyond(which: 'after' | 'end', { key, tie: { column, type, second }, order }: Sorting, { bound, isSame }: Dialect): string {
  const beyond = order === 'asc' ? '>' : '<';
  const [boundKey, boundTie] = [bound(which, 'key', key.type), bound(which, 'tie', type)];
  const isTied = `${column} > ${boundTie}`;
  const boundSecond = second === undefined ? '' : bound(which, 'second', second.type);
  const isBeyondTied =
    second === undefined ? isTied : `(${second.column} ${beyond} ${boundSecond} or (${second.column} = ${boundSecond} and ${isTied}))`;
  return `${boundTie} is null
    or (${boundKey} is not null and (sort_key ${beyond} ${boundKey} or sort_key is null))
    or (${isSame('sort_key', boundKey)} and ${isBeyondTied})`;
}

export interface PageOf<Sort extends string> {
  readonly sort: Sort;
  readonly order: Order;
  /** Sort key, second key if there is one, and tie of the last row before the page. Null for the first page. */
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

/**
 * The key of the last row of a page. Null if there are fewer rows.
 * @param skipped how many rows of the page come before it
 */
export async function runEnd<Params extends z.ZodRawShape, Row, Sort extends string>(
  reader: Reader,
  query: PagedQuery<Params, Row, Sort>,
  values: { readonly [Name in keyof Params]: Bound },
  { sort, order, after }: Omit<PageOf<Sort>, 'limit'>,
  skipped: number,
): Promise<PageOf<Sort>['after']> {
  const bound = { ...values, ...query.bindEnd(after, skipped) };
  const { rows, keysOf } = await runKeyed(reader, query.end(sort, order), bound, query.keyCount);
  return rows.length === 0 ? null : toKey(keysOf(0));
}

/**
 * Like `runPaged`, but the rows stay in columns.
 * @param isLate as in `runHeld`
 */
export async function runPagedHeld<Params extends z.ZodRawShape, Row, Sort extends string>(
  reader: Reader,
  query: PagedQuery<Params, Row, Sort>,
  values: { readonly [Name in keyof Params]: Bound },
  page: PageOf<Sort>,
  isLate = false,
): Promise<HeldPage<Row>> {
  const { limit } = page;
  const bound = { ...values, ...query.bind({ ...page, limit: limit + 1 }) };
  const options = { keyCount: query.keyCount, limit, isLate };
  const { held, isMore, lastKeys } = await runHeld(reader, query.statement(page.sort, page.order), bound, options);
  return { rows: held, nextKey: isMore && limit > 0 ? toKey(lastKeys) : null };
}

/** Sort key, tie and, if there is one, second key, in the order of the statement's columns. */
function toKey([sort = null, tie = null, ...second]: readonly Value[]): readonly (string | null)[] {
  return [sort, ...second, tie].map((key) => (key === null ? null : toText(key)));
}

function bindPlace<Which extends 'after' | 'end'>(which: Which, place: PageOf<string>['after'], hasSecond: boolean) {
  const [key = null, second = null, tie = null] =
    (hasSecond ? place : place?.toSpliced(1, 0, null))?.map((one) => (one === null ? null : String(one))) ?? [];
  const own = { [`${which}Key`]: key, [`${which}Tie`]: tie, ...(hasSecond ? { [`${which}Second`]: second } : {}) };
  return own as { readonly [Name in `${Which}Key` | `${Which}Tie`]: string | null };
}

/** The sort name of a request, if the query has it. */
export function sortOf<Sort extends string>(query: { readonly sorts: readonly Sort[]; readonly isRanked: boolean }, name: string): Sort {
  if (query.isRanked && name === BEST_FIRST) return name as Sort;
  const found = query.sorts.find((sort) => sort === name);
  if (found === undefined) throw new RangeError(`${name} is not a sortable field`);
  return found;
}
