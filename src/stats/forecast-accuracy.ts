// Accuracy of forecasts against actual values: Hyndman & Koehler (2006), IJF 22(4), 679-688, and for intervals Gneiting & Raftery (2007), JASA 102, 359-378.

export interface Outcome {
  readonly actual: number;
  readonly forecast: number;
  readonly lower: number;
  readonly upper: number;
  /** The forecast of the random walk. */
  readonly naive: number;
  /** Mean absolute (seasonal) difference within the history behind the forecast. */
  readonly scale: number;
}

export interface Accuracy {
  /** Mean absolute scaled error. */
  readonly mase: number;
  readonly naiveMase: number;
  /** Root mean squared error over that of the random walk. */
  readonly rmseRatio: number;
  /** Share of outcomes within the interval, ends included. */
  readonly coverage: number;
  /** Mean scaled interval score: the width, plus 2 / (1 − level) times the distance of an outcome outside, divided by the scale. */
  readonly msis: number;
}

/** Outcomes whose history never moved have no scale and do not count in the scaled means. A measure without data is null. */
export function accuracyOf(outcomes: readonly Outcome[], level: number): { readonly [Measure in keyof Accuracy]: number | null } {
  const scaled = outcomes.filter(({ scale }) => scale > 0);
  const naiveSquares = mean(outcomes, ({ actual, naive }) => (actual - naive) ** 2);
  const squares = mean(outcomes, ({ actual, forecast }) => (actual - forecast) ** 2);
  return {
    mase: mean(scaled, ({ actual, forecast, scale }) => Math.abs(actual - forecast) / scale),
    naiveMase: mean(scaled, ({ actual, naive, scale }) => Math.abs(actual - naive) / scale),
    rmseRatio: squares !== null && naiveSquares !== null && naiveSquares > 0 ? Math.sqrt(squares / naiveSquares) : null,
    coverage: mean(outcomes, (outcome) => (isCovered(outcome) ? 1 : 0)),
    msis: mean(scaled, (outcome) => intervalScore(outcome, level) / outcome.scale),
  };
}

export function isCovered({ actual, lower, upper }: Outcome): boolean {
  return actual >= lower && actual <= upper;
}

function intervalScore({ actual, lower, upper }: Outcome, level: number): number {
  const outside = Math.max(0, lower - actual) + Math.max(0, actual - upper);
  return upper - lower + (2 / (1 - level)) * outside;
}

function mean<Row>(rows: readonly Row[], of: (row: Row) => number): number | null {
  return rows.length === 0 ? null : rows.reduce((sum, row) => sum + of(row), 0) / rows.length;
}
