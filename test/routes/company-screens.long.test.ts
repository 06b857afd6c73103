// Every field of companies in a screen of the sample, beside what the other routes say of the same companies.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ScreenCounts, ScreenField, ScreenRow } from '../../src/model/screener.ts';
import { table } from '../reference/read-tables.ts';
import { type ErrorBody, type ListBody, type RunningService, startSampleService } from '../service.ts';

const FIELDS = table('company_figures').map((row) => String(row['field']));
/** Of each figure that is a line of a statement its period and key there. */
const LINES = {
  revenue: ['ttm', 'revenue'],
  gross_profit: ['ttm', 'grossProfit'],
  operating_income: ['ttm', 'operatingIncome'],
  net_income: ['ttm', 'netIncome'],
  operating_cash_flow: ['ttm', 'operatingCashFlow'],
  current_assets: ['instant', 'currentAssets'],
  current_liabilities: ['instant', 'currentLiabilities'],
  equity: ['instant', 'stockholdersEquity'],
  total_assets: ['instant', 'totalAssets'],
  total_liabilities: ['instant', 'totalLiabilities'],
} as const;

let service: RunningService;
beforeAll(async () => {
  service = await startSampleService();
});
afterAll(() => service.stop());

async function listed(path: string): Promise<ListBody & { readonly meta: { readonly screener?: unknown } }> {
  const response = await service.get(path);
  expect([path, response.status]).toEqual([path, 200]);
  return (await response.json()) as ListBody;
}
const screened = async (query: string) => {
  const { data, meta } = await listed(`/public/screener?universe=companies&eligible_only=false&limit=500&${query}`);
  return { rows: z.array(ScreenRow).parse(data), counts: ScreenCounts.parse(meta.screener) };
};
const Statement = z.object({
  statementType: z.string(),
  periodType: z.string(),
  periodEnd: z.string(),
  items: z.record(z.string(), z.number().nullable()),
});

describe('a field of companies', () => {
  it.each(FIELDS)('%s is listed with its distribution, in a term that finds companies', async (name) => {
    const fields = z.array(ScreenField).parse((await listed('/public/screener/filters?limit=500')).data);
    const field = fields.find((one) => one.field === name);
    if (field === undefined) throw new Error(`${name} is not listed.`);
    expect(field).toMatchObject({
      type: 'number',
      modifiers: ['rank', 'pct', 'age_days'],
      universes: ['companies', 'entities'],
      enumValues: null,
    });
    const spread = [field.min, field.p05, field.median, field.p95, field.max].map((one) => one ?? Number.NaN);
    expect(spread).toEqual(spread.toSorted((a, b) => a - b));
    const { rows, counts } = await screened(
      `filter=${encodeURIComponent(field.example)}&rank_by=${name}:desc&columns=${name},${name}@rank`,
    );
    expect(counts).toMatchObject({ matched: rows.length, excludedMissing: counts.evaluated - field.coverageCount });
    expect(rows.length).toBeGreaterThan(0);
    expect(rows[0]?.values).toMatchObject({
      [name]: { value: field.max, unit: field.unit, observationId: null },
      [`${name}@rank`]: { value: 1 },
    });
    const refused = (await (await service.get(`/public/screener?filter=${name}@yoy:gt:0`)).json()) as ErrorBody;
    expect(refused.error).toMatchObject({ code: 'bad_request', message: expect.stringContaining('rank, pct, age_days') as string });
  });

  const MOMENTS = ['', '&as_of=2025-06-30', '&as_of=2024-03-01'];

  it.each(MOMENTS)('equals the score on /public/companies%s', async (asOf) => {
    const names = {
      score_composite: 'composite',
      score_value: 'value',
      score_quality: 'quality',
      score_growth: 'growth',
      score_financial_health: 'financialHealth',
    };
    const { rows } = await screened(`columns=${Object.keys(names).join(',')}${asOf}`);
    const companies = (await listed(`/public/companies?limit=500${asOf}`)).data;
    const scoresOf = (id: string) =>
      companies.find((one) => one['entityId'] === id)?.['scores'] as Readonly<Record<string, number | null>> | undefined;
    for (const row of rows)
      for (const [field, name] of Object.entries(names))
        expect([row.name, field, row.values[field]?.value]).toEqual([row.name, field, scoresOf(row.entityId)?.[name] ?? null]);
    expect(rows.filter((row) => row.values['score_composite']?.value !== null).length).toBeGreaterThan(1);
  });

  it.each(MOMENTS)('equals the line of the statement known then%s', async (asOf) => {
    const { rows } = await screened(`columns=${Object.keys(LINES).join(',')}${asOf}`);
    let compared = 0;
    for (const row of rows) {
      const [trailing, balances] = await Promise.all(
        ['period=ttm', 'statement=balance_sheet'].map(async (query) =>
          z.array(Statement).parse((await listed(`/companies/${row.entityId}/financials?${query}&limit=500${asOf}`)).data),
        ),
      );
      for (const [field, [period, key]] of Object.entries(LINES)) {
        const cell = row.values[field];
        if (cell?.value == null) continue;
        const own = [...(trailing ?? []), ...(balances ?? [])].filter(
          (one) => one.periodType === period && one.periodEnd === cell.periodEnd,
        );
        expect([row.name, field, own.map((one) => one.items[key] ?? null).filter((one) => one !== null)]).toEqual([
          row.name,
          field,
          [cell.value],
        ]);
        compared += 1;
      }
    }
    expect(compared).toBeGreaterThan(10);
  });
});
