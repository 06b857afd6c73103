// The order of checks: a request that breaks two rules hears of the earlier one. And what the headers say on every answer.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { memoryLimiter } from '../../src/http/admission/rate-limit.ts';
import { createKey } from '../../src/keys/key.ts';
import { errorOf, startToy, type Toy } from '../http/toy.ts';

const RATE_HEADERS = ['x-ratelimit-policy', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];

/** A request, by what is wrong with it. */
interface Wrong {
  readonly path?: string;
  readonly query?: string;
  readonly key?: string;
}

describe('a request that breaks two rules', () => {
  let toy: Toy;
  let usedUp: string;
  beforeAll(async () => {
    // One request in a window: the key of the free tier has made it.
    toy = await startToy({
      limiter: memoryLimiter({ 'data:read': 1, 'ops:read': 10, admin: 1000, discovery: 1000, unauthenticated: 1000 }),
    });
    usedUp = toy.keys.free;
    await toy.get('/toys', { 'x-api-key': usedUp });
  });
  afterAll(() => toy.stop());

  const RULES = {
    malformed: { query: 'name=%zz' },
    route: { path: '/nothing/row_x' },
    key: { key: createKey() },
    scope: { key: 'ops' },
    limit: { key: 'usedUp' },
    parameter: { query: 'what=1' },
    resource: { path: '/toys/row_x' },
  } as const satisfies Record<string, Wrong>;
  type Rule = keyof typeof RULES;
  const ANSWERS: Readonly<Record<Rule, readonly [number, string]>> = {
    malformed: [400, 'bad_request'],
    route: [404, 'not_found'],
    key: [401, 'unauthorized'],
    scope: [403, 'forbidden'],
    limit: [429, 'rate_limited'],
    parameter: [400, 'bad_request'],
    resource: [404, 'not_found'],
  };
  const rules = Object.keys(RULES) as readonly Rule[];
  // Two that need another address, or another key, cannot be broken at once.
  const pairs = rules.flatMap((first, at) =>
    rules.slice(at).flatMap((second) => {
      const [one, two]: readonly Wrong[] = [RULES[first], RULES[second]];
      const isBoth = first === second || !Object.keys(one ?? {}).some((name) => name in (two ?? {}));
      return isBoth ? [[first, second] as const] : [];
    }),
  );

  it.each(pairs)('%s and %s gets the error of the first', async (first, second) => {
    const wrong: Wrong = { ...RULES[second], ...RULES[first] };
    const key = wrong.key === 'ops' ? toy.keys.ops : wrong.key === 'usedUp' ? usedUp : (wrong.key ?? toy.keys.admin);
    const response = await toy.get(`${wrong.path ?? '/toys/row_000001'}${wrong.query === undefined ? '' : `?${wrong.query}`}`, {
      'x-api-key': key,
    });
    const { error } = await errorOf(response);
    expect([response.status, error.code]).toEqual(ANSWERS[first]);
    expect([error.message.includes('percent-encoded'), error.details?.['parameter'] === 'what']).toEqual([
      first === 'malformed',
      first === 'parameter',
    ]);
    for (const name of RATE_HEADERS) expect(response.headers.has(name)).toBe(true);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('retry-after') !== null).toBe(first === 'limit');
    expect(response.headers.get('www-authenticate') !== null).toBe(first === 'key');
  });

  it('is tested in enough pairs', () => {
    expect(pairs.length).toBeGreaterThanOrEqual(19);
  });

  it('gets the error of the method only if there is such a route', async () => {
    const post = await toy.get('/toys?what=%zz', {}, { method: 'POST' });
    expect(post.status).toBe(400);
    expect((await toy.get('/toys?what=1', {}, { method: 'POST' })).headers.get('allow')).toBe('GET, HEAD');
  });
});

