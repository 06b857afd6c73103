// Main factors of eleven economies besides the United States. From the BIS: policy rates and consumer prices, as three of its downloads. From the
// OECD: unemployment and growth, as whole answers and the changes that later releases made.
import { lastDayOfMonth } from '../../src/model/period.ts';
import { monthAfter, months, monthsSince2020, SAMPLE_FOLDER, type SampleFile, yesterdayOf } from './days.ts';
import { noise, rounded, valueAt } from './invent.ts';

interface Economy {
  /** As the BIS writes it, code and name. */
  readonly area: string;
  readonly oecd: string;
  /** Percent in January 2020; a member of the euro area has no rate of its own. */
  readonly policyRate?: number;
  /** Of consumer prices in January 2020, with 100 in 2010, and their growth. */
  readonly prices: number;
  readonly inflation: number;
  readonly unemployment: number;
  /** Of real output. */
  readonly growth: number;
}

// biome-ignore format: one line each
const ECONOMIES: readonly Economy[] = [
  { area: 'AU:Australia', oecd: 'AUS', policyRate: 3.1, prices: 121, inflation: 0.029, unemployment: 4.3, growth: 0.024 },
  { area: 'CA:Canada', oecd: 'CAN', policyRate: 2.9, prices: 118, inflation: 0.025, unemployment: 6.1, growth: 0.019 },
  { area: 'DE:Germany', oecd: 'DEU', prices: 113, inflation: 0.026, unemployment: 3.4, growth: 0.008 },
  { area: 'ES:Spain', oecd: 'ESP', prices: 111, inflation: 0.024, unemployment: 12.2, growth: 0.019 },
  { area: 'FR:France', oecd: 'FRA', prices: 110, inflation: 0.02, unemployment: 7.5, growth: 0.011 },
  { area: 'GB:United Kingdom', oecd: 'GBR', policyRate: 3.6, prices: 121, inflation: 0.031, unemployment: 4.2, growth: 0.012 },
  { area: 'IT:Italy', oecd: 'ITA', prices: 111, inflation: 0.021, unemployment: 7.9, growth: 0.006 },
  { area: 'JP:Japan', oecd: 'JPN', policyRate: 0.5, prices: 105, inflation: 0.014, unemployment: 2.6, growth: 0.006 },
  { area: 'MX:Mexico', oecd: 'MEX', policyRate: 8.2, prices: 145, inflation: 0.047, unemployment: 3.2, growth: 0.015 },
  { area: 'SE:Sweden', oecd: 'SWE', policyRate: 2.2, prices: 113, inflation: 0.024, unemployment: 7.8, growth: 0.016 },
  { area: 'XM:Euro area', oecd: 'EA20', policyRate: 2.4, prices: 111, inflation: 0.022, unemployment: 6.8, growth: 0.011 },
];

export function* countriesFiles(now: number): Generator<SampleFile> {
  const until = yesterdayOf(now);
  yield* bisFiles(until);
  yield* oecdFiles(UNEMPLOYMENT, until, UNEMPLOYMENT_HEADER, unemploymentRow);
  yield* oecdFiles(GROWTH, until, GROWTH_HEADER, growthRows);
}

const courseOf = (name: string, { area }: Economy, month: string, course: Parameters<typeof valueAt>[2]): number =>
  valueAt(`${name} ${area}`, monthsSince2020(`${month}-01`), course);

// --- BIS: one row per series, one column per month, known at the end of the month that names the folder

const DOWNLOADS = 13;
const BIS_MONTHS = 27;

function* bisFiles(until: string): Generator<SampleFile> {
  const thisMonth = until.slice(0, 7);
  const newest = lastDayOfMonth(thisMonth) <= until ? thisMonth : monthAfter(thisMonth, -1);
  for (const folder of months(newest, DOWNLOADS)) {
    const columns = months(monthAfter(folder, -1), BIS_MONTHS);
    const path = `${SAMPLE_FOLDER}bis/${folder}`;
    yield { path: `${path}/WS_CBPOL_M_csv_col.csv`, body: policyRates(columns) };
    yield { path: `${path}/WS_LONG_CPI_csv_col.csv`, body: consumerPrices(columns) };
  }
}

