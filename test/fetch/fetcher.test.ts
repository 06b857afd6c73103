// How a publisher is asked, and what counts as an answer, against a server that behaves as publishers have been seen to.
import { createHash } from 'node:crypto';
import { mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Fetcher, KnownAnswer } from '../../src/fetch/fetcher.ts';
import { PUBLISHERS } from '../../src/sources/publishers.ts';
import type { Request } from '../../src/sources/feeds/feed.ts';
import type { PublisherId } from '../../src/sources/publishers.ts';
import { sources } from '../../src/sources/index.ts';
import { cut, declared, first, gzipBomb, page200, redirect, status } from '../replay/faults.ts';
import { fetcherOf, type ReplayOptions } from '../replay/fetcher.ts';
import { NOTHING_HELD } from '../replay/plans.ts';
import { openReplay, type Replay } from '../replay/server.ts';
import { zipOf } from '../replay/zip.ts';
import { isLong } from '../suite.ts';

const CSV = 'Date,USD\n2026-01-02,1.17\n';
const HOST = 'www.ecb.europa.eu';
const URL_OF = (name: string) => `https://${HOST}/${name}`;
const csv: Request = { key: 'ecb/rates.csv', url: URL_OF('rates.csv') };
const zip: Request = { key: 'ecb/rates.zip', url: URL_OF('rates.zip') };

/** Bytes that do not pack. */
const noise = (seed: string) =>
  Buffer.concat(Array.from({ length: 200 }, (_, at) => createHash('sha256').update(`${seed} ${at}`).digest()));

let replay: Replay;
const open: Fetcher[] = [];
beforeAll(async () => {
  replay = await openReplay();
});
afterEach(async () => {
  replay.forget();
  // Left open, a connection of a silent answer would outlive its test.
  for (const fetcher of open.splice(0)) void fetcher.close();
});
afterAll(() => replay.close());

async function fetcherWith(options: ReplayOptions = {}): Promise<Fetcher> {
  const fetcher = await fetcherOf(replay, options);
  open.push(fetcher);
  return fetcher;
}

async function ask(request: Request, options: ReplayOptions & { readonly known?: KnownAnswer; readonly of?: PublisherId } = {}) {
  const fetcher = await fetcherWith(options);
  const outcome = await fetcher.fetch(options.of ?? 'ecb', request, options.known ?? null);
  const { kind, attempts, problem, movedTo } = outcome;
  const body = outcome.received?.body ?? null;
  return { fetcher, outcome, kind, attempts, problem, movedTo, text: body === null ? null : Buffer.from(body).toString() };
}

