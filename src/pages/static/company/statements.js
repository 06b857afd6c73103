// Statements of one company as a table: one row per line, one column per period and filing.
import { textOfColumn } from '../numbers.js';

/**
 * Rows of the interface → { columns: [{ id, label, statement }], lines: [{ key, label, unit, cells: { column id: line } }] }, lines in the order of the
 * statements, columns newest first.
 */
export function tableOf(statements) {
  const columns = statements
    .map((statement) => ({ id: statement.statementId, label: `${statement.fiscalPeriod} ${statement.fiscalYear}`, statement }))
    .sort((a, b) => compare(b.statement, a.statement));
  const lines = new Map();
  // Each line has the place that it has in the newest statement with it; a line only in older ones follows its predecessor there.
  const order = [];
  for (const { id, statement } of columns) {
    let before = -1;
    for (const line of statement.lines) {
      const at = order.indexOf(line.key);
      if (at === -1) {
        before += 1;
        order.splice(before, 0, line.key);
        lines.set(line.key, { key: line.key, label: line.label, unit: line.unit, cells: {} });
      } else before = at;
      lines.get(line.key).cells[id] = line;
    }
  }
  return { columns, lines: order.map((key) => lines.get(key)) };
}

const compare = (a, b) => a.periodEnd.localeCompare(b.periodEnd) || a.observedAt.localeCompare(b.observedAt);

const MILLION = 1e6;

/** Unit → by what its numbers are divided: a million if one of them is that large, so that all lines of a unit stay comparable. */
export function scaleOf(lines) {
  const scales = new Map();
  for (const { unit, cells } of lines) {
    const isLarge = Object.values(cells).some(({ value }) => value !== null && Math.abs(value) >= MILLION);
    if (isLarge || !scales.has(unit)) scales.set(unit, isLarge ? MILLION : 1);
  }
  return scales;
}

/** Key of a line → the text of each of its numbers, in the scale of its unit: a line has one number of decimals. */
export function textsOf(lines, scales) {
  const valuesOf = ({ unit, cells }) => Object.values(cells).flatMap(({ value }) => (value === null ? [] : [value / scales.get(unit)]));
  return new Map(lines.map((line) => [line.key, textOfColumn(valuesOf(line))]));
}

const DAY_MS = 86_400_000;
const YEAR_DAYS = 365;
/** A year of 52 or 53 weeks ends some days from its nominal end. */
const MOST_SHIFT = 15;

const daysBetween = (from, to) => (Date.parse(to) - Date.parse(from)) / DAY_MS;
const lengthOf = ({ periodStart, periodEnd }) => (periodStart === null ? 0 : daysBetween(periodStart, periodEnd));

/**
 * The column of a period of the same length that ended a year earlier, or undefined. Only days tell it: four columns of twelve months have one fiscal year,
 * and a move of the year end gives one label to different months.
 */
function yearBefore({ statement }, columns) {
  const shiftOf = (one) => Math.abs(daysBetween(one.statement.periodEnd, statement.periodEnd) - YEAR_DAYS);
  const isAsLong = (one) => Math.abs(lengthOf(one.statement) - lengthOf(statement)) <= MOST_SHIFT;
  return columns.filter((one) => shiftOf(one) <= MOST_SHIFT && isAsLong(one)).toSorted((a, b) => shiftOf(a) - shiftOf(b))[0];
}

/** If two numbers of shares differ by this factor, figures per share do not compare. Splits have such factors; buybacks do not. */
const LEAST_SPLIT = 1.4;
/** A smaller figure per share has too few digits to tell a number of shares. */
const LEAST_EARNINGS = 0.05;

/** The shares that a column counts: as stated, else income divided by income per share; null if it has neither. */
function sharesIn(lines, id) {
  const valueOf = (key) => lines.find((line) => line.key === key)?.cells[id]?.value ?? null;
  const stated = lines.find(({ unit, cells }) => unit === 'shares' && (cells[id]?.value ?? 0) > 0);
  if (stated !== undefined) return stated.cells[id].value;
  const [income, perShare] = [valueOf('netIncome'), valueOf('epsDiluted') ?? valueOf('epsBasic')];
  return income === null || perShare === null || Math.abs(perShare) < LEAST_EARNINGS ? null : income / perShare;
}

/**
 * The number of shares divided by that of a year earlier, if they differ so much that figures per share do not compare, for example after a split. Null if
 * they compare, and for lines other than shares and figures per share.
 */
export function splitBetween({ unit }, column, columns, lines) {
  const earlier = yearBefore(column, columns);
  if (earlier === undefined || !/shares?$/.test(unit)) return null;
  const [now, before] = [sharesIn(lines, column.id), sharesIn(lines, earlier.id)];
  if (now === null || before === null) return null;
  const factor = now / before;
  return factor >= LEAST_SPLIT || factor <= 1 / LEAST_SPLIT ? factor : null;
}

/** The change of a line in percent from the same period a year earlier; null without both numbers in one unit, or if the earlier one is not positive. */
export function growthOf(line, column, columns) {
  const { id } = column;
  const [now, before] = [line.cells[id], line.cells[yearBefore(column, columns)?.id]];
  const [value, earlier] = [now?.value ?? null, before?.value ?? null];
  if (value === null || earlier === null || earlier <= 0 || now.unit !== before.unit) return null;
  return (100 * (value - earlier)) / earlier;
}

/** The days of share splits, from the ratio of each close: [{ day, ratio }], with ratio in new shares per old one. */
export function splitsOf(closes) {
  const ordered = closes.toSorted((a, b) => a.periodEnd.localeCompare(b.periodEnd));
  return ordered.flatMap(({ periodEnd, metadata }, at) => {
    const before = ordered[at - 1]?.metadata?.splitRatio ?? metadata.splitRatio;
    if (before === metadata.splitRatio) return [];
    return [{ day: periodEnd.slice(0, 10), ratio: Number((before / metadata.splitRatio).toPrecision(12)) }];
  });
}

/** The ends of this many quarters up to a day, oldest first. */
export function quarterEnds(day, count) {
  const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7))];
  const over = Math.floor((month - 1) / 3) * 3;
  return Array.from({ length: count }, (_, at) => new Date(Date.UTC(year, over - 3 * (count - 1 - at), 0)).toISOString().slice(0, 10));
}
