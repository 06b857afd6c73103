// The screen: values of the named fields per entity of a universe, as known at a cutoff, and what the filter leaves of them. It reads the state of each named series
// and no more; identifiers and what is shown of a value are made for the page alone.
import { z } from 'zod';
import { defineQuery, run } from '../db/query.ts';
import type { Series } from '../model/catalogue.ts';
import { type Cell, type Clause, type FieldRef, isMatch, keyOf, type Modifier, type RankKey } from '../model/screener-dsl.ts';
import {
  ENTITY_TYPES_OF,
  type Measured,
  midranks,
  modified,
  places,
  type ScreenCounts,
  type ScreenRow,
  type ScreenValue,
  unitOf,
  type Universe,
} from '../model/screener.ts';
import { comparePreference, type FreshnessStatus, freshnessOf, isCadenceComparable, rowReasons, type SourceTier } from '../model/trust.ts';
import { idOf, seriesOf } from './observations.ts';
import { type Figure, type Figures, readFigures } from './screener-figures.ts';
import { findMembers, type Member } from './screener-universe.ts';
import type { Snapshot } from './snapshot.ts';

const nullableNumber = z.number().nullable();

const readParams = {
  indicatorNos: z.array(z.int()),
  firstNo: z.int(),
  lastNo: z.int(),
  epoch: z.int(),
  asOf: z.string(),
  periodFrom: z.string(),
};

export const screenerStatesQuery = defineQuery('screener_states.sql', {
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
});
export type NewestRow = z.infer<typeof screenerStatesQuery.row>;

export const screenerStatisticsQuery = defineQuery('screener_statistics.sql', {
  params: z.strictObject(readParams),
  row: z.strictObject({
    seriesNo: z.int(),
    previous: nullableNumber,
    valueYearAgo: nullableNumber,
    count3y: z.int(),
    mean3y: nullableNumber,
    deviation3y: nullableNumber,
  }),
});
type Statistics = z.infer<typeof screenerStatisticsQuery.row>;

export const ATTRIBUTES = ['name', 'country', 'entity_type', 'sector'] as const;
export type Attribute = (typeof ATTRIBUTES)[number];

export interface Screen {
  readonly universe: Universe;
  readonly entityType: string | null;
  readonly country: string | null;
  readonly sector: string | null;
  readonly filter: readonly Clause[];
  readonly ranking: readonly RankKey[];
  readonly columns: readonly FieldRef[] | null;
  readonly isFreshOnly: boolean;
  readonly isEligibleOnly: boolean;
  readonly asOf: string | null;
  /** Evaluation time of freshness, eligibility and age, ms. */
  readonly at: number;
  /** First periodEnd that may be seen. */
  readonly historyFrom: string | null;
}

/** A part of the matches in some order. */
export interface ScreenPage {
  readonly sort: 'rank' | 'name';
  readonly order: 'asc' | 'desc';
  /** How many come before it. */
  readonly begin: number;
  readonly limit: number;
}

export interface Screened {
  readonly rows: readonly ScreenRow[];
  readonly counts: ScreenCounts;
  /** Fields asked for that no right to what is behind them allows to show, beside those of series. */
  readonly withheld: readonly string[];
}

/** What an entity has of a field, judged. */
interface Judged {
  readonly row: Pick<NewestRow, 'period' | 'periodEnd' | 'value' | 'observedAt'>;
  readonly unit: string | null;
  readonly sourceTier: SourceTier;
  readonly freshness: FreshnessStatus;
  readonly isEligible: boolean;
}

/** An observation of one indicator for one entity. */
interface Observed extends Judged {
  readonly series: Series;
  readonly row: NewestRow;
}

/** The figure of a company: no observation. */
interface Stated extends Judged {
  readonly series: null;
}

type Reading = Observed | Stated;

/** What one entity has of one field: the reading to use, or why there is none. */
interface Held {
  readonly reading: Reading | null;
  readonly isIneligible: boolean;
}

