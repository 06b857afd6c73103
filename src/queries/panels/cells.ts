// The cells of a panel: the row of each slot on each date, or at each change. They come from the intervals in which rows were preferred.
import { z } from 'zod';
import { defineQuery, run } from '../../db/query.ts';
import { inTurns, mapInTurns, nextTurn } from '../../db/turns.ts';
import { dayNumber, toDay } from '../../model/period.ts';
import { FreshnessStatus } from '../../model/trust.ts';
import { firstKnownAt } from '../reach.ts';
import { orAssumed } from '../reads/filters.ts';
import type { Snapshot } from '../snapshot.ts';
import { competition, MICROS_PER_MS, toMicros } from './competition.ts';
import { type Days, type PanelAsked, staysOf } from './slots.ts';

const numbers = z.array(z.int());
const texts = z.array(z.string());

export const sharedParams = {
  knownNos: numbers,
  firstNos: numbers,
  projectionNos: numbers,
  candidateNos: numbers,
  candidateSlots: numbers,
  candidatePreferences: numbers,
  candidateSources: numbers,
  gateNos: numbers,
  gateFrom: numbers,
  gateTo: numbers,
  gateEligible: numbers,
  gateBudgets: numbers,
  since: z.string(),
  until: z.string(),
  periodFrom: z.string().nullable(),
  grade: z.int(),
  isEligibleOnly: z.boolean(),
};

export const Interval = z.strictObject({
  slot: z.int(),
  seriesNo: z.int(),
  heldFrom: z.int(),
  heldTo: z.int(),
  period: z.string(),
  periodEnd: z.string(),
  value: z.number(),
  vintage: z.string(),
  observedAt: z.string(),
  releaseNo: z.int(),
  isRevised: z.boolean(),
  isBackfill: z.boolean(),
  grade: z.int(),
  freshness: FreshnessStatus,
  isEligible: z.boolean(),
});
/** A row, and the moments in microseconds, [heldFrom, heldTo), between which it was the one of its slot. */
export type Interval = z.infer<typeof Interval>;

export const panelCellsQuery = defineQuery('panels/cells.sql', {
  params: z.strictObject({ ...sharedParams, moments: numbers }),
  row: Interval,
  isBulk: true,
});

export const stayParams = { staySlots: numbers, stayFrom: texts, stayTo: texts };
export const changeParams = {
  ...stayParams,
  afterDay: z.string().nullable(),
  afterSlot: z.int().nullable(),
  afterMoment: z.int().nullable(),
  limit: z.int(),
};

export const panelChangesQuery = defineQuery('panels/changes.sql', {
  params: z.strictObject({ ...sharedParams, ...changeParams }),
  row: Interval.extend({ day: z.string() }),
  isBulk: true,
});

export const panelCellsOrAssumedQuery = orAssumed(panelCellsQuery);
export const panelChangesOrAssumedQuery = orAssumed(panelChangesQuery);

/** The worst grade: only who asks for it gets assumed rows. */
export const ASSUMED_GRADE = 3;

/** The row of a slot at a moment, ms. */
export interface Cell {
  readonly day: string;
  readonly moment: number;
  readonly interval: Interval;
}

/** A date with its moment of knowledge, ms. */
interface Dated {
  readonly day: string;
  readonly at: number;
}

/** Dates as day numbers, ascending, and the moment of knowledge of each, ms. */
export interface Dates {
  readonly numbers: readonly number[];
  readonly momentOf: (day: string) => number;
}

/** The place of a cell: its date, its slot, and its moment, ms. */
export type CellKey = readonly [day: string, slot: number, moment: number];

export interface FoundCells {
  readonly cells: readonly Cell[];
  /** Null if no cell follows. */
  readonly nextKey: CellKey | null;
}

/** The cells at some dates, by date and slot. */
export async function cellsAt(
  snapshot: Snapshot,
  asked: PanelAsked,
  dates: Dates,
  after: CellKey | null,
  limit: number,
): Promise<FoundCells> {
  const cells: Cell[] = [];
  let last: CellKey | null = null;
  const begin = Math.max(after === null ? -Infinity : dayNumber(after[0]), await firstDate(snapshot, asked, dates.numbers.length));
  const left = dates.numbers.filter((number) => number >= begin);
  for (const part of partsOf(left, asked.slots.length, limit)) {
    const dated = await mapInTurns(part, (some) => some.map(toDay).map((day) => ({ day, at: dates.momentOf(day) })));
    for await (const ofDay of cellsOf(await intervalsAt(snapshot, asked, dated), dated, staysOf(asked))) {
      for (const cell of ofDay) {
        if (!isAfter(cell, after)) continue;
        if (cells.length === limit) return { cells, nextKey: last };
        cells.push(cell);
        last = [cell.day, cell.interval.slot, cell.moment];
      }
    }
  }
  return { cells, nextKey: null };
}

