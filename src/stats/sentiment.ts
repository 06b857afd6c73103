/**
 * The balance of hawkish and dovish words in a text of a central bank: (H − D)/(H + D) over weighted hits, 0 without any.
 * A hit is a phrase, or a noun with a modifier near it (inflation + rises is hawkish, unemployment + rises dovish); a negator shortly before
 * reverses it. Assumes English. Apel & Blix Grimaldi (2012), Sveriges Riksbank WP 261; Gonzalez & Tadle (2021), Banco Central de Chile WP 912.
 */
export interface Lexicon {
  readonly thresholds: { readonly hawkish: number; readonly dovish: number; readonly minimumHits: number };
  readonly negation: { readonly window: number; readonly words: readonly string[] };
  /** Tokens between a noun and its modifier, at most. */
  readonly pairWindow: number;
  /** Verbs and adverbs before a modifier that refers to the noun of an earlier clause (`inflation …, but remains elevated`). */
  readonly carriers: readonly string[];
  readonly abbreviations: readonly string[];
  /** Patterns of sentences that are not scored, in lower case. */
  readonly boilerplate: readonly string[];
  /** Above 0 hawkish, below dovish; at 0 its words do not count. */
  readonly phrases: readonly { readonly phrase: string; readonly weight: number }[];
  /** polarity 1: a rise is hawkish; improvement 1: so is an improvement, by default the same as a rise. */
  readonly nouns: Readonly<Record<string, { readonly polarity: number; readonly improvement?: number; readonly terms: readonly string[] }>>;
  readonly modifiers: {
    readonly up: readonly string[];
    readonly down: readonly string[];
    /** In the direction of the noun's improvement: better inflation is lower inflation. */
    readonly better?: readonly string[];
    readonly worse?: readonly string[];
  };
  readonly context?: LexiconContext;
}

/** Context rules that reverse, weaken or cancel a hit. Patterns match lower-case text. */
export interface LexiconContext {
  /** Compound terms, goals and mandates, each one noun without polarity. */
  readonly compounds: readonly string[];
  /** Clauses that state nothing: concessions, conditions, open questions, the past. */
  readonly asides: readonly string[];
  /** Negations that reach further than the negators, in tokens. */
  readonly farNegation: { readonly window: number; readonly phrases: readonly string[] };
  /** `only gradually`: reverses a modifier next to it, on either side. */
  readonly limiters: { readonly window: number; readonly phrases: readonly string[] };
  /** `downside risks … have diminished`: reverses a phrase about risks before it. */
  readonly receding: { readonly window: number; readonly words: readonly string[] };
  /** A sentence with one of them states nothing lasting about prices. */
  readonly transitory: readonly string[];
  /** Names of foreign subjects, for any bank, and names of places with their own banks. */
  readonly abroad: readonly string[];
  readonly homes: Readonly<Record<string, readonly string[]>>;
}

export type Stance = 'hawkish' | 'dovish' | 'neutral';

export interface Hit {
  /** The phrase, or `noun + modifier`; with `not` before it if a negator reversed it. */
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
  /** For a noun: the effect of its improvement; for a modifier: if it means better or worse. */
  readonly improvement: number;
  /** Group of a noun. */
  readonly group: string;
}

interface Found extends Term {
  readonly start: number;
  readonly end: number;
}

/** A lexicon prepared for look-ups. */
export interface Scorer {
  readonly lexicon: Lexicon;
  /** By first token, the longest first. */
  readonly terms: ReadonlyMap<string, readonly Term[]>;
  readonly negators: ReadonlySet<string>;
  readonly carriers: ReadonlySet<string>;
  readonly boilerplate: readonly RegExp[];
  readonly abbreviations: ReadonlySet<string>;
  readonly context: PreparedContext | null;
}

interface PreparedContext {
  readonly compounds: readonly RegExp[];
  readonly asides: readonly RegExp[];
  readonly farNegation: Reach;
  readonly limiters: Reach;
  readonly receding: { readonly window: number; readonly words: ReadonlySet<string> };
  readonly transitory: RegExp | null;
  readonly abroad: RegExp | null;
  /** Names of the places of each bank. */
  readonly homes: ReadonlyMap<string, RegExp>;
}

interface Reach {
  readonly window: number;
  readonly phrases: readonly (readonly string[])[];
}

