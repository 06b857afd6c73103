// A whole panel as a Parquet file, which the engine writes. The rows are the same as those of rows.ts, but no object is made for each.
import { z } from 'zod';
import { defineQuery, type Execute, filled, type Values, writeParquet } from '../../db/query.ts';
import { Rights } from '../../model/observation.ts';
import { toDay } from '../../model/period.ts';
import { FreshnessStatus, SourceTier } from '../../model/trust.ts';
import type { Snapshot } from '../snapshot.ts';
import {
  ASSUMED_GRADE,
  boundStays,
  changeParams,
  type Dates,
  Interval,
  panelCellsOrAssumedQuery,
  panelCellsQuery,
  panelChangesOrAssumedQuery,
  panelChangesQuery,
  sharedParams,
  stayParams,
} from './cells.ts';
import { competition, toMicros } from './competition.ts';
import type { PanelAsked, Slot } from './slots.ts';

const numbers = z.array(z.int());
const texts = z.array(z.string());

const factParams = {
  factNos: numbers,
  factPlaces: numbers,
  factEntities: texts,
  factIndicators: texts,
  factFrequencies: texts,
  factSources: texts,
};
/** The intervals are described in parts. */
const partParams = { rowsBefore: z.int() };
const placeParams = { isChange: z.boolean(), days: texts, moments: numbers };
const rowParams = {
  factCountries: texts,
  factKeys: texts,
  factUnits: texts,
  factTiers: texts,
  factRedistributable: numbers,
  factLicenses: texts,
  factNotes: texts,
  slotFactors: texts,
};

const PanelTableRow = z.strictObject({
  date: z.string(),
  asOf: z.string(),
  entityId: z.string(),
  country: z.string().nullable(),
  factor: z.string(),
  factorKey: z.string().nullable(),
  indicatorId: z.string(),
  observationId: z.string(),
  vintage: z.string(),
  value: z.number().nullable(),
  unit: z.string().nullable(),
  period: z.string(),
  periodEnd: z.string(),
  observedAt: z.string(),
  releaseNumber: z.int().nullable(),
  isRevised: z.boolean(),
  isBackfill: z.boolean(),
  sourceId: z.string(),
  sourceTier: SourceTier,
  freshnessStatus: FreshnessStatus,
  scoringEligible: z.boolean(),
  eopLag: z.int(),
  mopLag: z.int(),
  grade: z.int(),
  rights: Rights,
  knownTo: z.string().nullable(),
});

const Described = Interval.extend({ intervalNo: z.int(), fact: z.int(), observationId: z.string(), middle: z.string() });
const Place = z.strictObject({ day: z.string(), moment: z.int(), slot: z.int(), intervalNo: z.int() });

/**
 * The statements of a panel: intervals are described, then placed, and both tables give the rows. For tests of their types, each also
 * stands alone.
 * @param more the parameters of the intervals that changes or dates have alone
 */
function statementsOver(intervals: string, more: z.ZodRawShape) {
  const inside = (sql: string) => `(${sql})`;
  const ofIntervals = { ...sharedParams, ...more, ...factParams, ...partParams };
  const ofPlaces = { ...ofIntervals, ...stayParams, ...placeParams };
  const describe = defineQuery('panels/described.sql', { params: z.strictObject(ofIntervals), row: Described, isBulk: true });
  const place = defineQuery('panels/places.sql', { params: z.strictObject(ofPlaces), row: Place, isBulk: true });
  const make = defineQuery('panels/rows.sql', { params: z.strictObject({ ...ofPlaces, ...rowParams }), row: PanelTableRow, isBulk: true });
  const described = { ...describe, sql: filled(describe.sql, { panel_intervals: inside(intervals) }) };
  const places = { ...place, sql: filled(place.sql, { panel_described: inside(described.sql) }) };
  const rows = { ...make, sql: filled(make.sql, { panel_described: inside(described.sql), panel_places: inside(places.sql) }) };
  return { describe: described.sql, place: place.sql, rows: make.sql, queries: [described, places, rows] };
}

type Statements = Pick<ReturnType<typeof statementsOver>, 'describe' | 'place' | 'rows'>;

const DATED = statementsOver(panelCellsQuery.sql, { moments: numbers });
const DATED_OR_ASSUMED = statementsOver(panelCellsOrAssumedQuery.sql, { moments: numbers });
const CHANGES = statementsOver(panelChangesQuery.sql, changeParams);
const CHANGES_OR_ASSUMED = statementsOver(panelChangesOrAssumedQuery.sql, changeParams);

/** For tests of the types of statements. */
export const panelTableQueries = [DATED, DATED_OR_ASSUMED, CHANGES, CHANGES_OR_ASSUMED].flatMap(({ queries }) => queries);

/** The columns of a file by their names in rows, each with its type in the file. */
export type FileColumns = readonly { readonly name: string; readonly type: string }[];

/** False if a row may depend on facts that change over time: countries of companies. Then make the rows from cells. */
export function canBeTable({ catalogue }: Snapshot, { slots }: PanelAsked): boolean {
  return slots.every(({ entityId }) => !catalogue.companyCountries.has(entityId));
}