const table = (rows: readonly (readonly string[])[]): string =>
  `${rows.map((cells) => cells.map((cell) => (cell === '' ? '' : `"${cell}"`)).join(',')).join('\n')}\n`;

// biome-ignore format: as in the file
const POLICY_COLUMNS = ['Frequency', 'Reference area', 'Time Format', 'Compilation', 'Decimals', 'Publication Source', 'Supplemental information and breaks', 'Title', 'Time Period'];

function policyRates(columns: readonly string[]): string {
  const rows = ECONOMIES.flatMap((economy) => {
    const { area, policyRate } = economy;
    if (policyRate === undefined) return [];
    const [code = '', name = ''] = area.split(':');
    const title = ` Central bank policy rates - ${name} - Monthly - End of period`;
    // A rate moves in quarters of a percent.
    const rates = columns.map((month) =>
      String(Math.max(0, Math.round(4 * courseOf('policy rate', economy, month, { base: policyRate, swing: 0.5 })) / 4)),
    );
    return [['M:Monthly', area, '', 'SAMPLE DATA, generated, not real', '4:Four', '', '', title, `M:${code}`, ...rates]];
  });
  return table([[...POLICY_COLUMNS, ...columns], ...rows]);
}

// biome-ignore format: as in the file
const PRICE_COLUMNS = ['Frequency', 'Reference area', 'Unit of measure', 'Time Format', 'Breaks', 'Coverage', 'Decimals', 'Title (tseries level)', 'Time Period'];

/** The newest month is a flash estimate. */
function consumerPrices(columns: readonly string[]): string {
  const rows = ECONOMIES.map((economy) => {
    const { area, prices, inflation } = economy;
    const indices = columns.map((month, index) => {
      const final = courseOf('prices', economy, month, { base: prices, growth: inflation, swing: 0.008, jitter: 0.0008 });
      const isFlash = index === columns.length - 1;
      return String(rounded(final * (isFlash ? 1 + 0.0015 * noise('flash', area, month) : 1), 6));
    });
    return ['M:Monthly', area, '628:Index, 2010 = 100', '', '', '', '', '', `M:${area.slice(0, 2)}:628`, ...indices];
  });
  return table([[...PRICE_COLUMNS, ...columns], ...rows]);
}

// --- OECD: the first release has all periods, each later one the new period and its revisions

const PERIODS = { month: 24, quarter: 12 };
/** Periods that a release states again. */
const REVISED = 2;

interface Release {
  /** Month of the release, `YYYY-MM`. */
  readonly month: string;
  readonly at: string;
  /** Newest period, by its first month. */
  readonly newest: string;
  readonly monthsApart: 1 | 3;
}

interface Calendar {
  readonly flow: string;
  /** Of the month in which a release comes. */
  readonly day: string;
  readonly monthsApart: 1 | 3;
  /** How many of them there are. */
  readonly releases: number;
  /** The newest period of a month's release by its first month; null for a month without a release. */
  readonly newestOf: (month: string) => string | null;
}

const UNEMPLOYMENT: Calendar = {
  flow: 'DF_IALFS_UNE_M',
  day: '10',
  monthsApart: 1,
  releases: 13,
  newestOf: (month) => monthAfter(month, -2),
};
const GROWTH: Calendar = { flow: 'DF_QNA_EXPENDITURE_GROWTH_OECD', day: '20', monthsApart: 3, releases: 5, newestOf: quarterOfRelease };

/** The newest releases up to a day. */
function releasesOf({ day, monthsApart, releases, newestOf }: Calendar, until: string): Release[] {
  const found = months(until.slice(0, 7), 3 * releases).flatMap((month): Release[] => {
    const newest = newestOf(month);
    return newest === null || `${month}-${day}` > until ? [] : [{ month, at: `${month}-${day}T10-00-00.000Z`, newest, monthsApart }];
  });
  return found.slice(-releases);
}

/** A quarter is first stated in the second month after it, and again in the third. */
function quarterOfRelease(month: string): string | null {
  const place = (Number(month.slice(5)) - 1) % 3;
  return place === 0 ? null : monthAfter(month, -place - 3);
}

