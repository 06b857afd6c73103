// One indicator in all countries: one series for each, its newest value, and what changed since the period and the year before.
import { parseCsv } from '../tables/csv.js';
import { groupedBy } from '../tables/groups.js';
import { baseOf } from '../series/transforms.js';

const DAY_MS = 86_400_000;
/** A value this much older than the newest one of all hardly compares with it. */
const OLD_DAYS = 366;
/** A year before a day without a value, the last one of the week before that day counts. */
const SLACK_DAYS = 7;
/** Years that a sparkline shows. */
const YEARS = { daily: 1, weekly: 2, monthly: 3, quarterly: 6, annual: 15 };
const OF_MONTHS = new Set(['monthly', 'quarterly', 'annual']);

export const keyOf = ({ indicatorId, sourceId, frequency }) => `${indicatorId} ${sourceId} ${frequency}`;

const daysBefore = (day, count) => new Date(Date.parse(day) - count * DAY_MS).toISOString().slice(0, 10);

const hasEnded = ({ collectionStatus }) => collectionStatus === 'ceased';

/** [{ unit, count }] of the newest rows: the indicator's own unit first, then that of most entities. Values of two units do not compare. */
export function unitsOf(latest, ownUnit) {
  const counts = [...groupedBy(latest, ({ unit }) => unit)].map(([unit, rows]) => ({
    unit,
    count: new Set(rows.map(({ indicatorId }) => indicatorId)).size,
  }));
  return counts.toSorted((a, b) => Number(b.unit === ownUnit) - Number(a.unit === ownUnit) || b.count - a.count);
}

/**
 * The newest row of each entity that has the indicator in this unit. If an entity has several series, one that has not ended comes first, then the preferred source.
 * `entities`: [{ entityId, name, indicatorIds }]. → [{ entity, latest }] by name.
 */
export function seriesOfEntities(latest, entities, unit, preferredSourceIds) {
  const rank = ({ sourceId }) => (preferredSourceIds.includes(sourceId) ? preferredSourceIds.indexOf(sourceId) : preferredSourceIds.length);
  const byIndicator = groupedBy(
    latest.filter((row) => row.unit === unit),
    ({ indicatorId }) => indicatorId,
  );
  return entities
    .flatMap((entity) => {
      const rows = entity.indicatorIds.flatMap((id) => byIndicator.get(id) ?? []);
      const [best] = rows.toSorted(
        (a, b) => Number(hasEnded(a)) - Number(hasEnded(b)) || rank(a) - rank(b) || (a.periodEnd < b.periodEnd ? 1 : -1),
      );
      return best === undefined ? [] : [{ entity, latest: best }];
    })
    .toSorted((a, b) => a.entity.name.localeCompare(b.entity.name));
}

/** The first day of the sparklines: years before the newest period of most series, with days to spare for the value of a year before. */
export function historyFrom(chosen) {
  const years = Math.max(...chosen.map(({ latest: { frequency } }) => YEARS[frequency] ?? 3));
  const ends = chosen.map(({ latest: { periodEnd } }) => periodEnd).toSorted((a, b) => (a < b ? -1 : 1));
  return daysBefore(ends[Math.floor(ends.length / 2)], Math.ceil(years * 365.25) + 2 * SLACK_DAYS);
}

export const HISTORY_COLUMNS = 'indicatorId,sourceId,frequency,periodEnd,actual';

/** The CSV of these columns → Map of `keyOf` → [{ periodEnd, value }] in order of their periods. */
export function historiesOf(text) {
  const points = parseCsv(text)
    .slice(1)
    .map(([indicatorId, sourceId, frequency, periodEnd, actual]) => ({
      key: keyOf({ indicatorId, sourceId, frequency }),
      periodEnd,
      value: actual === '' ? null : Number(actual),
    }));
  const histories = groupedBy(points, ({ key }) => key);
  for (const [key, own] of histories)
    histories.set(
      key,
      own.toSorted((a, b) => (a.periodEnd < b.periodEnd ? -1 : 1)),
    );
  return histories;
}

/** True if a change of it reads as a percentage: levels do, rates and balances have a difference. */
export const isRelative = ({ comparisonBasis }) => comparisonBasis === 'level';

/** Since the period before and since a year before, null if there is no such value. `points` end with the newest one. */
export function changesOf(points, frequency, isPercent) {
  const last = points.at(-1);
  const [before, yearBefore] = OF_MONTHS.has(frequency)
    ? ['change', 'year'].map((transform) => points[baseOf(points, transform, frequency).at(-1)])
    : [points.at(-2), aYearBefore(points)];
  const since = (from) => changeOf(last?.value ?? null, from?.value ?? null, isPercent);
  return { change: since(before), yearChange: since(yearBefore) };
}

function aYearBefore(points) {
  if (points.length === 0) return undefined;
  const day = daysBefore(points.at(-1).periodEnd, 365);
  const found = points.findLast(({ periodEnd }) => periodEnd <= day);
  return found !== undefined && found.periodEnd >= daysBefore(day, SLACK_DAYS) ? found : undefined;
}

function changeOf(value, from, isPercent) {
  if (value === null || from === null) return null;
  if (!isPercent) return Number((value - from).toPrecision(12));
  return from <= 0 ? null : 100 * (value / from - 1);
}

/** The rows of the page, those without a value last. `histories` and `counts` (Map of `keyOf` → { vintageCount, observationCount }) are null while they are asked for. */
export function rowsOf(chosen, histories, counts) {
  const ends = chosen.map(({ latest: { periodEnd } }) => Date.parse(periodEnd));
  const oldest = Math.max(...ends) - OLD_DAYS * DAY_MS;
  const rows = chosen.map(({ entity, latest }) => {
    const key = keyOf(latest);
    const points = (histories?.get(key) ?? []).filter(({ periodEnd }) => periodEnd <= latest.periodEnd);
    const count = counts?.get(key);
    return {
      ...latest,
      entityId: entity.entityId,
      name: entity.name,
      points,
      isEnded: hasEnded(latest),
      isOld: Date.parse(latest.periodEnd) < oldest,
      ...changesOf(points, latest.frequency, isRelative(latest)),
      revisions: count === undefined ? null : count.vintageCount - count.observationCount,
    };
  });
  return rows.toSorted((a, b) => Number(a.actual === null) - Number(b.actual === null));
}

export function medianOf(values) {
  if (values.length === 0) return null;
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return sorted.length % 2 === 1 ? sorted[Math.floor(middle)] : (sorted[middle - 1] + sorted[middle]) / 2;
}
