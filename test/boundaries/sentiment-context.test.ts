// The context rules that reverse, weaken or cancel a hit (docs/reference/methods.md#central-bank-sentiment), each just inside and just outside its reach.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Lexicon, type LexiconContext, prepareScorer, scoreText, stanceOfSentence } from '../../src/stats/sentiment.ts';

const CONTEXT: LexiconContext = {
  compounds: ['inflation targeting', '(?:low )?inflation objectives?'],
  asides: ['^although\\b[^,;]*,', '\\bif\\b[^,;]*', '\\bwhether\\b[^,;]*'],
  farNegation: { window: 5, phrases: ['few signs'] },
  limiters: { window: 2, phrases: ['only gradually'] },
  receding: { window: 4, words: ['diminished'] },
  transitory: ['transitory'],
  abroad: ['china', 'abroad'],
  homes: { bank_a: ['atlantis', 'a.t'], bank_b: ['bohemia'] },
};
const LEXICON: Lexicon = {
  thresholds: { hawkish: 0.15, dovish: -0.15, minimumHits: 3 },
  negation: { window: 3, words: ['not'] },
  pairWindow: 6,
  carriers: [],
  abbreviations: [],
  boilerplate: [],
  nouns: {
    prices: { polarity: 1, improvement: -1, terms: ['inflation'] },
    activity: { polarity: 1, improvement: 1, terms: ['demand'] },
    slack: { polarity: -1, improvement: 1, terms: ['unemployment'] },
  },
  modifiers: { up: ['rose', 'low', 'diminished'], down: ['fell', 'decline'], better: ['improved'], worse: ['worsened'] },
  phrases: [
    { phrase: 'downside risks', weight: -1 },
    { phrase: 'tight', weight: 1 },
  ],
};
const scorer = prepareScorer({ ...LEXICON, context: CONTEXT });
const hits = (text: string, bank: string | null = null) =>
  scoreText(scorer, text, bank).hits.map(({ phrase, weight }) => `${phrase} ${weight}`);

describe('a hit', () => {
  it.each([
    ['inflation improved', ['inflation + improved -1']],
    ['demand improved', ['demand + improved 1']],
    ['unemployment improved', ['unemployment + improved 1']],
    ['unemployment worsened', ['unemployment + worsened -1']],
    ['inflation worsened', ['inflation + worsened 1']],
  ])('of an improvement takes the sign of the subject: %s', (text, expected) => {
    expect(hits(text)).toEqual(expected);
  });

  it.each([
    ['the low inflation objective', []],
    ['the low inflation', ['inflation + low 1']],
    ['inflation targeting fell', []],
    // A compound is what the modifier speaks of, not the noun behind it.
    ['demand and inflation targeting fell', []],
  ])('is ignored in a goal or compound term: %s', (text, expected) => {
    expect(hits(text)).toEqual(expected);
  });

  it.each([
    ['although inflation rose, demand fell', ['demand + fell -1']],
    ['demand fell although inflation rose, which', ['demand + fell -1', 'inflation + rose 1']],
    ['demand fell if inflation rose', ['demand + fell -1']],
    ['we ask whether inflation rose, and demand fell', ['demand + fell -1']],
  ])('is ignored in a clause that states nothing: %s', (text, expected) => {
    expect(hits(text)).toEqual(expected);
  });

  it.each([
    ['few signs that a b fell inflation', ['not inflation + fell 1']],
    ['few signs that a b c fell inflation', ['inflation + fell -1']],
    ['few signs; fell inflation', ['inflation + fell -1']],
    // Two negations are one.
    ['few signs not tight', ['not tight -1']],
  ])('is reversed by a more distant negation within its reach and clause: %s', (text, expected) => {
    expect(hits(text)).toEqual(expected);
  });

  it.each([
    ['unemployment fell only gradually', ['not unemployment + fell -1']],
    ['unemployment only gradually fell', ['not unemployment + fell -1']],
    ['unemployment fell x only gradually', ['unemployment + fell 1']],
    ['unemployment only gradually x fell', ['unemployment + fell 1']],
    ['unemployment fell; only gradually', ['unemployment + fell 1']],
    ['tight only gradually', ['tight 1']],
  ])('with a modifier is reversed by a limiter next to it: %s', (text, expected) => {
    expect(hits(text)).toEqual(expected);
  });

  it.each([
    ['downside risks a b c diminished', ['downside risks 1']],
    ['downside risks a b c d diminished', ['downside risks -1']],
    ['downside risks; diminished', ['downside risks -1']],
    ['downside risks to demand diminished', ['downside risks 1']],
    ['tight demand diminished', ['tight 1', 'demand + diminished 1']],
  ])('of risks is reversed if they recede: %s', (text, expected) => {
    expect(hits(text)).toEqual(expected);
  });

  it('of prices is ignored if it is transitory; other ones are not', () => {
    expect(hits('transitory: inflation rose, demand rose')).toEqual(['demand + rose 1']);
    expect(hits('transitory: inflation rose. Inflation rose')).toEqual(['inflation + rose 1']);
  });
});

