// What became known within some days: releases beside what was expected, and revisions series by series.
import { quantile } from '../charts/vintages.js';
import { groupedBy } from '../tables/groups.js';

/** Columns of the two questions. */
export const RELEASE_COLUMNS =
  'indicatorId,indicatorName,country,sourceId,frequency,importance,unit,period,periodEnd,actual,revised,previous,revisedPrevious,consensus,surprise,observedAt,observationId,preferredForFactor,scoringEligible,factorKey';
export const CHANGE_COLUMNS =
  'indicatorId,indicatorName,country,sourceId,importance,unit,period,periodEnd,actual,priorActual,changeType,observedAt,observationId,factorKey';

/** Of the most revised series. Without the identifier of each row, which takes most of a long answer. */
export const REVISION_COLUMNS =
  'indicatorId,indicatorName,country,sourceId,frequency,unit,period,periodEnd,actual,priorActual,changeType,observedAt,observationId';

/** Of the values before the revisions. */
export const HISTORY_COLUMNS = 'indicatorId,sourceId,frequency,periodEnd,actual';

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
export function changesIn(table, columns = CHANGE_COLUMNS) {
  return valuesIn(table, columns).map((row) => ({ ...row, priorActual: numberIn(row.priorActual) }));
}

/** Lines of a CSV with these columns → rows with texts, and with `actual` as a number. */
export function valuesIn([heads, ...lines], columns) {
  const names = columns.split(',');
  if (heads === undefined) return [];
  return lines.map((cells) => {
    const row = Object.fromEntries(names.map((name, at) => [name, cells[at] === '' ? null : cells[at]]));
    return { ...row, actual: numberIn(row.actual) };
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

/** A series of changes or of their history. */
const seriesOf = ({ indicatorId, sourceId, frequency }) => `${indicatorId} ${sourceId} ${frequency}`;

const absolute = ({ change }) => (change === null ? -1 : Math.abs(change));

/**
 * Changes → one row for each revised series, as of `revisedOf`, but of the period that changed most, the larger changes first: by `share`, the change as a
 * share of the larger of both values, or of 1 if they are smaller. A withdrawn value and a first one have no size, and come last.
 */
export function revisedSeriesOf(changes) {
  const byChange = (a, b) => absolute(b) - absolute(a) || (a.periodEnd < b.periodEnd ? 1 : -1);
  return revisedPeriodsOf(changes)
    .map((periods) => ({ ...periods.toSorted(byChange)[0], periods: periods.length }))
    .filter(({ change }) => change !== 0)
    .map((row) => ({
      ...row,
      share: row.change === null ? null : Math.abs(row.change) / Math.max(Math.abs(row.before), Math.abs(row.after), 1),
    }))
    .toSorted((a, b) => (b.share ?? -1) - (a.share ?? -1) || (a.indicatorId < b.indicatorId ? -1 : 1));
}

/**
 * The rows of `revisedSeriesOf` to measure, at most `most`: in turn the first one of each unit, the second one and so on. As shares, changes of rates are larger
 * than those of levels, which would have no turn.
 */
export function measuredOf(series, most) {
  const units = [...groupedBy(series, ({ unit }) => unit).values()];
  const turns = Math.max(0, ...units.map(({ length }) => length));
  return Array.from({ length: turns }, (_, at) => units.flatMap((rows) => rows.slice(at, at + 1)))
    .flat()
    .slice(0, most);
}

/** The newest changes from period to period that tell what is usual, and the fewest. */
const [MOST_CHANGES, LEAST_CHANGES] = [40, 8];
/** Years that have so many periods. */
const YEARS = { daily: 1, weekly: 1, monthly: 4, quarterly: 11, annual: 41, event: 11 };

/**
 * Revised series → the questions for their history: [{ indicator_id, frequency, start_date }], each for at most `most` indicators. `from`: the first day of
 * the revisions.
 */
export function historiesOf(series, from, most) {
  return [...groupedBy(series, ({ frequency }) => frequency)].flatMap(([frequency, rows]) => {
    const ids = [...new Set(rows.map(({ indicatorId }) => indicatorId))];
    const start_date = `${Number(from.slice(0, 4)) - (YEARS[frequency] ?? 1)}-01-01`;
    return Array.from({ length: Math.ceil(ids.length / most) }, (_, at) => ({
      indicator_id: ids.slice(at * most, (at + 1) * most).join(','),
      frequency,
      start_date,
    }));
  });
}

/** Values → how much each series usually changes from one period to the next: the median of its newest changes without their signs. Too few have none. */
export function usualChangesOf(history) {
  const usual = new Map();
  for (const [key, rows] of groupedBy(history, seriesOf)) {
    const values = rows.toSorted((a, b) => (a.periodEnd < b.periodEnd ? -1 : 1)).map(({ actual }) => actual);
    const changes = values
      .slice(1)
      .flatMap((value, at) => (isNumber(value) && isNumber(values[at]) ? [Math.abs(value - values[at])] : []))
      .slice(-MOST_CHANGES)
      .sort((a, b) => a - b);
    if (changes.length >= LEAST_CHANGES) usual.set(key, Number(quantile(changes, 0.5).toPrecision(12)));
  }
  return usual;
}

/**
 * Rows of `revisedSeriesOf` with `usual`, the usual change of the series, and `size`, the revision divided by it, the largest first. Those without a size
 * keep their order after them; it is null without enough history, for a series that usually does not change, and for a withdrawn value.
 */
export function mostRevisedOf(series, usual) {
  return series
    .map((row) => {
      const own = usual.get(seriesOf(row)) ?? null;
      return { ...row, usual: own, size: row.change === null || !own ? null : Math.abs(row.change) / own };
    })
    .toSorted((a, b) => (b.size ?? -1) - (a.size ?? -1));
}

/** A withdrawn value, and one where there was none, count as the largest changes; as ranks, because two infinities have no difference. */
const sizeOf = ({ before, after }) => (isNumber(before) && isNumber(after) ? apart(before, after) : 3);
