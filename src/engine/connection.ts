// A ClickHouse server through its official client: bound parameters, rows in parts, files sent while they are read. Every failure becomes one
// typed error without credentials.
import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ClickHouseError, ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { EngineUnavailableError } from '../db/engine-error.ts';
import type { Part } from '../db/query.ts';
import type { Value } from '../db/rows.ts';
import { inTurns } from '../db/turns.ts';
import { cellsOf, type Statement, WireError } from './wire.ts';

/** The cluster refuses a statement, or cannot be reached. `detail` is for the operator's log. */
export class ClusterError extends EngineUnavailableError {
  readonly detail: string;
  /** ClickHouse's name of the error, such as UNKNOWN_TABLE; null without an answer. */
  readonly type: string | null;

  constructor(detail: string, type: string | null) {
    super('The cluster for screens and lists over many series does not answer. Try again in a moment. Single series still work.');
    this.detail = detail;
    this.type = type;
  }
}

export interface Limits {
  readonly seconds: number;
  readonly signal?: AbortSignal;
}

export interface ClusterConnection {
  /** Host and port, for messages to the operator. */
  readonly address: string;
  /** The rows of a statement as a stream; the first part has the columns. */
  readonly read: <Result>(statement: Statement, limits: Limits, use: (parts: AsyncIterable<Part>) => Promise<Result>) => Promise<Result>;
  /** A statement without rows in its answer. */
  readonly command: (statement: Statement, limits: Limits) => Promise<void>;
  /** A statement that takes a file. */
  readonly send: (statement: Statement, file: Readable, limits: Limits) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Settings that answers depend on, set for every server. */
const SETTINGS = {
  join_use_nulls: 1,
  output_format_json_quote_64bit_integers: 1,
  output_format_json_quote_denormals: 1,
  output_format_json_escape_forward_slashes: 0,
  date_time_output_format: 'simple',
  aggregate_functions_null_for_empty: 0,
  prefer_column_name_to_alias: 1,
  // A list inside the text of a statement.
  max_query_size: '16777216',
  precise_float_parsing: 1,
  session_timezone: 'UTC',
} as const;
/** Rows are streamed; the server stops if nobody reads them. */
const READING = { readonly: '2', cancel_http_readonly_queries_on_client_close: 1, wait_end_of_query: 1 } as const;
/** A null in a column without nulls is an error, not a zero. */
const WRITING = { insert_null_as_default: 0, input_format_null_as_default: 0, insert_deduplicate: 0 } as const;

const MOST_CONNECTIONS = 64;
/** The server limits the time of a statement itself; this limit is for a server that no longer can. */
const GRACE_MS = 2000;
const KILL_SECONDS = 5;

/** @param url `http(s)://user:password@host:port/database` */
export function openCluster(url: string): ClusterConnection {
  const { host } = new URL(url);
  const client = createClient({
    url,
    application: 'asof',
    max_open_connections: MOST_CONNECTIONS,
    // Each statement has its own time limit.
    request_timeout: 24 * 3600 * 1000,
    keep_alive: { enabled: true, idle_socket_ttl: 1500 },
    log: { level: ClickHouseLogLevel.OFF },
  });

  /** Starts a request that is aborted and cancelled at the server when its time is over or nobody waits for it. */
  const begin = ({ seconds, signal }: Limits): Begun => {
    const query_id = randomUUID();
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), seconds * 1000 + GRACE_MS);
    const abort_signal = signal === undefined ? late.signal : AbortSignal.any([late.signal, signal]);
    const kill = () => {
      const abandoned = { query: 'kill query where query_id = {id:String} async', query_params: { id: query_id } };
      client.command({ ...abandoned, abort_signal: AbortSignal.timeout(KILL_SECONDS * 1000) }).catch(() => undefined);
    };
    abort_signal.addEventListener('abort', kill, { once: true });
    return {
      request: { query_id, abort_signal },
      toError: (error) => clusterErrorOf(error, host, late.signal.aborted ? seconds : null),
      end() {
        clearTimeout(timer);
        abort_signal.removeEventListener('abort', kill);
      },
    };
  };
  const limited = async <Result>(limits: Limits, work: (request: Begun['request']) => Promise<Result>): Promise<Result> => {
    const { request, toError, end } = begin(limits);
    try {
      return await work(request);
    } catch (error) {
      throw toError(error);
    } finally {
      end();
    }
  };

  return {
    address: host,
    async read({ text, parameters }, limits, use) {
      const { request, toError, end } = begin(limits);
      const settings = { ...SETTINGS, ...READING, max_execution_time: Math.ceil(limits.seconds) };
      try {
        const asked = { query: text, query_params: parameters, format: FORMAT, clickhouse_settings: settings, ...request };
        const result = await client.query(asked).catch((error: unknown) => Promise.reject(toError(error)));
        return await use(partsOf(result, toError));
      } finally {
        end();
      }
    },
    command: ({ text, parameters }, limits) =>
      limited(limits, async (request) => {
        const settings = { ...WRITING, max_execution_time: Math.ceil(limits.seconds) };
        await client.command({ query: text, query_params: parameters, clickhouse_settings: settings, ...request });
      }),
    send: ({ text, parameters }, values, limits) =>
      limited(limits, async (request) => {
        const settings = { ...WRITING, max_execution_time: Math.ceil(limits.seconds) };
        const { stream } = await client.exec({ query: text, query_params: parameters, values, clickhouse_settings: settings, ...request });
        stream.resume();
        await finished(stream);
      }),
    close: () => client.close(),
  };
}

