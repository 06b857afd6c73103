// A client of an asof service: every route by its path, typed by the service's own description.
import createFetchClient from 'openapi-fetch';
import type { components, operations, paths } from './description.ts';
import { addressOf, answeringFetch, headersOf, objectOf, type Options, sentOf } from './transport.ts';
import { type AnyPage, pagesOf, type Rows, rowsOf, withAsOf } from './walk.ts';

export { AsofError, CursorExpiredError, type ErrorCode } from './errors.ts';
export type { Options } from './transport.ts';
export type { Hint, RowOf, Rows, Whole } from './walk.ts';
export type { components, operations, paths };

/** A record of the description: `Schema<'Observation'>`. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

type Get<P extends keyof paths> = paths[P]['get'];
type JsonOf<P extends keyof paths> =
  Get<P> extends { responses: { 200: { content: { 'application/json': infer Answer } } } } ? Answer : never;

/** All routes that return JSON, and the routes among them that return lists. */
export type Path = { [P in keyof paths]: [JsonOf<P>] extends [never] ? never : P }[keyof paths];
export type ListPath = { [P in keyof paths]: [JsonOf<P>] extends [never] ? never : JsonOf<P> extends AnyPage ? P : never }[keyof paths];

interface KnownAt {
  /** The applied knowledge cutoff, or for a single record the requested one; null without a cutoff: the newest data. */
  readonly asOf: string | null;
}

export type Answer<P extends Path> = JsonOf<P> & KnownAt;
export type Page<P extends ListPath> = JsonOf<P> & AnyPage & KnownAt;

/** All parameters except the format, which is JSON here. */
type Question<Parameters> = {
  [Place in 'path' | 'query' as Place extends keyof Parameters
    ? [NonNullable<Parameters[Place]>] extends [never]
      ? never
      : Place
    : never]: Place extends keyof Parameters ? Omit<NonNullable<Parameters[Place]>, 'format'> : never;
};
type Loosened<T> = { [K in keyof T as object extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as object extends T[K] ? K : never]?: T[K];
};
export type Asked<P extends keyof paths> = Loosened<Question<Get<P>['parameters']>> & { readonly signal?: AbortSignal };

/** The argument is optional if the route requires nothing. */
type Arguments<P extends keyof paths> = object extends Asked<P> ? [asked?: Asked<P>] : [asked: Asked<P>];

export interface Asof {
  /** One answer, with its `meta`. Throws an AsofError for any status but 200. */
  readonly get: <P extends Path>(path: P, ...asked: Arguments<P>) => Promise<Answer<P>>;
  /** Every page of a list, from `cursor` or its beginning, with up to 500 rows each unless `limit` is lower. */
  readonly pages: <P extends ListPath>(path: P, ...asked: Arguments<P>) => AsyncGenerator<Page<P>, void, undefined>;
  /** Every row of a list; `await rows(…).all()` returns them with the applied as-of. */
  readonly rows: <P extends ListPath>(path: P, ...asked: Arguments<P>) => Rows<Page<P>>;
}

interface AnyAsked {
  readonly path?: object;
  readonly query?: { readonly limit?: number; readonly cursor?: string; readonly as_of?: string; readonly asOf?: string };
  readonly signal?: AbortSignal;
}

/** Throws a RangeError if the address is missing or invalid. */
export function openAsof(options: Options = {}): Asof {
  const client = createFetchClient<paths>({ baseUrl: addressOf(options), headers: headersOf(options), fetch: answeringFetch(options) });
  const ask = async (path: string, { path: places = {}, query = {}, signal }: AnyAsked): Promise<object> => {
    const params = { path: sentOf(places), query: sentOf(query) };
    const init = { params, parseAs: 'stream', ...(signal === undefined ? {} : { signal }) };
    const { response } = await client.GET(path as never, init as never);
    return withAsOf(await objectOf(response), query);
  };
  const pages = <P extends ListPath>(path: P, asked: AnyAsked = {}) => {
    const { cursor: start, ...query } = asked.query ?? {};
    return pagesOf(
      (cursor) => ask(path, { ...asked, query: { limit: 500, ...query, ...(cursor === undefined ? {} : { cursor }) } }) as Promise<Page<P>>,
      start,
    );
  };
  return {
    get: (path, ...[asked]) => ask(path, asked ?? {}) as Promise<never>,
    pages: (path, ...[asked]) => pages(path, asked),
    rows: (path, ...[asked]) => rowsOf(() => pages(path, asked)),
  };
}
