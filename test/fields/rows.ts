// All rows of a list, and what the values of a field are.
import type { ListBody, RunningService } from '../service.ts';

export type Row = Readonly<Record<string, unknown>>;

/** A connection that stood idle while rows were looked at may have been closed just as it is used again. */
async function got(service: RunningService, path: string): Promise<Response> {
  try {
    return await service.get(path);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return service.get(path);
  }
}

export async function item(service: RunningService, path: string): Promise<Row> {
  const response = await got(service, path);
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { data: Row }).data;
}

/** Every page of a list. */
export async function pages(service: RunningService, path: string): Promise<readonly Row[]> {
  const rows: Row[] = [];
  let cursor: string | null = null;
  do {
    const next: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const response = await got(service, `${path}${path.includes('?') ? '&' : '?'}limit=500${next}`);
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    const body = (await response.json()) as ListBody;
    rows.push(...body.data);
    cursor = body.meta.pagination.next_cursor;
  } while (cursor !== null);
  return rows;
}

/** Every page of the series in the report of liveness. */
export async function feeds(service: RunningService): Promise<readonly Row[]> {
  const rows: Row[] = [];
  let cursor: unknown = '';
  while (typeof cursor === 'string') {
    const report = await item(service, `/ops/liveness${cursor === '' ? '' : `?cursor=${encodeURIComponent(cursor)}`}`);
    rows.push(...(report['series'] as Row[]));
    cursor = report['nextCursor'];
  }
  return rows;
}

/** The whole list in one answer. */
export async function lines(service: RunningService, path: string): Promise<readonly Row[]> {
  const response = await got(service, `${path}${path.includes('?') ? '&' : '?'}format=ndjson&limit=1000000`);
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  const text = (await response.text()).trim();
  return text === '' ? [] : text.split('\n').map((line) => JSON.parse(line) as Row);
}

/** The values of a field, `a.b` of an object and `a[].b` of each member of a list. */
function valuesOf(row: unknown, field: string): readonly unknown[] {
  const [step = '', ...rest] = field.split('.');
  if (typeof row !== 'object' || row === null) return [undefined];
  const isList = step.endsWith('[]');
  const value: unknown = Reflect.get(row, isList ? step.slice(0, -2) : step);
  const members = isList ? (Array.isArray(value) ? value : []) : [value];
  if (rest.length === 0) return members;
  // Of an object that may be null, the fields are those of the others.
  return members.filter((member) => member !== null).flatMap((member) => valuesOf(member, rest.join('.')));
}

/** More values than any enumeration has. */
const MANY = 60;

/** Different values of a field, as JSON; when there are many not all of them. */
export function varietyOf(rows: readonly Row[], field: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (const row of rows) {
    for (const value of valuesOf(row, field)) found.add(typeof value === 'string' ? `"${value}"` : (JSON.stringify(value) ?? 'missing'));
    if (found.size > MANY) break;
  }
  return found;
}
