// The comparison with lakes of then, of everything: derived indicators and forecasts through the query layer, all other dated things through HTTP. Each lake
// of then is built once, and asked by all that is compared with it.
import type { SnapshotReader } from '../../../src/snapshot/serving/reader.ts';
import type { Pipeline } from '../../pipeline.ts';
import type { RunningService } from '../../service.ts';
import {
  compareDraws,
  type DrawnDifference,
  type DrawReport,
  drawMoments,
  type Luck,
  luckOf,
  type Moment,
  type Target,
  targetsOf,
} from './draws.ts';
import { buildLakeOfThen } from './lake-of-then.ts';
import { shownBy } from '../shown-tickers.ts';
import {
  compareRoutes,
  type Compared as ComparedRoute,
  KINDS,
  type Kind,
  routesMissed,
  startOpenService,
  type ThenDifference,
  type ThenOptions,
} from './then-routes.ts';

/** A lake that knows everything, built by the steps of the project or by others. */
export interface Compared {
  readonly pipeline: Pipeline;
  /** Derived indicators that are asked about. */
  readonly slugs: readonly string[];
  /** Questions of these over all lakes of then. */
  readonly draws: number;
}

export interface SuiteOptions {
  readonly lakes: number;
  readonly seed: number;
  /** CIKs. */
  readonly companies: readonly string[];
  readonly isCacheShared: boolean;
  /** Between these one lake of then is built. */
  readonly between?: readonly [from: string, to: string];
  /** When everything is known. */
  readonly now: string;
}

export interface SuiteReport {
  readonly draws: DrawReport;
  readonly routes: {
    readonly differences: readonly ThenDifference[];
    readonly rows: Readonly<Record<Kind, number>>;
    readonly compared: Readonly<Record<string, ComparedRoute>>;
    /** Routes that are neither asked nor left out for a reason. */
    readonly missed: readonly string[];
  };
}

/** One of the lakes, opened, and what was found of it so far. */
interface Side {
  readonly reader: SnapshotReader;
  readonly service: RunningService;
  readonly targets: readonly Target[];
  readonly draws: number;
  readonly report: {
    readonly draws: { readonly differences: DrawnDifference[]; readonly rows: Record<string, number> };
    readonly routes: {
      readonly differences: ThenDifference[];
      readonly rows: Record<Kind, number>;
      readonly compared: Record<string, ComparedRoute>;
      readonly missed: readonly string[];
    };
  };
}

/** Of each of the lakes; moments and questions are drawn by the first. All are published. */
export async function compareWithLakesOfThen(all: readonly Compared[], options: SuiteOptions): Promise<readonly SuiteReport[]> {
  const luck = luckOf(options.seed, 100_000);
  const sides = await Promise.all(all.map((one) => openSide(one, options)));
  try {
    const [first, side] = [all[0], sides[0]];
    if (first === undefined || side === undefined) throw new Error('there is no lake to compare');
    const moments = await drawMoments(first.pipeline, side.targets, options.lakes, luck, options.between);
    for (const moment of moments) {
      const then = await buildLakeOfThen(first.pipeline, new Date(moment.start).toISOString(), options.isCacheShared);
      try {
        await askQueries(sides, await then.open(), moment, options.lakes, luck);
        const shown = await shownBy(first.pipeline, new Date(moment.start).toISOString());
        await askRoutes(sides, then, moment, { companies: options.companies, luck, shown });
      } finally {
        await then.remove();
      }
    }
  } finally {
    for (const { service } of sides) await service.stop();
  }
  return sides.map(({ report }) => report);
}

async function openSide({ pipeline, slugs, draws }: Compared, { now }: SuiteOptions): Promise<Side> {
  const reader = await pipeline.open();
  const none = Object.fromEntries(KINDS.map((kind) => [kind, 0])) as Record<Kind, number>;
  const service = await startOpenService(pipeline.dataDir, Date.parse(now));
  return {
    reader,
    service,
    targets: (await targetsOf(reader)).filter(({ slug }) => slugs.includes(slug)),
    draws,
    report: {
      draws: { differences: [], rows: {} },
      routes: { differences: [], rows: none, compared: {}, missed: await routesMissed(service) },
    },
  };
}

async function askQueries(sides: readonly Side[], then: SnapshotReader, moment: Moment, lakes: number, luck: Luck): Promise<void> {
  for (const { reader, targets, draws, report } of sides) {
    const { differences, rows } = await compareDraws(reader, then, moment, targets, Math.ceil(draws / lakes), luck);
    report.draws.differences.push(...differences);
    for (const [slug, found] of Object.entries(rows)) report.draws.rows[slug] = (report.draws.rows[slug] ?? 0) + found;
  }
}

async function askRoutes(sides: readonly Side[], then: Pipeline, { start }: Moment, options: ThenOptions): Promise<void> {
  const service = await startOpenService(then.dataDir, start);
  try {
    const services = sides.map((side) => side.service);
    const found = await compareRoutes(services, service, new Date(start).toISOString(), options);
    for (const [index, { differences, rows, routes }] of found.entries()) {
      const report = sides[index]?.report.routes;
      if (report === undefined) continue;
      // Too many to be arguments of one call, if a lake differs everywhere.
      for (const one of differences) report.differences.push(one);
      for (const [kind, count] of rows) report.rows[kind] += count;
      for (const [route, more] of routes) {
        const before = report.compared[route] ?? { rows: 0, values: 0 };
        report.compared[route] = { rows: before.rows + more.rows, values: before.values + more.values };
      }
    }
  } finally {
    await service.stop();
  }
}
