import { z } from 'zod';
import type { ServiceClient } from '../../client/service.ts';
import type { Answer } from '../answer.ts';
import type { Row } from '../table.ts';
import { asOf, call, cell, collect, day, say, text, type Tool } from './tool.ts';

const schema = z.strictObject({
  company: text('Ticker, CIK, companyId or name.'),
  statement: z.enum(['income', 'balance_sheet', 'cash_flow']).default('income'),
  period: z.enum(['annual', 'quarterly', 'ttm']).default('annual'),
  start_date: day('Periods ending on or after this day.').optional(),
  end_date: day('Periods ending on or before this day.').optional(),
  basis: z
    .enum(['most_recent', 'as_reported'])
    .default('most_recent')
    .describe('most_recent: each figure as last restated. as_reported: each figure as first filed.'),
  as_of: asOf,
});

export const company: Tool<typeof schema> = {
  name: 'company',
  title: 'A company: profile, multiples, statements',
  description:
    'Profile of a company, its trailing multiples and scores if they may be shown, and one kind of statement, newest period first, as filed by as_of.',
  input: schema,
  answer: async (input, service, keep): Promise<Answer> => {
    const { company: asked, ...rest } = input;
    const answer = await service.rows(`/companies/${encodeURIComponent(asked)}/financials`, {
      ...rest,
      order: 'desc',
      limit: 100_000,
      columns: 'company_id,cik,currency,period_end,fiscal_period,fiscal_year,form,observed_at,restated,items',
    });
    const ciks = new Set<string>();
    const { rows, count } = await collect(answer, keep, (row) => {
      ciks.add(say(row['cik']));
      return toRow(row);
    });
    return {
      asOf: answer.asOf,
      facts: [
        ...(await profile(service, [...ciks][0] ?? input.company, input.as_of)),
        ...(count === 0
          ? [`No ${input.period} ${input.statement} statements were known then for that span. Widen the span, or set a later as_of.`]
          : []),
      ],
      rows,
      rowCount: count,
      narrower: (held) => call('company', { ...input, end_date: held.at(-1)?.['period'] ?? input.end_date }),
    };
  },
};

function toRow(row: Readonly<Record<string, unknown>>): Row {
  const items = Object.entries((row['items'] ?? {}) as Readonly<Record<string, unknown>>);
  return {
    period: cell(row['periodEnd']),
    fiscal: `${say(row['fiscalPeriod'])} ${say(row['fiscalYear'])}`.trim(),
    known: cell(row['observedAt']),
    form: cell(row['form']),
    restated: cell(row['restated']),
    currency: cell(row['currency']),
    ...Object.fromEntries(items.map(([name, value]) => [name, cell(value)])),
  };
}

/** Its identity and valuation from the list of companies; nothing if the list did not have it at the cutoff. */
async function profile(service: ServiceClient, name: string, as_of: string | undefined): Promise<string[]> {
  const { data } = await service.page('/public/companies', { q: name, as_of, limit: 50 });
  const row = data.find(
    ({ cik, tickers, companyId }) => cik === name || companyId === name || (tickers as readonly string[]).includes(name.toUpperCase()),
  );
  if (row === undefined) return [];
  const of = (field: string) => say(row[field]) || 'unknown';
  return [
    `${of('name')} (${of('ticker')}, ${of('exchange')}, CIK ${of('cik')}): ${of('sector')}, ${of('industry')}; ${of('country')}; fiscal year ends ${of('fiscalYearEnd')}; ${of('status')}.`,
    `price ${of('price')} of ${of('priceAsOf')}, market capitalisation ${of('marketCap')}; ${of('freshnessStatus')}, ${row['scoringEligible'] === true ? 'eligible' : 'not eligible'} for scoring.`,
    `multiples: ${pairs(row['multiples'])}`,
    `scores (percentiles): ${pairs(row['scores'])}`,
    ...(Object.keys(row['nullReasons'] ?? {}).length > 0 ? [`null, and why: ${pairs(row['nullReasons'])}`] : []),
    ...(typeof row['rightsNote'] === 'string' ? [`rights: ${row['rightsNote']}`] : []),
  ];
}

function pairs(record: unknown): string {
  const known = Object.entries((record ?? {}) as Readonly<Record<string, number | string | null>>).filter(([, value]) => value !== null);
  return known.length === 0 ? 'none' : known.map(([name, value]) => `${name}=${value}`).join(' ');
}
