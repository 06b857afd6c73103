// What a free key sees: the trailing 24 months of any series, on every route and in every form.
import { afterAll, describe, expect, it } from 'vitest';
import { addMonths } from '../../src/model/period.ts';
import { type Description, type Operation, readDescription } from './description.ts';
import { type Fill, fillingFrom } from './placeholders.ts';
import { isLong } from '../suite.ts';
import { type ErrorBody, type KeyName, type ListBody, SAMPLE_TIME, startSampleService } from '../service.ts';

const service = await startSampleService();
afterAll(() => service.stop());
const description: Description = readDescription(await (await service.get('/openapi.json')).text());
const fill: Fill = fillingFrom(service, description.operations);

const WINDOW_START = addMonths(SAMPLE_TIME.slice(0, 10), -24);

type Row = Readonly<Record<string, unknown>>;

const keyed = description.operations.filter((operation) => operation.scope !== null);
const limited = keyed.filter((operation) => operation.isHistory);
const lists = limited.filter((operation) => operation.isList);
const named = (some: readonly Operation[]) => some.map((operation) => [operation.path, operation] as const);

/** The day by which a row is inside or outside the window: of what it covers, else its own. */
function dayOf(row: Row): string | null {
  const day = ['periodEnd', 'scheduledAt', 'occurredAt'].map((name) => row[name]).find((value) => typeof value === 'string');
  return typeof day === 'string' ? day.slice(0, 10) : null;
}

const idOf = (row: Row) => row['observationId'] ?? row['id'] ?? row['statementId'];
const isOld = (row: Row) => (dayOf(row) ?? '9999') < WINDOW_START;

/** A year on both sides of the window's start is what tells; the long suite looks at all there is. */
const SINCE = isLong ? [] : [`start_date=${addMonths(WINDOW_START, -12)}`];

/** The path of a list with what it has since then, oldest first where it can be sorted so. */
async function oldestFirst(operation: Operation): Promise<string> {
  const [path = '', query = ''] = ((await fill(operation.template)) ?? '').split('?');
  const required = query.split('&').filter((pair) => operation.parameters.some((one) => one.required && pair.startsWith(`${one.name}=`)));
  const has = (name: string, value: string) => {
    const values = operation.parameters.find((one) => one.name === name)?.schema['enum'];
    return Array.isArray(values) && values.includes(value) ? [`${name}=${value}`] : [];
  };
  const since = operation.parameters.some((one) => one.name === 'start_date') ? SINCE : [];
  return `${path}?${[...required, ...since, ...has('sort', 'period_end'), ...has('vintage', 'all')].join('&')}`;
}

async function list(path: string, key: KeyName): Promise<ListBody> {
  const response = await service.get(path, { key });
  expect([path, response.status]).toEqual([path, 200]);
  return (await response.json()) as ListBody;
}

async function bulk(path: string, key: KeyName): Promise<readonly Row[]> {
  const text = await (await service.get(`${path}&format=ndjson&limit=1000000`, { key })).text();
  return text.trim() === ''
    ? []
    : text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Row);
}

it('the free tier is described on every route with values of series', () => {
  const paths = limited.map((operation) => operation.path);
  expect(paths).toEqual(
    expect.arrayContaining(['/observations', '/observations/latest', '/observations/changes', '/provenance/observations/{observationId}']),
  );
  const bulkRoutes = keyed
    .filter((operation) => operation.isBulk && !operation.path.includes('screener'))
    .map((operation) => operation.path);
  expect(bulkRoutes.filter((path) => !paths.includes(path))).toEqual([]);
});

describe.each(named(lists))('%s', (_path, operation) => {
  it('shows a free key nothing older, and reports the limit', async () => {
    const path = `${await oldestFirst(operation)}&limit=500`;
    const [free, full] = [await list(path, 'free'), await list(path, 'full')];
    expect(free.data.filter(isOld)).toEqual([]);
    expect([free.meta.history_limited, full.meta.history_limited]).toEqual([true, undefined]);
  });

  it('never answers one tier with the tag of the other', async () => {
    const path = `${await oldestFirst(operation)}&limit=20`;
    for (const [mine, other] of [
      ['free', 'full'],
      ['full', 'free'],
    ] as const) {
      const tag = (await service.get(path, { key: mine })).headers.get('etag') ?? '';
      const statuses = await Promise.all(
        [mine, other].map(async (key) => (await service.get(path, { key, headers: { 'if-none-match': tag } })).status),
      );
      expect(statuses).toEqual([304, 200]);
    }
  });
});

