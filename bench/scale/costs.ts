// Unit costs: of a lake, a night and an answer, each with its measurement. Straight lines over the measured sizes.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const Source = z.strictObject({
  command: z.string().min(1),
  measuredAt: z.iso.datetime(),
  /** Null outside a checkout. */
  commit: z.string().nullable(),
  machine: z.strictObject({ cores: z.int(), memoryGb: z.number(), cpu: z.string() }),
  /** Disturbances of the measurement; empty for a clean figure. */
  remark: z.string(),
});
export type Source = z.infer<typeof Source>;

const UNITS = ['bytes', 'core-seconds', 'MB', 'count'] as const;
export type Unit = (typeof UNITS)[number];

const Point = z.strictObject({ at: z.number().positive(), value: z.number().nonnegative() });
export type Point = z.infer<typeof Point>;

/** A cost that grows with the lake. */
const Cost = z.strictObject({
  unit: z.enum(UNITS),
  /** The unit of `at`: vintages or series of a lake, rows of a publisher's file. */
  over: z.enum(['vintages', 'rows', 'series']),
  points: z.array(Point).min(1),
  source: Source,
});
export type Cost = z.infer<typeof Cost>;

/** The cost of one answer, alone on a machine with a known number of concurrent requests. */
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
  /** A line with a negative part is no cost: use the line through zero, or the constant, instead. */
  readonly form: 'line' | 'through zero' | 'constant';
  /** Largest distance of a measured point, relative to its value. */
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

/** The cost at a size, and if that is beyond the measured sizes. */
export function costAt({ points }: Pick<Cost, 'points'>, at: number): number {
  const { fixed, slope } = fit(points);
  return fixed + slope * at;
}

export function costNamed(costs: UnitCosts, name: string): Cost {
  const cost = costs.costs[name];
  if (cost === undefined) throw new RangeError(`unit-costs.json has no ${name}. Run: npm run scale -- measure.`);
  return cost;
}
