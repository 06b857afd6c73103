// The screen once more, slow and obvious: every vintage of the named fields is read, every reading judged, and all matches stand as rows before a page is cut.
// What src/queries/screener/screener.ts answers is compared with it.
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { type Query, run } from '../../src/db/query.ts';
import { type Series, idOf, seriesOf } from '../../src/model/catalogue.ts';
import type { Entity } from '../../src/model/entity.ts';
import { type Cell, type Clause, type FieldRef, isMatch, keyOf, type RankKey } from '../../src/model/screener-dsl.ts';
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
} from '../../src/model/screener.ts';
import { comparePreference, type FreshnessStatus, freshnessOf, isCadenceComparable, rowReasons } from '../../src/model/trust.ts';
import { ATTRIBUTES, type Attribute, type Screen, type ScreenPage } from '../../src/queries/screener/screener.ts';
import type { Snapshot } from '../../src/queries/snapshot.ts';

const nullableText = z.string().nullable();
const nullableNumber = z.number().nullable();

function ownQuery<Params extends z.ZodRawShape, Row>(
  name: string,
  shape: { readonly params: z.ZodObject<Params>; readonly row: z.ZodType<Row> },
): Query<Params, Row> {
  return { file: name, sql: readFileSync(new URL(name, import.meta.url), 'utf8'), ...shape };
}

const valuesQuery = ownQuery('reference_values.sql', {
  params: z.strictObject({
    seriesFrom: z.int(),
    seriesTo: z.int(),
    seriesNos: z.array(z.int()),
    asOf: nullableText,
    periodFrom: nullableText,
  }),
  row: z.strictObject({
    seriesNo: z.int(),
    period: z.string(),
    periodEnd: z.string(),
    value: z.number(),
    vintage: z.string(),
    observedAt: z.string(),
    retrievedAt: z.string(),
    previous: nullableNumber,
    valueYearAgo: nullableNumber,
    count3y: z.int(),
    mean3y: nullableNumber,
    deviation3y: nullableNumber,
  }),
});
type ValueRow = z.infer<typeof valuesQuery.row>;
type NewestRow = Pick<ValueRow, 'seriesNo' | 'period' | 'periodEnd' | 'value' | 'vintage' | 'observedAt' | 'retrievedAt'>;

const universeQuery = ownQuery('reference_universe.sql', {
  params: z.strictObject({
    entityTypes: z.array(z.string()).nullable(),
    country: nullableText,
    sector: nullableText,
    onDate: z.string(),
    asOf: nullableText,
  }),
  row: z.strictObject({
    entityId: z.string(),
    entityType: z.string(),
    name: z.string(),
    country: nullableText,
    sector: nullableText,
    knownFrom: nullableText,
  }),
});
type Member = z.infer<typeof universeQuery.row>;

interface Screened {
  /** All matches, by rank. */
  readonly rows: readonly ScreenRow[];
  readonly counts: ScreenCounts;
}

/** An observation of one indicator for one entity, judged. */
interface Reading<Row extends NewestRow = ValueRow> {
  readonly series: Series;
  readonly row: Row;
  readonly freshness: FreshnessStatus;
  readonly isEligible: boolean;
}

/** What one entity has of one indicator: the reading to use, or why there is none. */
interface Held<Row extends NewestRow = ValueRow> {
  readonly reading: Reading<Row> | null;
  readonly isIneligible: boolean;
}

export async function referenceScreen(snapshot: Snapshot, asked: Screen): Promise<Screened> {
  const refs = uniqueRefs([...asked.filter.flat(), ...asked.ranking, ...(asked.columns ?? [])]);
  const named = new Set(refs.map((ref) => ref.field).filter((field) => !isAttribute(field)));
  const candidates = await membersOf(snapshot, asked);
  const ids = new Set(candidates.map((member) => member.entityId));
  const held = await readingsOf(snapshot, asked, named, ids);
  const members = candidates.filter((member) => isKnownAt(member, asked.asOf));
  const table = tableOf(members, held, refs, asked.at);
  const cellOf = (member: Member) => (ref: FieldRef) => table.get(keyOf(ref))?.cells.get(member.entityId) ?? null;
  const matched = members.filter((member) => isMatch(asked.filter, cellOf(member)));
  const ranked = rank(matched, asked.ranking, cellOf);
  const shown = asked.columns ?? refs;
  const rows = ranked.map(
    (member, index): ScreenRow => ({
      rank: index + 1,
      entityId: member.entityId,
      entityType: member.entityType as Entity['entityType'],
      name: member.name,
      country: member.country,
      values: Object.fromEntries(shown.map((ref) => [keyOf(ref), valueOf(member, ref, table, held)])),
    }),
  );
  return { rows, counts: countExcluded(asked.filter, members, new Set(matched), cellOf, held) };
}

