// A small lake in which every filter has rows to keep and rows to leave out: payloads of test/fixtures beside series, companies and schedules written
// here, in two arrivals.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { inject } from 'vitest';
import { z } from 'zod';
import { listFiles } from '../../src/disk/durable.ts';
import { type Files, fredMdFile, openPipeline, realTimeFile } from '../pipeline.ts';
import { companyFacts, type StatedFact, submissions } from '../filings/edgar.ts';
import { fixtureFiles } from '../routes/fixture-service.ts';
import { type ErrorBody, type ListBody, type RunningService, startService } from '../service.ts';

export const FIRST_ARRIVAL = '2030-05-10T08:00:00.000Z';
export const SECOND_ARRIVAL = '2030-05-20T08:00:00.000Z';
const NOW = '2030-06-01T12:00:00.000Z';

const FIXTURES = join(import.meta.dirname, '../fixtures');
const FOREVER = '9999-12-31';
const MONTHS = ['2029-10', '2029-11', '2029-12', '2030-01', '2030-02', '2030-03', '2030-04'];
/** The day on which each month, counted by its place, is first printed. */
const printedOn = (index: number) => `${MONTHS[index + 1] ?? '2030-05'}-08`;
const dayBefore = (day: string) => `${day.slice(0, 8)}${String(Number(day.slice(8)) - 1).padStart(2, '0')}`;

/** Each month is printed on the 8th of the next and revised on the 8th of the one after; the months given are withdrawn by that revision. */
function monthly(name: string, code: string, base: number, count: number, withdrawn: readonly string[] = []): Files {
  const rows = MONTHS.slice(0, count).flatMap((month, index) => {
    const revisedOn = printedOn(index + 1);
    const isRevised = index + 1 < count;
    const first = [`${month}-01`, printedOn(index), isRevised ? dayBefore(revisedOn) : FOREVER, base + index] as const;
    const value = withdrawn.includes(month) ? null : base + index + 0.5;
    return isRevised ? [first, [`${month}-01`, revisedOn, FOREVER, value] as const] : [first];
  });
  return realTimeFile(name, code, rows);
}

function quarters(): Files {
  return realTimeFile('GDP', 'GDP', [
    ['2029-07-01', '2029-10-30', '2029-11-28', 31000],
    ['2029-07-01', '2029-11-29', '2029-12-19', 31010],
    ['2029-07-01', '2029-12-20', FOREVER, 31020],
    ['2029-10-01', '2030-01-30', '2030-02-26', 31200],
    ['2029-10-01', '2030-02-27', FOREVER, 31190],
    ['2030-01-01', '2030-04-29', '2030-05-15', 31400],
    ['2030-01-01', '2030-05-16', FOREVER, 31450],
  ]);
}

function schedule(...events: readonly (readonly [uid: string, start: string, title: string, more?: string])[]): Files {
  const lines = events.flatMap(([uid, start, title, more]) => [
    'BEGIN:VEVENT',
    `UID:${uid}`,
    `DTSTART;TZID=America/New_York:${start}`,
    `SUMMARY:${title}`,
    ...(more === undefined ? [] : [more]),
    'END:VEVENT',
  ]);
  return { 'calendars/bls-release-schedule.ics': ['BEGIN:VCALENDAR', 'PRODID:x', 'VERSION:2.0', ...lines, 'END:VCALENDAR', ''].join('\n') };
}

const [BEGUN, MOVED] = [
  schedule(
    ['emp', '20300503T083000', 'Employment Situation for April 2030'],
    ['cpi', '20300612T083000', 'Consumer Price Index for May 2030'],
    ['jolts', '20300604T100000', 'Job Openings and Labor Turnover Survey for April 2030'],
    ['ximpim', '20300514T083000', 'U.S. Import and Export Price Indexes for April 2030'],
    ['work', '20300620T100000', 'Major Work Stoppages (Annual)'],
  ),
  schedule(
    ['emp', '20300503T083000', 'Employment Situation for April 2030'],
    ['cpi', '20300614T083000', 'Consumer Price Index for May 2030'],
    ['jolts', '20300604T100000', 'Job Openings and Labor Turnover Survey for April 2030'],
    ['ximpim', '20300514T083000', 'U.S. Import and Export Price Indexes for April 2030'],
    ['work', '20300620T100000', 'Major Work Stoppages (Annual)', 'STATUS:CANCELLED'],
  ),
];

const SOFTWARE = 99_992;
const MACHINES = 99_993;

