// The view of a series that opens if its address has no state of the view.

/** The parameters that say how to show a series. */
const STATE = ['transform', 'range', 'period_end', 'pins', 'over', 'a', 'b', 'until'];
export const isBare = (params) => STATE.every((name) => !params[name]) && [undefined, '', 'level'].includes(params.mode);

/** Units of quantities, which have changes; rates and balances are compared as they are. */
const QUANTITY = /^(?:thousands|persons|index)$|_(?:millions|billions)(?:_|$)/;
/** Already a change from a month, a quarter or a year before. */
const IS_CHANGE = /_(?:mom|qoq|yoy)(?:_|$)/;
const FREQUENCIES = ['monthly', 'quarterly'];

/**
 * Over many years, the vintages of a level nearly coincide. Its changes of a few years show the revisions. → the parameters to add to the address of a level
 * with revisions; none for other series.
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
