// The bar of long work.
import { expect, it } from 'vitest';
import { placeOf, progressText } from '../../jobs/progress.ts';

const place = { detail: 'fred', done: 2, total: 8, milliseconds: 0 };
const filled = (text: string) => text.split('#').length - 1;

it('is filled as far as the work is done, and never full while it goes on', () => {
  const shares = [0, 1, 4, 7, 8].map((done) => filled(progressText({ ...place, done })));
  expect(shares).toEqual([0, 3, 15, 26, 29]);
  expect(progressText({ ...place, done: 9, total: 0 })).toBe(`[${'#'.repeat(29)} ] fred 9/0`);
});

it('says at which source of how many it is, and fills by them', () => {
  expect(progressText({ ...place, source: { number: 3, of: 10 } })).toBe(`[${'#'.repeat(6)}${' '.repeat(24)}] source 3 of 10: fred 2/8`);
  expect(filled(progressText({ ...place, done: 8, source: { number: 10, of: 10 } }))).toBe(29);
  expect(placeOf([{ id: 'fred' }, { id: 'sec' }], 'sec')).toEqual({ number: 2, of: 2 });
});

it('says what is left if it goes on as it went, once that can be told', () => {
  const left = (milliseconds: number, more = {}) => /about .* left/.exec(progressText({ ...place, milliseconds, ...more }))?.[0];
  expect([left(2999), left(20_000), left(400_000)]).toEqual([undefined, 'about 60 s left', 'about 20 min left']);
  expect(left(20_000, { done: 0 })).toBeUndefined();
  expect(left(20_000, { done: 8 })).toBeUndefined();
  // Half of the third of four sources: 62.5 % in 50 s.
  expect(left(50_000, { done: 4, source: { number: 3, of: 4 } })).toBe('about 30 s left');
});