/** Writes the rows of all dates, sorted by date and slot. Resolves with their number. */
export async function writeDated(snapshot: Snapshot, asked: PanelAsked, dates: Dates, columns: FileColumns, file: string): Promise<number> {
  const days = dates.numbers.map(toDay);
  const moments = days.map(dates.momentOf);
  const span = [moments[0] ?? 0, moments.at(-1) ?? 0] as const;
  const own = { isChange: false, days, moments: moments.map(toMicros) };
  return write(snapshot, asked.grade < ASSUMED_GRADE ? DATED : DATED_OR_ASSUMED, { asked, span, own, limit: Infinity }, columns, file);
}

/** Writes the changes from one moment to another, ms, at most `limit`. Resolves with their number. */
export async function writeChanges(
  snapshot: Snapshot,
  asked: PanelAsked,
  span: readonly [number, number],
  limit: number,
  columns: FileColumns,
  file: string,
): Promise<number> {
  const own = { isChange: true, days: [], moments: [], afterDay: null, afterSlot: null, afterMoment: null };
  return write(snapshot, asked.grade < ASSUMED_GRADE ? CHANGES : CHANGES_OR_ASSUMED, { asked, span, own, limit }, columns, file);
}

/** The slots, the moments between which they are looked at, ms, and the parameters that changes or dates have alone. */
interface Subject {
  readonly asked: PanelAsked;
  readonly span: readonly [number, number];
  readonly own: Values;
  /** The most intervals to look for. */
  readonly limit: number;
}

/**
 * Series whose intervals are looked for together. DuckDB skips blocks without any of the listed series, but only if the list has at most
 * 50 (its setting `dynamic_or_filter_threshold`). With a longer list, it reads all blocks between the first series and the last one.
 */
const SERIES_TOGETHER = 50;

async function write(
  snapshot: Snapshot,
  statements: Statements,
  { asked, span, own, limit }: Subject,
  columns: FileColumns,
  file: string,
): Promise<number> {
  const [since, until] = span;
  const shared = { ...boundStays(asked), ...factsOf(asked), ...own };
  const make = async (execute: Execute) => {
    let rowsBefore = 0;
    let into = 'create or replace temp table panel_described as';
    for (const { slots, slotNos } of partsOf(asked.slots)) {
      if (rowsBefore >= limit) break;
      const values = {
        ...shared,
        ...(await competition({ ...asked, slots }, since, until, slotNos)),
        rowsBefore,
        limit: limit - rowsBefore,
      };
      rowsBefore += await execute(`${into} ${statements.describe}`, values);
      into = 'insert into panel_described';
    }
    await execute(`create or replace temp table panel_places as ${statements.place}`, shared);
  };
  const values = { ...shared, until: new Date(until).toISOString() };
  return writeParquet(snapshot, { make, tables: ['panel_described', 'panel_places'], rows: statements.rows, values }, columns, file);
}

/**
 * Slots in parts of at most `SERIES_TOGETHER` series, if no slot has more, each with the numbers of its slots. Without slots, one empty
 * part. Series of a part lie near each other in the table, so that few blocks are read twice.
 */
function* partsOf(slots: readonly Slot[]): Generator<{ readonly slots: readonly Slot[]; readonly slotNos: readonly number[] }> {
  const firstOf = ({ series }: Slot) => Math.min(...series.map(({ seriesNo }) => seriesNo));
  const placed = slots.map((slot, slotNo) => ({ slot, slotNo, first: firstOf(slot) })).toSorted((a, b) => a.first - b.first);
  let from = 0;
  do {
    let to = from;
    for (let series = 0; to < placed.length; to += 1) {
      series += placed[to]?.slot.series.length ?? 0;
      if (series > SERIES_TOGETHER && to > from) break;
    }
    const part = placed.slice(from, to);
    yield { slots: part.map(({ slot }) => slot), slotNos: part.map(({ slotNo }) => slotNo) };
    from = to;
  } while (from < placed.length);
}

function factsOf({ slots }: PanelAsked) {
  const series = slots.flatMap((slot) => slot.series);
  return {
    factNos: series.map(({ seriesNo }) => seriesNo),
    factPlaces: series.map((_, index) => index + 1),
    factEntities: series.map(({ entityId }) => entityId),
    factCountries: series.map(({ country }) => country ?? ''),
    factKeys: series.map(({ factorKey }) => factorKey ?? ''),
    factIndicators: series.map(({ indicatorId }) => indicatorId),
    factFrequencies: series.map(({ frequency }) => frequency),
    factUnits: series.map(({ unit }) => unit ?? ''),
    factSources: series.map(({ sourceId }) => sourceId),
    factTiers: series.map(({ sourceTier }) => sourceTier),
    factRedistributable: series.map(({ rights }) => Number(rights.redistributable)),
    factLicenses: series.map(({ rights }) => rights.license),
    factNotes: series.map(({ rights }) => rights.note ?? ''),
    slotFactors: slots.map(({ factor }) => factor),
  };
}