export async function screen(snapshot: Snapshot, asked: Screen, page: ScreenPage): Promise<Screened> {
  const refs = uniqueRefs([...asked.filter.flat(), ...asked.ranking, ...(asked.columns ?? [])]);
  const [members, rows, statistics, { figures, withheld }] = await Promise.all([
    membersOf(snapshot, asked),
    readStates(snapshot, asked, refs),
    readStatistics(snapshot, asked, refs),
    figuresOf(snapshot, asked, refs),
  ]);
  const held = new Map([...readingsOf(snapshot, asked, members, rows), ...statedOf(asked, members, figures)]);
  const table = new Map(refs.map((ref) => [keyOf(ref), columnOf(members, held, statistics, ref, asked.at)]));
  const cellOf = (member: Member) => (ref: FieldRef) => table.get(keyOf(ref))?.cells.get(member.entityId) ?? null;
  const matched = members.filter((member) => isMatch(asked.filter, cellOf(member)));
  const ranked = rank(matched, asked.ranking, cellOf);
  const shown = (asked.columns ?? refs).map((ref) => ({ ref, key: keyOf(ref), percentiles: percentilesOf(table.get(keyOf(ref))) }));
  return {
    rows: cut(ranked, page).map(
      ({ member, place }): ScreenRow => ({
        rank: place,
        entityId: member.entityId,
        entityType: member.entityType,
        name: member.name,
        country: member.country,
        values: Object.fromEntries(
          shown.map(({ ref, key, percentiles }) => {
            const value = cellOf(member)(ref);
            const reading = held.get(ref.field)?.get(member.entityId)?.reading ?? null;
            const percentile = typeof value === 'number' ? (percentiles.get(value) ?? null) : null;
            return [key, toScreenValue(value, percentile, reading, ref.modifier)];
          }),
        ),
      }),
    ),
    counts: countExcluded(asked.filter, members, new Set(matched), cellOf, held),
    withheld,
  };
}

interface Placed {
  readonly member: Member;
  readonly place: number;
}

function cut(ranked: readonly Member[], { sort, order, begin, limit }: ScreenPage): readonly Placed[] {
  const placed = ranked.map((member, index): Placed => ({ member, place: index + 1 }));
  const sorted = sort === 'rank' ? placed : placed.toSorted((a, b) => compareText(a.member.name, b.member.name) || a.place - b.place);
  return (order === 'desc' ? sorted.toReversed() : sorted).slice(begin, begin + limit);
}

function isAttribute(field: string): field is Attribute {
  return ATTRIBUTES.some((one) => one === field);
}

function uniqueRefs(refs: readonly FieldRef[]): readonly FieldRef[] {
  return [...new Map(refs.map(({ field, modifier }) => [keyOf({ field, modifier }), { field, modifier }])).values()];
}

const COMPARED: ReadonlySet<Modifier | null> = new Set(['prev', 'chg1', 'chg12', 'yoy', 'z3y']);

async function readStates(snapshot: Snapshot, asked: Screen, refs: readonly FieldRef[]): Promise<readonly NewestRow[]> {
  const bound = readOf(snapshot, asked, refs);
  return bound.indicatorNos.length === 0 ? [] : run(snapshot, screenerStatesQuery, bound);
}

async function readStatistics(snapshot: Snapshot, asked: Screen, refs: readonly FieldRef[]): Promise<ReadonlyMap<number, Statistics>> {
  const bound = readOf(
    snapshot,
    asked,
    refs.filter((ref) => COMPARED.has(ref.modifier)),
  );
  const rows = bound.indicatorNos.length === 0 ? [] : await run(snapshot, screenerStatisticsQuery, bound);
  return new Map(rows.map((row) => [row.seriesNo, row]));
}

const NO_FIGURES: Figures = { figures: [], withheld: [] };

async function figuresOf(snapshot: Snapshot, asked: Screen, refs: readonly FieldRef[]): Promise<Figures> {
  const names = [...new Set(refs.map((ref) => ref.field))];
  const others = names.filter((name) => !isAttribute(name) && !snapshot.catalogue.byCanonicalId.has(name));
  return others.length === 0 ? NO_FIGURES : readFigures(snapshot, asked, others);
}

/** An indicator goes by the number of its first series there; the last calendar year is that of the snapshot, whatever was learned after it. */
function readOf({ catalogue, knowledgeCutoff }: Snapshot, { asOf, historyFrom }: Screen, refs: readonly FieldRef[]) {
  const firsts = [...new Set(refs.map((ref) => ref.field))].map((field) => catalogue.byCanonicalId.get(field)?.[0]?.seriesNo);
  const indicatorNos = firsts.filter((seriesNo) => seriesNo !== undefined);
  return {
    indicatorNos,
    firstNo: Math.min(...indicatorNos),
    lastNo: Math.max(...indicatorNos),
    epoch: Math.min(yearOf(knowledgeCutoff), yearOf(asOf ?? knowledgeCutoff)),
    asOf: asOf ?? 'infinity',
    periodFrom: historyFrom ?? FIRST_DAY,
  };
}

const FIRST_DAY = '0001-01-01';

const yearOf = (instant: string) => Number(instant.slice(0, 4));

