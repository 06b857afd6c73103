// Goals beside the rows of a report by hand.
import { describe, expect, it } from 'vitest';
import { type Goal, judge } from '../../bench/goals.ts';
import type { Figures } from '../../bench/measure.ts';
import type { MeasuredGroup, Report } from '../../bench/figures.ts';
import { table } from '../../bench/report.ts';

const figures = (peer: string, perSecond: number, connections: number): Figures => ({
  peer,
  asks: 100,
  p50Ms: 1000 / perSecond,
  p99Ms: 2000 / perSecond,
  perSecond,
  connections,
  cpuMsPerAsk: null,
  ratios: [1, 1],
});

const cold: MeasuredGroup = {
  key: 'cold',
  name: 'cold read',
  of: 'of a series',
  figures: [figures('asof', 80, 1), figures('PostgreSQL, Express', 100, 1), figures('asof', 90, 8), figures('PostgreSQL, Express', 120, 8)],
  peakMemoryMb: 100,
};

const goal = (more: Partial<Goal>): Goal => ({
  group: 'cold',
  of: 'rate',
  beside: 'PostgreSQL, Express',
  bound: 'at least',
  limit: 0.7,
  ...more,
});

describe('a goal', () => {
  it('is met at its limit, and missed by the percentage beyond it', () => {
    expect(judge(goal({ connections: 1, limit: 0.8 }), cold, 1e6)).toBe('≥ 0.8: met');
    expect(judge(goal({ connections: 8, limit: 1 }), cold, 1e6)).toBe('≥ 1: missed by 25 %');
  });

  it('uses the worst value if it applies to every number of connections', () => {
    expect(judge(goal({ limit: 0.78 }), cold, 1e6)).toBe('≥ 0.78: missed by 4 %');
  });

  it('compares with the named peer before the one of its row', () => {
    const screens = { ...cold, figures: [figures('HTTP', 10, 1), figures('plain', 60, 1), figures('with more', 20, 1)] };
    expect(judge(goal({ beside: 'with more', over: 'plain', bound: 'at most', limit: 2 }), screens, 1e6)).toBe('≤ 2: missed by 50 %');
  });

  it('is absent without its peer, and omitted at a size that it does not cover', () => {
    expect(judge(goal({ beside: 'ClickHouse' }), cold, 1e6)).toBe('≥ 0.7: absent');
    expect(judge(goal({ from: 1e7 }), cold, 1e6)).toBeNull();
    expect(judge(goal({ from: 1e6, below: 1e7 }), cold, 1e7)).toBeNull();
  });

  it('of zero is missed by the measured value', () => {
    const mixed = { ...cold, measures: [{ name: 'requests lost', value: 3, unit: 'requests' }] };
    const none = goal({ of: 'measure', beside: 'requests lost', bound: 'at most', limit: 0 });
    expect(judge(none, mixed, 1e6)).toBe('≤ 0: missed by 3');
    expect(judge(none, { ...mixed, measures: [{ name: 'requests lost', value: 0, unit: 'requests' }] }, 1e6)).toBe('≤ 0: met');
  });

  it('without a measurement is missed', () => {
    const unknown = { ...cold, measures: [{ name: 'p99 ÷ p50', value: Number.NaN, unit: '×' }] };
    expect(judge(goal({ of: 'measure', beside: 'p99 ÷ p50', bound: 'at most', limit: 10 }), unknown, 1e6)).toContain('missed');
  });
});

describe('the table', () => {
  const report: Report = {
    measuredAt: '2026-11-22T15:00:00.000Z',
    commit: null,
    machine: { cores: 2, memoryGb: 24, cpu: 'one' },
    versions: { Node: '20', DuckDB: '1.5', PostgreSQL: null, ClickHouse: null },
    vintages: 1e6,
    groups: [],
  };
  const lines = (groups: readonly MeasuredGroup[]) => table({ ...report, groups }).split('\n');

  it('prints each goal in its row', () => {
    const rows = lines([cold]).filter((line) => line.includes('PostgreSQL, Express'));
    expect(rows.map((line) => line.split(/ {2,}/).at(-1))).toEqual(['≥ 0.7: met', '≥ 1: missed by 25 %']);
  });

  it('has a row for a peer that is absent', () => {
    const alone = { ...cold, figures: cold.figures.slice(0, 1), absent: ['PostgreSQL, Express'] };
    expect(lines([alone]).find((line) => line.includes('PostgreSQL, Express'))).toMatch(/≥ 0\.7: absent; ≥ 1: absent$/);
    const latest = { ...alone, key: 'walk', name: 'walk' } as const;
    expect(lines([latest]).find((line) => line.includes('PostgreSQL, Express'))).toMatch(/ absent$/);
  });
});
