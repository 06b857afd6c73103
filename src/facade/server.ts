// The facade as a program: FRED's addresses on its own port, and below /at/<day> the same as of that day. It logs nothing.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { everyPage, openServiceClient, type Page, ServiceError } from '../client/service.ts';
import { readCatalogue, type SeriesEntry } from './catalogue.ts';
import { type Body, errorJson, errorXml, toJson, toXml } from './forms.ts';
import { graph, observations, search, series, type Standing, vintageDates } from './fred.ts';
import { keptFor } from './kept.ts';
import { answerOpenbb, OPENBB_ORIGINS } from './openbb.ts';
import { releaseDates, releases, releaseSeries, updates } from './releases.ts';
import {
  asked,
  FacadeError,
  GraphQuestion,
  ObservationsQuestion,
  ReleaseDatesQuestion,
  ReleaseSeriesQuestion,
  ReleasesQuestion,
  SearchQuestion,
  SeriesQuestion,
  UpdatesQuestion,
  VintageDatesQuestion,
} from './questions.ts';
import { TooManyPrintsError } from './real-time.ts';
import { answerSdmx, sdmxError } from './sdmx/answer.ts';
import { SdmxError, type Version } from './sdmx/questions.ts';

export interface FacadeOptions {
  /** The service's address. */
  readonly url: string;
  /** For clients that send no `api_key`: FRED's CSV of a graph needs none. */
  readonly key: string | null;
  readonly now: () => number;
}

type Answer = (standing: Standing, query: URLSearchParams) => Promise<Body>;

const ANSWERS: Readonly<Record<string, Answer>> = {
  '/fred/series': async (standing, query) => series(standing, asked(SeriesQuestion, query)),
  '/fred/series/observations': async (standing, query) => observations(standing, asked(ObservationsQuestion, query)),
  '/fred/series/vintagedates': async (standing, query) => vintageDates(standing, asked(VintageDatesQuestion, query)),
  '/fred/series/updates': async (standing, query) => updates(standing, asked(UpdatesQuestion, query)),
  '/fred/releases': async (standing, query) => releases(standing, asked(ReleasesQuestion, query)),
  '/fred/release/series': async (standing, query) => releaseSeries(standing, asked(ReleaseSeriesQuestion, query)),
  '/fred/release/dates': async (standing, query) => releaseDates(standing, asked(ReleaseDatesQuestion, query)),
  '/fred/series/search': async (standing, query) => search(standing, asked(SearchQuestion, query)),
};
const GRAPH = '/graph/fredgraph.csv';
/** Paths of FRED's interface for data that the service does not have under FRED's numbers. */
const NOT_KEPT = /^\/fred\/(?:releases?|sources?|categor(?:y|ies)|tags|related_tags|series)(?:\/|$)/;

/** Longer than clients keep a connection. If the server closed it first, it could reset a request just being sent. */
const KEPT_MS = 65_000;
const CATALOGUE_MS = 60_000;
/** A hundred thousand dates: releases over decades. */
const MOST_CALENDAR_PAGES = 200;

