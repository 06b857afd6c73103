// Finds things by the words of their names. A lexicon belongs to one snapshot and never changes.
import leven from 'leven';
import type { Token } from './question.ts';
import { codeOf, stemOf, weightOf, wordsOf } from './words.ts';

/** `usual`: what people call it. `code`: only the whole text counts. `about`: it describes the thing, and does not name it. */
type PhraseKind = 'name' | 'usual' | 'code' | 'about';

export interface Phrase {
  readonly text: string;
  readonly kind: PhraseKind;
  /** The time from which it is known, ms; null if it always was. */
  readonly knownFrom: number | null;
}

/** Anything with names. The things of one kind have different identifiers. */
export interface Thing {
  readonly kind: ThingKind;
  readonly id: string;
  readonly phrases: readonly Phrase[];
}

export type ThingKind = 'indicator' | 'entity' | 'series' | 'source' | 'frequency';

/** How well things answer the tokens of a question. Things are numbered. */
export interface Hits {
  /** By thing: a bit for each token that it answers. */
  readonly answered: Uint32Array;
  /** How well it answers the token at a place, 0 to 1. */
  readonly strengthOf: (thing: number, place: number) => number;
  /** How much of its best name the question says, 0 to 1. */
  readonly coverageOf: (thing: number) => number;
  /** The things that answer a token. */
  readonly things: readonly number[];
}

export interface Finding {
  /** Leaves out names that were not known at that time, ms. Null: every name. */
  readonly knownAt: number | null;
  /** True to accept typing errors. */
  readonly isLoose: boolean;
}

export interface Lexicon {
  readonly find: (tokens: readonly Token[], finding: Finding) => Hits;
  /** The number of a thing, 0 if there is none. */
  readonly numberOf: (kind: ThingKind, id: string) => number;
  readonly thingAt: (number: number) => Pick<Thing, 'kind' | 'id'> | null;
  readonly phraseCount: number;
}

/** A name with more words is cut. */
const MOST_WORDS = 24;
/** About 100 MB. The names after that are left out; a search still finds them by their text. */
const MOST_POSTINGS = 4_000_000;
const PHRASES_A_STEP = 250;
const WORDS_A_STEP = 500;
const POSTINGS_A_STEP = 20_000;

const KINDS = ['name', 'usual', 'code', 'about'] as const satisfies readonly PhraseKind[];
const [USUAL, CODE, ABOUT] = [KINDS.indexOf('usual'), KINDS.indexOf('code'), KINDS.indexOf('about')];

/** Words, and the phrases that have each. The phrases of one word are adjacent in one array. */
interface Tables {
  readonly words: ReadonlyMap<string, number>;
  readonly texts: readonly string[];
  readonly stems: ReadonlyMap<string, readonly number[]>;
  /** By the first one, two and three characters. */
  readonly beginnings: ReadonlyMap<string, readonly number[]>;
  readonly wordWeights: Float32Array;
  readonly begins: Uint32Array;
  readonly postings: Uint32Array;
  readonly phraseThings: Uint32Array;
  readonly phraseKinds: Uint8Array;
  readonly phraseWeights: Float32Array;
  /** NaN: always known. */
  readonly phraseKnownFrom: Float64Array;
  /** By number. The first is no thing. */
  readonly things: readonly (Pick<Thing, 'kind' | 'id'> | null)[];
}

/** Made in steps of a few milliseconds, so that a server can do other work between them. A null among the things ends a step. */
export function* lexiconSteps(things: Iterable<Thing | null>): Generator<undefined, Lexicon> {
  const tables = yield* tablesOf(things);
  const numbers = new Map<ThingKind, Map<string, number>>();
  for (const [number, thing] of tables.things.entries()) {
    if (thing !== null) numbers.set(thing.kind, (numbers.get(thing.kind) ?? new Map<string, number>()).set(thing.id, number));
    if (number % POSTINGS_A_STEP === POSTINGS_A_STEP - 1) yield;
  }
  return {
    find: (tokens, finding) => find(tables, tokens, finding),
    numberOf: (kind, id) => numbers.get(kind)?.get(id) ?? 0,
    thingAt: (number) => tables.things[number] ?? null,
    phraseCount: tables.phraseThings.length,
  };
}