const year = (of: number, revenue: number): readonly StatedFact[] => [
  ['Revenues', 'USD', `${of}-01-01`, `${of}-12-31`, revenue],
  ['NetIncomeLoss', 'USD', `${of}-01-01`, `${of}-12-31`, revenue / 10],
  ['NetCashProvidedByUsedInOperatingActivities', 'USD', `${of}-01-01`, `${of}-12-31`, revenue / 8],
  ['Assets', 'USD', null, `${of}-12-31`, revenue * 4],
];
const quarter = (of: number, ends: string, begins: string, revenue: number): readonly StatedFact[] => [
  ['Revenues', 'USD', `${of}-${begins}`, `${of}-${ends}`, revenue],
  ['NetIncomeLoss', 'USD', `${of}-${begins}`, `${of}-${ends}`, revenue / 10],
  ['Assets', 'USD', null, `${of}-${ends}`, revenue * 16],
];

const REPORTS = {
  '0000099992-28-000001': { form: '10-K', filed: '2028-02-09', acceptedAt: '2028-02-09T21:05:00.000Z', facts: year(2027, 900) },
  // Restates the year before.
  '0000099992-29-000001': {
    form: '10-K',
    filed: '2029-02-09',
    acceptedAt: '2029-02-09T21:05:00.000Z',
    facts: [...year(2028, 1000), ...year(2027, 880)],
  },
  '0000099992-29-000002': {
    form: '10-Q',
    filed: '2029-05-04',
    acceptedAt: '2029-05-04T20:05:00.000Z',
    facts: quarter(2029, '03-31', '01-01', 260),
  },
  '0000099992-29-000003': {
    form: '10-Q',
    filed: '2029-08-03',
    acceptedAt: '2029-08-03T20:05:00.000Z',
    facts: quarter(2029, '06-30', '04-01', 270),
  },
  '0000099992-29-000004': {
    form: '10-Q',
    filed: '2029-11-02',
    acceptedAt: '2029-11-02T20:05:00.000Z',
    facts: quarter(2029, '09-30', '07-01', 280),
  },
  // So does this one, after the quarters: what was filed last is not what ended last.
  '0000099992-30-000001': {
    form: '10-K',
    filed: '2030-02-08',
    acceptedAt: '2030-02-08T21:05:00.000Z',
    facts: [...year(2029, 1100), ...year(2028, 990)],
  },
} as const;

const COMPANIES: Files = {
  ...companyFacts(SOFTWARE, REPORTS),
  ...submissions(
    SOFTWARE,
    { sic: '7372', sicDescription: 'Services-Prepackaged Software', fiscalYearEnd: '1231', tickers: ['SOFT', 'SOFT-B'] },
    Object.fromEntries(Object.entries(REPORTS).map(([accession, { form, filed, acceptedAt }]) => [accession, { form, filed, acceptedAt }])),
  ),
  ...submissions(MACHINES, { sic: '3560', sicDescription: 'General Industrial Machinery & Equipment', fiscalYearEnd: '0630' }, {}),
};

/** Confidence of consumers in several countries; what an earlier release had and this one has not is withdrawn. */
const SURVEYS: Files = {
  'dg-ecfin-bcs/data_esi_values.2029-06-28.csv':
    'date,country,series,value\n2029-05-31,PL,CONS,-2\n2029-05-31,AT,CONS,-3\n2029-05-31,IT,CONS,-4\n',
  'dg-ecfin-bcs/data_esi_values.2030-04-29.csv': [
    'date,country,series,value',
    ...['DE,CONS,-12.5', 'FR,CONS,-8', 'SE,CONS,3.5', 'IT,CONS,-17', 'DE,INDU,-9', 'FR,INDU,4'].map((cell) => `2030-03-31,${cell}`),
    ...['DE,CONS,-11', 'FR,CONS,-8', 'SE,CONS,4.25', 'IT,CONS,-16', 'DE,INDU,-10', 'FR,INDU,6'].map((cell) => `2030-04-30,${cell}`),
    '',
  ].join('\n'),
};

/** Of each text that many lines. */
function firstLines(count: number, files: Files): Files {
  const textOf = (body: string | Uint8Array) => (typeof body === 'string' ? body : new TextDecoder().decode(body));
  return Object.fromEntries(Object.entries(files).map(([key, body]) => [key, `${textOf(body).split('\n').slice(0, count).join('\n')}\n`]));
}

