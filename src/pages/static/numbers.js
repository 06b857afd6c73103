// Numbers and units as people read them, in tables, charts and their tooltips.

const EXACT = new Intl.NumberFormat('en', { maximumSignificantDigits: 12 });
const WHOLE = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const TENTHS = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
const ROUNDED = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });
const LARGE = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 });
/** A rate of a publisher has no more digits. A computed number has, and few of them mean anything. */
const MOST_DIGITS = 4;
const LEAST_LARGE = 1e9;
const MILLION = 1e6;

/** The interface's value with grouped digits and without rounding. */
export function exactText(value) {
  return typeof value === 'number' ? EXACT.format(value) : String(value);
}

/** For people: a short number as it is, a long one rounded (13.7, 29,194, 3.79T). */
export function numberText(value) {
  if (typeof value !== 'number') return String(value);
  if (Math.abs(value) >= LEAST_LARGE) return LARGE.format(value);
  if (Number.isInteger(value)) return WHOLE.format(value);
  const exact = EXACT.format(value);
  if (exact.replace(/[^\d.]/g, '').replace(/^0\.0*|\./g, '').length <= MOST_DIGITS) return exact;
  if (Math.abs(value) >= 1000) return WHOLE.format(value);
  return Math.abs(value) >= 100 ? TENTHS.format(value) : ROUNDED.format(value);
}

/** A count in short from a million on: 410M. */
export const shortText = (value) => (Math.abs(value) >= MILLION ? LARGE.format(value) : numberText(value));

/** Publishers write at most so many digits. A number with more is computed. */
const MOST_PUBLISHED = 9;

/** A published number as the publisher wrote it; a computed one, which has more digits, as `numberText`. */
export function publishedText(value) {
  if (typeof value !== 'number' || Number.isInteger(value)) return exactText(value);
  const digits = EXACT.format(value).replace(/\D/g, '').replace(/^0+/, '');
  return digits.length <= MOST_PUBLISHED ? exactText(value) : numberText(value);
}

const decimalsOf = (text) => /\.(\d+)$/.exec(text)?.[1].length ?? 0;

/** Two or three digits for a small number, two decimals for a rate, one for an index. */
const SIZES = [
  [100_000, 0],
  [100, 1],
  [0.1, 2],
  [0.01, 3],
  [0.001, 4],
];
const decimalsOfSize = (size) => SIZES.find(([least]) => size >= least)?.[1] ?? 6;

/** The decimals of all numbers of a column, by the size of the median one; no more than they have. */
export function decimalsOfAll(values) {
  const numbers = values.filter((value) => typeof value === 'number' && value !== 0 && Math.abs(value) < LEAST_LARGE);
  if (numbers.length === 0) return 0;
  const sizes = numbers.map(Math.abs).sort((a, b) => a - b);
  const given = numbers.reduce((most, value) => Math.max(most, decimalsOf(EXACT.format(value))), 0);
  return Math.min(given, decimalsOfSize(sizes[Math.floor(sizes.length / 2)]));
}

const formats = new Map();

/** With just so many decimals; a large number in short. */
export function fixedText(value, decimals) {
  if (typeof value !== 'number') return String(value);
  if (Math.abs(value) >= LEAST_LARGE) return LARGE.format(value);
  if (!formats.has(decimals)) {
    const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
    formats.set(decimals, new Intl.NumberFormat('en', { ...digits, signDisplay: 'negative' }));
  }
  return formats.get(decimals).format(value);
}

/** With more decimals if it would read as zero; not the noise of binary fractions. */
function nonZeroText(value, decimals) {
  const counts = Array.from({ length: MOST_DECIMALS - decimals + 1 }, (_, more) => decimals + more);
  const enough = counts.find((count) => fixedText(value, count) !== fixedText(0, count));
  return fixedText(value, enough ?? decimals);
}

/**
 * The numbers of a column → the text of each: with common decimals, and in short from a million on if most of them are large. Only zero reads as
 * zero.
 */
