// Reads the observations of an SDMX question from the service, series by series.
import type { ServiceClient } from '../../client/service.ts';
import type { SeriesEntry } from '../catalogue.ts';
import { daysOf, type DataQuestion, hasObservations, type Key, SdmxError } from './questions.ts';
import { keyOf } from './structures.ts';

export interface Observed {
  /** In SDMX notation, which equals the service's: 2020, 2020-Q2, 2020-05, 2020-W20, 2020-05-31. */
  readonly period: string;
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

const MOST_SERIES = 500;
const MOST_OBSERVATIONS = 500_000;

/** The series of a key, in the order of their keys. Throws if there is none, or if the question reads observations of too many series. */
export function chosen(entries: readonly SeriesEntry[], key: Key, question: DataQuestion): readonly SeriesEntry[] {
  const wanted = key.map((codes) => (codes === null ? null : new Set(codes)));
  const found = entries
    .map((entry) => ({ entry, own: keyOf(entry) }))
    .filter(({ own }) => own.every((code, place) => wanted[place]?.has(code) ?? true))
    .toSorted((a, b) => (a.own.join('.') < b.own.join('.') ? -1 : 1))
    .map(({ entry }) => entry);
  if (found.length === 0) throw new SdmxError(404, 100, 'No series has this key. The valid codes are in codelist/ASOF.');
  if (readsObservations(question) && found.length > MOST_SERIES)
    throw new SdmxError(
      413,
      510,
      `${found.length} series have this key; the limit is ${MOST_SERIES}. Fill more places of the key, or use a bulk format of the service.`,
    );
  return found;
}

/** @param asOf cutoff of a clock that stands at a day */
export async function readData(
  service: ServiceClient,
  entries: readonly SeriesEntry[],
  question: DataQuestion,
  asOf: string | undefined,
): Promise<readonly SeriesData[]> {
  const data: SeriesData[] = [];
  const hasData = hasObservations(question);
  const isRead = readsObservations(question);
  let count = 0;
  for (const entry of entries) {
    const observations = isRead ? await readSeries(service, entry, question, asOf) : [];
    count += observations.length;
    if (count > MOST_OBSERVATIONS)
      throw new SdmxError(
        413,
        510,
        `More than ${MOST_OBSERVATIONS} observations, the limit. Ask for fewer series or a shorter time, or use a bulk format of the service.`,
      );
    if (!isRead) data.push({ entry, key: keyOf(entry), observations });
    else if (observations.length > 0) data.push({ entry, key: keyOf(entry), observations: hasData ? observations : [] });
  }
  if (data.length === 0) throw new SdmxError(404, 100, 'These series have no observation in the time that you asked for.');
  return data;
}

/** A question for series only also reads observations if it has time bounds, because it returns series with data in that time. */
function readsObservations(question: DataQuestion): boolean {
  return (
    hasObservations(question) || [question.startPeriod, question.endPeriod, question.updatedAfter].some((bound) => bound !== undefined)
  );
}

interface Row {
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

async function readSeries(
  service: ServiceClient,
  entry: SeriesEntry,
  question: DataQuestion,
  asOf: string | undefined,
): Promise<readonly Observed[]> {
  const { rows, hasMore } = await service.rows('/observations', {
    indicator_id: entry.indicatorId,
    source_id: entry.sourceId,
    vintage: question.includeHistory ? 'all' : 'latest',
    as_of: asOf,
    sort: 'period_end',
    limit: MOST_OBSERVATIONS + 1,
    columns: 'period,period_end,actual,observed_at,vintage,obs_status',
  });
  const found: Observed[] = [];
  const isWanted = filterOf(question);
  for await (const row of rows) {
    const { period, periodEnd, actual, observedAt, vintage, obsStatus } = row as unknown as Row;
    if (isWanted(periodEnd, observedAt)) found.push({ period, value: actual, knownSince: observedAt, vintage, obsStatus });
  }
  if (hasMore) throw new SdmxError(413, 510, `${entry.id} has more than ${MOST_OBSERVATIONS} values, the limit. Ask for a shorter time.`);
  return counted(found, question);
}

/** The first and last observations, as many as requested, each once. */
function counted(all: readonly Observed[], { firstNObservations: first, lastNObservations: last }: DataQuestion): readonly Observed[] {
  if (first === undefined && last === undefined) return all;
  return all.filter((_, place) => (first !== undefined && place < first) || (last !== undefined && place >= all.length - last));
}

/**
 * For a history: one set per moment at which values became known, oldest first. Otherwise, and for series without observations, one set.
 */
export function setsOf(
  data: readonly SeriesData[],
  isHistory: boolean,
): readonly { readonly validFrom: string | null; readonly series: readonly SeriesData[] }[] {
  if (!isHistory) return [{ validFrom: null, series: data }];
  if (data.every(({ observations }) => observations.length === 0)) return [{ validFrom: null, series: data }];
  const moments = [...new Set(data.flatMap(({ observations }) => observations.map(({ knownSince }) => knownSince)))].toSorted();
  const byMoment = new Map(moments.map((moment): [string, SeriesData[]] => [moment, []]));
  for (const one of data) {
    for (const [moment, observations] of grouped(one.observations)) byMoment.get(moment)?.push({ ...one, observations });
  }
  return [...byMoment].map(([validFrom, series]) => ({ validFrom, series }));
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
