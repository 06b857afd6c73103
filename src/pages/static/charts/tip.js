// The rows of the box beside the pointer of a chart.
import { publishedText } from '../numbers.js';

/** Lines in the order of a text: the marks first, which are drawn last. */
export const marksFirst = (lines) => [...lines.filter(({ isDots = false }) => isDots), ...lines.filter(({ isDots = false }) => !isDots)];

/**
 * → [[class, text]]: each line with a value at this index. `values`: of all lines at the index; `units`: of the left and the right axis. If there is a line of
 * another series, the rows of the own series come first, below `head`, which names it.
 */
export function tipRows({ lines, values, units, head }) {
  const told = lines.flatMap(({ label, kind, isRight = false, isOther = false, isDots = false }, at) => {
    const value = values[at];
    if (kind === 'thin' || kind === 'zero' || value === null || value === undefined) return [];
    return [{ isOther, isDots, row: [kind, `${label}: ${publishedText(value)} ${units[Number(isRight)]}`.trim()] }];
  });
  if (told.length === 0) return [['none', 'no value']];
  const rows = (wanted) =>
    marksFirst(told)
      .filter(({ isOther }) => isOther === wanted)
      .map(({ row }) => row);
  const own = rows(false);
  const isNamed = head !== undefined && own.length > 0 && lines.some(({ isOther }) => isOther);
  return [...(isNamed ? [['head', head]] : []), ...own, ...rows(true)];
}
