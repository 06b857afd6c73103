// The statements of a company may be in another currency than its price.
import type { DuckDBConnection } from '@duckdb/node-api';
import { expect, it } from 'vitest';
import { sqlText } from '../../src/db/query.ts';
import { RELATIONS, type Step } from '../../src/snapshot/build/relations.ts';
import { fredMdFile, openPipeline } from '../pipeline.ts';

/** Numbers of statements that are no money. */
const NO_MONEY = ['shares'];

it('every amount of a company is converted into the currency of its price', async () => {
  const amounts: string[] = [];
  const describe: Step = {
    path: 'test/amounts',
    as: 'computed',
    async compute(connection: DuckDBConnection) {
      const columns = (await connection.runAndReadAll('describe valuations.company_fundamentals')).getRows();
      amounts.push(...columns.flatMap(([name, type]) => (type === 'DOUBLE' ? [String(name)] : [])));
      throw new Error('All columns are known.');
    },
  };
  const before = RELATIONS.slice(0, RELATIONS.findIndex(({ path }) => path === 'valuations/company_fundamentals') + 1);
  const pipeline = await openPipeline({ steps: [...before, describe] });
  await expect(pipeline.run(fredMdFile('2020-05', { PAYEMS: { '2020-03': 100 } }), '2021-01-01T00:00:00.000Z')).rejects.toThrow(
    'All columns are known.',
  );
  await pipeline.remove();
  const converted = [...sqlText('valuations/valuations.sql').matchAll(/(\w+) \* exchange_rate as \1\b/g)].map(([, name]) => name);
  expect(amounts.length).toBeGreaterThan(20);
  expect(new Set(converted)).toEqual(new Set(amounts.filter((name) => !NO_MONEY.includes(name))));
});
