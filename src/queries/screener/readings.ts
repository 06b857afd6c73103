// The values of a screen's fields for each entity: series states and company figures as known at a cutoff, with their verdicts, and the
// preferred one of several.
import { run } from '../../db/query.ts';
import { type Catalogue, idOf, type Series } from '../../model/catalogue.ts';
import type { FieldRef, Modifier } from '../../model/screener-dsl.ts';
import {
  comparePreference,
  type FreshnessStatus,
  freshnessOf,
  printDay,
  isCadenceComparable,
  rowReasons,
  type SourceTier,
} from '../../model/trust.ts';
import { readStates } from '../reads/read.ts';
import { boundStates, type NewestRow, screenerStatisticsQuery, type Statistics } from '../reads/states.ts';
import { type Figure, type Figures, type Looked, readFigures } from './figures.ts';
import type { Member } from './universe.ts';
import type { Snapshot } from '../snapshot.ts';

/** The verdict on a value at the evaluation time. */
interface Judged {
  readonly unit: string | null;
  readonly sourceTier: SourceTier;
  readonly freshness: FreshnessStatus;
  readonly isEligible: boolean;
}

/** A series that a screen may use. */
interface Screenable {
  readonly series: Series;
  /** True if its values have the unit of the factor. */
  readonly isComparable: boolean;
}

/** An observation of one indicator for one entity. */
interface Observed extends Screenable {
  readonly row: NewestRow;
}

/** A company figure, which is not an observation. */
interface Stated {
  readonly series: null;
  readonly row: Pick<NewestRow, 'period' | 'periodEnd' | 'value' | 'observedAt'>;
  readonly judged: Judged;
}

export type Reading = Observed | Stated;

/** An entity's reading of one field, or the reason why there is none. */
export interface Held {
  readonly reading: Reading | null;
  readonly isIneligible: boolean;
}

/** The rules for which values count. */
export interface Chosen extends Looked {
  readonly isFreshOnly: boolean;
  readonly isEligibleOnly: boolean;
}

/** The data for the fields of a screen. */
export interface Known extends Figures {
  /** The requested indicators. */
  readonly indicators: readonly string[];
  readonly rows: readonly NewestRow[];
  /** Statistics for modifiers of the newest values, by series. */
  readonly statistics: ReadonlyMap<number, Statistics>;
}

export async function readFields(snapshot: Snapshot, asked: Looked, refs: readonly FieldRef[]): Promise<Known> {
  const fields = [...new Set(refs.map((ref) => ref.field))];
  const isIndicator = (field: string) => snapshot.catalogue.byCanonicalId.has(field);
  const indicators = fields.filter(isIndicator);
  const [rows, statistics, figures] = await Promise.all([
    readStates({ snapshot, indicators, asOf: asked.asOf, periodFrom: asked.historyFrom }),
    readStatistics(snapshot, asked, refs),
    readFigures(
      snapshot,
      asked,
      fields.filter((field) => !isIndicator(field)),
    ),
  ]);
  return { indicators, rows, statistics, ...figures };
}

const COMPARED: ReadonlySet<Modifier | null> = new Set(['prev', 'chg1', 'chg12', 'yoy', 'z3y']);

async function readStatistics(snapshot: Snapshot, asked: Looked, refs: readonly FieldRef[]): Promise<ReadonlyMap<number, Statistics>> {
  const indicators = refs.filter((ref) => COMPARED.has(ref.modifier)).map((ref) => ref.field);
  const bound = boundStates({ snapshot, indicators, asOf: asked.asOf, periodFrom: asked.historyFrom });
  const rows = bound.indicatorNos.length === 0 ? [] : await run(snapshot, screenerStatisticsQuery, bound);
  return new Map(rows.map((row) => [row.seriesNo, row]));
}

const CROSS_COUNTRY: ReadonlySet<string> = new Set(['country', 'currency_area', 'region']);

/** Series that a public screen may use: redistributable, and for countries only a comparable cadence. */
export function isScreened(series: Series): boolean {
  return series.rights.redistributable && (!CROSS_COUNTRY.has(series.entityType) || isCadenceComparable(series.frequency));
}

/** True if the values have the unit of the factor. Others cannot be compared with each other. */
export function isOfFactorUnit(series: Series): boolean {
  return !series.reasons.includes('unit');
}

/** True if a reading can be compared with those of other entities. Figures of one field share a unit. */
export function isComparable(reading: Reading): boolean {
  return reading.series === null || reading.isComparable;
}

/** By field, the reading of each member, in the order of the members. */
export type Readings = ReadonlyMap<string, readonly Held[]>;

const NO_SERIES: readonly Screenable[] = [];
const NOTHING: Held = { reading: null, isIneligible: false };

export function heldOf({ catalogue }: Snapshot, asked: Chosen, members: readonly Member[], known: Known): Readings {
  const rows = new Map<number, NewestRow>();
  for (const row of known.rows) rows.set(row.seriesNo, row);
  const observed = known.indicators.map((indicator): [string, readonly Held[]] => {
    const byEntity = screenedOf(catalogue, indicator);
    return [indicator, members.map(({ entityId }) => choose(readingsOf(byEntity.get(entityId) ?? NO_SERIES, rows), asked))];
  });
  return new Map([...observed, ...statedOf(asked, members, known.figures)]);
}

