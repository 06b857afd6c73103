// A lake in which licensed series stand beside public ones, every number of it unlike every other: whatever shows up where it must not is known
// by its digits. Consumer prices are licensed here, by a description of the series that is the test's own.
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { observationId } from '../../src/model/observation.ts';
import type { StatedFact, StatedFiling } from '../filings/edgar.ts';
import { fredMdFile, openPipeline, type Files, type Pipeline, realTimeFile } from '../pipeline.ts';
import { fixtureFiles } from '../routes/fixture-service.ts';
import { filesOfCompanies, MULTIPLES } from '../valuations/valued.ts';

/** When the files come in, the day whose free window the lake is made for, and the first day of that window. */
const COLLECTED = '2026-06-17T08:00:00.000Z';
export const NOW = '2026-06-20T12:00:00.000Z';
export const WINDOW_START = '2024-06-20';

/** Indicators whose values here are licensed as they come, and those computed from such. */
export const LICENSED = ['cpi', 'consumer_sentiment_umich', 'price_close', 'price_open', 'price_high', 'price_low', 'volume'] as const;
export const COMPUTED = [
  'cpi_inflation_yoy',
  'cpi_inflation_mom',
  'cpi_inflation_quarterly',
  'price_close_split_adjusted',
  ...MULTIPLES,
] as const;

export interface Told {
  readonly observationId: string;
  readonly indicatorId: string;
  readonly canonicalId: string;
  readonly entityId: string;
  readonly sourceId: string;
  readonly periodEnd: string;
  readonly value: number;
}

export interface LicensedLake {
  readonly pipeline: Pipeline;
  /** Every vintage of the snapshot with a value, whatever its rights. */
  readonly told: readonly Told[];
  readonly remove: () => Promise<void>;
}

const FOREVER = '9999-12-31';
/** A year and more before the window, so that there are forecasts in it from the first. */
const MONTHS = Array.from({ length: 36 }, (_, at) => `${2023 + Math.floor((at + 4) / 12)}-${String(((at + 4) % 12) + 1).padStart(2, '0')}`);

/** A month, printed on the 12th of the next one and revised a month later. */
function printed(file: string, level: (at: number) => number): Files {
  const dayOf = (month: string, more: number) => {
    const [year = 0, number = 0] = month.split('-').map(Number);
    return new Date(Date.UTC(year, number - 1 + more, 12)).toISOString().slice(0, 10);
  };
  const before = (day: string) => new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
  const rows = MONTHS.flatMap((month, at): [string, string, string, number][] => {
    const [first, second] = [dayOf(month, 1), dayOf(month, 2)];
    if (at >= MONTHS.length - 2) return [[`${month}-01`, first, FOREVER, level(at)]];
    return [
      [`${month}-01`, first, before(second), level(at)],
      [`${month}-01`, second, FOREVER, rounded(level(at) + 0.0137)],
    ];
  });
  return realTimeFile(file, file, rows);
}

const rounded = (value: number) => Number(value.toFixed(4));
const PRICES = (at: number) => rounded(250.1003 + at * 0.6127 + Math.sin(at * at) * 0.3171);
const PAYROLLS = (at: number) => rounded(140_000.1009 + at * 171.4273 + Math.sin(at * at) * 43.3371);
/** What the file of FRED-MD says of the unemployment of December 2023. */
export const HELD_BACK = 4104.2391;
const UNEMPLOYMENT = (at: number) => rounded(4.1021 + Math.sin(at) / 7);
const SENTIMENT = (at: number) => rounded(70.1013 + Math.sin(at) * 9.7177);

function releaseDates(id: number, dates: readonly string[]): Files {
  const release_dates = dates.map((date) => ({ release_id: id, date }));
  const body = { count: dates.length, offset: 0, limit: 100, release_dates };
  return { [`fred-api/release_dates.${id}.recorded-2026-06-16.json`]: JSON.stringify(body) };
}

const RELEASES = [...MONTHS.slice(2).map((month) => `${month}-12`), '2026-05-12', '2026-06-12', '2026-07-12'];

const flows = (start: string, end: string, factor: number): StatedFact[] =>
  Object.entries({
    Revenues: 1000.0193,
    NetIncomeLoss: 200.0297,
    OperatingIncomeLoss: 250.0371,
    DepreciationDepletionAndAmortization: 50.0433,
    NetCashProvidedByUsedInOperatingActivities: 260.0517,
    PaymentsToAcquirePropertyPlantAndEquipment: 60.0619,
    PaymentsOfDividends: 40.0723,
  })
    .map(([concept, value]): StatedFact => [concept, 'USD', start, end, rounded(value * factor)])
    .concat([['EarningsPerShareDiluted', 'USD/shares', start, end, rounded(2.0831 * factor)]]);
