// The screen: values of the named fields for each entity of a universe, as known at a cutoff, and the entities that match the filter. It
// reads only the state of each named series. Identifiers and other details are computed for the page only.
import { type Cell, type Clause, type FieldRef, isMatch, keyOf, type Modifier, type RankKey } from '../../model/screener-dsl.ts';
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
} from '../../model/screener.ts';
import {
  type Chosen,
  type Held,
  heldOf,
  isComparable,
  judge,
  observationIdOf,
  readFields,
  type Reading,
  type Readings,
} from './readings.ts';
import type { Statistics } from '../reads/states.ts';
import { findMembers, type Member } from './universe.ts';
import type { Snapshot } from '../snapshot.ts';

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
  /** How many matches come before the page. */
  readonly begin: number;
  readonly limit: number;
}

export interface Screened {
  readonly rows: readonly ScreenRow[];
  readonly counts: ScreenCounts;
  /** Requested score fields that the caller may not see. Withheld series are listed elsewhere. */
  readonly withheld: readonly string[];
  /** The numbers of the requested indicators' series with a value known at the cutoff in visible periods. */
  readonly known: ReadonlySet<number>;
}

export async function screen(snapshot: Snapshot, asked: Screen, page: ScreenPage): Promise<Screened> {
  const refs = uniqueRefs([...asked.filter.flat(), ...asked.ranking, ...(asked.columns ?? [])]);
  const [members, known] = await Promise.all([membersOf(snapshot, asked), readFields(snapshot, asked, refs)]);
  const held = heldOf(snapshot, asked, members, known);
  const columns = new Map(refs.map((ref) => [keyOf(ref), columnOf(members, held, known.statistics, ref, asked.at)]));
  // Look terms up by object: to build their key for every entity takes longer than the comparison.
  const named = [...asked.filter.flat(), ...asked.ranking].map((ref): [FieldRef, Column] => [ref, columns.get(keyOf(ref)) ?? NO_COLUMN]);
  const byTerm = new Map(named);
  const cellOf: CellOf = (place, ref) => byTerm.get(ref)?.cells[place] ?? null;
  const matched = members.flatMap((_, place) => (isMatch(asked.filter, (ref) => cellOf(place, ref)) ? [place] : []));
  const ranked = rank(members, matched, asked.ranking, cellOf);
  const shown = (asked.columns ?? refs).map((ref): Shown => {
    const column = columns.get(keyOf(ref)) ?? NO_COLUMN;
    return { ref, key: keyOf(ref), column, percentiles: midranks(column.numbers), held: held.get(ref.field) ?? [] };
  });
  return {
    rows: cut(members, ranked, page).map((placed) => toRow(members, placed, shown, asked.at)),
    counts: countExcluded(asked.filter, members, new Set(matched), cellOf, held),
    withheld: known.withheld,
    known: new Set(known.rows.map(({ seriesNo }) => seriesNo)),
  };
}

/** The cell of a term for a member. */
type CellOf = (place: number, ref: FieldRef) => Cell;

/** A column of the answer. */
interface Shown {
  readonly ref: FieldRef;
  readonly key: string;
  readonly column: Column;
  /** The percentile of each of its numbers. */
  readonly percentiles: ReadonlyMap<number, number>;
  readonly held: readonly Held[];
}

function toRow(members: readonly Member[], { place, rank: standing }: Placed, shown: readonly Shown[], at: number): ScreenRow {
  const { entityId, entityType, name, country } = memberAt(members, place);
  const values: Record<string, ScreenValue> = {};
  for (const { ref, key, column, percentiles, held } of shown) {
    const value = column.cells[place] ?? null;
    const reading = held[place]?.reading ?? null;
    const isRanked = typeof value === 'number' && reading !== null && (ref.modifier === 'age_days' || isComparable(reading));
    values[key] = toScreenValue(value, isRanked ? (percentiles.get(value) ?? null) : null, reading, ref.modifier, at);
  }
  return { rank: standing, entityId, entityType, name, country, values };
}

function memberAt(members: readonly Member[], place: number): Member {
  const member = members[place];
  if (member === undefined) throw new RangeError(`there is no member ${place}`);
  return member;
}

