// The one door to vintages. It plans each read: the newest prints or packs in memory, the cached states of a year, or an engine.
import { heldRows, run } from '../../db/query.ts';
import { type Catalogue, type Series, seriesOf } from '../../model/catalogue.ts';
import type { NewestPrints } from '../../model/pack.ts';
import { latestOfEngine, vintagesOfEngine } from './engine.ts';
import { latestOfNewest, newestStates } from './newest.ts';
import { latestOfPacks, type OpenPacks, vintagesOfPacks } from './packs.ts';
import type { LatestRead, LatestVintageRow, Read, ReadPage, VintageFilters, VintageRow } from './rows.ts';
import { boundStates, type NewestRow, screenerStatesQuery, type StatesRead, statesInMemory } from './states.ts';

/** What answers a read. All plans return the same rows; test/queries/reads.test.ts asks each of them. */
type Plan =
  | { readonly by: 'newest'; readonly newest: NewestPrints }
  | { readonly by: 'packs'; readonly open: OpenPacks }
  | { readonly by: 'engine' };

const BY_ENGINE: Plan = { by: 'engine' };
const NOTHING: ReadPage<never> = { rows: heldRows([]), nextKey: null };

/** One page of the vintages that the filters leave. */
export async function readVintages(read: Read): Promise<ReadPage<VintageRow>> {
  if (read.series.length === 0) return NOTHING;
  if (read.filters.assumed === true) return vintagesOfEngine(read);
  const plan = await packsOrEngine(read, read.page.sort === 'period_end');
  return plan.by === 'packs' ? vintagesOfPacks(read, plan.open) : vintagesOfEngine(read);
}

/** One page of the newest period with a value of each series, after the filters. */
export async function readLatest(read: LatestRead): Promise<ReadPage<LatestVintageRow>> {
  if (read.series.length === 0) return NOTHING;
  if (read.filters.assumed === true) return latestOfEngine(read, false);
  const { newest, catalogue } = read.snapshot;
  const plan: Plan = newest !== null && isInForceNow(read) ? { by: 'newest', newest } : await packsOrEngine(read, true);
  if (plan.by === 'newest') return latestOfNewest(read, plan.newest, seriesIn(catalogue));
  return plan.by === 'packs' ? latestOfPacks(read, plan.open) : latestOfEngine(read, isInForce(read.filters));
}

/** The newest value of each series of some indicators, for a screen, unordered. */
export async function readStates(read: StatesRead): Promise<readonly NewestRow[]> {
  const { snapshot, indicators, asOf, periodFrom } = read;
  const bound = boundStates(read);
  if (bound.indicatorNos.length === 0) return [];
  // If there is another engine, ask it, even if this process has the rows in memory.
  if (snapshot.engine !== undefined && snapshot.engine !== null) return run(snapshot, screenerStatesQuery, bound);
  const { newest, catalogue } = snapshot;
  const series = [...new Set(indicators)].flatMap((field) => catalogue.byCanonicalId.get(field) ?? []);
  if (newest !== null && isInForceNow({ snapshot, series, filters: { ...IN_FORCE, asOf, periodFrom } })) {
    return newestStates(newest, series, periodFrom);
  }
  return (await statesInMemory(snapshot, bound)) ?? run(snapshot, screenerStatesQuery, bound);
}

/** To look at more vintages than this would delay other requests. The order by period needs no such look, because packs have that order. */
const MOST_LOOKED_AT = 200_000;

async function packsOrEngine({ snapshot: { packs: all, catalogue }, series }: Read, isInOrder: boolean): Promise<Plan> {
  if (all === null) return BY_ENGINE;
  const isOne = series.length === 1 && isInOrder;
  if (!isOne && hasMore(series, isInOrder ? all.mostRows : Math.min(all.mostRows, MOST_LOOKED_AT))) return BY_ENGINE;
  const packs = await all.read(series.map((one) => one.seriesNo));
  return packs === null ? BY_ENGINE : { by: 'packs', open: { packs, texts: all.texts, seriesAt: seriesIn(catalogue) } };
}

/** True if the series have more vintages than `most`. The loop stops early. */
export function hasMore(series: readonly Series[], most: number): boolean {
  let sum = 0;
  return series.some(({ vintageCount }) => (sum += vintageCount) > most);
}

const seriesIn = (catalogue: Catalogue) => (seriesNo: number) => seriesOf(catalogue, { seriesNo });

const IN_FORCE = {
  observedFrom: null,
  observedTo: null,
  periodTo: null,
  vintage: 'latest',
  releaseNumber: null,
  backfill: null,
  numericOnly: false,
} as const;

/** True if the filters leave only rows in force. A lower bound on the period removes series, but not the newest period of the others. */
export function isInForce(filters: VintageFilters): boolean {
  return (
    filters.vintage === 'latest' &&
    filters.assumed !== true &&
    [filters.asOf, filters.observedFrom, filters.observedTo, filters.periodTo, filters.releaseNumber, filters.backfill].every(
      (bound) => bound === null,
    )
  );
}

/**
 * The same, and also if the cutoff is later than everything known of these series. Instants of series have only milliseconds, so compare
 * strictly.
 */
function isInForceNow({ snapshot: { catalogue }, series, filters }: Pick<Read, 'snapshot' | 'series' | 'filters'>): boolean {
  const { asOf } = filters;
  if (!isInForce({ ...filters, asOf: null })) return false;
  if (asOf === null) return true;
  const at = Date.parse(asOf);
  const isBefore = ({ latestObservedAt }: Series) => latestObservedAt === null || Date.parse(latestObservedAt) < at;
  return lastKnownOf(catalogue) < at || series.every(isBefore);
}

const lastKnown = new WeakMap<Catalogue, number>();

/** When data of any series last became known, ms. */
function lastKnownOf(catalogue: Catalogue): number {
  const found = lastKnown.get(catalogue);
  if (found !== undefined) return found;
  const moments = catalogue.series.map(({ latestObservedAt }) =>
    latestObservedAt === null ? Number.NEGATIVE_INFINITY : Date.parse(latestObservedAt),
  );
  const last = moments.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  lastKnown.set(catalogue, last);
  return last;
}