const FIRST: Files = {
  ...monthly('PAYEMS', 'PAYEMS', 150_000, 6, ['2029-11']),
  ...monthly('UNRATE', 'UNRATE', 4, 6),
  ...monthly('CPI', 'CPI', 300, 6),
  ...monthly('M2SL', 'M2SL', 22_000, 6),
  ...SURVEYS,
  'fred-md/2030-03.csv': '<html>no table',
  ...fixtureFiles('fred', 'graph-weekly', 'graph-daily', 'date-value-annual'),
  ...fixtureFiles('world_bank', 'countries', 'table'),
  ...fixtureFiles('ecb_fx', 'history'),
  ...fixtureFiles('oecd', 'business'),
  ...firstLines(2, fixtureFiles('cftc_tff', 'yearly-text')),
  ...fixtureFiles('cftc_legacy', 'history'),
  ...fixtureFiles('quotes', 'listing', 'vix'),
  ...fixtureFiles('dividends', 'year'),
  ...fixtureFiles('fed_statements', 'statement-with-time', 'minutes', 'release-on-facilities'),
  ...fixtureFiles('boe_documents', 'summary-and-minutes'),
  ...fixtureFiles('riksbank_documents', 'decisions-and-minutes'),
  ...fixtureFiles('sec', 'submissions', 'tickers', 'company-facts'),
  ...fixtureFiles('cb_meetings', 'meetings'),
  ...COMPANIES,
  ...BEGUN,
};

const SECOND: Files = {
  ...monthly('PAYEMS', 'PAYEMS', 150_000, 7, ['2029-11']),
  // Read again, now that it is whole; the file after it has one value a hundred times too great.
  ...fredMdFile('2030-03', { INDPRO: { '2030-01': 100, '2030-02': 101 } }),
  ...fredMdFile('2030-04', { INDPRO: { '2030-01': 100, '2030-02': 10_100, '2030-03': 102 } }),
  ...quarters(),
  ...fixtureFiles('ecb_fx', 'day'),
  ...MOVED,
};

/** Built once for all test files, and kept for the next run beside the sample, as long as neither it nor what the sample is built from changes. */
async function lakeFolder(): Promise<string> {
  const own = createHash('sha256');
  for (const name of ['lake.ts', '../pipeline.ts', '../filings/edgar.ts', '../routes/fixture-service.ts']) {
    own.update(await readFile(join(import.meta.dirname, name)));
  }
  for (const path of await listFiles(FIXTURES)) own.update(await readFile(join(FIXTURES, path)));
  const folder = join(inject('sampleFolder'), `filters-${own.digest('hex').slice(0, 20)}`);
  if (existsSync(folder)) return folder;
  await mkdir(dirname(folder), { recursive: true });
  const dataDir = await mkdtemp(`${folder}.partial-`);
  const pipeline = await openPipeline({ dataDir });
  await pipeline.ingest(FIRST, FIRST_ARRIVAL);
  await pipeline.ingest(SECOND, SECOND_ARRIVAL);
  await pipeline.publish();
  try {
    await rename(dataDir, folder);
  } catch {
    await pipeline.remove(); // another test file was first
  }
  return folder;
}

export type Row = Readonly<Record<string, unknown>>;

export interface FilterService extends RunningService {
  /** The answer to a list that must be answered. */
  readonly list: (path: string) => Promise<ListBody>;
  /** Its rows; of a report its series. */
  readonly rows: (path: string) => Promise<readonly Row[]>;
  /** Status and body of what is refused. */
  readonly refusal: (path: string) => Promise<Refusal>;
}

export interface Refusal {
  readonly path: string;
  readonly status: number;
  readonly code: string | null;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** Long enough for the lake to be built on a busy machine. */
export const STARTING_MS = 300_000;

export async function startFilterService(): Promise<FilterService> {
  const shared = await lakeFolder();
  const dataDir = await mkdtemp(join(tmpdir(), 'asof-filters-'));
  for (const part of ['snapshots', 'current.json']) await cp(join(shared, part), join(dataDir, part), { recursive: true });
  const service = await startService(dataDir, { now: Date.parse(NOW), isOwnFolder: true });
  const answered = async (path: string): Promise<ListBody> => {
    const response = await service.get(path);
    const body = (await response.json()) as ListBody;
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${JSON.stringify(body)}`);
    return body;
  };
  return {
    ...service,
    list: answered,
    async rows(path) {
      const { data } = await answered(path);
      return Array.isArray(data) ? data : z.object({ series: z.array(z.record(z.string(), z.unknown())) }).parse(data).series;
    },
    async refusal(path) {
      const response = await service.get(path);
      const body = (await response.json()) as Partial<ErrorBody>;
      const { code = null, message = '', details = {} } = body.error ?? {};
      return { path, status: response.status, code, message, details };
    },
  };
}
