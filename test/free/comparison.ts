// Asks two services the same with a free key, and says where their answers differ in more than ids of the snapshot, tags, cursors and hashes.
import { parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import type { RunningService } from '../service.ts';

export interface Difference {
  readonly path: string;
  /** The first members that differ, each with both values. */
  readonly at: string;
}

/** What contract 1.3 lets differ. */
const HASHES: ReadonlySet<string> = new Set(['chainHash']);
const IDS: ReadonlySet<string> = new Set(['requestId', 'request_id', 'next_cursor', 'resume_cursor', 'nextCursor', 'cursor', 'snapshotId']);

function differenceOf(a: unknown, b: unknown, at = ''): string | null {
  if (Object.is(a, b)) return null;
  if (Array.isArray(a) && Array.isArray(b)) return differenceOfLists(a, b, at);
  if (isObject(a) && isObject(b)) return differenceOfObjects(a, b, at);
  return `${at} ${JSON.stringify(a)} ${JSON.stringify(b)}`;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;

function differenceOfLists(a: readonly unknown[], b: readonly unknown[], at: string): string | null {
  for (const [index, one] of a.slice(0, b.length).entries()) {
    const found = differenceOf(one, b[index], `${at}[${index}]`);
    if (found !== null) return found;
  }
  return a.length === b.length ? null : `${at}.length ${a.length} ${b.length}`;
}

function differenceOfObjects(a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>, at: string): string | null {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  for (const name of [...names].filter((one) => !HASHES.has(one))) {
    const [one, other] = [a[name], b[name]];
    // Whether there is a next page must agree, not where it begins.
    const found = IDS.has(name) ? differenceOf(one === null, other === null, `${at}.${name}`) : differenceOf(one, other, `${at}.${name}`);
    if (found !== null) return found;
  }
  return null;
}

interface Said {
  readonly status: number;
  readonly asOf: string | null;
  readonly body: unknown;
  readonly next: string | null;
}

async function ask(service: Pick<RunningService, 'get'>, path: string): Promise<Said> {
  const answer = await service.get(path, { key: 'free' });
  const type = answer.headers.get('content-type') ?? '';
  const bytes = Buffer.from(await answer.arrayBuffer());
  const body = type.includes('json') && !type.includes('ndjson') ? (JSON.parse(bytes.toString()) as unknown) : await rowsOf(type, bytes);
  const next = (body as { meta?: { pagination?: { next_cursor?: string | null } } }).meta?.pagination?.next_cursor ?? null;
  return { status: answer.status, asOf: answer.headers.get('x-as-of'), body, next };
}

/** Two files of the same rows may be other bytes. */
async function rowsOf(type: string, bytes: Buffer): Promise<unknown> {
  if (!type.includes('parquet')) return bytes.toString(type.includes('arrow') ? 'latin1' : 'utf8');
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
  const rows = await parquetReadObjects({ file: buffer, compressors });
  return rows.map((row) => JSON.stringify(row, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)));
}

/** Every page of a list is compared, as far as it goes. */
export async function compare(
  a: Pick<RunningService, 'get'>,
  b: Pick<RunningService, 'get'>,
  path: string,
  mostPages = 2,
): Promise<Difference | null> {
  let [left, right] = [path, path];
  for (let page = 1; ; page += 1) {
    const [one, other] = await Promise.all([ask(a, left), ask(b, right)]);
    const { next, ...shown } = one;
    const { next: otherNext, ...otherShown } = other;
    const at = differenceOf(shown, otherShown);
    if (at !== null) return { path: page === 1 ? path : `${path} (page ${page})`, at: at.slice(0, 300) };
    if (next === null || otherNext === null || page >= mostPages) return null;
    const on = (cursor: string) => `${path}${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`;
    [left, right] = [on(next), on(otherNext)];
  }
}
