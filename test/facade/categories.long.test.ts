// FRED's categories and tags over the sample: a tree that holds each series once, and tags that are facts of the service.
import { SaxesParser } from 'saxes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { everyPage, openServiceClient } from '../../src/client/service.ts';
import { type Listening, serveFacade } from '../../src/facade/server.ts';
import { type RunningService, SAMPLE_TIME, startSampleService } from '../service.ts';

let service: RunningService;
let facade: Listening;
beforeAll(async () => {
  service = await startSampleService();
  facade = await serveFacade(
    { url: service.url, key: service.keys.full, now: () => Date.parse(SAMPLE_TIME) },
    { host: '127.0.0.1', port: 0 },
  );
});
afterAll(async () => {
  await facade.close();
  await service.stop();
});

type Query = Readonly<Record<string, string | number>>;

async function get(path: string, query: Query = {}) {
  const address = new URL(`http://127.0.0.1:${facade.port}${path}`);
  for (const [name, value] of Object.entries<string | number>({ file_type: 'json', ...query }))
    address.searchParams.set(name, String(value));
  const answer = await fetch(address);
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}
async function list<Item>(name: string, path: string, query: Query = {}): Promise<readonly Item[]> {
  const { status, body } = await get(path, query);
  expect([path, status, body['error_message'] ?? '']).toEqual([path, 200, '']);
  return body[name] as Item[];
}

interface Category {
  readonly id: number;
  readonly name: string;
  readonly parent_id: number;
}
interface Tag {
  readonly name: string;
  readonly group_id: string;
  readonly notes: string;
  readonly series_count: number;
}
const categories = (path: string, query: Query = {}) => list<Category>('categories', path, query);
const tags = (path: string, query: Query = {}) => list<Tag>('tags', path, query);
const ids = async (path: string, query: Query = {}) =>
  (await list<{ readonly id: string }>('seriess', path, { limit: 1000, ...query })).map(({ id }) => id);

/** The whole tree, from the root on. */
async function below(id: number, at = ''): Promise<readonly Category[]> {
  const own = await categories(`${at}/fred/category/children`, { category_id: id });
  return [...own, ...(await Promise.all(own.map((one) => below(one.id, at)))).flat()];
}

/** Every series of the facade, in pages. */
async function everyId(): Promise<readonly string[]> {
  const found: string[] = [];
  for (let offset = 0; ; offset += 1000) {
    const page = await ids('/fred/series/search', { search_text: '*', search_type: 'series_id', order_by: 'series_id', offset });
    found.push(...page);
    if (page.length < 1000) return found;
  }
}

describe('categories', () => {
  it('are a tree in which each series has one place', async () => {
    const tree = await below(0);
    expect(new Set(tree.map(({ id }) => id)).size).toBe(tree.length);
    const placed = (
      await Promise.all([0, ...tree.map(({ id }) => id)].map((category_id) => ids('/fred/category/series', { category_id })))
    ).flat();
    const all = await everyId();
    expect(all.length).toBeGreaterThan(500);
    expect(placed.toSorted()).toEqual(all.toSorted());
    for (const one of tree.slice(0, 5)) expect(await categories('/fred/category', { category_id: one.id })).toEqual([one]);
    expect(await categories('/fred/category')).toEqual([{ id: 0, name: 'Categories', parent_id: 0 }]);
  });

  it('are those that the service states for the indicator', async () => {
    const [own] = await categories('/fred/series/categories', { series_id: 'PAYEMS' });
    const [parent] = await categories('/fred/category', { category_id: own?.parent_id ?? -1 });
    expect([own?.name, parent]).toEqual(['Employment', { id: own?.parent_id, name: 'Labour', parent_id: 0 }]);
    expect(await ids('/fred/category/series', { category_id: own?.id ?? -1 })).toContain('PAYEMS');
    // The service names category and finer category of each canonical indicator.
    const { data } = await everyPage(openServiceClient(service.url, service.keys.full), '/canonical-indicators', {});
    const named = new Set(data.map((row) => String(row['subCategory'] ?? row['category']).replaceAll('_', ' ')));
    for (const { name } of (await below(0)).filter(({ parent_id }) => parent_id !== 0)) expect([...named]).toContain(name.toLowerCase());
    expect(await categories('/fred/category/related', { category_id: own?.id ?? -1 })).toEqual([]);
  });

  it('keep their numbers on every day, and have only the series of that day', async () => {
    const then = await below(0, '/at/2020-06-15');
    const now = await below(0);
    expect(then.length).toBeGreaterThan(3);
    expect(then.length).toBeLessThan(now.length);
    for (const one of then) expect(now).toContainEqual(one);
    const [own] = await categories('/fred/series/categories', { series_id: 'PAYEMS' });
    const known = await ids('/at/2020-06-15/fred/category/series', { category_id: own?.id ?? -1 });
    expect(known).toContain('PAYEMS');
    expect(
      await ids('/fred/category/series', { category_id: own?.id ?? -1, realtime_start: '2020-06-15', realtime_end: '2020-06-15' }),
    ).toEqual(known);
  });

  it('have XML with the same names', async () => {
    const text = await (await fetch(`http://127.0.0.1:${facade.port}/fred/series/categories?series_id=PAYEMS`)).text();
    const seen: [string, unknown][] = [];
    const parser = new SaxesParser();
    parser.on('opentag', ({ name, attributes }) => void seen.push([name, { ...attributes }]));
    parser.write(text).close();
    const [own] = await categories('/fred/series/categories', { series_id: 'PAYEMS' });
    expect(seen).toEqual([
      ['categories', {}],
      ['category', { id: String(own?.id), name: own?.name, parent_id: String(own?.parent_id) }],
    ]);
  });
});

