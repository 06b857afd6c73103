// Any request at all, valid or hostile: never a 5xx, every error in the one shape, every answer as described. `npm run test:hostile` sends
// 10,000 of them, the suite some.
import * as fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { MISSING, pageAt } from '../../src/http/page-files.ts';
import { openPages } from '../../src/pages/pages.ts';
import { type Description, type Operation, readDescription } from '../http/description.ts';
import { type ErrorBody, type KeyName, RATE_HEADERS, startSampleService } from '../service.ts';
import { type Answered, anyMethod, anyTarget, exchange, hostileHeaders, junk, noRequest, send, sendable } from './hostile-requests.ts';

const RUNS = Number(process.env['HOSTILE_RUNS'] ?? 1500);
// A run that is cut short would pass with whatever it had come to: it fails.
const MOST_MS = Math.max(700_000, RUNS * 60);
const SEED = process.env['HOSTILE_SEED'];

const service = await startSampleService();
afterAll(() => service.stop());
const description: Description = readDescription(await (await service.get('/openapi.json')).text());
const { operations } = description;
const pages = process.env['PAGES'] === 'off' ? null : openPages();
const { data } = (await (await service.get('/observations?sort=observed_at&order=desc&limit=20')).json()) as {
  data: readonly { observationId: string }[];
};

interface Asked {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly key: KeyName | 'none' | 'wrong';
}

const sendOne = ({ method, target, headers, key }: Asked): Promise<Answered> => {
  const given = key === 'none' ? {} : { 'x-api-key': key === 'wrong' ? 'asof_wrong' : service.keys[key] };
  return send(service.port, { method, target, headers: { ...given, ...headers } });
};

/** What is wrong with an answer, whatever was asked. */
function faultsOf(one: Asked, answered: Answered): readonly unknown[] {
  const { method, target } = one;
  const { status, headers, text } = answered;
  const faults: unknown[] = RATE_HEADERS.filter((name) => !headers.has(name));
  if (!/^[A-Za-z0-9._-]{1,128}$/.test(headers.get('x-request-id') ?? '')) faults.push('the request id');
  if (![200, 206, 304, 400, 401, 403, 404].includes(status)) faults.push(`status ${status}`);
  if (method === 'HEAD' || status === 304) return text === '' ? faults : [...faults, 'a body'];
  if (status !== 200 && status !== 206) return [...faults, ...errorFaultsOf(one, answered)];
  const operation = description.operationOf(target.split('?')[0] ?? '');
  if (operation === null) return [...faults, ...(isPage(one, answered) ? [] : ['no operation of the description'])];
  const isJson = headers.get('content-type')?.startsWith('application/json') === true;
  const isNarrowed = /[?&]columns=/.test(target);
  return [...faults, ...description.faultsOf(operation, { status, headers, body: isJson ? JSON.parse(text) : text, isNarrowed })];
}

/** Whether it is the file of a page, whole and as it is kept: nothing else beside the description may answer. */
function isPage({ target, headers: asked }: Asked, { headers, text }: Answered): boolean {
  const page = pageAt(pages, target.split('?')[0] ?? '', asked['accept']);
  return page !== null && headers.get('content-type') === page.contentType && text === page.body.toString('utf8');
}

/** Whether it is the page about an unknown address, for a client that prefers HTML. */
function isMissingPage({ headers: asked }: Asked, { status, headers, text }: Answered): boolean {
  const page = pages?.get(MISSING);
  const wantsHtml = asked['accept']?.startsWith('text/html') === true;
  return (
    status === 404 &&
    page !== undefined &&
    wantsHtml &&
    headers.get('content-type') === page.contentType &&
    text === page.body.toString('utf8')
  );
}

function errorFaultsOf(one: Asked, answered: Answered): readonly string[] {
  if (isMissingPage(one, answered)) return [];
  const { headers, text } = answered;
  if (headers.get('content-type') !== 'application/json; charset=utf-8') return ['an error that is no JSON'];
  const body = JSON.parse(text) as ErrorBody;
  const ids = new Set([body.error.request_id, body.error.requestId, body.requestId, headers.get('x-request-id')]);
  return [...description.errorFaults(body), ...(ids.size === 1 ? [] : [`ids ${[...ids].join(' ')}`])];
}

const sensible = fc.constantFrom(
  'us',
  'US',
  'USA',
  'de',
  'cpi',
  'us_nonfarm_payrolls',
  'fred_md',
  '2026',
  '2026-09',
  '2026-Q3',
  '2026-06-30',
  '2026-10-01T00:00:00Z',
  'true',
  'asc',
  'desc',
  'monthly',
  '1',
  '5',
  '100',
  'all',
);

