// The screen: values of the named fields per entity of a universe, as known at a cutoff, and what the filter leaves of them. It reads the state of each named series
// and no more; identifiers and what is shown of a value are made for the page alone.
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
import { idOf } from './observations.ts';
import { type Chosen, heldOf, isObserved, readFields, type Reading, type Readings, type Statistics } from './screener-readings.ts';
import { findMembers, type Member } from './screener-universe.ts';
import type { Snapshot } from './snapshot.ts';

export const ATTRIBUTES = ['name', 'country', 'entity_type', 'sector'] as const;
export type Attribute = (typeof ATTRIBUTES)[number];

export interface Screen extends Chosen {
  readonly universe: Universe;
  readonly entityType: string | null;
  readonly country: string | null;
  readonly sector: string | null;
  readonly filter: readonly Clause[];
  readonly ranking: readonly RankKey[];
  readonly columns: readonly FieldRef[] | null;
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

export async function screen(snapshot: Snapshot, asked: Screen, page: ScreenPage): Promise<Screened> {
  const refs = uniqueRefs([...asked.filter.flat(), ...asked.ranking, ...(asked.columns ?? [])]);
  const [members, known] = await Promise.all([membersOf(snapshot, asked), readFields(snapshot, asked, refs)]);
  const held = heldOf(snapshot, asked, members, known);
  const table = new Map(refs.map((ref) => [keyOf(ref), columnOf(members, held, known.statistics, ref, asked.at)]));
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
    withheld: known.withheld,
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

function membersOf(snapshot: Snapshot, asked: Screen): Promise<readonly Member[]> {
  const universe: readonly string[] | null = ENTITY_TYPES_OF[asked.universe];
  const { entityType, country, sector, asOf } = asked;
  const both = universe === null || (entityType !== null && universe.includes(entityType));
  const onDate = (asOf ?? new Date(asked.at).toISOString()).slice(0, 10);
  return findMembers(snapshot, { entityTypes: entityType === null ? universe : both ? [entityType] : [], country, sector, onDate, asOf });
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