function* tablesOf(all: Iterable<Thing | null>): Generator<undefined, Tables> {
  const words = new Map<string, number>();
  const things: (Pick<Thing, 'kind' | 'id'> | null)[] = [null];
  const [wordOf, phraseOf]: [number[], number[]] = [[], []];
  const of: { readonly [Column in 'thing' | 'kind' | 'weight' | 'knownFrom']: number[] } = {
    thing: [],
    kind: [],
    weight: [],
    knownFrom: [],
  };
  for (const one of all) {
    if (one === null) {
      yield;
      continue;
    }
    const { kind, id, phrases } = one;
    const thing = things.push({ kind, id }) - 1;
    for (const phrase of phrases) {
      const texts = phrase.kind === 'code' ? [codeOf(phrase.text)] : wordsOf(phrase.text).slice(0, MOST_WORDS);
      if (texts.length === 0 || texts[0] === '' || wordOf.length + texts.length > MOST_POSTINGS) continue;
      const number = of.thing.push(thing) - 1;
      for (const text of new Set(texts)) {
        const word = words.get(text) ?? words.size;
        words.set(text, word);
        wordOf.push(word);
        phraseOf.push(number);
      }
      of.kind.push(KINDS.indexOf(phrase.kind));
      of.weight.push(texts.reduce((sum, text) => sum + weightOf(text), 0));
      of.knownFrom.push(phrase.knownFrom ?? Number.NaN);
      if (number % PHRASES_A_STEP === 0) yield;
    }
  }
  const postings = yield* postingsOf(wordOf, phraseOf, words.size);
  const phraseThings = Uint32Array.from(of.thing);
  const phraseWeights = Float32Array.from(of.weight);
  yield;
  const phraseKnownFrom = Float64Array.from(of.knownFrom);
  const phraseKinds = Uint8Array.from(of.kind);
  return { words, ...(yield* spellingsOf(words)), ...postings, phraseThings, phraseKinds, phraseWeights, phraseKnownFrom, things };
}

/** @param wordOf the word of each posting, in any order; `phraseOf`: its phrase */
function* postingsOf(
  wordOf: readonly number[],
  phraseOf: readonly number[],
  wordCount: number,
): Generator<undefined, Pick<Tables, 'begins' | 'postings'>> {
  const begins = new Uint32Array(wordCount + 1);
  for (const [place, word] of wordOf.entries()) {
    begins[word + 1] = (begins[word + 1] ?? 0) + 1;
    if (place % POSTINGS_A_STEP === POSTINGS_A_STEP - 1) yield;
  }
  for (let word = 0; word < wordCount; word += 1) begins[word + 1] = (begins[word + 1] ?? 0) + (begins[word] ?? 0);
  yield;
  const postings = new Uint32Array(wordOf.length);
  const ends = begins.slice();
  for (const [place, word] of wordOf.entries()) {
    postings[ends[word] ?? 0] = phraseOf[place] ?? 0;
    ends[word] = (ends[word] ?? 0) + 1;
    if (place % POSTINGS_A_STEP === POSTINGS_A_STEP - 1) yield;
  }
  return { begins, postings };
}

function* spellingsOf(
  words: ReadonlyMap<string, number>,
): Generator<undefined, Pick<Tables, 'texts' | 'stems' | 'beginnings' | 'wordWeights'>> {
  const [stems, beginnings] = [new Map<string, number[]>(), new Map<string, number[]>()];
  const wordWeights = new Float32Array(words.size);
  const texts: string[] = [];
  const add = (lists: Map<string, number[]>, key: string, word: number) => {
    const list = lists.get(key);
    if (list === undefined) lists.set(key, [word]);
    else list.push(word);
  };
  for (const [text, word] of words) {
    add(stems, stemOf(text), word);
    for (let length = 1; length <= Math.min(3, text.length); length += 1) add(beginnings, text.slice(0, length), word);
    wordWeights[word] = weightOf(text);
    texts.push(text);
    if (word % WORDS_A_STEP === WORDS_A_STEP - 1) yield;
  }
  return { texts, stems, beginnings, wordWeights };
}

