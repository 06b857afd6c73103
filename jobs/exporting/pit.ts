// Files of Qlib's point-in-time store. `<field>.data` has a record per change: day, period, value, and the place of the period's next
// record. `<field>.index` has the first year, and the place of each period's first record.

import { groupBy } from '../../src/model/catalogue.ts';

export interface Change {
  /** YYYY-MM-DD. */
  readonly day: string;
  /** 2020, or 202003 for the third quarter. */
  readonly period: number;
  /** NaN: no longer known. */
  readonly value: number;
}

export type Kind = 'q' | 'a';

/** Of a period during the days [fromDay, toDay). Of two on a day, the later one in the list counts. */
export interface Span {
  readonly period: number;
  readonly fromDay: string;
  readonly toDay: string;
  readonly value: number;
}

/** The changes of a field up to `lastDay`, by day and period. The spans come by period. */
export function changesOf(spans: readonly Span[], lastDay: string): readonly Change[] {
  const periods = groupBy(spans, ({ period }) => String(period));
  const changes = [...periods].flatMap(([period, own]) => changesOfPeriod(Number(period), own, lastDay));
  return changes.toSorted((a, b) => (a.day === b.day ? a.period - b.period : a.day < b.day ? -1 : 1));
}

function changesOfPeriod(period: number, spans: readonly Span[], lastDay: string): Change[] {
  const days = [...new Set(spans.flatMap(({ fromDay, toDay }) => [fromDay, toDay]))].filter((day) => day <= lastDay).toSorted();
  const changes: Change[] = [];
  for (const day of days) {
    const value = spans.findLast(({ fromDay, toDay }) => fromDay <= day && day < toDay)?.value ?? Number.NaN;
    if (!Object.is(value, changes.at(-1)?.value ?? Number.NaN)) changes.push({ day, period, value });
  }
  return changes;
}

const RECORD_BYTES = 20;
const PLACE_BYTES = 4;
const NOWHERE = 0xff_ff_ff_ff;

/** The two files of a field. */
export function pitFiles(changes: readonly Change[], kind: Kind): { readonly data: Buffer; readonly index: Buffer } {
  const data = Buffer.alloc(changes.length * RECORD_BYTES);
  const places = placesOf(
    changes.map(({ period }) => period),
    kind,
  );
  const index = Buffer.alloc((1 + places.count) * PLACE_BYTES, 0xff);
  index.writeUInt32LE(places.firstYear, 0);
  /** The place of the link to the next record, by period. */
  const links = new Map<number, number>();
  for (const [number, { day, period, value }] of changes.entries()) {
    const at = number * RECORD_BYTES;
    data.writeUInt32LE(Number(day.replaceAll('-', '')), at);
    data.writeUInt32LE(period, at + 4);
    data.writeDoubleLE(value, at + 8);
    data.writeUInt32LE(NOWHERE, at + 16);
    const link = links.get(period);
    if (link === undefined) index.writeUInt32LE(at, (1 + places.of(period)) * PLACE_BYTES);
    else data.writeUInt32LE(at, link);
    links.set(period, at + 16);
  }
  return { data, index };
}

function placesOf(periods: readonly number[], kind: Kind) {
  const yearOf = (period: number) => (kind === 'a' ? period : Math.floor(period / 100));
  const [first, last] = [periods.reduce((a, b) => Math.min(a, b)), periods.reduce((a, b) => Math.max(a, b))];
  const firstYear = yearOf(first);
  const of = (period: number) => (kind === 'a' ? period - firstYear : (yearOf(period) - firstYear) * 4 + (period % 100) - 1);
  return { firstYear, count: of(last) + 1, of };
}
