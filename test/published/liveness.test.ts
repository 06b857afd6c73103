import { describe, expect, it } from 'vitest';
import { livenessOf } from '../../src/model/series.ts';
import { NOTHING_LEARNED } from '../../src/model/trust.ts';

const MONTHLY = {
  frequency: 'monthly',
  defaultBudgetDays: 86,
  learnedBudgets: NOTHING_LEARNED,
  ceasedAt: null,
  ceasedFinalPeriod: null,
  latestPeriodEnd: '2024-01-31',
} as const;
const FED = { lastAdvanceAt: '2024-02-10T00:00:00.000Z', lastCheckedAt: '2024-02-20T00:00:00.000Z' };
const at = (instant: string) => Date.parse(instant);
const verdict = (series: Parameters<typeof livenessOf>[0], feed: Parameters<typeof livenessOf>[1], instant: string) =>
  livenessOf(series, feed, at(instant)).verdict;

describe('the verdict on a feed', () => {
  it('is live up to the last moment of the budget, and late after it', () => {
    expect(verdict(MONTHLY, FED, '2024-04-27T00:00:00Z')).toBe('live');
    expect(livenessOf(MONTHLY, FED, at('2024-04-28T00:00:00Z'))).toMatchObject({
      verdict: 'late',
      ageDays: 87,
      overdueDays: 1,
      expectedNextAt: '2024-04-27T00:00:00.000Z',
    });
  });

  it('follows the budget learned by then, and names it', () => {
    const learned = { ...MONTHLY, learnedBudgets: { knownFrom: [at('2024-02-10T00:00:00Z')], days: [61] } };
    expect(livenessOf(learned, FED, at('2024-04-03T00:00:00Z'))).toMatchObject({ verdict: 'late', budgetDays: 61, overdueDays: 1 });
    const later = { ...MONTHLY, learnedBudgets: { knownFrom: [at('2024-04-10T00:00:00Z')], days: [61] } };
    expect(livenessOf(later, FED, at('2024-04-03T00:00:00Z'))).toMatchObject({ verdict: 'live', budgetDays: 86 });
  });

  it('is frozen once runs succeeded for two cadences without a new period, overdue or not', () => {
    expect(verdict(MONTHLY, { ...FED, lastCheckedAt: '2024-04-11T23:00:00.000Z' }, '2024-04-12T00:00:00Z')).toBe('live');
    expect(verdict(MONTHLY, { ...FED, lastCheckedAt: '2024-04-12T00:00:00.000Z' }, '2024-04-12T00:00:00Z')).toBe('frozen');
    expect(livenessOf(MONTHLY, { ...FED, lastCheckedAt: '2024-06-01T00:00:00.000Z' }, at('2024-06-01T00:00:00Z')).reasons).toHaveLength(2);
  });

  it('is late, not frozen, before a release that its calendar expects after the last check', () => {
    const feed = (nextReleaseAt: string | null) => ({ ...FED, lastCheckedAt: '2024-06-01T00:00:00.000Z', nextReleaseAt });
    const judged = (nextReleaseAt: string | null) => livenessOf(MONTHLY, feed(nextReleaseAt), at('2024-06-20T00:00:00Z'));
    expect(judged('2024-06-01T00:00:00.001Z')).toMatchObject({
      verdict: 'late',
      reasons: [
        'The newest period is 54 days older than the budget of 86 days allows.',
        'The calendar has its next release on 2024-06-01.',
      ],
    });
    expect(judged('2024-06-01T00:00:00.000Z').verdict).toBe('frozen');
    expect(judged(null).verdict).toBe('frozen');
  });

  it('does not freeze a daily series over a weekend', () => {
    const daily = { ...MONTHLY, frequency: 'daily', defaultBudgetDays: 6, latestPeriodEnd: '2024-03-01' } as const;
    const feed = { lastAdvanceAt: '2024-03-01T20:00:00.000Z', lastCheckedAt: '2024-03-04T06:00:00.000Z' };
    expect(verdict(daily, feed, '2024-03-04T06:00:00Z')).toBe('live');
    expect(verdict(daily, { ...feed, lastCheckedAt: '2024-03-05T20:00:00.000Z' }, '2024-03-05T20:00:00Z')).toBe('frozen');
  });

  it('is ceased before anything else, and unknown without value, cadence or check', () => {
    const late = '2030-01-01T00:00:00Z';
    const ceased = { ...MONTHLY, ceasedAt: at('2024-03-31T23:59:59.999Z'), ceasedFinalPeriod: '2024-01' };
    expect(verdict(ceased, FED, '2024-03-31T23:59:59.998Z')).toBe('live');
    expect(livenessOf(ceased, FED, at(late))).toMatchObject({
      verdict: 'ceased',
      reasons: ['The publisher retired the collection after 2024-01.'],
      overdueDays: 0,
      expectedNextAt: null,
    });
    expect(verdict({ ...MONTHLY, latestPeriodEnd: null }, { lastAdvanceAt: null, lastCheckedAt: null }, late)).toBe('unknown');
    expect(verdict({ ...MONTHLY, frequency: 'event', defaultBudgetDays: null }, FED, late)).toBe('unknown');
    expect(verdict(MONTHLY, { ...FED, lastCheckedAt: null }, late)).toBe('unknown');
  });
});
