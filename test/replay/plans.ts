// Plans driven by hand: each request is answered by a function, and what was asked is kept.
import type { Answer, Held, Plan, Request } from '../../src/sources/feeds/feed.ts';

export const NOTHING_HELD: Held = { keys: () => [], newest: () => null, askedAt: () => null, lastRelease: () => null };

/** Keys held, each checked at one time. */
export const holding = (checkedAt: string, ...keys: readonly string[]): Held => ({
  keys: (prefix) => keys.filter((key) => key.startsWith(prefix)).toSorted(),
  newest: (key) => (keys.includes(key) ? { retrievedAt: checkedAt, checkedAt } : null),
  askedAt: (key) => (keys.includes(key) ? checkedAt : null),
  lastRelease: () => null,
});

export const answered = (body: string | object, kind: 'new' | 'same' = 'new'): Answer => ({
  kind,
  body: new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body)),
  retrievedAt: '2026-01-01T00:00:00.000Z',
});

export interface Driven {
  readonly requests: readonly Request[];
  readonly bodies: readonly Uint8Array[];
  readonly givenUp: readonly string[];
}

export function drive(plan: Plan, answer: (request: Request) => Answer, most = 1000): Driven {
  const requests: Request[] = [];
  const bodies: Uint8Array[] = [];
  const givenUp: string[] = [];
  for (let step = plan.next(); step.done !== true; ) {
    if ('giveUp' in step.value) {
      givenUp.push(step.value.giveUp);
      step = plan.next({ kind: 'absent' });
      continue;
    }
    requests.push(step.value);
    if (requests.length > most) throw new Error('the plan has no end');
    const reply = answer(step.value);
    if ('body' in reply) bodies.push(reply.body);
    step = plan.next(reply);
  }
  return { requests, bodies, givenUp };
}
