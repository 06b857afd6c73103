// A file that has had several addresses: they are tried in order, and the ledger records which one answered. A page of the publisher may link to where it is now.
import { linksOf } from '../readers/html.ts';
import { type Answer, NEVER_DUE, type Plan, type Request } from './feed.ts';

/** @param requests of the same file, the likeliest address first; the last one alone may fail the plan */
export function* firstOf(requests: readonly Request[]): Plan {
  for (const [index, request] of requests.entries()) {
    const isLast = index === requests.length - 1;
    const answer: Answer = yield isLast ? request : { ...request, dueBy: NEVER_DUE };
    if (answer.kind === 'new' || answer.kind === 'same') return;
  }
}

/**
 * Addresses that a page links to, by the name that the pattern captures, in lower case. Other publishers' are left out.
 * @param pattern matches an address, or its path
 */
export function* linkedFrom(page: Request, pattern: RegExp): Generator<Request, ReadonlyMap<string, string>, Answer> {
  const answer: Answer = yield page;
  if (!('body' in answer)) return new Map();
  const links = linksOf(answer.body, pattern).flatMap(([path, name = '']) => {
    const url = URL.canParse(path, page.url) ? new URL(path, page.url) : null;
    return url !== null && url.protocol === 'https:' && domainOf(url) === domainOf(new URL(page.url))
      ? [[name.toLowerCase(), url.href] as const]
      : [];
  });
  return new Map(links);
}

const domainOf = ({ hostname }: URL): string => hostname.split('.').slice(-2).join('.');
