// Reads the observations of an SDMX question from the service, series by series.
import { LARGEST_BULK_PAGE, type ServiceClient } from '../../client/service.ts';
import type { SeriesEntry } from '../catalogue.ts';
import { daysOf } from './periods.ts';
import { type DataQuestion, hasObservations, type Key, SdmxError } from './questions.ts';
import { keyOf } from './structures.ts';

export interface Observed {
  /** In SDMX notation, which equals the service's: 2020, 2020-Q2, 2020-05, 2020-W20, 2020-05-31. */
  readonly period: string;
  /** The last day of the period. */
  readonly periodEnd: string;
  /** null if the publisher withdrew it. */
  readonly value: number | null;
  readonly knownSince: string;
  readonly vintage: string;
  /** The publisher's flag, a code of CL_OBS_STATUS. */
  readonly obsStatus: string | null;
}

export interface SeriesData {
  readonly entry: SeriesEntry;
  readonly key: readonly string[];
  readonly observations: readonly Observed[];
}

/** Of an answer that is sorted by the times of its prints, so held in memory. Other answers are written series by series. */
const MOST_SERIES_HELD = 500;
const MOST_HELD = 500_000;
/** The most values to ask the service for at once, as the catalogue counts them, and the most indicators. */
const VALUES_AT_ONCE = 100_000;
const INDICATORS_AT_ONCE = 50;

export const noSeries = () => new SdmxError(404, 100, 'No series has this key. The valid codes are in codelist/ASOF.');
export const noObservations = () => new SdmxError(404, 100, 'These series have no observation in the time that you asked for.');

/** The series of a key, in the order of their keys. Throws if there is none. */
export function chosen(entries: readonly SeriesEntry[], key: Key): readonly SeriesEntry[] {
  const wanted = key.map((codes) => (codes === null ? null : new Set(codes)));
  const found = entries
    .map((entry) => ({ entry, own: keyOf(entry) }))
    .filter(({ own }) => own.every((code, place) => wanted[place]?.has(code) ?? true))
    .toSorted((a, b) => (a.own.join('.') < b.own.join('.') ? -1 : 1))
    .map(({ entry }) => entry);
  if (found.length === 0) throw noSeries();
  return found;
}

/**
 * Reads the series with a value in the requested time, some at once, so that memory is bounded however many there are.
 * @param asOf cutoff of a clock that stands at a day
 */
export async function* readData(
  service: ServiceClient,
  entries: readonly SeriesEntry[],
  question: DataQuestion,
  asOf: string | undefined,
): AsyncGenerator<SeriesData> {
  const hasData = hasObservations(question);
  if (!readsObservations(question)) {
    for (const entry of entries) yield { entry, key: keyOf(entry), observations: [] };
    return;
  }
  for (const some of batchesOf(entries, question)) {
    const found = await readBatch(service, some, question, asOf);
    for (const entry of some) {
      const observations = counted(found.get(seriesKey(entry)) ?? [], question);
      if (observations.length > 0) yield { entry, key: keyOf(entry), observations: hasData ? observations : [] };
    }
  }
}

const seriesKey = ({ indicatorId, sourceId }: Pick<SeriesEntry, 'indicatorId' | 'sourceId'>) => `${indicatorId} ${sourceId}`;

function* batchesOf(entries: readonly SeriesEntry[], { includeHistory }: DataQuestion): Generator<readonly SeriesEntry[]> {
  let batch: SeriesEntry[] = [];
  let values = 0;
  for (const entry of entries) {
    const own = includeHistory ? entry.vintageCount : entry.observationCount;
    const indicators = new Set([...batch, entry].map(({ indicatorId }) => indicatorId));
    if (batch.length > 0 && (values + own > VALUES_AT_ONCE || indicators.size > INDICATORS_AT_ONCE)) {
      yield batch;
      [batch, values] = [[], 0];
    }
    batch.push(entry);
    values += own;
  }
  if (batch.length > 0) yield batch;
}

/** Refuses an answer that would be held in memory, before anything is read. */
export function checkHeld(entries: readonly SeriesEntry[]): void {
  if (entries.length > MOST_SERIES_HELD)
    throw new SdmxError(
      413,
      510,
      `${entries.length} series have this key; the limit of a history is ${MOST_SERIES_HELD}. Fill more places of the key, or use format=csv.`,
    );
}

/** The first item, to know that there is one before the answer begins. */
export async function begun(data: AsyncGenerator<SeriesData>): Promise<AsyncIterable<SeriesData>> {
  const first = await data.next();
  if (first.done === true) throw noObservations();
  const { value } = first;
  return (async function* () {
    yield value;
    yield* data;
  })();
}

/** A question for series only also reads observations if it has time bounds, because it returns series with data in that time. */
function readsObservations(question: DataQuestion): boolean {
  return hasObservations(question) || hasBounds(question);
}

