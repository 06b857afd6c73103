// What no client in its right mind sends, for whatever answers HTTP here: parts of addresses, headers, bytes that are no request.
import { type IncomingHttpHeaders, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import * as fc from 'fast-check';

export const junk = fc.oneof(
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

export const anyTarget = fc.array(junk, { maxLength: 4 }).map((parts) => `/${parts.join('/')}`);

/** What a client of HTTP can send at all. */
export const sendable = (target: string) => target.replaceAll(/[^\x21-\xff]/g, '_').slice(0, 12_000);

const known = fc.record(
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

export const hostileHeaders: fc.Arbitrary<Readonly<Record<string, string>>> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  { weight: 5, arbitrary: known },
  { weight: 1, arbitrary: authorization },
);

export const anyMethod = fc.constantFrom(
  'GET',
  'GET',
  'GET',
  'GET',
  'GET',
  'GET',
  'GET',
  'GET',
  'HEAD',
  'POST',
  'OPTIONS',
  'DELETE',
  'PROPFIND',
);

export const noRequest: fc.Arbitrary<Buffer> = fc.oneof(
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

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** The target goes as it is: nothing resolves its dots or escapes what it should not hold. */
export function send(
  port: number,
  { method, target, headers }: { readonly method: string; readonly target: string; readonly headers: Readonly<Record<string, string>> },
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port, method, path: target, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: toHeaders(response.headers), text: Buffer.concat(chunks).toString('utf8') }),
      );
    });
    request.on('error', reject);
    request.end();
  });
}

function toHeaders(headers: IncomingHttpHeaders): Headers {
  return new Headers(Object.entries(headers).flatMap(([name, value]) => [value ?? []].flat().map((one): [string, string] => [name, one])));
}

/** What a server at that port says to these bytes, until it or half a second ends it. */
export function exchange(port: number, bytes: Buffer): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    let text = '';
    socket.setEncoding('utf8');
    socket.setTimeout(500, () => socket.destroy());
    socket.on('data', (chunk: string) => (text += chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(text));
  });
}
