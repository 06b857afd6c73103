// A file that has had several addresses: they are tried in order, and the ledger records which one answered.
import type { Answer, Plan, Request } from './feed.ts';

/** @param requests of the same file, the likeliest address first; the last one alone may fail the plan */
export function* firstOf(requests: readonly Request[]): Plan {
  for (const [index, request] of requests.entries()) {
    const isLast = index === requests.length - 1;
    const answer: Answer = yield isLast ? request : { ...request, dueBy: '9999-12-31' };
    if (answer.kind === 'new' || answer.kind === 'same') return;
  }
}
