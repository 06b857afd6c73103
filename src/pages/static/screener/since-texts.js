// The texts of one field then, today and of its change, so that a row adds up.
import { decimalsOfAll, fixedText, numberText, textOfColumn } from '../numbers.js';

/**
 * `values`: all of the field, then and today. → { textOf, changeOf }. They have one number of decimals. `changeOf(then, today)` is the difference of the shown
 * numbers, so 4.69 and 5.54 differ by 0.85, whatever the next digits are.
 */
export function sinceTexts(values) {
  const [textOf, decimals] = [textOfColumn(values), decimalsOfAll(values)];
  const shown = (value) => Number(textOf(value).replaceAll(',', ''));
  const changeOf = (then, today) => {
    const change = shown(today) - shown(then);
    // Large numbers are in short: 3.79T.
    return Number.isNaN(change) ? numberText(today - then) : fixedText(change, decimals);
  };
  return { textOf, changeOf };
}
