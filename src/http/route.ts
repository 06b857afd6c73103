// A route is a description, not a procedure. The server, the OpenAPI document, both llms texts and the tests read the same list.
import { z } from 'zod';
import type { Errand } from '../db/lanes.ts';

export type Scope = 'data:read' | 'ops:read' | 'admin';

/** How many months of history a key of the free tier sees. */
export const FREE_TIER_MONTHS = 24;

/** Rows of a page: the most in JSON, and the most in a bulk form. */
export const LARGEST_PAGE = 500;
export const LARGEST_BULK_PAGE = 1_000_000;

/** Rows per query if they become objects at once. With more, the garbage collector holds the event loop, and takes longer than the queries. */
const ROWS_A_QUERY = 1500;
/** Rows per query if they stay in columns. The engine finds many as fast as a few. Each takes about 100 bytes here, and more in the engine. */
export const ROWS_IN_COLUMNS = 50_000;

export interface Client {
  readonly keyId: string;
  readonly tier: 'full' | 'free';
  readonly scopes: readonly Scope[];
}

/** The framework's view of a snapshot. Routes see all of it as `R`. */
export interface PinnedSnapshot {
  readonly snapshotId: string;
  readonly knowledgeCutoff: string;
  /** State on which the rights of series depend, besides the snapshot. Empty if there is none. */
  readonly rightsState?: string;
  /** For a key of the free tier: the first periodEnd that the client may see. Counts of series begin there. */
  readonly historyFrom?: string | null;
  /** The number of the opening. A cached answer of an earlier opening is not sent again, because its files may have been damaged. */
  readonly opening?: number;
}

/** The readable snapshots. A request pins one until it is answered. A cursor walk uses its first snapshot for every page. */
export interface SnapshotStore<R extends PinnedSnapshot> {
  /** The named snapshot, or the current one. Null if none is loaded or the named one is no longer kept. */
  readonly acquire: (snapshotId?: string) => Promise<{ readonly snapshot: R; readonly release: () => void } | null>;
  /** A view of the snapshot that runs its queries in this errand's lanes and time. */
  readonly under: (snapshot: R, errand: Errand) => R;
  readonly readiness: () => {
    readonly isReady: boolean;
    readonly reason: string | null;
    readonly serves: 'real' | 'sample' | null;
    readonly warnings: readonly string[];
  };
}

export interface Context<R extends PinnedSnapshot> {
  readonly snapshot: R;
  /** Evaluation time in ms: that of the request, constant within a cursor walk. */
  readonly now: number;
  readonly client: Client;
  /** True if the client's key grants the scope. admin grants all. */
  readonly hasScope: (scope: Scope) => boolean;
  /**
   * First periodEnd a free-tier key may see (`YYYY-MM-DD`): 24 months before the later of today and the snapshot's newest knowledge. Null
   * for full-tier keys.
   */
  readonly historyFrom: string | null;
  /** Decided once over all rows of a bulk answer, which is read page by page. Null until a page needs it. */
  readonly decided: { preferred: Promise<ReadonlySet<string>> | null };
  /** A cursor that continues after `key`, for a resumable route without path parameters, with its default sort and no filters. */
  readonly resumeCursor: (path: string, key: CursorKey) => string;
}

/** The start of the next page: the sort key of the last row, and the keys that break its ties. */
export type CursorKey = readonly (string | number | null)[];

export type Order = 'asc' | 'desc';

export interface PageRequest {
  readonly limit: number;
  readonly after: CursorKey | null;
  /** One of the route's sortable fields. */
  readonly sort: string;
  readonly order: Order;
  /** The whole answer that this page belongs to, because a bulk answer is read page by page. */
  readonly answer: { readonly limit: number; readonly after: CursorKey | null };
  /** True in the bulk forms, whose rows may have further members. */
  readonly isBulk: boolean;
}

/** Rows that become objects or JSON when the answer needs them. You can read them once. */
export interface FoundRows<Row> {
  readonly length: number;
  /** All rows in order, in parts of at most `most`. */
  readonly parts: (most: number) => AsyncIterable<readonly Row[]>;
  /** A JSON array: of some columns in their order, or of all (null). Without it, each row is written from its object. */
  readonly json?: (columns: readonly string[] | null) => Promise<Buffer>;
}

