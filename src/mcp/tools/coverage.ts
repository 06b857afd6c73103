import { z } from 'zod';
import { everyPage, type ServiceClient } from '../../client/service.ts';
import type { Answer } from '../answer.ts';
import { asOf, asOfOf, call, cell, hintsOf, say, text, type Tool } from './tool.ts';

const schema = z.strictObject({ country: text('Country to describe: code, slug or name.').optional(), as_of: asOf });

type Listed = Readonly<Record<string, unknown>>;

export const coverage: Tool<typeof schema> = {
  name: 'coverage',
  title: 'Coverage of the service',
  description: 'Counts by category and country. For one country: each indicator with its source, span and freshness.',
  input: schema,
  answer: ({ country, as_of }, service, keep) =>
    country === undefined ? ofAll(as_of, service, keep) : ofCountry(country, as_of, service, keep),
};

async function ofAll(as_of: string | undefined, service: ServiceClient, keep: number): Promise<Answer> {
  const { data } = await service.item('/coverage', { as_of });
  const totals = Object.entries(data['totals'] as Readonly<Record<string, number>>);
  const categories = data['categories'] as readonly Listed[];
  const countries = data['countries'] as readonly Listed[];
  return {
    asOf: say(data['asOf']),
    facts: [
      totals.map(([name, count]) => `${count} ${name}`).join(', '),
      `indicators by category: ${categories.map(({ category, indicatorCount }) => `${say(category)} ${say(indicatorCount)}`).join(', ')}`,
    ],
    rows: countries.slice(0, keep).map((row) => ({
      country: cell(row['iso2']),
      name: cell(row['name']),
      indicators: cell(row['indicatorCount']),
      observations: cell(row['observationCount']),
      last: cell(row['latestPeriodEnd']),
    })),
    rowCount: countries.length,
    narrower: () => call('coverage', { country: 'one of them', ...(as_of === undefined ? {} : { as_of }) }),
  };
}

async function ofCountry(country: string, as_of: string | undefined, service: ServiceClient, keep: number): Promise<Answer> {
  const { data, meta } = await everyPage(service, '/countries/available-indicators', { country, as_of });
  const indicators = data.flatMap((row) => row['indicators'] as readonly Listed[]);
  return {
    asOf: asOfOf(meta, as_of),
    facts: data.length === 0 ? [`No data for ${country}. The tool find names the countries.`, ...hintsOf(meta)] : [],
    rows: indicators.slice(0, keep).map((row) => ({
      indicator: cell(row['indicatorId']),
      source: cell(row['sourceId']),
      unit: cell(row['unit']),
      frequency: cell(row['frequency']),
      first: cell(row['firstPeriodEnd']),
      last: cell(row['latestPeriodEnd']),
      freshness: cell(row['collectionStatus'] ?? row['freshnessStatus']),
    })),
    rowCount: indicators.length,
    narrower: () => call('find', { q: 'a word of its name', country, ...(as_of === undefined ? {} : { as_of }) }),
  };
}
