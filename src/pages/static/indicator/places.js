// Places of the dots of a strip: along its axis by value, and beside each other where they would touch.

/** Values that span more than this many times the smallest read better on a logarithmic axis. */
const MOST_TIMES = 200;

/** → { at(value), marks, isLog }: the place of a value from 0 to 1, and the values to mark, at most about `most`. */
export function axisOf(values, most) {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  if (low > 0 && high / low > MOST_TIMES) return logAxis(low, high);
  const step = stepFor(low === high ? Math.abs(low) || 1 : high - low, most);
  const [first, last] = [Math.floor(low / step), Math.max(Math.ceil(high / step), Math.floor(low / step) + 1)];
  const marks = Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toPrecision(12)));
  return { at: (value) => (value / step - first) / (last - first), marks, isLog: false };
}

function logAxis(low, high) {
  const [first, last] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))];
  const marks = Array.from({ length: last - first + 1 }, (_, index) => Number((10 ** (first + index)).toPrecision(12)));
  return { at: (value) => (Math.log10(value) - first) / (last - first), marks, isLog: true };
}

/** 1, 2 or 5 times a power of ten. */
function stepFor(span, most) {
  const least = span / most;
  const power = 10 ** Math.floor(Math.log10(least));
  return power * ([1, 2, 5].find((times) => times * power >= least) ?? 10);
}

/** `xs` in ascending order → the row of each dot: 0 on the axis, 1 the next one above it. Dots of one row are at least `apart` from each other. */
export function stacked(xs, apart) {
  const ends = [];
  return xs.map((x) => {
    const free = ends.findIndex((end) => x - end >= apart);
    const row = free === -1 ? ends.length : free;
    ends[row] = x;
    return row;
  });
}
