// Questions as people type them: what a search finds, and in which order.
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { searchEntities, searchIndicators, searchSeries } from '../../src/queries/search/search.ts';
import { isLong } from '../suite.ts';
import { openSearched, QUESTIONS, type Searched, seriesOfFixture } from './searched.ts';

const NOW = { asOf: null, at: Date.parse('2026-11-28T00:00:00Z') };

let searched: Searched;
const series = seriesOfFixture();
beforeAll(async () => {
  searched = await openSearched(series);
});
afterAll(() => searched.close());

const find = (q: string, among = series) => searchSeries(searched.snapshot, among, q, NOW);
const found = async (q: string) => (await find(q)).series.map(({ indicatorId }) => indicatorId);
const first = async (q: string, count = 1) => (await found(q)).slice(0, count);

describe('a question', () => {
  it('finds the right indicator first or second, for 95 of 100', async () => {
    const missed: string[] = [];
    for (const { question, answers } of QUESTIONS) {
      const best = await first(question, 2);
      if (!best.some((id) => answers.includes(id))) missed.push(`${question}: ${best.join(', ')}`);
    }
    expect(QUESTIONS.length).toBeGreaterThanOrEqual(200);
    expect(missed.slice(QUESTIONS.length * 0.05)).toEqual([]);
  });

  it('asks only for series that there are', () => {
    const ids = new Set(series.map(({ indicatorId }) => indicatorId));
    expect(QUESTIONS.filter(({ answers }) => !answers.some((id) => ids.has(id)))).toEqual([]);
    expect(new Set(QUESTIONS.map(({ question }) => question)).size).toBe(QUESTIONS.length);
  });

  it('is the same in other cases, with accents, signs, plurals and another order of its words', async () => {
    const same = [
      ['US unemployment rate', 'unemployment rate, U.S.', 'UNEMPLOYMENT RATES US', 'rate unemployment us', 'us  unemployment-rate'],
      ['policy rate turkey', 'policy rate Türkiye', 'Turkish policy rate', 'tr policy rate', 'TUR policy rate'],
      ['10 year treasury yield', '10y treasury yield', '10-yr treasury yield', 'ten-year treasury yields'],
    ];
    for (const [one = '', ...others] of same)
      for (const other of others) expect([other, (await found(other))[0]]).toEqual([other, (await found(one))[0]]);
  });

  it('accepts a code with or without its signs, and the beginning of a word', async () => {
    expect(await first('FM.D.U2.EUR.4F.KR.DFR.LEV')).toEqual(['ea_ecb_deposit_facility_rate']);
    expect(await first('fmdu2eur4fkrdfrlev')).toEqual(['ea_ecb_deposit_facility_rate']);
    expect(await first('CPIAUC')).toEqual(['us_cpi']);
    expect(await first('088691 positioning')).toEqual(['cftc_088691_cot_positioning_percentile']);
    for (const part of ['unemp', 'unemploy', 'unemployment', 'unemployment r']) expect(await first(part)).toEqual(['us_unemployment_rate']);
  });

  it('about a country finds its own series before those of its regions, and the best known countries first without one', async () => {
    const starts = (await find('us housing starts')).series.map(({ entityId, canonicalId }) => [entityId, canonicalId]);
    expect(starts[0]).toEqual(['us', 'housing_starts']);
    expect(starts.findIndex(([id]) => id === 'us_midwest')).toBeGreaterThan(0);
    const everywhere = (await find('consumer confidence')).series.filter((one) => one.canonicalId === 'consumer_confidence');
    expect([...new Set(everywhere.map(({ entityId }) => entityId))].slice(0, 3)).toEqual(['us', 'ea', 'cn']);
  });

  it('puts the preferred source of an indicator first, and its other sources after close answers', async () => {
    const all = (await find('us cpi')).series;
    expect(all[0]).toMatchObject({ indicatorId: 'us_cpi', sourceId: 'fred' });
    expect(all[1]?.indicatorId).not.toBe('us_cpi');
  });

  it('for a multiple written with a slash finds the multiple first, and no series of Peru or Palestine', async () => {
    for (const [q, canonical] of [
      ['P/E', 'price_to_earnings'],
      ['p/e ratio', 'price_to_earnings'],
      ['P/B', 'price_to_book'],
      ['P/S', 'price_to_sales'],
    ] as const) {
      const { series: all } = await find(q);
      expect([q, all[0]?.canonicalId]).toEqual([q, canonical]);
      expect(all.filter(({ entityId }) => entityId === 'pe' || entityId === 'ps')).toEqual([]);
    }
    expect((await find('Peru')).series[0]?.entityId).toBe('pe');
  });

  it('still finds a part of an identifier or a name, after everything found by words', async () => {
    expect(await found('onfarm_pay')).toEqual(expect.arrayContaining(['us_nonfarm_payrolls']));
    const text = 'ment';
    const having = series.filter((one) => one.indicatorId.includes(text) || one.indicatorName.toLowerCase().includes(text));
    const ids = new Set((await find(text)).series.map(({ seriesNo }) => seriesNo));
    expect(having.length).toBeGreaterThan(100);
    expect(having.filter(({ seriesNo }) => !ids.has(seriesNo))).toEqual([]);
  });
});

