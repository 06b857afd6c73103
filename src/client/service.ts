// The service as a client sees it: its addresses, by GET, with a key in a header.
import { setTimeout as pause } from 'node:timers/promises';

export type Parameters = Readonly<Record<string, string | number | boolean | undefined>>;

export interface Page {
  readonly data: readonly Record<string, unknown>[];
  readonly meta: Readonly<Record<string, unknown>>;
}

export interface Rows {
  /** The knowledge cutoff that the service applied. */
  readonly asOf: string;
  /** Streams the rows; if you stop before the end, the request is cancelled. */
  readonly rows: AsyncIterable<Readonly<Record<string, unknown>>>;
  /** True if the service has more rows than requested. */
  readonly hasMore: boolean;
}

export interface ServiceClient {
  /** An item's `data` with its `meta`. */
  readonly item: (
    path: string,
    parameters?: Parameters,
  ) => Promise<{ readonly data: Record<string, unknown>; readonly meta: Page['meta'] }>;
  /** One page of a list. */
  readonly page: (path: string, parameters?: Parameters) => Promise<Page>;
  /** A whole list in its bulk form, up to `limit` rows, as they stream in. */
  readonly rows: (path: string, parameters?: Parameters) => Promise<Rows>;
  readonly text: (path: string) => Promise<string>;
}

/** A refusal of the service with its message; status 0 if it did not answer. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: string;
  readonly status: number;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: string, status: number, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.code = code;
    this.status = status;
    this.details = details;
  }
}

/** The characters that a header may contain, and so a key. */
const SENDABLE = /^[\x21-\x7e]*$/;
const ANSWER_MS = 60_000;
/** A rate limit that ends within this time is waited for once. */
const MOST_WAITED_SECONDS = 10;

/** How a client meets a rate limit. */
interface Patience {
  readonly mostWaitedSeconds: number;
  readonly mostWaits: number;
}

/** For work of many requests without anybody who waits for each: a window of the rate limit is a minute. */
export const PATIENT: Patience = { mostWaitedSeconds: 60, mostWaits: 20 };

/** `url` is the address of the service; without a key only its open routes answer. */
export function openServiceClient(
  url: string,
  key: string | null,
  { mostWaitedSeconds, mostWaits }: Patience = { mostWaitedSeconds: MOST_WAITED_SECONDS, mostWaits: 1 },
): ServiceClient {
  const get = async (path: string, parameters: Parameters = {}, accept = 'application/json'): Promise<Response> => {
    const address = addressOf(url, path, parameters);
    if (key !== null && !SENDABLE.test(key))
      throw new ServiceError('unauthorized', 401, 'The key has invalid characters, such as a blank or a line end. Copy it again.');
    const headers = { accept, ...(key === null ? {} : { 'x-api-key': key }) };
    let answer = await ask(address, headers);
    for (let waits = 0; waits < mostWaits; waits++) {
      const wait = answer.status === 429 ? Number(answer.headers.get('retry-after') ?? Number.NaN) : Number.NaN;
      if (!(wait <= mostWaitedSeconds)) break;
      await answer.body?.cancel();
      await pause(wait * 1000);
      answer = await ask(address, headers);
    }
    return answer.ok ? answer : refuse(answer);
  };
  return {
    item: async (path, parameters) => (await (await get(path, parameters)).json()) as { data: Record<string, unknown>; meta: Page['meta'] },
    page: async (path, parameters) => (await (await get(path, parameters)).json()) as Page,
    text: async (path) => (await get(path, {}, 'text/plain')).text(),
    rows: async (path, parameters) => {
      const answer = await get(path, { ...parameters, format: 'ndjson' }, 'application/x-ndjson');
      return {
        asOf: answer.headers.get('x-as-of') ?? '',
        hasMore: answer.headers.has('x-next-cursor'),
        rows: linesOf(answer),
      };
    },
  };
}

function addressOf(url: string, path: string, parameters: Parameters): URL {
  const address = new URL(`${url.replace(/\/+$/, '')}${path}`);
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) address.searchParams.set(name, String(value));
  return address;
}

async function ask(address: URL, headers: Record<string, string>): Promise<Response> {
  try {
    // The time limit applies only to the head: a streaming answer may take longer.
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), ANSWER_MS);
    return await fetch(address, { headers, redirect: 'error', signal: limit.signal }).finally(() => clearTimeout(timer));
  } catch {
    throw new ServiceError(
      'unreachable',
      0,
      `The service at ${address.origin} does not answer. Check that it runs (npm start) and that the address is right.`,
    );
  }
}

async function refuse(answer: Response): Promise<never> {
  const body = (await answer.json().catch(() => null)) as {
    error?: { code: string; message: string; details?: Record<string, unknown> };
  } | null;
  if (body?.error === undefined)
    throw new ServiceError(
      'unreadable',
      answer.status,
      `The answer with status ${answer.status} is not from the service. Check the address.`,
    );
  throw new ServiceError(body.error.code, answer.status, body.error.message, body.error.details);
}

async function* linesOf(answer: Response): AsyncGenerator<Readonly<Record<string, unknown>>> {
  let rest = '';
  const parse = (line: string) => JSON.parse(line) as Record<string, unknown>;
  // Leaving the loop early cancels the body, and with it the connection.
  for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield parse(line);
  }
  if (rest !== '') yield parse(rest);
}

/** Rows of a page: the most in JSON, and the most in a bulk form. */
export const LARGEST_PAGE = 500;
export const LARGEST_BULK_PAGE = 1_000_000;

const MOST_PAGES = 40;

/** Every page of a list without a bulk form. Throws if it has more than twenty thousand rows. */
export async function everyPage(service: ServiceClient, path: string, parameters: Parameters, mostPages = MOST_PAGES): Promise<Page> {
  const data: Record<string, unknown>[] = [];
  let cursor: string | undefined;
  for (let count = 0; count < mostPages; count++) {
    const page = await service.page(path, { ...parameters, limit: LARGEST_PAGE, cursor });
    data.push(...page.data);
    const { next_cursor: next } = page.meta['pagination'] as { next_cursor: string | null };
    if (next === null) return { data, meta: page.meta };
    cursor = next;
  }
  throw new RangeError(`More than ${data.length} rows. Narrow the request.`);
}
