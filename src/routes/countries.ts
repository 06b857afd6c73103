// Countries and currency areas.
import { z } from 'zod';
import { ApiError } from '../http/errors.ts';
import { itemRoute, listRoute, NO_PARAMETERS } from '../http/route.ts';
import { CountryAvailability } from '../model/availability.ts';
import { Country } from '../model/entity.ts';
import { AVAILABLE_SORT_NAMES, countriesAvailable, listCountryAvailability } from '../queries/availability.ts';
import { countriesList, COUNTRY_SORT_NAMES, findCountry, listCountries } from '../queries/catalogues.ts';
import { sortOf } from '../queries/paging.ts';
import type { Snapshot } from '../queries/snapshot.ts';
import { oneCountry } from './parameters.ts';

export const countries = listRoute<Snapshot, typeof NO_PARAMETERS, Country>({
  path: '/countries',
  scope: 'data:read',
  tag: 'countries',
  summary: 'Countries of ISO 3166 and currency areas, with how much is known of each.',
  example: '/countries?limit=5',
  query: NO_PARAMETERS,
  row: Country,
  sortable: COUNTRY_SORT_NAMES,
  list: (_query, page, { snapshot }) => listCountries(snapshot, { ...page, sort: sortOf(countriesList, page.sort) }),
});

const countriesAvailableIndicatorsQuery = { country: oneCountry };

export const countriesAvailableIndicators = listRoute<Snapshot, typeof countriesAvailableIndicatorsQuery, CountryAvailability>({
  path: '/countries/available-indicators',
  scope: 'data:read',
  tag: 'countries',
  summary: 'The indicators that there are for each country with data.',
  example: '/countries/available-indicators?country=US',
  query: countriesAvailableIndicatorsQuery,
  row: CountryAvailability,
  sortable: AVAILABLE_SORT_NAMES,
  list: ({ country }, page, { snapshot, now }) => {
    const iso2 = country === undefined ? null : (snapshot.catalogue.countries.get(country.toLowerCase()) ?? '');
    return listCountryAvailability(snapshot, iso2, now, { ...page, sort: sortOf(countriesAvailable, page.sort) });
  },
});

export const country = itemRoute<Snapshot, typeof NO_PARAMETERS, Country>({
  path: '/countries/:idOrIso',
  scope: 'data:read',
  tag: 'countries',
  summary: 'One country or currency area.',
  example: '/countries/us',
  pathParameters: {
    idOrIso: z.string().meta({ description: 'Slug, ISO 2, ISO 3 or name, in whatever case.', examples: ['us'] }),
  },
  query: NO_PARAMETERS,
  data: Country,
  find: async (_query, { snapshot }, path) => {
    const name = path['idOrIso'] ?? '';
    const found = await findCountry(snapshot, name);
    if (found === null) throw new ApiError('not_found', `There is no country ${name}.`, { idOrIso: name });
    return found;
  },
});