/** The replacement of a compound term: a noun without polarity. */
const SET_ASIDE = 'setaside';

export function prepareScorer(lexicon: Lexicon): Scorer {
  const all: Term[] = [
    ...lexicon.phrases.map(({ phrase, weight }) => term('phrase', phrase, weight)),
    ...Object.entries(lexicon.nouns).flatMap(([group, { polarity, improvement = polarity, terms }]) =>
      terms.map((text) => term('noun', text, polarity, improvement, group)),
    ),
    ...lexicon.modifiers.up.map((text) => term('modifier', text, 1)),
    ...lexicon.modifiers.down.map((text) => term('modifier', text, -1)),
    ...(lexicon.modifiers.better ?? []).map((text) => term('modifier', text, 1, 1)),
    ...(lexicon.modifiers.worse ?? []).map((text) => term('modifier', text, -1, 1)),
    ...(lexicon.context === undefined ? [] : [term('noun', SET_ASIDE, 0)]),
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
    context: lexicon.context === undefined ? null : prepareContext(lexicon.context),
  };
}

const term = (kind: Term['kind'], text: string, value: number, improvement = 0, group = ''): Term => ({
  tokens: tokensOf(text),
  text,
  kind,
  value,
  improvement,
  group,
});

function prepareContext({
  compounds,
  asides,
  farNegation,
  limiters,
  receding,
  transitory,
  abroad,
  homes,
}: LexiconContext): PreparedContext {
  const patterns = (list: readonly string[]) => list.map((pattern) => new RegExp(pattern, 'gu'));
  const reach = ({ window, phrases }: { readonly window: number; readonly phrases: readonly string[] }): Reach => ({
    window,
    phrases: phrases.map(tokensOf),
  });
  return {
    compounds: patterns(compounds),
    asides: patterns(asides),
    farNegation: reach(farNegation),
    limiters: reach(limiters),
    receding: { window: receding.window, words: new Set(receding.words) },
    transitory: anyOf(transitory),
    abroad: anyOf(abroad),
    homes: new Map(
      Object.entries(homes).flatMap(([bank, names]): [string, RegExp][] => {
        const pattern = anyOf(names);
        return pattern === null ? [] : [[bank, pattern]];
      }),
    ),
  };
}