/** The day number before which nothing was known, looked up only if there are many cells: of a long past none has a row. */
async function firstDate(snapshot: Snapshot, { slots, periodFrom, grade }: PanelAsked, dates: number): Promise<number> {
  if (dates * slots.length <= FEWEST_CELLS || grade >= ASSUMED_GRADE) return -Infinity;
  const series = slots.flatMap((slot) => slot.series).toSorted((a, b) => a.seriesNo - b.seriesNo);
  const first = await firstKnownAt(snapshot, series, { periodFrom, periodTo: null });
  // The moment of a date is up to a day later than its name says in UTC.
  return first === null ? Infinity : dayNumber(first.slice(0, 10)) - 1;
}

function isAfter({ day, interval }: Cell, after: CellKey | null): boolean {
  if (after === null || day > after[0]) return true;
  return day === after[0] && interval.slot > after[1];
}

/** Cells that one statement looks for: many take nearly the time of a few, but their rows are in memory together. */
const [FEWEST_CELLS, MOST_CELLS] = [20_000, 100_000] as const;

/** The dates in parts: the first has as many cells as rows are wanted, and each next one twice as many, because it may have no row. */
function* partsOf(dates: readonly number[], slots: number, limit: number): Generator<readonly number[]> {
  let cells = Math.max(limit, FEWEST_CELLS);
  for (let from = 0; from < dates.length; cells = Math.min(2 * cells, MOST_CELLS)) {
    const to = from + Math.ceil(cells / Math.max(1, slots));
    yield dates.slice(from, to);
    from = to;
  }
}

/** The changes from one moment to another, ms, by day, slot and moment, with the rows known at the first one. */
export async function changesBetween(
  snapshot: Snapshot,
  asked: PanelAsked,
  [since, until]: readonly [number, number],
  after: CellKey | null,
  limit: number,
): Promise<FoundCells> {
  // What came before the last answer's day is known. The row in force as the day begins is needed: what follows may equal it.
  const from = after === null ? since : Math.max(since, Date.parse(`${after[0]}T00:00:00Z`) - 1);
  const rows = await run(snapshot, asked.grade < ASSUMED_GRADE ? panelChangesQuery : panelChangesOrAssumedQuery, {
    ...(await competition(asked, from, until)),
    ...boundStays(asked),
    afterDay: after?.[0] ?? null,
    afterSlot: after?.[1] ?? null,
    afterMoment: after === null ? null : toMicros(after[2]),
    limit: limit + 1,
  });
  const cells = await mapInTurns(rows.slice(0, limit), (part) =>
    part.map((interval): Cell => ({ day: interval.day, moment: interval.heldFrom / MICROS_PER_MS, interval })),
  );
  const last = cells.at(-1);
  return { cells, nextKey: rows.length > limit && last !== undefined ? [last.day, last.interval.slot, last.moment] : null };
}

/** When each slot is part of the panel, as lists of the same order. */
export function boundStays(asked: PanelAsked) {
  const stays = staysOf(asked).flatMap((own, slot) => own.map((stay) => ({ slot, ...stay })));
  return { staySlots: stays.map(({ slot }) => slot), stayFrom: stays.map(({ from }) => from), stayTo: stays.map(({ to }) => to) };
}

/** By slot, then heldFrom. */
async function intervalsAt(snapshot: Snapshot, asked: PanelAsked, dated: readonly Dated[]): Promise<readonly Interval[]> {
  const moments = dated.map(({ at }) => at);
  const shared = await competition(asked, moments[0] ?? 0, moments.at(-1) ?? 0);
  return run(snapshot, asked.grade < ASSUMED_GRADE ? panelCellsQuery : panelCellsOrAssumedQuery, {
    ...shared,
    moments: moments.map(toMicros),
  });
}

/** Slots or intervals that are looked at before other requests have their turn. */
const LOOKED_AT = 2000;

/** The cells of each date. */
async function* cellsOf(
  intervals: readonly Interval[],
  dated: readonly Dated[],
  stays: readonly (readonly Days[])[],
): AsyncGenerator<readonly Cell[]> {
  const slots = [...(await bySlot(intervals))].map(([slot, own]) => ({ own, stays: stays[slot] ?? [], place: 0 }));
  let looked = 0;
  for (const { day, at: moment } of dated) {
    const micros = toMicros(moment);
    const cells: Cell[] = [];
    for (const slot of slots) {
      looked += 1;
      if (looked % LOOKED_AT === 0) await nextTurn();
      while ((slot.own[slot.place]?.heldTo ?? Infinity) <= micros) slot.place += 1;
      const interval = slot.own[slot.place];
      if (interval === undefined || interval.heldFrom > micros) continue;
      if (slot.stays.some(({ from, to }) => from <= day && day <= to)) cells.push({ day, moment, interval });
    }
    yield cells;
  }
}

async function bySlot(intervals: readonly Interval[]): Promise<ReadonlyMap<number, readonly Interval[]>> {
  const slots = new Map<number, Interval[]>();
  for await (const part of inTurns(intervals, LOOKED_AT)) {
    for (const interval of part) {
      const own = slots.get(interval.slot);
      if (own === undefined) slots.set(interval.slot, [interval]);
      else own.push(interval);
    }
  }
  return slots;
}
