// Of whom a number is, if it is of no country: a group of countries, which is in the name of its indicator.

/** `names`: of `useNames`. → the code of the country, otherwise the id of the entity with the longest id before the name of the number; null without one. */
export function areaOf({ country, indicatorId }, names) {
  if (country !== null) return country;
  const parts = indicatorId.split('_');
  const ids = parts.slice(1).map((_, at) => parts.slice(0, parts.length - 1 - at).join('_'));
  return ids.find((id) => names.entity(id) !== id) ?? null;
}

export const areaColumn = (names) => ({
  id: 'country',
  label: 'Country',
  value: (row) => areaOf(row, names),
  isNarrow: true,
  show: (row) => (row.country === null ? names.entity(areaOf(row, names)) : names.country(row.country)),
});