export interface Page<Row> {
  readonly rows: readonly Row[] | FoundRows<Row>;
  /** null if no row follows. */
  readonly nextKey: CursorKey | null;
  /** Further members of `meta`, such as as_of. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** For a resumable route: the key of the last row, even if no row follows. It becomes meta.resume_cursor. */
  readonly lastKey?: CursorKey | null;
}

/**
 * A query parameter. Its schema reads the sent text, with coercion and bounds, and has description and example in its
 * metadata: `.meta({ description, examples: ['…'] })`. Aliases are further names of the same parameter.
 */
export interface Parameter<Schema extends z.ZodType = z.ZodType> {
  readonly schema: Schema;
  readonly aliases: readonly string[];
}

export function parameter<Schema extends z.ZodType>(schema: Schema, ...aliases: string[]): Parameter<Schema> {
  return { schema, aliases };
}

export type Parameters = Readonly<Record<string, Parameter>>;
export const NO_PARAMETERS = {};
/** The values of parameters by their snake_case names. An optional one that was not sent is undefined. */
export type ValuesOf<P extends Parameters> = {
  readonly [Name in keyof P]: P[Name] extends Parameter<infer Schema> ? z.output<Schema> : never;
};

interface RouteText {
  /** The operation name in the description and in generated clients: `listEntityObservations`. */
  readonly operation: string;
  /** Express path without prefix: `/entities/:idOrSlug`. */
  readonly path: string;
  /** One sentence. */
  readonly summary: string;
  readonly description?: string;
  readonly tag: string;
  /** Class of a JSON answer: `screen` if it looks at all entities, else `lookup`. */
  readonly queryClass?: 'lookup' | 'screen';
  /** Path with query that answers 200 on the sample and on any lake with these series. Tests call it, and documents show it. */
  readonly example: string;
}

export interface ListRoute<R extends PinnedSnapshot, P extends Parameters = Parameters, Row = unknown> extends RouteText {
  readonly kind: 'list';
  readonly scope: Scope;
  readonly query: P;
  readonly row: z.ZodType<Row>;
  /** Further members of meta that the route adds, described. */
  readonly meta: Readonly<Record<string, z.ZodType>>;
  readonly sortable: readonly [string, ...string[]];
  /** The name of the rows in the sort schema, if several kinds of rows share it. Default: the name of the row. */
  readonly sortedAs: string | null;
  /** The available directions. The first is the default. */
  readonly orders: readonly [Order, ...Order[]];
  /** The sort of a request with `q` and without `sort`. Null if `q` does not change the order. */
  readonly bestFirst: string | null;
  /** True if csv, ndjson, arrow and parquet are offered. */
  readonly isBulk: boolean;
  /** The most rows of a bulk answer. If given, also its rows if the request names no limit. Default: LARGEST_BULK_PAGE. */
  readonly wholeBulk: number | null;
  /** The row schema of the bulk forms. Default: that of the envelope. */
  readonly bulkRow: z.ZodType | null;
  /** Fields whose text differs in every row. */
  readonly ownTexts: readonly string[];
  /** The most rows that one query finds for a bulk answer. Set it only if the route makes their objects part by part. */
  readonly rowsAQuery: number;
  /** True if free-tier keys see only part of the history. meta.history_limited reports it. */
  readonly isHistory: boolean;
  /** True if a cursor never expires and outlives snapshots (/observations/changes). */
  readonly isResumable: boolean;
  readonly pathParameters: Readonly<Record<string, z.ZodType<string>>>;
  readonly list: (query: ValuesOf<P>, page: PageRequest, context: Context<R>, path: Readonly<Record<string, string>>) => Promise<Page<Row>>;
  /**
   * Writes a whole answer as Parquet, so that its rows never become objects. Null if this answer must be made of rows. Set it only if
   * answers are large.
   */
  readonly writer: ((query: ValuesOf<P>, context: Context<R>) => Promise<WriteRows | null>) | null;
}

/**
 * Writes the rows of `list` to a new Parquet file and resolves with their number. Null if there are more than a bulk answer may have.
 * @param columns the columns to write, in their order, each with its type in SQL
 */
