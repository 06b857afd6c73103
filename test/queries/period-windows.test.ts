// A page whose end is asked for before it is the page of the statement over all that the filters leave: rows and the place where the next begins.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bindSeries, observationsList } from '../../src/queries/reads/engine.ts';
import type { VintageFilters } from '../../src/queries/reads/rows.ts';
import type { ObservationSort } from '../../src/queries/reads/order.ts';
import { type PageOf, runPaged } from '../../src/queries/paging.ts';
import { windowOf } from '../../src/queries/reads/period-windows.ts';
import { readCurrent, snapshotPaths } from '../../src/snapshot/manifest.ts';
import { openSnapshot, type SnapshotReader } from '../../src/snapshot/serving/reader.ts';
import { UNFILTERED } from '../pipeline.ts';
import { sampleLake } from '../service.ts';
import { isLong } from '../suite.ts';

const WALKS = isLong ? 200 : 6;
const PAGES_OF_A_WALK = 4;

let folder: string;
let snapshot: SnapshotReader;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'asof-windows-'));
  const paths = snapshotPaths(await sampleLake());
  const manifest = await readCurrent(paths);
  if (manifest === null) throw new Error('the sample has no snapshot');
  snapshot = await openSnapshot(paths, manifest, {
    limits: { threads: 2, memory: '400MB', tempDirectory: folder, tempSize: '1GB' },
    connections: 2,
  });
});
afterAll(async () => {
  snapshot.close();
  await rm(folder, { recursive: true });
});

const day = fc.option(fc.date({ min: new Date('2015-01-01'), max: new Date('2026-12-31'), noInvalidDate: true }), { nil: null, freq: 1 });
const walk = fc.record({
  asOf: day,
  from: day,
  to: day,
  vintage: fc.constantFrom('latest' as const, 'first' as const, 'all' as const),
  numericOnly: fc.boolean(),
  order: fc.constantFrom('asc' as const, 'desc' as const),
  limit: fc.integer({ min: 1, max: 400 }),
  series: fc.integer({ min: 1, max: 60 }),
});

it('a narrowed page equals the page found among all vintages, walk after walk', async () => {
  let pages = 0;
  let narrowed = 0;
  await fc.assert(
    fc.asyncProperty(walk, async ({ asOf, from, to, vintage, numericOnly, order, limit, series }) => {
      const filters: VintageFilters = {
        ...UNFILTERED,
        asOf: asOf?.toISOString() ?? null,
        periodFrom: from?.toISOString().slice(0, 10) ?? null,
        periodTo: to?.toISOString().slice(0, 10) ?? null,
        vintage,
        numericOnly,
      };
      const asked = snapshot.catalogue.series.filter((_, place) => place % series === 0);
      const bound = { ...bindSeries(snapshot, asked, filters), numericOnly };
      let after: PageOf<ObservationSort>['after'] = null;
      for (let number = 0; number < PAGES_OF_A_WALK; number += 1) {
        const page: PageOf<ObservationSort> = { sort: 'period_end', order, after, limit };
        const window = await windowOf(snapshot, bound, page, 1);
        const [found, whole] = [
          await runPaged(snapshot, observationsList, { ...bound, ...window }, page),
          await runPaged(snapshot, observationsList, bound, page),
        ];
        expect(found).toEqual(whole);
        pages += 1;
        if (window.periodFrom !== filters.periodFrom && window.periodTo !== filters.periodTo) narrowed += 1;
        after = whole.nextKey;
        if (after === null) return;
      }
    }),
    { numRuns: WALKS, seed: 1 },
  );
  expect([pages > WALKS, narrowed > 0]).toEqual([true, true]);
});

it('a small page and another order need no extra query', async () => {
  const silent = { ...snapshot, withConnection: () => Promise.reject(new Error('the engine was asked')) };
  const bound = { ...bindSeries(snapshot, snapshot.catalogue.series, { ...UNFILTERED, vintage: 'all' }), numericOnly: false };
  const page = { order: 'asc', after: null } as const;
  const whole = { periodFrom: null, periodTo: null };
  expect(await windowOf(silent, bound, { ...page, sort: 'period_end', limit: 1000 })).toEqual(whole);
  expect(await windowOf(silent, bound, { ...page, sort: 'observed_at', limit: 1_000_000 })).toEqual(whole);
});
