import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Lexicon, prepareScorer, scoreText, splitSentences, stanceOfSentence } from '../../src/stats/sentiment.ts';

const LEXICON: Lexicon = {
  thresholds: { hawkish: 0.15, dovish: -0.15, minimumHits: 3 },
  negation: { window: 3, words: ['not', 'no'] },
  pairWindow: 5,
  carriers: ['remained'],
  abbreviations: ['u.s.'],
  boilerplate: ['^voting for'],
  nouns: {
    prices: { polarity: 1, terms: ['inflation', 'inflation expectations'] },
    slack: { polarity: -1, terms: ['unemployment', 'unemployment rate'] },
    other: { polarity: 0, terms: ['share prices'] },
  },
  modifiers: { up: ['rose', 'high', 'elevated'], down: ['fell', 'eased', 'low'] },
  phrases: [
    { phrase: 'policy firming', weight: 1 },
    { phrase: 'additional policy firming', weight: 2 },
    { phrase: 'accommodative', weight: -1 },
  ],
};
const scorer = prepareScorer(LEXICON);
const phrases = (text: string) => scoreText(scorer, text).hits.map(({ phrase, weight }) => `${phrase} ${weight}`);

describe('the hits of a text', () => {
  it('are nouns with a modifier: a rise of prices is hawkish, of unemployment dovish', () => {
    expect(phrases('Inflation rose. The unemployment rate rose.')).toEqual(['inflation + rose 1', 'unemployment rate + rose -1']);
    expect(phrases('High inflation and low unemployment.')).toEqual(['inflation + high 1', 'unemployment + low 1']);
  });

  it('take the longest phrase and use no word twice', () => {
    expect(phrases('Some additional policy firming may be needed.')).toEqual(['additional policy firming 2']);
    expect(phrases('Inflation expectations eased.')).toEqual(['inflation expectations + eased -1']);
  });

  it('are reversed by a negator within three tokens, in the same clause', () => {
    expect(phrases('Policy is not accommodative.')).toEqual(['not accommodative 1']);
    expect(phrases('Inflation has not yet eased.')).toEqual(['not inflation + eased 1']);
    expect(phrases('It is not, in a word that counts, accommodative.')).toEqual(['accommodative -1']);
    expect(phrases('If not, accommodative.')).toEqual(['accommodative -1']);
  });

  it('do not pair across sentences, a semicolon or too many words', () => {
    expect(phrases('Inflation was discussed. It rose.')).toEqual([]);
    expect(phrases('Inflation was discussed; share prices rose.')).toEqual([]);
    expect(phrases('Inflation, as one two three four five six said, fell.')).toEqual([]);
  });

  it('carry the noun into a later clause', () => {
    expect(phrases('Inflation has eased since the middle of last year but remained elevated.')).toEqual([
      'inflation + eased -1',
      'inflation + elevated 1',
    ]);
  });

  it('exclude words unrelated to policy, and boilerplate', () => {
    expect(phrases('Share prices rose.')).toEqual([]);
    expect(phrases('Voting for the high inflation were all.')).toEqual([]);
  });

  it('read compatibility forms, capitals and typographic marks as plain text', () => {
    expect(phrases('ＩＮＦＬＡＴＩＯＮ rose – again')).toEqual(['inflation + rose 1']);
  });
});

describe('the score', () => {
  it('is the balance of the weights', () => {
    expect(scoreText(scorer, 'Additional policy firming. Inflation rose. Inflation fell.')).toMatchObject({
      score: 0.5,
      stance: 'hawkish',
      hawkish: 3,
      dovish: 1,
      isLowCoverage: false,
    });
  });

  it.each([
    ['', 0],
    ['The Committee met.', 0],
    ['Inflation rose.', 1],
    ['Inflation fell. Unemployment rose.', -1],
  ])('of %o is %d, and neutral because there are too few hits', (text, score) => {
    expect(scoreText(scorer, text)).toMatchObject({ score, stance: 'neutral', isLowCoverage: true });
  });

  it('of a single sentence needs no minimum number of hits', () => {
    expect(['Inflation rose.', 'Inflation fell.', 'Inflation met us.'].map((text) => stanceOfSentence(scorer, text))).toEqual([
      'hawkish',
      'dovish',
      'neutral',
    ]);
  });

  it('is always a number between -1 and 1', () => {
    for (const text of ['.', '\n\n', '; ; ,', '💥'.repeat(50), 'rose '.repeat(1000), 'inflation rose '.repeat(1000)]) {
      expect(Math.abs(scoreText(scorer, text).score)).toBeLessThanOrEqual(1);
    }
  });
});

describe('sentences', () => {
  it('go on after abbreviations and initials, and end at line ends', () => {
    expect(splitSentences('The U.S. Treasury spoke. Jerome H. Powell did too.\nA heading\nAt 2 per cent. Then', new Set(['u.s.']))).toEqual(
      ['the u.s. treasury spoke.', 'jerome h. powell did too.', 'a heading', 'at 2 per cent.', 'then'],
    );
  });
});

describe('the lexicon in force', () => {
  const lexicon = JSON.parse(readFileSync(new URL('../../data/reference/cb_lexicon/1.0.0.json', import.meta.url), 'utf8')) as Lexicon;

  it('has each term once, in lower case', () => {
    const words = [
      ...lexicon.phrases.map(({ phrase }) => phrase),
      ...Object.values(lexicon.nouns).flatMap(({ terms }) => terms),
      ...lexicon.modifiers.up,
      ...lexicon.modifiers.down,
    ];
    expect(words.filter((word) => word !== word.toLowerCase().normalize('NFKC').trim())).toEqual([]);
    expect(words.filter((word, index) => words.indexOf(word) !== index)).toEqual([]);
  });

  it.each([
    ['The Committee judges that some further increases in the target range will be needed, as inflation remains too high.', 'hawkish'],
    ['The labour market is very tight and wage growth has picked up.', 'hawkish'],
    ['Upside risks to inflation have increased.', 'hawkish'],
    ['The Board reduced Bank Rate, as price pressures are abating.', 'dovish'],
    ['Unemployment has risen sharply and demand remains weak.', 'dovish'],
    ['Inflation has fallen back and is expected to decline further.', 'dovish'],
    ['The next meeting takes place in June.', 'neutral'],
    ['Inflation has eased but remains elevated.', 'neutral'],
  ])('scores %o as %s', (sentence, stance) => {
    expect(stanceOfSentence(prepareScorer(lexicon), sentence)).toBe(stance);
  });
});

describe('the lexicons in use', () => {
  it.each([
    ['1.0.0', 'c6b27aeb86f85ee234b0c20d36a11ed1e52565101eb00925cca605a1e00375b6'],
    ['2.0.0', '77d83f204d6f7e3b4af4cbe1f92ee86a02270a4cb90e40aa3f7136178a249c41'],
  ])('%s keeps its bytes, so old scores stay', (version, digest) => {
    const bytes = readFileSync(new URL(`../../data/reference/cb_lexicon/${version}.json`, import.meta.url));
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(digest);
  });
});