const balances = (end: string, factor: number): StatedFact[] =>
  Object.entries({
    StockholdersEquity: 800.0917,
    LongTermDebtNoncurrent: 300.1129,
    DebtCurrent: 100.1231,
    CashAndCashEquivalentsAtCarryingValue: 150.1319,
    ShortTermInvestments: 50.1447,
  }).map(([concept, value]): StatedFact => [concept, 'USD', null, end, rounded(value * factor)]);
const cover = (day: string, count: number): StatedFact => ['EntityCommonStockSharesOutstanding', 'shares', null, day, count];

const FILINGS: Readonly<Record<string, StatedFiling>> = {
  1: {
    form: '10-K',
    filed: '2024-02-01',
    facts: [...flows('2023-01-01', '2023-12-31', 1), ...balances('2023-12-31', 1), cover('2024-01-25', 100)],
  },
  2: {
    form: '10-K',
    filed: '2025-02-03',
    facts: [...flows('2024-01-01', '2024-12-31', 1.1273), ...balances('2024-12-31', 1.0719), cover('2025-01-25', 103)],
  },
  3: {
    form: '10-K',
    filed: '2026-02-02',
    facts: [...flows('2025-01-01', '2025-12-31', 1.3171), ...balances('2025-12-31', 1.1937), cover('2026-01-26', 107)],
  },
};

function days(from: string, to: string): string[] {
  const found: string[] = [];
  for (let at = Date.parse(from); at <= Date.parse(to); at += 86_400_000) {
    const day = new Date(at);
    if (day.getUTCDay() % 6 !== 0) found.push(day.toISOString().slice(0, 10));
  }
  return found;
}

/** Closing prices about both ends of the window. */
const CLOSES = Object.fromEntries(
  [...days('2024-06-12', '2024-06-25'), ...days('2026-06-08', '2026-06-16')].map((day, at) => [day, rounded(31.1039 + at * 0.1371)]),
);

function payloads(): Files {
  const md = (vintage: string, months: readonly string[], unemployment: (month: string, at: number) => number) =>
    fredMdFile(vintage, {
      UMCSENTx: Object.fromEntries(months.map((month, at) => [month, SENTIMENT(at)])),
      UNRATE: Object.fromEntries(months.map((month, at) => [month, unemployment(month, at)])),
    });
  return {
    ...printed('CPI', PRICES),
    ...printed('EMP', PAYROLLS),
    ...md('2026-04', MONTHS.slice(0, -1), (_, at) => UNEMPLOYMENT(at)),
    // One month is a thousand times too large: held back.
    ...md('2026-05', MONTHS, (month, at) => (month === '2023-12' ? HELD_BACK : UNEMPLOYMENT(at))),
    ...releaseDates(10, RELEASES),
    ...releaseDates(50, RELEASES),
    ...fixtureFiles('fed_statements', 'statement-with-time'),
    ...filesOfCompanies([{ cik: 1000001, filings: FILINGS, closes: CLOSES }]),
  };
}

/** The project's own description of the series, but consumer prices may not be passed on. */
async function licensedReference(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'asof-reference-'));
  await cp(resolve(import.meta.dirname, '../../data/reference'), folder, { recursive: true });
  const path = join(folder, 'series.csv');
  const text = await readFile(path, 'utf8');
  const own = text.replaceAll(
    /^(fred,CPI,.*),true,"[^"]*",,active/gm,
    '$1,false,Invented licence,Invented: not to be redistributed,active',
  );
  if (own === text) throw new Error('series.csv no longer describes the series CPI as it did');
  await writeFile(path, own);
  return folder;
}

export async function openLicensedLake(): Promise<LicensedLake> {
  const referenceDir = await licensedReference();
  const pipeline = await openPipeline({ referenceDir });
  await pipeline.run(payloads(), COLLECTED);
  const told = await readTold(pipeline);
  return {
    pipeline,
    told,
    async remove() {
      await pipeline.remove();
      await rm(referenceDir, { recursive: true, force: true });
    },
  };
}

async function readTold(pipeline: Pipeline): Promise<readonly Told[]> {
  const reader = await pipeline.open();
  const rows = await reader.withConnection(async (connection) => {
    const result = await connection.runAndReadAll(
      `select source_id, indicator_id, canonical_id, entity_id, frequency, period, vintage, period_end::varchar, value
      from published.vintages inner join published.series using (series_no) where value is not null`,
    );
    return result.getRows();
  });
  return rows.map((row) => {
    const [sourceId = '', indicatorId = '', canonicalId = '', entityId = '', frequency = '', period = '', vintage = '', periodEnd = ''] =
      row.map(String);
    const key = { sourceId, indicatorId, entityId, frequency, period, vintage };
    return { sourceId, indicatorId, canonicalId, entityId, periodEnd, observationId: observationId(key), value: Number(row[8]) };
  });
}
