// Unit costs: what a lake, a night and an answer cost, each with what it was measured by. Straight lines over the sizes that were measured.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const Source = z.strictObject({
  command: z.string().min(1),
  measuredAt: z.iso.datetime(),
  /** Null outside a checkout. */
  commit: z.string().nullable(),
  machine: z.strictObject({ cores: z.int(), memoryGb: z.number(), cpu: z.string() }),
  /** What stood in the way of a clean figure; empty where nothing did. */
  remark: z.string(),
});
export type Source = z.infer<typeof Source>;

const UNITS = ['bytes', 'core-seconds', 'MB', 'count'] as const;
export type Unit = (typeof UNITS)[number];

const Point = z.strictObject({ at: z.number().positive(), value: z.number().nonnegative() });
export type Point = z.infer<typeof Point>;

/** What grows with the lake. */
const Cost = z.strictObject({
  unit: z.enum(UNITS),
  /** What is counted by `at`: vintages or series of a lake, rows that a publisher's file has. */
  over: z.enum(['vintages', 'rows', 'series']),
  points: z.array(Point).min(1),
  source: Source,
});
export type Cost = z.infer<typeof Cost>;

/** What one answer costs, alone on a machine of which it is known how many questions were under way. */
const Service = z.strictObject({
  queryClass: z.enum(['lookup', 'screen', 'bulk']),
  vintages: z.int(),
  connections: z.int(),
  p50Ms: z.number().positive(),
  p99Ms: z.number().positive(),
  /** Processor time of an answer. */
  coreMs: z.number().positive(),
  source: Source,
});
export type Service = z.infer<typeof Service>;

export const SERVICES = ['point', 'as-of', 'screen', 'bulk', 'kept'] as const;
export type ServiceName = (typeof SERVICES)[number];

const UnitCosts = z.strictObject({ costs: z.record(z.string(), Cost), services: z.partialRecord(z.enum(SERVICES), Service) });
export type UnitCosts = z.infer<typeof UnitCosts>;

const UNIT_COSTS = join(import.meta.dirname, 'unit-costs.json');

export async function readCosts(file = UNIT_COSTS): Promise<UnitCosts> {
  return UnitCosts.parse(JSON.parse(await readFile(file, 'utf8')));
}

export async function writeCosts(costs: UnitCosts, file = UNIT_COSTS): Promise<void> {
  await writeFile(file, `${JSON.stringify(UnitCosts.parse(costs), null, 2)}\n`);
}

export interface Line {
  readonly fixed: number;
  readonly slope: number;
  /** A line with a negative part is no cost: then the line through zero, or what is the same at every size. */
  readonly form: 'line' | 'through zero' | 'constant';
  /** Largest distance of a measured point, as a share of what was measured. */
  readonly miss: number;
}

/** By least squares; neither part is negative. */
export function fit(points: readonly Point[]): Line {
  const count = points.length;
  const mean = (of: (point: Point) => number) => points.reduce((sum, point) => sum + of(point), 0) / count;
  const [meanAt, meanValue] = [mean(({ at }) => at), mean(({ value }) => value)];
  const spread = mean(({ at }) => (at - meanAt) ** 2);
  const slope = spread === 0 ? 0 : mean(({ at, value }) => (at - meanAt) * (value - meanValue)) / spread;
  const fixed = meanValue - slope * meanAt;
  const held = (line: Omit<Line, 'miss'>): Line => ({
    ...line,
    miss: Math.max(...points.map(({ at, value }) => (value === 0 ? 0 : Math.abs(line.fixed + line.slope * at - value) / value))),
  });
  if (slope <= 0) return held({ fixed: meanValue, slope: 0, form: 'constant' });
  if (fixed < 0) return held({ fixed: 0, slope: mean(({ at, value }) => at * value) / mean(({ at }) => at ** 2), form: 'through zero' });
  return held({ fixed, slope, form: 'line' });
}

/** What a cost is at a size, and whether that lies beyond what was measured. */
export function costAt({ points }: Pick<Cost, 'points'>, at: number): number {
  const { fixed, slope } = fit(points);
  return fixed + slope * at;
}

export function costNamed(costs: UnitCosts, name: string): Cost {
  const cost = costs.costs[name];
  if (cost === undefined) throw new RangeError(`unit-costs.json has no ${name}. Run: npm run scale -- measure.`);
  return cost;
}
