/** Vintages of the generated lakes. */
export const SIZES = { small: 1_000_000, medium: 10_000_000, large: 100_000_000 } as const;