/** Consecutive tokens that one word answers. */
interface Asked {
  readonly place: number;
  readonly count: number;
}

type Kinds = 'all' | 'names' | 'codes';

function find(tables: Tables, tokens: readonly Token[], { knownAt, isLoose }: Finding): Hits {
  const met = meetings(tables.phraseThings.length, tokens.length);
  const meet = (word: number, { place, count }: Asked, strength: number, kinds: Kinds) => {
    const weight = (tables.wordWeights[word] ?? 1) / count;
    for (let at = tables.begins[word] ?? 0; at < (tables.begins[word + 1] ?? 0); at += 1) {
      const phrase = tables.postings[at] ?? 0;
      if (kinds !== 'all' && (tables.phraseKinds[phrase] === CODE) !== (kinds === 'codes')) continue;
      if (knownAt !== null && (tables.phraseKnownFrom[phrase] ?? 0) > knownAt) continue;
      for (let token = place; token < place + count; token += 1) met.raise(phrase, token, strength, weight);
    }
  };
  for (const [place, { text, code, pair }] of tokens.entries()) {
    const one = { place, count: 1 };
    meetSpellings(tables, text, (word, strength) => meet(word, one, strength, strength === 1 ? 'all' : 'names'));
    if (isLoose) meetErrors(tables, text, (word, strength) => meet(word, one, strength, 'names'));
    if (code !== null) meetCode(tables, code.text, (word, strength) => meet(word, { place, count: code.count }, strength, 'codes'));
    const paired = pair === null ? undefined : tables.words.get(pair.text);
    if (pair !== null && paired !== undefined) meet(paired, { place, count: pair.count }, 1, 'names');
  }
  return hitsOf(tables, met, tokens.length);
}

/** The strength and weight with which some of very many things answer each token. */
interface Met {
  readonly raise: (thing: number, place: number, strength: number, weight: number) => void;
  readonly strength: (thing: number, place: number) => number;
  readonly weight: (thing: number, place: number) => number;
  readonly things: readonly number[];
}

const FIRST_ROWS = 256;

/** @param size number of all things */
function meetings(size: number, tokenCount: number): Met {
  /** By thing, from 1. */
  const rows = new Uint32Array(size);
  const things: number[] = [];
  let numbers = new Float32Array(FIRST_ROWS * tokenCount * 2);
  const rowOf = (thing: number): number => {
    const known = rows[thing] ?? 0;
    if (known > 0) return known;
    const row = things.push(thing);
    rows[thing] = row;
    if (row * tokenCount * 2 <= numbers.length) return row;
    const grown = new Float32Array(numbers.length * 2);
    grown.set(numbers);
    numbers = grown;
    return row;
  };
  const numberAt = (thing: number, place: number, which: 0 | 1) => {
    const row = rows[thing] ?? 0;
    return row === 0 ? 0 : (numbers[((row - 1) * tokenCount + place) * 2 + which] ?? 0);
  };
  return {
    raise: (thing, place, strength, weight) => {
      const at = ((rowOf(thing) - 1) * tokenCount + place) * 2;
      if (strength <= (numbers[at] ?? 0)) return;
      numbers[at] = strength;
      numbers[at + 1] = weight;
    },
    strength: (thing, place) => numberAt(thing, place, 0),
    weight: (thing, place) => numberAt(thing, place, 1),
    things,
  };
}

const STEM_STRENGTH = 0.9;
/** One letter begins too many words. */
const LEAST_BEGINNING = 2;
const BEGINNING_STRENGTH = { least: 0.45, more: 0.4 } as const;

type Meet = (word: number, strength: number) => void;

