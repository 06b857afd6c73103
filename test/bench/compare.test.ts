// What a run names as slower than the kept results.
import { expect, it } from 'vitest';
import { slower } from '../../bench/compare.ts';
import type { Report } from '../../bench/figures.ts';
import type { Figures } from '../../bench/measure.ts';

const figures = (peer: string, perSecond: number, connections = 1): Figures => ({
  peer,
  asks: 1,
  p50Ms: 1,
  p99Ms: 1,
  perSecond,
  connections,
  cpuMsPerAsk: null,
  ratios: [1, 1],
});

const report = (commit: string, ours: number, vintages = 1_000_000): Report => ({
  measuredAt: '2026-01-01T00:00:00.000Z',
  commit,
  machine: { cores: 2, memoryGb: 24, cpu: 'processor' },
  versions: { Node: '20', DuckDB: '1', PostgreSQL: '15', ClickHouse: null },
  vintages,
  groups: [{ key: 'cold', name: 'cold read', of: 'a page', figures: [figures('asof', ours), figures('PostgreSQL', 100)], peakMemoryMb: 1 }],
});

it('names a rate beside a peer that fell by more than 20 %, with the commit of the newest kept result', () => {
  const kept = [report('old', 400), report('new', 200)];
  expect(slower(report('now', 159), kept)).toEqual([
    'cold: asof beside PostgreSQL, 1 connection: 1.59 ×, and 2.00 × in the result of commit new',
  ]);
  expect(slower(report('now', 161), kept)).toEqual([]);
});

it('compares only with results of the same size, and takes the newest that has the row', () => {
  expect(slower(report('now', 1), [report('large', 400, 100_000_000)])).toEqual([]);
  const without = { ...report('newest', 400), groups: [] };
  expect(slower(report('now', 1), [report('older', 200), without])).toHaveLength(1);
});