/** The rows of one page, and the counts of all. */
export function pageOf({ rows, counts }: Screened, page: ScreenPage): Screened {
  const sorted = page.sort === 'name' ? rows.toSorted((a, b) => compareText(a.name, b.name) || a.rank - b.rank) : rows;
  const ordered = page.order === 'desc' ? sorted.toReversed() : sorted;
  return { rows: ordered.slice(page.begin, page.begin + page.limit), counts };
}

/** Sums over three years depend on their order in the last digits. */
export function rounded(screened: unknown): unknown {
  return JSON.parse(
    JSON.stringify(screened, (key, value: unknown) =>
      key === 'value' && typeof value === 'number' ? Number(value.toPrecision(11)) : value,
    ),
  );
}

function isAttribute(field: string): field is Attribute {
  return ATTRIBUTES.some((one) => one === field);
}

function uniqueRefs(refs: readonly FieldRef[]): readonly FieldRef[] {
  return [...new Map(refs.map(({ field, modifier }) => [keyOf({ field, modifier }), { field, modifier }])).values()];
}

async function membersOf(snapshot: Snapshot, asked: Screen): Promise<readonly Member[]> {
  const universe: readonly string[] | null = ENTITY_TYPES_OF[asked.universe];
  const { entityType } = asked;
  const both = universe === null || (entityType !== null && universe.includes(entityType));
  return run(snapshot, universeQuery, {
    entityTypes: entityType === null ? universe : both ? [entityType] : [],
    country: asked.country,
    sector: asked.sector,
    onDate: (asked.asOf ?? new Date(asked.at).toISOString()).slice(0, 10),
    asOf: asked.asOf,
  });
}

const STANDING: ReadonlySet<string> = new Set(['country', 'currency_area', 'currency', 'central_bank']);

/** Countries and the like stand in the reference data. */
function isKnownAt({ entityType, knownFrom }: Member, asOf: string | null): boolean {
  if (STANDING.has(entityType)) return true;
  return knownFrom !== null && (asOf === null || knownFrom <= asOf);
}

const CROSS_COUNTRY: ReadonlySet<string> = new Set(['country', 'currency_area', 'region']);

/** Series that a public screen may use: redistributable, and between countries of a cadence that can be compared. */
function isScreened(series: Series): boolean {
  return series.rights.redistributable && (!CROSS_COUNTRY.has(series.entityType) || isCadenceComparable(series.frequency));
}

/** By indicator, then entity. */
type Readings = ReadonlyMap<string, ReadonlyMap<string, Held>>;

async function readingsOf(
  snapshot: Snapshot,
  asked: Screen,
  named: ReadonlySet<string>,
  entityIds: ReadonlySet<string>,
): Promise<Readings> {
  const { catalogue } = snapshot;
  const series = [...named]
    .flatMap((field) => catalogue.byCanonicalId.get(field) ?? [])
    .filter((one) => isScreened(one) && entityIds.has(one.entityId))
    .map((one) => one.seriesNo)
    .sort((a, b) => a - b);
  if (series.length === 0) return new Map();
  const rows = await run(snapshot, valuesQuery, {
    seriesFrom: series[0] ?? 0,
    seriesTo: series.at(-1) ?? 0,
    seriesNos: series,
    asOf: asked.asOf,
    periodFrom: asked.historyFrom,
  });
  const found = new Map<string, Map<string, Reading[]>>();
  for (const row of rows) {
    const reading = judge(seriesOf(catalogue, row), row, asked.at);
    const byEntity = found.get(reading.series.canonicalId) ?? new Map<string, Reading[]>();
    found.set(reading.series.canonicalId, byEntity);
    byEntity.set(reading.series.entityId, [...(byEntity.get(reading.series.entityId) ?? []), reading]);
  }
  return new Map(
    [...found].map(([field, byEntity]) => [field, new Map([...byEntity].map(([id, readings]) => [id, choose(readings, asked)]))]),
  );
}

