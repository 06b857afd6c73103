// What must compile, and what must not, as a user of the installed package has it.
import { type Answer, AsofError, type ListPath, openAsof, type Page, type Schema } from '@asof/client';

export async function compiles(): Promise<unknown[]> {
  const asof = openAsof({ url: 'http://127.0.0.1:1', key: 'asof_key', mostWaitSeconds: 5 });
  const page: Page<'/observations'> = await asof.get('/observations', {
    query: { indicator_id: 'us_cpi', as_of: '2020-05-31', limit: 10 },
  });
  const actual: number | null | undefined = page.data[0]?.actual;
  const asOf: string | null = page.asOf;
  const chain: Answer<'/provenance/observations/{observationId}'> = await asof.get('/provenance/observations/{observationId}', {
    path: { observationId: 'obs_1' },
    query: { as_of: '2020-05-31' },
  });
  const prints: (number | null)[] = chain.data.vintages.map((one) => one.actual);
  const screen = await asof.get('/public/screener', { query: { filter: 'policy_rate:gt:1' }, signal: AbortSignal.timeout(1000) });
  const matched: number = screen.meta.screener.matched;
  for await (const row of asof.rows('/entities/{entityId}/observations', { path: { entityId: 'us' } }))
    void (row.period satisfies string | null);
  const countries: readonly Schema<'Country'>[] = (await asof.rows('/countries').all()).rows;
  const path: ListPath = '/economic-calendar';
  // @ts-expect-error a number where an identifier is wanted
  await asof.get('/observations', { query: { indicator: 1 } });
  // @ts-expect-error no parameter of the route
  await asof.get('/observations', { query: { perid: '2020-04' } });
  // @ts-expect-error no value of the set
  await asof.get('/observations', { query: { vintage: 'newest' } });
  // @ts-expect-error null is not sent, and so is not taken
  await asof.get('/observations', { query: { as_of: null } });
  // @ts-expect-error the form is JSON
  await asof.get('/observations', { query: { format: 'csv' } });
  // @ts-expect-error what stands in the path is wanted
  await asof.get('/provenance/observations/{observationId}');
  // @ts-expect-error so is a parameter that the route cannot do without
  await asof.get('/entities/resolve');
  // @ts-expect-error no list
  asof.rows('/provenance/observations/{observationId}', { path: { observationId: 'obs_1' } });
  // @ts-expect-error no JSON
  await asof.get('/llms.txt');
  // @ts-expect-error no route
  await asof.get('/nowhere');
  return [actual, asOf, prints, matched, countries, path, AsofError];
}
