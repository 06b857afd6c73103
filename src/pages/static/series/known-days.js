// The vintage days of a whole series, whatever periods its chart shows.

/** A CSV whose only column is the moment from which each print was known → its days. */
const daysIn = (text) =>
  text
    .split(/\r?\n/)
    .slice(1)
    .filter((line) => line !== '')
    .map((line) => line.slice(0, 10));

/** The vintage days of the shown periods, together with those in the text, in order. */
export const joinedDays = (shown, text) => [...new Set([...shown, ...daysIn(text)])].sort((a, b) => (a < b ? -1 : 1));

/** True if periods from this day on ('' for all) are all that the series has. */
export const isAllFrom = ({ firstPeriodEnd }, from) => from === '' || firstPeriodEnd === null || firstPeriodEnd >= from;

/** How many vintage days, from when to when. `gaps`: in words. */
export function daysText(days, isWhole, gaps) {
  const of = isWhole ? '' : ' of these periods';
  if (days.length === 1) return `One vintage day${of}, ${days[0]}`;
  return `${days.length} vintage days${of} from ${days[0]} to ${days.at(-1)}${gaps}`;
}
