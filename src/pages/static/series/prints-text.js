// The prints of a period in few words.
import { textsBeside } from '../numbers.js';

const MOST_LISTED = 4;

/** Prints in order → all of them if they are few, otherwise the smallest and the largest; '' if no value was known. */
export function betweenText(prints) {
  const values = prints.map(({ value }) => value);
  const numbers = values.filter((value) => value !== null);
  const texts = textsBeside(numbers);
  if (values.length <= MOST_LISTED) return `: ${values.map((value) => texts.get(value) ?? 'none').join(', ')}`;
  return numbers.length === 0 ? '' : ` from ${texts.get(Math.min(...numbers))} to ${texts.get(Math.max(...numbers))}`;
}
