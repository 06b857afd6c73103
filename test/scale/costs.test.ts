// Lines through measured points beside sums by hand, the plan beside one by hand, limits beside the code that has them, and docs/develop/scale.md beside the program.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Cost, costAt, fit, readCosts, type Source, type UnitCosts } from '../../bench/scale/costs.ts';
import { bytesText, DOCUMENT, documentWith, tablesOf, timeText } from '../../bench/scale/document.ts';
import { limitsOf } from '../../bench/scale/limits.ts';
import { planFor } from '../../bench/scale/plan.ts';
import { profileFor, rateAt } from '../../bench/scale/profiles.ts';
import { servicesOf } from '../../bench/scale/take.ts';
import type { Report } from '../../bench/figures.ts';

const ROOT = join(import.meta.dirname, '../..');
const costs = await readCosts();

describe('a line through measured points', () => {
  it('passes through two, and reports that', () => {
    expect(
      fit([
        { at: 10, value: 30 },
        { at: 20, value: 50 },
      ]),
    ).toEqual({ fixed: 10, slope: 2, form: 'line', miss: 0 });
  });

  it('is the least-squares line through three, with its largest error', () => {
    // Means 2 and 4; slope (−1·−3 + 0·1 + 1·2) / 2 = 2.5; fixed −1: no cost, so through zero: (1 + 10 + 18) / 14 = 29 / 14.
    const { fixed, slope, form, miss } = fit([
      { at: 1, value: 1 },
      { at: 2, value: 5 },
      { at: 3, value: 6 },
    ]);
    expect([fixed, form]).toEqual([0, 'through zero']);
    expect(slope).toBeCloseTo(29 / 14, 12);
    expect(miss).toBeCloseTo(29 / 14 - 1, 12);
    // Means 2 and 8; slope (1·3 + 1·2) / 2 = 2.5; fixed 3; misses 0.5 / 5, 1 / 9, 0.5 / 10.
    const rising = fit([
      { at: 1, value: 5 },
      { at: 2, value: 9 },
      { at: 3, value: 10 },
    ]);
    expect(rising.form).toBe('line');
    expect(rising.fixed).toBeCloseTo(3, 12);
    expect(rising.slope).toBeCloseTo(2.5, 12);
    expect(rising.miss).toBeCloseTo(1 / 9, 12);
  });

  it('is level if nothing grows', () => {
    expect(
      fit([
        { at: 1, value: 6 },
        { at: 2, value: 4 },
      ]),
    ).toMatchObject({ fixed: 5, slope: 0, form: 'constant' });
    expect(fit([{ at: 1, value: 6 }])).toMatchObject({ fixed: 6, slope: 0, form: 'constant' });
  });
});

const source: Source = {
  command: 'by hand',
  measuredAt: '2026-11-24T00:00:00Z',
  commit: null,
  machine: { cores: 2, memoryGb: 1, cpu: 'one' },
  remark: '',
};
const cost = (fixed: number, slope: number): Cost => ({
  unit: 'bytes',
  over: 'vintages',
  points: [
    { at: 1e6, value: fixed + slope * 1e6 },
    { at: 2e6, value: fixed + slope * 2e6 },
  ],
  source,
});

