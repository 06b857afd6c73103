// Sends requests: with the key only in a header, and again after the service's wait or without an answer.
import { AsofError, refusalOf } from './errors.ts';

export interface Options {
  /** Address of the service; by default the environment's `ASOF_URL`. */
  readonly url?: string;
  /** By default the environment's `ASOF_KEY`. Without a key only the open routes answer. */
  readonly key?: string;
  /** The longest total wait of one request for `Retry-After`, in seconds; by default 60, the window of the rate limits. */
  readonly mostWaitSeconds?: number;
  /** The number of retries without an answer; 2 by default. */
  readonly retries?: number;
  /** The time limit of an answer in seconds; 60 by default. */
  readonly timeoutSeconds?: number;
  /** Replaces the global one. */
  readonly fetch?: (request: Request, init?: RequestInit) => Promise<Response>;
  /** Replaces waiting. */
  readonly pause?: (seconds: number) => Promise<void>;
}

/** Throws a RangeError for an invalid address, or one with a name, password, query or fragment. */
export function addressOf({ url = environment('ASOF_URL') }: Options): string {
  if (url === undefined) throw new RangeError('The address of the service is missing. Pass `url`, or set ASOF_URL.');
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new RangeError('The option `url` is no address of http or https.');
  const { username, password, search, hash, href } = new URL(url);
  if (username + password + search + hash !== '')
    throw new RangeError('The option `url` is an address alone: the key is an option of its own.');
  return href.replace(/\/+$/, '');
}

/** Throws a RangeError, without the key in it, for a key that is no valid header. */
export function headersOf({ key = environment('ASOF_KEY') }: Options): Record<string, string> {
  if (key === undefined) return { accept: 'application/json' };
  if (!/^[\x21-\x7e]+$/.test(key)) throw new RangeError('The key has invalid characters, such as a blank or a line end. Copy it again.');
  return { accept: 'application/json', 'x-api-key': key };
}

/** Sends a GET. Throws an AsofError for any answer but 200 and without an answer, and the reason of the caller's signal. */
export function answeringFetch(options: Options): (request: Request) => Promise<Response> {
  const { mostWaitSeconds = 60, retries = 2, pause = waitFor } = options;
  return async (request) => {
    let waited = 0;
    for (let failed = 0; ; ) {
      const answer = await send(request, options);
      if (answer instanceof Error) {
        if (request.signal.aborted) throw request.signal.reason;
        if (failed++ >= retries) throw unreachable(request, answer);
        await pause(failed / 2);
        continue;
      }
      if (answer.status === 200) return answer;
      const refusal = refusalOf(answer, await textOf(answer));
      // A wait of zero would retry endlessly.
      const wait = refusal.code === 'rate_limited' && refusal.retryAfterSeconds !== null ? Math.max(refusal.retryAfterSeconds, 1) : null;
      if (wait === null || waited + wait > mostWaitSeconds) throw refusal;
      await pause(wait);
      waited += wait;
    }
  };
}

/** The JSON object of an answer. Throws an AsofError for anything else. */
export async function objectOf(answer: Response): Promise<object> {
  const body = parsed(await textOf(answer));
  if (typeof body === 'object' && body !== null) return body;
  throw new AsofError('The answer is not the JSON that the service sends.', { code: 'unreadable', status: answer.status });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function textOf(answer: Response): Promise<string> {
  try {
    return await answer.text();
  } catch {
    throw new AsofError('The answer broke off.', { code: 'unreachable', status: answer.status });
  }
}

/**
 * Parameters as sent. `undefined` is omitted; null, NaN and other non-values are a TypeError, because a filter that is silently
 * dropped would return other rows.
 */
export function sentOf<T extends object>(parameters: T): T {
  for (const [name, value] of Object.entries(parameters) as [string, unknown][])
    if (value !== undefined && !['string', 'boolean'].includes(typeof value) && !Number.isFinite(value))
      throw new TypeError(`The parameter ${name} is neither a text, a number nor true or false.`);
  return parameters;
}

async function send(request: Request, { fetch = globalThis.fetch, timeoutSeconds = 60 }: Options): Promise<Response | Error> {
  try {
    const signal = AbortSignal.any([request.signal, AbortSignal.timeout(timeoutSeconds * 1000)]);
    // A redirection would send the key to another host.
    return await fetch(request.clone(), { redirect: 'error', signal });
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function unreachable(request: Request, cause: Error): AsofError {
  const why = cause.name === 'TimeoutError' ? 'did not answer in time' : 'does not answer, or sends elsewhere';
  return new AsofError(`The service at ${new URL(request.url).origin} ${why}.`, { code: 'unreachable', status: 0 });
}

function environment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  const value = process?.env?.[name];
  return value === '' ? undefined : value;
}

function waitFor(seconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, seconds * 1000);
  });
}