const FORMAT = 'JSONCompactEachRowWithNamesAndTypes' as const;

interface Begun {
  readonly request: { readonly query_id: string; readonly abort_signal: AbortSignal };
  readonly toError: (error: unknown) => ClusterError;
  readonly end: () => void;
}

type Answered = Awaited<ReturnType<ReturnType<typeof createClient>['query']>>;

/** The first two lines are the columns; each further line is a row. */
async function* partsOf(result: Answered, toError: Begun['toError']): AsyncGenerator<Part> {
  const stream = result.stream() as Readable;
  let names: readonly string[] | null = null;
  let toValues: ReturnType<typeof cellsOf>[] | null = null;
  let count = 0;
  try {
    for await (const lines of stream as AsyncIterable<readonly { readonly json: () => unknown }[]>) {
      const rows: Value[][] = [];
      for (const line of lines) {
        const cells = line.json();
        if (!Array.isArray(cells)) throw new WireError('A line of the answer is not a row.');
        if (names === null) names = cells.map(String);
        else if (toValues === null) toValues = cells.map((type) => cellsOf(String(type)));
        else rows.push(rowOf(cells, toValues));
      }
      count += rows.length;
      if (names !== null && toValues !== null) for await (const part of inTurns(rows)) yield { names, rows: part };
    }
    if (toValues === null) throw new WireError('The answer ends before its columns.');
    const told = toldRows(result.response_headers['x-clickhouse-summary']);
    if (told > 0 && told !== count) throw new WireError(`The answer ends after ${count} rows of ${told}.`);
  } catch (error) {
    throw toError(error);
  } finally {
    stream.destroy();
  }
}

function rowOf(cells: readonly unknown[], toValues: readonly ReturnType<typeof cellsOf>[]): Value[] {
  if (cells.length !== toValues.length) throw new WireError(`A row has ${cells.length} cells for ${toValues.length} columns.`);
  return toValues.map((toValue, index) => toValue(cells[index]));
}

/** 0 if the server does not report it. */
function toldRows(summary: string | readonly string[] | undefined): number {
  try {
    return Number((JSON.parse(String(summary)) as Readonly<Record<string, unknown>>)['result_rows'] ?? 0);
  } catch {
    return 0;
  }
}

/** @param lateAfter the time limit in seconds that was exceeded; null if it was not */
function clusterErrorOf(error: unknown, host: string, lateAfter: number | null): ClusterError {
  if (error instanceof ClusterError) return error;
  if (lateAfter !== null) return new ClusterError(`${host} did not answer within ${lateAfter} s`, null);
  if (error instanceof ClickHouseError) return new ClusterError(`${host} refused: ${refusalOf(error)}`, error.type ?? null);
  const said = error instanceof Error ? ('code' in error ? String(error.code) : error.message) : String(error);
  return new ClusterError(`${host} cannot be reached: ${said}`, null);
}

/** Remedies for the operator, by ClickHouse's error name. */
const REMEDIES: Readonly<Record<string, string>> = {
  UNKNOWN_DATABASE: 'Create the database and its user as docs/run/clickhouse.md describes',
  AUTHENTICATION_FAILED: 'Correct the user and password in ENGINE_URL',
  ACCESS_DENIED: 'Grant its user the rights that docs/run/clickhouse.md lists',
};

/** Without a full stop, which the caller adds. */
function refusalOf({ message, type = 'without a name' }: ClickHouseError): string {
  const remedy = REMEDIES[type];
  return `${message.replace(/[\s.]+$/, '')} (${type})${remedy === undefined ? '' : `. ${remedy}`}`;
}
