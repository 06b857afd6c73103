// Bars of a chart over time: no bar for zero, and room for the whole of the first and the last one. Also the ends of an axis without bars.

/** `data`: [xs, ...ys] of `lines`. A zero of a line of bars becomes null: its outline would look like a small value. */
export function withoutZeroBars(data, lines) {
  if (!lines.some(({ isBars = false }) => isBars)) return data;
  return data.map((values, at) => (at > 0 && lines[at - 1].isBars ? values.map((value) => (value === 0 ? null : value)) : values));
}

/** Half of the smallest distance between two of the xs; 0 with less than two. */
function halfStepOf(xs) {
  let least = Infinity;
  for (let at = 1; at < xs.length; at += 1) least = Math.min(least, xs[at] - xs[at - 1]);
  return Number.isFinite(least) ? least / 2 : 0;
}

/** The ends of an axis for bars at these xs: wider by half a step where it ends at the first or the last of them. */
export function widened(xs, min, max) {
  if (xs.length === 0 || min === null || max === null) return [min, max];
  const half = halfStepOf(xs);
  return [min === xs[0] ? min - half : min, max === xs.at(-1) ? max + half : max];
}

/** The ends of an axis over time. A single x is in the middle of two steps: uPlot would show 1000 days after it. */
export function endsOf(xs, min, max, step, hasRoom) {
  if (xs.length === 1) return [xs[0] - step, xs[0] + step];
  return hasRoom ? widened(xs, min, max) : [min, max];
}