function membersOf(snapshot: Snapshot, asked: Screen): Promise<readonly Member[]> {
  const universe: readonly string[] | null = ENTITY_TYPES_OF[asked.universe];
  const { entityType, country, sector, asOf } = asked;
  const both = universe === null || (entityType !== null && universe.includes(entityType));
  const onDate = (asOf ?? new Date(asked.at).toISOString()).slice(0, 10);
  return findMembers(snapshot, { entityTypes: entityType === null ? universe : both ? [entityType] : [], country, sector, onDate, asOf });
}

const CROSS_COUNTRY: ReadonlySet<string> = new Set(['country', 'currency_area', 'region']);

/** Series that a public screen may use: redistributable, and between countries of a cadence that can be compared. */
export function isScreened(series: Series): boolean {
  return series.rights.redistributable && (!CROSS_COUNTRY.has(series.entityType) || isCadenceComparable(series.frequency));
}

/** By field, then entity. */
type Readings = ReadonlyMap<string, ReadonlyMap<string, Held>>;

function readingsOf({ catalogue }: Snapshot, asked: Screen, members: readonly Member[], rows: readonly NewestRow[]): Readings {
  const ids = new Set(members.map((member) => member.entityId));
  const rivals = new Map<string, Map<string, Reading[]>>();
  for (const row of rows) {
    const series = seriesOf(catalogue, row);
    if (!ids.has(series.entityId) || !isScreened(series)) continue;
    let byEntity = rivals.get(series.canonicalId);
    if (byEntity === undefined) rivals.set(series.canonicalId, (byEntity = new Map()));
    const reading = judge(series, row, asked.at);
    const own = byEntity.get(series.entityId);
    if (own === undefined) byEntity.set(series.entityId, [reading]);
    else own.push(reading);
  }
  return new Map(
    [...rivals].map(([field, byEntity]) => [field, new Map([...byEntity].map(([id, readings]) => [id, choose(readings, asked)]))]),
  );
}

/** Of a field one entity has one figure. */
function statedOf(asked: Screen, members: readonly Member[], figures: readonly Figure[]): Readings {
  const ids = new Set(members.map((member) => member.entityId));
  const found = new Map<string, Map<string, Held>>();
  for (const { field, entityId, periodEnd, value, observedAt, ...judged } of figures) {
    if (!ids.has(entityId)) continue;
    let byEntity = found.get(field);
    if (byEntity === undefined) found.set(field, (byEntity = new Map()));
    const row = { period: periodEnd, periodEnd, value, observedAt };
    byEntity.set(entityId, choose([{ series: null, row, ...judged } satisfies Stated], asked));
  }
  return found;
}

function judge(series: Series, row: NewestRow, at: number): Observed {
  const freshness = freshnessOf(series, row.periodEnd, at);
  const { unit, sourceTier } = series;
  return { series, row, unit, sourceTier, freshness, isEligible: rowReasons(series, row, at).length === 0 };
}

function choose(readings: readonly Reading[], { isFreshOnly, isEligibleOnly }: Pick<Screen, 'isFreshOnly' | 'isEligibleOnly'>): Held {
  const fresh = readings.filter((reading) => !isFreshOnly || reading.freshness === 'fresh');
  const usable = fresh.filter((reading) => !isEligibleOnly || reading.isEligible);
  const [first = null] = usable;
  // Identifiers, by which ties are broken, take long to make: one alone needs none.
  const rivals = usable.length < 2 ? [] : usable.filter(isObserved);
  const reading = rivals.toSorted((a, b) => comparePreference(toCandidate(a), toCandidate(b)))[0] ?? first;
  return { reading, isIneligible: reading === null && fresh.length > 0 };
}

/** The value of the preferred of several series of one entity and indicator, whatever its eligibility. */
export function preferredValue(rivals: readonly { readonly series: Series; readonly row: NewestRow }[], at: number): number | null {
  const readings = rivals.map(({ series, row }) => judge(series, row, at));
  return choose(readings, { isFreshOnly: false, isEligibleOnly: false }).reading?.row.value ?? null;
}

const isObserved = (reading: Reading): reading is Observed => reading.series !== null;

function toCandidate({ series, row, isEligible }: Observed) {
  return {
    ...series,
    period: row.period,
    scoringEligible: isEligible,
    observedAt: row.observedAt,
    retrievedAt: row.retrievedAt,
    observationId: idOf(series, row),
  };
}

/** The cells of one field and modifier by entity, and the numbers among them. */
interface Column {
  readonly cells: ReadonlyMap<string, Cell>;
  readonly numbers: readonly number[];
}

