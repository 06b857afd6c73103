// Results of a search for indicators: one row for each, with all that have it.
import { groupedBy } from '../tables/groups.js';

/**
 * Series, best first → one row for each indicator in the order of its best series: { id, name, best, members: [{ entityId, series }], frequencies, units,
 * sourceIds, from, to }. A member has its best series.
 */
export function indicatorsOf(found) {
  return [...groupedBy(found, ({ canonicalIndicatorId }) => canonicalIndicatorId)].map(([id, rows]) => {
    const ends = rows.map(({ latestPeriodEnd }) => latestPeriodEnd).filter((day) => day !== null);
    const starts = rows.map(({ firstPeriodEnd }) => firstPeriodEnd).filter((day) => day !== null);
    return {
      id,
      name: rows[0].name,
      best: rows[0],
      members: [...groupedBy(rows, ({ entityId }) => entityId)].map(([entityId, [series]]) => ({ entityId, series })),
      frequencies: distinct(rows, 'frequency'),
      units: distinct(rows, 'unit'),
      sourceIds: distinct(rows, 'sourceId'),
      from: starts.toSorted()[0] ?? null,
      to: ends.toSorted().at(-1) ?? null,
    };
  });
}

const distinct = (rows, name) => [...new Set(rows.map((row) => row[name]))];
