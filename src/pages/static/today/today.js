// What became known within some days: releases beside what was expected, and revisions series by series.
import { groupedBy } from '../tables/groups.js';

/** Columns of the two questions. */
export const RELEASE_COLUMNS =
  'indicatorId,indicatorName,country,sourceId,frequency,importance,unit,period,periodEnd,actual,revised,previous,revisedPrevious,consensus,surprise,observedAt,observationId,preferredForFactor,scoringEligible,factorKey';
export const CHANGE_COLUMNS =
  'indicatorId,indicatorName,country,sourceId,importance,unit,period,periodEnd,actual,priorActual,changeType,observedAt,observationId,factorKey';

/** Of the most revised series. Without the identifier of each row, which takes most of a long answer. */
export const REVISION_COLUMNS =
  'indicatorId,indicatorName,country,sourceId,importance,unit,period,periodEnd,actual,priorActual,changeType,observedAt';

/** Frequencies that have a baseline forecast. */
const FORECAST = ['monthly', 'quarterly'];

const difference = (a, b) => (a === null || b === null || a === undefined || b === undefined ? null : Number((a - b).toPrecision(12)));

const RANKS = ['high', 'medium', 'low'];
/** The important ones first; those whose importance is unknown last. */
const byImportance = (a, b) => rankOf(a) - rankOf(b);
const rankOf = ({ importance }) => (RANKS.includes(importance) ? RANKS.indexOf(importance) : RANKS.length);

/** Of `useNames`, until they are there. */
const NO_PLACES = { entities: {}, indicators: {} };
/** As in the ranking of the search. The largest change counts as much as the first place of an indicator. */
const WEIGHTS = { entity: 0.2, indicator: 0.06, size: 0.06 };
const MOST_PLACES = 50;
const ofPlace = (place) => (place === undefined ? 0 : 1 - Math.min(place - 1, MOST_PLACES) / (MOST_PLACES + 1));

/** How much a row of some importance weighs: by its country and indicator in the ranking of the search, and by the size of its change, from -1 to 3. */
function weightOf({ country, factorKey }, { entities, indicators }, size) {
  const [entity, indicator] = [ofPlace(entities[(country ?? '').toLowerCase()]), ofPlace(indicators[factorKey])];
  return WEIGHTS.entity * entity + WEIGHTS.indicator * indicator + (WEIGHTS.size * (size + 1)) / 4;
}

/** How far two values are apart, as a share of the larger of them: from 0 to 2. */
function apart(one, other) {
  const level = Math.max(Math.abs(one), Math.abs(other));
  return level === 0 ? 0 : Math.abs(one - other) / level;
}

/** The surprise of a release as a share of its level; without a survey its distance from the baseline, without one the revision of its previous value. */
function surpriseOf({ actual, surprise, beyondBaseline, previous, revisedPrevious }) {
  const beyond = surprise ?? beyondBaseline ?? null;
  if (beyond !== null && actual !== null) return apart(actual, actual - beyond);
  return isNumber(previous) && isNumber(revisedPrevious) ? apart(previous, revisedPrevious) : -1;
}
const isNumber = (value) => typeof value === 'number';

/**
 * Newest rows → one for each indicator and period, of the preferred source, in the order of `releasesInOrder`. A revised value is no release, and
 * its distance from the consensus no surprise: it stands among the revisions.
 */
export function releasedOf(rows, places = NO_PLACES) {
  const byPeriod = groupedBy(rows, ({ indicatorId, period }) => `${indicatorId} ${period}`);
  const chosen = [...byPeriod.values()].map((some) => some.find(({ preferredForFactor }) => preferredForFactor) ?? some[0]);
  return releasesInOrder(
    chosen.filter(({ revised }) => revised !== true),
    places,
  );
}

/**
 * By importance; then the eligible ones, the country and indicator by their `places` in the ranking of the search together with the surprise relative to the
 * level, and the newest come first.
 */
export function releasesInOrder(released, places = NO_PLACES) {
  const weight = (row) => weightOf(row, places, surpriseOf(row));
  return released.toSorted(
    (a, b) =>
      byImportance(a, b) ||
      Number(b.scoringEligible) - Number(a.scoringEligible) ||
      weight(b) - weight(a) ||
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
export function changesIn([heads, ...lines], columns = CHANGE_COLUMNS) {
  const names = columns.split(',');
  if (heads === undefined) return [];
  return lines.map((cells) => {
    const row = Object.fromEntries(names.map((name, at) => [name, cells[at] === '' ? null : cells[at]]));
    return { ...row, actual: numberIn(row.actual), priorActual: numberIn(row.priorActual) };
  });
}

const numberIn = (text) => (text === null ? null : Number(text));

/**
 * Changes → one row for each revised series, by importance, then by `places` together with the change relative to the level, a withdrawn value counting as the largest: { indicatorId, indicatorName, country, sourceId, importance, unit, periods, period,
 * before, after, change, observedAt, observationId }; the last seven are of its newest revised period. A period revised twice counts once, from its first
 * value to its last.
 */
export function revisedOf(changes, places = NO_PLACES) {
  const weight = (row) => weightOf(row, places, sizeOf(row));
  return revisedPeriodsOf(changes)
    .map((periods) => {
      const newest = periods.toSorted((a, b) => (a.periodEnd < b.periodEnd ? 1 : -1))[0];
      return { ...newest, periods: periods.length };
    })
    .toSorted((a, b) => byImportance(a, b) || weight(b) - weight(a) || b.periods - a.periods || (a.indicatorId < b.indicatorId ? -1 : 1));
}

/** The revised periods of each series, each from its first value to its last. */
function revisedPeriodsOf(changes) {
  const revisions = changes.filter(({ changeType, actual, priorActual }) => changeType === 'revise' && actual !== priorActual);
  const series = [...groupedBy(revisions, ({ indicatorId, sourceId }) => `${indicatorId} ${sourceId}`).values()];
  return series.map((rows) =>
    [...groupedBy(rows, ({ period }) => period).values()].map((prints) => {
      const [{ priorActual: before }, last] = [prints[0], prints.at(-1)];
      return { ...last, before, after: last.actual, change: difference(last.actual, before) };
    }),
  );
}

/**
 * Changes → one row for each revised series, the largest revision first: as of `revisedOf`, but of the period that changed most, with `percent`, its change
 * in percent of the larger of both values. It is null, and last, for a value that was withdrawn or that is the first one.
 */
export function mostRevisedOf(changes) {
  const percentOf = ({ before, after }) => (isNumber(before) && isNumber(after) ? 100 * apart(before, after) : null);
  const bySize = (a, b) => (b.percent ?? -1) - (a.percent ?? -1) || (a.periodEnd < b.periodEnd ? 1 : -1);
  return revisedPeriodsOf(changes)
    .map((periods) => ({ ...periods.map((one) => ({ ...one, percent: percentOf(one) })).toSorted(bySize)[0], periods: periods.length }))
    .filter(({ percent }) => percent !== 0)
    .toSorted((a, b) => bySize(a, b) || (a.indicatorId < b.indicatorId ? -1 : 1));
}

/** A withdrawn value, and one where there was none, count as the largest changes; as ranks, because two infinities have no difference. */
const sizeOf = ({ before, after }) => (isNumber(before) && isNumber(after) ? apart(before, after) : 3);
