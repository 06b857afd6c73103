// What the entities of a screen have of its fields: the states of series and the figures of companies that were known at a cutoff, judged, and the one to use of several.
import { z } from 'zod';
import { defineQuery, run } from '../db/query.ts';
import type { Series } from '../model/catalogue.ts';
import type { FieldRef, Modifier } from '../model/screener-dsl.ts';
import { comparePreference, type FreshnessStatus, freshnessOf, isCadenceComparable, rowReasons, type SourceTier } from '../model/trust.ts';
import { idOf, latestInMemory, seriesOf } from './observations.ts';
import { type Figure, type Figures, type Looked, readFigures } from './screener-figures.ts';
import type { Member } from './screener-universe.ts';
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
});
export type NewestRow = z.infer<typeof screenerStatesQuery.row>;

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
});
export type Statistics = z.infer<typeof screenerStatisticsQuery.row>;

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

export type Reading = Observed | Stated;

/** What one entity has of one field: the reading to use, or why there is none. */
export interface Held {
  readonly reading: Reading | null;
  readonly isIneligible: boolean;
}

/** Which values count. */
export interface Chosen extends Looked {
  readonly isFreshOnly: boolean;
  readonly isEligibleOnly: boolean;
}

/** What is known of the fields of a screen. */
export interface Known extends Figures {
  readonly rows: readonly NewestRow[];
  /** What the newest values are compared with, by series. */
  readonly statistics: ReadonlyMap<number, Statistics>;
}

export async function readFields(snapshot: Snapshot, asked: Looked, refs: readonly FieldRef[]): Promise<Known> {
  const others = refs.map((ref) => ref.field).filter((field) => !snapshot.catalogue.byCanonicalId.has(field));
  const [rows, statistics, figures] = await Promise.all([
    readStates(
      snapshot,
      asked,
      refs.map((ref) => ref.field),
    ),
    readStatistics(snapshot, asked, refs),
    readFigures(snapshot, asked, others),
  ]);
  return { rows, statistics, ...figures };
}

const COMPARED: ReadonlySet<Modifier | null> = new Set(['prev', 'chg1', 'chg12', 'yoy', 'z3y']);

const IN_FORCE = {
  observedFrom: null,
  observedTo: null,
  periodTo: null,
  vintage: 'latest',
  releaseNumber: null,
  numericOnly: false,
} as const;
const ALL = { sort: 'period_end', order: 'desc', after: null, limit: Number.MAX_SAFE_INTEGER } as const;

/** The newest value of each series of some indicators, by canonical identifier, in no order. */
export async function readStates(snapshot: Snapshot, asked: Looked, indicators: readonly string[]): Promise<readonly NewestRow[]> {
  const bound = readOf(snapshot, asked, indicators);
  if (bound.indicatorNos.length === 0) return [];
  const series = [...new Set(indicators)].flatMap((field) => snapshot.catalogue.byCanonicalId.get(field) ?? []);
  const cut = await latestInMemory(snapshot, series, { ...IN_FORCE, asOf: asked.asOf, periodFrom: asked.historyFrom }, ALL, null);
  if (cut === null) return run(snapshot, screenerStatesQuery, bound);
  return cut.rows.flatMap((row) => (row.value === null ? [] : [{ ...row, value: row.value }]));
}

async function readStatistics(snapshot: Snapshot, asked: Looked, refs: readonly FieldRef[]): Promise<ReadonlyMap<number, Statistics>> {
  const bound = readOf(
    snapshot,
    asked,
    refs.filter((ref) => COMPARED.has(ref.modifier)).map((ref) => ref.field),
  );
  const rows = bound.indicatorNos.length === 0 ? [] : await run(snapshot, screenerStatisticsQuery, bound);
  return new Map(rows.map((row) => [row.seriesNo, row]));
}

/** An indicator goes by the number of its first series there; the last calendar year is that of the snapshot, whatever was learned after it. */
function readOf({ catalogue, knowledgeCutoff }: Snapshot, { asOf, historyFrom }: Looked, indicators: readonly string[]) {
  const firsts = [...new Set(indicators)].map((field) => catalogue.byCanonicalId.get(field)?.[0]?.seriesNo);
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

const CROSS_COUNTRY: ReadonlySet<string> = new Set(['country', 'currency_area', 'region']);

/** Series that a public screen may use: redistributable, and between countries of a cadence that can be compared. */
export function isScreened(series: Series): boolean {
  return series.rights.redistributable && (!CROSS_COUNTRY.has(series.entityType) || isCadenceComparable(series.frequency));
}

/** By field, then entity. */
export type Readings = ReadonlyMap<string, ReadonlyMap<string, Held>>;

export function heldOf(snapshot: Snapshot, asked: Chosen, members: readonly Member[], { rows, figures }: Known): Readings {
  return new Map([...readingsOf(snapshot, asked, members, rows), ...statedOf(asked, figures)]);
}

function readingsOf({ catalogue }: Snapshot, asked: Chosen, members: readonly Member[], rows: readonly NewestRow[]): Readings {
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
function statedOf(asked: Chosen, figures: readonly Figure[]): Readings {
  const found = new Map<string, Map<string, Held>>();
  for (const { field, entityId, periodEnd, value, observedAt, ...judged } of figures) {
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

function choose(readings: readonly Reading[], { isFreshOnly, isEligibleOnly }: Pick<Chosen, 'isFreshOnly' | 'isEligibleOnly'>): Held {
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

export const isObserved = (reading: Reading): reading is Observed => reading.series !== null;

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
