// A file that has had several addresses: they are tried in order, and the ledger records the one that answered. A page of the publisher may link to the present one.
import { linksOf } from '../readers/html.ts';
import { type Answer, NEVER_DUE, type Plan, type Request } from './feed.ts';

/** @param requests for the same file, the likeliest address first; only the last one may fail the plan */
export function* firstOf(requests: readonly Request[]): Plan {
  for (const [index, request] of requests.entries()) {
    const isLast = index === requests.length - 1;
    const answer: Answer = yield isLast ? request : { ...request, dueBy: NEVER_DUE };
    if (answer.kind === 'new' || answer.kind === 'same') return;
  }
}

/**
 * The linked addresses of a page, by the name that the pattern captures, in lower case, without links to other publishers.
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
