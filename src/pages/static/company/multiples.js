// The multiples of a company: names, place of a value among others, and the history that the grid draws.
import { textOfColumn } from '../numbers.js';
import { groupedBy } from '../tables/groups.js';
import { lastWholeDay } from './then.js';

/** Field of `multiples` → indicator, name. */
export const MULTIPLES = {
  priceToEarnings: ['price_to_earnings', 'Price to earnings'],
  priceToBook: ['price_to_book', 'Price to book'],
  priceToSales: ['price_to_sales', 'Price to sales'],
  priceToFreeCashFlow: ['price_to_free_cash_flow', 'Price to free cash flow'],
  priceToOperatingCashFlow: ['price_to_operating_cash_flow', 'Price to operating cash flow'],
  evToEbitda: ['ev_to_ebitda', 'Enterprise value to EBITDA'],
  evToEbit: ['ev_to_ebit', 'Enterprise value to EBIT'],
  evToSales: ['ev_to_sales', 'Enterprise value to sales'],
  evToFreeCashFlow: ['ev_to_free_cash_flow', 'Enterprise value to free cash flow'],
  earningsYield: ['earnings_yield', 'Earnings yield'],
  freeCashFlowYield: ['free_cash_flow_yield', 'Free cash flow yield'],
  dividendYield: ['dividend_yield', 'Dividend yield'],
  peg: ['peg', 'PEG'],
};

const isYield = (label) => label.endsWith('yield');

/** A value as people read it: a yield, which is a ratio, in percent. */
export const readAs = (label, value) => (isYield(label) && typeof value === 'number' ? 100 * value : value);
/** The unit of `readAs`, which a multiple lacks. */
export const unitRead = (label) => (isYield(label) ? '%' : '');

/** The multiples of a company → (field, name) → its text. Multiples have one number of decimals, and so have yields. */
export function textsIn(multiples) {
  const shown = (id, label) => readAs(label, multiples[id]);
  const all = Object.entries(MULTIPLES).map(([id, [, label]]) => ({ label, value: shown(id, label) }));
  const textOf = (yields) => textOfColumn(all.filter(({ label }) => isYield(label) === yields).map(({ value }) => value));
  const [multiple, percent] = [textOf(false), textOf(true)];
  return (id, label) => (isYield(label) ? `${percent(shown(id, label))} %` : multiple(shown(id, label)));
}

const YEARS = 10;

/** The question for the multiples as known at each month end of the last ten years. None of its days ends after the as-of. */
export function historyAsked(companyId, as_of, today) {
  const last = as_of === undefined ? today : lastWholeDay(as_of);
  return {
    factor: Object.values(MULTIPLES)
      .map(([indicator]) => indicator)
      .join(','),
    entity: companyId,
    from: `${Number(last.slice(0, 4)) - YEARS}${last.slice(4, 7)}-01`,
    to: last,
    every: 'month_end',
    format: 'csv',
    columns: 'date,factor,value',
  };
}

/** Lines of that CSV → indicator → its points [{ periodEnd, value }], oldest first. */
export function historyIn([heads, ...lines]) {
  if (heads === undefined) return new Map();
  const points = lines.map(([date, factor, value]) => ({ periodEnd: date, factor, value: value === '' ? null : Number(value) }));
  return groupedBy(points, ({ factor }) => factor);
}

/** The text below the tiles. `from`: the first month end of the lines, null without one; `hasSector`: a tile has a place in the sector. */
export function aboutLines({ from, as_of, hasSector }) {
  const sector = 'of the companies of the sector';
  if (from !== null)
    return `Choose a multiple to see each day below. The lines show month ends from ${from} on, at most ten years, each as known then. Own and sector say how many percent of those month ends, and ${sector}, are lower. With fewer than ${LEAST_MONTHS} month ends their number stands there instead.`;
  const none = `No multiple has a value at a month end${as_of ? ` that was known by ${as_of}` : ''}, so there are no lines.`;
  return hasSector ? `${none} Sector says how many percent ${sector} are lower.` : none;
}

/** Fewer month ends say little about the place of a value in its own history. */
export const LEAST_MONTHS = 12;

/** The share of values that are lower, ties by half, from 0 to 100. Null if there are fewer than `least` values. */
export function percentileOf(value, values, least = 2) {
  if (value === null || value === undefined || values.length < least) return null;
  const lower = values.filter((one) => one < value).length;
  const equal = values.filter((one) => one === value).length;
  return Math.round((100 * (lower + equal / 2)) / values.length);
}