describe('the scale plan', () => {
  const service = { vintages: 1e6, connections: 1, p50Ms: 10, p99Ms: 20, coreMs: 10, source };
  const parts = ['series', 'derived', 'forecasts', 'published.vintages', 'published.states', 'published.values_3y'];
  const byHand: UnitCosts = {
    costs: {
      series: cost(0, 1e-3),
      'bytes: lake': cost(0, 2),
      'bytes: published': cost(1e6, 10),
      'bytes: served copy': cost(0, 60),
      'bytes: packs': cost(0, 90),
      'bytes: results of earlier derivations': cost(0, 5),
      'one new vintage: sent': cost(0, 155),
      'ingest through DuckDB: raw archive': cost(0, 4),
      'ingest through DuckDB: core-seconds': cost(0, 1e-5),
      'whole: publish: core-seconds': cost(0, 1e-6),
      'whole: derive: core-seconds': cost(100, 1e-4),
      'one new vintage: derive: core-seconds': cost(0, 2e-5),
      'start: core-seconds': cost(0, 2e-6),
      'start: memory when ready': cost(200, 1e-6),
      'memory: catalogue': cost(0, 1000),
      ...Object.fromEntries(
        parts.flatMap((part) => [
          [`whole: derive: of it ${part}`, cost(0, 1e-5)],
          [`one new vintage: derive: of it ${part}`, cost(0, 2e-6)],
        ]),
      ),
      ...Object.fromEntries(['point', 'as-of', 'screen', 'bulk'].map((name) => [`answer: ${name}`, cost(1000, 0)])),
    },
    services: {
      point: { ...service, queryClass: 'lookup' },
      'as-of': { ...service, queryClass: 'lookup' },
      screen: { ...service, queryClass: 'screen' },
      bulk: { ...service, queryClass: 'bulk' },
      kept: { ...service, queryClass: 'lookup' },
    },
  };
  const plan = planFor(byHand, { ...profileFor(1e8), workers: 4, workerCores: 5, publisherCores: 10, bytesPerSecond: 1e9 });

  it('adds up bytes: copies twice, and the files replaced by a night for each kept snapshot', () => {
    // Replaced: 155 − 150 = 5 bytes a vintage, four times.
    const near = (found: number, expected: number) => expect(found / expected).toBeCloseTo(1, 6);
    near(plan.bytes.bucket, 1e6 + 1e8 * (10 + 4 * 5 + 2 * 150));
    near(plan.bytes.publisher, 1e6 + 1e8 * (4 + 2 + 5 + 10 + 4 * 5 + 2 * 150));
    near(plan.series, 1e5);
  });

  it('divides the work on one series among workers, and nothing else', () => {
    // Whole: 10,100 core-seconds, 6,000 of them shared; ingest 1,000, publish 100, both ways 2 × 16.001 s, opening 200.
    const rest = 1000 / 10 + 100 + 2 * (10 * 1e8 + 1e6 + 150 * 1e8) * 1e-9 + 200;
    expect(plan.rebuild.oneMachine).toBeCloseTo(4100 / 10 + 6000 / 10 + rest, 3);
    expect(plan.rebuild.shared).toBeCloseTo(4100 / 10 + 6000 / 20 + rest, 3);
    expect(plan.rebuild.coreSeconds).toBeCloseTo(10_100 + 1000 + 100, 3);
  });

  it('has servers for the busiest moment, and three at least', () => {
    // A day of 1e6 has 7 % at noon: 19.44 a second, after a release four times as many; 10 core-ms each.
    expect(plan.peakPerSecond).toBeCloseTo((7e4 / 3600) * 4, 1);
    expect(plan.perCore).toBeCloseTo(100, 9);
    expect(plan.servers).toBe(3);
    expect(planFor(byHand, { ...profileFor(1e8), requestsPerDay: 1e7 }).servers).toBe(Math.ceil((plan.peakPerSecond * 10 * 0.01) / 0.5));
  });

  it('names the missing resources, and the way to get them', () => {
    const { series: _, ...without } = byHand.costs;
    expect(() => planFor({ ...byHand, costs: without }, profileFor(1e8))).toThrow(
      'unit-costs.json has no series. Run: npm run scale -- measure.',
    );
  });
});

describe('the traffic of a day', () => {
  it('has the given number of requests, without the bursts', () => {
    const calm = { requestsPerDay: 86_400, burst: { factor: 1, fadeSeconds: 300 } };
    let sum = 0;
    for (let second = 0; second < 86_400; second += 1) sum += rateAt(calm, second);
    expect(sum).toBeCloseTo(86_400, 3);
    expect(rateAt({ ...calm, burst: { factor: 4, fadeSeconds: 300 } }, 12.5 * 3600)).toBeCloseTo(4 * rateAt(calm, 12.5 * 3600), 9);
  });
});

