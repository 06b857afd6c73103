// Long times without a vintage: what changed within one is known only from its end.
import { quantile } from '../charts/vintages.js';

const DAY_MS = 86_400_000;
/** A gap is longer than this, and than so many usual distances of two vintages. */
const [LEAST_DAYS, TIMES] = [120, 4];
const MOST_NAMED = 2;

/** Vintage days in order → the gaps between them: [[from, to]]. */
export function gapsOf(days) {
  const apart = days.slice(1).map((day, at) => (Date.parse(day) - Date.parse(days[at])) / DAY_MS);
  if (apart.length < 2) return [];
  const usual = quantile(
    apart.toSorted((a, b) => a - b),
    0.5,
  );
  return apart.flatMap((count, at) => (count > Math.max(LEAST_DAYS, TIMES * usual) ? [[days[at], days[at + 1]]] : []));
}

/** The gaps after the words about the days, the longest of them first; '' without one. */
export function gapText(gaps) {
  if (gaps.length === 0) return '';
  const length = ([from, to]) => Date.parse(to) - Date.parse(from);
  const named = gaps.toSorted((a, b) => length(b) - length(a)).slice(0, MOST_NAMED);
  const more = gaps.length > named.length ? `, and ${gaps.length - named.length} more gaps` : '';
  return `, none between ${named.map(([from, to]) => `${from} and ${to}`).join(', nor between ')}${more}`;
}