describe('an answer', () => {
  it('is requested again only if it has changed', async () => {
    replay.serve(`${HOST}/rates.csv`, CSV);
    const { outcome, text } = await ask(csv);
    expect(text).toBe(CSV);
    const etag = outcome.received?.etag ?? null;
    const known = { etag, lastModified: outcome.received?.lastModified ?? null, bytes: CSV.length };
    expect(await ask(csv, { known })).toMatchObject({ kind: 'unchanged', attempts: 1, text: null });
    expect(replay.asked[1]?.headers).toMatchObject({ 'if-none-match': etag, 'if-modified-since': 'Fri, 02 Jan 2026 10:00:00 GMT' });
    replay.serve(`${HOST}/rates.csv`, `${CSV}2026-01-05,1.18\n`);
    expect(await ask(csv, { known })).toMatchObject({ kind: 'received' });
  });

  it.each([
    ['rates.csv', 'expected comma-separated text, found text/html: "Undeclared Automated Tool"'],
    ['rates.zip', 'expected a zip file, found text/html: "Undeclared Automated Tool"'],
    ['rates.json', 'expected JSON, found text/html: "Undeclared Automated Tool"'],
    ['form.20260102.idx', 'expected an index, found text/html: "Undeclared Automated Tool"'],
    ['bls.ics', 'expected a calendar, found text/html: "Undeclared Automated Tool"'],
  ])('is refused if it is a page in place of %s with status 200', async (name, problem) => {
    replay.serve(`${HOST}/${name}`, () => page200('Undeclared Automated Tool'));
    expect(await ask({ key: `ecb/${name}`, url: URL_OF(name) })).toMatchObject({ kind: 'failed', attempts: 1, problem });
  });

  it('is refused if its bytes are a page despite its type', async () => {
    replay.serve(`${HOST}/rates.csv`, () => ({ ...page200('Sorry'), headers: { 'content-type': 'text/csv' } }));
    expect(await ask(csv)).toMatchObject({ kind: 'failed', problem: 'expected comma-separated text, found text/csv: "Sorry"' });
  });

  it('is refused if it is empty, or half its former size', async () => {
    replay.serve(`${HOST}/rates.csv`, '');
    expect(await ask(csv)).toMatchObject({ kind: 'failed', problem: 'expected comma-separated text, found an empty answer' });
    replay.serve(`${HOST}/rates.csv`, CSV);
    const known = { etag: null, lastModified: null, bytes: 2 * CSV.length };
    expect(await ask(csv, { known })).toMatchObject({ kind: 'received' });
    expect(await ask(csv, { known: { ...known, bytes: 2 * CSV.length + 1 } })).toMatchObject({
      kind: 'failed',
      problem: expect.stringMatching(/^the answer has 25 bytes, the previous one 51: it may be cut off\. .*--mirror$/),
    });
    expect(await ask({ ...csv, mayShrink: true }, { known: { ...known, bytes: 9999 } })).toMatchObject({ kind: 'received' });
  });

  it.each(['text/html; charset=utf-8', 'application/octet-stream', 'text/plain', ''])(
    'that is a table is accepted as %s too, and a page is not',
    async (type) => {
      const labelled = (body: string) => replay.serve(`${HOST}/rates.csv`, () => ({ body, headers: { 'content-type': type } }));
      for (const table of [CSV, `\ufeff${CSV}`, 'Date;USD\n2026-01-02;1,17\n', '"Code","Name"\n"A < B","x"\n']) {
        labelled(table);
        expect(await ask(csv)).toMatchObject({ kind: 'received' });
      }
      for (const page of ['<!DOCTYPE html><p>Sorry</p>', '\n <html><body>Access denied, sorry</body></html>']) {
        labelled(page);
        expect(await ask(csv)).toMatchObject({ kind: 'failed', problem: expect.stringContaining('expected comma-separated text, found') });
      }
    },
  );

  it('labelled as a page counts as one if it has a tag, or no column', async () => {
    for (const body of ['Access denied, sorry<br>', 'Too many requests']) {
      replay.serve(`${HOST}/rates.csv`, () => ({ body, headers: { 'content-type': 'text/html' } }));
      expect(await ask(csv)).toMatchObject({ kind: 'failed', outcome: { status: 200, mediaType: 'text/html', bytes: body.length } });
    }
  });

  it('means "not out yet" for a file that never existed, until its due day', async () => {
    const due = { ...zip, dueBy: '2026-01-20' };
    const [before, after] = [Date.parse('2026-01-20T23:00:00Z'), Date.parse('2026-01-21T00:00:00Z')];
    const known = { etag: null, lastModified: null, bytes: 1 };
    const answers = [status(404), status(403), page200('Not here'), redirect(URL_OF('news.html')), { body: zipOf() }, { status: 204 }];
    replay.serve(`${HOST}/news.html`, () => page200('News'));
    for (const answer of answers) {
      replay.serve(`${HOST}/rates.zip`, () => answer);
      expect(await ask(due, { now: () => before })).toMatchObject({ kind: 'absent' });
    }
    for (const answer of answers.slice(0, 5)) {
      replay.serve(`${HOST}/rates.zip`, () => answer);
      expect(await ask(due, { now: () => after })).toMatchObject({ kind: 'failed' });
      expect(await ask(due, { now: () => before, known })).toMatchObject({ kind: 'failed' });
    }
  });
});