function meetSpellings(tables: Tables, text: string, meet: Meet): void {
  const own = tables.words.get(text);
  if (own !== undefined) meet(own, 1);
  for (const word of tables.stems.get(stemOf(text)) ?? []) if (word !== own) meet(word, STEM_STRENGTH);
  if (text.length < LEAST_BEGINNING) return;
  for (const word of tables.beginnings.get(text.slice(0, 3)) ?? []) {
    const whole = tables.texts[word] ?? '';
    if (whole.length > text.length && whole.startsWith(text)) meet(word, beginningStrength(text, whole));
  }
}

function beginningStrength(text: string, whole: string): number {
  return BEGINNING_STRENGTH.least + (BEGINNING_STRENGTH.more * text.length) / whole.length;
}

/** A shorter part of a code says nothing. */
const LEAST_CODE = 4;

function meetCode(tables: Tables, code: string, meet: Meet): void {
  const own = tables.words.get(code);
  if (own !== undefined) meet(own, 1);
  if (code.length < LEAST_CODE) return;
  for (const word of tables.beginnings.get(code.slice(0, 3)) ?? []) {
    const whole = tables.texts[word] ?? '';
    if (whole.length > code.length && whole.startsWith(code)) meet(word, beginningStrength(code, whole) / 2);
  }
}

const LEAST_WRONG = 4;
const MOST_ERRORS = [
  { from: 8, errors: 2 },
  { from: LEAST_WRONG, errors: 1 },
] as const;
const ERROR_STRENGTHS = [0.7, 0.6, 0.4] as const;

/** Words with the same first character that differ by one or two errors. Two swapped neighbours are one error. */
function meetErrors(tables: Tables, text: string, meet: Meet): void {
  const most = MOST_ERRORS.find(({ from }) => text.length >= from)?.errors ?? 0;
  if (most === 0 || /\d/.test(text)) return;
  for (const word of tables.beginnings.get(text.slice(0, 1)) ?? []) {
    const whole = tables.texts[word] ?? '';
    if (Math.abs(whole.length - text.length) > most || whole.length < LEAST_WRONG) continue;
    const errors = isSwapped(whole, text) ? 1 : leven(whole, text, { maxDistance: most + 1 });
    if (errors > 0 && errors <= most) meet(word, ERROR_STRENGTHS[errors] ?? 0);
  }
}

function isSwapped(one: string, other: string): boolean {
  if (one.length !== other.length) return false;
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at + 1 < one.length && one[at] === other[at + 1] && one[at + 1] === other[at] && one.slice(at + 2) === other.slice(at + 2);
}

const ABOUT_STRENGTH = 0.35;
/** If something is called exactly that, it comes before others that people mean by it. */
const USUAL_COVERAGE = 0.98;

function hitsOf(tables: Tables, phrases: Met, tokenCount: number): Hits {
  const answered = new Uint32Array(tables.things.length);
  const coverage = new Float32Array(tables.things.length);
  const own = meetings(tables.things.length, tokenCount);
  for (const phrase of phrases.things) {
    const thing = tables.phraseThings[phrase] ?? 0;
    const kind = tables.phraseKinds[phrase];
    const isAbout = kind === ABOUT;
    let covered = 0;
    for (let place = 0; place < tokenCount; place += 1) {
      const strength = phrases.strength(phrase, place);
      if (strength === 0) continue;
      own.raise(thing, place, isAbout ? strength * ABOUT_STRENGTH : strength, 1);
      answered[thing] = (answered[thing] ?? 0) | (1 << place);
      covered += strength * phrases.weight(phrase, place);
    }
    if (isAbout) continue;
    const share = Math.min(1, covered / (tables.phraseWeights[phrase] ?? 1)) * (kind === USUAL ? USUAL_COVERAGE : 1);
    coverage[thing] = Math.max(coverage[thing] ?? 0, share);
  }
  return {
    answered,
    strengthOf: (thing, place) => own.strength(thing, place),
    coverageOf: (thing) => coverage[thing] ?? 0,
    things: own.things,
  };
}