describe('tags', () => {
  it('of a series are its facts, each with the number of series that have it', async () => {
    const own = await tags('/fred/series/tags', { series_id: 'PAYEMS', order_by: 'group_id' });
    expect(own.map(({ group_id, name }) => [group_id, name])).toEqual([
      ['freq', 'monthly'],
      ['gen', 'employment'],
      ['gen', 'labour'],
      ['geo', 'usa'],
      ['geot', 'nation'],
      ['rls', 'employment situation'],
      ['seas', 'sa'],
      ['src', 'fred_md'],
    ]);
    for (const { name, series_count } of own)
      expect([name, (await get('/fred/tags/series', { tag_names: name, limit: 1 })).body['count']]).toEqual([name, series_count]);
    expect(own.find(({ name }) => name === 'sa')?.notes).toBe('Seasonally Adjusted');
  });

  it('find series with all of them, and without others', async () => {
    const monthly = await ids('/fred/tags/series', { tag_names: 'monthly;USA' });
    expect(monthly).toContain('PAYEMS');
    const records = await list<Record<string, string>>('seriess', '/fred/tags/series', { tag_names: 'monthly;USA' });
    expect(new Set(records.map(({ frequency_short }) => frequency_short))).toEqual(new Set(['M']));
    const { data } = await everyPage(openServiceClient(service.url, service.keys.full), '/indicators', { country: 'us' });
    const entities = new Set(data.flatMap((row) => (row['entityId'] === 'us' ? [String(row['indicatorId'])] : [])));
    expect(monthly.filter((id) => /^[a-z]/.test(id) && !entities.has(id))).toEqual([]);
    const labour = await ids('/fred/tags/series', { tag_names: 'monthly;usa;labour' });
    expect(labour.length).toBeLessThan(monthly.length);
    const others = await ids('/fred/tags/series', { tag_names: 'monthly;usa', exclude_tag_names: 'labour' });
    expect([...labour, ...others].toSorted()).toEqual(monthly.toSorted());
    const searched = await ids('/fred/series/search', { search_text: 'nonfarm', tag_names: 'labour' });
    expect(searched).toContain('PAYEMS');
    expect(await ids('/fred/series/search', { search_text: 'nonfarm', exclude_tag_names: 'labour' })).not.toContain('PAYEMS');
    expect(await ids('/fred/release/series', { release_id: 50, tag_names: 'employment' })).toEqual(['PAYEMS']);
  });

  it('that are related are those of the series with the tags asked for', async () => {
    const related = await tags('/fred/related_tags', { tag_names: 'monthly;usa' });
    expect(related.map(({ name }) => name)).not.toContain('usa');
    expect(related.length).toBeGreaterThan(5);
    for (const { name, series_count } of related) {
      const { body } = await get('/fred/tags/series', { tag_names: `monthly;usa;${name}`, limit: 1 });
      expect([name, body['count']]).toEqual([name, series_count]);
    }
    const without = await tags('/fred/related_tags', { tag_names: 'monthly;usa', exclude_tag_names: 'labour' });
    expect(without.map(({ name }) => name)).not.toContain('labour');
  });

  it('are listed by group, text and name, in either order', async () => {
    const all = await tags('/fred/tags');
    const counts = all.map(({ series_count }) => series_count);
    expect([all.length > 20, counts]).toEqual([true, counts.toSorted((a, b) => a - b)]);
    expect((await tags('/fred/tags', { tag_group_id: 'freq', order_by: 'name', sort_order: 'desc' })).map(({ name }) => name)).toEqual([
      'weekly',
      'quarterly',
      'monthly',
      'daily',
      'annual',
    ]);
    expect((await tags('/fred/tags', { search_text: 'seasonally' })).map(({ group_id }) => group_id)).toEqual(
      expect.arrayContaining(['seas']),
    );
    expect((await tags('/fred/tags', { tag_names: 'sa;usa', order_by: 'name' })).map(({ name }) => name)).toEqual(['sa', 'usa']);
    const { body } = await get('/fred/tags', { limit: 2, offset: 1 });
    expect([body['count'], body['tags']]).toEqual([all.length, all.slice(1, 3)]);
  });

  it('of a category, a release or a search count the series there', async () => {
    const [own] = await categories('/fred/series/categories', { series_id: 'PAYEMS' });
    const category_id = own?.id ?? -1;
    const inCategory = (await ids('/fred/category/series', { category_id })).length;
    const count = (all: readonly Tag[], name: string) => all.find((tag) => tag.name === name)?.series_count;
    expect(count(await tags('/fred/category/tags', { category_id }), 'employment')).toBe(inCategory);
    const related = await tags('/fred/category/related_tags', { category_id, tag_names: 'employment;sa' });
    expect(count(related, 'monthly')).toBe(
      (await ids('/fred/category/series', { category_id, tag_names: 'employment;sa;monthly' })).length,
    );
    expect(count(await tags('/fred/release/tags', { release_id: 50 }), 'usa')).toBe(
      (await ids('/fred/release/series', { release_id: 50 })).length,
    );
    expect((await tags('/fred/release/related_tags', { release_id: 50, tag_names: 'usa' })).map(({ name }) => name)).toContain('monthly');
    const series_search_text = 'nonfarm';
    const searched = await ids('/fred/series/search', { search_text: series_search_text });
    expect(count(await tags('/fred/series/search/tags', { series_search_text }), 'usa')).toBe(searched.length);
    expect((await tags('/fred/series/search/tags', { series_search_text, tag_search_text: 'month' })).map(({ name }) => name)).toEqual([
      'monthly',
    ]);
    expect((await tags('/fred/series/search/related_tags', { series_search_text, tag_names: 'usa' })).map(({ name }) => name)).toContain(
      'monthly',
    );
  });

  it('of a day are those of the series known then', async () => {
    const count = async (at: string) => (await get(`${at}/fred/tags/series`, { tag_names: 'usa', limit: 1 })).body['count'];
    expect(Number(await count('/at/2020-06-15'))).toBeLessThan(Number(await count('')));
  });
});

