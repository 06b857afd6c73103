// The screen: one statement filters, ranks, counts and cuts the page (sql/queries/screener_rows.sql); identifiers and verdicts are made for what it leaves.
import { z } from 'zod';
import { defineQuery, run } from '../db/query.ts';
import type { Entity } from '../model/entity.ts';
import type { Grants } from '../model/grant.ts';
import { type Clause, type FieldRef, keyOf, type Modifier, type RankKey, type Term } from '../model/screener-dsl.ts';
import { ENTITY_TYPES_OF, type ScreenCounts, type ScreenRow, type ScreenValue, unitOf, type Universe } from '../model/screener.ts';
import { freshnessOf, rowReasons } from '../model/trust.ts';
import { idOf, seriesOf } from './observations.ts';
import type { Snapshot } from './snapshot.ts';

const nullableText = z.string().nullable();
const nullableNumber = z.number().nullable();
const texts = z.array(z.string());
const numbers = z.array(z.number());

export const screenerRowsQuery = defineQuery('screener_rows.sql', {
  params: z.strictObject({
    refFields: texts,
    refModifiers: texts,
    termClauses: numbers,
    termRefs: numbers,
    termOperators: texts,
    operandTerms: numbers,
    // As texts: what a list of numbers begins with would decide whether it may hold fractions.
    operandLows: texts,
    operandHighs: texts,
    operandTexts: texts,
    keyRefs: numbers,
    keyDirections: numbers,
    shownRefs: numbers,
    comparedFields: texts,
    entityTypes: texts.nullable(),
    country: nullableText,
    sector: nullableText,
    onDate: z.string(),
    grantedSourceIds: texts,
    epoch: z.int(),
    asOf: nullableText,
    at: z.string(),
    periodFrom: nullableText,
    isFreshOnly: z.boolean(),
    isEligibleOnly: z.boolean(),
    isByName: z.boolean(),
    isDescending: z.boolean(),
    begin: z.int(),
    count: z.int(),
  }),
  row: z.strictObject({
    evaluated: z.int(),
    matched: z.int(),
    excludedMissing: z.int(),
    excludedIneligible: z.int(),
    rank: z.int().nullable(),
    entityId: nullableText,
    entityType: nullableText,
    name: nullableText,
    country: nullableText,
    refNo: z.int().nullable(),
    value: nullableNumber,
    text: nullableText,
    percentile: nullableNumber,
    seriesNo: z.int().nullable(),
    period: nullableText,
    periodEnd: nullableText,
    vintage: nullableText,
    observedAt: nullableText,
  }),
});
type Row = z.infer<typeof screenerRowsQuery.row>;

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
}

export async function screen(snapshot: Snapshot, asked: Screen, page: ScreenPage): Promise<Screened> {
  const refs = uniqueRefs([...asked.filter.flat(), ...asked.ranking, ...(asked.columns ?? [])]);
  const numberOf = new Map(refs.map((ref, index) => [keyOf(ref), index + 1]));
  const refNo = (ref: FieldRef) => numberOf.get(keyOf(ref)) ?? 0;
  const found = await run(snapshot, screenerRowsQuery, {
    refFields: refs.map((ref) => ref.field),
    refModifiers: refs.map((ref) => ref.modifier ?? ''),
    ...boundTerms(asked.filter, refNo),
    keyRefs: asked.ranking.map(refNo),
    keyDirections: asked.ranking.map((key) => (key.order === 'asc' ? 1 : -1)),
    shownRefs: uniqueRefs(asked.columns ?? refs).map(refNo),
    comparedFields: [...new Set(refs.filter(isCompared).map((ref) => ref.field))],
    entityTypes: entityTypesOf(asked),
    country: asked.country,
    sector: asked.sector,
    onDate: (asked.asOf ?? new Date(asked.at).toISOString()).slice(0, 10),
    grantedSourceIds: openedSources(snapshot.grants),
    epoch: epochOf(snapshot, asked.asOf),
    asOf: asked.asOf,
    at: new Date(asked.at).toISOString(),
    periodFrom: asked.historyFrom,
    isFreshOnly: asked.isFreshOnly,
    isEligibleOnly: asked.isEligibleOnly,
    isByName: page.sort === 'name',
    isDescending: page.order === 'desc',
    begin: page.begin,
    count: page.limit,
  });
  const { evaluated = 0, matched = 0, excludedMissing = 0, excludedIneligible = 0 } = found[0] ?? {};
  return { rows: toRows(snapshot, found, refs, asked.at), counts: { evaluated, matched, excludedMissing, excludedIneligible } };
}

function uniqueRefs(refs: readonly FieldRef[]): readonly FieldRef[] {
  return [...new Map(refs.map(({ field, modifier }) => [keyOf({ field, modifier }), { field, modifier }])).values()];
}

const COMPARED: ReadonlySet<Modifier | null> = new Set(['prev', 'chg1', 'chg12', 'yoy', 'z3y']);

