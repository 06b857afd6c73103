import { listRoute } from '../http/route.ts';
import { Country } from '../model/entity.ts';
import { COUNTRY_SORT_NAMES, countriesList, listCountries } from '../queries/catalogues.ts';
import { sortOf } from '../queries/paging.ts';
import type { Snapshot } from '../queries/snapshot.ts';

const query = {};

export const countries = listRoute<Snapshot, typeof query, Country>({
  path: '/countries',
  scope: 'data:read',
  tag: 'countries',
  summary: 'Countries of ISO 3166 and currency areas, with how much is known of each.',
  example: '/countries?limit=5',
  query,
  row: Country,
  sortable: COUNTRY_SORT_NAMES,
  list: (_query, page, { snapshot }) => listCountries(snapshot, { ...page, sort: sortOf(countriesList, page.sort) }),
});
