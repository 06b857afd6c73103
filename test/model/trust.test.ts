import { DuckDBInstance } from '@duckdb/node-api';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sqlText } from '../../src/db/query.ts';
import { addDays } from '../../src/model/period.ts';
import { freshnessOf, type PreferenceCandidate, preferredRows, seriesReasons, type SourceTier } from '../../src/model/trust.ts';

const DAY = 86_400_000;
const monthly = { frequency: 'monthly', budgetDays: 86, isCeased: false } as const;

describe('freshness', () => {
  it('holds to the last millisecond of the budget, counted from the end of the period', () => {
    const end = Date.parse('2024-04-01T00:00:00Z');
    expect(freshnessOf(monthly, '2024-03-31', end + 86 * DAY)).toBe('fresh');
    expect(freshnessOf(monthly, '2024-03-31', end + 86 * DAY + 1)).toBe('stale');
  });

  it('is unknown without a period, without a budget, and for a ceased series, however old', () => {
    const late = Date.parse('2030-01-01T00:00:00Z');
    expect(freshnessOf(monthly, null, late)).toBe('unknown');
    expect(freshnessOf({ ...monthly, budgetDays: null }, '2024-03-31', late)).toBe('unknown');
    expect(freshnessOf({ ...monthly, isCeased: true }, '2024-03-31', late)).toBe('unknown');
  });

  it('is the same in SQL, where the catalogue is published, and here, where rows are served', async () => {
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    await connection.run("set TimeZone = 'UTC'");
    await connection.run(sqlText('macros/freshness_status.sql'));
    const statement = await connection.prepare('select freshness_status($end::date, $budget::integer, $ceased::boolean, $at::timestamptz)');
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 400 }),
        fc.option(fc.constantFrom(6, 17, 86, 199, 666)),
        fc.boolean(),
        fc.integer({ min: -DAY, max: 700 * DAY }),
        async (day, budget, isCeased, offset) => {
          const periodEnd = addDays('2023-01-01', day);
          const at = Date.parse(`${periodEnd}T00:00:00Z`) + offset;
          statement.bind({ end: periodEnd, budget, ceased: isCeased, at: new Date(at).toISOString() });
          const inSql = (await statement.runAndReadAll()).getRows()[0]?.[0];
          expect(inSql).toBe(freshnessOf({ frequency: 'monthly', budgetDays: budget, isCeased }, periodEnd, at));
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('the scoring gate', () => {
  const sound = {
    tier: 'official_national' as SourceTier,
    frequency: 'monthly' as const,
    isCeased: false,
    unit: 'percent',
    factorUnit: 'percent',
    comparisonBasis: 'yoy',
    factorComparisonBasis: 'yoy',
    areInputsEligible: false,
  };
  it.each([
    [{}, []],
    [{ tier: 'news' as const }, ['tier']],
    [{ tier: 'multilateral_fallback' as const, frequency: 'annual' as const }, ['tier', 'fallback_only']],
    [{ tier: 'service_derived' as const }, ['input_ineligible']],
    [{ tier: 'service_derived' as const, areInputsEligible: true }, []],
    [{ isCeased: true }, ['ceased']],
    [{ unit: 'index' }, ['unit']],
    [{ comparisonBasis: 'mom' }, ['comparison_basis']],
  ])('gives its reasons: %j', (change, reasons) => {
    expect(seriesReasons({ ...sound, ...change })).toEqual(reasons);
  });
});

const candidate = fc.record({
  country: fc.option(fc.constantFrom('US', 'FR')),
  factorKey: fc.option(fc.constantFrom('cpi', 'gdp')),
  period: fc.option(fc.constantFrom('2024-01', '2024-02')),
  scoringEligible: fc.boolean(),
  sourceId: fc.constantFrom('a', 'b', 'c'),
  sourceTier: fc.constantFrom<SourceTier>('central_bank', 'official_national', 'market_data'),
  sourceRank: fc.option(fc.integer({ min: 1, max: 3 })),
  isMonetary: fc.boolean(),
  isSeasonalAdjustmentMatch: fc.boolean(),
  observedAt: fc.constantFrom('2024-03-01T00:00:00.000Z', '2024-04-01T00:00:00.000Z'),
  retrievedAt: fc.constant('2024-05-01T00:00:00.000Z'),
});
const rowsOf = fc
  .array(candidate, { maxLength: 40 })
  .map((rows) => rows.map((row, index): PreferenceCandidate => ({ ...row, observationId: `obs_${index}` })));
const slotOf = (row: PreferenceCandidate) =>
  row.country === null || row.factorKey === null || row.period === null ? null : `${row.country}|${row.factorKey}|${row.period}`;

describe('the preferred row', () => {
  it('is one per slot with an eligible row, none without, also when an answer is read in pages', () => {
    fc.assert(
      fc.property(rowsOf, fc.integer({ min: 1, max: 40 }), (rows, pageSize) => {
        const settled = new Set<string>();
        const preferred = new Set<string>();
        for (let start = 0; start < rows.length; start += pageSize) {
          for (const id of preferredRows(rows.slice(start, start + pageSize), settled)) preferred.add(id);
        }
        const chosen = rows.filter((row) => preferred.has(row.observationId));
        const eligibleSlots = new Set(
          rows
            .filter((row) => row.scoringEligible)
            .map(slotOf)
            .filter((slot) => slot !== null),
        );
        expect(chosen.every((row) => row.scoringEligible)).toBe(true);
        expect(chosen.map(slotOf).toSorted((a, b) => String(a).localeCompare(String(b)))).toEqual([...eligibleSlots].sort());
      }),
    );
  });

  it('is that of the registry before tier, of the central bank for money and of the national office otherwise', () => {
    const row = (changes: Partial<PreferenceCandidate>): PreferenceCandidate => ({
      country: 'US',
      factorKey: 'x',
      period: '2024-01',
      scoringEligible: true,
      sourceId: 's',
      sourceTier: 'official_national',
      sourceRank: null,
      isMonetary: false,
      isSeasonalAdjustmentMatch: true,
      observedAt: '2024-03-01',
      retrievedAt: '2024-03-01',
      observationId: 'a',
      ...changes,
    });
    const best = (...rows: PreferenceCandidate[]) => [...preferredRows(rows)];
    const bank = { sourceTier: 'central_bank' as const, observationId: 'b' };
    expect(best(row({}), row(bank))).toEqual(['a']);
    expect(best(row({ isMonetary: true }), row({ ...bank, isMonetary: true }))).toEqual(['b']);
    expect(best(row({}), row({ ...bank, sourceRank: 2 }), row({ sourceRank: 1, observationId: 'c' }))).toEqual(['c']);
    expect(best(row({}), row({ observedAt: '2024-04-01', observationId: 'd' }))).toEqual(['d']);
  });
});
