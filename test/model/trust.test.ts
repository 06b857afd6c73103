import { DOUBLE, DuckDBInstance } from '@duckdb/node-api';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sqlText } from '../../src/db/query.ts';
import { addDays } from '../../src/model/period.ts';
import {
  type Cadence,
  freshnessOf,
  type Gated,
  notStaleFrom,
  NOTHING_LEARNED,
  type PreferenceCandidate,
  preferredRows,
  rowReasons,
  type SourceTier,
  verdictTurnsAt,
} from '../../src/model/trust.ts';

const DAY = 86_400_000;
const monthly: Cadence = { defaultBudgetDays: 86, learnedBudgets: NOTHING_LEARNED, ceasedAt: null };

describe('freshness', () => {
  it('lasts to the last millisecond of the budget, counted from the end of the period', () => {
    const end = Date.parse('2024-04-01T00:00:00Z');
    expect(freshnessOf(monthly, '2024-03-31', end + 86 * DAY)).toBe('fresh');
    expect(freshnessOf(monthly, '2024-03-31', end + 86 * DAY + 1)).toBe('stale');
  });

  it('is unknown without a period, without a budget, and for a ceased series, however old', () => {
    const late = Date.parse('2030-01-01T00:00:00Z');
    expect(freshnessOf(monthly, null, late)).toBe('unknown');
    expect(freshnessOf({ ...monthly, defaultBudgetDays: null }, '2024-03-31', late)).toBe('unknown');
    expect(freshnessOf({ ...monthly, ceasedAt: late }, '2024-03-31', late)).toBe('unknown');
  });

  it('is the same in SQL and in code', async () => {
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    await connection.run("set TimeZone = 'UTC'");
    await connection.run(sqlText('macros/freshness_status.sql'));
    const statement = await connection.prepare('select freshness_status($end::date, $budget::double, $ceased::boolean, $at::timestamptz)');
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 400 }),
        fc.option(fc.constantFrom(6, 17, 86, 199, 666, 3.63, 50.05, 138.95, 8.5)),
        fc.boolean(),
        fc.integer({ min: -DAY, max: 700 * DAY }),
        async (day, budget, isCeased, offset) => {
          const periodEnd = addDays('2023-01-01', day);
          const at = Date.parse(`${periodEnd}T00:00:00Z`) + offset;
          statement.bind({ end: periodEnd, budget, ceased: isCeased, at: new Date(at).toISOString() }, { budget: DOUBLE });
          const inSql = (await statement.runAndReadAll()).getRows()[0]?.[0];
          expect(inSql).toBe(freshnessOf({ ...monthly, defaultBudgetDays: budget, ceasedAt: isCeased ? at : null }, periodEnd, at));
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('the moment at which a verdict may change', () => {
  const instant = fc.integer({ min: 0, max: 60 });
  const gated = fc.record({
    defaultBudgetDays: fc.option(fc.constantFrom(0, 1e-7, 2e-7)), // days: 0, 9 and 17 ms
    learnedBudgets: fc
      .uniqueArray(instant, { maxLength: 3 })
      .map((moments) => ({ knownFrom: moments.toSorted((a, b) => a - b), days: moments.map((one) => (one % 4) * 1e-7) })),
    ceasedAt: fc.option(instant),
    inputsCeasedAt: fc.option(instant),
    eventCadence: fc.option(
      fc.uniqueArray(instant, { maxLength: 2 }).map((moments) => ({
        knownFrom: moments.toSorted((a, b) => a - b),
        until: moments.map((one) => (one % 3 === 0 ? null : one + 7)),
      })),
    ),
    reasons: fc.constant([] as const),
  });

  it('is after all moments with the same verdict, and next to one that may differ', () => {
    const turned = { times: 0, kept: 0 };
    fc.assert(
      fc.property(gated, instant, (series, at) => {
        const row = { periodEnd: '1969-12-31', value: 1, vintage: 'v' };
        const verdictAt = (moment: number) => [freshnessOf(series, row.periodEnd, moment), rowReasons(series, row, moment)];
        const turns = verdictTurnsAt(series, row.periodEnd, at);
        expect(turns).toBeGreaterThan(at);
        for (let later = at; later < Math.min(turns, 120); later += 1) {
          expect(verdictAt(later)).toEqual(verdictAt(at));
          turned.kept += 1;
        }
        if (JSON.stringify(verdictAt(turns)) !== JSON.stringify(verdictAt(at))) turned.times += 1;
      }),
      { numRuns: 2000 },
    );
    expect(turned.times).toBeGreaterThan(300);
    expect(turned.kept).toBeGreaterThan(5000);
  });
});

describe('the oldest period that is not stale', () => {
  it('is the last one that freshness does not call stale', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(6, 17, 86, 3.63, 50.05, 8.5),
        fc.integer({ min: Date.parse('2020-01-01'), max: Date.parse('2022-01-01') }),
        (budget, at) => {
          const cadence = { ...monthly, defaultBudgetDays: budget };
          const oldest = notStaleFrom(cadence, at) ?? '';
          expect(freshnessOf(cadence, oldest, at)).toBe('fresh');
          expect(freshnessOf(cadence, addDays(oldest, -1), at)).toBe('stale');
        },
      ),
    );
    expect(notStaleFrom({ ...monthly, defaultBudgetDays: null }, 0)).toBeNull();
    expect(notStaleFrom({ ...monthly, ceasedAt: 0 }, 0)).toBeNull();
  });
});

