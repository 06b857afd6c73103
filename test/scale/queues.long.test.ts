// The simulator beside what queueing theory says of queues so simple that it can: M/M/1, M/M/c by Erlang's C, processor sharing.
import { describe, expect, it } from 'vitest';
import { lognormalOf, openRandom } from '../../bench/scale/random.ts';
import { openServer } from '../../bench/scale/server.ts';
import { openTimeline } from '../../bench/scale/events.ts';

const NEVER = 1e9;

interface Queue {
  readonly lanes: number;
  readonly cores: number;
  readonly perSecond: number;
  readonly customers: number;
  readonly seed?: number;
}

/** Customers with exponential service of one second on average; returns their times in the system. */
function timesInSystem({ lanes, cores, perSecond, customers, seed = 7 }: Queue): number[] {
  const [timeline, random] = [openTimeline(), openRandom(seed)];
  const server = openServer(timeline, {
    cores,
    lanes: { lookup: lanes, screen: 1, bulk: 1 },
    capacity: { lookup: NEVER, screen: 1, bulk: 1 },
    seconds: { lookup: NEVER, screen: 1, bulk: 1 },
  });
  const times: number[] = [];
  let came = 0;
  const arrive = () => {
    came += 1;
    const began = timeline.now();
    const coreSeconds = random.exponential(1);
    server.take({ queryClass: 'lookup', client: 0, coreSeconds, isKept: false, end: () => times.push(timeline.now() - began) });
    if (came < customers) timeline.in(random.exponential(1 / perSecond), arrive);
  };
  timeline.in(0, arrive);
  timeline.run(NEVER / 10);
  return times;
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const missOf = (found: number, expected: number) => Math.abs(found / expected - 1);

describe('a queue', () => {
  // 1 / (1 - ρ), and -ln(0.01) times that for the 99th percentile of an exponential time.
  it.each([
    [0.5, 2, 9.21],
    [0.8, 5, 23.03],
  ])('of one lane, at ρ = %d, keeps customers as long as M/M/1 predicts', (perSecond, average, p99) => {
    const times = timesInSystem({ lanes: 1, cores: 1, perSecond, customers: 60_000 });
    expect(missOf(mean(times), average)).toBeLessThan(0.06);
    expect(missOf(times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0, p99)).toBeLessThan(0.08);
  });

  // Erlang's C by hand: C(2, 1.6) = (1.28 / 0.2) / (1 + 1.6 + 1.28 / 0.2) = 0.7111; waits C / (c - a) = 1.7778.
  // C(4, 3.2): 3.2^4/4! = 4.36907; / 0.2 = 21.8453; 1 + 3.2 + 5.12 + 5.46133 = 14.78133; C = 0.59643; waits 0.59643 / 0.8 = 0.74554.
  it.each([
    [2, 1.6, 1.7778],
    [4, 3.2, 0.74554],
  ])('of %d lanes with a core each, at %d a second, makes them wait as Erlang C predicts', (lanes, perSecond, waits) => {
    const times = timesInSystem({ lanes, cores: lanes, perSecond, customers: 60_000 });
    expect(missOf(mean(times), 1 + waits)).toBeLessThan(0.05);
  });

  it('with many lanes on one core shares it: M/M/1 by processor sharing', () => {
    expect(missOf(mean(timesInSystem({ lanes: NEVER, cores: 1, perSecond: 0.7, customers: 60_000 })), 1 / 0.3)).toBeLessThan(0.05);
  });
});

describe('a random draw', () => {
  it('starts anywhere, even for small consecutive seeds', () => {
    const first = Array.from({ length: 2000 }, (_, seed) => openRandom(seed).uniform()).toSorted((a, b) => a - b);
    for (const share of [0.1, 0.5, 0.9]) expect(Math.abs((first[2000 * share] ?? 0) - share)).toBeLessThan(0.05);
  });

  it('has the given median and 99th percentile', () => {
    const random = openRandom(3);
    const drawn = Array.from({ length: 100_000 }, () => random.lognormal(lognormalOf(4, 50))).toSorted((a, b) => a - b);
    expect(missOf(drawn[50_000] ?? 0, 4)).toBeLessThan(0.03);
    expect(missOf(drawn[99_000] ?? 0, 50)).toBeLessThan(0.08);
  });

  it('follows the law of Zipf: twice the rank is half as frequent, for an exponent of one', () => {
    const random = openRandom(5);
    const ranks = Array.from({ length: 200_000 }, () => random.zipf(1, 10_000));
    const share = (from: number, to: number) => ranks.filter((rank) => rank + 1 >= from && rank + 1 < to).length / ranks.length;
    // The continuous law gives every doubling the same share: ln 2 / ln 10001.
    for (const from of [1, 2, 16, 1024]) expect(missOf(share(from, 2 * from), Math.log(2) / Math.log(10_001))).toBeLessThan(0.05);
    const sorted = ranks.toSorted((a, b) => a - b);
    expect([sorted[0], (sorted.at(-1) ?? 0) < 10_000]).toEqual([0, true]);
  });
});