/** True if not all observations of a series are asked for. */
export function hasBounds({
  startPeriod,
  endPeriod,
  updatedAfter,
}: Pick<DataQuestion, 'startPeriod' | 'endPeriod' | 'updatedAfter'>): boolean {
  return [startPeriod, endPeriod, updatedAfter].some((bound) => bound !== undefined);
}

interface Row {
  readonly indicatorId: string;
  readonly sourceId: string;
  readonly period: string;
  readonly periodEnd: string;
  readonly actual: number | null;
  readonly observedAt: string;
  readonly vintage: string;
  readonly obsStatus: string | null;
}

/** A period counts by its last day. */
function filterOf({ startPeriod, endPeriod, updatedAfter = '' }: DataQuestion): (periodEnd: string, observedAt: string) => boolean {
  const first = startPeriod === undefined ? '' : (daysOf(startPeriod)?.[0] ?? '');
  const last = endPeriod === undefined ? '9999-12-31' : (daysOf(endPeriod)?.[1] ?? '');
  return (periodEnd, observedAt) => periodEnd >= first && periodEnd <= last && observedAt > updatedAfter;
}

/** The observations of each of these series, by period, then by knowledge. */
async function readBatch(
  service: ServiceClient,
  entries: readonly SeriesEntry[],
  question: DataQuestion,
  asOf: string | undefined,
): Promise<ReadonlyMap<string, readonly Observed[]>> {
  const sources = new Set(entries.map(({ sourceId }) => sourceId));
  const { rows, hasMore } = await service.rows('/observations', {
    indicator_id: [...new Set(entries.map(({ indicatorId }) => indicatorId))].join(','),
    source_id: sources.size === 1 ? entries[0]?.sourceId : undefined,
    start_date: question.startPeriod === undefined ? undefined : daysOf(question.startPeriod)?.[0],
    end_date: question.endPeriod === undefined ? undefined : daysOf(question.endPeriod)?.[1],
    vintage: question.includeHistory ? 'all' : 'latest',
    as_of: asOf,
    sort: 'period_end',
    limit: LARGEST_BULK_PAGE,
    columns: 'indicator_id,source_id,period,period_end,actual,observed_at,vintage,obs_status',
  });
  const found = new Map(entries.map((entry): [string, Observed[]] => [seriesKey(entry), []]));
  const isWanted = filterOf(question);
  for await (const row of rows) {
    const { period, periodEnd, actual, observedAt, vintage, obsStatus, ...of } = row as unknown as Row;
    if (isWanted(periodEnd, observedAt))
      found.get(seriesKey(of))?.push({ period, periodEnd, value: actual, knownSince: observedAt, vintage, obsStatus });
  }
  if (hasMore)
    throw new SdmxError(413, 510, `${entries[0]?.id} has more than ${LARGEST_BULK_PAGE} values, the limit. Ask for a shorter time.`);
  return found;
}

/** The first and last observations, as many as requested, each once. */
function counted(all: readonly Observed[], { firstNObservations: first, lastNObservations: last }: DataQuestion): readonly Observed[] {
  if (first === undefined && last === undefined) return all;
  return all.filter((_, place) => (first !== undefined && place < first) || (last !== undefined && place >= all.length - last));
}

export interface DataSet {
  /** The moment at which its values became known. Null for values in force. */
  readonly validFrom: string | null;
  readonly series: AsyncIterable<SeriesData> | readonly SeriesData[];
}

/** Of a history: one set per moment at which values became known, oldest first; one set for series without observations. */
export function setsOfHistory(all: readonly SeriesData[]): readonly DataSet[] {
  const moments = [...new Set(all.flatMap(({ observations }) => observations.map(({ knownSince }) => knownSince)))].toSorted();
  if (moments.length === 0) return [{ validFrom: null, series: all }];
  const byMoment = new Map(moments.map((moment): [string, SeriesData[]] => [moment, []]));
  for (const one of all) {
    for (const [moment, observations] of grouped(one.observations)) byMoment.get(moment)?.push({ ...one, observations });
  }
  return [...byMoment].map(([validFrom, series]) => ({ validFrom, series }));
}

/** All series of an answer, for a form that sorts them. Throws if they are too many for memory. */
export async function held(data: AsyncIterable<SeriesData>): Promise<readonly SeriesData[]> {
  const all: SeriesData[] = [];
  let count = 0;
  for await (const one of data) {
    all.push(one);
    count += one.observations.length;
    if (count > MOST_HELD)
      throw new SdmxError(
        413,
        510,
        `More than ${MOST_HELD} observations, the limit of a history. Ask for fewer series or a shorter time, or use format=csv.`,
      );
  }
  return all;
}

function grouped(observations: readonly Observed[]): Map<string, Observed[]> {
  const groups = new Map<string, Observed[]>();
  for (const one of observations) {
    const own = groups.get(one.knownSince);
    if (own === undefined) groups.set(one.knownSince, [one]);
    else own.push(one);
  }
  return groups;
}