/** `key` is the caller's. The service checks it. */
function openFacade({ url, key: ownKey, now }: FacadeOptions) {
  const catalogueOf = keptFor<ReadonlyMap<string, SeriesEntry>>(CATALOGUE_MS, 50, now);
  const calendarOf = keptFor<Page>(CATALOGUE_MS, 10, now);
  const standingOf = async (day: string | undefined, key: string | null): Promise<Standing> => {
    const service = openServiceClient(url, key);
    const name = JSON.stringify([day, key]);
    const catalogue = await catalogueOf(name, () => readCatalogue(service, day));
    const calendar = async () => {
      const read = () => everyPage(service, '/economic-calendar', { country: 'US', as_of: day }, MOST_CALENDAR_PAGES);
      return (await calendarOf(name, read)).data;
    };
    const on = (earlier: string) => standingOf(earlier, key);
    return { service, on, calendar, catalogue, today: day ?? new Date(now()).toISOString().slice(0, 10), asOf: day };
  };

  const sdmxAnswer = async (
    { version, path }: Sdmx,
    day: string | undefined,
    query: URLSearchParams,
    accept: string,
    key: string | null,
  ): Promise<Sent> => {
    const at = new Date(now()).toISOString();
    try {
      const { type, body } = await answerSdmx(version, path, query, accept, async (asOf) => {
        // If the clock stands at a day, a later cutoff is reduced to that day.
        const cutoff = asOf === undefined ? day : day !== undefined && endOf(day) < asOf ? day : asOf;
        return { ...(await standingOf(cutoff, key)), now: at };
      });
      return { status: 200, type, body };
    } catch (error) {
      const { status, code, message } = sdmxFailureOf(error);
      return { status, ...sdmxError(version, { code, message }) };
    }
  };

  const openbbAnswer = async (path: string, day: string | undefined, query: URLSearchParams, key: string | null): Promise<Sent> => {
    try {
      const service = () => openServiceClient(url, key);
      return { status: 200, type: JSON_TYPE, body: JSON.stringify(await answerOpenbb(service, path, query, day)) };
    } catch (error) {
      const { status, message } = failureOf(error);
      return { status, type: JSON_TYPE, body: JSON.stringify({ error: message }) };
    }
  };

  const answerTo = async ({ method, address, isJson, accept, headerKey }: Received): Promise<Sent> => {
    if (address === null) throw new FacadeError(400, 'Bad Request. The address is not valid percent-encoded UTF-8.');
    if (method !== 'GET' && method !== 'HEAD') throw new FacadeError(404, 'Not Found. Use GET.');
    const { day, path } = placeOf(address.pathname, now());
    const query = address.searchParams;
    const key = query.get('api_key') ?? headerKey ?? ownKey;
    const sdmx = sdmxOf(path);
    if (sdmx !== null) return sdmxAnswer(sdmx, day, query, accept, key);
    if (/^\/openbb(?:\/|$)/.test(path)) return openbbAnswer(path.slice('/openbb'.length), day, query, key);
    const answer = ANSWERS[path];
    if (answer === undefined && path !== GRAPH) throw new FacadeError(NOT_KEPT.test(path) ? 400 : 404, notKept(path));
    const standing = await standingOf(day, key);
    if (answer === undefined) return { status: 200, type: CSV_TYPE, body: await graph(standing, asked(GraphQuestion, query)) };
    const body = await answer(standing, query);
    return { status: 200, type: isJson ? JSON_TYPE : XML_TYPE, body: isJson ? toJson(body) : toXml(body) };
  };

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const address = addressOf(request.url ?? '/');
    const isJson = address?.searchParams.get('file_type') === 'json';
    const failed = (error: unknown): Sent => {
      const { status, message } = failureOf(error);
      return { status, type: isJson ? JSON_TYPE : XML_TYPE, body: isJson ? errorJson(status, message) : errorXml(status, message) };
    };
    const received = {
      method: request.method,
      address,
      isJson,
      accept: request.headers.accept ?? '',
      headerKey: headerKeyOf(request),
    };
    send(response, await answerTo(received).catch(failed));
  };
}

export interface Listening {
  readonly port: number;
  readonly close: () => Promise<void>;
}