describe('a retry', () => {
  it.each([408, 425, 429, 500, 502, 503, 504])('helps after %i', async (code) => {
    replay.serve(
      `${HOST}/rates.csv`,
      first(2, status(code), () => ({ body: CSV })),
    );
    expect(await ask(csv)).toMatchObject({ kind: 'received', attempts: 3 });
  });

  it.each([400, 401, 403, 404, 410, 413, 501])('does not follow %i', async (code) => {
    replay.serve(`${HOST}/rates.csv`, () => status(code, {}, 'Series does not exist.'));
    expect(await ask(csv)).toMatchObject({ kind: 'failed', attempts: 1, problem: `answered ${code}: Series does not exist.` });
  });

  it('ends after the fifth attempt', async () => {
    replay.serve(`${HOST}/rates.csv`, () => status(503));
    expect(await ask(csv)).toMatchObject({ kind: 'failed', attempts: 5, problem: 'answered 503' });
  });

  it('waits as long as the publisher asks, in seconds or until a time, else a random part of a doubling time', async () => {
    const waits: number[] = [];
    const now = () => Date.parse('2026-01-02T10:00:00Z');
    const wait = async (milliseconds: number) => void waits.push(milliseconds);
    const answers = [
      status(429, { 'retry-after': '7' }),
      status(503, { 'retry-after': 'Fri, 02 Jan 2026 10:00:30 GMT' }),
      status(503),
      status(503),
    ];
    replay.serve(`${HOST}/rates.csv`, ({ before }) => answers[before] ?? { body: CSV });
    expect(await ask(csv, { now, wait, random: () => 0.25 })).toMatchObject({ kind: 'received', attempts: 5 });
    expect(waits).toEqual([7000, 30_000, 1000, 2000]);
  });

  it('is left to a later run if the publisher asks for more than ten minutes', async () => {
    replay.serve(`${HOST}/rates.csv`, () => status(429, { 'retry-after': '3600' }));
    const { fetcher, kind, attempts } = await ask(csv);
    expect([kind, attempts]).toEqual(['failed', 1]);
    expect(fetcher.leftFor('ecb')).toBe('it asked to wait 60 minutes: answered 429');
    expect(await fetcher.fetch('ecb', csv, null)).toMatchObject({ kind: 'failed', attempts: 0 });
    expect(replay.asked.length).toBe(1);
  });

  it('after a broken connection requests only the rest, which belongs to the same content', async () => {
    const body = zipOf({ name: 'a.csv', body: noise('a') });
    replay.serve(
      `${HOST}/rates.zip`,
      first(1, cut({ body }, 1000), () => ({ body })),
    );
    const { kind, attempts, outcome } = await ask(zip);
    expect([kind, attempts]).toEqual(['received', 2]);
    expect(Buffer.compare(Buffer.from(outcome.received?.body ?? []), Buffer.from(body))).toBe(0);
    expect(replay.asked[1]?.headers).toMatchObject({ range: 'bytes=1000-', 'accept-encoding': 'identity' });
  });

  it('continues in a later run with the received bytes, unless the file has changed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'asof-partial-'));
    const [old, fresh] = ['old', 'new'].map((name) => zipOf({ name, body: noise(name) }));
    replay.serve(`${HOST}/rates.zip`, () => cut({ body: old ?? '' }, 500));
    expect(await ask(zip, { folder })).toMatchObject({ kind: 'failed', attempts: 5 });
    expect((await readdir(folder)).length).toBe(2);
    replay.serve(`${HOST}/rates.zip`, fresh ?? '');
    const { outcome } = await ask(zip, { folder });
    expect(Buffer.compare(Buffer.from(outcome.received?.body ?? []), Buffer.from(fresh ?? []))).toBe(0);
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('a publisher', () => {
  it('is left alone after three failed requests in a row, or after the first if it never answered', async () => {
    replay.serve(`${HOST}/rates.csv`, () => status(503));
    const fetcher = await fetcherWith();
    const kinds: string[] = [];
    for (let time = 0; time < 4; time += 1) {
      expect(fetcher.leftFor('ecb')).toBe(time < 3 ? null : '3 requests in a row failed: answered 503');
      const { kind, attempts } = await fetcher.fetch('ecb', csv, null);
      kinds.push(`${kind} ${attempts}`);
    }
    expect(kinds).toEqual(['failed 5', 'failed 5', 'failed 5', 'failed 0']);
    expect(fetcher.hasAnswers()).toBe(true);
    const gone = await openReplay();
    await gone.close();
    const alone = await fetcherOf(gone);
    expect(await alone.fetch('ecb', csv, null)).toMatchObject({ kind: 'failed', attempts: 5 });
    expect(alone.leftFor('ecb')).toBe('it did not answer: the connection was refused');
    expect(alone.hasAnswers()).toBe(false);
  });

  // A silent answer is given up by the second: all of them take half a minute.
  it.each(isLong ? (Object.keys(PUBLISHERS) as PublisherId[]) : (['ecb'] as const))(
    '%s is left within two minutes if it sends nothing',
    async (of) => {
      const [host = ''] = PUBLISHERS[of].hosts;
      let clock = 0;
      // The time of a request that is left without an answer passes as it comes in.
      replay.serve(`${host}/silent.csv`, () => {
        clock += PUBLISHERS[of].limits.firstByte;
        return { isSilent: true };
      });
      const wait = async (milliseconds: number) => void (clock += milliseconds);
      const options = { now: () => clock, wait, limits: { firstByte: 40 }, contact: 'A b@example.org', secrets: { FRED_API_KEY: 'k' }, of };
      const { fetcher, kind, attempts } = await ask({ key: 'x/silent.csv', url: `https://${host}/silent.csv` }, options);
      expect([kind, attempts, fetcher.leftFor(of) !== null]).toEqual(['failed', 2, true]);
      expect(clock).toBeLessThan(120_000);
    },
  );

  it('is not asked beyond its budgets, earlier runs included', async () => {
    replay.serve(`${HOST}/rates.csv`, CSV);
    const now = Date.parse('2026-01-02T10:00:00Z');
    const fetcher = await fetcherWith({ now: () => now, publishers: { ecb: { budgets: [{ per: 'hour', requests: 3 }] } } });
    fetcher.remember(
      'ecb',
      [now - 3_700_000, now - 1_800_000].map((at) => ({ at, url: csv.url })),
    );
    const kinds: string[] = [];
    for (let time = 0; time < 3; time += 1) kinds.push((await fetcher.fetch('ecb', csv, null)).kind);
    expect(kinds).toEqual(['received', 'received', 'failed']);
    expect(fetcher.leftFor('ecb')).toBe('its budget of 3 requests per hour is spent until 2026-01-02T10:30Z');
    expect(replay.asked.length).toBe(2);
  });

  it('is still asked for files outside a used-up budget', async () => {
    const now = Date.parse('2026-01-02T10:00:00Z');
    const structure = { key: 'x/structure.csv', url: `https://${HOST}/structure/rates.csv` };
    replay.serve(`${HOST}/rates.csv`, CSV);
    replay.serve(`${HOST}/structure/rates.csv`, CSV);
    const budgets = [{ per: 'hour' as const, requests: 1, below: `https://${HOST}/rates` }];
    const fetcher = await fetcherWith({ now: () => now, publishers: { ecb: { budgets } } });
    fetcher.remember('ecb', [{ at: now - 60_000, url: structure.url }]);
    const kinds: string[] = [];
    for (const request of [structure, csv, structure, csv]) kinds.push((await fetcher.fetch('ecb', request, null)).kind);
    expect(kinds).toEqual(['received', 'received', 'received', 'failed']);
  });

  it.each([null, 'Ada Lovelace ada@example.org'])('learns the caller from every request, with the contact %s', async (contact) => {
    const fetcher = await fetcherWith({ contact, secrets: { FRED_API_KEY: 'k' }, mostAttempts: 1 });
    const asked: string[] = [];
    for (const { id, feed } of sources) {
      if (feed === undefined || fetcher.pausedFor(feed.publisher) !== null) continue;
      const { value } = feed.plan('2026-11-18T12:00:00.000Z', NOTHING_HELD).next();
      if (value === undefined || 'giveUp' in value) throw new Error(`the plan of ${id} asks nothing`);
      replay.forget();
      await fetcher.fetch(feed.publisher, value, null);
      const agents = replay.asked.map(({ headers }) => headers['user-agent'] ?? '');
      if (agents.length > 0) asked.push(id);
      const pattern = contact === null ? /^asof\/\d\S* \(asof, a self-hosted data service\)$/ : /ada@example\.org/;
      expect([id, agents.filter((agent) => !pattern.test(agent))]).toEqual([id, []]);
    }
    expect(asked.length).toBeGreaterThan(25);
  });

  it('that refuses old files is left after twelve refusals in a row; an answer in between resets the count', async () => {
    const file = (name: string): Request => ({ key: `ecb/${name}.csv`, url: URL_OF(`${name}.csv`) });
    const months = Array.from({ length: 11 }, (_, index) => `old${index}`);
    for (const name of [...months, ...months.map((month) => `x${month}`), 'last', 'over'])
      replay.serve(`${HOST}/${name}.csv`, () => status(403));
    replay.serve(`${HOST}/newer.csv`, CSV);
    const fetcher = await fetcherWith();
    const kinds = async (...names: readonly string[]) => {
      const found: string[] = [];
      for (const name of names) found.push((await fetcher.fetch('ecb', file(name), null)).kind);
      return new Set(found);
    };
    expect(await kinds(...months)).toEqual(new Set(['failed']));
    expect([await kinds('newer'), fetcher.leftFor('ecb')]).toEqual([new Set(['received']), null]);
    await kinds(...months.map((month) => `x${month}`), 'last');
    expect(fetcher.leftFor('ecb')).toMatch(/^12 requests in a row were refused: answered 403/);
  });

  it('that requires a name gets it with every request, and is not asked without one', async () => {
    const request = { key: 'bls/bls.ics', url: 'https://www.bls.gov/bls.ics' };
    replay.serve(
      'www.bls.gov/bls.ics',
      declared(() => ({ body: 'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n' })),
    );
    const named = await ask(request, { of: 'bls', contact: 'Ada Lovelace (ada@example.org)' });
    expect([named.kind, replay.asked[0]?.headers['user-agent']]).toEqual(['received', 'ada@example.org']);
    const unnamed = await fetcherWith();
    expect(unnamed.pausedFor('bls')).toMatch(/set ASOF_CONTACT/);
    expect([unnamed.pausedFor('ecb'), named.fetcher.pausedFor('bls')]).toEqual([null, null]);
  });
});

describe('a key', () => {
  const KEY = 'abcdef0123456789abcdef0123456789';
  const request = { key: 'fred/a.json', url: 'https://api.stlouisfed.org/a.json?series_id=GDP' };
  const options = { of: 'fred' as const, secrets: { FRED_API_KEY: KEY } };

  it('is sent to the publisher and named nowhere else: no address, message or partial file', async () => {
    replay.serve('api.stlouisfed.org/a.json', () => status(400, {}, `Bad Request. api_key ${KEY} is not registered.`));
    const { outcome } = await ask(request, options);
    expect(replay.asked[0]?.url.searchParams.get('api_key')).toBe(KEY);
    expect(outcome.problem).toMatch(/^answered 400: Bad Request/);
    expect(JSON.stringify(outcome)).not.toContain(KEY);
  });

  it('does not follow a redirection to another host', async () => {
    const publishers = { fred: { hosts: ['api.stlouisfed.org', 'fred.stlouisfed.org'] } };
    replay.serve('api.stlouisfed.org/a.json', ({ url }) => redirect(`https://fred.stlouisfed.org/b.json${url.search}`));
    replay.serve('fred.stlouisfed.org/b.json', '{}');
    expect(await ask(request, { ...options, publishers })).toMatchObject({ kind: 'received', movedTo: 'fred.stlouisfed.org/b.json' });
    expect(replay.asked[1]?.url.href).toBe('https://fred.stlouisfed.org/b.json?series_id=GDP');
  });

  it('that an answer repeats keeps the answer out of the archive; without a key no request is sent', async () => {
    replay.serve('api.stlouisfed.org/a.json', `{"url":"https://api.stlouisfed.org/a.json?api_key=${KEY}"}`);
    expect(await ask(request, options)).toMatchObject({ kind: 'failed', problem: 'the answer contains the key of this installation' });
    expect((await fetcherWith()).pausedFor('fred')).toBe('it needs a key: set FRED_API_KEY');
  });
});

describe('a redirection', () => {
  it('is followed within the hosts of the publisher, and reported', async () => {
    replay.serve(`${HOST}/rates.csv`, () => redirect('/moved/rates.csv'));
    replay.serve(`${HOST}/moved/rates.csv`, CSV);
    expect(await ask(csv)).toMatchObject({ kind: 'received', text: CSV, movedTo: `${HOST}/moved/rates.csv` });
  });

  it('is followed with the cookies that it sets, only to their host', async () => {
    const publishers = { ecb: { hosts: [HOST, 'data.ecb.europa.eu'] } };
    replay.serve(`${HOST}/rates.csv`, ({ headers }) =>
      headers['cookie'] === 'seen=1'
        ? redirect('https://data.ecb.europa.eu/rates.csv')
        : { ...redirect(URL_OF('rates.csv')), headers: { location: URL_OF('rates.csv'), 'set-cookie': 'seen=1; Path=/; Secure' } },
    );
    replay.serve('data.ecb.europa.eu/rates.csv', CSV);
    expect(await ask(csv, { publishers })).toMatchObject({ kind: 'received', text: CSV });
    expect(replay.asked.map(({ headers }) => headers['cookie'])).toEqual([undefined, 'seen=1', undefined]);
    replay.forget();
    await ask(csv, { publishers });
    expect(replay.asked[0]?.headers['cookie']).toBeUndefined();
  });

  it.each([
    ['bank_of_israel', 'edge.boi.org.il'],
    ['st_louis_fed', 'research.stlouisfed.org'],
  ] as const)('of %s leads to %s too', async (of, host) => {
    const from = PUBLISHERS[of].hosts[0] ?? '';
    replay.serve(`${from}/a.csv`, () => redirect(`https://${host}/a.csv`));
    replay.serve(`${host}/a.csv`, CSV);
    expect(await ask({ key: 'x/a.csv', url: `https://${from}/a.csv` }, { of })).toMatchObject({
      kind: 'received',
      movedTo: `${host}/a.csv`,
    });
  });

  it.each([
    ['another host', 'https://example.org/rates.csv', /redirects to example\.org\/rates\.csv, which is not a host of the publisher/],
    ['plain http', `http://${HOST}/rates.csv`, /which is not an https address/],
    ['itself', URL_OF('rates.csv'), /after 3 redirections/],
  ])('is not followed to %s', async (_what, to, problem) => {
    replay.serve(`${HOST}/rates.csv`, () => redirect(to));
    expect(await ask(csv)).toMatchObject({ kind: 'failed', attempts: 1, problem: expect.stringMatching(problem) });
    expect(replay.asked.every(({ url }) => url.host === HOST)).toBe(true);
    expect(replay.asked.length).toBeLessThanOrEqual(4);
  });
});

describe('limits', () => {
  it('stop a body whose declared size is too long, and one that unpacks to more than allowed', async () => {
    replay.serve(`${HOST}/rates.csv`, () => ({ body: CSV.repeat(1000) }));
    expect(await ask(csv, { limits: { bytes: 10_000 } })).toMatchObject({
      kind: 'failed',
      problem: 'the answer has 25000 bytes, more than the 10000 allowed',
    });
    replay.serve(`${HOST}/rates.csv`, () => gzipBomb(20));
    expect(await ask(csv, { limits: { inflatedBytes: 5_000_000 } })).toMatchObject({
      kind: 'failed',
      attempts: 1,
      problem: 'the unpacked answer exceeds 5000000 bytes',
    });
  });

  it('apply inside a zip file: to its members, their size and their names', async () => {
    const refusals: [Uint8Array, RegExp][] = [
      [zipOf({ name: 'a.csv', body: Buffer.alloc(3_000_000) }), /is said to hold 3000000 bytes in \d+/],
      [
        zipOf({ name: 'a.csv', body: 'x'.repeat(60_000) }, { name: 'b.csv', body: 'y'.repeat(60_000) }),
        /holds 120000 bytes, more than the 100000 allowed/,
      ],
      [zipOf({ name: '../a.csv', body: CSV }), /invalid relative path/],
      [zipOf({ name: '/etc/a.csv', body: CSV }), /absolute path/],
      [zipOf({ name: 'a.csv', body: '/etc/passwd', mode: 0o120777 }), /is a symbolic link/],
      [zipOf(...Array.from({ length: 101 }, (_, index) => ({ name: `${index}`, body: 'x' }))), /more than 100 members/],
      [zipOf({ name: 'a.csv', body: CSV }).subarray(0, 60), /the zip file is damaged/],
    ];
    for (const [body, problem] of refusals) {
      replay.serve(`${HOST}/rates.zip`, body);
      expect(await ask(zip, { limits: { inflatedBytes: 100_000 } })).toMatchObject({
        kind: 'failed',
        problem: expect.stringMatching(problem),
      });
    }
    replay.serve(`${HOST}/rates.zip`, Buffer.concat([zipOf({ name: 'a.csv', body: CSV }), Buffer.alloc(1000)]));
    expect(await ask(zip)).toMatchObject({ kind: 'received' });
  });
});
