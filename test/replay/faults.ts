// What publishers do wrong, around what they should answer.
import { gzipSync } from 'node:zlib';
import type { Answering, Served } from './server.ts';

/** The first so many requests end otherwise. */
export function first(times: number, fault: Served, then: Answering): Answering {
  return (asked) => (asked.before < times ? fault : then(asked));
}

export const status = (code: number, headers: Readonly<Record<string, string>> = {}, body = ''): Served => ({
  status: code,
  headers: { 'content-type': 'text/plain', ...headers },
  body,
});

/** A page where a file should be, as if all were well. */
export const page200 = (title: string): Served => ({
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: `<!DOCTYPE html><html><head><title>x</title></head><body><h1>${title}</h1></body></html>`,
});

export const redirect = (to: string, code = 301): Served => status(code, { location: to });

export const cut = (served: Served, after: number): Served => ({ ...served, cutAfter: after });

/** So many zero bytes, packed small. */
export const gzipBomb = (megabytes: number): Served => ({
  headers: { 'content-type': 'text/csv', 'content-encoding': 'gzip' },
  body: gzipSync(Buffer.alloc(megabytes * 1024 * 1024)),
});

/** 403 for callers without a contact. */
export function declared(then: Answering): Answering {
  return (asked) =>
    /\S+@\S+\.\S+/.test(asked.headers['user-agent'] ?? '')
      ? then(asked)
      : { status: 403, headers: { 'content-type': 'text/html' }, body: '<html><body>Undeclared Automated Tool</body></html>' };
}