describe.each(named(lists.filter((operation) => operation.isBulk)))('%s', (_path, operation) => {
  it('gives a free key the visible part of a full answer, in bulk and page by page', async () => {
    const path = await oldestFirst(operation);
    const [free, full] = [await bulk(path, 'free'), await bulk(path, 'full')];
    expect(free.filter(isOld)).toEqual([]);
    // The newest row of a series inside the window may not be its newest of all.
    const inside = operation.path.endsWith('/latest') ? free : full.filter((row) => !isOld(row));
    expect(free.map(idOf)).toEqual(inside.map(idOf));
    for (const format of ['csv', 'arrow', 'parquet']) {
      const tags = await Promise.all(
        (['free', 'full'] as const).map(async (key) =>
          (await service.get(`${path}&format=${format}&limit=5`, { key, method: 'HEAD' })).headers.get('etag'),
        ),
      );
      expect(new Set(tags).size).toBe(2);
    }
    const first = await list(`${path}&limit=50`, 'free');
    if (first.meta.pagination.next_cursor === null) return;
    const second = await list(`${path}&limit=50&cursor=${first.meta.pagination.next_cursor}`, 'free');
    expect([second.data.filter(isOld), second.meta.history_limited]).toEqual([[], true]);
    const stolen = await service.get(`${path}&limit=50&cursor=${first.meta.pagination.next_cursor}`, { key: 'full' });
    expect(((await stolen.json()) as ErrorBody).error.details).toMatchObject({ parameter: 'cursor', reason: 'query_changed' });
  });

  it('refuses to show a free key older data on request', async () => {
    const path = await oldestFirst(operation);
    const has = (name: string) => operation.parameters.some((one) => one.name === name);
    const asked = [
      ...(has('end_date') ? [`end_date=${addMonths(WINDOW_START, -1)}`] : []),
      ...(has('start_date') && SINCE.length === 0 ? ['start_date=1990-01-01'] : []),
      ...(has('period') ? ['period=2023'] : []),
      ...(has('as_of') ? ['as_of=2024-06-30'] : []),
    ];
    for (const pair of asked) expect([pair, (await bulk(`${path}&${pair}`, 'free')).filter(isOld)]).toEqual([pair, []]);
  });
});

describe('one observation', () => {
  it('outside the window is not found; inside it, only vintages of visible periods are shown', async () => {
    const full = await list('/observations?sort=period_end&order=asc&limit=1', 'full');
    const old = `/provenance/observations/${String(full.data[0]?.['observationId'])}`;
    const answer = await service.get(old, { key: 'free' });
    expect([isOld(full.data[0] ?? {}), (await service.get(old)).status, answer.status]).toEqual([true, 200, 404]);
    const unknown = await service.get(`/provenance/observations/obs_${'0'.repeat(26)}`, { key: 'free' });
    const messages = await Promise.all(
      [answer, unknown].map(async (one) => ((await one.json()) as ErrorBody).error.message.replace(/obs_\w+/, 'obs')),
    );
    expect(messages[0]).toBe(messages[1]);

    const inside = await list('/observations?sort=period_end&order=desc&limit=1&indicator_id=us_nonfarm_payrolls', 'free');
    const shown = await service.get(`/provenance/observations/${String(inside.data[0]?.['observationId'])}`, { key: 'free' });
    const body = (await shown.json()) as { data: { vintages: readonly Row[]; rawPayload: Row }; meta: Row };
    expect([shown.status, body.meta['history_limited'], body.data.vintages.length > 0]).toEqual([200, true, true]);
  });
});

describe('the window', () => {
  it('does not move back if the clock is set back', async () => {
    const now = service.clock.now;
    service.clock.now = Date.parse(`${addMonths(SAMPLE_TIME.slice(0, 10), -12)}T12:00:00.000Z`);
    const [free, full] = await Promise.all(
      (['free', 'full'] as const).map(async (key) => (await list('/observations?sort=period_end&order=asc&limit=500', key)).data),
    );
    service.clock.now = now;
    expect([free?.filter(isOld), free?.length, full?.some(isOld)]).toEqual([[], 500, true]);
  });

  it('moves with the day, and changes tags', async () => {
    const path = '/observations?source_id=world_bank&sort=period_end&limit=500';
    const [before, tag] = [await list(path, 'free'), (await service.get(path, { key: 'free' })).headers.get('etag') ?? ''];
    const [now, oldest] = [service.clock.now, dayOf(before.data[0] ?? {}) ?? ''];
    service.clock.now = Date.parse(`${addMonths(oldest, 24)}T12:00:00.000Z`) + 31 * 24 * 3600 * 1000;
    const later = await service.get(path, { key: 'free', headers: { 'if-none-match': tag } });
    const { data } = (await later.json()) as ListBody;
    service.clock.now = now;
    expect([later.status, data.map(dayOf).includes(oldest)]).toEqual([200, false]);
  });
});
