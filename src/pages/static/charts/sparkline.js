// A line the size of a word: the course of a series in the row of a table. A gap stays a gap.
import { html } from '../lib/preact.js';
import { numberText } from '../numbers.js';
import { HEIGHT, sparkOf, WIDTH } from './spark.js';

/** `points`: [{ periodEnd, value }] in order; `from` and `to` are the ends of the axis that all lines of the table share. */
export function Sparkline({ points, from, to }) {
  const spark = sparkOf(points, from, to);
  if (spark === null) return null;
  const known = points.filter(({ value }) => value !== null);
  const values = known.map(({ value }) => value);
  const last = known.at(-1);
  const label = `${numberText(values[0])} in ${known[0].periodEnd.slice(0, 7)}, ${numberText(last.value)} in ${last.periodEnd.slice(0, 7)}, between ${numberText(Math.min(...values))} and ${numberText(Math.max(...values))}`;
  return html`<svg class="sparkline" width=${WIDTH} height=${HEIGHT} role="img" aria-label=${label}>
    <title>${label}</title>
    <path d=${spark.path} />
    <circle cx=${spark.last[0]} cy=${spark.last[1]} r="2" />
  </svg>`;
}
