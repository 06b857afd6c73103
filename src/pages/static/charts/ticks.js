// The marks of a time axis: days, months, quarters or years of UTC, each at its first moment, wherever the visitor is. All times are seconds.

const DAY = 86_400;
/** As uPlot measures the distance of two marks; a mark stands at the real first day. */
const [MONTH, YEAR] = [30 * DAY, 365 * DAY];
const MONDAY = 4 * DAY;

const YEARS = [1, 2, 5, 10, 20, 50, 100, 200, 500].map((count) => count * YEAR);
const MONTHS = [1, 2, 3, 6].map((count) => count * MONTH);
const DAYS = [1, 2, 7, 14].map((count) => count * DAY);
const INCREMENTS = {
  day: [...DAYS, ...MONTHS, ...YEARS],
  month: [...MONTHS, ...YEARS],
  quarter: [3 * MONTH, 6 * MONTH, ...YEARS],
  year: YEARS,
};
const NAMES = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** The distances that two marks may have, for values of every `step`: 'day', 'month', 'quarter' or 'year'. */
export const incrementsOf = (step) => INCREMENTS[step];

/** The marks from `min` to `max`, both included, at one of these distances. */
export function marksBetween(min, max, increment) {
  if (increment < MONTH) {
    const offset = increment % (7 * DAY) === 0 ? MONDAY : 0;
    const first = Math.ceil((min - offset) / increment) * increment + offset;
    return Array.from({ length: Math.max(0, Math.floor((max - first) / increment) + 1) }, (_, at) => first + at * increment);
  }
  const months = increment < YEAR ? increment / MONTH : (12 * increment) / YEAR;
  const begin = new Date(min * 1000);
  const marks = [];
  for (let month = Math.floor((12 * begin.getUTCFullYear() + begin.getUTCMonth()) / months) * months; ; month += months) {
    const mark = Date.UTC(Math.floor(month / 12), month % 12, 1) / 1000;
    if (mark > max) return marks;
    if (mark >= min) marks.push(mark);
  }
}

/** The name of each mark, with the year in a second line where a year begins. */
export function markNames(marks, increment, step) {
  let before = null;
  return marks.map((mark) => {
    const date = new Date(mark * 1000);
    const year = date.getUTCFullYear();
    if (increment >= YEAR) return String(year);
    const [month, day] = [date.getUTCMonth(), date.toISOString().slice(5, 10)];
    const name = increment < MONTH ? day : step === 'quarter' ? `Q${month / 3 + 1}` : NAMES[month];
    const text = year === before ? name : `${name}\n${year}`;
    before = year;
    return text;
  });
}
