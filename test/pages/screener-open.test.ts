// The screen with which the screener opens: a ready one that has rows.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';

interface Params {
  readonly universe: string;
  readonly filter: string;
  readonly eligible_only?: string;
}
interface Opening {
  readonly openingScreen: (
    asked: { readonly universe?: string; readonly eligible_only?: string },
    matchedOf: (params: Params) => Promise<number>,
  ) => Promise<Params | null>;
  readonly insteadOfFirst: (
    opened: { readonly filter: string } | null,
    asked: { readonly universe?: string; readonly as_of?: string },
  ) => string | null;
}

describe('the screener opens', async () => {
  const { openingScreen, insteadOfFirst } = (await import(
    pathToFileURL(join(import.meta.dirname, '../../src/pages/static/screener/then.js')).href
  )) as Opening;
  /** `matches`: how many rows the screen of each field has; `[eligible, with stale ones]`. */
  const opened = async (matches: Readonly<Record<string, readonly [number, number]>>, asked = {}) => {
    const questions: string[] = [];
    const found = await openingScreen(asked, ({ filter, eligible_only }) => {
      const [field = ''] = filter.split(/[@:]/);
      questions.push(`${field} ${eligible_only ?? 'true'}`);
      return Promise.resolve(matches[field]?.[eligible_only === 'false' ? 1 : 0] ?? 0);
    });
    return { found: found === null ? null : [found.filter.split(/[@:]/)[0], found.eligible_only], questions };
  };

  it('with the first ready screen if that has rows, and asks for no other', async () => {
    expect(await opened({ cpi_inflation_yoy: [7, 7], unemployment_rate: [9, 9] })).toEqual({
      found: ['cpi_inflation_yoy', undefined],
      questions: ['cpi_inflation_yoy true'],
    });
  });

  it('with the next one if the first has none or hardly any', async () => {
    expect((await opened({ cpi_inflation_yoy: [1, 1], economic_sentiment: [4, 4] })).found).toEqual(['economic_sentiment', undefined]);
  });

  it('with stale rows only if no screen has other ones', async () => {
    expect((await opened({ cpi_inflation_yoy: [0, 8], cot_positioning_percentile: [3, 3] })).found).toEqual([
      'cot_positioning_percentile',
      undefined,
    ]);
    expect((await opened({ economic_sentiment: [0, 22] })).found).toEqual(['economic_sentiment', 'false']);
    expect((await opened({ unemployment_rate: [0, 1], price_to_earnings: [0, 2] })).found).toEqual(['price_to_earnings', 'false']);
  });

  it('within the universe of the address', async () => {
    const { found, questions } = await opened({ cpi_inflation_yoy: [9, 9], price_to_earnings: [5, 5] }, { universe: 'companies' });
    expect([found, questions]).toEqual([['price_to_earnings', undefined], ['price_to_earnings true']]);
    expect((await opened({ cpi_inflation_yoy: [0, 9] }, { eligible_only: 'false' })).questions).toEqual(['cpi_inflation_yoy false']);
  });

  it('with a word about it if that is not the first ready one', () => {
    const unemployment = 'unemployment_rate@chg12:gt:0';
    expect(insteadOfFirst({ filter: unemployment }, { as_of: '2020-05-15' })).toBe(
      '“Inflation above 3 %” has hardly any rows as of 2020-05-15, so you see “Unemployment up in a year”.',
    );
    expect(insteadOfFirst({ filter: unemployment }, {})).toMatch(/ hardly any rows, so you see /);
    const first = [{ filter: 'cpi_inflation_yoy:gt:3' }, { filter: 'price_to_earnings:gt:0' }];
    expect([insteadOfFirst(first[0] ?? null, {}), insteadOfFirst(first[1] ?? null, { universe: 'companies' })]).toEqual([null, null]);
    expect(insteadOfFirst(null, {})).toBeNull();
  });

  it('with none if there are no rows at all', async () => {
    expect((await opened({})).found).toBe(null);
  });
});

describe('the heads of a screen of several pages', async () => {
  const { rankedOnly, sortOfRanking, rankingOfSort } = (await import(
    pathToFileURL(join(import.meta.dirname, '../../src/pages/static/screener/then.js')).href
  )) as {
    readonly rankedOnly: (
      columns: readonly { readonly id: string; readonly isRank?: boolean }[],
    ) => readonly { readonly isUnordered: boolean }[];
    readonly sortOfRanking: (ranking?: string) => string;
    readonly rankingOfSort: (sort: string) => string;
  };

  it('order the table by the first field of the ranking, the largest first if it has no direction', () => {
    expect(['cpi@yoy:asc,policy_rate', 'cpi:desc', ' cpi', '', undefined].map(sortOfRanking)).toEqual(['cpi@yoy', '-cpi', '-cpi', '', '']);
  });

  it('ask the service for another ranking', () => {
    expect(['-cpi@yoy', 'cpi', ''].map(rankingOfSort)).toEqual(['cpi@yoy:desc', 'cpi:asc', '']);
    for (const sort of ['-cpi@yoy', 'cpi', '']) expect(sortOfRanking(rankingOfSort(sort))).toBe(sort);
  });

  it('are those of numbers that the service can rank', () => {
    const columns = [{ id: 'name' }, { id: 'cpi', isRank: true }, { id: 'cpi.period' }];
    expect(rankedOnly(columns).map(({ isUnordered }) => isUnordered)).toEqual([true, false, true]);
  });
});
