// The series that the start page of collected data opens.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';

interface Asked {
  readonly indicator_id: string;
  readonly source_id?: string;
}
const address = pathToFileURL(join(import.meta.dirname, '../../../src/pages/static/home/first.js')).href;
const { firstRevised } = (await import(address)) as {
  firstRevised: (given: object) => Promise<{ params: object } | null>;
};

const series = (indicatorId: string, sourceId: string, more: object = {}) => ({
  indicatorId,
  canonicalIndicatorId: indicatorId.slice(3),
  category: 'labour',
  sourceId,
  entityId: 'us',
  frequency: 'monthly',
  unit: 'thousands',
  vintageCount: 300,
  observationCount: 100,
  latestPeriodEnd: '2025-11-30',
  ...more,
});
const places = { indicators: { cpi: 1 } };
const openedOf = async (payrolls: readonly object[], others: readonly object[], revised: readonly string[]) => {
  const get = async (_path: string, { indicator_id }: Asked) => ({ data: indicator_id === 'us_nonfarm_payrolls' ? payrolls : others });
  const getText = async (_path: string, { indicator_id, source_id }: Asked) => ({
    text: `revised\r\n${revised.includes(`${indicator_id} ${String(source_id)}`)}\r\nfalse\r\n`,
  });
  return (await firstRevised({ get, getText, places }))?.params ?? null;
};
const PAYROLLS = [series('us_nonfarm_payrolls', 'fred'), series('us_nonfarm_payrolls', 'fred_md')];
const CPI = [series('us_cpi', 'fred', { unit: 'percent' })];

it('is that of US payrolls whose newest three years were revised', async () => {
  expect(await openedOf(PAYROLLS, CPI, ['us_nonfarm_payrolls fred_md', 'us_cpi fred'])).toEqual({
    indicator_id: 'us_nonfarm_payrolls',
    source_id: 'fred_md',
    entity: 'us',
    frequency: 'monthly',
    transform: 'change',
    range: '3',
  });
});

it('is one of those that people look up most if payrolls were not revised or are not there', async () => {
  const rate = { indicator_id: 'us_cpi', source_id: 'fred', entity: 'us', frequency: 'monthly', range: '3' };
  for (const payrolls of [PAYROLLS, []]) expect(await openedOf(payrolls, CPI, ['us_cpi fred'])).toEqual(rate);
});

it('is none if no series was revised', async () => {
  expect(await openedOf(PAYROLLS, CPI, [])).toBeNull();
  expect(await openedOf([], [series('us_cpi', 'fred', { vintageCount: 100 })], ['us_cpi fred'])).toBeNull();
});