export async function serveFacade(options: FacadeOptions, at: { readonly host: string; readonly port: number }): Promise<Listening> {
  const answer = openFacade(options);
  const isLoopback = LOOPBACK.has(at.host);
  const server = createServer({ headersTimeout: 10_000, keepAliveTimeout: KEPT_MS }, (request, response) => {
    // A foreign page whose name resolves to loopback must not read with the operator's key.
    if (isLoopback && !LOOPBACK.has(hostOf(request.headers.host)))
      send(response, {
        status: 403,
        type: XML_TYPE,
        body: errorXml(403, 'Forbidden. The header Host names another host. Use the address at which the facade listens.'),
      });
    else if (isPreflight(request)) {
      allowWorkspace(request, response);
      response.writeHead(204).end();
    } else {
      allowWorkspace(request, response);
      void answer(request, response);
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(at.port, at.host, resolve);
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : at.port,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

const OPENBB = /^(?:\/at\/[^/]*)?\/openbb(?:[/?]|$)/;
const isPreflight = ({ method, url, headers }: IncomingMessage): boolean =>
  method === 'OPTIONS' && OPENBB.test(url ?? '') && headers['access-control-request-method'] !== undefined;

/** The pages of Workspace may read their own paths. No other page may read anything. */
function allowWorkspace({ url, headers: { origin } }: IncomingMessage, response: ServerResponse): void {
  if (!OPENBB.test(url ?? '')) return;
  response.setHeader('vary', 'Origin');
  if (origin === undefined || !OPENBB_ORIGINS.has(origin)) return;
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-allow-methods', 'GET');
  response.setHeader('access-control-allow-headers', 'x-api-key, authorization, content-type');
  // Chromium asks for this before a remote page may call loopback.
  response.setHeader('access-control-allow-private-network', 'true');
}

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]', '::1']);
const hostOf = (host = '') => host.replace(/:\d+$/, '').toLowerCase();

const JSON_TYPE = 'application/json; charset=utf-8';
const CSV_TYPE = 'text/csv; charset=utf-8';
const XML_TYPE = 'text/xml; charset=utf-8';

interface Received {
  readonly method: string | undefined;
  /** Null if it is malformed. */
  readonly address: URL | null;
  readonly isJson: boolean;
  readonly accept: string;
  readonly headerKey: string | null;
}

interface Sent {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

function send(response: ServerResponse, { status, type, body }: Sent): void {
  response.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
  });
  response.end(body);
}

/** The key of x-api-key, or the bearer token of Authorization. */
function headerKeyOf({ headers }: IncomingMessage): string | null {
  const own = headers['x-api-key'];
  if (typeof own === 'string' && own !== '') return own;
  return /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? null;
}

function addressOf(target: string): URL | null {
  // Not as a relative address: //fred/series would have `fred` as its host.
  const address = `http://facade${target}`;
  return target.startsWith('/') && URL.canParse(address) ? new URL(address) : null;
}

/** `/at/2020-05-31/fred/series` is `/fred/series` as of that day. A future day is refused. */
function placeOf(pathname: string, now: number): { readonly day: string | undefined; readonly path: string } {
  const path = pathname.replace(/\/+$/, '');
  const at = /^\/at\/([^/]*)(\/.*)?$/.exec(path);
  if (at === null) return { day: undefined, path };
  const [, day = '', rest = ''] = at;
  const time = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(day) : Number.NaN;
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== day)
    throw new FacadeError(400, 'Bad Request. Write a day after /at, such as /at/2020-05-31/fred/….');
  if (time > now) throw new FacadeError(400, `Bad Request. ${day} is in the future. Use a day up to today.`);
  return { day, path: rest };
}

interface Sdmx {
  readonly version: Version;
  /** After the version. */
  readonly path: string;
}

function sdmxOf(path: string): Sdmx | null {
  const [, version, rest] = /^\/sdmx\/(2\.1|3\.0)(\/.*)?$/.exec(path) ?? [];
  return version === undefined ? null : { version: version as Version, path: rest ?? '/' };
}

const endOf = (day: string) => `${day}T23:59:59.999Z`;

function sdmxFailureOf(error: unknown): { readonly status: number; readonly code: number; readonly message: string } {
  if (error instanceof SdmxError) return error;
  const { status, message } = failureOf(error);
  // Unlike FRED, SDMX distinguishes a wrong key from a wrong question.
  if (error instanceof ServiceError && (error.status === 401 || error.status === 403))
    return { status: 401, code: 110, message: error.message };
  return { status, code: status === 400 ? 150 : status === 429 ? 510 : 500, message };
}

function notKept(path: string): string {
  return NOT_KEPT.test(path)
    ? `Bad Request. ${path} is not served: this service has no FRED sources, categories and tags. Of releases it serves /fred/releases, /fred/release/series and /fred/release/dates.`
    : 'Not Found. The addresses are /fred/series, /fred/series/observations, /fred/series/vintagedates, /fred/series/search, /fred/series/updates, /fred/releases, /fred/release/series, /fred/release/dates, /graph/fredgraph.csv, /sdmx/2.1, /sdmx/3.0 and /openbb. Each also exists below /at/<day>.';
}

/** As FRED answers: 400 with a message for a wrong question or key, 429 for too many requests, 500 for the rest. */
function failureOf(error: unknown): { readonly status: number; readonly message: string } {
  if (error instanceof FacadeError) return error;
  if (error instanceof TooManyPrintsError || error instanceof RangeError) return { status: 400, message: `Bad Request. ${error.message}` };
  if (error instanceof ServiceError) {
    if (error.status === 401 || error.status === 403)
      return { status: 400, message: `Bad Request. The value for variable api_key is not registered: ${error.message}` };
    if (error.status === 429) return { status: 429, message: `Too Many Requests. ${error.message}` };
    if (error.status === 404) return { status: 404, message: `Not Found. ${error.message}` };
    if (error.status === 400) return { status: 400, message: `Bad Request. ${error.message}` };
    return { status: 502, message: `Bad Gateway. ${error.message}` };
  }
  return { status: 500, message: 'Internal Server Error.' };
}
