// Answers of the FRED API, recorded under the name of the request: the parts of the file name, faults, pages.
import { z } from 'zod';
import { isDay } from '../../model/period.ts';
import { UpstreamError } from '../upstream-error.ts';
import { parseJson } from '../readers/json.ts';

export const Day = z.string().refine(isDay, 'not a calendar day');
export const Page = z.looseObject({ count: z.int(), offset: z.int(), limit: z.int() });
const Fault = z.looseObject({ error_code: z.number(), error_message: z.string() });

/** The answer as JSON; one that reports an error is refused. */
export function readAnswer(sourceId: string, body: Uint8Array): unknown {
  const answer = parseJson(sourceId, body);
  const fault = Fault.safeParse(answer);
  if (fault.success) {
    const { error_code: status, error_message: message } = fault.data;
    throw new UpstreamError(sourceId, `the answer is an error, ${status}: ${message}`, { retriable: status === 429 || status >= 500 });
  }
  return answer;
}

/** A page has `limit` entries, the last page the remaining ones. */
export function checkLength(sourceId: string, { count, offset, limit }: z.infer<typeof Page>, length: number, what: string): void {
  const expected = Math.max(0, Math.min(limit, count - offset));
  if (length !== expected) throw new UpstreamError(sourceId, `expected ${expected} ${what}, found ${length}: the answer is not whole`);
}

export interface ApiFile {
  readonly endpoint: string;
  readonly subject: string | null;
  readonly variant: string | null;
  /** The day on which the answer was recorded. */
  readonly recordedOn: string | null;
}

/** `series_observations.GDP.all-realtime.recorded-2024-11-03.json`: the answer itself does not name the series. */
export function apiFile(key: string): ApiFile {
  const [endpoint = '', ...rest] = fileName(key)
    .split('.')
    .filter((part) => !/^(?:recorded-.*|page\d+)$/.test(part));
  return {
    endpoint,
    subject: rest[0] ?? null,
    variant: rest[1] ?? null,
    recordedOn: /\.recorded-(\d{4}-\d{2}-\d{2})(?:\.|$)/.exec(fileName(key))?.[1] ?? null,
  };
}

export function fileName(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1).replace(/\.[^.]+$/, '');
}

/** `window-1996-01-01-to-1999-12-31`: the requested real-time period. */
export function windowParameters(variant: string): string {
  const [, from, to] = /^window-(\d{4}-\d{2}-\d{2})-to-(\d{4}-\d{2}-\d{2})$/.exec(variant) ?? [];
  return from === undefined ? '' : `&realtime_start=${from}&realtime_end=${to}`;
}

/** @param parametersOf parameters that belong to the third part of the name */
export function apiAddress(path: string, parametersOf: (variant: string) => string = () => ''): string {
  const { endpoint, subject, variant } = apiFile(path);
  const url = `https://api.stlouisfed.org/fred/${endpoint.replace('_', '/')}?file_type=json`;
  if (subject === null) return url;
  const parameter = `${endpoint.split('_')[0]}_id=${encodeURIComponent(endpoint.startsWith('series') ? subject : subject.replace(/-.*/, ''))}`;
  return `${url}&${parameter}${parametersOf(variant ?? '')}`;
}
