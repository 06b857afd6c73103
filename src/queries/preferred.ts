// The preferred rows of an answer that is read page by page, decided once in SQL over all of its rows. Only rows that are not stale can be
// preferred, so each series has few candidates, however long the answer.
import { z } from 'zod';
import { type Bound, filled, type Query, type Reader, run } from '../db/query.ts';
import { nextTurn } from '../db/turns.ts';
import type { Series } from '../model/catalogue.ts';
import { compareSeries, notStaleFrom, reasonsAt } from '../model/trust.ts';
import {
  bindSeries,
  latestOrAssumed,
  observationsChangesQuery,
  observationsLatest,
  observationsList,
  observationsNewest,
  observationsOrAssumed,
} from './reads/engine.ts';
import { hasMore, isInForce } from './reads/read.ts';
import type { VintageFilters } from './reads/rows.ts';
import type { ObservationSort } from './reads/order.ts';
import { lastPeriodOf } from './reads/period-windows.ts';
import { around, type PagedQuery, type PageOf, runEnd } from './paging.ts';
import type { Snapshot } from './snapshot.ts';

const candidateParams = {
  candidateNos: z.array(z.int()),
  candidateSlots: z.array(z.int()),
  candidatePreferences: z.array(z.int()),
  candidateSources: z.array(z.int()),
  candidateFrom: z.array(z.string()),
};

const FILE = 'observations/preferred.sql';

function amongRowsOf<Params extends z.ZodRawShape, Row>(query: Query<Params, Row>, isLimited = false) {
  // If the answer has a limit, the engine must not push the join into it, because the limit would then count other rows.
  const barrier: Readonly<Record<string, string>> = isLimited ? { 'not materialized': 'materialized' } : {};
  const among = around(query, (answer, { statement }) => filled(statement(FILE), { asked_rows: `(${answer})`, ...barrier }));
  const params = z.strictObject({ ...query.params.shape, ...candidateParams }) as unknown as z.ZodObject<Params & typeof candidateParams>;
  return { ...among, file: FILE, params, row: z.strictObject({ idHash: z.string() }) };
}

export const preferredChangesQuery = amongRowsOf(observationsChangesQuery, true);

/** To bind more series than this takes a turn. */
const MOST_AT_ONCE = 1000;

async function preferredAmong<Params extends z.ZodRawShape>(
  reader: Reader,
  query: Query<Params & typeof candidateParams, { readonly idHash: string }>,
  values: { readonly [Name in keyof Params]: Bound },
  series: readonly Series[],
  at: number,
): Promise<ReadonlySet<string>> {
  if (series.length > MOST_AT_ONCE) await nextTurn();
  const candidates = candidatesOf(series, at);
  if (series.length > MOST_AT_ONCE) await nextTurn();
  const bound = { ...values, ...candidates };
  const rows = await run(reader, query, bound as { readonly [Name in keyof (Params & typeof candidateParams)]: Bound });
  return new Set(rows.map((row) => row.idHash));
}

const ANY_DAY = '0001-01-01';

function candidatesOf(series: readonly Series[], at: number) {
  const candidates = series.filter((one) => one.country !== null && one.factorKey !== null && reasonsAt(one, at).length === 0);
  const slots = numbered(candidates.map((one) => `${one.country} ${one.factorKey}`));
  const sources = numbered(candidates.map((one) => one.sourceId).sort());
  const order = candidates.toSorted(compareSeries);
  const preferences = new Map<number, number>();
  for (const [index, one] of order.entries()) {
    const before = order[index - 1];
    const isTie = before !== undefined && compareSeries(before, one) === 0;
    preferences.set(one.seriesNo, isTie ? (preferences.get(before.seriesNo) ?? index) : index);
  }
  return {
    candidateNos: candidates.map((one) => one.seriesNo),
    candidateSlots: candidates.map((one) => slots.get(`${one.country} ${one.factorKey}`) ?? 0),
    candidatePreferences: candidates.map((one) => preferences.get(one.seriesNo) ?? 0),
    candidateSources: candidates.map((one) => sources.get(one.sourceId) ?? 0),
    candidateFrom: candidates.map((one) => notStaleFrom(one, at) ?? ANY_DAY),
  };
}

function numbered(names: readonly string[]): ReadonlyMap<string, number> {
  return new Map([...new Set(names)].map((name, index) => [name, index]));
}

