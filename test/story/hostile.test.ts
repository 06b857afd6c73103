// Any request at all, valid or hostile: never a 5xx, every error in the one shape, every answer as described. `npm run test:hostile` sends
// 10,000 of them, the suite some.
import { type IncomingHttpHeaders, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import * as fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { type Description, type Operation, readDescription } from '../http/description.ts';
import { type ErrorBody, type KeyName, RATE_HEADERS, startSampleService } from '../service.ts';

const RUNS = Number(process.env['HOSTILE_RUNS'] ?? 1500);
const SEED = process.env['HOSTILE_SEED'];

const service = await startSampleService();
afterAll(() => service.stop());
const description: Description = readDescription(await (await service.get('/openapi.json')).text());
const { operations } = description;
const { data } = (await (await service.get('/observations?sort=observed_at&order=desc&limit=20')).json()) as {
  data: readonly { observationId: string }[];
};

interface Asked {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly key: KeyName | 'none' | 'wrong';
}

interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

function send({ method, target, headers, key }: Asked): Promise<Answered> {
  const given = key === 'none' ? {} : { 'x-api-key': key === 'wrong' ? 'asof_wrong' : service.keys[key] };
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { host: '127.0.0.1', port: service.port, method, path: target, headers: { ...given, ...headers } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: toHeaders(response.headers), text: Buffer.concat(chunks).toString('utf8') }),
        );
      },
    );
    request.on('error', reject);
    request.end();
  });
}

function toHeaders(headers: IncomingHttpHeaders): Headers {
  return new Headers(Object.entries(headers).flatMap(([name, value]) => [value ?? []].flat().map((one): [string, string] => [name, one])));
}

/** What is wrong with an answer, whatever was asked. */
function faultsOf({ method, target }: Asked, answered: Answered): readonly unknown[] {
  const { status, headers, text } = answered;
  const faults: unknown[] = RATE_HEADERS.filter((name) => !headers.has(name));
  if (!/^[A-Za-z0-9._-]{1,128}$/.test(headers.get('x-request-id') ?? '')) faults.push('the request id');
  if (![200, 206, 304, 400, 401, 403, 404].includes(status)) faults.push(`status ${status}`);
  if (method === 'HEAD' || status === 304) return text === '' ? faults : [...faults, 'a body'];
  if (status !== 200 && status !== 206) return [...faults, ...errorFaultsOf(answered)];
  const operation = description.operationOf(target.split('?')[0] ?? '');
  if (operation === null) return [...faults, 'no operation of the description'];
  const isJson = headers.get('content-type')?.startsWith('application/json') === true;
  return [...faults, ...description.faultsOf(operation, { status, headers, body: isJson ? JSON.parse(text) : text })];
}

function errorFaultsOf({ headers, text }: Answered): readonly string[] {
  if (headers.get('content-type') !== 'application/json; charset=utf-8') return ['an error that is no JSON'];
  const body = JSON.parse(text) as ErrorBody;
  const ids = new Set([body.error.request_id, body.error.requestId, body.requestId, headers.get('x-request-id')]);
  return [...description.errorFaults(body), ...(ids.size === 1 ? [] : [`ids ${[...ids].join(' ')}`])];
}

const junk = fc.oneof(
  fc.constantFrom(
    '%00',
    '%zz',
    '%',
    '%ff',
    '%c0%af',
    '%ed%a0%80',
    '%0d%0aX:%20y',
    '%F0%9F%98%80',
    '%E2%80%AE',
    '+',
    '%2B',
    '%25',
    '%2e%2e',
    '..',
    '.',
  ),
  fc.constantFrom(
    "';drop table x--",
    '" or 1=1',
    '$as_of',
    '$1',
    '../../etc/passwd',
    '[]',
    '{}',
    '__proto__',
    'constructor',
    'null',
    'undefined',
    'NaN',
  ),
  fc.constantFrom(
    '-1',
    '0',
    '501',
    '1e9',
    '9007199254740993',
    '99999999999999999999',
    '1.5',
    '0x10',
    '٣',
    'Infinity',
    '0000-00-00',
    '2020-02-30',
    '9999-12-31',
  ),
  fc.constantFrom(
    '',
    ',',
    ',,',
    'a'.repeat(300),
    'a'.repeat(5000),
    Array.from({ length: 60 }, () => 'us').join(','),
    'obs_',
    `obs_${'v'.repeat(26)}`,
  ),
  fc.string({ maxLength: 16 }).map(encodeSafely),
  fc.string({ maxLength: 8, unit: 'binary' }).map(encodeSafely),
);