describe('a question that nothing answers in full', () => {
  it('finds words with typing errors, and says so', async () => {
    for (const typo of ['unemploymnt', 'unemplyoment', 'unenployment']) {
      const { series: similar, hint } = await find(typo);
      expect([typo, similar[0]?.indicatorId, hint?.message]).toEqual([
        typo,
        'us_unemployment_rate',
        'No exact match. These results have similar words.',
      ]);
    }
    expect((await find('unemployment')).hint).toBeNull();
  });

  it('leaves out a word that nothing has, and names it', async () => {
    const { series: fewer, hint } = await find('german qqzzy truck toll');
    expect([fewer.map(({ indicatorId }) => indicatorId), hint]).toEqual([
      ['de_truck_toll_mileage'],
      { parameter: 'q', message: 'No result has qqzzy. The search left this out.' },
    ]);
  });

  it('finds series with most of its words, and none with fewer', async () => {
    const most = await find('apple stock price oats');
    expect([most.series[0]?.indicatorId, most.series.length > 0]).toEqual(['company_0000320193_price_close', true]);
    for (const q of ['germany nasdaq', 'qqzzy', 'no such thing'])
      expect([q, (await find(q)).series, (await find(q)).hint?.parameter]).toEqual([q, [], 'q']);
  });
});

describe('the order of results', () => {
  const WORDS = [
    'us',
    'german',
    'cpi',
    'rate',
    'inflation',
    'unemployment',
    'gold',
    'cot',
    'consumer',
    'confidence',
    'treasury',
    '10y',
    'price',
    'apple',
    'index',
  ];
  const words = fc.uniqueArray(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 });
  const runs = { numRuns: isLong ? 300 : 40 };
  const SOFT = new Set(['rate', 'index']);

  it('does not depend on the order of the series or of the words', async () => {
    await fc.assert(
      fc.asyncProperty(words, fc.infiniteStream(fc.nat()), async (some, luck) => {
        const q = some.join(' ');
        const other = some.toSorted(() => ((luck.next().value as number) % 2 === 0 ? 1 : -1)).join(' ');
        // Two words that are one without the blank between them (pay rolls) are found together.
        const ids = async (text: string, among = series) =>
          (await find(text, among)).series.map((one) => `${one.indicatorId} ${one.sourceId} ${one.frequency}`);
        expect(await ids(q, series.toReversed())).toEqual(await ids(q));
        expect(await ids(other)).toEqual(await ids(q));
      }),
      runs,
    );
  });

  it('only loses results to a further word', async () => {
    await fc.assert(
      fc.asyncProperty(words, fc.constantFrom(...WORDS), async (some, more) => {
        const [before, after] = [await find(some.join(' ')), await find([...some, more].join(' '))];
        if (after.hint !== null || some.every((word) => SOFT.has(word))) return;
        const known = new Set(before.series.map(({ seriesNo }) => seriesNo));
        expect(after.series.filter(({ seriesNo }) => !known.has(seriesNo))).toEqual([]);
      }),
      runs,
    );
  });

  it('never fails, whatever is asked', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string({ unit: 'grapheme', maxLength: 40 }), fc.string({ maxLength: 200 })), async (q) => {
        const { series: some, named } = await find(q);
        expect(some.length).toBeLessThanOrEqual(named.length);
        expect(new Set(some).size).toBe(some.length);
      }),
      runs,
    );
  });
});

describe('canonical indicators', () => {
  it('come in the order of their best series, each once, then those without one', async () => {
    const { ids } = await searchIndicators(searched.snapshot, 'inflation', NOW);
    expect(ids[0]).toBe('cpi_inflation_yoy');
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toContain('hicp_inflation_yoy');
    expect(ids.indexOf('hicp_inflation_yoy')).toBeGreaterThan(ids.indexOf('cpi_inflation_annual'));
    expect((await searchIndicators(searched.snapshot, 'german truck toll', NOW)).ids).toEqual(['truck_toll_mileage']);
  });
});

describe('entities', () => {
  const entities = async (q: string, entityType: string | null = null) =>
    (await searchEntities(searched.snapshot, q, { ...NOW, entityType })).ids;

  it('are found by names, codes and usual names, the plainest first', async () => {
    const expected = {
      usa: 'us',
      german: 'de',
      'south korea': 'kr',
      eurozone: 'ea',
      AAPL: 'company_0000320193',
      apple: 'company_0000320193',
      google: 'company_0001652044',
      gold: 'commodity_gold',
      'crude oil': 'commodity_wti',
      yen: 'cur_jpy',
      ecb: 'cb_ecb',
      germny: 'de',
    };
    for (const [q, id] of Object.entries(expected)) expect([q, (await entities(q))[0]]).toEqual([q, id]);
  });

  it('are only of the requested type', async () => {
    expect((await entities('gold', 'futures_contract'))[0]).toBe('cftc_088691');
    expect((await entities('united', 'country')).slice(0, 2)).toEqual(['us', 'gb']);
  });
});
