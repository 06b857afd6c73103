// FRED-MD: one CSV per vintage, each from 2019 up to the month before its own, with revisions from vintage to vintage. The oldest are five vintages
// of 2020: they have a crisis whose first prints were far off, and two last columns that had ended before.
import { chance, type Course, crisisAt, noise, rounded, valueAt } from './invent.ts';
import { monthAfter, months, monthsSince2020, SAMPLE_FOLDER, type SampleFile, yesterdayOf } from './days.ts';

const VINTAGES = 14;
const FIRST_MONTH = '2019-01';
const EARLY_VINTAGES = ['2020-02', '2020-03', '2020-04', '2020-05', '2020-06'];
const EARLY_MONTHS = 30;

interface Column extends Course {
  readonly name: string;
  /** Transformation code of the second line. */
  readonly code: number;
  readonly decimals: number;
  /** Size of a revision, as a share of the level; 0 for a column without revisions. */
  readonly revision: number;
  /** Part of the crisis that the first print of a month did not see; later prints see more of it. */
  readonly unseen?: number;
  /** Size of the yearly benchmark, as a share of the level: it moves the level from a year before it on, for good. */
  readonly benchmark?: number;
  /** The number of months by which the column ends before the others. */
  readonly lag?: number;
  /** `YYYY-MM`, of a collection that ended. */
  readonly lastMonth?: string;
}

// biome-ignore format: one line each
const COLUMNS: readonly Column[] = [
  { name: 'RPI', code: 5, base: 17_500, growth: 0.02, swing: 0.01, jitter: 0.002, crisis: -0.04, decimals: 3, revision: 0.002 },
  { name: 'DPCERA3M086SBEA', code: 5, base: 108, growth: 0.02, swing: 0.01, jitter: 0.002, crisis: 0.14, decimals: 3, revision: 0.001 },
  { name: 'CMRMTSPLx', code: 5, base: 1_480_000, growth: 0.015, swing: 0.02, jitter: 0.004, crisis: 0.13, decimals: 4, revision: 0.002, lag: 1 },
  { name: 'RETAILx', code: 5, base: 560_000, growth: 0.04, swing: 0.02, jitter: 0.005, crisis: 0.17, decimals: 0, revision: 0.004, unseen: -0.06 },
  { name: 'INDPRO', code: 5, base: 101, growth: 0.006, swing: 0.03, jitter: 0.003, crisis: 0.16, decimals: 4, revision: 0.003, unseen: 0.12 },
  { name: 'IPCONGD', code: 5, base: 100, growth: 0.003, swing: 0.02, jitter: 0.004, crisis: 0.12, decimals: 4, revision: 0.003 },
  { name: 'CUMFNS', code: 2, base: 77, swing: 0.03, jitter: 0.003, crisis: 0.18, decimals: 4, revision: 0.002 },
  { name: 'CLF16OV', code: 5, base: 164_000, growth: 0.007, swing: 0.003, jitter: 0.001, crisis: 0.04, decimals: 0, revision: 0 },
  { name: 'CE16OV', code: 5, base: 157_000, growth: 0.007, swing: 0.004, jitter: 0.001, crisis: 0.13, decimals: 0, revision: 0 },
  { name: 'UNRATE', code: 2, base: 4.4, swing: 0.18, jitter: 0.02, crisis: -1.9, decimals: 1, revision: 0 },
  { name: 'CLAIMSx', code: 5, base: 235_000, swing: 0.12, jitter: 0.03, crisis: -6, decimals: 0, revision: 0.003 },
  { name: 'PAYEMS', code: 5, base: 151_000, growth: 0.011, swing: 0.004, jitter: 0.0004, crisis: 0.125, decimals: 0, revision: 0.0004, unseen: 0.035, benchmark: 0.006 },
  { name: 'USCONS', code: 5, base: 7_500, growth: 0.018, swing: 0.01, jitter: 0.002, crisis: 0.12, decimals: 0, revision: 0.001 },
  { name: 'MANEMP', code: 5, base: 12_750, growth: 0.001, swing: 0.01, jitter: 0.001, crisis: 0.1, decimals: 0, revision: 0.001 },
  { name: 'USGOVT', code: 5, base: 22_700, growth: 0.007, swing: 0.004, jitter: 0.001, crisis: 0.04, decimals: 0, revision: 0.0005 },
  { name: 'AWHMAN', code: 1, base: 41.2, swing: 0.008, jitter: 0.004, decimals: 1, revision: 0 },
  { name: 'HOUST', code: 4, base: 1_420, growth: 0.005, swing: 0.1, jitter: 0.04, crisis: 0.28, decimals: 0, revision: 0.02 },
  { name: 'PERMIT', code: 4, base: 1_460, growth: 0.005, swing: 0.09, jitter: 0.025, crisis: 0.22, decimals: 0, revision: 0.01 },
  { name: 'AMDMNOx', code: 5, base: 245_000, growth: 0.025, swing: 0.03, jitter: 0.02, crisis: 0.22, decimals: 0, revision: 0.008 },
  { name: 'BUSINVx', code: 5, base: 2_050_000, growth: 0.03, swing: 0.02, jitter: 0.002, decimals: 0, revision: 0.002, lag: 1 },
  { name: 'M1SL', code: 6, base: 16_500, growth: 0.02, swing: 0.02, jitter: 0.002, decimals: 1, revision: 0.001 },
  { name: 'M2SL', code: 6, base: 18_800, growth: 0.03, swing: 0.015, jitter: 0.001, decimals: 1, revision: 0.001 },
  { name: 'BUSLOANS', code: 6, base: 2_550, growth: 0.025, swing: 0.03, jitter: 0.003, decimals: 4, revision: 0.001 },
  { name: 'FEDFUNDS', code: 2, base: 3.2, swing: 0.5, decimals: 2, revision: 0 },
  { name: 'TB3MS', code: 2, base: 3.1, swing: 0.5, jitter: 0.01, decimals: 2, revision: 0 },
  { name: 'GS1', code: 2, base: 3.3, swing: 0.4, jitter: 0.02, decimals: 2, revision: 0 },
  { name: 'GS10', code: 2, base: 3.7, swing: 0.25, jitter: 0.02, decimals: 2, revision: 0 },
  { name: 'BAA', code: 2, base: 5.6, swing: 0.15, jitter: 0.02, decimals: 2, revision: 0 },
  { name: 'WPSFD49207', code: 6, base: 205, growth: 0.025, swing: 0.02, jitter: 0.003, decimals: 3, revision: 0.001 },
  { name: 'OILPRICEx', code: 6, base: 71, swing: 0.2, jitter: 0.05, crisis: 0.55, decimals: 4, revision: 0 },
  { name: 'CPIAUCSL', code: 6, base: 262, growth: 0.028, swing: 0.006, jitter: 0.0006, decimals: 3, revision: 0.0004 },
  { name: 'PCEPI', code: 6, base: 106, growth: 0.025, swing: 0.005, jitter: 0.0005, decimals: 3, revision: 0.0006 },
  { name: 'UMCSENTx', code: 2, base: 78, swing: 0.12, jitter: 0.04, crisis: 0.2, decimals: 1, revision: 0, lag: 1 },
  { name: 'TWEXAFEGSMTHx', code: 5, base: 109, swing: 0.05, jitter: 0.005, decimals: 4, revision: 0 },
];