export function textOfColumn(values) {
  const decimals = decimalsOfAll(values);
  const sizes = values.flatMap((value) => (typeof value === 'number' ? [Math.abs(value)] : [])).sort((a, b) => a - b);
  const isShort = sizes[Math.floor(sizes.length / 2)] >= LEAST_LARGE;
  return (value) => (isShort && Math.abs(value) >= MILLION ? LARGE.format(value) : nonZeroText(value, decimals));
}

/** The decimals of the numbers of a row, of which its unit has `most` elsewhere: a large row has fewer. */
export function decimalsOfRow(values, most) {
  const sizes = values.flatMap((value) => (typeof value === 'number' ? [Math.abs(value)] : []));
  return sizes.length === 0 ? most : Math.min(most, decimalsOfSize(Math.max(...sizes)));
}

/**
 * Numbers of one unit side by side → each with its text, with `decimals` or more: different numbers have different texts, and only zero reads as zero.
 * `largeText`: of a large number.
 */
export function textsApart(values, decimals, largeText = (value) => LARGE.format(value)) {
  const numbers = [...new Set(values.filter((value) => typeof value === 'number'))];
  const isLarge = (value) => Math.abs(value) >= LEAST_LARGE;
  const apart = new Set([...numbers, 0]).size;
  for (let count = decimals; count <= MOST_DECIMALS; count += 1) {
    const largeNow = count === decimals ? largeText : exactText;
    const texts = numbers.map((value) => (isLarge(value) ? largeNow(value) : fixedText(value, count)));
    if (new Set([...texts, fixedText(0, count)]).size === apart) return new Map(numbers.map((value, at) => [value, texts[at]]));
  }
  return new Map(numbers.map((value) => [value, WHOLLY.format(value)]));
}

/** Published numbers of one unit side by side → each with its text, with the decimals of the one that has the most. */
export function textsBeside(values) {
  const numbers = values.filter((value) => typeof value === 'number');
  return textsApart(numbers, Math.max(0, ...numbers.map((value) => decimalsOf(publishedText(value)))), publishedText);
}
const MOST_DECIMALS = 12;
/** Two different numbers differ in so many digits. */
const WHOLLY = new Intl.NumberFormat('en', { maximumSignificantDigits: 17 });

/** The unit of a difference: that of percentages is percentage points. */
export const differenceUnit = (unit) => (unit === '%' || unit === 'percent' ? 'percentage points' : unit);

/** How many of what: `1 indicator`, `2 indicators`; `plural` if that is not the singular with an s. */
export function counted(count, singular, plural = `${singular}s`) {
  return `${WHOLE.format(count)} ${count === 1 ? singular : plural}`;
}

/** Marks of an axis, in order: with as many decimals as tell one from the next. */
export function markTexts(marks) {
  const most = Math.max(...marks.map(Math.abs));
  const [size, sign] = most >= 1e12 ? [1e12, 'T'] : most >= 1e9 ? [1e9, 'B'] : most >= 1e7 ? [1e6, 'M'] : [1, ''];
  const step = marks.length > 1 ? (marks[1] - marks[0]) / size : 1;
  // A step of 0.25 needs two decimals, which its power of ten does not tell.
  const decimals = [0, 1, 2, 3, 4, 5, 6, 7, 8].find((count) => Math.abs(step * 10 ** count - Math.round(step * 10 ** count)) < 1e-6) ?? 8;
  const format = new Intl.NumberFormat('en', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
  return marks.map((mark) => (mark === 0 ? '0' : `${format.format(mark / size)}${sign}`));
}

/** A unit without the signs of an id: `usd_billions_chained` → `USD billions chained`. */
export function unitText(unit) {
  return unit.replaceAll('_', ' ').replace(/\b(usd|eur|gbp|jpy|chf|cny|cad)\b/g, (code) => code.toUpperCase());
}