export type WriteRows = (columns: readonly { readonly name: string; readonly type: string }[], file: string) => Promise<number | null>;

export interface ItemRoute<R extends PinnedSnapshot, P extends Parameters = Parameters, Data = unknown> extends RouteText {
  readonly kind: 'item';
  readonly scope: Scope;
  readonly query: P;
  readonly pathParameters: Readonly<Record<string, z.ZodType<string>>>;
  readonly data: z.ZodType<Data>;
  readonly isHistory: boolean;
  /** True if the item contains a paged list, with `limit` and `cursor`. */
  readonly isPaged: boolean;
  /** Throws an ApiError not_found if there is none. */
  readonly find: (query: ValuesOf<P>, context: Context<R>, path: Readonly<Record<string, string>>, page: ItemPage) => Promise<Data>;
}

/** The page of the item's list in this answer. */
export interface ItemPage {
  readonly limit: number;
  readonly after: CursorKey | null;
  /** The cursor that continues after the row of a key. Null if no row follows. */
  readonly cursorAt: (key: CursorKey | null) => string | null;
  /** Adds further members of `meta`. */
  readonly say?: (meta: Readonly<Record<string, unknown>>) => void;
}

/** A route without key. */
export interface OpenRoute extends RouteText {
  readonly kind: 'open';
  readonly contentType: 'application/json' | 'text/plain';
  /** Schema of the answer's data in the item envelope. Null for a document without envelope (the description, the texts). */
  readonly data: z.ZodType | null;
}

// The list has each route under its widest type. The compiler checks parameters where the route is written.
export type AnyListRoute<R extends PinnedSnapshot> = ListRoute<R>;
export type AnyItemRoute<R extends PinnedSnapshot> = ItemRoute<R>;
export type AnyRoute<R extends PinnedSnapshot> = AnyListRoute<R> | AnyItemRoute<R> | OpenRoute;

type Optional<Route, Keys extends keyof Route> = Omit<Route, Keys | 'kind'> & Partial<Pick<Route, Keys>>;

export function listRoute<R extends PinnedSnapshot, P extends Parameters, Row>(
  route: Optional<
    ListRoute<R, P, Row>,
    | 'meta'
    | 'sortedAs'
    | 'orders'
    | 'bestFirst'
    | 'isBulk'
    | 'wholeBulk'
    | 'bulkRow'
    | 'ownTexts'
    | 'rowsAQuery'
    | 'writer'
    | 'isHistory'
    | 'isResumable'
    | 'pathParameters'
  >,
): AnyListRoute<R> {
  const whole: ListRoute<R, P, Row> = {
    meta: {},
    sortedAs: null,
    orders: ['asc', 'desc'],
    bestFirst: null,
    isBulk: false,
    wholeBulk: null,
    bulkRow: null,
    ownTexts: [],
    rowsAQuery: ROWS_A_QUERY,
    writer: null,
    isHistory: false,
    isResumable: false,
    pathParameters: {},
    ...route,
    kind: 'list',
  };
  return whole as unknown as AnyListRoute<R>;
}

export function itemRoute<R extends PinnedSnapshot, P extends Parameters, Data>(
  route: Optional<ItemRoute<R, P, Data>, 'query' | 'pathParameters' | 'isHistory' | 'isPaged'> & { readonly query: P },
): AnyItemRoute<R> {
  const whole: ItemRoute<R, P, Data> = { pathParameters: {}, isHistory: false, isPaged: false, ...route, kind: 'item' };
  return whole as unknown as AnyItemRoute<R>;
}

export function openRoute(route: Omit<OpenRoute, 'kind'>): OpenRoute {
  return { ...route, kind: 'open' };
}

export const FORMATS = ['json', 'csv', 'ndjson', 'arrow', 'parquet'] as const;
export type Format = (typeof FORMATS)[number];
const FormatChoice = z.enum(FORMATS).meta({ id: 'Format' });
const OrderChoice = z.enum(['asc', 'desc']).meta({ id: 'Order' });

