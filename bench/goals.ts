// The goals of the service, one per row: its row of the table, and its limit.
import type { GroupName, MeasuredGroup, Report } from './figures.ts';
import { SIZES } from './sizes.ts';

export interface Goal {
  readonly group: GroupName;
  /** The rate of the group's first peer, or of `over`, divided by that of the named peer; a measure stays as it is. */
  readonly of: 'rate' | 'measure';
  /** The peer or the measure in whose row the goal is printed. */
  readonly beside: string;
  readonly connections?: number;
  readonly over?: string;
  readonly bound: 'at least' | 'at most';
  readonly limit: number;
  /** The smallest and the largest lake, in vintages, for the goal; all sizes by default. */
  readonly from?: number;
  readonly below?: number;
  /** What keeps asof from it, if it has been missed: where the time or the memory goes. */
  readonly limits?: string;
}

const rate = (group: GroupName, beside: string, limit: number, more: Partial<Goal> = {}): Goal => ({
  group,
  of: 'rate',
  beside,
  bound: 'at least',
  limit,
  ...more,
});

const measure = (group: GroupName, beside: string, limit: number, more: Partial<Goal> = {}): Goal => ({
  group,
  of: 'measure',
  beside,
  bound: 'at most',
  limit,
  ...more,
});

const POSTGRES = 'PostgreSQL, Express';
const LATERAL = 'PostgreSQL, lateral';
const MEDIUM = { from: SIZES.medium, below: SIZES.large };
const LARGE = { from: SIZES.large };
/** "Not growing" for four times the input, apart from noise of the collector; "bounded" during a publish, when two snapshots are open. */
const HELD = { memory: 1.25, memoryOverPublish: 2 };

/** Each result also has the rows of the query layer. */
const HTTP_OF_SCREENS = 'the exchange over HTTP, and calls of the engine: see the query layer alone in the result';

/** A value of a screen has ten fields: unit, period, time, observation, verdict and place among the others. */
const ROWS_OF_SCREENS = 'each value comes with its verdict and provenance, in 300 bytes; PostgreSQL sends the number';