function judge<Row extends NewestRow>(series: Series, row: Row, at: number): Reading<Row> {
  const freshness = freshnessOf(series, row.periodEnd, at);
  return { series, row, freshness, isEligible: rowReasons(series, row, at).length === 0 };
}

function choose<Row extends NewestRow>(
  readings: readonly Reading<Row>[],
  { isFreshOnly, isEligibleOnly }: Pick<Screen, 'isFreshOnly' | 'isEligibleOnly'>,
): Held<Row> {
  const fresh = readings.filter((reading) => !isFreshOnly || reading.freshness === 'fresh');
  const usable = fresh.filter((reading) => !isEligibleOnly || reading.isEligible);
  const [reading = null] = usable.toSorted((a, b) => comparePreference(toCandidate(a), toCandidate(b)));
  return { reading, isIneligible: reading === null && fresh.length > 0 };
}

function toCandidate({ series, row, isEligible }: Reading<NewestRow>) {
  return {
    ...series,
    period: row.period,
    scoringEligible: isEligible,
    observedAt: row.observedAt,
    retrievedAt: row.retrievedAt,
    observationId: idOf(series, row),
  };
}

/** The cells of one field and modifier by entity, and how each stands among all. */
interface Column {
  readonly cells: ReadonlyMap<string, Cell>;
  readonly percentiles: ReadonlyMap<number, number>;
}

function tableOf(members: readonly Member[], held: Readings, refs: readonly FieldRef[], at: number): ReadonlyMap<string, Column> {
  return new Map(refs.map((ref) => [keyOf(ref), columnOf(members, held, ref, at)]));
}

function columnOf(members: readonly Member[], held: Readings, { field, modifier }: FieldRef, at: number): Column {
  if (isAttribute(field))
    return { cells: new Map(members.map((member) => [member.entityId, attributeOf(member, field)])), percentiles: new Map() };
  const isRelative = modifier === 'rank' || modifier === 'pct';
  const own = members.flatMap(({ entityId }): [string, number][] => {
    const reading = held.get(field)?.get(entityId)?.reading;
    const value = reading == null ? null : modified(measure(reading, at), isRelative ? null : modifier);
    return value === null ? [] : [[entityId, value]];
  });
  const comparable = own.filter(([entityId]) => modifier === 'age_days' || isOfUnit(held.get(field)?.get(entityId)?.reading));
  const values = comparable.map(([, value]) => value);
  if (!isRelative) return { cells: new Map(own), percentiles: midranks(values) };
  const relative = modifier === 'rank' ? places(values) : midranks(values);
  const cells = comparable.map(([entityId, value]): [string, number] => [entityId, relative.get(value) ?? 0]);
  return { cells: new Map(cells), percentiles: midranks(cells.map(([, value]) => value)) };
}

/** In another unit than the factor's a value cannot be compared with those of others. */
const isOfUnit = (reading: Reading | null | undefined) => reading?.series.reasons.includes('unit') === false;

function attributeOf(member: Member, attribute: Attribute): string | null {
  return attribute === 'entity_type' ? member.entityType : member[attribute];
}

const MS_PER_DAY = 86_400_000;

function measure({ series, row }: Reading, at: number): Measured {
  const end = Date.parse(`${row.periodEnd}T00:00:00Z`) + MS_PER_DAY;
  return { ...row, frequency: series.frequency, ageDays: Math.floor((at - end) / MS_PER_DAY) };
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

function valueOf(member: Member, ref: FieldRef, table: ReadonlyMap<string, Column>, held: Readings): ScreenValue {
  const column = table.get(keyOf(ref));
  const value = column?.cells.get(member.entityId) ?? null;
  const reading = held.get(ref.field)?.get(member.entityId)?.reading ?? null;
  const isRanked = typeof value === 'number' && (ref.modifier === 'age_days' || isOfUnit(reading));
  const percentile = isRanked ? (column?.percentiles.get(value) ?? null) : null;
  if (reading === null) return { value, ...NOTHING, percentile };
  const { series, row, freshness, isEligible } = reading;
  return {
    value,
    unit: unitOf(series.unit, ref.modifier),
    period: row.period,
    periodEnd: row.periodEnd,
    observedAt: row.observedAt,
    observationId: idOf(series, row),
    sourceTier: series.sourceTier,
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
