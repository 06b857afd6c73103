// A panel: the values of factors, for each entity, as known on each date.
import { z } from 'zod';
import { LARGEST_BULK_PAGE } from '../../client/service.ts';
import type { Answer } from '../answer.ts';
import type { Row } from '../table.ts';
import { call, cell, collect, day, hintsOf, text, type Tool } from './tool.ts';

const schema = z.strictObject({
  factor: text('Canonical ids, up to 20 separated by commas: cpi_inflation_yoy,policy_rate. Look them up with the tool find.'),
  country: text('Countries by code or name, separated by commas. Default: all.').optional(),
  entity: text('Entities instead of countries, separated by commas.').optional(),
  group: z.enum(['g7', 'g20', 'eu', 'ea', 'oecd']).describe('Members of a group on each date, instead of countries.').optional(),
  from: day('First date.'),
  to: day('Last date.'),
  every: z.enum(['day', 'business_day', 'week', 'month_end', 'quarter_end', 'change']).default('month_end'),
  at: text('Hour of knowledge with a time zone: 16:00 America/New_York. Default: the end of the UTC day.').optional(),
  vintage: z.enum(['known', 'first']).default('known').describe('first: first prints only.'),
  eligible_only: z.boolean().default(false).describe('Leave out values that fail the scoring gate.'),
});

export const panel: Tool<typeof schema> = {
  name: 'panel',
  title: 'What was known on each date',
  description:
    'The value known of each factor and entity on each date, with its period and the moment from which it was known. For backtests.',
  input: schema,
  answer: async (input, service, keep): Promise<Answer> => {
    const answer = await service.rows('/panels', { ...input, limit: LARGEST_BULK_PAGE, columns: COLUMNS });
    const { rows, count } = await collect(answer, keep, toRow);
    // A bulk answer has no hints.
    const told = count === 0 ? await service.page('/panels', { ...input, limit: 1 }) : null;
    return {
      asOf: answer.asOf,
      facts: [
        ...(answer.hasMore ? [`More than ${LARGEST_BULK_PAGE} rows; counting stopped there.`] : []),
        ...(told === null ? [] : ['No rows.', ...hintsOf(told.meta)]),
      ],
      rows,
      rowCount: count,
      narrower: (held) => call('panel', { ...input, from: held.at(-1)?.['date'] ?? input.from }),
    };
  },
};

const COLUMNS = 'date,entity_id,factor,value,unit,period,observed_at,scoring_eligible';

function toRow(row: Readonly<Record<string, unknown>>): Row {
  return {
    date: cell(row['date']),
    entity: cell(row['entityId']),
    factor: cell(row['factor']),
    value: cell(row['value']),
    unit: cell(row['unit']),
    period: cell(row['period']),
    known: cell(row['observedAt']),
    eligible: cell(row['scoringEligible']),
  };
}
