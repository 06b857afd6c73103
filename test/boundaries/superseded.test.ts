// When a vintage lost its place, as bulk rows say it: by hand, at cutoffs around the print that took it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnyListRoute, Context } from '../../src/http/route.ts';
import { NO_GRANTS } from '../../src/model/grant.ts';
import type { Manifest } from '../../src/model/manifest.ts';
import type { Snapshot } from '../../src/queries/snapshot.ts';
import { observationsChanges, observationsLatest, observationsRoute, publicObservations } from '../../src/routes/observations.ts';
import { objectsOf } from '../reads.ts';
import { catalogueOf, seriesWith } from './by-hand/series.ts';
import { moved, openRelations, type Print, type Relations, toVintages, VINTAGE_COLUMNS } from './by-hand/tables.ts';

const NOW = '2024-05-10T12:00:00.000Z';
const [FIRST, SECOND, THIRD] = ['2024-02-10T12:00:00.000Z', '2024-03-10T12:00:00.000Z', '2024-05-01T12:00:00.000Z'];

// January in three prints, the last of which withdraws it; February in one.
const prints: readonly Print[] = [
  { seriesNo: 1, period: '2024-01', periodEnd: '2024-01-31', value: 1, observedAt: FIRST },
  { seriesNo: 1, period: '2024-01', periodEnd: '2024-01-31', value: 2, observedAt: SECOND },
  { seriesNo: 1, period: '2024-01', periodEnd: '2024-01-31', value: null, observedAt: THIRD },
  { seriesNo: 1, period: '2024-02', periodEnd: '2024-02-29', value: 5, observedAt: SECOND },
];

let relations: Relations;
let context: Context<Snapshot>;
beforeAll(async () => {
  relations = await openRelations();
  await relations.table('published.series', 'series_no integer, frequency varchar', [{ seriesNo: 1, frequency: 'monthly' }]);
  await relations.table('published.vintages', VINTAGE_COLUMNS, toVintages(prints));
  const catalogue = catalogueOf([seriesWith({ seriesNo: 1, latestPeriodEnd: '2024-02-29' })]);
  const of = { catalogue, manifest: {} as Manifest, grants: NO_GRANTS, packs: null, newest: null };
  context = {
    snapshot: { ...relations.reader, snapshotId: 's', knowledgeCutoff: NOW, ...of },
    now: Date.parse(NOW),
    client: { keyId: 'k', tier: 'full', scopes: ['data:read'] },
    hasScope: () => true,
    historyFrom: null,
    decided: { preferred: null },
    resumeCursor: () => '',
  };
});
afterAll(() => relations.close());

type Row = Readonly<Record<string, unknown>>;

async function rowsOf(route: AnyListRoute<Snapshot>, query: Row, isBulk = true): Promise<readonly Row[]> {
  const bounds = { limit: 50, after: null };
  const request = { ...bounds, sort: route.sortable[0], order: 'asc' as const, answer: bounds, isBulk };
  const { rows } = await route.list(query, request, context, {});
  return (await objectsOf(rows)) as readonly Row[];
}

const told = async (query: Row, route = observationsRoute) =>
  (await rowsOf(route, query)).map((row) => [row['period'], row['actual'], row['supersededAt']]);

describe('a vintage in a bulk answer', () => {
  it('has the time at which the next one replaced it, and null while it is in force', async () => {
    expect(await told({ vintage: 'all' })).toEqual([
      ['2024-01', 1, SECOND],
      ['2024-01', 2, THIRD],
      ['2024-01', null, null],
      ['2024-02', 5, null],
    ]);
    expect(await told({ vintage: 'first' })).toEqual([
      ['2024-01', 1, SECOND],
      ['2024-02', 5, null],
    ]);
    expect(await told({ release_number: 2 })).toEqual([['2024-01', 2, THIRD]]);
    expect(await told({ vintage: 'all' }, publicObservations)).toEqual(await told({ vintage: 'all' }));
    expect((await told({}, observationsChanges)).filter(([period]) => period === '2024-01')).toEqual([
      ['2024-01', 1, SECOND],
      ['2024-01', 2, THIRD],
      ['2024-01', null, null],
    ]);
  });

  it('does not show at a cutoff that it was replaced later', async () => {
    const at = async (asOf: string) =>
      (await told({ vintage: 'all', as_of: asOf, period: '2024-01' })).map(([, , superseded]) => superseded);
    expect(await at(moved(SECOND, -1))).toEqual([null]);
    expect(await at(SECOND)).toEqual([SECOND, null]);
    expect(await at(moved(THIRD, -1))).toEqual([SECOND, null]);
    expect(await at(THIRD)).toEqual([SECOND, THIRD, null]);
    expect(await told({ as_of: moved(THIRD, -1) })).toEqual([
      ['2024-01', 2, null],
      ['2024-02', 5, null],
    ]);
  });

  it("shows today's knowledge under a bound that is no cutoff", async () => {
    expect(await told({ observed_to: moved(THIRD, -1), period: '2024-01' })).toEqual([['2024-01', 2, THIRD]]);
    expect(await told({ observed_to: moved(THIRD, -1), period: '2024-01' }, observationsLatest)).toEqual([['2024-01', 2, THIRD]]);
    expect(await told({ as_of: NOW }, observationsLatest)).toEqual([['2024-02', 5, null]]);
  });

  it('has that time only in bulk answers', async () => {
    for (const route of [observationsRoute, observationsLatest, observationsChanges]) {
      const rows = await rowsOf(route, { as_of: NOW }, false);
      expect([route.path, rows.length > 0, rows.some((row) => 'supersededAt' in row)]).toEqual([route.path, true, false]);
    }
  });
});
