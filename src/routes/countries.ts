// Countries and currency areas.
import { z } from 'zod';
import { itemRoute, listRoute } from '../http/route.ts';
import { CountryAvailability } from '../model/availability.ts';
import { countryNamed } from '../model/catalogue.ts';
import { Country } from '../model/entity.ts';
import { countriesAvailable, listCountryAvailability } from '../queries/availability.ts';
import { countriesList, countryAsOf, findCountry, listCountries } from '../queries/catalogues.ts';
import { sortOf } from '../queries/paging.ts';
import { countsAsOf, entityCountsAsOf } from '../queries/reach.ts';
import { hintsOf } from '../queries/hints/hints.ts';
import { nearestOf } from '../queries/hints/names.ts';
import type { Snapshot } from '../queries/snapshot.ts';
import { emptyHints, notFound, notKnownThen } from './hints.ts';
import { atCutoff, countryOf, momentOf, observationMeta, observationParameters, oneCountry } from './parameters.ts';

export const countries = listRoute<Snapshot, typeof atCutoff, Country>({
  path: '/countries',
  operation: 'listCountries',
  scope: 'data:read',
  tag: 'countries',
  summary: 'Countries of ISO 3166 and currency areas, with counts of their data.',
  description:
    'If you set as_of, currency, central bank, memberships, names and counts are as known at that time. A country is listed from its first day on.',
  example: '/countries?limit=5',
  query: atCutoff,
  row: Country,
  meta: observationMeta,
  sortable: countriesList.sorts,
  list: async ({ as_of }, page, { snapshot, now }) => {
    const moment = momentOf(as_of, { now, snapshot });
    const { asOf } = moment;
    const national = snapshot.catalogue.series.filter((one) => one.isNational);
    const then = await countsAsOf(snapshot, national, 'entityId', asOf);
    return { ...(await listCountries(snapshot, moment, then, { ...page, sort: sortOf(countriesList, page.sort) })), meta: { as_of: asOf } };
  },
});

const countriesAvailableIndicatorsQuery = { country: oneCountry, as_of: observationParameters.as_of };

export const countriesAvailableIndicators = listRoute<Snapshot, typeof countriesAvailableIndicatorsQuery, CountryAvailability>({
  path: '/countries/available-indicators',
  operation: 'listAvailableIndicators',
  scope: 'data:read',
  tag: 'countries',
  summary: 'The indicators of each country with data.',
  example: '/countries/available-indicators?country=US',
  query: countriesAvailableIndicatorsQuery,
  row: CountryAvailability,
  meta: observationMeta,
  sortable: countriesAvailable.sorts,
  list: async ({ country, as_of }, page, { snapshot, now }) => {
    const moment = momentOf(as_of, { now, snapshot });
    const sort = sortOf(countriesAvailable, page.sort);
    const code = countryOf(snapshot, country);
    const found = await listCountryAvailability(snapshot, code, moment, { ...page, sort });
    const of = code === null ? snapshot.catalogue.series : (snapshot.catalogue.byCountry.get(code) ?? []);
    const series = of.filter((one) => one.isNational);
    const hints = hintsOf(...(await emptyHints(found.rows, page, { snapshot, named: { country }, series, ...moment })));
    return { ...found, meta: { as_of: moment.asOf, ...hints } };
  },
});

export const country = itemRoute<Snapshot, typeof atCutoff, Country>({
  path: '/countries/:idOrIso',
  operation: 'getCountry',
  scope: 'data:read',
  tag: 'countries',
  summary: 'One country or currency area.',
  description: 'If you set as_of, its currency, central bank, memberships, name and counts are as known at that time.',
  example: '/countries/us',
  pathParameters: {
    idOrIso: z.string().meta({ description: 'Code, slug or name in any case: GB, GBR, UK, united-kingdom.', examples: ['us'] }),
  },
  query: atCutoff,
  data: Country,
  find: async ({ as_of }, { snapshot, now }, path) => {
    const name = path['idOrIso'] ?? '';
    const moment = momentOf(as_of, { now, snapshot });
    const found = await findCountry(snapshot, name, moment);
    if (found === null && countryNamed(snapshot.catalogue, name) !== undefined) throw notKnownThen(name, 'idOrIso', moment);
    if (found === null) throw notFound('country', 'idOrIso', name, await nearestOf(snapshot, name, 'country'));
    return countryAsOf(found, await entityCountsAsOf(snapshot, found.entityId, moment.asOf));
  },
});
