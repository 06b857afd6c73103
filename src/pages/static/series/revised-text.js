// How much the first prints of a series were revised, in words.
import { differenceUnit, numberText, unitText } from '../numbers.js';

/** `share` of the first prints was revised, `mean` is over all of them. → in words, null if there is no record. */
export function revisedText({ revisedShare: share, meanAbsRevision: mean, unit }) {
  if (share === null) return null;
  if (share === 0) return 'none so far';
  return `${numberText(Math.round(share * 1000) / 10)} %; these by ${numberText(mean / share)} ${differenceUnit(unitText(unit))} on average`;
}