describe('a question that cannot be answered', () => {
  it.each([
    [
      'a category of FRED',
      '/fred/category',
      { category_id: 125 },
      'there is no category 125. FRED has other numbers. Begin with category_id=0',
    ],
    ['a category that is no number', '/fred/category/series', { category_id: 'prices' }, 'Value of category_id is not a whole number'],
    [
      'a tag that no series has',
      '/fred/tags/series',
      { tag_names: 'usa;nope' },
      'Value of tag_names: no series has the tag nope. Look up names in /fred/tags.',
    ],
    [
      'a tag to exclude that no series has',
      '/fred/related_tags',
      { tag_names: 'usa', exclude_tag_names: 'nope' },
      'Value of exclude_tag_names',
    ],
    ['no tag', '/fred/related_tags', {}, 'The variable tag_names is not set'],
    ['only separators', '/fred/tags/series', { tag_names: ';;' }, 'Value of tag_names has no tag'],
    ['a group that the service has no data for', '/fred/tags', { tag_group_id: 'cc' }, 'Value of tag_group_id is one of freq, gen, geo'],
    [
      'an order that the service has no data for',
      '/fred/tags',
      { order_by: 'popularity' },
      'Value of order_by is one of series_count, name, group_id here',
    ],
    ['an unknown variable', '/fred/series/categories', { series_id: 'PAYEMS', colour: 'red' }, 'Unknown variable colour'],
    ['a series that is not there', '/fred/series/tags', { series_id: 'NOPE' }, 'The series NOPE does not exist'],
    ['a search without a text', '/fred/series/search/tags', {}, 'The variable series_search_text is not set'],
  ])('gives the reason: %s', async (_, path, query, message) => {
    const { status, body } = await get(path, query);
    expect([status, body['error_code'], body['error_message']]).toEqual([400, 400, expect.stringContaining(message)]);
  });
});
