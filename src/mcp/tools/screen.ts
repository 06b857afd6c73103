import { LARGEST_PAGE } from '../../client/service.ts';
import { z } from 'zod';
import type { Answer } from '../answer.ts';
import { type Row, textOf } from '../table.ts';
import { asOf, asOfOf, call, cell, hintsOf, text, type Tool } from './tool.ts';

const schema = z.strictObject({
  filter: text(
    'Clauses joined by ; (and) of terms joined by | (or), each field[@modifier]:operator:value, as cpi_inflation_yoy:gt:3;policy_rate@chg12:lt:0. ' +
      'Fields are canonical indicators; modifiers prev, chg1, chg12, yoy, rank, pct, z3y, age_days; operators eq, neq, gt, gte, lt, lte, between, in, nin, is.',
  ).optional(),
  universe: z.enum(['countries', 'entities', 'companies']).default('countries'),
  rank_by: text('Fields to rank by: field[@modifier][:asc|:desc], separated by commas.').optional(),
  columns: text('Fields to show, separated by commas. Default: the fields of filter and rank_by.').optional(),
  country: text('Only of this country.').optional(),
  sector: text('Only companies of this sector, in full.').optional(),
  eligible_only: z
    .boolean()
    .optional()
    .describe('Treat values that fail the scoring gate (stale, unofficial, other unit) as missing. Default: true.'),
  include_ineligible: z.boolean().optional().describe('The opposite of eligible_only.'),
  as_of: asOf,
});

interface Value {
  readonly value: unknown;
  readonly unit: string | null;
  readonly period: string | null;
  readonly observedAt: string | null;
}

export const screen: Tool<typeof schema> = {
  name: 'screen',
  title: 'Screen countries, entities or companies',
  description: 'Ranks those whose values, as known at as_of, pass a filter. Each value has its period and the day from which it was known.',
  input: schema,
  answer: async ({ include_ineligible: isAll, ...input }, service, keep): Promise<Answer> => {
    const parameters = { ...input, eligible_only: input.eligible_only ?? isAll !== true };
    const { data, meta } = await service.page('/public/screener', { ...parameters, limit: Math.min(LARGEST_PAGE, keep) });
    const counts = (meta['screener'] ?? {}) as Readonly<Record<string, number>>;
    const { matched = data.length, evaluated, excludedMissing, excludedIneligible } = counts;
    const units = new Map<string, string>();
    const rows = data.map((row) => toRow(row, units));
    return {
      asOf: asOfOf(meta, input.as_of),
      facts: [
        `${matched} of ${evaluated} ${input.universe} match; ${excludedMissing} lack a value, ${excludedIneligible} have one that is not eligible.`,
        ...(units.size > 0 ? [`units: ${[...units].map(([field, unit]) => `${field}=${unit}`).join(' ')}`] : []),
        ...hintsOf(meta),
      ],
      rows,
      rowCount: matched,
      narrower: () => call('screen', { ...parameters, filter: [input.filter, '…'].filter((part) => part !== undefined).join(';') }),
    };
  },
};

function toRow(row: Readonly<Record<string, unknown>>, units: Map<string, string>): Row {
  const values = Object.entries((row['values'] ?? {}) as Readonly<Record<string, Value | null>>);
  for (const [field, value] of values) if (typeof value?.unit === 'string') units.set(field, value.unit);
  return {
    rank: cell(row['rank']),
    entity: cell(row['entityId']),
    name: cell(row['name']),
    ...Object.fromEntries(
      values.flatMap(([field, value]) => [
        [field, cell(value?.value)],
        [`${field} period`, cell(value?.period)],
        [`${field} known`, value?.observedAt === undefined || value.observedAt === null ? null : textOf(value.observedAt)],
      ]),
    ),
  };
}