function* oecdFiles(
  calendar: Calendar,
  until: string,
  header: string,
  rowsOf: (economy: Economy, period: string, release: Release) => readonly string[],
): Generator<SampleFile> {
  const releases = releasesOf(calendar, until);
  for (const [index, release] of releases.entries()) {
    const before = releases[index - 1];
    const { monthsApart, newest } = release;
    const count = before === undefined ? PERIODS[monthsApart === 1 ? 'month' : 'quarter'] : 1 + REVISED;
    const periods = Array.from({ length: count }, (_, place) => monthAfter(newest, -monthsApart * (count - 1 - place)));
    const lines = ECONOMIES.flatMap((economy) => periods.flatMap((period) => rowsOf(economy, period, release)));
    const since = before === undefined ? '' : `.since-${before.at}`;
    yield { path: `${SAMPLE_FOLDER}oecd/live/${calendar.flow}.${release.at}${since}.csv`, body: `${[header, ...lines].join('\r\n')}\r\n` };
  }
}

/** 1 for the first print of a period, more for later ones: errors shrink with it. */
const ageOf = ({ newest, month, monthsApart }: Release, period: string): number =>
  (monthsSince2020(`${newest}-01`) - monthsSince2020(`${period}-01`)) / monthsApart +
  (monthsApart === 3 && Number(month.slice(5)) % 3 === 0 ? 1.5 : 1);

/** A release states nothing new of periods that it no longer revises. */
const errorOf = (name: string, economy: Economy, period: string, release: Release): number => {
  const age = ageOf(release, period);
  return age > REVISED + 1 ? 0 : noise(name, economy.area, period, age) / age;
};

const UNEMPLOYMENT_HEADER =
  'STRUCTURE,STRUCTURE_ID,ACTION,REF_AREA,MEASURE,UNIT_MEASURE,TRANSFORMATION,ADJUSTMENT,SEX,AGE,ACTIVITY,FREQ,TIME_PERIOD,OBS_VALUE,OBS_STATUS,UNIT_MULT,DECIMALS,BASE_PER';

function unemploymentRow(economy: Economy, month: string, release: Release): string[] {
  const rate = courseOf('unemployment', economy, month, { base: economy.unemployment, swing: 0.14, jitter: 0.01 });
  const stated = rounded(rate + 0.25 * errorOf('unemployment', economy, month, release), 1);
  const key = `DATAFLOW,OECD.SDD.TPS:DSD_LFS@DF_IALFS_UNE_M(1.0),I,${economy.oecd},UNE_LF_M,PT_LF_SUB,_Z,Y,_T,Y_GE15,_Z,M`;
  return [`${key},${month},${stated},A,0,1,`];
}

const GROWTH_HEADER =
  'STRUCTURE,STRUCTURE_ID,ACTION,FREQ,ADJUSTMENT,REF_AREA,SECTOR,COUNTERPART_SECTOR,TRANSACTION,INSTR_ASSET,ACTIVITY,EXPENDITURE,UNIT_MEASURE,PRICE_BASE,TRANSFORMATION,TABLE_IDENTIFIER,TIME_PERIOD,OBS_VALUE,OBS_STATUS,UNIT_MULT,DECIMALS';

/** Growth over the quarter before, and over the year before. */
function growthRows(economy: Economy, quarter: string, release: Release): string[] {
  const level = (first: string): number =>
    courseOf('output', economy, first, { base: 100, growth: economy.growth, swing: 0.015, jitter: 0.002 });
  const error = 0.3 * errorOf('growth', economy, quarter, release);
  const period = `${quarter.slice(0, 4)}-Q${(Number(quarter.slice(5)) + 2) / 3}`;
  const key = `DATAFLOW,OECD.SDD.NAD:DSD_NAMAIN1@DF_QNA_EXPENDITURE_GROWTH_OECD(1.1),I,Q,Y,${economy.oecd},S1,S1,B1GQ,_Z,_Z,_Z,PC,L`;
  return [['G1', 3] as const, ['GY', 12] as const].map(([measure, back]) => {
    const growth = 100 * (level(quarter) / level(monthAfter(quarter, -back)) - 1);
    return `${key},${measure},T0102,${period},${rounded(growth + error, 5)},A,0,2`;
  });
}
