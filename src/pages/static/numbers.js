// Numbers and units as people read them, in tables, charts and their tooltips.

const EXACT = new Intl.NumberFormat('en', { maximumSignificantDigits: 12 });
const WHOLE = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const TENTHS = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
const ROUNDED = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });
const LARGE = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 });
/** A publisher's own number rarely has more digits. A computed one has, and few of them mean anything. */
const MOST_DIGITS = 6;
const LEAST_LARGE = 1e9;

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

/** Publishers write at most so many digits. A number with more is computed. */
const MOST_PUBLISHED = 9;

/** A published number as the publisher wrote it; a computed one, which has more digits, as `numberText`. */
export function publishedText(value) {
  if (typeof value !== 'number' || Number.isInteger(value)) return exactText(value);
  const digits = EXACT.format(value).replace(/\D/g, '').replace(/^0+/, '');
  return digits.length <= MOST_PUBLISHED ? exactText(value) : numberText(value);
}

/** Decimals of a long number with as many digits as a short one has at most. */
const decimalsLeft = (value) => Math.max(0, MOST_DIGITS - Math.max(1, Math.ceil(Math.log10(Math.abs(value) + 1))));
const decimalsOf = (text) => /\.(\d+)$/.exec(text)?.[1].length ?? 0;

/**
 * Numbers of one unit side by side → each with its text: all with the decimals of the one to which `textOf` gives the most, rounded to the digits of a
 * short number if `textOf` rounds. There are more decimals if two different numbers would look the same.
 */
export function textsBeside(values, textOf = numberText) {
  const numbers = [...new Set(values.filter((value) => typeof value === 'number'))];
  const isLarge = (value) => Math.abs(value) >= LEAST_LARGE;
  const given = Math.max(0, ...numbers.map((value) => decimalsOf(textOf(value))));
  const least = textOf === numberText ? Math.min(given, ...numbers.map(decimalsLeft)) : given;
  for (let decimals = least; decimals <= MOST_DECIMALS; decimals += 1) {
    const format = new Intl.NumberFormat('en', { maximumFractionDigits: decimals, signDisplay: 'negative' });
    const texts = numbers.map((value) => (isLarge(value) && decimals === least ? textOf(value) : format.format(value)));
    if (new Set(texts).size === numbers.length) return new Map(numbers.map((value, at) => [value, texts[at]]));
  }
  return new Map(numbers.map((value) => [value, WHOLLY.format(value)]));
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