/** Columns that later vintages no longer have, with the last month of each. The dollar index has a successor among those above. */
const ENDED: readonly Column[] = [
  { name: 'AMBSL', code: 6, base: 3_400, swing: 0.03, jitter: 0.004, decimals: 3, revision: 0.001, lastMonth: '2019-12' },
  { name: 'TWEXMMTH', code: 5, base: 92, swing: 0.05, jitter: 0.005, decimals: 4, revision: 0, lastMonth: '2019-12' },
];

/** The publisher's errors: a cell a thousand times too large, corrected by the next vintage, and cells emptied some months after their first print. */
const SLIP = { column: 'CLAIMSx', month: '2019-06', vintage: '2020-03', factor: 1000 };
/** Vintages of this month have the column in millions, not billions: its values wait for a decision. */
const OTHER_UNIT = { column: 'M1SL', month: '-07', factor: 1000 };
const WITHDRAWN = { column: 'IPCONGD', month: '-03', age: 5 };

export function* fredMdFiles(now: number): Generator<SampleFile> {
  const thisMonth = new Date(now).toISOString().slice(0, 7);
  // On the first of a month the vintage of the month before is complete since midnight.
  const newest = monthAfter(thisMonth, -1);
  for (const vintage of EARLY_VINTAGES) {
    yield { path: `${SAMPLE_FOLDER}fred-md/${vintage}.csv`, body: vintageFile(vintage, [...COLUMNS, ...ENDED], EARLY_MONTHS) };
  }
  for (const vintage of months(newest <= yesterdayOf(now).slice(0, 7) ? newest : monthAfter(newest, -1), VINTAGES)) {
    const columns = vintage.endsWith(OTHER_UNIT.month) ? COLUMNS.map(inOtherUnit) : COLUMNS;
    yield { path: `${SAMPLE_FOLDER}fred-md/${vintage}.csv`, body: vintageFile(vintage, columns, monthsSince(FIRST_MONTH, vintage)) };
  }
}

