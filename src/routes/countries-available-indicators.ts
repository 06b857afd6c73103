import { listRoute } from '../http/route.ts';
import { CountryAvailability } from '../model/availability.ts';
import { AVAILABLE_SORT_NAMES, countriesAvailable, listCountryAvailability } from '../queries/availability.ts';
import { sortOf } from '../queries/paging.ts';
import type { Snapshot } from '../queries/snapshot.ts';
import { oneCountry } from './country-parameter.ts';

const query = { country: oneCountry };

export const countriesAvailableIndicators = listRoute<Snapshot, typeof query, CountryAvailability>({
  path: '/countries/available-indicators',
  scope: 'data:read',
  tag: 'countries',
  summary: 'The indicators that there are for each country with data.',
  example: '/countries/available-indicators?country=US',
  query,
  row: CountryAvailability,
  sortable: AVAILABLE_SORT_NAMES,
  list: ({ country }, page, { snapshot, now }) => {
    const iso2 = country === undefined ? null : (snapshot.catalogue.countries.get(country.toLowerCase()) ?? '');
    return listCountryAvailability(snapshot, iso2, now, { ...page, sort: sortOf(countriesAvailable, page.sort) });
  },
});