/** How each number of a column stands among all. */
function percentilesOf(column: Column | undefined): ReadonlyMap<number, number> {
  return midranks(column?.numbers ?? []);
}

function columnOf(
  members: readonly Member[],
  held: Readings,
  statistics: ReadonlyMap<number, Statistics>,
  { field, modifier }: FieldRef,
  at: number,
): Column {
  if (isAttribute(field)) return { cells: new Map(members.map((member) => [member.entityId, attributeOf(member, field)])), numbers: [] };
  const isRelative = modifier === 'rank' || modifier === 'pct';
  const readings = held.get(field);
  const own: [string, number][] = [];
  for (const { entityId } of members) {
    const reading = readings?.get(entityId)?.reading;
    if (reading == null) continue;
    const value = modifier === null || isRelative ? reading.row.value : modified(measure(reading, statistics, at), modifier);
    if (value !== null) own.push([entityId, value]);
  }
  const values = own.map(([, value]) => value);
  if (!isRelative) return { cells: new Map(own), numbers: values };
  const relative = modifier === 'rank' ? places(values) : midranks(values);
  const cells = own.map(([entityId, value]): [string, number] => [entityId, relative.get(value) ?? 0]);
  return { cells: new Map(cells), numbers: cells.map(([, value]) => value) };
}

function attributeOf(member: Member, attribute: Attribute): string | null {
  return attribute === 'entity_type' ? member.entityType : member[attribute];
}

const MS_PER_DAY = 86_400_000;

const UNCOMPARED = { previous: null, valueYearAgo: null, count3y: 0, mean3y: null, deviation3y: null } as const;

function measure({ series, row }: Reading, statistics: ReadonlyMap<number, Statistics>, at: number): Measured {
  const end = Date.parse(`${row.periodEnd}T00:00:00Z`) + MS_PER_DAY;
  const ageDays = Math.floor((at - end) / MS_PER_DAY);
  const compared = series === null ? undefined : statistics.get(series.seriesNo);
  return { ...(compared ?? UNCOMPARED), value: row.value, frequency: series?.frequency ?? 'static', ageDays };
}

function rank(
  members: readonly Member[],
  ranking: readonly RankKey[],
  cellOf: (member: Member) => (ref: FieldRef) => Cell,
): readonly Member[] {
  return members.toSorted((a, b) => {
    for (const key of ranking) {
      const order = compareCells(cellOf(a)(key), cellOf(b)(key), key.order);
      if (order !== 0) return order;
    }
    return (ranking.length === 0 ? compareText(a.name, b.name) : 0) || compareText(a.entityId, b.entityId);
  });
}

/** Nulls last both ways. */
function compareCells(a: Cell, b: Cell, order: 'asc' | 'desc'): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  const ascending = typeof a === 'number' && typeof b === 'number' ? a - b : compareText(String(a), String(b));
  return order === 'asc' ? ascending : -ascending;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

const NOTHING = {
  unit: null,
  period: null,
  periodEnd: null,
  observedAt: null,
  observationId: null,
  sourceTier: null,
  freshnessStatus: null,
  scoringEligible: null,
} as const;

function toScreenValue(value: Cell, percentile: number | null, reading: Reading | null, modifier: Modifier | null): ScreenValue {
  if (reading === null) return { value, ...NOTHING, percentile };
  const { row, unit, sourceTier, freshness, isEligible } = reading;
  return {
    value,
    unit: unitOf(unit, modifier),
    period: row.period,
    periodEnd: row.periodEnd,
    observedAt: row.observedAt,
    observationId: isObserved(reading) ? idOf(reading.series, reading.row) : null,
    sourceTier,
    freshnessStatus: freshness,
    scoringEligible: isEligible,
    percentile,
  };
}

function countExcluded(
  filter: readonly Clause[],
  members: readonly Member[],
  matched: ReadonlySet<Member>,
  cellOf: (member: Member) => (ref: FieldRef) => Cell,
  held: Readings,
): ScreenCounts {
  let [excludedMissing, excludedIneligible] = [0, 0];
  const terms = filter.flat().filter((term) => term.operand.kind !== 'presence');
  for (const member of members) {
    if (matched.has(member)) continue;
    const missing = terms.filter((term) => cellOf(member)(term) === null);
    if (missing.some((term) => held.get(term.field)?.get(member.entityId)?.isIneligible === true)) excludedIneligible += 1;
    else if (missing.length > 0) excludedMissing += 1;
  }
  return { evaluated: members.length, matched: matched.size, excludedMissing, excludedIneligible };
}
