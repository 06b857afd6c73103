// Long work in parts: whatever else the process has to do comes between them, however many answers are made at once.
import { setImmediate as immediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inTurns, mapInTurns, timeTurns } from '../../src/db/turns.ts';

const rows = (count: number) => Array.from({ length: count }, (_, index) => index);

/** How many parts were made each time the event loop came round. */
async function partsPerRound(answers: readonly Promise<unknown>[], parts: () => number): Promise<readonly number[]> {
  const perRound: number[] = [];
  const all = { areMade: false };
  const made = Promise.all(answers).then(() => (all.areMade = true));
  while (!all.areMade) {
    const before = parts();
    await immediate();
    perRound.push(parts() - before);
  }
  await made;
  return perRound;
}

describe('work in turns', () => {
  // A service of another test may have set a clock.
  beforeEach(() => timeTurns(null));
  afterEach(() => timeTurns(null));

  it('runs one part per round of the event loop, for one answer or for five', async () => {
    for (const count of [1, 5]) {
      let parts = 0;
      const answers = rows(count).map(async () => {
        for await (const part of inTurns(rows(1000), 100)) parts += part.length / 100;
      });
      expect(Math.max(...(await partsPerRound(answers, () => parts)))).toBe(1);
      expect(parts).toBe(10 * count);
    }
  });

  it('runs parts for five milliseconds per round if it has a clock, and at least one', async () => {
    for (const [took, perRound] of [
      [1, 5],
      [2, 3],
      [50, 1],
    ] as const) {
      let [parts, time] = [0, 0];
      timeTurns(() => time);
      const answers = rows(4).map(async () => {
        for await (const part of inTurns(rows(1000), 100)) {
          parts += part.length / 100;
          time += took;
        }
      });
      expect(Math.max(...(await partsPerRound(answers, () => parts)))).toBe(perRound);
      expect(parts).toBe(40);
    }
  });

  it('alternates between answers, so none waits for the whole of another', async () => {
    const order: string[] = [];
    const answer = async (name: string, size: number) => {
      for await (const part of inTurns(rows(size), 10)) order.push(`${name}${part[0]}`);
    };
    await Promise.all([answer('a', 30), answer('b', 20)]);
    expect(order).toEqual(['a0', 'b0', 'a10', 'b10', 'a20']);
  });

  it('returns all rows in order, a few at a time', async () => {
    expect(await mapInTurns(rows(1203), (part) => part.map((row) => row * 2))).toEqual(rows(1203).map((row) => row * 2));
    const few: number[] = [];
    for await (const part of inTurns(rows(3), 10)) few.push(...part);
    expect(few).toEqual([0, 1, 2]);
  });
});
