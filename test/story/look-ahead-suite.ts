// The comparison with lakes of then, of everything: derived indicators and forecasts through the query layer, all other dated things through HTTP. Each lake
// of then is built once, and asked by all that is compared with it.
import type { Pipeline } from '../pipeline.ts';
import { compareDraws, type DrawReport, drawMoments, luckOf, targetsOf } from './look-ahead-draws.ts';
import { buildLakeOfThen } from './lake-of-then.ts';
import { compareRoutes, KINDS, type Kind, startOpenService, type ThenReport } from './then-routes.ts';

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
  readonly routes: Omit<ThenReport, 'rows'> & { readonly rows: Readonly<Record<Kind, number>> };
}

/** Of each of the lakes; moments and questions are drawn by the first, which is published. */
export async function compareWithLakesOfThen(all: readonly Compared[], options: SuiteOptions): Promise<readonly SuiteReport[]> {
  const [first] = all;
  if (first === undefined) throw new Error('there is no lake to compare');
  const luck = luckOf(options.seed, 100_000);
  const readers = await Promise.all(all.map(({ pipeline }) => pipeline.open()));
  const services = await Promise.all(all.map(({ pipeline }) => startOpenService(pipeline.dataDir, Date.parse(options.now))));
  const reports = all.map(() => ({
    draws: { differences: [] as DrawReport['differences'][number][], rows: {} as Record<string, number> },
    routes: {
      differences: [] as ThenReport['differences'][number][],
      rows: Object.fromEntries(KINDS.map((kind) => [kind, 0])) as Record<Kind, number>,
    },
  }));
  const targets = await Promise.all(
    readers.map(async (reader, index) => {
      const slugs = all[index]?.slugs ?? [];
      return (await targetsOf(reader)).filter(({ slug }) => slugs.includes(slug));
    }),
  );
  try {
    const moments = await drawMoments(first.pipeline, targets[0] ?? [], options.lakes, luck, options.between);
    for (const [number, moment] of moments.entries()) {
      const cutoff = new Date(moment.start).toISOString();
      const then = await buildLakeOfThen(first.pipeline, cutoff, options.isCacheShared);
      try {
        const reader = await then.open();
        for (const [index, full] of readers.entries()) {
          const count = (of: number) => Math.floor((of * (all[index]?.draws ?? 0)) / options.lakes);
          const { differences, rows } = await compareDraws(
            full,
            reader,
            moment,
            targets[index] ?? [],
            count(number + 1) - count(number),
            luck,
          );
          const own = reports[index]?.draws;
          own?.differences.push(...differences);
          for (const [slug, found] of Object.entries(rows)) if (own !== undefined) own.rows[slug] = (own.rows[slug] ?? 0) + found;
        }
        const service = await startOpenService(then.dataDir, moment.start);
        try {
          for (const [index, { differences, rows }] of (
            await compareRoutes(services, service, cutoff, { companies: options.companies, luck })
          ).entries()) {
            const own = reports[index]?.routes;
            own?.differences.push(...differences);
            for (const [kind, found] of rows) if (own !== undefined) own.rows[kind] += found;
          }
        } finally {
          await service.stop();
        }
      } finally {
        await then.remove();
      }
    }
  } finally {
    for (const service of services) await service.stop();
  }
  return reports;
}
