// Cuts a text into the words by which a search compares it. A question and a name are cut alike.

const IS_PLAIN = /^[\x20-\x7e]*$/;
const ENDS_IN_S = /['’]s(?![\p{L}\p{N}])/gu;
const AND = /(?<=\p{L})&(?=\p{L})/gu;
const SINGLE_LETTER = /(?<![\p{L}\p{N}])(\p{L})[./'’]+(?=\p{L}(?![\p{L}\p{N}]))/gu;

/** Multiples of a price. Joined, their letters would be a country: PE is Peru, PS is Palestine. */
const PRICE_OVER = /(?<![\p{L}\p{N}])p\/(?:(e)|(b)|s)(?![\p{L}\p{N}])/gu;

/** Lower case without accents; letters that a sign separates are joined: U.S. is us, S&P is sp. P/E is price earnings. */
function folded(text: string): string {
  const lower = IS_PLAIN.test(text) ? text.toLowerCase() : text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toUpperCase().toLowerCase();
  // Most names have none of these signs.
  if (!/[&./'’]/.test(lower)) return lower;
  const spelled = lower.includes('p/')
    ? lower.replaceAll(
        PRICE_OVER,
        (_, e?: string, b?: string) => `price ${e !== undefined ? 'earnings' : b === undefined ? 'sales' : 'book'}`,
      )
    : lower;
  return spelled.replaceAll(ENDS_IN_S, '').replaceAll(AND, '').replaceAll(SINGLE_LETTER, '$1');
}

const SPELLED: Readonly<Record<string, string>> = {
  one: '1',
  two: '2',
  three: '3',
  five: '5',
  seven: '7',
  ten: '10',
  twenty: '20',
  thirty: '30',
};
const MAY_BE_SPAN = /(?:\d|one|two|three|five|seven|ten|twenty|thirty)[\s-]*[ymw]/;
const SPAN =
  /(?<![\p{L}\p{N}])(\d{1,3}|one|two|three|five|seven|ten|twenty|thirty)[\s-]*(?:(y)(?:ears?|rs?)?|(m)(?:onths?|ths?|os?)?|(w)(?:eeks?|ks?)?)(?![\p{L}\p{N}])/gu;

/** Ten years, 10-year and 10yr are 10y. */
function spansIn(text: string): string {
  if (!MAY_BE_SPAN.test(text)) return text;
  return text.replaceAll(SPAN, (_, count: string, year?: string, month?: string, week?: string) => {
    return ` ${SPELLED[count] ?? count}${year ?? month ?? week ?? ''} `;
  });
}

const SAME: Readonly<Record<string, string>> = {
  yy: 'yoy',
  mm: 'mom',
  qq: 'qoq',
  labour: 'labor',
  harmonised: 'harmonized',
  utilisation: 'utilization',
};

interface Chunk {
  readonly words: readonly string[];
  /** Without its signs: `FP.CPI.TOTL.ZG` is fpcpitotlzg. */
  readonly code: string;
}

const cut = (text: string): string => spansIn(folded(text));
const wordsIn = (part: string): readonly string[] => (IS_PLAIN.test(part) ? part.match(/[a-z0-9]+/g) : part.match(/[\p{L}\p{N}]+/gu)) ?? [];
const codeIn = (part: string): string => wordsIn(part).join('');

/** The parts between blanks. */
export function chunksOf(text: string): readonly Chunk[] {
  return cut(text)
    .split(/\s+/)
    .map((part) => ({ words: wordsIn(part).map((word) => SAME[word] ?? word), code: codeIn(part) }))
    .filter(({ words }) => words.length > 0);
}

/** The words of a text, in order. */
export const wordsOf = (text: string): readonly string[] => wordsIn(cut(text)).map((word) => SAME[word] ?? word);

export const codeOf = (text: string): string => codeIn(cut(text));

/** Longer endings come first. */
const ENDINGS = ['ments', 'ment', 'ings', 'ing', 'ers', 'ial', 'ees', 'ed', 'er', 'ee', 'ic', 'al', 'e', 'y'] as const;
const LEAST_STEM = 4;

/** The part that a word shares with its plural and its near relatives: unemployed and unemployment are unemploy. */
export function stemOf(word: string): string {
  if (word.length <= LEAST_STEM || /\P{L}/u.test(word)) return singular(word);
  const one = singular(word);
  const ending = ENDINGS.find((end) => one.endsWith(end) && one.length - end.length >= LEAST_STEM);
  return ending === undefined ? one : one.slice(0, one.length - ending.length);
}

function singular(word: string): string {
  if (word.length < 4 || !word.endsWith('s') || /(?:ss|us|is)$/.test(word)) return word;
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return /(?:ss|x|z|ch|sh)es$/.test(word) ? word.slice(0, -2) : word.slice(0, -1);
}

const SOFT: ReadonlySet<string> = new Set([
  'a',
  'all',
  'an',
  'and',
  'at',
  'by',
  'change',
  'current',
  'data',
  'figures',
  'for',
  'from',
  'growth',
  'historical',
  'history',
  'in',
  'index',
  'indicator',
  'indicators',
  'is',
  'latest',
  'level',
  'number',
  'numbers',
  'of',
  'on',
  'or',
  'over',
  'per',
  'rate',
  'rates',
  'report',
  'series',
  'statistics',
  'stats',
  'the',
  'to',
  'total',
  'versus',
  'vs',
  'what',
  'with',
]);

/** True for a word that says little. A question need not find it. */
export const isSoft = (word: string): boolean => SOFT.has(word) || /^\p{L}$/u.test(word);

const LIGHT: ReadonlySet<string> = new Set([
  'annual',
  'co',
  'company',
  'corp',
  'corporation',
  'group',
  'holding',
  'holdings',
  'inc',
  'item',
  'items',
  'limited',
  'llc',
  'ltd',
  'new',
  'plc',
  'published',
  'sa',
  'trust',
  'units',
]);

/** How much of a name a word is. */
export const weightOf = (word: string): number => (isSoft(word) ? 0.3 : LIGHT.has(word) ? 0.2 : 1);
