// The results in docs/develop/bench.md beside the kept results.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { MeasuredGroup, Report } from '../../bench/figures.ts';
import { newestOf, PAGE, withResults } from '../../bench/page.ts';
import { readResults } from '../../bench/results.ts';

const group = (key: MeasuredGroup['key'], time: number): MeasuredGroup => ({
  key,
  name: key,
  of: 'a question',
  figures: [],
  measures: [{ name: 'time', value: time, unit: 's' }],
  peakMemoryMb: 1,
});

const report = (day: string, groups: readonly MeasuredGroup[]): Report => ({
  measuredAt: `${day}T12:00:00.000Z`,
  commit: 'abc',
  machine: { cores: 2, memoryGb: 24, cpu: 'processor' },
  versions: { Node: '20', DuckDB: '1', PostgreSQL: null, ClickHouse: null },
  vintages: 10_000_000,
  groups,
});

const MARKS = 'before\n<!-- results -->\nold\n<!-- /results -->\nafter\n';

describe('the page of results', () => {
  it('has the newest kept results', async () => {
    const page = readFileSync(PAGE, 'utf8');
    expect(page).toBe(withResults(page, await readResults()));
  });

  it('names each goal as met or missed', () => {
    const page = withResults(MARKS, [report('2026-01-01', [group('panel', 4)])]);
    expect(page).toContain('| `panel` | time | 4 s | ≤ 3 s | missed');
    expect(page).toContain('Measured on 2026-01-01, commit `abc`: 2 × processor, 24 GB; Node 20, DuckDB 1.');
    expect(page).not.toContain('old');
    expect(withResults(page, [report('2026-01-02', [group('panel', 2)])])).toContain('| `panel` | time | 2 s | ≤ 3 s | met |');
  });

  it('adds a group that the whole run lacks, with the commit of its newest result', () => {
    const whole = report('2026-01-01', [group('panel', 4), group('start', 1)]);
    const rebuilt = (day: string, commit: string, time: number): Report => {
      const measures = [{ name: 'nothing new: time', value: time, unit: 's' }];
      return { ...report(day, [{ ...group('rebuild', time), measures }]), commit };
    };
    const page = withResults(MARKS, [whole, rebuilt('2026-01-02', 'fed', 9), rebuilt('2026-01-03', 'cab', 1)]);
    expect(page).toContain('| `rebuild` (commit `cab`) | nothing new: time | 1 s | ≤ 2 s | met |');
    expect(page).not.toContain('fed');
  });

  it('keeps a whole run if a later one has fewer groups', () => {
    const [whole, part] = [report('2026-01-01', [group('panel', 4), group('start', 1)]), report('2026-01-02', [group('panel', 2)])];
    expect(newestOf([whole, part])).toEqual([whole]);
    expect(newestOf([whole, report('2026-01-03', whole.groups)])).toEqual([report('2026-01-03', whole.groups)]);
  });
});
