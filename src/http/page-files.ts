// Files for people: a fixed list in memory, so that no path of a visitor reaches a disk.
import type { IncomingMessage, ServerResponse } from 'node:http';
import Negotiator from 'negotiator';
import { codingFor, etag, matchedEtag } from './answer/conditional.ts';

export interface PageFile {
  readonly contentType: string;
  readonly body: Buffer;
  readonly gzip: Buffer;
  /** Hash of the body. */
  readonly tag: string;
  /** Parameters that its address may have. Its script reads them. Default: none. */
  readonly parameters?: readonly string[];
  /** Origins whose pages may show it in a frame. Default: none. */
  readonly frameAncestors?: readonly string[];
  /** True if its address names the release, so that it never changes. */
  readonly isOfRelease?: boolean;
}

/** By path. */
export type PageFiles = ReadonlyMap<string, PageFile>;

const policyFor = (frameAncestors: readonly string[]): string =>
  `default-src 'self'; img-src 'self' data:; frame-ancestors ${frameAncestors.join(' ')}; base-uri 'none'; form-action 'none'`;

const PAGE_HEADERS = Object.entries({
  'content-security-policy': policyFor(["'none'"]),
  // The browser revalidates a page by its tag.
  'cache-control': 'no-cache',
});
/** For modules and styles. A page asks for dozens of them, and each request counts. */
const OF_RELEASE = 'public, max-age=31536000, immutable';

/** The address of the page about an unknown address. */
export const MISSING = '/pages/not-found.html';

/** The page of an address. The start page is only for clients that prefer HTML to JSON. */
export function pageAt(pages: PageFiles | null, path: string, accept: string | undefined): PageFile | null {
  if (pages === null || (path === '/' && !prefersHtml(accept))) return null;
  return pages.get(path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path) ?? null;
}

function prefersHtml(accept: string | undefined): boolean {
  if (accept === undefined) return false;
  return new Negotiator({ headers: { accept } }).mediaType(['application/json', 'text/html']) === 'text/html';
}

/** For a browser at an address that nothing has. Null for every other client, which gets the error as JSON. */
export function missingPage(pages: PageFiles | null, { method, headers }: IncomingMessage): PageFile | null {
  const isRead = method === 'GET' || method === 'HEAD';
  return isRead && prefersHtml(headers.accept) ? (pages?.get(MISSING) ?? null) : null;
}

export function sendMissing({ contentType, body }: PageFile, response: ServerResponse): void {
  for (const [name, value] of PAGE_HEADERS) response.setHeader(name, value);
  response.setHeader('vary', 'Accept');
  response.setHeader('content-type', contentType);
  response.setHeader('content-length', body.length);
  response.writeHead(404).end(body);
}

export function sendPage(file: PageFile, request: IncomingMessage, response: ServerResponse): void {
  for (const [name, value] of PAGE_HEADERS) response.setHeader(name, value);
  if (file.isOfRelease === true) response.setHeader('cache-control', OF_RELEASE);
  if (file.frameAncestors !== undefined) {
    response.setHeader('content-security-policy', policyFor(file.frameAncestors));
    // This header knows no list of origins.
    response.removeHeader('x-frame-options');
  }
  response.setHeader('vary', 'Accept, Accept-Encoding');
  const coding = codingFor(request.headers['accept-encoding']?.toString());
  const held = matchedEtag(request.headers['if-none-match'], file.tag, coding, coding);
  response.setHeader('etag', held ?? etag(file.tag, coding));
  if (held !== null) {
    response.writeHead(304).end();
    return;
  }
  const bytes = coding === 'gzip' ? file.gzip : file.body;
  if (coding === 'gzip') response.setHeader('content-encoding', 'gzip');
  response.setHeader('content-type', file.contentType);
  response.setHeader('content-length', bytes.length);
  response.writeHead(200).end(bytes);
}