describe('an answer', () => {
  let toy: Toy;
  beforeAll(async () => {
    toy = await startToy();
  });
  afterAll(() => toy.stop());
  const full = (more: Record<string, string> = {}) => ({ 'x-api-key': toy.keys.full, ...more });

  it('has with 200 and 304 its tag, its lifetime and its dependencies', async () => {
    const ok = await toy.get('/toys?limit=3', full({ 'accept-encoding': 'identity' }));
    const held = await toy.get('/toys?limit=3', full({ 'if-none-match': ok.headers.get('etag') ?? '' }));
    expect([ok.status, held.status, await held.text()]).toEqual([200, 304, '']);
    for (const { headers } of [ok, held]) {
      expect(headers.get('cache-control')).toBe('private, max-age=60');
      expect(headers.get('vary')).toBe('Authorization, x-api-key, Accept, Accept-Encoding');
      expect(headers.get('etag')).toBe(ok.headers.get('etag'));
      expect(headers.get('x-request-id')).toMatch(/^req_/);
    }
    expect(Number(held.headers.get('x-ratelimit-remaining'))).toBe(Number(ok.headers.get('x-ratelimit-remaining')) - 1);
  });

  it('never matches the tag of another question, page, sort, order, form, tier, key kind, day or snapshot', async () => {
    const of = async (path: string, headers = full()) => (await toy.get(path, headers)).headers.get('etag') ?? '';
    const tag = await of('/toys?limit=3');
    const next = ((await (await toy.get('/toys?limit=3')).json()) as { meta: { pagination: { next_cursor: string } } }).meta.pagination
      .next_cursor;
    const others = [
      '/toys?limit=4',
      '/toys?limit=3&name=x',
      '/toys?limit=3&sort=name',
      '/toys?limit=3&order=desc',
      `/toys?limit=3&cursor=${next}`,
      '/toys?limit=3&format=csv',
      '/plain-toys?limit=3',
    ];
    for (const path of others) expect([path, (await toy.get(path, full({ 'if-none-match': tag }))).status]).toEqual([path, 200]);
    for (const key of [toy.keys.free, toy.keys.admin])
      expect((await toy.get('/toys?limit=3', { 'x-api-key': key, 'if-none-match': tag })).status).toBe(200);
    const [one, two] = [await of('/toys/row_000001'), await of('/toys/row_000002')];
    expect(one).not.toBe(two);
    toy.clock.now += 24 * 3600 * 1000;
    expect((await toy.get('/toys?limit=3', full({ 'if-none-match': tag }))).status).toBe(200);
    toy.clock.now -= 24 * 3600 * 1000;
    expect((await toy.get('/toys?limit=3', full({ 'if-none-match': tag }))).status).toBe(304);
  });

  it('has the tag of the same question with other aliases and an explicit form', async () => {
    const of = async (path: string, headers = full()) => (await toy.get(path, headers)).headers.get('etag');
    expect(await of('/toys?nameOf=x&limit=3')).toBe(await of('/toys?limit=3&name=x'));
    expect(await of('/toys?limit=3&format=json')).toBe(await of('/toys?limit=3'));
    expect(await of('/toys?limit=3&format=csv')).toBe(await of('/toys?limit=3', full({ accept: 'text/csv' })));
  });

  it.each([
    ['nothing', null, 'application/json'],
    ['anything', '*/*', 'application/json'],
    ['one form', 'text/csv', 'text/csv'],
    ['one form in capitals, with a parameter', 'Text/CSV; header=present', 'text/csv'],
    ['the greater weight, wherever it stands', 'text/csv;q=0.5, application/x-ndjson;q=0.9', 'application/x-ndjson'],
    ['the greater weight first', 'application/x-ndjson;q=0.9, text/csv;q=0.5', 'application/x-ndjson'],
    ['equal weights: the one named first', 'text/csv, application/json', 'text/csv'],
    ['equal weights: the one named first, again', 'application/x-ndjson;q=0.7, text/csv;q=0.7', 'application/x-ndjson'],
    ['any form of a kind', 'text/*', 'text/csv'],
    ['any form of a kind, before a form of less weight', 'application/x-ndjson;q=0.4, text/*;q=0.5', 'text/csv'],
    ['any application form', 'application/*', 'application/json'],
    ['anything but JSON', 'application/json;q=0, */*', 'text/csv'],
    ['a page in a browser', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'application/json'],
    ['no form of weight nought', 'text/csv;q=0, application/x-ndjson;q=0.1', 'application/x-ndjson'],
    ['weight nought alone', 'text/csv;q=0', 'application/json'],
    ['anything at a lower weight', '*/*;q=0.1, text/csv', 'text/csv'],
    ['any application form at a greater weight', 'application/*;q=0.9, text/csv;q=0.5', 'application/json'],
    ['nothing that there is', 'image/png', 'application/json'],
  ])('has the form of the Accept header: %s', async (_, accept, type) => {
    const headers = full(accept === null ? {} : { accept });
    for (const path of ['/toys?limit=2', '/toys?limit=2', '/toys?limit=2'])
      expect((await toy.get(path, headers)).headers.get('content-type')?.split(';')[0]).toBe(type);
    expect((await toy.get('/toys?limit=2&format=ndjson', headers)).headers.get('content-type')).toBe('application/x-ndjson');
    expect((await toy.get('/toys?limit=2&format=json', headers)).headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect((await toy.get('/plain-toys?limit=2', headers)).headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  it('is compressed only if that is accepted and the answer is long, under its own tag', async () => {
    const coding = async (path: string, encoding: string) => {
      const { headers } = await toy.get(path, full({ 'accept-encoding': encoding }));
      return [headers.get('content-encoding'), headers.get('etag')?.endsWith('-gzip"')];
    };
    for (const encoding of ['gzip', 'deflate, gzip;q=0.1', 'x-gzip'])
      expect([encoding, await coding('/toys?limit=300', encoding)]).toEqual([encoding, ['gzip', true]]);
    for (const encoding of ['identity', 'gzip;q=0', 'gzip; q=0.000', 'br', 'gzipped'])
      expect([encoding, await coding('/toys?limit=300', encoding)]).toEqual([encoding, [null, false]]);
    expect(await coding('/toys?limit=3', 'gzip')).toEqual([null, false]);
    const tag = (await toy.get('/toys?limit=300', full({ 'accept-encoding': 'gzip' }))).headers.get('etag') ?? '';
    const plain = tag.replace('-gzip', '');
    const status = async (held: string, encoding: string) =>
      (await toy.get('/toys?limit=300', full({ 'if-none-match': held, 'accept-encoding': encoding }))).status;
    expect([
      await status(tag, 'gzip'),
      await status(plain, 'gzip'),
      await status(plain, 'identity'),
      await status(tag, 'identity'),
    ]).toEqual([304, 304, 304, 200]);
  });

  it('is cached ten minutes and no longer, and computed again for another snapshot', async () => {
    const own = await startToy();
    const names = async (headers: Record<string, string> = { 'x-api-key': own.keys.full }) => {
      const response = await own.get('/toys?limit=1&sort=id', headers);
      return { status: response.status, tag: response.headers.get('etag') ?? '', text: await response.text() };
    };
    const before = await names();
    own.store.publish('snap_b', [{ id: 'row_new', name: 'new', value: 1, madeOn: '2026-01-15' }]);
    const after = await names({ 'x-api-key': own.keys.full, 'if-none-match': before.tag });
    expect([after.status, after.text.includes('row_new'), after.tag === before.tag]).toEqual([200, true, false]);
    expect((await names({ 'x-api-key': own.keys.full, 'if-none-match': after.tag })).status).toBe(304);
    expect((await names()).text).toContain('row_new');
    // The rows of one snapshot never change; these do, so that one can see whether they were read again.
    own.store.publish('snap_b', []);
    own.clock.now += 10 * 60 * 1000;
    expect((await names()).text).toContain('row_new');
    own.clock.now += 1;
    expect((await names()).text).not.toContain('row_new');
    await own.stop();
  });
});
