// Survey of Professional Forecasters of the Philadelphia Fed: a workbook of medians per variable, with a row per round. A forecast is the final value
// plus an error, which grows with the distance in time. Nobody expected the crisis of 2020 before it came.
import { strToU8, zipSync } from 'fflate';
import { monthAfter, monthsSince2020, SAMPLE_FOLDER, type SampleFile, yesterdayOf } from './days.ts';
import { gdpAt } from './fred.ts';
import { levelAt } from './fred-md.ts';
import { noise } from './invent.ts';

const FIRST_ROUND = '2019-01';
/** Answers are due on this day of a quarter's second month. */
const DAY_OF_ANSWERS = '15';
const CRISIS = '2020-04';

type OfQuarter = (firstMonth: string, hasCrisis: boolean) => number;

const meanOf =
  (column: string): OfQuarter =>
  (quarter, hasCrisis) =>
    [0, 1, 2].reduce((sum, place) => sum + levelAt(column, monthAfter(quarter, place), hasCrisis), 0) / 3;
const annualised =
  (level: OfQuarter): OfQuarter =>
  (quarter, hasCrisis) =>
    100 * ((level(quarter, hasCrisis) / level(monthAfter(quarter, -3), hasCrisis)) ** 4 - 1);

interface Variable {
  readonly file: string;
  readonly sheet: string;
  /** Of the column of a horizon: 1 is the quarter before the round. */
  readonly column: (horizon: number) => string;
  readonly horizons: readonly number[];
  readonly of: OfQuarter;
  /** Size of the error about the quarter of the round. */
  readonly error: number;
}

const ALL = [1, 2, 3, 4, 5, 6];
const level = (name: string) => ({
  file: `Median_${name}_Level.xlsx`,
  sheet: 'Median_Level',
  column: (horizon: number) => `${name}${horizon}`,
  horizons: ALL,
});

const VARIABLES: readonly Variable[] = [
  { ...level('UNEMP'), of: meanOf('UNRATE'), error: 0.15 },
  { ...level('CPI'), of: annualised(meanOf('CPIAUCSL')), error: 0.5 },
  { ...level('NGDP'), of: (quarter, hasCrisis) => gdpAt('GDP', quarter, hasCrisis), error: 90 },
  {
    file: 'Median_RGDP_Growth.xlsx',
    sheet: 'Median_Growth',
    column: (horizon) => `drgdp${horizon}`,
    horizons: ALL.slice(1),
    of: annualised((quarter, hasCrisis) => gdpAt('RGDP', quarter, hasCrisis)),
    error: 0.8,
  },
];

export function* surveyFiles(now: number): Generator<SampleFile> {
  const rounds = roundsUntil(yesterdayOf(now));
  for (const { file, sheet, column, horizons, of, error } of VARIABLES) {
    const rows = rounds.map((round) => [
      Number(round.slice(0, 4)),
      (Number(round.slice(5)) + 2) / 3,
      ...horizons.map((horizon) => {
        const quarter = monthAfter(round, 3 * (horizon - 2));
        const expected = of(quarter, round >= CRISIS);
        const missed = horizon === 1 ? 0 : error * Math.sqrt(horizon - 1) * noise('survey', file, round, horizon);
        return Number((expected + missed).toFixed(4));
      }),
    ]);
    const body = workbook(sheet, [['YEAR', 'QUARTER', ...horizons.map(column)], ...rows]);
    yield { path: `${SAMPLE_FOLDER}philadelphia-fed/spf/${file}`, body };
  }
}

/** First months of the quarters whose answers are due. */
function roundsUntil(until: string): string[] {
  const count = Math.floor((monthsSince2020(`${until.slice(0, 7)}-01`) - monthsSince2020(`${FIRST_ROUND}-01`)) / 3) + 1;
  const all = Array.from({ length: count }, (_, index) => monthAfter(FIRST_ROUND, 3 * index));
  return all.filter((round) => `${monthAfter(round, 1)}-${DAY_OF_ANSWERS}` <= until);
}

// --- A workbook of one sheet

const ZIPPED = '1980-01-01T12:00:00';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

function workbook(sheet: string, rows: readonly (readonly (string | number)[])[]): Uint8Array {
  const cells = rows.map((row, index) => {
    const written = row.map((value, at) => {
      const place = `${String.fromCharCode(65 + at)}${index + 1}`;
      return typeof value === 'number'
        ? `<c r="${place}"><v>${value}</v></c>`
        : `<c r="${place}" t="inlineStr"><is><t>${value}</t></is></c>`;
    });
    return `<row r="${index + 1}">${written.join('')}</row>`;
  });
  const related = (id: string, kind: string, target: string) =>
    `<Relationships xmlns="${RELATIONS}"><Relationship Id="${id}" Type="${OFFICE}/${kind}" Target="${target}"/></Relationships>`;
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
  const types = [
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>',
    `<Override PartName="/xl/workbook.xml" ContentType="${type}.sheet.main+xml"/>`,
    `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${type}.worksheet+xml"/>`,
  ];
  const parts: Readonly<Record<string, string>> = {
    '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">${types.join('')}</Types>`,
    '_rels/.rels': related('rId1', 'officeDocument', 'xl/workbook.xml'),
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="${sheet}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': related('rId1', 'worksheet', 'worksheets/sheet1.xml'),
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${MAIN}"><sheetData>${cells.join('')}</sheetData></worksheet>`,
  };
  // Not compressed, and of a fixed day, so that the bytes are the same under every release of the compressor.
  return zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(DECLARATION + text)])), {
    level: 0,
    mtime: ZIPPED,
  });
}
