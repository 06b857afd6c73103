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

/**
 * Series, best first → what to suggest, at most `most`: of each indicator its best series, then all of its entities if there are several: { series, all },
 * `all`: { id, count, isOfCountries }, null for the series itself.
 */
export function suggestedOf(found, most) {
  return indicatorsOf(found)
    .flatMap(({ id, best, members }) => {
      const countries = members.filter(({ series }) => isOfCountry(series)).length;
      const all = { id, count: members.length, isOfCountries: 2 * countries > members.length };
      return [{ series: best, all: null }, ...(members.length > 1 ? [{ series: best, all }] : [])];
    })
    .slice(0, most);
}

/** A company has a country too, but is not one. */
const isOfCountry = ({ entityId, country }) => country?.toLowerCase() === entityId;

const distinct = (rows, name) => [...new Set(rows.map((row) => row[name]))];
