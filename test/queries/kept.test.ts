// One query for all readers of a snapshot: all of them share its answer, and none is affected by another's failure.
import { expect, it } from 'vitest';
import { askedOnce } from '../../src/queries/kept.ts';
import type { Snapshot } from '../../src/queries/snapshot.ts';

const snapshotOf = (catalogue: object) => ({ catalogue }) as unknown as Snapshot;

it('a cached answer is asked for once per catalogue', async () => {
  let asked = 0;
  const own = askedOnce(() => Promise.resolve((asked += 1)));
  const [one, other] = [snapshotOf({}), snapshotOf({})];
  expect(await Promise.all([own(one), own(one), own(other)])).toEqual([1, 1, 2]);
  expect(await own(one)).toBe(1);
});

it('a cancelled request makes the waiting ones ask again', async () => {
  const ended: ((error: Error) => void)[] = [];
  let asked = 0;
  const own = askedOnce(() => {
    asked += 1;
    return asked === 1 ? new Promise<number>((_, reject) => ended.push(reject)) : Promise.resolve(asked);
  });
  const snapshot = snapshotOf({});
  const answers = Promise.allSettled([own(snapshot), own(snapshot), own(snapshot)]);
  ended[0]?.(new Error('The client disconnected'));
  const [first, ...others] = await answers;
  expect(first?.status).toBe('rejected');
  expect(others).toEqual([
    { status: 'fulfilled', value: 2 },
    { status: 'fulfilled', value: 2 },
  ]);
  expect(asked).toBe(2);
});