interface Placed {
  /** Index of the member. */
  readonly place: number;
  readonly rank: number;
}

function cut(members: readonly Member[], ranked: readonly number[], { sort, order, begin, limit }: ScreenPage): readonly Placed[] {
  const placed = ranked.map((place, index): Placed => ({ place, rank: index + 1 }));
  const nameOf = ({ place }: Placed) => memberAt(members, place).name;
  const sorted = sort === 'rank' ? placed : placed.toSorted((a, b) => compareText(nameOf(a), nameOf(b)) || a.rank - b.rank);
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

/** The cells of one field and modifier, one per member, and the numbers among them. */
interface Column {
  readonly cells: readonly Cell[];
  readonly numbers: readonly number[];
}

const NO_COLUMN: Column = { cells: [], numbers: [] };

function columnOf(
  members: readonly Member[],
  held: Readings,
  statistics: ReadonlyMap<number, Statistics>,
  { field, modifier }: FieldRef,
  at: number,
): Column {
  if (isAttribute(field)) return { cells: members.map((member) => attributeOf(member, field)), numbers: [] };
  const isRelative = modifier === 'rank' || modifier === 'pct';
  const readings = held.get(field);
  const own = members.map((_, place) => {
    const reading = readings?.[place]?.reading ?? null;
    if (reading === null) return null;
    return modifier === null || isRelative ? reading.row.value : modified(measure(reading, statistics, at), modifier);
  });
  // A value in another unit than the factor's is shown, but not compared.
  const comparable = own.map((value, place) => {
    const reading = readings?.[place]?.reading ?? null;
    return reading !== null && (modifier === 'age_days' || isComparable(reading)) ? value : null;
  });
  const values = comparable.filter((value) => value !== null);
  if (!isRelative) return { cells: own, numbers: values };
  const relative = modifier === 'rank' ? places(values) : midranks(values);
  const cells = comparable.map((value) => (value === null ? null : (relative.get(value) ?? 0)));
  return { cells, numbers: cells.filter((value) => value !== null) };
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
  return { value: row.value, frequency: series?.frequency ?? 'static', ageDays, ...(compared ?? UNCOMPARED) };
}

/** Indexes of the matches among the members, in order of rank. */
function rank(members: readonly Member[], matched: readonly number[], ranking: readonly RankKey[], cellOf: CellOf): readonly number[] {
  return matched.toSorted((a, b) => {
    for (const key of ranking) {
      const order = compareCells(cellOf(a, key), cellOf(b, key), key.order);
      if (order !== 0) return order;
    }
    const [one, other] = [memberAt(members, a), memberAt(members, b)];
    return (ranking.length === 0 ? compareText(one.name, other.name) : 0) || compareText(one.entityId, other.entityId);
  });
}

/** Nulls come last in both directions. */
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

function toScreenValue(
  value: Cell,
  percentile: number | null,
  reading: Reading | null,
  modifier: Modifier | null,
  at: number,
): ScreenValue {
  if (reading === null) return { value, ...NOTHING, percentile };
  const { row } = reading;
  const { unit, sourceTier, freshness, isEligible } = judge(reading, at);
  return {
    value,
    unit: unitOf(unit, modifier),
    period: row.period,
    periodEnd: row.periodEnd,
    observedAt: row.observedAt,
    observationId: observationIdOf(reading),
    sourceTier,
    freshnessStatus: freshness,
    scoringEligible: isEligible,
    percentile,
  };
}

function countExcluded(
  filter: readonly Clause[],
  members: readonly Member[],
  matched: ReadonlySet<number>,
  cellOf: CellOf,
  held: Readings,
): ScreenCounts {
  let [excludedMissing, excludedIneligible] = [0, 0];
  const terms = filter.flat().filter((term) => term.operand.kind !== 'presence');
  for (let place = 0; place < members.length; place += 1) {
    if (matched.has(place)) continue;
    const missing = terms.filter((term) => cellOf(place, term) === null);
    if (missing.some((term) => held.get(term.field)?.[place]?.isIneligible === true)) excludedIneligible += 1;
    else if (missing.length > 0) excludedMissing += 1;
  }
  return { evaluated: members.length, matched: matched.size, excludedMissing, excludedIneligible };
}
