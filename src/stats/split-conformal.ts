/**
 * Half width of a prediction interval of the given level: the ⌈(m + 1) · level⌉-th smallest of m absolute errors of forecasts made without knowledge
 * of their outcomes; null if there are too few for the level. Assumes that past and future errors are exchangeable.
 * Vovk, Gammerman & Shafer (2005), Algorithmic Learning in a Random World; Lei et al. (2018), JASA 113(523), 1094-1111.
 */
export function splitConformalWidth(errors: ArrayLike<number>, level: number): number | null {
  // The product of an integer and a level such as 0.8 may be slightly above an integer.
  const rank = Math.ceil((errors.length + 1) * level - 1e-9);
  const sizes = Float64Array.from(errors, Math.abs).sort();
  return sizes[rank - 1] ?? null;
}

/** Widths per horizon, made non-decreasing: a farther period is not known better. */
export function nonDecreasing(widths: readonly number[]): number[] {
  let widest = 0;
  return widths.map((width) => {
    widest = Math.max(widest, width);
    return widest;
  });
}
