// New Residential Construction: one file of sections, two years of months.
import { lastDayOfMonth } from '../../src/model/period.ts';
import { chance, valueAt } from './invent.ts';
import { monthAfter, months, monthsSince2020, SAMPLE_FOLDER, type SampleFile, weekdayOf, yesterdayOf } from './days.ts';

const MONTHS = 24;
const RELEASE_DAY = '19';

interface Category {
  readonly code: string;
  readonly name: string;
  /** Thousands of units in the whole country, a month or, for annual rates, a year. */
  readonly base: number;
  readonly isAdjusted: readonly boolean[];
  /** If standard errors come with the unadjusted figures, or with all of them. */
  readonly errors: 'none' | 'unadjusted' | 'all';
}

// biome-ignore format: one line each
const CATEGORIES: readonly Category[] = [
  { code: 'APERMITS', name: 'Annual Rate for Housing Units Authorized in Permit-Issuing Places', base: 1460, isAdjusted: [true], errors: 'none' },
  { code: 'PERMITS', name: 'Housing Units Authorized in Permit-Issuing Places', base: 122, isAdjusted: [false], errors: 'none' },
  { code: 'AUTHNOTSTD', name: 'Housing Units Authorized But Not Started', base: 280, isAdjusted: [true, false], errors: 'unadjusted' },
  { code: 'ASTARTS', name: 'Annual Rate for Housing Units Started', base: 1420, isAdjusted: [true], errors: 'all' },
  { code: 'STARTS', name: 'Housing Units Started', base: 118, isAdjusted: [false], errors: 'all' },
  { code: 'UNDERCONST', name: 'Housing Units Under Construction', base: 1500, isAdjusted: [true, false], errors: 'unadjusted' },
  { code: 'ACOMPLETIONS', name: 'Annual Rate for Housing Units Completed', base: 1390, isAdjusted: [true], errors: 'all' },
  { code: 'COMPLETIONS', name: 'Housing Units Completed', base: 116, isAdjusted: [false], errors: 'all' },
];

const TYPES = [
  ['TOTAL', 'Total Units', 1],
  ['SINGLE', 'Single-family Units', 0.66],
  ['MULTI', 'Units in Buildings with 5 Units or More', 0.31],
] as const;

const GEO_LEVELS = [
  ['US', 'United States', 1],
  ['NO', 'Northeast', 0.1],
  ['MW', 'Midwest', 0.14],
  ['SO', 'South', 0.53],
  ['WE', 'West', 0.23],
] as const;

const MONTH_NAMES = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

export function* usCensusFiles(now: number): Generator<SampleFile> {
  const until = yesterdayOf(now);
  const thisMonth = until.slice(0, 7);
  const releasedIn = `${thisMonth}-${RELEASE_DAY}` <= until ? thisMonth : monthAfter(thisMonth, -1);
  yield { path: `${SAMPLE_FOLDER}us-census/RESCONST-mf.csv`, body: sections(releasedIn) };
}

function sections(releasedIn: string): string {
  const periods = months(monthAfter(releasedIn, -1), MONTHS);
  const released = `${releasedIn}-${RELEASE_DAY}`;
  const zone = released > `${released.slice(0, 4)}-03-14` && released < `${released.slice(0, 4)}-11-01` ? 'EDT' : 'EST';
  const lines = [
    'CATEGORIES',
    'cat_idx,cat_code,cat_desc,cat_indent',
    ...CATEGORIES.map(({ code, name }, index) => `${index + 1},${code},"${name}",0`),
    '\r\n',
    'DATA TYPES',
    'dt_idx,dt_code,dt_desc,dt_unit',
    ...TYPES.map(([code, name], index) => `${index + 1},${code},"${name}",K`),
    '\r\n',
    'ERROR TYPES',
    'et_idx,err_code,err_desc,err_unit',
    ...TYPES.map(([code, name], index) => `${index + 1},E_${code},"Relative Standard Error for ${name}",PCT`),
    '\r\n',
    'GEO LEVELS',
    'geo_idx,geo_code,geo_desc',
    ...GEO_LEVELS.map(([code, name], index) => `${index + 1},${code},"${name}"`),
    '\r\n',
    'TIME PERIODS',
    'per_idx,per_name',
    ...periods.map((month, index) => `${index + 1},${nameOf(month)}-${month.slice(0, 4)}`),
    '\r\n',
    'NOTES',
    '""',
    '\r\n',
    'DATA UPDATED ON',
    `${WEEKDAYS[weekdayOf(released)]}, ${RELEASE_DAY}-${nameOf(releasedIn)}-${releasedIn.slice(2, 4)} 07:45:12 ${zone}`,
    '\r\n',
    'DATA',
    'per_idx,cat_idx,dt_idx,et_idx,geo_idx,is_adj,val',
    ...periods.flatMap((month, index) => CATEGORIES.flatMap((category) => [...rowsOf(category, month, index + 1)])),
  ];
  return `${lines.join('\r\n')}\r\n`;
}

function nameOf(month: string): string {
  return MONTH_NAMES[Number(month.slice(5)) - 1] ?? '';
}

function* rowsOf(category: Category, month: string, periodIndex: number): Generator<string> {
  const categoryIndex = CATEGORIES.indexOf(category) + 1;
  for (const isAdjusted of category.isAdjusted) {
    for (const [typeIndex, [type, , part]] of TYPES.entries()) {
      for (const [geoIndex, [geo, , share]] of GEO_LEVELS.entries()) {
        if (type === 'MULTI' && geo !== 'US') continue;
        const place = `${geoIndex + 1},${isAdjusted ? 1 : 0}`;
        const units = unitsOf(category, month, isAdjusted) * part * share * (0.97 + 0.06 * chance(category.code, type, geo, month));
        yield `${periodIndex},${categoryIndex},${typeIndex + 1},0,${place},${units.toFixed(units < 200 ? 1 : 0)}`;
        const hasError = category.errors === 'all' || (category.errors === 'unadjusted' && !isAdjusted);
        if (hasError) yield `${periodIndex},${categoryIndex},0,${typeIndex + 1},${place},${(3 + 9 * chance(type, geo, month)).toFixed(0)}`;
      }
    }
  }
}

/** Unadjusted figures rise in summer. */
function unitsOf({ code, base }: Category, month: string, isAdjusted: boolean): number {
  const seasonal = isAdjusted ? 1 : 1 - 0.15 * Math.cos((2 * Math.PI * (Number(month.slice(5)) - 0.5)) / 12);
  return seasonal * valueAt(`us_census ${code}`, monthsSince2020(lastDayOfMonth(month)), { base, swing: 0.09, jitter: 0.02 });
}
