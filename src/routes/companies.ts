// Companies and their statements.
import { z } from 'zod';
import { listRoute, parameter } from '../http/route.ts';
import { tickerForm } from '../model/alias.ts';
import { Company, CompanyStatus, FinancialStatement, StatementType } from '../model/company.ts';
import {
  companiesBegin,
  companiesList,
  type CompanyFilters,
  financialsBegin,
  financialsList,
  findCompanyId,
  listCompanies,
  listFinancials,
  type StatementFilters,
  noStatementsHint,
} from '../queries/companies.ts';
import type { Moment } from '../queries/entities.ts';
import { hintsOf, windowHint } from '../queries/hints/hints.ts';
import { BEST_FIRST, sortOf } from '../queries/paging.ts';
import { nearestOf } from '../queries/hints/names.ts';
import { searchEntities, searchHint } from '../queries/search/search.ts';
import type { Snapshot } from '../queries/snapshot.ts';
import { emptyHints, notFound } from './hints.ts';
import { countryOf, day, daysBetween, momentOf, observationMeta, observationParameters, oneCountry, text } from './parameters.ts';

const publicCompaniesQuery = {
  sector: parameter(text('Sector, in full.', 'Manufacturing')),
  industry: parameter(text('Industry, in full.', 'Services-Prepackaged Software')),
  country: oneCountry,
  ticker: parameter(text('Ticker. With as_of, the company that had it on that day.', 'ZZSMB')),
  status: parameter(CompanyStatus.optional().meta({ description: 'State of the company.', examples: ['active'] })),
  q: parameter(
    text('Words of the name, a ticker or the CIK, or a part of one of these. The best match comes first, unless you set sort.', 'software'),
  ),
  as_of: observationParameters.as_of,
};

export const publicCompanies = listRoute<Snapshot, typeof publicCompaniesQuery, Company>({
  path: '/public/companies',
  operation: 'listCompanies',
  scope: 'data:read',
  queryClass: 'screen',
  tag: 'companies',
  summary: 'Companies of EDGAR, with industry, newest report, multiples and scores.',
  description:
    'If you set as_of, you get the companies known at that time. Their names, tickers, newest report, share count, sector and industry are as known then, and their scores rank them among each other. A ticker finds the company that had it then.',
  example: '/public/companies?status=active&limit=2',
  query: publicCompaniesQuery,
  row: Company,
  meta: observationMeta,
  sortable: companiesList.sorts,
  bestFirst: BEST_FIRST,
  isHistory: true,
  list: async (values, page, { snapshot, now, historyFrom }) => {
    const { asOf, at } = momentOf(values.as_of, { now, snapshot });
    const searchedAt = async (moment: Moment) =>
      values.q === undefined ? null : searchEntities(snapshot, values.q, { ...moment, entityType: 'company' });
    const searched = await searchedAt({ asOf, at });
    const filters: CompanyFilters = {
      sector: values.sector ?? null,
      industry: values.industry ?? null,
      country: countryOf(snapshot, values.country),
      ticker: values.ticker ?? null,
      status: values.status ?? null,
      q: values.q ?? null,
      foundIds: searched?.ids ?? null,
      asOf,
      historyFrom,
    };
    const found = await listCompanies(snapshot, filters, { ...page, sort: sortOf(companiesList, page.sort) }, at);
    const { sector, industry, country } = values;
    const ticker = values.ticker === undefined ? undefined : tickerForm(values.ticker);
    const knownAt = async () => {
      const foundIds = (await searchedAt({ asOf: null, at: now }))?.ids ?? null;
      return companiesBegin(snapshot, { ...filters, foundIds }, now);
    };
    const first = { of: 'company', knownAt } as const;
    const hints = await emptyHints(found.rows, page, {
      snapshot,
      named: { sector, industry, country, ticker },
      series: [],
      first,
      asOf,
      at,
    });
    return { ...found, meta: { as_of: asOf, ...hintsOf(...hints, searchHint(searched?.hint, found.rows, page)) } };
  },
});

const companyFinancialsQuery = {
  statement: parameter(StatementType.optional().meta({ description: 'Kind of statement.', examples: ['income'] })),
  period: parameter(
    z
      .enum(['annual', 'quarterly', 'ttm'])
      .meta({ id: 'StatementLength' })
      .optional()
      .meta({
        description: 'Length of the period. annual and quarterly include the balance sheets at the end of each such period.',
        examples: ['annual'],
      }),
  ),
  fiscal_year: parameter(
    z.coerce
      .number()
      .int()
      .min(1900)
      .max(2200)
      .optional()
      .meta({ description: 'Fiscal year, by the calendar year in which it ends.', examples: ['2025'] }),
  ),
  start_date: parameter(day('Periods ending on or after this day.')),
  end_date: parameter(day('Periods ending on or before this day.')),
  as_of: observationParameters.as_of,
  basis: parameter(
    z
      .enum(['as_reported', 'most_recent'])
      .meta({ id: 'StatementBasis' })
      .default('most_recent')
      .meta({
        description:
          'as_reported: figures as first filed for a period. most_recent: each figure from the newest filing that states it, in shares of as_of.',
        examples: ['as_reported'],
      }),
  ),
};

export const companyFinancials = listRoute<Snapshot, typeof companyFinancialsQuery, FinancialStatement>({
  path: '/companies/:idOrLookup/financials',
  operation: 'listFinancialStatements',
  scope: 'data:read',
  tag: 'companies',
  summary: 'Income statements, balance sheets and cash flow statements of one company, filed and computed from filings.',
  example: '/companies/ZZSMB/financials?statement=income&period=annual&limit=5',
  pathParameters: {
    idOrLookup: z.string().meta({
      description: 'Company by identifier, entity, CIK with or without leading zeros, name, or ticker (the company that had it at as_of).',
      examples: ['ZZSMB'],
    }),
  },
  query: companyFinancialsQuery,
  row: FinancialStatement,
  meta: observationMeta,
  sortable: financialsList.sorts,
  isBulk: true,
  ownTexts: ['statementId'],
  isHistory: true,
  list: async (values, page, { snapshot, now, historyFrom }, path) => {
    const lookup = path['idOrLookup'] ?? '';
    const { asOf, at } = momentOf(values.as_of, { now, snapshot });
    const companyId = await findCompanyId(snapshot, lookup, at);
    if (companyId === null) throw notFound('company', 'idOrLookup', lookup, await nearestOf(snapshot, lookup, 'ticker', 'companyId'));
    const filters: StatementFilters = {
      companyId,
      statement: values.statement ?? null,
      period: values.period ?? null,
      fiscalYear: values.fiscal_year ?? null,
      ...daysBetween(values, historyFrom),
      asOf,
      sharesOn: new Date(at).toISOString().slice(0, 10),
      basis: values.basis,
    };
    const found = await listFinancials(snapshot, filters, { ...page, sort: sortOf(financialsList, page.sort) });
    const first = { of: 'statement', knownAt: () => financialsBegin(snapshot, filters) } as const;
    const hints = hintsOf(
      ...(await emptyHints(found.rows, page, { snapshot, named: {}, series: [], first, asOf, at })),
      windowHint(values, historyFrom, found.rows),
      found.rows.length === 0 && historyFrom === null ? await noStatementsHint(snapshot, filters) : null,
    );
    return { ...found, meta: { as_of: asOf, ...hints } };
  },
});
