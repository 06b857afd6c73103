// What became known within some days: releases beside what was expected, and revisions series by series.
import { groupedBy } from './groups.js';

/** Columns of the two questions. */
export const RELEASE_COLUMNS =
  'indicatorId,indicatorName,country,sourceId,frequency,unit,period,periodEnd,actual,previous,revisedPrevious,consensus,surprise,observedAt,observationId,preferredForFactor,scoringEligible';
export const CHANGE_COLUMNS =
  'indicatorId,indicatorName,country,sourceId,unit,period,periodEnd,actual,priorActual,changeType,observedAt,observationId';

/** Frequencies that have a baseline forecast. */
const FORECAST = ['monthly', 'quarterly'];

const difference = (a, b) => (a === null || b === null || a === undefined || b === undefined ? null : Number((a - b).toPrecision(12)));

/** Newest rows → one for each indicator and period, the preferred source first; eligible rows, then the newest, come first. */
export function releasedOf(rows) {
  const byPeriod = groupedBy(rows, ({ indicatorId, period }) => `${indicatorId} ${period}`);
  const chosen = [...byPeriod.values()].map((some) => some.find(({ preferredForFactor }) => preferredForFactor) ?? some[0]);
  return chosen.toSorted(
    (a, b) =>
      Number(b.scoringEligible) - Number(a.scoringEligible) ||
      (a.observedAt === b.observedAt ? (a.indicatorId < b.indicatorId ? -1 : 1) : a.observedAt < b.observedAt ? 1 : -1),
  );
}

/** The indicators to ask for a forecast, at most `most` of them. */
export function forecastable(rows, most) {
  return [...new Set(rows.filter(({ frequency }) => FORECAST.includes(frequency)).map(({ indicatorId }) => indicatorId))].slice(0, most);
}

/** Adds `baseline`, the forecast that was made of the same period, and how far the value is from it; null without one. */
export function besideBaseline(released, forecasts) {
  const keyOf = (row, period) => `${row.indicatorId} ${row.sourceId} ${period}`;
  const byPeriod = new Map(forecasts.filter(({ forecast }) => forecast !== null).map((row) => [keyOf(row, row.forecastPeriod), row]));
  return released.map((row) => {
    const found = byPeriod.get(keyOf(row, row.period));
    return {
      ...row,
      baseline: found?.forecast ?? null,
      beyondBaseline: difference(row.actual, found?.forecast),
      isOutside: found !== undefined && row.actual !== null && (row.actual < found.forecastLower || row.actual > found.forecastUpper),
    };
  });
}

/** Lines of a CSV with these columns → changes. */
export function changesIn([heads, ...lines]) {
  const names = CHANGE_COLUMNS.split(',');
  if (heads === undefined) return [];
  return lines.map((cells) => {
    const row = Object.fromEntries(names.map((name, at) => [name, cells[at] === '' ? null : cells[at]]));
    return { ...row, actual: numberIn(row.actual), priorActual: numberIn(row.priorActual) };
  });
}

const numberIn = (text) => (text === null ? null : Number(text));

/**
 * Changes → one row for each revised series, the one with most revised periods first: { indicatorId, indicatorName, country, sourceId, unit, periods, period,
 * before, after, change, observedAt, observationId }; the last seven are of its newest revised period. A period revised twice counts once, from its first
 * value to its last.
 */
export function revisedOf(changes) {
  const revisions = changes.filter(({ changeType, actual, priorActual }) => changeType === 'revise' && actual !== priorActual);
  const series = [...groupedBy(revisions, ({ indicatorId, sourceId }) => `${indicatorId} ${sourceId}`).values()];
  return series
    .map((rows) => {
      const periods = [...groupedBy(rows, ({ period }) => period).values()];
      const newest = periods.toSorted((a, b) => (a[0].periodEnd < b[0].periodEnd ? 1 : -1))[0];
      const [first, last] = [newest[0], newest.at(-1)];
      return {
        ...last,
        periods: periods.length,
        before: first.priorActual,
        after: last.actual,
        change: difference(last.actual, first.priorActual),
      };
    })
    .toSorted((a, b) => b.periods - a.periods || (a.indicatorId < b.indicatorId ? -1 : 1));
}
