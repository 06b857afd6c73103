// The bar of long work.
import { expect, it } from 'vitest';
import { placeOf, progressText } from '../../jobs/reporting/progress.ts';
import { byBytes } from '../../jobs/reading-order.ts';

const place = { detail: 'fred', done: 2, total: 8, milliseconds: 0 };
const filled = (text: string) => text.split('#').length - 1;

it('fills as the work advances, and is never full before it is done', () => {
  const shares = [0, 1, 4, 7, 8].map((done) => filled(progressText({ ...place, done })));
  expect(shares).toEqual([0, 3, 15, 26, 29]);
  expect(progressText({ ...place, done: 9, total: 0 })).toBe(`[${'#'.repeat(29)} ] fred 9/0`);
});

it('shows the number of the source out of all, and fills by sources', () => {
  expect(progressText({ ...place, source: { number: 3, of: 10 } })).toBe(`[${'#'.repeat(6)}${' '.repeat(24)}] source 3 of 10: fred 2/8`);
  expect(filled(progressText({ ...place, done: 8, source: { number: 10, of: 10 } }))).toBe(29);
  expect(placeOf([{ id: 'fred' }, { id: 'sec' }], 'sec')).toEqual({ number: 2, of: 2 });
});

it('shows the time left at the present rate, once that can be estimated', () => {
  const left = (milliseconds: number, more = {}) => /about .* left/.exec(progressText({ ...place, milliseconds, ...more }))?.[0];
  expect([left(2999), left(20_000), left(400_000)]).toEqual([undefined, 'about 60 s left', 'about 20 min left']);
  expect(left(20_000, { done: 0 })).toBeUndefined();
  expect(left(20_000, { done: 8 })).toBeUndefined();
  // Half of the third of four sources: 62.5 % in 50 s.
  expect(left(50_000, { done: 4, source: { number: 3, of: 4 } })).toBe('about 30 s left');
});

it('shows the time left that the step knows, and none if it is unknown', () => {
  const left = (known: number | null) => progressText({ ...place, milliseconds: 20_000, left: known });
  expect(left(200_000)).toMatch(/ fred 2\/8, about 4 min left$/);
  expect(left(null)).toMatch(/ fred 2\/8$/);
  expect(progressText({ ...place, done: 2.5, left: null })).toMatch(/ fred 2\/8$/);
});

it('fills by the bytes of all sources: a small source predicts little about a large one', () => {
  let at = 0;
  const left: (number | null)[] = [];
  const onReading = byBytes(
    ['small', 'large'],
    [1000, 9000],
    () => at,
    (_source, _done, _total, milliseconds) => left.push(milliseconds),
  );
  onReading('small', 0, 1, 0);
  at = 10_000;
  onReading('small', 1, 1, 1000);
  at = 50_000;
  onReading('large', 1, 2, 4000);
  // A source that is read again takes no more than its share.
  onReading('large', 2, 2, 12_000);
  expect(left).toEqual([null, 90_000, 50_000, null]);
});