// biome-ignore format: one line each
const GOALS: readonly Goal[] = [
  rate('hot', 'Express, dressed', 0.95, { limits: 'looking up the key and the ready answer takes 0.02 ms of processor time' }),
  rate('hot', 'Express, bare', 0.65),
  rate('cold', POSTGRES, 0.7, { connections: 1 }),
  rate('cold', POSTGRES, 1, { connections: 8 }),
  rate('as-of', POSTGRES, 0.7, { connections: 1 }),
  rate('as-of', POSTGRES, 1, { connections: 8 }),
  rate('as-of-warm', POSTGRES, 3, { limits: 'a page is 120 kB of JSON: Express sending it ready reaches 5 ×' }),
  rate('as-of-warm', 'Express, dressed', 0.6, { limits: 'a page is written for each request, because days seldom repeat' }),
  rate('narrow', 'asof, all columns', 3, { limits: 'the exchange over HTTP, which both pay' }),
  rate('narrow', 'PostgreSQL, four columns', 0.8, { limits: 'the exchange over HTTP: PostgreSQL is asked without it' }),
  rate('latest', POSTGRES, 3.5, { limits: 'the bytes of 200 rows: Express sending them ready reaches 5 ×' }),
  rate('screener', LATERAL, 2, { ...MEDIUM, limits: HTTP_OF_SCREENS }),
  rate('screener', LATERAL, 10, { ...LARGE, limits: HTTP_OF_SCREENS }),
  rate('screener', 'ClickHouse', 5),
  rate('screener-as-of', LATERAL, 3, { ...MEDIUM, limits: HTTP_OF_SCREENS }),
  rate('screener-as-of', LATERAL, 10, { ...LARGE, limits: HTTP_OF_SCREENS }),
  rate('screener-as-of', 'ClickHouse', 10, { limits: HTTP_OF_SCREENS }),
  rate('screener-as-of', 'asof, query layer with yoy,z3y,pct', 2, { over: 'asof, query layer', bound: 'at most', limits: 'three years of values are read for each series' }),
  measure('screener-as-of', 'p50 of a series at 100 M ÷ at 10 M', 3, LARGE),
  rate('screener-http', POSTGRES, 1.5, { from: SIZES.medium, limits: ROWS_OF_SCREENS }),
  measure('screener-http', 'a screen without matches ÷ one with matches: p50', 2),
  rate('screener-as-of-http', POSTGRES, 2, { ...MEDIUM, limits: ROWS_OF_SCREENS }),
  rate('screener-as-of-http', POSTGRES, 3, { ...LARGE, limits: ROWS_OF_SCREENS }),
  rate('bulk', 'DuckDB, COPY to Arrow', 0.7, { over: 'asof, Arrow' }),
  rate('bulk', 'DuckDB, Python, to Arrow', 0.7, { over: 'asof, Arrow', limits: 'each row becomes an object of JavaScript' }),
  rate('panel', 'PostgreSQL, lateral a day', 10, { from: SIZES.medium, limits: 'writing 26 columns takes two thirds of the time; PostgreSQL writes 14' }),
  measure('panel', 'time', 3, { limits: 'writing 26 columns takes two thirds of the time' }),
  measure('panel', 'memory above rest', 300, { limits: 'half are blocks of the snapshot, which the engine keeps for the next question' }),
  measure('panel', 'every=change: time', 0.3, { limits: 'the vintages of 400 series lie scattered: 4.6 M rows are scanned' }),
  measure('ingest', 'through DuckDB: rows/s ÷ those of DuckDB alone', 0.5, { bound: 'at least', limits: 'asof compares each value with the lake and judges it; DuckDB only copies' }),
  measure('ingest', 'through DuckDB: peak memory, larger ÷ small', HELD.memory),
  measure('ingest', 'through JavaScript: peak memory, larger ÷ small', HELD.memory, { limits: 'up to its 400 MB the engine takes more for more rows, and the archive holds the file' }),
  measure('rebuild', 'one new vintage: share of the whole', 10, { from: SIZES.medium }),
  measure('rebuild', 'one new vintage: files rewritten with the rows they had', 0),
  measure('rebuild', 'nothing new: time', 2, { limits: 'the files of the last snapshot, 650 MB, are hashed again: 1.8 s' }),
  measure('rebuild', 'nothing new: relations derived', 0),
  measure('start', 'time at 100 M ÷ at 1 M', 2, { limits: 'the catalogue and the newest prints of 40,000 series are read' }),
  measure('fair', 'longest hold of the event loop by one request', 50),
  measure('fair', 'look-ups beside a flood ÷ idle: p99', 5),
  measure('mixed', 'p99 ÷ p50', 10, { limits: 'screens wait for each other, and reads no longer wait for screens' }),
  measure('mixed', 'requests lost', 0),
  measure('mixed', 'answers of two snapshots', 0),
  measure('mixed', 'peak memory ÷ that before the publish', HELD.memoryOverPublish),
];

/** The outcome of a goal in a group, in a few words; null if it does not cover a lake of that size. */
export function judge(goal: Goal, group: MeasuredGroup, vintages: number): string | null {
  if (!isOfSize(goal, vintages)) return null;
  const value = worstOf(goal, group);
  if (value === null) return `${boundOf(goal)}: absent`;
  return `${boundOf(goal)}: ${isMet(goal, value) ? 'met' : `missed by ${missBy(goal, value)}`}`;
}

export interface Outcome {
  /** The row that asof is compared with, or the measure. */
  readonly of: string;
  readonly value: string;
  readonly unit: string;
  readonly bound: string;
  readonly isMet: boolean;
  readonly limits: string | null;
}

