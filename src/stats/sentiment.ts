/**
 * The balance of hawkish and dovish words in a text of a central bank: (H − D)/(H + D) over weighted hits, 0 without any.
 * A hit is a phrase, or a noun with a modifier near it (inflation + rises is hawkish, unemployment + rises dovish); a negator shortly before
 * turns it round. Assumes English. Apel & Blix Grimaldi (2012), Sveriges Riksbank WP 261; Gonzalez & Tadle (2021), Banco Central de Chile WP 912.
 */
export interface Lexicon {
  readonly thresholds: { readonly hawkish: number; readonly dovish: number; readonly minimumHits: number };
  readonly negation: { readonly window: number; readonly words: readonly string[] };
  /** Tokens between a noun and its modifier, at most. */
  readonly pairWindow: number;
  /** Verbs and adverbs before a modifier that speaks of the noun of an earlier clause (`inflation …, but remains elevated`). */
  readonly carriers: readonly string[];
  readonly abbreviations: readonly string[];
  /** Patterns of sentences that are not scored, in lower case. */
  readonly boilerplate: readonly string[];
  /** Above 0 hawkish, below dovish; 0 takes its words out of the count. */
  readonly phrases: readonly { readonly phrase: string; readonly weight: number }[];
  /** polarity 1: a rise is hawkish. */
  readonly nouns: Readonly<Record<string, { readonly polarity: number; readonly terms: readonly string[] }>>;
  readonly modifiers: { readonly up: readonly string[]; readonly down: readonly string[] };
}

export type Stance = 'hawkish' | 'dovish' | 'neutral';

export interface Hit {
  /** The phrase, or `noun + modifier`; with `not` before it where a negator turned it round. */
  readonly phrase: string;
  readonly weight: number;
}

export interface Sentiment {
  readonly score: number;
  readonly stance: Stance;
  readonly isLowCoverage: boolean;
  readonly hawkish: number;
  readonly dovish: number;
  readonly tokenCount: number;
  readonly hits: readonly Hit[];
}

interface Term {
  readonly tokens: readonly string[];
  readonly text: string;
  readonly kind: 'phrase' | 'noun' | 'modifier';
  /** Weight of a phrase, polarity of a noun, direction of a modifier. */
  readonly value: number;
}

interface Found extends Term {
  readonly start: number;
  readonly end: number;
}

/** A lexicon made ready to be looked up. */
export interface Scorer {
  readonly lexicon: Lexicon;
  /** By first token, the longest first. */
  readonly terms: ReadonlyMap<string, readonly Term[]>;
  readonly negators: ReadonlySet<string>;
  readonly carriers: ReadonlySet<string>;
  readonly boilerplate: readonly RegExp[];
  readonly abbreviations: ReadonlySet<string>;
}

export function prepareScorer(lexicon: Lexicon): Scorer {
  const all: Term[] = [
    ...lexicon.phrases.map(({ phrase, weight }) => term('phrase', phrase, weight)),
    ...Object.values(lexicon.nouns).flatMap(({ polarity, terms }) => terms.map((text) => term('noun', text, polarity))),
    ...lexicon.modifiers.up.map((text) => term('modifier', text, 1)),
    ...lexicon.modifiers.down.map((text) => term('modifier', text, -1)),
  ];
  const terms = new Map<string, Term[]>();
  for (const one of all) {
    const [first = ''] = one.tokens;
    terms.set(first, [...(terms.get(first) ?? []), one]);
  }
  for (const list of terms.values()) list.sort((one, other) => other.tokens.length - one.tokens.length);
  return {
    lexicon,
    terms,
    negators: new Set(lexicon.negation.words),
    carriers: new Set(lexicon.carriers),
    boilerplate: lexicon.boilerplate.map((pattern) => new RegExp(pattern, 'u')),
    abbreviations: new Set(lexicon.abbreviations),
  };
}

const term = (kind: Term['kind'], text: string, value: number): Term => ({ tokens: tokensOf(text), text, kind, value });

export function scoreText(scorer: Scorer, text: string): Sentiment {
  const scored = splitSentences(text, scorer.abbreviations).filter(
    (sentence) => !scorer.boilerplate.some((pattern) => pattern.test(sentence)),
  );
  const tokenised = scored.map(tokensOf);
  const hits = tokenised.flatMap((tokens) => hitsOf(scorer, tokens));
  const tokenCount = tokenised.reduce((sum, tokens) => sum + tokens.filter((token) => !BREAKS.has(token)).length, 0);
  const balance = balanceOf(hits);
  const isLowCoverage = hits.length < scorer.lexicon.thresholds.minimumHits;
  return { ...balance, stance: isLowCoverage ? 'neutral' : stanceOf(scorer, balance.score), isLowCoverage, tokenCount, hits };
}

/** One sentence by itself: too short for the least number of hits that a document needs. */
export function stanceOfSentence(scorer: Scorer, sentence: string): Stance {
  return stanceOf(scorer, scoreText(scorer, sentence).score);
}

