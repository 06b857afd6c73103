// A screen as of a day that nobody matches. Its hint names the first vintage only if nothing was known on that day.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../src/http/route.ts';
import type { Snapshot } from '../../src/queries/snapshot.ts';
import { publicScreener } from '../../src/routes/screener.ts';
import { openRelations, type Relations } from '../boundaries/by-hand/tables.ts';
import { drawLake, luckOf } from './draws.ts';
import { createScreened, type ScreenedLake, snapshotOf } from './screens-by-hand.ts';

describe('a screen without matches', () => {
  let relations: Relations;
  let lake: ScreenedLake;
  let snapshot: Snapshot;
  let asked = 0;
  beforeAll(async () => {
    relations = await openRelations();
    lake = drawLake(luckOf(15));
    await createScreened(relations, lake);
    await relations.table(
      'published.canonical_indicators',
      'canonical_id varchar, name varchar, unit varchar, entity_types varchar[], is_screenable boolean',
      [...new Set(lake.series.map(({ canonicalId }) => canonicalId))].map((canonicalId) => ({
        canonicalId,
        name: canonicalId,
        unit: 'percent',
        entityTypes: ['country'],
        isScreenable: true,
      })),
    );
    snapshot = counted(snapshotOf(relations, lake));
  });
  afterAll(() => relations.close());

  const counted = (own: Snapshot): Snapshot => ({
    ...own,
    withConnection: (use) => {
      asked += 1;
      return own.withConnection(use);
    },
  });

  /** The answer, and how often it asked the engine. */
  const screened = async (filter: string, asOf: string) => {
    asked = 0;
    const context = { snapshot, now: Date.parse(lake.knowledgeCutoff), historyFrom: null } as unknown as Context<Snapshot>;
    const bounds = { limit: 5, after: null };
    const query = { universe: 'entities', filter, as_of: asOf, eligible_only: false };
    const page = { ...bounds, sort: 'rank', order: 'asc', answer: bounds, isBulk: false } as const;
    const { rows, meta } = await publicScreener.list(query, page, context, {});
    return { rows: rows.length, hints: meta?.['hints'], asked };
  };

  it('asks the engine no more often than one with matches, if values were known', async () => {
    const asOf = '2021-06-30T23:59:59.999Z';
    // The first screen of a snapshot also asks for its fields and entities.
    await screened('alpha:is:notnull', asOf);
    const full = await screened('alpha:is:notnull', asOf);
    const empty = await screened('alpha:gt:1000000', asOf);
    expect([full.rows > 0, empty.rows, empty.hints]).toEqual([true, 0, undefined]);
    expect(empty.asked).toBe(full.asked);
  });

  it('names the moment of the first vintage, if nothing was known', async () => {
    const own = new Set(
      lake.series.filter(({ canonicalId, rights }) => canonicalId === 'alpha' && rights.redistributable).map(({ seriesNo }) => seriesNo),
    );
    const [first] = lake.prints
      .filter(({ seriesNo }) => own.has(seriesNo))
      .map(({ observedAt }) => observedAt)
      .toSorted();
    const { hints } = await screened('alpha:is:notnull', '2018-01-01T00:00:00.000Z');
    expect(hints).toMatchObject([{ parameter: 'as_of', nearest: first }]);
  });
});