/** Any of the words or groups of words, as complete words. */
function anyOf(words: readonly string[]): RegExp | null {
  if (words.length === 0) return null;
  const escaped = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${escaped.join('|')})(?![\\p{L}\\p{N}])`, 'u');
}

/** @param bank the bank of the text: statements about places other than its own do not count; null for any bank */
export function scoreText(scorer: Scorer, text: string, bank: string | null = null): Sentiment {
  const scored = splitSentences(text, scorer.abbreviations).filter(
    (sentence) => !scorer.boilerplate.some((pattern) => pattern.test(sentence)),
  );
  const tokenised = scored.map(tokensOf);
  const hits = scored.flatMap((sentence, index) => sentenceHits(scorer, sentence, tokenised[index] ?? [], bank));
  const tokenCount = tokenised.reduce((sum, tokens) => sum + tokens.filter((token) => !BREAKS.has(token)).length, 0);
  const balance = balanceOf(hits);
  const isLowCoverage = hits.length < scorer.lexicon.thresholds.minimumHits;
  return { ...balance, stance: isLowCoverage ? 'neutral' : stanceOf(scorer, balance.score), isLowCoverage, tokenCount, hits };
}

/** One sentence by itself, without the minimum number of hits that a document needs. */
export function stanceOfSentence(scorer: Scorer, sentence: string, bank: string | null = null): Stance {
  return stanceOf(scorer, scoreText(scorer, sentence, bank).score);
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

/** Words with inner points, hyphens and apostrophes, and the marks that separate clauses. */
function tokensOf(sentence: string): readonly string[] {
  const marked = sentence.replace(/[:()\u2013\u2014\u2015]|--/g, ';');
  return marked.match(/[\p{L}\p{N}]+(?:[.'/-][\p{L}\p{N}]+)*|[,;]/gu) ?? [];
}

function sentenceHits(scorer: Scorer, sentence: string, tokens: readonly string[], bank: string | null): readonly Hit[] {
  const { context } = scorer;
  if (context === null) return hitsOf(scorer, tokens);
  if (isForeign(context, sentence, bank)) return [];
  const isTransitory = context.transitory?.test(sentence) ?? false;
  const stated = context.asides.reduce((text, pattern) => text.replace(pattern, ' ; '), sentence);
  const plain = context.compounds.reduce((text, pattern) => text.replace(pattern, ` ${SET_ASIDE} `), stated);
  return hitsOf(scorer, tokensOf(plain), isTransitory);
}

/** True if another place comes before the bank's own. */
function isForeign({ abroad, homes }: PreparedContext, sentence: string, bank: string | null): boolean {
  const placeOf = (names: RegExp | null | undefined) => names?.exec(sentence)?.index ?? Infinity;
  const isOwn = (home: string) => bank === null || home === bank;
  const own = Math.min(...[...homes].map(([home, names]) => (isOwn(home) ? placeOf(names) : Infinity)));
  const other = Math.min(placeOf(abroad), ...[...homes].map(([home, names]) => (isOwn(home) ? Infinity : placeOf(names))));
  return other < own;
}

function hitsOf(scorer: Scorer, tokens: readonly string[], isTransitory = false): readonly Hit[] {
  const found = matchTerms(scorer, tokens);
  const nouns = found.filter(({ kind }) => kind === 'noun');
  const receding = recedingOf(scorer, tokens, found);
  const hits: Hit[] = [];
  for (const one of found) {
    if (one.kind === 'phrase' && one.value !== 0) {
      hits.push(turned(scorer, tokens, one, one.text, receding.has(one.start) ? -one.value : one.value));
    }
    if (one.kind !== 'modifier' || receding.has(one.start)) continue;
    const noun = nounOf(scorer, tokens, nouns, one);
    if (noun === null || noun.value === 0 || (isTransitory && noun.group === 'prices')) continue;
    const polarity = one.improvement === 0 ? noun.value : noun.improvement;
    hits.push(turned(scorer, tokens, one, `${noun.text} + ${one.text}`, polarity * one.value));
  }
  return hits;
}

/** The starts of phrases about risks that recede, and of the modifiers for that. */
function recedingOf({ context }: Scorer, tokens: readonly string[], found: readonly Found[]): ReadonlySet<number> {
  const starts = new Set<number>();
  if (context === null) return starts;
  const { window, words } = context.receding;
  for (const risk of found) {
    if (risk.kind !== 'phrase' || !/\brisks?\b/.test(risk.text)) continue;
    const at = tokens.findIndex((token, index) => index >= risk.end && index < risk.end + window && (words.has(token) || token === ';'));
    if (at === -1 || tokens[at] === ';') continue;
    starts.add(risk.start).add(at);
  }
  return starts;
}

/** From left to right, the longest term at each place; each token is used once. */
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

// Another clause counts as farther away.
const COMMA_DISTANCE = 3;

/** The nearest noun within the window; without one, the last of an earlier clause if the words before the modifier refer to it. */
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

function turned(scorer: Scorer, tokens: readonly string[], { start, end, kind }: Found, phrase: string, weight: number): Hit {
  const { negators, lexicon, context } = scorer;
  const before = tokens.slice(Math.max(0, start - lexicon.negation.window), start);
  const clause = before.slice(before.findLastIndex((token) => BREAKS.has(token)) + 1);
  const isNegated = clause.some((token) => negators.has(token)) || (context !== null && isAmong(tokens, context.farNegation, start, start));
  const isLimited = context !== null && kind === 'modifier' && isAmong(tokens, context.limiters, start, end + context.limiters.window);
  return isNegated !== isLimited ? { phrase: `not ${phrase}`, weight: -weight } : { phrase, weight };
}

/** True if one of the phrases is within reach before `start`, or up to `until`, in the same clause. */
function isAmong(tokens: readonly string[], { window, phrases }: Reach, start: number, until: number): boolean {
  let first = Math.max(0, start - window);
  let last = Math.min(tokens.length, until);
  for (let index = first; index < start; index += 1) if (tokens[index] === ';') first = index + 1;
  for (let index = start; index < last; index += 1) if (tokens[index] === ';') last = index;
  return phrases.some((phrase) => {
    for (let at = first; at + phrase.length <= last; at += 1) {
      if (phrase.every((token, index) => tokens[at + index] === token)) return true;
    }
    return false;
  });
}