function encodeSafely(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return '%ff';
  }
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

const anyTarget = fc.array(junk, { maxLength: 4 }).map((parts) => `/${parts.join('/')}`);

// What a client of HTTP can send at all.
const sendable = (target: string) => target.replaceAll(/[^\x21-\xff]/g, '_').slice(0, 12_000);

const headers = fc.record(
  {
    'x-request-id': fc.constantFrom('mine', 'a b', '"', 'x'.repeat(200), '../x'),
    accept: fc.constantFrom(
      '*/*',
      'text/csv',
      'application/x-ndjson;q=0.1',
      'q=;;,',
      'text/html',
      'application/vnd.apache.parquet',
      'application/vnd.apache.arrow.stream, */*;q=NaN',
    ),
    'if-none-match': fc.constantFrom('*', '*', '*', '"x"', 'W/', ',,', '"'),
    'accept-encoding': fc.constantFrom('gzip;q=0', 'identity', 'br', ';;', '*'),
    'x-forwarded-for': fc.constantFrom('1.2.3.4', "'", '::1'),
    origin: fc.constantFrom('null', 'https://evil.example'),
    range: fc.constantFrom('bytes=0-1'),
    'content-length': fc.constantFrom('0'),
    'x-http-method-override': fc.constantFrom('DELETE'),
  },
  { requiredKeys: [] },
);

const authorization = fc.record({ authorization: fc.constantFrom('Bearer', 'Basic YTpi', 'Bearer a b', 'bearer asof_x', '') });

const asked: fc.Arbitrary<Asked> = fc.record({
  method: fc.constantFrom('GET', 'GET', 'GET', 'GET', 'GET', 'GET', 'GET', 'GET', 'HEAD', 'POST', 'OPTIONS', 'DELETE', 'PROPFIND'),
  target: fc
    .oneof({ weight: 9, arbitrary: fc.constantFrom(...operations).chain(targetOf) }, { weight: 1, arbitrary: anyTarget })
    .map(sendable),
  headers: fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, { weight: 5, arbitrary: headers }, { weight: 1, arbitrary: authorization }),
  key: fc.constantFrom<Asked['key']>('full', 'full', 'full', 'admin', 'free', 'data', 'ops', 'none', 'wrong'),
});

describe('any request', () => {
  it('is answered as described, and never with a 5xx', { timeout: 700_000 }, async () => {
    const seen = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(asked, async (one) => {
        const answered = await send(one);
        const operation = description.operationOf(one.target.split('?')[0] ?? '');
        const name = answered.status === 200 ? `200 ${operation?.path}` : String(answered.status);
        seen.set(name, (seen.get(name) ?? 0) + 1);
        expect(faultsOf(one, answered)).toEqual([]);
      }),
      { numRuns: RUNS, interruptAfterTimeLimit: 600_000, ...(SEED === undefined ? {} : { seed: Number(SEED) }) },
    );
    expect([...seen.keys()]).toEqual(expect.arrayContaining(['304', '400', '401', '403', '404']));
    const answeredWell = operations.filter((operation) => seen.has(`200 ${operation.path}`));
    expect(answeredWell.length).toBeGreaterThan(operations.length / 2);
    expect(service.lines.filter((line) => line['msg'] === 'request failed')).toEqual([]);
  });
});

describe('bytes that are no request', () => {
  const bytes = fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 60 }).map((some) => Buffer.concat([Buffer.from(some), Buffer.from('\r\n\r\n')])),
    fc
      .tuple(
        fc.constantFrom('GET', 'get', 'GE T', 'FETCH'),
        fc.uint8Array({ maxLength: 30 }),
        fc.constantFrom('HTTP/1.1', 'HTTP/9.9', 'HTTP'),
      )
      .map(([method, path, version]) =>
        Buffer.concat([Buffer.from(`${method} /`), Buffer.from(path), Buffer.from(` ${version}\r\nHost: x\r\nConnection: close\r\n\r\n`)]),
      ),
  );

  it('are answered in the one shape, or not at all', async () => {
    await fc.assert(
      fc.asyncProperty(bytes, async (some) => {
        const text = await exchange(some);
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

function exchange(bytes: Buffer): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(service.port, '127.0.0.1', () => socket.write(bytes));
    let text = '';
    socket.setEncoding('utf8');
    socket.setTimeout(500, () => socket.destroy());
    socket.on('data', (chunk: string) => (text += chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(text));
  });
}
