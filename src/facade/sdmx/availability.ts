// The codes and periods that have data: from the catalogue, or from the observations if the question limits them.
import type { ServiceClient } from '../../client/service.ts';
import type { Frequency, SeriesEntry } from '../catalogue.ts';
import { hasBounds, noObservations, noSeries, readData } from './data.ts';
import { type AvailabilityAsked, type AvailabilityQuestion, type ComponentId, type Key, SdmxError, TIME } from './questions.ts';
import { DIMENSIONS, type DimensionId, keyOf } from './structures.ts';

/** An inclusive range of days. */
type Days = readonly [first: string, last: string];

export interface Availability {
  /** The dimensions to report. */
  readonly components: readonly ComponentId[];
  /** The codes of each dimension, also of those not to report, sorted. */
  readonly codes: ReadonlyMap<DimensionId, readonly string[]>;
  /** The first and the last day with a value. Null if the request does not ask for them, or if there is no value. */
  readonly days: Days | null;
  /** Series and observations that a data query with this key returns. */
  readonly seriesCount: number;
  readonly observationCount: number;
}

interface Covered {
  readonly entry: SeriesEntry;
  readonly observationCount: number;
  readonly days: Days | null;
}

/**
 * With `exact`, the codes of the series that match the key. With `available`, each dimension has the codes that would have data if you left its
 * place of the key empty; bounds on periods do not limit the days.
 * @param asOf cutoff of a clock that stands at a day
 */
export async function availabilityOf(
  service: ServiceClient,
  entries: readonly SeriesEntry[],
  { key, question, components }: AvailabilityAsked,
  asOf: string | undefined,
): Promise<Availability> {
  const near = nearKey(entries, key, question.mode === 'exact' ? 0 : 1);
  const codes = DIMENSIONS.map(() => new Set<string>());
  const exact: Covered[] = [];
  for await (const one of coveredBy(service, [...near.keys()], question, asOf)) {
    const missed = near.get(one.entry) ?? [];
    if (missed.length === 0) exact.push(one);
    for (const [place, code] of keyOf(one.entry).entries()) if (missed.every((other) => other === place)) codes[place]?.add(code);
  }
  if (question.mode === 'exact' && exact.length === 0) throw near.size === 0 ? noSeries() : noObservations();
  const days = components.includes(TIME) ? await daysAvailable(service, exact, near, question, asOf) : null;
  const found: Availability = {
    components,
    codes: new Map(DIMENSIONS.map((dimension, place) => [dimension, [...(codes[place] ?? [])].toSorted()])),
    days,
    seriesCount: exact.length,
    observationCount: exact.reduce((total, one) => total + one.observationCount, 0),
  };
  checkReported(found);
  return found;
}

/** Refuses a dimension without codes: a reader would take it for any code. */
function checkReported({ components, codes, days }: Availability): void {
  const none = components.find((one) => one !== TIME && codes.get(one)?.length === 0);
  if (none !== undefined) throw new SdmxError(404, 100, `With this key, no code of ${none} has data. Leave other places of the key empty.`);
  if (days === null && components.every((one) => one === TIME)) throw noObservations();
}

/** The series whose keys differ from the requested one in at most so many places, in the order of their keys, with those places. */
function nearKey(entries: readonly SeriesEntry[], key: Key, most: number): ReadonlyMap<SeriesEntry, readonly number[]> {
  const wanted = key.map((codes) => (codes === null ? null : new Set(codes)));
  const near = entries.flatMap((entry) => {
    const own = keyOf(entry);
    const missed = [...own.keys()].filter((place) => wanted[place]?.has(own[place] ?? '') === false);
    return missed.length > most ? [] : [{ entry, missed, text: own.join('.') }];
  });
  return new Map(near.toSorted((a, b) => (a.text < b.text ? -1 : 1)).map(({ entry, missed }) => [entry, missed]));
}

async function daysAvailable(
  service: ServiceClient,
  exact: readonly Covered[],
  near: ReadonlyMap<SeriesEntry, readonly number[]>,
  question: AvailabilityQuestion,
  asOf: string | undefined,
): Promise<Days | null> {
  const { startPeriod: _, endPeriod: __, ...rest } = question;
  const isWider = question.mode === 'available' && (question.startPeriod !== undefined || question.endPeriod !== undefined);
  if (!isWider) return hull(exact);
  const entries = [...near].flatMap(([entry, missed]) => (missed.length === 0 ? [entry] : []));
  const whole: Covered[] = [];
  for await (const one of coveredBy(service, entries, rest, asOf)) whole.push(one);
  return hull(whole);
}

const hull = (all: readonly Covered[]) =>
  all.reduce<Days | null>((sofar, { days }) => {
    if (sofar === null || days === null) return sofar ?? days;
    return [sofar[0] < days[0] ? sofar[0] : days[0], sofar[1] > days[1] ? sofar[1] : days[1]];
  }, null);

/** The series with an observation that the question asks for. */
async function* coveredBy(
  service: ServiceClient,
  entries: readonly SeriesEntry[],
  question: Omit<AvailabilityQuestion, 'startPeriod' | 'endPeriod'> & Pick<AvailabilityQuestion, 'startPeriod' | 'endPeriod'>,
  asOf: string | undefined,
): AsyncGenerator<Covered> {
  if (!hasBounds(question)) {
    for (const entry of entries) {
      const { frequency, firstPeriodEnd, latestPeriodEnd, observationCount } = entry;
      yield { entry, observationCount, days: [firstDayOf(frequency, firstPeriodEnd), latestPeriodEnd] };
    }
    return;
  }
  const asked = { ...question, includeHistory: false, detail: 'dataonly', dimensionAtObservation: 'TIME_PERIOD' } as const;
  for await (const { entry, observations } of readData(service, entries, asked, asOf)) {
    const ends = observations.flatMap(({ value, periodEnd }) => (value === null ? [] : [periodEnd]));
    const [first, last] = [ends[0], ends.at(-1)];
    const days = first === undefined || last === undefined ? null : ([firstDayOf(entry.frequency, first), last] as const);
    yield { entry, observationCount: observations.length, days };
  }
}

const MONTHS = { monthly: 1, quarterly: 3, annual: 12 } as const;

/** The first day of the period that ends on a day. */
function firstDayOf(frequency: Frequency, end: string): string {
  if (frequency === 'daily') return end;
  const [year, month, day] = [Number(end.slice(0, 4)), Number(end.slice(5, 7)), Number(end.slice(8))];
  const first = frequency === 'weekly' ? Date.UTC(year, month - 1, day - 6) : Date.UTC(year, month - MONTHS[frequency], 1);
  return new Date(first).toISOString().slice(0, 10);
}