const formatParameter = parameter(
  FormatChoice.optional().meta({
    description: 'Format of the answer; json unless you set this or the Accept header. The other formats are rows without the envelope.',
    examples: ['json'],
  }),
);

const columnsParameter = parameter(
  z
    .string()
    .min(1)
    .max(2000)
    .transform((text) => text.split(',').map((name) => name.trim()))
    .optional()
    .meta({
      description: 'Columns of the rows, in this order, as field names or in snake_case. Default: all.',
      examples: [],
    }),
);

/** True if `columns` narrows the rows. False if the route has its own parameter of that name. */
export function narrowsColumns({ isBulk, query }: Pick<AnyListRoute<never>, 'isBulk' | 'query'>): boolean {
  return isBulk && !('columns' in query);
}

const cursorParameter = parameter(
  z
    .string()
    .max(4096)
    .optional()
    .meta({ description: 'The next_cursor of the previous page, unchanged. Omit it on the first request.', examples: [] }),
);

/** Parameters besides the route's own: those of a list, or those of a paged item. */
export function standardParameters(route: AnyListRoute<never> | AnyItemRoute<never>): Parameters {
  if (route.kind === 'list') return listParameters(route);
  return route.isPaged ? PAGED_ITEM : NO_PARAMETERS;
}

const PAGED_ITEM: Parameters = {
  limit: parameter(
    z.coerce
      .number()
      .int()
      .min(1)
      .max(LARGEST_PAGE)
      .default(LARGEST_PAGE)
      .meta({ description: `Rows per page, 1 to ${LARGEST_PAGE}.`, examples: ['2'] }),
  ),
  cursor: cursorParameter,
};

/** For example `ObservationSort`. */
function sortName({ row, sortedAs }: Pick<AnyListRoute<never>, 'row' | 'sortedAs'>): string {
  return `${sortedAs ?? row.meta()?.id ?? ''}Sort`;
}

function listParameters(
  route: Pick<AnyListRoute<never>, 'sortable' | 'orders' | 'isBulk' | 'wholeBulk' | 'query' | 'row' | 'sortedAs'>,
): Parameters {
  return {
    limit: limitOf(route),
    cursor: cursorParameter,
    sort: parameter(
      (route.sortable.length === 1 ? z.literal(route.sortable[0]) : z.enum(route.sortable).meta({ id: sortName(route) }))
        .default(route.sortable[0])
        .meta({
          description: 'Field to sort by.',
          examples: [route.sortable[1] ?? route.sortable[0]],
          parameter: `${sortName(route).charAt(0).toLowerCase()}${sortName(route).slice(1)}`,
        }),
    ),
    order: parameter(
      (route.orders.length === 1 ? z.literal(route.orders[0]) : OrderChoice).default(route.orders[0]).meta({
        description: 'Direction of the sort.',
        examples: [route.sortable.length === 1 ? 'asc' : (route.orders[1] ?? 'asc')],
        ...(route.orders.length === 1 ? { parameter: 'onlyOrder' } : {}),
      }),
    ),
    ...(route.isBulk ? { format: formatParameter } : {}),
    ...(narrowsColumns(route) ? { columns: columnsParameter } : {}),
  };
}

function limitOf({ isBulk, wholeBulk }: Pick<AnyListRoute<never>, 'isBulk' | 'wholeBulk'>): Parameter {
  const most = isBulk ? (wholeBulk ?? LARGEST_BULK_PAGE) : LARGEST_PAGE;
  const ofBulk = `1 to ${most.toLocaleString('en')} for csv, ndjson, arrow and parquet`;
  return parameter(
    z.coerce
      .number()
      .int()
      .min(1)
      .max(most)
      .default(100)
      .meta({
        description: !isBulk
          ? `Rows per page, 1 to ${LARGEST_PAGE}.`
          : wholeBulk === null
            ? `Rows per page: 1 to ${LARGEST_PAGE}, or ${ofBulk}.`
            : `Rows per page: 1 to ${LARGEST_PAGE}, or ${ofBulk}, where the default is all.`,
        examples: ['2'],
        ...(isBulk ? { parameter: wholeBulk === null ? 'bulkLimit' : `bulkLimit${wholeBulk}` } : {}),
      }),
  );
}
