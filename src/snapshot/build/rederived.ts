// Builds the relations of a lake without a snapshot: up to all vintages, or only up to those that sources state.
import type { DuckDBConnection } from '@duckdb/node-api';
import { patternOf, quote } from '../../db/connect.ts';
import { createRelation } from '../../db/layers.ts';
import { loadReference } from '../../lake/reference.ts';
import { RELATIONS } from './relations.ts';
import { codeOfStatistics, openResultFiles } from './result-files.ts';

const LAST = { stated: 'series/vintages', computed: 'derived/all_vintages' } as const;

export interface RederiveOptions {
  readonly lakeRoot: string;
  readonly referenceDir: string;
  /** Folder for intermediate results. It starts empty, so that everything is computed. */
  readonly cacheDir: string;
}

/** Creates the relations of a build in order, with or without computed values. */
export async function rederive(connection: DuckDBConnection, reach: keyof typeof LAST, options: RederiveOptions): Promise<void> {
  await connection.run(`set variable lake_root = ${quote(patternOf(options.lakeRoot))}`);
  await loadReference(connection, options.referenceDir);
  const results = openResultFiles(options.cacheDir, codeOfStatistics());
  for (const step of RELATIONS.slice(0, RELATIONS.findIndex(({ path }) => path === LAST[reach]) + 1)) {
    if (step.as === 'computed') await step.compute(connection, results);
    else if (step.as !== 'files') await createRelation(connection, step);
  }
}
