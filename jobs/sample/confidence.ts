// Business and consumer confidence: two releases of the Commission's surveys, of which the second revises the first, one of 2020, and the indices
// of the OECD.
import { lastDayOfMonth } from '../../src/model/period.ts';
import { monthAfter, months, monthsSince2020, SAMPLE_FOLDER, type SampleFile, yesterdayOf } from './days.ts';
import { chance, noise, valueAt } from './invent.ts';

const MONTHS = 24;
/** The first month of the sample. */
const EARLY_RELEASE = '2020-05';
const EARLY_MONTHS = 6;
const COUNTRIES = ['AT', 'BE', 'DE', 'EA', 'EL', 'ES', 'EU', 'FI', 'FR', 'IE', 'IT', 'NL', 'PL', 'PT', 'SE'];
const LOCATIONS = ['AUS', 'CHE', 'DEU', 'EA19', 'ESP', 'FRA', 'G-7', 'GBR', 'ITA', 'JPN', 'KOR', 'OECD', 'SWE', 'USA'];

/** Survey, level of a country in January 2020, and its swing. */
const SURVEYS: readonly (readonly [survey: string, level: number, swing: number])[] = [
  ['BUIL', -10, 14],
  ['CONS', -13, 10],
  ['EEI', 100, 8],
  ['ESI', 100, 9],
  ['INDU', -4, 11],
  ['RETA', 1, 10],
  ['SERV', 8, 15],
  ['SERV73', 4, 18],
];

export function* confidenceFiles(now: number): Generator<SampleFile> {
  // The results of a month appear on its third last day.
  const until = yesterdayOf(now);
  const last = releaseOf(until.slice(0, 7)) <= until ? until.slice(0, 7) : monthAfter(until.slice(0, 7), -1);
  for (const [month, count] of [[EARLY_RELEASE, EARLY_MONTHS] as const, [monthAfter(last, -1), MONTHS] as const, [last, MONTHS] as const]) {
    yield { path: `${SAMPLE_FOLDER}dg-ecfin-bcs/data_esi_values.${releaseOf(month)}.csv`, body: release(month, count) };
  }
  for (const indicator of ['BCI', 'CCI']) {
    yield { path: `${SAMPLE_FOLDER}oecd/${indicator}.DP_LIVE.csv`, body: download(indicator, monthAfter(last, -1)) };
  }
  yield { path: `${SAMPLE_FOLDER}oecd/CLI.G20.sdmx-csv-2.0.csv`, body: leadingIndicator(monthAfter(last, -1)) };
}

function releaseOf(month: string): string {
  const last = lastDayOfMonth(month);
  return `${month}-${Number(last.slice(8)) - 2}`;
}

function release(newest: string, count: number): string {
  const lines = months(newest, count).flatMap((month) =>
    COUNTRIES.flatMap((country) =>
      SURVEYS.map(([survey, level, swing]) => {
        const own = level + 6 * noise('level', country, survey);
        const course = swing * (valueAt(`confidence ${country} ${survey}`, monthsSince2020(`${month}-01`), { base: 1, swing: 1 }) - 1);
        // Each release repeats the seasonal adjustment, so the previous months move a little.
        const revision = chance(newest, month, country, survey) < 0.2 ? 0.3 * noise('revision', newest, month, country, survey) : 0;
        return `${lastDayOfMonth(month)},${country},${survey},${Number((own + course + revision).toFixed(1))}`;
      }),
    ),
  );
  return `date,country,series,value\n${lines.join('\n')}\n`;
}

function index(name: string, month: string): number {
  return valueAt(name, monthsSince2020(`${month}-01`), { base: 100, swing: 0.025 });
}

function download(indicator: string, newest: string): string {
  const header = '"LOCATION","INDICATOR","SUBJECT","MEASURE","FREQUENCY","TIME","Value","Flag Codes"';
  const lines = LOCATIONS.flatMap((location) =>
    months(newest, MONTHS).map(
      (month) =>
        `"${location}","${indicator}","AMPLITUD","LTRENDIDX","M","${month}",${index(`${indicator} ${location}`, month).toFixed(4)},`,
    ),
  );
  return `\uFEFF${[header, ...lines].join('\r\n')}\r\n`;
}

/** Rows in random order, as the service returns them. */
function leadingIndicator(newest: string): string {
  const header =
    'STRUCTURE,STRUCTURE_ID,ACTION,REF_AREA: Reference area,FREQ: Frequency of observation,MEASURE: Measure,UNIT_MEASURE: Unit of measure,ACTIVITY: Economic activity,ADJUSTMENT: Adjustment,TRANSFORMATION: Transformation,TIME_HORIZ: Time horizon,METHODOLOGY: Calculation methodology,TIME_PERIOD: Time period,OBS_VALUE,OBS_STATUS: Observation status,UNIT_MULT: Unit multiplier,DECIMALS: Decimals,BASE_PER: Base period';
  const key =
    'DATAFLOW,OECD.SDD.STES:DSD_STES@DF_CLI(4.1),I,G20: G20,M: Monthly,LI: Composite leading indicator (CLI),IX: Index,_Z: Not applicable,AA: Amplitude adjusted,IX: Index,_Z: Not applicable,H: OECD harmonised';
  const rows = months(newest, MONTHS).map(
    (month) => `${key},${month},${index('CLI G20', month).toFixed(4)},A: Normal value,0: Units,2: Two,`,
  );
  return `${[header, ...rows.toSorted((a, b) => chance(a) - chance(b))].join('\r\n')}\r\n`;
}
