import { z } from 'zod';
import { ApiError } from '../http/errors.ts';
import { listRoute, parameter } from '../http/route.ts';
import { FinancialStatement, StatementType } from '../model/company.ts';
import { financialsList, findCompanyId, listFinancials, STATEMENT_SORT_NAMES } from '../queries/companies.ts';
import { sortOf } from '../queries/paging.ts';
import type { Snapshot } from '../queries/snapshot.ts';
import { daysBetween } from './dated-parameters.ts';
import { cutoffOf, day, observationMeta, observationParameters } from './observation-parameters.ts';

const query = {
  statement: parameter(StatementType.optional().meta({ description: 'Kind of statement.', examples: ['income'] })),
  period: parameter(
    z
      .enum(['annual', 'quarterly', 'ttm'])
      .optional()
      .meta({ description: 'Length of the period; balance sheets come with the periods that they end.', examples: ['annual'] }),
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
  start_date: parameter(day('Periods ending on or after this day.', '2020-01-01')),
  end_date: parameter(day('Periods ending on or before this day.', '2020-12-31')),
  as_of: observationParameters.as_of,
  basis: parameter(
    z
      .enum(['as_reported', 'most_recent'])
      .default('most_recent')
      .meta({
        description:
          'as_reported: the figures of the first filing on a period; most_recent: the newest known of each figure, restatements included.',
        examples: ['as_reported'],
      }),
  ),
};

export const companyFinancials = listRoute<Snapshot, typeof query, FinancialStatement>({
  path: '/companies/:idOrLookup/financials',
  scope: 'data:read',
  tag: 'companies',
  summary: 'Income statements, balance sheets and cash flow statements of one company, as filed and as they follow from filings.',
  example: '/companies/ZZSMB/financials?statement=income&period=annual&limit=5',
  pathParameters: {
    idOrLookup: z
      .string()
      .meta({ description: 'Company by identifier, entity, CIK with or without leading zeros, or ticker.', examples: ['ZZSMB'] }),
  },
  query,
  row: FinancialStatement,
  meta: observationMeta,
  sortable: STATEMENT_SORT_NAMES,
  isBulk: true,
  isHistory: true,
  list: async (values, page, { snapshot, now, historyFrom }, path) => {
    const lookup = path['idOrLookup'] ?? '';
    const companyId = await findCompanyId(snapshot, lookup);
    if (companyId === null) throw new ApiError('not_found', `There is no company ${lookup}.`, { idOrLookup: lookup });
    const asOf = cutoffOf(values.as_of, now);
    const found = await listFinancials(
      snapshot,
      {
        companyId,
        statement: values.statement ?? null,
        period: values.period ?? null,
        fiscalYear: values.fiscal_year ?? null,
        ...daysBetween(values, historyFrom),
        asOf,
        basis: values.basis,
      },
      { ...page, sort: sortOf(financialsList, page.sort) },
    );
    return { ...found, meta: { as_of: asOf } };
  },
});
