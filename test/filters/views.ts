// What the contract says of knowledge and reference time, in the words of the test: from all vintages to those that a question means.
import { type FilterService, type Row } from './lake.ts';

/** One vintage of one period. */
export interface Known {
  readonly id: string;
  readonly series: string;
  readonly periodEnd: string;
  readonly observedAt: string;
  readonly value: number | null;
  /** From 1 on, among the prints of its period. */
  readonly print: number;
  /** Of a period that has no first print. */
  readonly isBackfill: boolean;
  readonly row: Row;
}

/** Bounds are inclusive; absent is none. */
export interface View {
  readonly asOf?: string;
  readonly observedFrom?: string;
  readonly observedTo?: string;
  readonly periodFrom?: string;
  readonly periodTo?: string;
  readonly vintage?: 'latest' | 'first' | 'all';
  readonly print?: number;
  readonly isNumericOnly?: boolean;
  readonly areBackfillsIn?: boolean;
  /** Only `seen` of a list with assumed vintages has them. */
  readonly areAssumedIn?: boolean;
}

/** What was not known, and is assumed to have been. */
export const isAssumed = (row: Row) => String(row['vintage']).startsWith('assumed:');

export function known(
  rows: readonly Row[],
  names: { readonly id: string; readonly entity: string; readonly value: string },
): readonly Known[] {
  const stated = rows.map((row) => ({
    id: String(row[names.id]),
    series: JSON.stringify([row['sourceId'], row['indicatorId'], row[names.entity], row['frequency']]),
    periodEnd: String(row['periodEnd']).slice(0, 10),
    observedAt: String(row['observedAt']),
    value: row[names.value] as number | null,
    row,
  }));
  const assumed = stated.filter(({ row }) => isAssumed(row)).map((one) => ({ ...one, print: 0, isBackfill: true }));
  const real = stated.filter(({ row }) => !isAssumed(row));
  const counted = grouped(real, (one) => one.series).flatMap((series) => {
    const begun = series.map((one) => one.observedAt).toSorted(order)[0];
    const ofFirst = series.filter((one) => one.observedAt === begun).map((one) => one.periodEnd);
    const newestOfFirst = ofFirst.toSorted(order).at(-1);
    return grouped(series, (one) => one.periodEnd).flatMap((group) => {
      const byTime = group.toSorted((a, b) => order(a.observedAt, b.observedAt));
      const [first] = byTime;
      const days = daysBetween(first?.periodEnd ?? '', first?.observedAt.slice(0, 10) ?? '');
      const isLate = days > (SPANS[String(first?.row['frequency'])] ?? Number.POSITIVE_INFINITY);
      const isWithFirst = first?.observedAt === begun && first?.periodEnd !== newestOfFirst;
      const isBackfill = isLate || isWithFirst || JSON.stringify(first?.row['vintage'] ?? '').startsWith('"pseudo:');
      return byTime.map((one, index) => ({ ...one, print: index + 1, isBackfill }));
    });
  });
  return [...counted, ...assumed];
}

/** Days after its end within which a period has a first print. */
const SPANS: Readonly<Record<string, number>> = { daily: 30, weekly: 90, monthly: 129, quarterly: 299, annual: 999, event: 90 };
const daysBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000;

/** Of each period of each series the vintage that the view means, or all of them. */
export function seen(all: readonly Known[], view: View): readonly Known[] {
  const until = [view.asOf, view.observedTo].filter((one) => one !== undefined).sort()[0];
  const isCounting = view.print !== undefined || view.vintage === 'first';
  const between = all.filter(
    (one) =>
      // No count of prints has an assumed one.
      (!isAssumed(one.row) || (view.areAssumedIn === true && !isCounting)) &&
      (until === undefined || one.observedAt <= until) &&
      (view.observedFrom === undefined || one.observedAt >= view.observedFrom) &&
      (view.periodFrom === undefined || one.periodEnd >= view.periodFrom) &&
      (view.periodTo === undefined || one.periodEnd <= view.periodTo),
  );
  const chosen = grouped(between, (one) => `${one.series} ${one.periodEnd}`).flatMap((group) => {
    const byTime = group.toSorted((a, b) => order(a.observedAt, b.observedAt));
    if (isCounting && view.areBackfillsIn !== true && byTime[0]?.isBackfill === true) return [];
    if (view.print !== undefined) return byTime.filter((one) => one.print === view.print);
    if (view.vintage === 'all') return byTime;
    return byTime.slice(view.vintage === 'first' ? 0 : -1).slice(0, 1);
  });
  return view.isNumericOnly === true ? chosen.filter((one) => one.value !== null) : chosen;
}

/** Of each series the newest period that has a value. */
export function newest(chosen: readonly Known[]): readonly Known[] {
  return grouped(
    chosen.filter((one) => one.value !== null),
    (one) => one.series,
  ).flatMap((group) => group.toSorted((a, b) => order(b.periodEnd, a.periodEnd) || order(b.observedAt, a.observedAt)).slice(0, 1));
}

export function grouped<Value>(values: readonly Value[], keyOf: (value: Value) => string): readonly (readonly Value[])[] {
  const groups = new Map<string, Value[]>();
  for (const value of values) groups.set(keyOf(value), [...(groups.get(keyOf(value)) ?? []), value]);
  return [...groups.values()];
}

export function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** What the catalogue says of each series, by source, storage id and frequency. */
export async function catalogueOf(service: FilterService): Promise<(row: Row) => Row> {
  const entries = await service.rows('/indicators?limit=500');
  const keyOf = (row: Row) => JSON.stringify([row['sourceId'], row['indicatorId'], row['frequency']]);
  const byKey = new Map(entries.map((entry) => [keyOf(entry), entry]));
  return (row) => {
    const entry = byKey.get(keyOf(row));
    if (entry === undefined) throw new Error(`no series of ${keyOf(row)}`);
    return entry;
  };
}