const isCompared = ({ modifier }: FieldRef) => COMPARED.has(modifier);

function entityTypesOf({ universe, entityType }: Screen): readonly string[] | null {
  const types: readonly string[] | null = ENTITY_TYPES_OF[universe];
  if (entityType === null) return types;
  return types === null || types.includes(entityType) ? [entityType] : [];
}

/** The sources whose series may be passed on by the operator's grants, whatever their licences. */
export function openedSources(grants: Grants): readonly string[] {
  return [...grants.values()].filter((grant) => grant.redistribute).map((grant) => grant.sourceId);
}

/** The calendar year whose states hold the cutoff; what became known last is that of the snapshot. */
export function epochOf({ knowledgeCutoff }: Snapshot, asOf: string | null): number {
  const [last, asked] = [Number(knowledgeCutoff.slice(0, 4)), Number((asOf ?? knowledgeCutoff).slice(0, 4))];
  return Math.min(last, asked);
}

interface Operand {
  readonly term: number;
  readonly low: number;
  readonly high: number;
  readonly text: string;
}

/** Terms as the statement takes them: an operator, and what it compares with as ranges of numbers or as texts. */
function boundTerms(filter: readonly Clause[], refNo: (ref: FieldRef) => number) {
  const terms = filter.flatMap((clause, clauseNo) => clause.map((term) => ({ term, clauseNo })));
  const operands = terms.flatMap(({ term }, index) => operandsOf(term).map((operand): Operand => ({ ...operand, term: index + 1 })));
  return {
    termClauses: terms.map(({ clauseNo }) => clauseNo),
    termRefs: terms.map(({ term }) => refNo(term)),
    termOperators: terms.map(({ term }) => operatorOf(term)),
    operandTerms: operands.map((operand) => operand.term),
    operandLows: operands.map((operand) => String(operand.low)),
    operandHighs: operands.map((operand) => String(operand.high)),
    operandTexts: operands.map((operand) => operand.text),
  };
}

function operatorOf({ operator, operand }: Term): string {
  if (operand.kind === 'presence') return operand.isNull ? 'null' : 'notnull';
  if (operator === 'neq' || operator === 'nin') return 'not';
  return operator === 'gt' || operator === 'lt' ? operator : 'within';
}

function operandsOf({ operator, operand }: Term): readonly Omit<Operand, 'term'>[] {
  const range = (low: number, high: number) => ({ low, high, text: '' });
  const same = (value: number | string) =>
    typeof value === 'number' ? range(value, value) : { low: Number.NaN, high: Number.NEGATIVE_INFINITY, text: value };
  switch (operand.kind) {
    case 'presence':
      return [];
    case 'range':
      return [range(operand.from, operand.to)];
    case 'many':
      return operand.values.map(same);
    case 'one':
      if (typeof operand.value === 'string') return [same(operand.value)];
      if (operator === 'gt' || operator === 'gte') return [range(operand.value, Number.POSITIVE_INFINITY)];
      if (operator === 'lt' || operator === 'lte') return [range(Number.NEGATIVE_INFINITY, operand.value)];
      return [same(operand.value)];
  }
}

function toRows(snapshot: Snapshot, found: readonly Row[], refs: readonly FieldRef[], at: number): ScreenRow[] {
  const rows = new Map<string, { readonly row: Omit<ScreenRow, 'values'>; readonly values: Record<string, ScreenValue> }>();
  for (const one of found) {
    const { rank, entityId, name, country, refNo } = one;
    if (rank === null || entityId === null || name === null) continue;
    const entityType = one.entityType as Entity['entityType'];
    const entry = rows.get(entityId) ?? { row: { rank, entityId, entityType, name, country }, values: {} };
    rows.set(entityId, entry);
    const ref = refNo === null ? undefined : refs[refNo - 1];
    if (ref !== undefined) entry.values[keyOf(ref)] = toScreenValue(snapshot, one, ref.modifier, at);
  }
  return [...rows.values()].map(({ row, values }) => ({ ...row, values }));
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

function toScreenValue({ catalogue }: Snapshot, row: Row, modifier: Modifier | null, at: number): ScreenValue {
  const { percentile, seriesNo, period, periodEnd, vintage } = row;
  const value = row.value ?? row.text;
  if (seriesNo === null || period === null || vintage === null) return { value, ...NOTHING, percentile };
  const series = seriesOf(catalogue, { seriesNo });
  return {
    value,
    unit: unitOf(series.unit, modifier),
    period,
    periodEnd,
    observedAt: row.observedAt,
    observationId: idOf(series, { period, vintage }),
    sourceTier: series.sourceTier,
    freshnessStatus: freshnessOf(series, periodEnd, at),
    scoringEligible: rowReasons(series, { periodEnd, value: 0, vintage }, at).length === 0,
    percentile,
  };
}
