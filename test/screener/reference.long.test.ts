// The screen over the states of the series against the slow and obvious one, over lakes and screens drawn at random: rows, order, pages, counts, missing values and ties.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { screen } from '../../src/queries/screener/screener.ts';
import { isLong, isWhole } from '../suite.ts';
import { openRelations, type Relations } from '../boundaries/by-hand/tables.ts';
import { drawLake, drawScreen, luckOf, screenedOf } from './draws.ts';
import { pageOf, referenceScreen, rounded } from './reference.ts';
import { createScreened, snapshotOf } from './screens-by-hand.ts';

const LAKES = isWhole ? 40 : isLong ? 4 : 1;
const SCREENS = isLong ? 250 : 100;

describe('a screen drawn at random', () => {
  let relations: Relations;
  beforeAll(async () => {
    relations = await openRelations();
  });
  afterAll(() => relations.close());

  it.each(Array.from({ length: LAKES }, (_, index) => index + 1))('gives the answer of the reference over lake %i', async (seed) => {
    const luck = luckOf(seed);
    const lake = drawLake(luck);
    await createScreened(relations, lake);
    let rows = 0;
    for (let number = 0; number < SCREENS; number += 1) {
      const { screen: asked, page, grants, text } = drawScreen(luck, screenedOf(luck, lake));
      const snapshot = snapshotOf(relations, lake, grants);
      const { known, ...found } = await screen(snapshot, asked, page);
      const expected = await referenceScreen(snapshot, asked);
      const wanted = { ...pageOf(expected, page), withheld: [] };
      expect(rounded(found), `screen ${number}: ${text}`).toEqual(rounded(wanted));
      const hasValue = found.rows.some(({ values }) => Object.values(values).some(({ observationId }) => observationId !== null));
      // A row with a value is of a known series.
      expect(known.size > 0 || !hasValue, `screen ${number}: ${text}`).toBe(true);
      rows += found.rows.length;
    }
    // Screens that leave nothing would compare nothing.
    expect(rows).toBeGreaterThan(0.8 * SCREENS);
  });
});
