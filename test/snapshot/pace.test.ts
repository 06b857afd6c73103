// How long a build still takes, by hand: the last build took 2 s, 4 s, 6 s and 8 s for its steps.
import { expect, it } from 'vitest';
import { openPace } from '../../src/snapshot/build/pace.ts';

const STEPS = ['first', 'second', 'forecasts', 'last'];
const BEFORE = { first: 2000, second: 4000, forecasts: 6000, last: 8000 };

function paceOf(before: Readonly<Record<string, number>>) {
  let at = 0;
  const pace = openPace(STEPS, { before: new Map(Object.entries(before)), unforeseen: new Set(['forecasts']), now: () => at });
  return { ...pace, wait: (milliseconds: number) => void (at += milliseconds) };
}

it('is the time of the last build, less the finished part', () => {
  const pace = paceOf(BEFORE);
  expect(pace.left()).toBe(20_000);
  pace.begin('first');
  pace.wait(500);
  expect(pace.left()).toBe(19_500);
  // A step that takes longer than before does not make the rest shorter.
  pace.wait(5000);
  expect(pace.left()).toBe(18_000);
});

it('grows on a machine that is slower today', () => {
  const pace = paceOf(BEFORE);
  pace.begin('first');
  pace.wait(6000);
  pace.begin('second');
  // Three times 4 s, 6 s and 8 s.
  expect(pace.left()).toBe(54_000);
});

it('follows the finished share of the current step', () => {
  const pace = paceOf(BEFORE);
  for (const [step, took] of [
    ['first', 2000],
    ['second', 4000],
  ] as const) {
    pace.begin(step);
    pace.wait(took);
  }
  pace.begin('forecasts');
  pace.wait(30_000);
  expect([pace.left(0.01), pace.left(0.25), pace.left(0.75)]).toEqual([8000, 98_000, 18_000]);
});

it('is unknown in a first build before the computed steps, then the mean of the steps so far', () => {
  const pace = paceOf({});
  pace.begin('first');
  pace.wait(2000);
  pace.begin('second');
  pace.wait(4000);
  expect(pace.left()).toBeNull();
  pace.begin('forecasts');
  pace.wait(10_000);
  expect(pace.left()).toBeNull();
  // 10 s more, and the mean of 2 s and 4 s.
  expect(pace.left(0.5)).toBe(13_000);
  pace.begin('last');
  expect(pace.times()).toEqual({ first: 2000, second: 4000, forecasts: 10_000 });
});