/** The outcome of each goal of a group that was measured at this size. */
export function outcomes(group: MeasuredGroup, vintages: number): readonly Outcome[] {
  return GOALS.flatMap((goal) => {
    if (goal.group !== group.key || !isOfSize(goal, vintages)) return [];
    const value = worstOf(goal, group);
    if (value === null) return [];
    return [
      {
        of: rowOf(goal),
        value: Number.isNaN(value) ? 'none' : String(Number(value.toPrecision(3))),
        unit: unitOf(goal, group),
        bound: boundOf(goal),
        isMet: isMet(goal, value),
        limits: goal.limits ?? null,
      },
    ];
  });
}

function rowOf({ over, beside, connections }: Goal): string {
  const peers = over === undefined ? beside : `${over} ÷ ${beside}`;
  return connections === undefined ? peers : `${peers}, ${connections} connection${connections === 1 ? '' : 's'}`;
}

/** With a space before it; empty for a number without a unit. */
function unitOf({ of, beside }: Goal, { measures = [] }: MeasuredGroup): string {
  const unit = of === 'rate' ? '×' : (measures.find(({ name }) => name === beside)?.unit ?? '');
  return unit === '' ? '' : ` ${unit}`;
}

/** The goals of a row of the table, judged. */
export function judged(report: Report, group: MeasuredGroup, of: Goal['of'], beside: string, connections?: number): string {
  return GOALS.filter((goal) => goal.group === group.key && goal.of === of && goal.beside === beside)
    .filter((goal) => goal.connections === undefined || connections === undefined || goal.connections === connections)
    .flatMap((goal) => judge({ ...goal, ...(connections === undefined ? {} : { connections }) }, group, report.vintages) ?? [])
    .join('; ');
}

/** Rows with a goal that were not measured. */
export function absentRows(report: Report, group: MeasuredGroup, of: Goal['of']): readonly string[] {
  const there: readonly string[] = of === 'rate' ? group.figures.map(({ peer }) => peer) : (group.measures ?? []).map(({ name }) => name);
  const named = GOALS.filter((goal) => goal.group === group.key && goal.of === of && judge(goal, group, report.vintages) !== null);
  return [...new Set([...named.map(({ beside }) => beside), ...(of === 'rate' ? (group.absent ?? []) : [])])].filter(
    (name) => !there.includes(name),
  );
}

function valuesOf(goal: Goal, group: MeasuredGroup): readonly number[] {
  if (goal.of === 'measure') return (group.measures ?? []).flatMap(({ name, value }) => (name === goal.beside ? [value] : []));
  return group.figures
    .filter(({ peer, connections }) => peer === goal.beside && (goal.connections ?? connections) === connections)
    .flatMap((theirs) => {
      const ours = group.figures.find(
        ({ peer, connections }) => connections === theirs.connections && (goal.over === undefined || peer === goal.over),
      );
      return ours === undefined ? [] : [ours.perSecond / theirs.perSecond];
    });
}

const isOfSize = ({ from = 0, below = Number.POSITIVE_INFINITY }: Goal, vintages: number): boolean => vintages >= from && vintages < below;

/** With several connections the worst one counts. Null if it was not measured. */
function worstOf(goal: Goal, group: MeasuredGroup): number | null {
  const found = valuesOf(goal, group);
  if (found.length === 0) return null;
  return goal.bound === 'at least' ? Math.min(...found) : Math.max(...found);
}

const boundOf = ({ bound, limit }: Goal): string => `${bound === 'at least' ? '≥' : '≤'} ${limit}`;

const isMet = ({ bound, limit }: Goal, value: number): boolean => (bound === 'at least' ? value >= limit : value <= limit);

/** In percent of the limit; the plain value if the limit is zero. */
function missBy({ limit }: Goal, value: number): string {
  if (Number.isNaN(value)) return 'an unknown amount';
  const miss = Math.abs(value - limit);
  return limit === 0 ? String(Number(miss.toPrecision(3))) : `${Math.max(1, Math.round((100 * miss) / limit))} %`;
}
