// The states of an indicator in a calendar year (published.states), cached in columns after their first use. A screen as of any moment of
// that year then finds the state of each series without the engine. The cache holds the published table unfiltered. If an indicator is too
// large, the engine answers.
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { type Coded, coded } from '../../db/coded.ts';
import { dayOf, dayText, instantOf, microsOf } from '../../db/instant.ts';
import { defineQuery, runColumns } from '../../db/query.ts';
import type { Catalogue } from '../../model/catalogue.ts';
import { numberAt } from '../../model/pack.ts';
import type { Snapshot } from '../snapshot.ts';

/** Per opened snapshot. */
const KEPT_BYTES = 96 * 1024 * 1024;
/** Five doubles, an integer, two indexes of texts, and the index of the series. */
const STATE_BYTES = 56;
/** A larger indicator, such as the daily close of thousands of companies, would evict all others. */
const MOST_STATES = Math.floor(KEPT_BYTES / STATE_BYTES / 8);

/** Later than every instant, as in the statement. The binding cannot carry infinity. */
const ENDLESS = 1e18;

const readParams = {
  indicatorNos: z.array(z.int()),
  firstNo: z.int(),
  lastNo: z.int(),
  epoch: z.int(),
  asOf: z.string(),
  periodFrom: z.string(),
};

export const screenerStatesQuery = defineQuery('screener/states.sql', {
  params: z.strictObject(readParams),
  row: z.strictObject({
    seriesNo: z.int(),
    period: z.string(),
    periodEnd: z.string(),
    value: z.number(),
    vintage: z.string(),
    observedAt: z.string(),
    retrievedAt: z.string(),
  }),
  isBulk: true,
  isHeavy: true,
});
export type NewestRow = z.infer<typeof screenerStatesQuery.row>;

const nullableNumber = z.number().nullable();

export const screenerStatisticsQuery = defineQuery('screener/statistics.sql', {
  params: z.strictObject(readParams),
  row: z.strictObject({
    seriesNo: z.int(),
    previous: nullableNumber,
    valueYearAgo: nullableNumber,
    count3y: z.int(),
    mean3y: nullableNumber,
    deviation3y: nullableNumber,
  }),
  isBulk: true,
  isHeavy: true,
});
export type Statistics = z.infer<typeof screenerStatisticsQuery.row>;

/** A read of the newest value of each series of some indicators. */
export interface StatesRead {
  readonly snapshot: Snapshot;
  /** Canonical identifiers. */
  readonly indicators: readonly string[];
  readonly asOf: string | null;
  /** First visible day of a period. Null: all. */
  readonly periodFrom: string | null;
}

const FIRST_DAY = '0001-01-01';

const yearOf = (instant: string) => Number(instant.slice(0, 4));

/** published.states names an indicator by its first series. The last epoch is the snapshot's own year, even for a later cutoff. */
export function boundStates({ snapshot: { catalogue, knowledgeCutoff }, indicators, asOf, periodFrom }: StatesRead) {
  const firsts = [...new Set(indicators)].map((field) => catalogue.byCanonicalId.get(field)?.[0]?.seriesNo);
  const indicatorNos = firsts.filter((seriesNo) => seriesNo !== undefined);
  return {
    indicatorNos,
    firstNo: Math.min(...indicatorNos),
    lastNo: Math.max(...indicatorNos),
    epoch: Math.min(yearOf(knowledgeCutoff), yearOf(asOf ?? knowledgeCutoff)),
    asOf: asOf ?? 'infinity',
    periodFrom: periodFrom ?? FIRST_DAY,
  };
}

export const screenerStatesOfEpochQuery = defineQuery('screener/states_of_epoch.sql', {
  params: z.strictObject({ epoch: z.int(), indicatorNo: z.int(), most: z.int() }),
  row: z.strictObject({
    seriesNo: z.int(),
    knownFrom: z.number(),
    knownTo: z.number(),
    period: z.string(),
    periodEnd: z.int(),
    value: z.number(),
    vintage: z.string(),
    observedAt: z.number(),
    retrievedAt: z.number(),
  }),
  isBulk: true,
});

/** Sorted by (seriesNo, knownFrom). Instants are microseconds since 1970, days are days since 1970. */
interface States extends StateColumns {
  /** For each series, the index of its first state and the index after its last. */
  readonly placesOf: ReadonlyMap<number, readonly [from: number, to: number]>;
  readonly knownFrom: Float64Array;
  /** ENDLESS if the state continues after the year or is still in force. */
  readonly knownTo: Float64Array;
}

/** Null: too many states to cache. */
type Held = States | null;

interface Kept {
  readonly states: LRUCache<string, { readonly held: Held }>;
  readonly underway: Map<string, Promise<Held>>;
}

const keptOf = new WeakMap<Catalogue, Kept>();

/**
 * The newest value of each series of some indicators as known at a moment. Indicators are named by the number of their first series. Null
 * if the engine must answer.
 * @param periodFrom first visible day of a period
 * @param most the most states of one indicator and year to cache
 */
