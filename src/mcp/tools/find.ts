import { z } from 'zod';
import { everyPage } from '../../client/service.ts';
import type { Answer } from '../answer.ts';
import type { Row } from '../table.ts';
import { asOf, asOfOf, call, cell, hintsOf, text, type Tool } from './tool.ts';

type Listed = Readonly<Record<string, unknown>>;

const KINDS = {
  indicator: {
    path: '/indicators',
    toRow: (row: Listed): Row => ({
      indicator: cell(row['indicatorId']),
      source: cell(row['sourceId']),
      name: cell(row['name']),
      unit: cell(row['unit']),
      frequency: cell(row['frequency']),
      first: cell(row['firstPeriodEnd']),
      last: cell(row['latestPeriodEnd']),
      freshness: cell(row['collectionStatus'] ?? row['freshnessStatus']),
      successor: cell(row['successorIndicatorId']),
    }),
  },
  entity: {
    path: '/entities',
    toRow: (row: Listed): Row => ({
      entity: cell(row['entityId']),
      name: cell(row['name']),
      type: cell(row['entityType']),
      country: cell(row['country']),
      status: cell(row['status']),
      indicators: cell(row['indicatorCount']),
      last: cell(row['latestPeriodEnd']),
    }),
  },
  company: {
    path: '/public/companies',
    toRow: (row: Listed): Row => ({
      company: cell(row['companyId']),
      ticker: cell(row['ticker']),
      name: cell(row['name']),
      sector: cell(row['sector']),
      country: cell(row['country']),
      status: cell(row['status']),
      last: cell(row['latestPeriodEnd']),
    }),
  },
} as const;

const schema = z.strictObject({
  q: text('What to find, in words: German inflation, US payrolls, a ticker or a code.'),
  kind: z.enum(['indicator', 'entity', 'company']).default('indicator').describe('Kind of thing to find.'),
  country: text('Only of this country: code, slug or name.').optional(),
  as_of: asOf,
});

export const find: Tool<typeof schema> = {
  name: 'find',
  title: 'Find indicators, entities, companies',
  description: 'Lists the best matches first, with identifier, unit, frequency and span. The other tools take these identifiers.',
  input: schema,
  answer: async ({ q, kind, country, as_of }, service, keep): Promise<Answer> => {
    const { path, toRow } = KINDS[kind];
    const { data, meta } = await everyPage(service, path, { q, country, as_of });
    return {
      asOf: asOfOf(meta, as_of),
      facts: [...(data.length === 0 ? [`No match for ${q}.`] : []), ...hintsOf(meta)],
      rows: data.slice(0, keep).map(toRow),
      rowCount: data.length,
      narrower: () =>
        call('find', {
          q: `${q} …`,
          kind,
          ...(country === undefined ? { country: '…' } : {}),
          ...(as_of === undefined ? {} : { as_of }),
        }),
    };
  },
};