/** For the rows of listVintages. */
export async function preferredVintages(
  snapshot: Snapshot,
  series: readonly Series[],
  filters: VintageFilters,
  answer: PageOf<ObservationSort>,
  at: number,
): Promise<ReadonlySet<string>> {
  const values = { ...bindSeries(snapshot, series, filters), numericOnly: filters.numericOnly };
  if (filters.assumed === true) return preferredOfPage(snapshot, observationsOrAssumed, values, answer, series, at);
  const end = async () => {
    if (!hasMore(series, answer.limit)) return null;
    const last = await lastPeriodOf(snapshot, values, answer);
    if (last === 'none') return null;
    if (last === null) return runEnd(snapshot, observationsList, values, answer, answer.limit - 1);
    const { periodEnd, vintagesBefore } = last;
    const within = { ...values, periodFrom: periodEnd, periodTo: periodEnd };
    return runEnd(snapshot, observationsList, within, answer, answer.limit - 1 - vintagesBefore);
  };
  return preferredUpTo(snapshot, observationsList, values, answer, await end(), series, at);
}

/**
 * For an answer that ends with a given row, or for all rows if null. Few rows are candidates, so the statement does not sort the others.
 */
function preferredUpTo<Params extends z.ZodRawShape, Row>(
  snapshot: Snapshot,
  query: PagedQuery<Params, Row, ObservationSort>,
  values: { readonly [Name in keyof Params]: Bound },
  { sort, order, after }: PageOf<ObservationSort>,
  end: PageOf<ObservationSort>['after'],
  series: readonly Series[],
  at: number,
): Promise<ReadonlySet<string>> {
  const bound = { ...values, ...query.bindUpTo(after, end) };
  return preferredAmong(snapshot, amongRowsOf(query.upTo(sort, order)), bound, series, at);
}

/** For an answer whose last row is found by counting. */
async function preferredOfPage<Params extends z.ZodRawShape, Row>(
  snapshot: Snapshot,
  query: PagedQuery<Params, Row, ObservationSort>,
  values: { readonly [Name in keyof Params]: Bound },
  answer: PageOf<ObservationSort>,
  series: readonly Series[],
  at: number,
): Promise<ReadonlySet<string>> {
  const end = await runEnd(snapshot, query, values, answer, answer.limit - 1);
  return preferredUpTo(snapshot, query, values, answer, end, series, at);
}

/** For the rows of listLatest. */
export async function preferredLatest(
  snapshot: Snapshot,
  series: readonly Series[],
  filters: VintageFilters,
  answer: PageOf<ObservationSort>,
  at: number,
): Promise<ReadonlySet<string>> {
  const bound = bindSeries(snapshot, series, filters);
  const endIn = async <Params extends z.ZodRawShape, Row>(
    query: PagedQuery<Params, Row, ObservationSort>,
    values: { readonly [Name in keyof Params]: Bound },
  ) => (series.length <= answer.limit ? null : runEnd(snapshot, query, values, answer, answer.limit - 1));
  if (filters.assumed === true) return preferredOfPage(snapshot, latestOrAssumed, { ...bound, historyFrom: null }, answer, series, at);
  if (!isInForce(filters)) {
    const values = { ...bound, historyFrom: null };
    return preferredUpTo(snapshot, observationsLatest, values, answer, await endIn(observationsLatest, values), series, at);
  }
  const { seriesFrom, seriesTo, seriesNos, periodFrom } = bound;
  const values = { seriesFrom, seriesTo, seriesNos, periodFrom, historyFrom: null };
  return preferredUpTo(snapshot, observationsNewest, values, answer, await endIn(observationsNewest, values), series, at);
}

/** For the rows of listChanges. */
export function preferredChanges(
  snapshot: Snapshot,
  series: readonly Series[],
  filters: VintageFilters & { readonly since: string | null },
  answer: { readonly after: { readonly sequence: number; readonly idHash: string } | null; readonly limit: number },
  at: number,
): Promise<ReadonlySet<string>> {
  const values = {
    ...bindSeries(snapshot, series, filters),
    numericOnly: filters.numericOnly,
    since: filters.since,
    afterSequence: answer.after?.sequence ?? null,
    afterId: answer.after?.idHash ?? null,
    limit: answer.limit,
  };
  return preferredAmong(snapshot, preferredChangesQuery, values, series, at);
}