export async function statesInMemory(
  snapshot: Snapshot,
  asked: { readonly indicatorNos: readonly number[]; readonly epoch: number; readonly asOf: string; readonly periodFrom: string },
  most = MOST_STATES,
): Promise<readonly NewestRow[] | null> {
  const all = await Promise.all(asked.indicatorNos.map((indicatorNo) => heldOf(snapshot, { epoch: asked.epoch, indicatorNo, most })));
  // Without a cutoff: later than every start, and earlier than the end of a state in force.
  const at = asked.asOf === 'infinity' ? ENDLESS / 2 : microsOf(asked.asOf);
  const firstDay = dayOf(asked.periodFrom);
  const rows: NewestRow[] = [];
  for (const states of all) {
    if (states === null) return null;
    for (const [seriesNo, places] of states.placesOf) {
      const row = inForceAt(states, places, at);
      if (row !== null && numberAt(states.periodEnd, row) >= firstDay) rows.push(stateRow(states, row, seriesNo));
    }
  }
  return rows;
}

/** The last state that began by then, unless it has ended. */
function inForceAt({ knownFrom, knownTo }: States, [from, to]: readonly [number, number], at: number): number | null {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numberAt(knownFrom, middle) <= at) low = middle + 1;
    else high = middle;
  }
  return low > from && numberAt(knownTo, low - 1) > at ? low - 1 : null;
}

/** The columns of a state, in memory. Instants are microseconds since 1970. */
export interface StateColumns {
  readonly value: Float64Array;
  readonly observedAt: Float64Array;
  readonly retrievedAt: Float64Array;
  /** Days since 1970. */
  readonly periodEnd: Int32Array;
  readonly period: Coded;
  readonly vintage: Coded;
}

interface StatePlace {
  readonly columns: StateColumns;
  readonly row: number;
}

/** The fields of a state that only the rows of a page need. They are computed on access, and shared: own getters cost a fifth of a screen. */
const ON_ACCESS: Omit<NewestRow, 'seriesNo' | 'value'> & ThisType<StatePlace> = {
  get period() {
    return textAt(this.columns.period, this.row);
  },
  get periodEnd() {
    return dayText(numberAt(this.columns.periodEnd, this.row));
  },
  get vintage() {
    return textAt(this.columns.vintage, this.row);
  },
  get observedAt() {
    return instantOf(numberAt(this.columns.observedAt, this.row));
  },
  get retrievedAt() {
    return instantOf(numberAt(this.columns.retrievedAt, this.row));
  },
};

/** A state in columns. */
export function stateRow(columns: StateColumns, row: number, seriesNo: number): NewestRow {
  const state = Object.create(ON_ACCESS) as NewestRow;
  return Object.assign(state, { seriesNo, value: numberAt(columns.value, row), columns, row });
}

const textAt = ({ texts, places }: Coded, row: number): string => texts[numberAt(places, row)] ?? '';

/** One indicator and calendar year. */
type Part = z.infer<typeof screenerStatesOfEpochQuery.params>;

async function heldOf(snapshot: Snapshot, part: Part): Promise<Held> {
  const { states, underway } = keptBy(snapshot.catalogue);
  const key = `${part.epoch} ${part.indicatorNo}`;
  const kept = states.get(key);
  if (kept !== undefined) return kept.held;
  const other = underway.get(key);
  // The shared query fails if the request that started it was cancelled. Then ask again.
  if (other !== undefined) return other.catch(() => heldOf(snapshot, part));
  const read = statesOf(snapshot, part)
    .then((held) => {
      states.set(key, { held });
      return held;
    })
    .finally(() => underway.delete(key));
  underway.set(key, read);
  return read;
}

function keptBy(catalogue: Catalogue): Kept {
  const kept = keptOf.get(catalogue) ?? {
    states: new LRUCache({ maxSize: KEPT_BYTES, sizeCalculation: ({ held }) => 1 + (held?.value.length ?? 0) * STATE_BYTES }),
    underway: new Map(),
  };
  keptOf.set(catalogue, kept);
  return kept;
}

async function statesOf(snapshot: Snapshot, part: Part): Promise<Held> {
  const { rows, column } = await runColumns(snapshot, screenerStatesOfEpochQuery, part);
  if (rows > part.most) return null;
  return {
    placesOf: placesOf(column('seriesNo')),
    knownFrom: Float64Array.from(column('knownFrom')),
    knownTo: Float64Array.from(column('knownTo')),
    value: Float64Array.from(column('value')),
    observedAt: Float64Array.from(column('observedAt')),
    retrievedAt: Float64Array.from(column('retrievedAt')),
    periodEnd: Int32Array.from(column('periodEnd')),
    period: coded(column('period')),
    vintage: coded(column('vintage')),
  };
}

function placesOf(seriesNos: readonly number[]): ReadonlyMap<number, readonly [from: number, to: number]> {
  const places = new Map<number, [number, number]>();
  for (const [row, seriesNo] of seriesNos.entries()) {
    const known = places.get(seriesNo);
    if (known === undefined) places.set(seriesNo, [row, row + 1]);
    else known[1] = row + 1;
  }
  return places;
}
