import { z } from 'zod';
import { everyPage } from '../../client/service.ts';
import type { Answer } from '../answer.ts';
import { asOf, asOfOf, call, cell, day, hintsOf, indicator, say, text, type Tool } from './tool.ts';

const schema = z.strictObject({
  start_date: day('Releases due on or after this day.').optional(),
  end_date: day('Releases due on or before this day.').optional(),
  country: text('Only of this country: code, slug or name.').optional(),
  indicator_id: indicator.optional(),
  importance: z.enum(['low', 'medium', 'high']).optional(),
  status: z.enum(['scheduled', 'released', 'postponed', 'cancelled', 'unconfirmed']).optional(),
  as_of: asOf,
});

export const calendar: Tool<typeof schema> = {
  name: 'calendar',
  title: 'Releases, past and coming',
  description:
    'Release dates, each with the first print, the previous value, its revision if there is one, and the service’s own baseline forecast. Give a span.',
  input: schema,
  answer: async (input, service, keep): Promise<Answer> => {
    const { data, meta } = await everyPage(service, '/economic-calendar', input);
    const rows = data.slice(0, keep).map((row) => ({
      at: cell(row['timePrecision'] === 'date_only' ? say(row['scheduledAt']).slice(0, 10) : row['scheduledAt']),
      country: cell(row['country']),
      indicator: cell(row['indicatorId'] ?? row['title']),
      period: cell(row['period']),
      status: cell(row['status']),
      actual: cell(row['actual']),
      previous: cell(row['previous']),
      'revised previous': cell(row['revisedPrevious']),
      forecast: cell(row['forecast']),
      lower: cell(row['forecastLower']),
      upper: cell(row['forecastUpper']),
      unit: cell(row['unit']),
    }));
    return {
      asOf: asOfOf(meta, input.as_of),
      facts: data.length === 0 ? ['No releases.', ...hintsOf(meta)] : [],
      rows,
      rowCount: data.length,
      narrower: (held) => call('calendar', { ...input, start_date: String(held.at(-1)?.['at'] ?? input.start_date).slice(0, 10) }),
    };
  },
};
