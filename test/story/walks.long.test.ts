// Every list, walked page by page while another snapshot is published, equals the unpaged answer of the snapshot that it began on.
import { cp, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type Description, type Operation, readDescription } from '../http/description.ts';
import { openPipeline, realTimeFile } from '../pipeline.ts';
import { isLong } from '../suite.ts';
import { type ErrorBody, type GetOptions, type ListBody, sampleLake, startService } from '../service.ts';

type Row = ListBody['data'][number];

const dataDir = await mkdtemp(join(tmpdir(), 'asof-walks-'));
await cp(await sampleLake(), dataDir, { recursive: true });
const pipeline = await openPipeline({ dataDir, snapshotsKept: 2 });
const service = await startService(dataDir);
afterAll(async () => {
  await service.stop();
  await pipeline.remove();
});
const description: Description = readDescription(await (await service.get('/openapi.json')).text());

/** Payrolls as FRED states them on the day: the last months revised. */
async function publishMore(hour: number, into = pipeline): Promise<string> {
  const months = ['2026-06', '2026-07', '2026-08', '2026-09', '2026-10'];
  const at = `2026-11-21T${hour}:00:00.000Z`;
  await into.run(
    realTimeFile(
      'PAYEMS',
      'PAYEMS',
      months.map((month) => [`${month}-01`, `2026-11-${hour}`, '9999-12-31', 150_000 + hour]),
    ),
    at,
  );
  service.clock.now = Date.parse(at) + 60_000;
  await service.follow();
  return (await pipeline.current()).snapshotId;
}

