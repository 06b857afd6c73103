// Which answers are kept ready, and for how long.
import { describe, expect, it } from 'vitest';
import { type RenderedAnswer, renderedAnswer, responseCache } from '../../src/http/answer/response-cache.ts';

const NOW = Date.parse('2026-11-20T12:00:00.000Z');
const answerOf = (bytes: number): RenderedAnswer => renderedAnswer(Buffer.alloc(bytes), 'tag', 1, NOW);

describe('an answer', () => {
  it('is cached from the second request on', () => {
    const cache = responseCache();
    const [first, second] = [answerOf(10), answerOf(10)];
    cache.set('one', first);
    expect(cache.get('one', NOW)).toBeNull();
    cache.set('one', second);
    expect(cache.get('one', NOW)).toBe(second);
    expect(cache.get('other', NOW)).toBeNull();
  });

  it('is cached ten minutes and no longer, even if the clock goes back', () => {
    const cache = responseCache();
    for (const _ of [1, 2]) cache.set('one', answerOf(10));
    expect(cache.get('one', NOW + 600_000)).not.toBeNull();
    expect(cache.get('one', NOW - 600_000)).not.toBeNull();
    expect(cache.get('one', NOW + 600_001)).toBeNull();
    for (const _ of [1, 2]) cache.set('two', answerOf(10));
    expect(cache.get('two', NOW - 600_001)).toBeNull();
  });

  it('is evicted if others need the room, the least recently used first', () => {
    const cache = responseCache(100_000);
    for (const key of ['one', 'two', 'three', 'one', 'two', 'three']) cache.set(key, answerOf(8000));
    expect(cache.get('one', NOW)).not.toBeNull();
    for (let number = 0; number < 7; number += 1) for (const _ of [1, 2]) cache.set(`more ${number}`, answerOf(8000));
    expect(cache.get('one', NOW)).not.toBeNull();
    expect([cache.get('two', NOW), cache.get('three', NOW)]).toEqual([null, null]);
  });

  it('is not cached if it would take an eighth of the room, or if its question is too long', () => {
    const cache = responseCache(100_000);
    for (const _ of [1, 2]) cache.set('large', answerOf(9500));
    expect(cache.get('large', NOW)).toBeNull();
    const question = 'x'.repeat(4096);
    for (const key of [question, `${question}x`]) for (const _ of [1, 2]) cache.set(key, answerOf(10));
    expect([cache.get(question, NOW) === null, cache.get(`${question}x`, NOW) === null]).toEqual([false, true]);
  });
});
