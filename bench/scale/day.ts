/** Assumed share of a day's requests by hour of the UTC day: offices in Europe, then in America. */
export const PERCENT_OF_DAY = [1, 1, 1, 1, 1.5, 2, 3.5, 5.5, 6.5, 7, 6.5, 6, 7, 8, 8, 7.5, 6.5, 5.5, 4.5, 3.5, 2.5, 2, 1.5, 1] as const;
