// Minimisers with a fixed number of steps: the same function gives the same point every time, whatever else runs.

const GOLDEN = (Math.sqrt(5) - 1) / 2;

/**
 * The minimum of a function of one variable within [lower, upper]: the best of `cells` + 1 evenly spaced points, then golden-section search
 * between its neighbours. Finds the global minimum if the function has one valley per two cells. Kiefer (1953), Proc. AMS 4(3), 502-506.
 */
export function goldenSection(objective: (x: number) => number, lower: number, upper: number, cells = 10, steps = 18): number {
  const cell = (upper - lower) / cells;
  let best = lower;
  let least = objective(lower);
  for (let index = 1; index <= cells; index += 1) {
    const x = lower + index * cell;
    const value = objective(x);
    if (value < least) [best, least] = [x, value];
  }
  let [from, to] = [Math.max(lower, best - cell), Math.min(upper, best + cell)];
  let [left, right] = [to - GOLDEN * (to - from), from + GOLDEN * (to - from)];
  let [atLeft, atRight] = [objective(left), objective(right)];
  for (let step = 0; step < steps; step += 1) {
    if (atLeft <= atRight) {
      [to, right, atRight] = [right, left, atLeft];
      left = to - GOLDEN * (to - from);
      atLeft = objective(left);
    } else {
      [from, left, atLeft] = [left, right, atRight];
      right = from + GOLDEN * (to - from);
      atRight = objective(right);
    }
  }
  const [x, value] = atLeft <= atRight ? [left, atLeft] : [right, atRight];
  return value < least ? x : best;
}

export type Point = readonly number[];

interface Vertex {
  readonly point: Point;
  readonly value: number;
}

/**
 * Nelder-Mead within a box, with outside points moved to its edge; from `start`, with a first simplex of edges `edges`, for `steps` steps.
 * Nelder & Mead (1965), Computer Journal 7(4), 308-313.
 */
export function nelderMead(
  objective: (point: Point) => number,
  box: { readonly lower: Point; readonly upper: Point },
  start: Point,
  edges: Point,
  steps: number,
): Point {
  const clamp = (point: Point) => point.map((x, i) => Math.min(box.upper[i] ?? x, Math.max(box.lower[i] ?? x, x)));
  const vertexAt = (point: Point): Vertex => {
    const inside = clamp(point);
    return { point: inside, value: objective(inside) };
  };
  const moved = start.map((_, i) => {
    const edge = edges[i] ?? 0;
    const isInside = (start[i] ?? 0) + edge <= (box.upper[i] ?? Infinity);
    return vertexAt(start.map((x, j) => (i === j ? x + (isInside ? edge : -edge) : x)));
  });
  let simplex = [vertexAt(start), ...moved].sort(byValue);
  for (let step = 0; step < steps; step += 1) simplex = stepped(simplex, vertexAt).sort(byValue);
  return simplex[0]?.point ?? start;
}

const byValue = (a: Vertex, b: Vertex) => a.value - b.value;

/** One step of the simplex, which is sorted best first. */
function stepped(simplex: readonly Vertex[], vertexAt: (point: Point) => Vertex): Vertex[] {
  const kept = simplex.slice(0, -1);
  const [best, worst, second] = [simplex[0], simplex.at(-1), simplex.at(-2)];
  if (best === undefined || worst === undefined || second === undefined) return [...simplex];
  const centre = best.point.map((_, i) => kept.reduce((sum, vertex) => sum + (vertex.point[i] ?? 0), 0) / kept.length);
  const along = (factor: number) => vertexAt(centre.map((x, i) => x + factor * ((worst.point[i] ?? 0) - x)));
  const reflected = along(-1);
  if (reflected.value < best.value) {
    const expanded = along(-2);
    return [...kept, expanded.value < reflected.value ? expanded : reflected];
  }
  if (reflected.value < second.value) return [...kept, reflected];
  const contracted = reflected.value < worst.value ? along(-0.5) : along(0.5);
  if (contracted.value < Math.min(reflected.value, worst.value)) return [...kept, contracted];
  const towardsBest = (vertex: Vertex) => vertexAt(vertex.point.map((x, i) => ((best.point[i] ?? 0) + x) / 2));
  return [best, ...simplex.slice(1).map(towardsBest)];
}