const valuesOf = ({ schema, example }: Operation['parameters'][number]): readonly string[] => {
  const options = Array.isArray(schema['enum']) ? schema['enum'] : [];
  return [...options, ...(example === undefined ? [] : [example])].map((one) => encodeURIComponent(String(one)));
};

/** A pair that the operation knows, or one that it does not. */
function pairOf(operation: Operation): fc.Arbitrary<string> {
  const known = operation.parameters
    .filter((one) => one.in === 'query')
    .map((one) => {
      const values = valuesOf(one);
      const own = values.length === 0 ? sensible : fc.constantFrom(...values);
      return fc
        .oneof({ weight: 5, arbitrary: own }, { weight: 1, arbitrary: sensible }, { weight: 2, arbitrary: junk })
        .map((value) => `${one.name}=${value}`);
    });
  const stranger = fc
    .tuple(fc.oneof(junk, fc.constantFrom('limit', 'api_key', 'page', 'cursor', 'format')), junk)
    .map(([name, value]) => `${name}=${value}`);
  return fc.oneof(...known.map((arbitrary) => ({ weight: 10, arbitrary })), { weight: 4, arbitrary: stranger });
}

function pathOf(operation: Operation): fc.Arbitrary<string> {
  const observationId = fc.constantFrom(...data.map((row) => row.observationId));
  const parts = operation.path.split('/').map((part) => {
    if (!part.startsWith('{')) return fc.constant(part);
    const example = operation.parameters.find((one) => one.in === 'path' && `{${one.name}}` === part)?.example;
    const own = example === undefined ? observationId : fc.constant(encodeURIComponent(String(example)));
    return fc.oneof({ weight: 6, arbitrary: own }, { weight: 2, arbitrary: sensible }, { weight: 2, arbitrary: junk });
  });
  return fc
    .tuple(
      fc.constantFrom('', '', '', '/v1'),
      fc.tuple(...parts).map((one) => one.join('/')),
      fc.constantFrom('', '', '', '/', '/x', '//'),
    )
    .map(([prefix, path, suffix]) => prefix + path + suffix);
}

const targetOf = (operation: Operation): fc.Arbitrary<string> =>
  fc
    .tuple(
      pathOf(operation),
      fc.oneof(
        { weight: 3, arbitrary: fc.array(pairOf(operation), { maxLength: 3 }) },
        { weight: 1, arbitrary: fc.array(pairOf(operation), { maxLength: 8 }) },
      ),
    )
    .map(([path, pairs]) => (pairs.length === 0 ? path : `${path}?${pairs.join('&')}`));

const asked: fc.Arbitrary<Asked> = fc.record({
  method: anyMethod,
  target: fc
    .oneof({ weight: 9, arbitrary: fc.constantFrom(...operations).chain(targetOf) }, { weight: 1, arbitrary: anyTarget })
    .map(sendable),
  headers: hostileHeaders,
  key: fc.constantFrom<Asked['key']>('full', 'full', 'full', 'admin', 'free', 'data', 'ops', 'none', 'wrong'),
});

describe('any request', () => {
  it('gets an answer as described, and never a 5xx', { timeout: MOST_MS }, async () => {
    const seen = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(asked, async (one) => {
        const answered = await sendOne(one);
        const operation = description.operationOf(one.target.split('?')[0] ?? '');
        const name = answered.status === 200 ? `200 ${operation?.path}` : String(answered.status);
        seen.set(name, (seen.get(name) ?? 0) + 1);
        expect(faultsOf(one, answered)).toEqual([]);
      }),
      { numRuns: RUNS, ...(SEED === undefined ? {} : { seed: Number(SEED) }) },
    );
    expect([...seen.keys()]).toEqual(expect.arrayContaining(['304', '400', '401', '403', '404']));
    const answeredWell = operations.filter((operation) => seen.has(`200 ${operation.path}`));
    expect(answeredWell.length).toBeGreaterThan(operations.length / 2);
    expect(service.lines.filter((line) => line['msg'] === 'request failed')).toEqual([]);
  });
});

describe('bytes that are not a request', () => {
  it('get an error envelope or no answer', async () => {
    await fc.assert(
      fc.asyncProperty(noRequest, async (some) => {
        const text = await exchange(service.port, some);
        if (text === '') return;
        const [head = '', body = ''] = text.split('\r\n\r\n');
        const headed = new Headers(
          head
            .split('\r\n')
            .slice(1)
            .map((line): [string, string] => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
        );
        const status = Number(head.split(' ')[1]);
        expect([400, 401, 404]).toContain(status);
        expect(faultsOf({ method: 'GET', target: '/', headers: {}, key: 'none' }, { status, headers: headed, text: body })).toEqual([]);
      }),
      { numRuns: Math.ceil(RUNS / 10) },
    );
  });
});
