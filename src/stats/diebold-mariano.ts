/** The 90 % quantile of the standard normal distribution. */
const NORMAL_TENTH = 1.2815515655446004;

/**
 * Diebold–Mariano test of one-step forecasts with the small-sample factor of Harvey, Leybourne & Newbold: true if the errors are
 * smaller in size than the others, one-sided at 10 %. The statistic is mean(d) / √(variance(d) / n) · √((n − 1) / n), with d the difference of
 * absolute errors and the variance divided by n; it is compared with Student's t with n − 1 degrees of freedom. Pairs with an infinite or missing
 * error are left out; fewer than eight pairs are no evidence. Diebold & Mariano (1995), JBES 13(3), 253-263; Harvey, Leybourne & Newbold (1997),
 * IJF 13(2), 281-291.
 */
export function isSignificantlyCloser(errors: ArrayLike<number>, thanErrors: ArrayLike<number>): boolean {
  const differences: number[] = [];
  for (let index = 0; index < errors.length; index += 1) {
    const difference = Math.abs(thanErrors[index] ?? Number.NaN) - Math.abs(errors[index] ?? Number.NaN);
    if (Number.isFinite(difference)) differences.push(difference);
  }
  const count = differences.length;
  if (count < FEWEST_PAIRS) return false;
  const mean = differences.reduce((sum, value) => sum + value, 0) / count;
  const variance = differences.reduce((sum, value) => sum + (value - mean) ** 2, 0) / count;
  if (variance === 0) return mean > 0;
  const statistic = (mean / Math.sqrt(variance / count)) * Math.sqrt((count - 1) / count);
  return statistic > studentTenth(count - 1);
}

const FEWEST_PAIRS = 8;

/** The 90 % quantile of Student's t: the expansion of Abramowitz & Stegun 26.7.5, within 0.0001 from seven degrees of freedom on. */
export function studentTenth(degrees: number): number {
  const z = NORMAL_TENTH;
  const terms = [
    (z ** 3 + z) / 4,
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96,
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384,
    (79 * z ** 9 + 776 * z ** 7 + 1482 * z ** 5 - 1920 * z ** 3 - 945 * z) / 92160,
  ];
  return terms.reduce((sum, term, index) => sum + term / degrees ** (index + 1), z);
}
