// A line the size of a word: the course of a series in the row of a table. A gap stays a gap.
import { html } from './lib/preact.js';
import { numberText } from './numbers.js';

const [WIDTH, HEIGHT, EDGE] = [110, 26, 3];

/** `points`: [{ periodEnd, value }] in order; `from` and `to` are the ends of the axis that all lines of the table share. */
export function Sparkline({ points, from, to }) {
  const known = points.filter(({ value }) => value !== null);
  if (known.length < 2) return null;
  const values = known.map(({ value }) => value);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const [start, end] = [Date.parse(from), Date.parse(to)];
  const x = ({ periodEnd }) => EDGE + ((Date.parse(periodEnd) - start) / (end - start)) * (WIDTH - 2 * EDGE);
  const y = ({ value }) => (high === low ? HEIGHT / 2 : HEIGHT - EDGE - ((value - low) / (high - low)) * (HEIGHT - 2 * EDGE));
  const path = points.map((point, at) => {
    if (point.value === null) return '';
    const isFirst = at === 0 || points[at - 1].value === null;
    return `${isFirst ? 'M' : 'L'}${x(point).toFixed(1)} ${y(point).toFixed(1)}`;
  });
  const last = known.at(-1);
  const label = `${numberText(values[0])} in ${known[0].periodEnd.slice(0, 7)}, ${numberText(last.value)} in ${last.periodEnd.slice(0, 7)}, between ${numberText(low)} and ${numberText(high)}`;
  return html`<svg class="sparkline" width=${WIDTH} height=${HEIGHT} role="img" aria-label=${label}>
    <title>${label}</title>
    <path d=${path.join('')} />
    <circle cx=${x(last)} cy=${y(last)} r="2" />
  </svg>`;
}