const inOtherUnit = (column: Column): Column =>
  column.name === OTHER_UNIT.column ? { ...column, base: column.base * OTHER_UNIT.factor } : column;

function vintageFile(vintage: string, columns: readonly Column[], count: number): string {
  const lines = [
    `sasdate,${columns.map((column) => column.name).join(',')}`,
    `Transform:,${columns.map((column) => column.code).join(',')}`,
  ];
  for (const month of months(monthAfter(vintage, -1), count)) {
    const label = `${Number(month.slice(5))}/1/${month.slice(0, 4)}`;
    lines.push(`${label},${columns.map((column) => cell(column, month, vintage)).join(',')}`);
  }
  // The publisher's files end in rows of commas.
  lines.push(','.repeat(columns.length), ','.repeat(columns.length));
  return `${lines.join('\n')}\n`;
}

function cell(column: Column, month: string, vintage: string): string {
  if (month > monthAfter(vintage, -1 - (column.lag ?? 0)) || month > (column.lastMonth ?? month)) return '';
  const isWithdrawn = column.name === WITHDRAWN.column && month.endsWith(WITHDRAWN.month) && month <= monthAfter(vintage, -WITHDRAWN.age);
  if (isWithdrawn) return '';
  const isSlip = column.name === SLIP.column && month === SLIP.month && vintage === SLIP.vintage;
  const value = valueAt(`fred_md ${column.name}`, monthsSince2020(`${month}-01`), column) * (isSlip ? SLIP.factor : 1);
  const error =
    column.revision * errorOf(column.name, month, vintage) + unseenIn(column, month, vintage) - pendingIn(column, month, vintage);
  return String(rounded(value * (1 + error), column.decimals));
}

/** The part of the level that a print had too much, because it did not see the whole crisis. */
function unseenIn({ crisis = 0, unseen = 0 }: Column, month: string, vintage: string): number {
  const age = monthsSince(month, vintage);
  return age > 3 || unseen === 0 ? 0 : (crisis * unseen * crisisAt(monthsSince2020(`${month}-01`))) / age ** 1.5;
}

/** What a column is about, without errors of its prints. @param month `YYYY-MM` */
export function levelAt(name: string, month: string, hasCrisis: boolean): number {
  const column = COLUMNS.find((one) => one.name === name);
  if (column === undefined) throw new Error(`${name} is no column of FRED-MD here`);
  return valueAt(`fred_md ${name}`, monthsSince2020(`${month}-01`), hasCrisis ? column : { ...column, crisis: 0 });
}

/** What benchmarks still to come will add to a month: nothing two years before them, all of it from one year before. */
function pendingIn({ name, benchmark = 0 }: Column, month: string, vintage: string): number {
  if (benchmark === 0) return 0;
  const at = monthsSince2020(`${month}-01`);
  const next = Math.floor((monthsSince2020(`${vintage}-01`) - 1) / 12) + 1;
  return Array.from({ length: 3 }, (_, index) => next + index).reduce((sum, year) => {
    // A benchmark of February knows the months up to March of the year before.
    const reached = Math.min(1, Math.max(0, (at - (12 * year - 22)) / 12));
    return sum + benchmark * reached * (chance(name, 'benchmark', year) < 0.5 ? -1 : 1);
  }, 0);
}

const monthsSince = (month: string, vintage: string): number => monthsSince2020(`${vintage}-01`) - monthsSince2020(`${month}-01`);

/** First, second and third print, then the value until the yearly benchmark of each February, which reaches back five years. */
function errorOf(name: string, month: string, vintage: string): number {
  const age = monthsSince(month, vintage);
  const print = Math.min(age, 3);
  const benchmark = Math.floor((monthsSince2020(`${vintage}-01`) - 1) / 12);
  const benchmarked = age > 3 && age < 60 ? noise(name, month, 'benchmark', benchmark) : 0;
  return noise(name, month, 'print', print) / print + 0.3 * benchmarked;
}