type ByEntity = ReadonlyMap<string, readonly Screenable[]>;

const screenable = new WeakMap<Catalogue, Map<string, ByEntity>>();

/** The series of an indicator that a screen may use, by entity. They are cached, because to look at each one again takes a fifth of a screen's time. */
function screenedOf(catalogue: Catalogue, indicator: string): ByEntity {
  const known = screenable.get(catalogue) ?? new Map<string, ByEntity>();
  screenable.set(catalogue, known);
  const found = known.get(indicator) ?? byEntityOf(catalogue.byCanonicalId.get(indicator) ?? []);
  known.set(indicator, found);
  return found;
}

function byEntityOf(series: readonly Series[]): ByEntity {
  const byEntity = new Map<string, Screenable[]>();
  for (const one of series.filter(isScreened)) {
    const own = byEntity.get(one.entityId) ?? [];
    own.push({ series: one, isComparable: isOfFactorUnit(one) });
    byEntity.set(one.entityId, own);
  }
  return byEntity;
}

function readingsOf(series: readonly Screenable[], rows: ReadonlyMap<number, NewestRow>): readonly Observed[] {
  const readings: Observed[] = [];
  for (const { series: one, isComparable: isOfUnit } of series) {
    const row = rows.get(one.seriesNo);
    if (row !== undefined) readings.push({ series: one, isComparable: isOfUnit, row });
  }
  return readings;
}

/** An entity has one figure per field. */
function statedOf(asked: Chosen, members: readonly Member[], figures: readonly Figure[]): Readings {
  const places = new Map(members.map(({ entityId }, place) => [entityId, place]));
  const found = new Map<string, Held[]>();
  for (const { field, entityId, periodEnd, value, observedAt, ...judged } of figures) {
    const held = found.get(field) ?? members.map(() => NOTHING);
    found.set(field, held);
    const place = places.get(entityId);
    if (place === undefined) continue;
    held[place] = choose([{ series: null, row: { period: periodEnd, periodEnd, value, observedAt }, judged }], asked);
  }
  return found;
}

/** The verdict on a reading at a moment. */
export function judge(reading: Reading, at: number): Judged {
  if (!isObserved(reading)) return reading.judged;
  const { series, row } = reading;
  const freshness = freshnessOf(series, printDay(series.canonicalId, row.periodEnd, row.observedAt), at);
  const isEligible = rowReasons(series, row, at, freshness).length === 0;
  return { unit: series.unit, sourceTier: series.sourceTier, freshness, isEligible };
}

/** The observation behind a reading. Null for a figure. */
export function observationIdOf(reading: Reading): string | null {
  if (!isObserved(reading)) return null;
  const { series, row } = reading;
  return idOf(series, row);
}

function choose(
  readings: readonly Reading[],
  { isFreshOnly, isEligibleOnly, at }: Pick<Chosen, 'isFreshOnly' | 'isEligibleOnly' | 'at'>,
): Held {
  if (readings.length === 0) return NOTHING;
  const fresh = isFreshOnly ? readings.filter((reading) => judge(reading, at).freshness === 'fresh') : readings;
  const usable = isEligibleOnly ? fresh.filter((reading) => judge(reading, at).isEligible) : fresh;
  return { reading: preferredOf(usable, at), isIneligible: usable.length === 0 && fresh.length > 0 };
}

/**
 * Skip the comparison if there is only one reading: it needs identifiers to break ties, and they are slow to compute. A figure has no
 * rivals.
 */
function preferredOf(usable: readonly Reading[], at: number): Reading | null {
  if (usable.length < 2) return usable[0] ?? null;
  const rivals = usable.filter(isObserved).map((one) => ({ one, candidate: toCandidate(one, at) }));
  return rivals.toSorted((a, b) => comparePreference(a.candidate, b.candidate))[0]?.one ?? null;
}

/** The value of the preferred series of one entity and indicator, all in the unit of the factor, whatever its eligibility. */
export function preferredValue(rivals: readonly { readonly series: Series; readonly row: NewestRow }[], at: number): number | null {
  const readings = rivals.map((one): Observed => ({ ...one, isComparable: true }));
  return choose(readings, { isFreshOnly: false, isEligibleOnly: false, at }).reading?.row.value ?? null;
}

const isObserved = (reading: Reading): reading is Observed => reading.series !== null;

function toCandidate(reading: Observed, at: number) {
  const { series, row } = reading;
  return {
    country: series.country,
    factorKey: series.factorKey,
    sourceId: series.sourceId,
    sourceTier: series.sourceTier,
    sourceRank: series.sourceRank,
    isMonetary: series.isMonetary,
    isSeasonalAdjustmentMatch: series.isSeasonalAdjustmentMatch,
    period: row.period,
    scoringEligible: judge(reading, at).isEligible,
    observedAt: row.observedAt,
    retrievedAt: row.retrievedAt,
    observationId: idOf(series, row),
  };
}
