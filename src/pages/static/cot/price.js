// The price over the positions of a contract: the first series of its list that has values in these weeks.
import { getText } from '../api.js';
import { useAsked } from '../components.js';
import { parseCsv } from '../tables/csv.js';
import { unitText } from '../numbers.js';
import { useOnce } from '../once.js';

const NONE = [];
const MOST_ROWS = 100_000;

/**
 * `code`: the market code of the contract; `as_of` limits the prices to those known then.
 * → { label, unit, frequency, indicatorId, sourceId, prices: [{ day, value }], params }; null if the contract has no price, or until the price has arrived.
 */
export function useContractPrice(code, { start_date, end_date, as_of }) {
  const choices = useOnce('/pages/contract-prices.json')?.[code] ?? NONE;
  const ask = async (path, _params, options) => {
    for (const choice of choices) {
      const found = await priceOf(path, choice, { start_date, end_date, as_of }, options);
      if (found !== null) return found;
    }
    return { price: null };
  };
  const found = useAsked(choices.length === 0 ? null : '/observations', { code, start_date, end_date, as_of }, ask);
  return found.answer?.price ?? null;
}

async function priceOf(path, { indicatorId, sourceId, frequency, label }, { start_date, end_date, as_of }, options) {
  const params = { indicator_id: indicatorId, source_id: sourceId, frequency, start_date, end_date, as_of };
  const bulk = { format: 'csv', columns: 'period_end,actual,unit', limit: MOST_ROWS };
  const { text } = await getText(path, { ...params, ...bulk }, options);
  const [, ...rows] = parseCsv(text);
  const prices = rows.map(([day, actual]) => ({ day, value: actual === '' ? null : Number(actual) }));
  if (prices.every(({ value }) => value === null)) return null;
  return { price: { label, unit: unitOf(rows.at(-1)[2], indicatorId), frequency, indicatorId, sourceId, prices, params } };
}

/** For people: of an exchange rate with the code of its currency. */
function unitOf(unit, indicatorId) {
  const currency = /^cur_([a-z]{3})_/.exec(indicatorId)?.[1].toUpperCase();
  return unitText(unit).replace('national currency', currency ?? 'national currency');
}