describe('a report of the bench', () => {
  const figures = (peer: string, connections: number, cpuMsPerAsk: number | null) => ({
    peer,
    connections,
    cpuMsPerAsk,
    asks: 9,
    p50Ms: 3,
    p99Ms: 9,
    perSecond: 300,
    ratios: [1, 1] as const,
  });
  const report: Report = {
    measuredAt: '2026-11-24T10:00:00.000Z',
    commit: 'abc',
    machine: { cores: 2, memoryGb: 24, cpu: 'one' },
    versions: { Node: '20', DuckDB: '1', PostgreSQL: null, ClickHouse: null },
    vintages: 1e7,
    groups: [
      ...(['cold', 'as-of', 'hot'] as const).map((key) => ({
        key,
        name: key,
        of: '',
        peakMemoryMb: 1,
        figures: [figures('PostgreSQL', 1, 1), figures('asof', 8, 4), figures('asof', 1, 2)],
      })),
      {
        key: 'screener-as-of',
        name: '',
        of: '',
        peakMemoryMb: 1,
        figures: [figures('asof, query layer', 1, null), figures('asof, HTTP', 1, null)],
      },
      { key: 'bulk', name: '', of: '', peakMemoryMb: 1, figures: [figures('asof, Parquet', 1, 50), figures('asof, Arrow', 1, 40)] },
    ],
  };

  it('has the processor time of an answer at the fewest connections, or its median', () => {
    const { point, screen, bulk } = servicesOf(report, '/somewhere/r.json');
    expect([point.coreMs, point.connections, point.source.command]).toEqual([2, 1, 'npm run bench, r.json: cold, asof']);
    expect([screen.coreMs, bulk.coreMs, bulk.queryClass]).toEqual([3, 40, 'bulk']);
    expect(screen.source.remark).toContain('processor time is not told');
  });

  it('that lacks a group is refused with its name', () => {
    expect(() => servicesOf({ ...report, groups: report.groups.slice(0, 4) }, 'r.json')).toThrow(
      'r.json has no asof, Arrow in the group bulk',
    );
  });
});

describe('an expected limit', () => {
  it.each(limitsOf(costs).map(({ file, text, what }) => ({ file, text, what })))('is still in $file: $what', ({ file, text }) => {
    expect(readFileSync(join(ROOT, file), 'utf8')).toContain(text);
  });

  it('is met at 10^10 rows, where more than one pair of 64-bit hashes is expected to collide', () => {
    const ids = limitsOf(costs).find(({ file }) => file === 'sql/checks/ids_are_unique.sql');
    // Six doubles, eight words and two flags a row: what all packs have says how many rows are published.
    const { points } = costs.costs['bytes: packs'] ?? cost(0, 0);
    const [first, last] = [points[0], points.at(-1)];
    const rows = ((last?.value ?? 0) - (first?.value ?? 0)) / (6 * 8 + 8 * 4 + 2) / ((last?.at ?? 0) - (first?.at ?? 0));
    expect((ids?.at ?? 0) * rows).toBeCloseTo(Math.sqrt(0.02 * 18_446_744_073_709_551_616), -6);
  });

  it('for an upload is the largest object that stores accept', () => {
    const { at } = limitsOf(costs).find(({ file }) => file === 'src/objects/s3.ts') ?? {};
    const largest = Math.max(...['bytes: served copy', 'bytes: packs'].map((name) => costAt(costs.costs[name] ?? cost(0, 0), at ?? 0)));
    expect(largest / 5_497_558_138_880).toBeCloseTo(1, 6);
  });
});

describe('docs/develop/scale.md', () => {
  it('has the tables of the program (npm run scale -- document rewrites them)', () => {
    const text = readFileSync(DOCUMENT, 'utf8');
    expect(documentWith(text, tablesOf(costs))).toBe(text);
  });

  it('writes amounts in readable units', () => {
    expect([bytesText(999), bytesText(1.234e12), timeText(99), timeText(5400), timeText(1e6)]).toEqual([
      '999 B',
      '1.23 TB',
      '99 s',
      '90 min',
      '11.6 days',
    ]);
  });
});
