// The view of a series that opens if its address has no state of the view.

/** Parameters of a view. An address with any of them shows what it says. */
const STATE = ['transform', 'range', 'period_end', 'pins', 'over', 'a', 'b', 'until'];
export const isBare = (params) => STATE.every((name) => !params[name]) && [undefined, '', 'level'].includes(params.mode);

/** Units of quantities, which have changes; rates and balances are compared as they are. */
const QUANTITY = /^(?:thousands|persons|index)$|_(?:millions|billions)(?:_|$)/;
/** Already a change from a month, a quarter or a year before. */
const IS_CHANGE = /_(?:mom|qoq|yoy)(?:_|$)/;
const FREQUENCIES = ['monthly', 'quarterly'];

/**
 * The vintages of a level nearly coincide over many years: what was revised is seen in its changes of a few. → parameters to add to those of the address,
 * none for other series.
 */
export function usualView(series, params) {
  const { unit, category, canonicalIndicatorId, indicatorId, frequency, vintageCount, observationCount } = series;
  if (!isBare(params)) return {};
  const isLevel =
    QUANTITY.test(unit) &&
    category !== 'sentiment' &&
    !IS_CHANGE.test(canonicalIndicatorId ?? indicatorId) &&
    FREQUENCIES.includes(frequency);
  return isLevel && vintageCount > observationCount ? { transform: 'change', range: '3' } : {};
}
