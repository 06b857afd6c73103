// The random draws of a simulation: the same for the same seed.
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { mersenne } from 'pure-rand/generator/mersenne';

export interface Random {
  /** At least 0, below 1. */
  readonly uniform: () => number;
  readonly exponential: (mean: number) => number;
  readonly lognormal: (spread: Lognormal) => number;
  /** Ranks from 0, below `bound`, the first one the most likely: the continuous counterpart of Zipf's law, which needs no table. */
  readonly zipf: (exponent: number, bound: number) => number;
  /** An index of `weights`, with the probability of its weight. */
  readonly choice: (weights: readonly number[]) => number;
}

/** By the logarithms of the draws. */
export interface Lognormal {
  readonly mean: number;
  readonly deviation: number;
}

/** The 99th percentile of the standard normal distribution. */
const Z99 = 2.326_347_874;

export function openRandom(seed: number): Random {
  const generator = mersenne(seed);
  const uniform = () => uniformFloat64(generator);
  // Of 1 - u, which is never 0.
  const exponential = (mean: number) => -mean * Math.log1p(-uniform());
  const normal = () => Math.sqrt(2 * exponential(1)) * Math.cos(2 * Math.PI * uniform());
  return {
    uniform,
    exponential,
    lognormal: ({ mean, deviation }) => Math.exp(mean + deviation * normal()),
    zipf: (exponent, bound) => {
      const power = 1 - exponent;
      const drawn = uniform();
      const reach = exponent === 1 ? (bound + 1) ** drawn : (1 + drawn * ((bound + 1) ** power - 1)) ** (1 / power);
      return Math.min(bound - 1, Math.floor(reach) - 1);
    },
    choice: (weights) => {
      let left = uniform() * weights.reduce((sum, weight) => sum + weight, 0);
      const found = weights.findIndex((weight) => (left -= weight) < 0);
      return found < 0 ? weights.length - 1 : found;
    },
  };
}

/** The distribution with this median and 99th percentile. */
export function lognormalOf(p50: number, p99: number): Lognormal {
  return { mean: Math.log(p50), deviation: Math.max(0, Math.log(p99 / p50) / Z99) };
}
