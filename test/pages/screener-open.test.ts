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

  it('with the screen that has the most rows, if all have hardly any; of equal screens, the first', async () => {
    const opens = async (first: number, other: number) =>
      (await opened({ cpi_inflation_yoy: [first, first], price_to_earnings: [other, other] })).found;
    expect(await opens(2, 1)).toEqual(['cpi_inflation_yoy', undefined]);
    expect(await opens(1, 1)).toEqual(['cpi_inflation_yoy', undefined]);
    expect(await opens(1, 2)).toEqual(['price_to_earnings', undefined]);
  });

  it('with none if there are no rows at all', async () => {
    expect((await opened({})).found).toBe(null);
  });
});

describe('a ready screen under an as-of', async () => {
  const { fullerScreen, readyOf, READY } = (await import(
    pathToFileURL(join(import.meta.dirname, '../../src/pages/static/screener/then.js')).href
  )) as {
    readonly READY: readonly { readonly id: string; readonly params: Params }[];
    readonly readyOf: (params: object) => { readonly id: string } | undefined;
    readonly fullerScreen: (
      id: string,
      asked: { readonly eligible_only?: string },
      matchedOf: (params: Params) => Promise<number>,
    ) => Promise<{ readonly isFull: boolean; readonly matched: number; readonly fuller: { readonly label: string } | null }>;
  };
  /** `matches`: how many rows the screen of each field has. */
  const fuller = async (matches: Readonly<Record<string, number>>) => {
    const asked: string[] = [];
    const found = await fullerScreen('inflation', {}, ({ filter }) => {
      asked.push(filter.split(/[@:]/)[0] ?? '');
      return Promise.resolve(matches[asked.at(-1) ?? ''] ?? 0);
    });
    return { found, asked };
  };

  it('is full with enough rows, and then no other is asked for', async () => {
    expect(await fuller({ cpi_inflation_yoy: 3, unemployment_rate: 9 })).toEqual({
      found: { isFull: true, matched: 3, fuller: null },
      asked: ['cpi_inflation_yoy'],
    });
  });

  it('that has hardly any rows is offered beside the next one with enough, or the one with the most', async () => {
    const found = async (matches: Readonly<Record<string, number>>) => (await fuller(matches)).found.fuller?.label ?? null;
    expect(await found({ cpi_inflation_yoy: 1, unemployment_rate: 2, economic_sentiment: 5, price_to_earnings: 9 })).toBe(
      'Economic sentiment below its mean',
    );
    expect(await found({ price_to_earnings: 1 })).toBe('Companies by P/E');
    expect(await found({ cpi_inflation_yoy: 1, price_to_earnings: 1 })).toBeNull();
  });

  it('is recognised by its parameters, with stale rows or without', () => {
    const params = READY[0]?.params ?? {};
    expect(readyOf({ ...params, as_of: '2024-11-30' })?.id).toBe('inflation');
    expect(readyOf({ ...params, eligible_only: 'false' })?.id).toBe('inflation');
    expect(readyOf({ ...params, filter: 'cpi_inflation_yoy:gt:2' })).toBeUndefined();
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
