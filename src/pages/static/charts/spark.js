// The geometry of a line the size of a word.

export const [WIDTH, HEIGHT, EDGE] = [110, 26, 3];

/**
 * `points`: [{ periodEnd, value }] in order, a value is null for a gap; `from` and `to` are the days at the ends of the axis. → { path, last: [x, y] }, the
 * last known point; null with less than two known values.
 */
export function sparkOf(points, from, to) {
  const known = points.filter(({ value }) => value !== null);
  if (known.length < 2) return null;
  const values = known.map(({ value }) => value);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const [start, end] = [Date.parse(from), Date.parse(to)];
  const x = ({ periodEnd }) => along(Date.parse(periodEnd), start, end, WIDTH);
  const y = ({ value }) => HEIGHT - along(value, low, high, HEIGHT);
  const path = points.map((point, at) => {
    if (point.value === null) return '';
    const isFirst = at === 0 || points[at - 1].value === null;
    return `${isFirst ? 'M' : 'L'}${x(point).toFixed(1)} ${y(point).toFixed(1)}`;
  });
  const last = known.at(-1);
  return { path: path.join(''), last: [x(last), y(last)] };
}

/** The place of a value between the ends of an axis, within the edges; in the middle if both ends are one. */
const along = (value, low, high, length) => (low === high ? length / 2 : EDGE + ((value - low) / (high - low)) * (length - 2 * EDGE));
