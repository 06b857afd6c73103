// Recessions behind a chart, as they were known: a committee dates the peak and the trough of a business cycle months or years later.

/** The first second of a month, at which its point stands, and the last one. */
const startOf = (month) => Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5, 7)) - 1, 1) / 1000;
const endOf = (month) => Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5, 7)), 1) / 1000 - 1;

const isKnown = (announced, moment) => moment === null || announced === null || `${announced}T23:59:59.999Z` <= moment;

/**
 * What was known at a moment (null: now) → [[from, to]], seconds: from the point of the month of the peak to that of the trough. Over days (`isOfDays`)
 * both are the ends of the months. While no trough was announced, a recession lasts to the moment, and today to the edge (null). Before 1980 nothing was announced: these recessions are shown at every
 * moment.
 */
export function shadesOf(recessions, moment, isOfDays = false) {
  const edgeOf = isOfDays ? endOf : startOf;
  return recessions
    .filter(({ peakAnnounced }) => isKnown(peakAnnounced, moment))
    .map(({ peak, trough, troughAnnounced }) => [
      edgeOf(peak),
      trough !== null && isKnown(troughAnnounced, moment) ? edgeOf(trough) : moment === null ? null : Date.parse(moment) / 1000,
    ]);
}
