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

export type Point = ArrayLike<number>;

interface Vertex {
  readonly point: Float64Array;
  value: number;
}

/**
 * Nelder-Mead within a box, with outside points moved to its edge; from `start`, with a first simplex of edges `edges`, for `steps` steps. The
 * objective must not keep its point: a later step writes into it. Nelder & Mead (1965), Computer Journal 7(4), 308-313.
 */
export function nelderMead(
  objective: (point: Point) => number,
  box: { readonly lower: Point; readonly upper: Point },
  start: Point,
  edges: Point,
  steps: number,
): readonly number[] {
  const search = openSearch(objective, box, start.length);
  const first = Float64Array.from(start);
  const moved = Array.from(first, (x, i) => {
    const edge = edges[i] ?? 0;
    return search.vertexAt(first.with(i, x + (x + edge <= (box.upper[i] ?? Infinity) ? edge : -edge)));
  });
  const simplex = [search.vertexAt(first), ...moved];
  order(simplex);
  for (let step = 0; step < steps; step += 1) {
    search.step(simplex);
    order(simplex);
  }
  return Array.from(simplex[0]?.point ?? first);
}

/** Best first; equal ones keep their order. A simplex is nearly sorted, and has few vertices. */
function order(simplex: Vertex[]): void {
  for (let index = 1; index < simplex.length; index += 1) {
    const vertex = simplex[index];
    if (vertex === undefined) continue;
    let at = index;
    for (let before = simplex[at - 1]; at > 0 && before !== undefined && before.value > vertex.value; before = simplex[at - 1]) {
      simplex[at] = before;
      at -= 1;
    }
    simplex[at] = vertex;
  }
}

interface Search {
  readonly vertexAt: (point: Float64Array) => Vertex;
  /** One step of the simplex, which is sorted best first. It is left unsorted. */
  readonly step: (simplex: readonly Vertex[]) => void;
}

/** Its buffers are made once: a fit takes hundreds of steps, and a forecast many fits. */
function openSearch(
  objective: (point: Point) => number,
  { lower, upper }: { readonly lower: Point; readonly upper: Point },
  n: number,
): Search {
  const centre = new Float64Array(n);
  const trials = [0, 1].map((): Vertex => ({ point: new Float64Array(n), value: 0 }));
  const evaluate = (vertex: Vertex) => {
    const { point } = vertex;
    for (let i = 0; i < n; i += 1) {
      const x = point[i] ?? 0;
      point[i] = Math.min(upper[i] ?? x, Math.max(lower[i] ?? x, x));
    }
    vertex.value = objective(point);
  };
  const setCentre = (simplex: readonly Vertex[]) => {
    const kept = simplex.length - 1;
    for (let i = 0; i < n; i += 1) {
      let sum = 0;
      for (let vertex = 0; vertex < kept; vertex += 1) sum += simplex[vertex]?.point[i] ?? 0;
      centre[i] = sum / kept;
    }
  };
  const moveAlong = (vertex: Vertex, factor: number, worst: Vertex) => {
    for (let i = 0; i < n; i += 1) {
      const x = centre[i] ?? 0;
      vertex.point[i] = x + factor * ((worst.point[i] ?? 0) - x);
    }
    evaluate(vertex);
  };
  const become = (vertex: Vertex, other: Vertex) => {
    vertex.point.set(other.point);
    vertex.value = other.value;
  };
  const shrink = (simplex: readonly Vertex[], best: Vertex) => {
    for (let vertex = 1; vertex < simplex.length; vertex += 1) {
      const one = simplex[vertex];
      if (one === undefined) continue;
      for (let i = 0; i < n; i += 1) one.point[i] = ((best.point[i] ?? 0) + (one.point[i] ?? 0)) / 2;
      evaluate(one);
    }
  };
  return {
    vertexAt(point) {
      const vertex = { point, value: 0 };
      evaluate(vertex);
      return vertex;
    },
    step(simplex) {
      const [best, worst, second, [reflected, other]] = [simplex[0], simplex.at(-1), simplex.at(-2), trials];
      if (best === undefined || worst === undefined || second === undefined || reflected === undefined || other === undefined) return;
      setCentre(simplex);
      moveAlong(reflected, -1, worst);
      if (reflected.value < best.value) {
        moveAlong(other, -2, worst);
        become(worst, other.value < reflected.value ? other : reflected);
      } else if (reflected.value < second.value) become(worst, reflected);
      else {
        moveAlong(other, reflected.value < worst.value ? -0.5 : 0.5, worst);
        if (other.value < Math.min(reflected.value, worst.value)) become(worst, other);
        else shrink(simplex, best);
      }
    },
  };
}