describe('the scoring gate', () => {
  it('requires of a row at a moment: not stale, a finite value, a live collection and live inputs', () => {
    const at = Date.parse('2024-05-01T00:00:00Z');
    const series: Gated = { ...monthly, reasons: [], inputsCeasedAt: null, eventCadence: null };
    const row = { periodEnd: '2024-03-31', value: 1, vintage: '2024-04-10' };
    const reasons = (change: Partial<Gated>, row_: { periodEnd: string | null; value: number | null; vintage: string } = row) =>
      rowReasons({ ...series, ...change }, row_, at);
    expect(reasons({})).toEqual([]);
    expect(reasons({}, { ...row, periodEnd: '2024-01-31' })).toEqual(['stale']);
    expect(reasons({}, { ...row, value: null })).toEqual(['no_value']);
    expect(reasons({}, { ...row, value: Number.POSITIVE_INFINITY })).toEqual(['no_value']);
    expect(reasons({ ceasedAt: at + 1, inputsCeasedAt: at + 1 })).toEqual([]);
    expect(reasons({ ceasedAt: at })).toEqual(['ceased']);
    expect(reasons({ ceasedAt: at }, { ...row, periodEnd: '2000-01-31' })).toEqual(['ceased']);
    expect(reasons({ inputsCeasedAt: at })).toEqual(['input_ineligible']);
    expect(reasons({ inputsCeasedAt: at, reasons: ['input_ineligible', 'unit'] })).toEqual(['input_ineligible', 'unit']);
    expect(reasons({ learnedBudgets: { knownFrom: [at], days: [29] } })).toEqual(['stale']);
    expect(reasons({ learnedBudgets: { knownFrom: [at + 1], days: [29] } })).toEqual([]);
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
  it('is one per slot with an eligible row, else none', () => {
    fc.assert(
      fc.property(rowsOf, (rows) => {
        const preferred = preferredRows(rows);
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
    expect(best(row({}), row({ observedAt: '2024-04-01', isSeasonalAdjustmentMatch: false, observationId: 'd' }))).toEqual(['a']);
    expect(best(row({}), row({ retrievedAt: '2024-04-01', observationId: 'd' }))).toEqual(['d']);
    expect(best(row({}), row({ sourceId: 'r', observationId: 'd' }))).toEqual(['d']);
    expect(best(row({}), row({ observationId: 'A' }))).toEqual(['A']);
  });
});