describe('a sentence about another place', () => {
  it.each([
    ['demand rose in china', null, 0],
    ['demand rose in bohemia', null, 1],
    ['demand rose in bohemia', 'bank_b', 1],
    ['demand rose in bohemia', 'bank_a', 0],
    ['demand rose in atlantis and bohemia', 'bank_a', 1],
    ['demand rose in bohemia and atlantis', 'bank_a', 0],
    ['demand rose in bohemia and china', null, 1],
    ['demand rose in chinatown', null, 1],
    // A point is a point.
    ['demand rose in a.t', 'bank_b', 0],
    ['demand rose in axt', 'bank_b', 1],
    ['demand rose', 'bank_c', 1],
    ['demand rose in bohemia', 'bank_c', 0],
  ])('%o of %s has %i hits', (text, bank, count) => {
    expect(hits(text, bank)).toHaveLength(count);
  });

  it('still counts its words', () => {
    expect(scoreText(scorer, 'demand rose in china').tokenCount).toBe(4);
  });
});

it('a lexicon without a context scores as before', () => {
  const plain = prepareScorer(LEXICON);
  for (const [text, count] of [
    ['demand rose in china', 1],
    ['although inflation rose, demand fell', 2],
    ['unemployment fell only gradually', 1],
    ['transitory: inflation rose', 1],
  ] as const)
    expect(scoreText(plain, text, 'bank_a').hits).toHaveLength(count);
});

describe('the lexicon 2.0.0', () => {
  const lexicon = JSON.parse(readFileSync(new URL('../../data/reference/cb_lexicon/2.0.0.json', import.meta.url), 'utf8')) as Lexicon;
  const prepared = prepareScorer(lexicon);

  it('has each term once, in lower case', () => {
    const { up, down, better = [], worse = [] } = lexicon.modifiers;
    const words = [
      ...lexicon.phrases.map(({ phrase }) => phrase),
      ...Object.values(lexicon.nouns).flatMap(({ terms }) => terms),
      ...up,
      ...down,
      ...better,
      ...worse,
    ];
    expect(words.filter((word) => word !== word.toLowerCase().normalize('NFKC').trim())).toEqual([]);
    expect(words.filter((word, index) => words.indexOf(word) !== index)).toEqual([]);
  });

  // Invented sentences, one and more for each kind of error of the lexicon before it.
  it.each([
    ['The Committee remains committed to its low inflation objective.', null, 'neutral'],
    ['Policy will promote maximum employment and price stability.', null, 'neutral'],
    ['Monetary policy works with lags at the effective lower bound.', null, 'neutral'],
    ['Members saw very few indications that wage pressures were easing.', null, 'hawkish'],
    ['There was no evidence that underlying inflation had declined.', null, 'hawkish'],
    ['The unemployment rate is expected to decline only gradually.', null, 'dovish'],
    ['Employment is still considerably short of its maximum level.', null, 'dovish'],
    ['Officials discussed how much further progress would be required before a change of stance.', null, 'neutral'],
    ['If inflation were to rise, the Committee would respond.', null, 'neutral'],
    ['Labor productivity growth has picked up.', null, 'neutral'],
    ['Growth in China has slowed sharply.', null, 'neutral'],
    ['Inflation in the United States has risen.', 'cb_boe', 'neutral'],
    ['Inflation in the United States has risen.', 'cb_fed', 'hawkish'],
    ['The rise in inflation is expected to be transitory.', null, 'neutral'],
    ['Downside risks to the outlook have diminished.', null, 'hawkish'],
    ['Core inflation has improved over the year.', null, 'dovish'],
    ['Employment increased at a slower pace in the spring.', null, 'dovish'],
    ['Uncertainty about the inflation outlook has increased.', null, 'neutral'],
    ['Inflation remains far too high.', null, 'hawkish'],
    ['Economic activity has weakened.', null, 'dovish'],
  ])('scores %o of %s as %s', (sentence, bank, stance) => {
    expect(stanceOfSentence(prepared, sentence, bank)).toBe(stance);
  });
});
