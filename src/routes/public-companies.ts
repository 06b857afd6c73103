import { listRoute, parameter } from '../http/route.ts';
import { Company, CompanyStatus } from '../model/company.ts';
import { companiesList, COMPANY_SORT_NAMES, listCompanies } from '../queries/companies.ts';
import { sortOf } from '../queries/paging.ts';
import type { Snapshot } from '../queries/snapshot.ts';
import { countryOf, oneCountry } from './country-parameter.ts';
import { cutoffOf, observationMeta, observationParameters, text } from './observation-parameters.ts';

const query = {
  sector: parameter(text('Sector, in full.', 'Manufacturing')),
  industry: parameter(text('Industry, in full.', 'Services-Prepackaged Software')),
  country: oneCountry,
  ticker: parameter(text('One of its tickers.', 'ZZSMB')),
  status: parameter(CompanyStatus.optional().meta({ description: 'State of the company.', examples: ['active'] })),
  q: parameter(text('A text in name, tickers or CIK.', 'software')),
  as_of: observationParameters.as_of,
};

export const publicCompanies = listRoute<Snapshot, typeof query, Company>({
  path: '/public/companies',
  scope: 'data:read',
  tag: 'companies',
  summary: 'Companies of EDGAR, with industry, newest report, multiples and scores.',
  description:
    'With as_of: the companies of which something was known then, with the newest report, share count, sector and industry known then, scored among each other. Names and tickers are as EDGAR describes them now.',
  example: '/public/companies?status=active&limit=2',
  query,
  row: Company,
  meta: observationMeta,
  sortable: COMPANY_SORT_NAMES,
  isHistory: true,
  list: async (values, page, { snapshot, now, historyFrom }) => {
    const asOf = cutoffOf(values.as_of, now);
    const found = await listCompanies(
      snapshot,
      {
        sector: values.sector ?? null,
        industry: values.industry ?? null,
        country: countryOf(snapshot, values.country),
        ticker: values.ticker ?? null,
        status: values.status ?? null,
        q: values.q ?? null,
        asOf,
        historyFrom,
      },
      { ...page, sort: sortOf(companiesList, page.sort) },
      asOf === null ? now : Date.parse(asOf),
    );
    return { ...found, meta: { as_of: asOf } };
  },
});
