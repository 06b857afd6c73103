// The words of a question, and what several of them may be together.
import { chunksOf, isSoft } from './words.ts';

/** One word of a question. */
export interface Token {
  readonly text: string;
  /** True if an answer need not have it. */
  readonly isSoft: boolean;
  /** A code that begins with this word, and the number of words in it. */
  readonly code: Joined | null;
  /** This word and the next without a blank between them: pay rolls. */
  readonly pair: Joined | null;
}

interface Joined {
  readonly text: string;
  readonly count: number;
}

/** Codes that people write without a blank between them: EURUSD, US10Y. */
export interface Joinable {
  readonly currencies: ReadonlySet<string>;
  readonly countries: ReadonlySet<string>;
}

/** Further words change nothing. */
const MOST_TOKENS = 16;
const LEAST_PAIR = 4;

export function tokensOf(question: string, joinable: Joinable): readonly Token[] {
  const chunks = chunksOf(question).map(({ words, code }) => ({ code, words: words.flatMap((word) => parted(word, joinable)) }));
  const words = chunks.flatMap((chunk) => chunk.words.map((text, place) => ({ text, chunk, isFirst: place === 0 }))).slice(0, MOST_TOKENS);
  const isAllSoft = words.every(({ text }) => isSoft(text));
  return words.map(({ text, chunk, isFirst }, place) => {
    const count = chunk.words.length;
    const pair = `${text}${words[place + 1]?.text ?? ''}`;
    return {
      text,
      isSoft: !isAllSoft && isSoft(text),
      code: isFirst && place + count <= words.length ? { text: chunk.code, count } : null,
      pair: place + 1 < words.length && pair.length >= LEAST_PAIR ? { text: pair, count: 2 } : null,
    };
  });
}

/** EURUSD as EUR and USD, US10Y as US and 10Y. */
function parted(word: string, { currencies, countries }: Joinable): readonly string[] {
  const [one, other] = [word.slice(0, 3), word.slice(3)];
  if (word.length === 6 && currencies.has(one) && currencies.has(other)) return [one, other];
  const [, place = '', span = ''] = /^([a-z]{2})(\d{1,2}[ymw])$/.exec(word) ?? [];
  return countries.has(place) ? [place, span] : [word];
}