function stanceOf({ lexicon: { thresholds } }: Scorer, score: number): Stance {
  if (score >= thresholds.hawkish) return 'hawkish';
  return score <= thresholds.dovish ? 'dovish' : 'neutral';
}

function balanceOf(hits: readonly Hit[]): Pick<Sentiment, 'score' | 'hawkish' | 'dovish'> {
  const hawkish = hits.reduce((sum, { weight }) => sum + Math.max(weight, 0), 0);
  const dovish = hits.reduce((sum, { weight }) => sum + Math.max(-weight, 0), 0);
  return { score: hits.length === 0 ? 0 : (hawkish - dovish) / (hawkish + dovish), hawkish, dovish };
}

const SEGMENTER = new Intl.Segmenter('en', { granularity: 'sentence' });

/** Sentences in lower case, NFKC. A line end ends a sentence; a full stop after an abbreviation or an initial does not. */
export function splitSentences(text: string, abbreviations: ReadonlySet<string>): readonly string[] {
  const plain = text
    .normalize('NFKC')
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/[\u2010\u2011]/g, '-');
  const sentences: string[] = [];
  for (const line of plain.split('\n')) {
    let isOpen = false;
    for (const { segment } of SEGMENTER.segment(line)) {
      const sentence = segment.replace(/\s+/g, ' ').trim().toLowerCase();
      if (sentence === '') continue;
      if (isOpen) sentences[sentences.length - 1] = `${sentences.at(-1) ?? ''} ${sentence}`;
      else sentences.push(sentence);
      const last = sentence.slice(sentence.lastIndexOf(' ') + 1);
      isOpen = abbreviations.has(last) || /^[a-z]\.$/.test(last);
    }
  }
  return sentences;
}

const BREAKS: ReadonlySet<string> = new Set([',', ';']);

/** Words with inner points, hyphens and apostrophes, and the marks that part clauses. */
function tokensOf(sentence: string): readonly string[] {
  const marked = sentence.replace(/[:()\u2013\u2014\u2015]|--/g, ';');
  return marked.match(/[\p{L}\p{N}]+(?:[.'/-][\p{L}\p{N}]+)*|[,;]/gu) ?? [];
}

function hitsOf(scorer: Scorer, tokens: readonly string[]): readonly Hit[] {
  const found = matchTerms(scorer, tokens);
  const nouns = found.filter(({ kind }) => kind === 'noun');
  const hits: Hit[] = [];
  for (const one of found) {
    if (one.kind === 'phrase' && one.value !== 0) hits.push(turned(scorer, tokens, one.start, one.text, one.value));
    if (one.kind !== 'modifier') continue;
    const noun = nounOf(scorer, tokens, nouns, one);
    if (noun !== null && noun.value !== 0) {
      hits.push(turned(scorer, tokens, one.start, `${noun.text} + ${one.text}`, noun.value * one.value));
    }
  }
  return hits;
}

/** From left to right, the longest term at each place; no token is used twice. */
function matchTerms({ terms }: Scorer, tokens: readonly string[]): readonly Found[] {
  const found: Found[] = [];
  for (let start = 0; start < tokens.length; start += 1) {
    const match = terms.get(tokens[start] ?? '')?.find((one) => one.tokens.every((token, index) => tokens[start + index] === token));
    if (match === undefined) continue;
    found.push({ ...match, start, end: start + match.tokens.length });
    start += match.tokens.length - 1;
  }
  return found;
}

// Another clause is farther away than it looks.
const COMMA_DISTANCE = 3;

/** The nearest noun within the window; where there is none, the last of an earlier clause, if the words before the modifier carry it on. */
function nounOf({ lexicon, carriers }: Scorer, tokens: readonly string[], nouns: readonly Found[], modifier: Found): Found | null {
  let nearest: Found | null = null;
  let least = lexicon.pairWindow + 1;
  for (const noun of nouns) {
    const between = noun.end <= modifier.start ? tokens.slice(noun.end, modifier.start) : tokens.slice(modifier.end, noun.start);
    if (between.includes(';') || (noun.start > modifier.start && between.includes(','))) continue;
    const distance = between.length + between.filter((token) => token === ',').length * COMMA_DISTANCE;
    if (distance < least) [nearest, least] = [noun, distance];
  }
  if (nearest !== null || !tokens.slice(Math.max(0, modifier.start - 2), modifier.start).some((token) => carriers.has(token)))
    return nearest;
  return nouns.findLast((noun) => noun.end <= modifier.start) ?? null;
}

function turned({ negators, lexicon }: Scorer, tokens: readonly string[], start: number, phrase: string, weight: number): Hit {
  const before = tokens.slice(Math.max(0, start - lexicon.negation.window), start);
  const clause = before.slice(before.findLastIndex((token) => BREAKS.has(token)) + 1);
  return clause.some((token) => negators.has(token)) ? { phrase: `not ${phrase}`, weight: -weight } : { phrase, weight };
}
