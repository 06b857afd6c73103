// States in memory beside the statement that asks the engine for them, over a lake drawn at random, as of the moments at which something changes.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../src/db/query.ts';
import { type NewestRow, screenerStatesQuery, statesInMemory } from '../../src/queries/reads/states.ts';
import type { Snapshot } from '../../src/queries/snapshot.ts';
import { openRelations, type Relations } from '../boundaries/by-hand/tables.ts';
import { drawLake, luckOf } from '../screener/draws.ts';
import { createScreened, type ScreenedLake, snapshotOf } from '../screener/screens-by-hand.ts';

const INDICATORS = ['alpha', 'beta', 'gamma'] as const;

describe('the states of an indicator in memory', () => {
  let relations: Relations;
  let lake: ScreenedLake;
  beforeAll(async () => {
    relations = await openRelations();
    lake = drawLake(luckOf(15));
    await createScreened(relations, lake);
  });
  afterAll(() => relations.close());

  const askedOf = ({ catalogue }: Snapshot, asOf: string, periodFrom = '0001-01-01') => {
    const indicatorNos = INDICATORS.flatMap((name) => catalogue.byCanonicalId.get(name)?.[0]?.seriesNo ?? []);
    const epoch = asOf === 'infinity' ? Number(lake.knowledgeCutoff.slice(0, 4)) : Number(asOf.slice(0, 4));
    return { indicatorNos, firstNo: Math.min(...indicatorNos), lastNo: Math.max(...indicatorNos), epoch, asOf, periodFrom };
  };
  // Members of a state are made when they are asked for.
  const told = (rows: readonly NewestRow[] | null) =>
    rows
      ?.map((row) => JSON.stringify([row.seriesNo, row.period, row.periodEnd, row.value, row.vintage, row.observedAt, row.retrievedAt]))
      .toSorted();

  it('equal those of the engine at each change, a millisecond before it, at the turn of a year and without a cutoff', async () => {
    const luck = luckOf(3);
    const changes = Array.from({ length: 60 }, () => luck.pick(lake.prints).observedAt);
    const before = changes.map((at) => new Date(Date.parse(at) - 1).toISOString());
    const snapshot = snapshotOf(relations, lake);
    const ended = await relations.rows(`
      select strftime(known_to at time zone 'UTC', '%Y-%m-%dT%H:%M:%S.%gZ') as at from published.states as ends
      where not exists (from published.states as next where next.series_no = ends.series_no and next.known_from = ends.known_to) and known_to is not null`);
    expect(ended.length).toBeGreaterThan(1);
    let rows = 0;
    for (const asOf of [
      ...ended.flatMap(({ at }) => (typeof at === 'string' ? [at] : [])),
      ...changes,
      ...before,
      '2021-12-31T23:59:59.999Z',
      '2022-01-01T00:00:00.000Z',
      'infinity',
    ]) {
      const asked = askedOf(snapshot, asOf, luck.is(0.3) ? luck.pick(lake.prints).periodEnd : undefined);
      const found = await statesInMemory(snapshot, asked);
      expect([asOf, told(found)]).toEqual([asOf, told(await run(snapshot, screenerStatesQuery, asked))]);
      rows += found?.length ?? 0;
    }
    expect(rows).toBeGreaterThan(1000);
  });

  it('are read once for all moments of a year, even by simultaneous questions', async () => {
    const snapshot = snapshotOf(relations, lake);
    let reads = 0;
    const counted: Snapshot = { ...snapshot, withConnection: (use) => snapshot.withConnection((...lent) => ((reads += 1), use(...lent))) };
    const moments = ['2021-02-03T00:00:00.000Z', '2021-08-01T12:00:00.000Z', '2021-11-30T23:59:59.999Z'];
    await Promise.all(moments.map((asOf) => statesInMemory(counted, askedOf(counted, asOf))));
    await statesInMemory(counted, askedOf(counted, '2021-05-05T00:00:00.000Z'));
    expect(reads).toBe(INDICATORS.length);
    await statesInMemory(counted, askedOf(counted, '2022-05-05T00:00:00.000Z'));
    expect(reads).toBe(2 * INDICATORS.length);
  });

  it('are read again by a question that waited for a cancelled one', async () => {
    const snapshot = snapshotOf(relations, lake);
    const asked = askedOf(snapshot, '2021-08-01T12:00:00.000Z');
    const leaving: Snapshot = { ...snapshot, withConnection: () => Promise.reject(new Error('the client has left')) };
    const [left, stayed] = await Promise.allSettled([statesInMemory(leaving, asked), statesInMemory(snapshot, asked)]);
    expect(left).toMatchObject({ status: 'rejected', reason: { message: 'the client has left' } });
    expect(stayed).toMatchObject({ status: 'fulfilled' });
    expect(told(await statesInMemory(snapshot, asked))).toEqual(told(await run(snapshot, screenerStatesQuery, asked)));
  });

  it('are left to the engine if there are too many to cache', async () => {
    const asked = askedOf(snapshotOf(relations, lake), '2021-08-01T12:00:00.000Z');
    const [{ n: most } = { n: 0 }] = await relations.rows(
      `select max(n) as n from (select count(*) as n from published.states where epoch = 2021 and indicator_no in (${asked.indicatorNos.join(', ')}) group by indicator_no)`,
    );
    expect(Number(most)).toBeGreaterThan(1);
    expect(await statesInMemory(snapshotOf(relations, lake), asked, Number(most))).not.toBeNull();
    expect(await statesInMemory(snapshotOf(relations, lake), asked, Number(most) - 1)).toBeNull();
  });
});