async function list(path: string, options: GetOptions = {}): Promise<ListBody> {
  const response = await service.get(path, options);
  const body = await response.text();
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${body}`);
  return JSON.parse(body) as ListBody;
}

const withPair = (path: string, pair: string) => `${path}${path.includes('?') ? '&' : '?'}${pair}`;

// Which row is preferred is decided among the rows of one response, so it depends on the page.
// Bulk rows alone have these three, and rows of panels `knownTo`; a panel has `isBackfill` in every form.
const bare = (rows: readonly Row[]) =>
  rows.map(({ supersededAt: _, isBackfill: __, obsStatus: ___, knownTo: ____, ...row }) => ({ ...row, preferredForFactor: null }));

/** All rows of a question: in a bulk form, or in one page, or, where one page is too short, in the longest there are. */
async function unpaged(operation: Operation, path: string): Promise<readonly Row[]> {
  if (operation.isBulk) {
    const text = await (await service.get(withPair(path, 'format=ndjson&limit=1000000'))).text();
    return text.trim() === ''
      ? []
      : text
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as Row);
  }
  const walk = { path, size: 500, rows: [] as Row[], cursor: null };
  const { data, meta } = await list(withPair(path, 'limit=500'));
  await finish(Object.assign(walk, { rows: [...data], cursor: meta.pagination.next_cursor }));
  return walk.rows;
}

/** Questions of a size that can be walked in small pages; every list route that is not named is asked for all it has. */
const QUESTIONS: Readonly<Record<string, readonly string[]>> = {
  '/observations': ['source_id=fred_md&start_date=2026-05-01', 'indicator_id=us_nonfarm_payrolls&start_date=2026-04-01&vintage=all'],
  '/observations/changes': ['indicator_id=us_nonfarm_payrolls,us_unemployment_rate&start_date=2026-04-01'],
  '/public/observations': ['entity=us&period=2026-Q3&vintage=all'],
  '/entities/{entityId}/observations': ['period=2026-09'],
  '/entities': ['q=island'],
  '/platform/macro-data': ['indicator_id=us_nonfarm_payrolls,us_unemployment_rate&start_date=2026-03-01'],
};

interface Begun {
  readonly operation: Operation;
  readonly path: string;
  readonly size: number;
  readonly expected: readonly Row[];
  readonly rows: Row[];
  cursor: string | null;
}

function enumOf(operation: Operation, name: string): readonly string[] {
  const values = operation.parameters.find((one) => one.name === name)?.schema['enum'];
  return Array.isArray(values) ? values.map(String) : [];
}

// Some twelve pages, and some three; one row more than fits at the end.
const sizesOf = (count: number) => (isLong ? [12, 3] : [4]).map((pages) => Math.min(500, Math.max(1, Math.floor(count / pages))));

function orders(operation: Operation): readonly string[] {
  const all = enumOf(operation, 'sort').flatMap((sort) => enumOf(operation, 'order').map((order) => `sort=${sort}&order=${order}`));
  const possible = operation.path === '/observations/changes' ? all.filter((one) => one.endsWith('asc')) : all;
  // Of each way one, where time is short.
  return isLong ? possible : possible.filter((one, index) => possible.findIndex((other) => other.endsWith(one.slice(-4))) === index);
}

async function begin(operation: Operation): Promise<readonly Begun[]> {
  const path = operation.template.split('?')[0] ?? '';
  const required = operation.parameters
    .filter((one) => one.in === 'query' && one.required)
    .map((one) => `${one.name}=${String(one.example)}`);
  const begun: Begun[] = [];
  for (const filter of QUESTIONS[operation.path] ?? ['']) {
    for (const order of orders(operation)) {
      const question = `${path}?${[...required, ...(filter === '' ? [] : [filter]), order].join('&')}`;
      const expected = await unpaged(operation, question);
      for (const size of sizesOf(expected.length)) {
        const { data, meta } = await list(withPair(question, `limit=${size}`));
        begun.push({ operation, path: question, size, expected, rows: [...data], cursor: meta.pagination.next_cursor });
      }
    }
  }
  return begun;
}

async function finish(walk: Pick<Begun, 'path' | 'size' | 'rows' | 'cursor'>): Promise<void> {
  while (walk.cursor !== null) {
    const { data, meta } = await list(withPair(walk.path, `limit=${walk.size}&cursor=${walk.cursor}`));
    if (meta.pagination.cursor !== walk.cursor || meta.pagination.has_more !== (meta.pagination.next_cursor !== null)) {
      throw new Error(`${walk.path}: the page says ${JSON.stringify(meta.pagination)}`);
    }
    walk.rows.push(...data);
    walk.cursor = meta.pagination.next_cursor;
  }
}

const lists = description.operations.filter((operation) => operation.isList && !operation.template.includes('{'));
const walks = new Map<string, readonly Begun[]>();
for (const operation of lists) walks.set(operation.path, await begin(operation));
const early = await list('/observations?indicator_id=us_nonfarm_payrolls&source_id=fred&limit=3&sort=period_end&order=desc');
const firstSnapshot = (await pipeline.current()).snapshotId;
const secondSnapshot = await publishMore(10);

describe('a walk that began before a snapshot was published', () => {
  it('has different rows in both snapshots', async () => {
    expect(secondSnapshot).not.toBe(firstSnapshot);
    const late = await list('/observations?indicator_id=us_nonfarm_payrolls&source_id=fred&limit=3&sort=period_end&order=desc');
    expect(bare(late.data)).not.toEqual(bare(early.data));
    expect([...walks.values()].flat().filter((walk) => walk.cursor !== null).length).toBeGreaterThan(isLong ? 60 : 20);
  });

  it.each(lists.map((operation) => [operation.path, operation] as const))('of %s ends on its first snapshot', async (path) => {
    for (const walk of walks.get(path) ?? []) {
      await finish(walk);
      // The feed of changes goes on into what was published meanwhile; every other list is of its snapshot.
      const rows = path === '/observations/changes' ? walk.rows.slice(0, walk.expected.length) : walk.rows;
      expect([walk.path, walk.size, bare(rows)]).toEqual([walk.path, walk.size, bare(walk.expected)]);
    }
  });

  it('of the changes continues into later snapshots, in the order of arrival', async () => {
    for (const walk of walks.get('/observations/changes') ?? []) {
      const all = await unpaged(walk.operation, walk.path);
      expect(all.length).toBeGreaterThan(walk.expected.length);
      expect(bare(walk.rows)).toEqual(bare(all));
    }
    const feed = '/observations/changes?indicator_id=us_nonfarm_payrolls&start_date=2026-04-01';
    const { meta, data } = await list(`${feed}&limit=500`);
    expect(meta.pagination.has_more).toBe(false);
    const again = await list(`${feed}&limit=500&cursor=${meta.resume_cursor}`);
    expect([data.length > 0, again.data, again.meta.resume_cursor]).toEqual([true, [], meta.resume_cursor]);
  });
});

describe('the order of a list', () => {
  it('has nulls last in both directions', async () => {
    // Positions have no percentile before there are two years of them.
    const path = '/observations?indicator_id=cftc_001602_cot_positioning_percentile&limit=500';
    for (const order of ['asc', 'desc']) {
      const values = (await list(`${path}&sort=actual&order=${order}`)).data.map((row) => row['actual']);
      const known = values.filter((value) => typeof value === 'number').toSorted((a, b) => (order === 'asc' ? a - b : b - a));
      const missing = values.filter((value) => value === null);
      expect([known.length > 10, missing.length > 10]).toEqual([true, true]);
      expect(values).toEqual([...known, ...missing]);
    }
  });

  it('prefers at most one row of a country, factor and period within a response', async () => {
    for (const path of [
      '/observations?country=US&start_date=2026-09-01&sort=release_date&order=desc&limit=500',
      '/observations/latest?country=US&limit=500',
    ]) {
      const { data } = await list(path);
      const slots = data
        .filter((row) => row['preferredForFactor'] === true)
        .map((row) => JSON.stringify([row['country'], row['factorKey'], row['period']]));
      expect([slots.length > 0, new Set(slots).size]).toEqual([true, slots.length]);
    }
  });
});

async function reasonOf(path: string, options: GetOptions = {}): Promise<readonly unknown[]> {
  const response = await service.get(path, options);
  const { error } = (await response.json()) as ErrorBody;
  return [response.status, error.code, error.details?.['parameter'], error.details?.['reason']];
}

const refused = (reason: string) => [400, 'bad_request', 'cursor', reason];

describe('a cursor', () => {
  const QUESTION = '/observations?source_id=fred_md&start_date=2026-05-01';
  it('is refused, with the reason, for any other question', async () => {
    const cursor = (await list(`${QUESTION}&limit=5`)).meta.pagination.next_cursor ?? '';
    const [payload, signature] = cursor.split('.');
    expect(await reasonOf(`${QUESTION}&cursor=abc`)).toEqual(refused('malformed'));
    expect(await reasonOf(`${QUESTION}&cursor=${payload}A.${signature}`)).toEqual(refused('tampered'));
    for (const path of [
      '/public/observations?source_id=fred_md&start_date=2026-05-01',
      '/countries?limit=5',
      '/entities/us/observations?limit=5',
    ]) {
      expect(await reasonOf(withPair(path, `cursor=${cursor}`))).toEqual(refused('route_changed'));
    }
    for (const changed of ['sort=actual', 'order=desc', 'vintage=first', 'country=US', 'as_of=2026-10-01']) {
      expect(await reasonOf(`${QUESTION}&${changed}&cursor=${cursor}`)).toEqual(refused('query_changed'));
    }
    expect(await reasonOf(`${QUESTION}&cursor=${cursor}`, { key: 'free' })).toEqual(refused('query_changed'));
    expect((await list(`/v1${QUESTION}&limit=7&cursor=${cursor}`)).data).toHaveLength(7);
    expect((await list(`${QUESTION}&format=json&order=asc&sort=period_end&cursor=${cursor}`)).meta.pagination.cursor).toBe(cursor);
  });

  it('of one entity is refused for another one on the same route', async () => {
    const { meta } = await list('/entities/us/observations?limit=5');
    expect(await reasonOf(`/entities/de/observations?limit=5&cursor=${meta.pagination.next_cursor}`)).toEqual(refused('route_changed'));
  });

  it('expires after 24 hours, except for the feed of changes', async () => {
    const { meta } = await list(`${QUESTION}&limit=5`);
    const feed = (await list('/observations/changes?limit=5')).meta.pagination.next_cursor;
    service.clock.now += 24 * 3600 * 1000 + 1;
    expect(await reasonOf(`${QUESTION}&cursor=${meta.pagination.next_cursor}`)).toEqual(refused('expired'));
    service.clock.now += 400 * 24 * 3600 * 1000;
    expect((await list(`/observations/changes?limit=5&cursor=${feed}`)).data).toHaveLength(5);
    service.clock.now -= 401 * 24 * 3600 * 1000 + 1;
  });

  it('is refused once its snapshot is no longer kept', async () => {
    const cursor = (await list(`${QUESTION}&limit=5`)).meta.pagination.next_cursor;
    const small = await openPipeline({ ...pipeline.options, dataDir });
    await publishMore(12, small);
    expect((await list(`${QUESTION}&limit=5&cursor=${cursor}`)).data).toHaveLength(5);
    await publishMore(14, small);
    expect(await reasonOf(`${QUESTION}&limit=5&cursor=${cursor}`)).toEqual(refused('snapshot_gone'));
  });
});
