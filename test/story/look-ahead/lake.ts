// A lake in which much becomes known twice: the sample as of two days, between them corrected reports, texts, figures of filings and 8-K items, a split and
// a new lexicon; comparatives that recast; and two price indices of which each month is revised by itself and now and then withdrawn.
import { appendFile, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import * as fc from 'fast-check';
import { z } from 'zod';
import type { SampleFile } from '../../../jobs/sample/days.ts';
import { samplePayloads } from '../../../jobs/sample/index.ts';
import { addDays, lastDayOfMonth } from '../../../src/model/period.ts';
import type { Step } from '../../../src/snapshot/build/relations.ts';
import { type Files, openPipeline, type Pipeline } from '../../pipeline.ts';
import { isLong } from '../../suite.ts';

const FIRST = '2026-03-02T08:00:00.000Z';
const SECOND = '2026-06-18T08:00:00.000Z';
const LEXICON_RELEASED = '2026-05-01T00:00:00.000Z';
/** Between these all that is told twice is known as it was told first. */
export const TOLD_AT = [FIRST, LEXICON_RELEASED] as const;
export const COMPANIES = ['9999999001', '9999999002', '9999999003'] as const;
const [SPLITTING, CORRECTED, RECASTING] = COMPANIES;
const SPLIT = { day: '2026-05-04', ratio: 3, ticker: 'ZZSMA' } as const;

export interface TwiceToldLake {
  readonly pipeline: Pipeline;
  /** The same lake built by other steps, published. */
  readonly builtBy: (steps: readonly Step[]) => Promise<Pipeline>;
  readonly remove: () => Promise<void>;
}

export async function openTwiceToldLake(): Promise<TwiceToldLake> {
  const referenceDir = await mkdtemp(join(tmpdir(), 'asof-reference-'));
  await cp(resolve(import.meta.dirname, '../../../data/reference'), referenceDir, { recursive: true });
  await releaseLexicon(referenceDir);
  await appendFile(join(referenceDir, 'stock_splits.csv'), `${SPLITTING},${SPLIT.day},${SPLIT.ratio},Invented\n`);
  const pipeline = await openPipeline({ referenceDir });
  await pipeline.ingest(
    { ...renamed(told(sampleOf(FIRST), '8.01'), 1), ...priceIndex('PCEPILFE', 3), ...priceIndex('CPIAUCSL', 4) },
    FIRST,
  );
  await pipeline.ingest(corrected(renamed(told({ ...documentsOf(sampleOf(FIRST)), ...sampleOf(SECOND) }, '2.02,9.01'), 2)), SECOND);
  await pipeline.publish();
  const others: Pipeline[] = [];
  return {
    pipeline,
    async builtBy(steps) {
      const other = await openPipeline({ referenceDir, steps });
      others.push(other);
      for (const name of ['lake', 'derived-cache']) await cp(join(pipeline.dataDir, name), join(other.dataDir, name), { recursive: true });
      await other.publish();
      return other;
    },
    async remove() {
      for (const one of [pipeline, ...others]) await one.remove();
      await rm(referenceDir, { recursive: true, force: true });
    },
  };
}

async function releaseLexicon(referenceDir: string): Promise<void> {
  const folder = join(referenceDir, 'cb_lexicon');
  const lexicon = z.looseObject({}).parse(JSON.parse(await readFile(join(folder, '1.0.0.json'), 'utf8')));
  const later = { ...lexicon, version: '9.0.0', releasedAt: LEXICON_RELEASED, phrases: [{ phrase: 'invented surveys', weight: -2 }] };
  await writeFile(join(folder, '9.0.0.json'), JSON.stringify(later));
}

/** Left out because no derived indicator reads them: the lake of each drawn moment is rebuilt. The companies that are there to be compared with would
 * be most of the rows that are drawn, and have nothing that the first three do not have. */
const UNREAD = /\/(?:ecb-eurofxref|world-bank|us-census)\/|99999997\d\d|\/ZZT[A-Z]{2}\./;
/** Where time is short: what only forecasts or the calendar read, and statements of more banks than two; each source costs by itself. */
const LEFT_OUT =
  /\/(?:dg-ecfin-bcs|oecd|bis|philadelphia-fed|calendars|central-bank-text\/(?:boe|rba|communications_|meeting_))|\/release_dates\./;

function sampleOf(at: string): Files {
  const files = [...samplePayloads(Date.parse(at))].filter(({ path }) => !UNREAD.test(path) && (isLong || !LEFT_OUT.test(path)));
  return Object.fromEntries(files.map(({ path, body }) => [path, isLong ? body : narrowed(path, body)]));
}

/** Inputs of derived indicators, and one series that is only forecast. */
const COLUMNS = /^(?:sasdate|Transform:|RETAILx|INDPRO|UNRATE|PAYEMS|AMDMNOx|M2SL|FEDFUNDS|WPSFD49207|CPIAUCSL|PCEPI)$/;
const CONTRACTS = 2;

/** The columns of FRED-MD that are asked for, and the first contracts of a report of traders. */
function narrowed(path: string, body: SampleFile['body']): SampleFile['body'] {
  if (typeof body !== 'string') return body;
  const [header = '', ...lines] = body.split('\n');
  if (path.includes('/fred-md/')) {
    const kept = header.split(',').map((name) => COLUMNS.test(name.trim()));
    return [header, ...lines]
      .map((line) =>
        line
          .split(',')
          .filter((_, index) => kept[index] === true)
          .join(','),
      )
      .join('\n');
  }
  if (!path.includes('/cftc/')) return body;
  const contractOf = (line: string) => line.split(',')[0] ?? '';
  const contracts = new Set([...new Set(lines.map(contractOf))].slice(0, CONTRACTS));
  return [header, ...lines.filter((line) => contracts.has(contractOf(line)))].join('\n');
}

function documentsOf(files: Files): Files {
  return Object.fromEntries(Object.entries(files).filter(([path]) => path.includes('central-bank-text/')));
}

const Submissions = z.looseObject({ filings: z.looseObject({ recent: z.record(z.string(), z.array(z.unknown())) }) });
const Stated = z.looseObject({ end: z.string(), val: z.number(), filed: z.string() });
const CompanyFacts = z.looseObject({
  facts: z.record(z.string(), z.record(z.string(), z.looseObject({ units: z.record(z.string(), z.array(Stated)) }))),
});
const Prices = z.looseObject({
  prices: z.array(
    z.looseObject({ time: z.string(), open: z.number(), high: z.number(), low: z.number(), close: z.number(), volume: z.number() }),
  ),
});
const EIGHT_K = { filed: '2026-02-02', accepted: '2026-02-02T21:05:00.000Z', form: '8-K' } as const;

/** With a current report of such items, and comparatives of one company that are of another scope than what they compare with. */
function told(files: Files, items: string): Files {
  return rewritten(files, (path, text) => {
    if (path.endsWith(`submissions/CIK${SPLITTING}.json`)) {
      const submissions = Submissions.parse(JSON.parse(text));
      const { recent } = submissions.filings;
      const report: Readonly<Record<string, unknown>> = {
        accessionNumber: `${SPLITTING}-26-000090`,
        filingDate: EIGHT_K.filed,
        reportDate: EIGHT_K.filed,
        acceptanceDateTime: EIGHT_K.accepted,
        form: EIGHT_K.form,
        items,
        primaryDocument: 'sample-8k.htm',
      };
      for (const [name, column] of Object.entries(recent)) column.push(report[name] ?? column[0]);
      return JSON.stringify(submissions);
    }
    if (!path.endsWith(`companyfacts/CIK${RECASTING}.json`)) return text;
    const isComparative = ({ end, filed }: z.infer<typeof Stated>) => Date.parse(filed) - Date.parse(end) > 200 * MS_PER_DAY;
    return restated(text, (row, concept) =>
      isComparative(row) && (concept === 'Revenues' || concept === 'CostOfRevenue') ? Math.round(row.val * 1.05) : row.val,
    );
  });
}

/** A filer with former names, one of which the second telling alone knows of, and a contract whose name on the reports changes. */
const RENAMED = { cik: CORRECTED, titles: ['Invented Beginnings Inc.', 'Invented Middles Inc.', 'Invented Ends Inc.'] } as const;
const UNTIL = ['2024-08-30', '2026-03-20'] as const;
const RENAMED_CONTRACT = { from: 'WTI-PHYSICAL', to: 'WTI CRUDE-PHYSICAL', on: '2025-09-01' } as const;

/** As of the telling. */
function renamed(files: Files, telling: 1 | 2): Files {
  const name = RENAMED.titles[telling];
  const formerNames = RENAMED.titles.slice(0, telling).map((former, index) => ({
    name: former,
    from: `${UNTIL[index - 1] ?? '2019-01-02'}T00:00:00.000Z`,
    to: `${UNTIL[index] ?? ''}T00:00:00.000Z`,
  }));
  return rewritten(files, (path, text) => {
    if (path.endsWith(`submissions/CIK${RENAMED.cik}.json`)) return JSON.stringify({ ...Object(JSON.parse(text)), name, formerNames });
    if (path.endsWith('sec/company_tickers.json')) {
      const entries = Object.entries(z.record(z.string(), z.looseObject({ cik_str: z.number() })).parse(JSON.parse(text)));
      return JSON.stringify(
        Object.fromEntries(entries.map(([at, one]) => [at, one.cik_str === Number(RENAMED.cik) ? { ...one, title: name } : one])),
      );
    }
    if (!path.includes('cftc/')) return text;
    const isLater = (line: string) => (/\d{4}-\d\d-\d\d/.exec(line)?.[0] ?? '') >= RENAMED_CONTRACT.on;
    return text
      .split('\n')
      .map((line) => (isLater(line) ? line.replace(RENAMED_CONTRACT.from, RENAMED_CONTRACT.to) : line))
      .join('\n');
  });
}

const MS_PER_DAY = 86_400_000;

function rewritten(files: Files, rewrite: (path: string, text: string) => string): Files {
  return Object.fromEntries(Object.entries(files).map(([path, body]) => [path, rewrite(path, String(body))]));
}

function restated(text: string, value: (row: z.infer<typeof Stated>, concept: string, unit: string, index: number) => number): string {
  const facts = CompanyFacts.parse(JSON.parse(text));
  for (const concepts of Object.values(facts.facts))
    for (const [concept, { units }] of Object.entries(concepts))
      for (const [unit, rows] of Object.entries(units)) rows.forEach((row, index) => (row.val = value(row, concept, unit, index)));
  return JSON.stringify(facts);
}

/** After the split, the vendor's closes of all days are of its shares, and so are counts and amounts a share of the filings since. */
function split(path: string, text: string): string {
  if (path.endsWith(`prices/daily_json/${SPLIT.ticker}.json`)) {
    const quotes = Prices.parse(JSON.parse(text));
    for (const bar of quotes.prices) {
      for (const name of ['open', 'high', 'low', 'close'] as const) bar[name] /= SPLIT.ratio;
      bar.volume *= SPLIT.ratio;
    }
    return JSON.stringify(quotes);
  }
  return restated(text, ({ filed, val }, _, unit) => {
    if (filed < SPLIT.day || !unit.endsWith('shares')) return val;
    return unit === 'shares' ? val * SPLIT.ratio : Math.round((100 * val) / SPLIT.ratio) / 100;
  });
}

/** A tenth of the figures of earlier filings, each off by some millions. */
function correctedFacts(text: string): string {
  return restated(text, ({ filed, val }, _, unit, index) => (unit === 'USD' && filed < FIRST && index % 10 === 9 ? val + 7_000_000 : val));
}

/** Texts that say the opposite, every twentieth report of traders with the positions of the one before it, figures of filings, and a split. */
function corrected(files: Files): Files {
  return Object.fromEntries(
    Object.entries(files).map(([path, body]) => {
      const text = String(body);
      if (path.endsWith(`companyfacts/CIK${CORRECTED}.json`)) return [path, correctedFacts(text)];
      if (path.endsWith(`prices/daily_json/${SPLIT.ticker}.json`) || path.endsWith(`companyfacts/CIK${SPLITTING}.json`))
        return [path, split(path, text)];
      if (path.includes('central-bank-text/')) return [path, text.replaceAll('has risen', 'has fallen')];
      return [path, path.includes('cftc/') ? repeatReports(text) : body];
    }),
  );
}

const IDENTITY_COLUMNS = 7;

function repeatReports(text: string): string {
  const [header = '', ...lines] = text.trimEnd().split('\n');
  const repeated = lines.map((line, index) => {
    const before = lines[index + 1];
    if (index % 20 !== 9 || before === undefined) return line;
    const [cells, earlier] = [line.split(','), before.split(',')];
    return cells[0] === earlier[0] ? [...cells.slice(0, IDENTITY_COLUMNS), ...earlier.slice(IDENTITY_COLUMNS)].join(',') : line;
  });
  return [header, ...repeated, ''].join('\n');
}

interface Print {
  readonly realtime_start: string;
  readonly realtime_end: string;
  readonly date: string;
  readonly value: string;
}

/** All real-time periods of a monthly index, as the API of FRED answers. */
export function priceIndex(code: string, seed: number): Files {
  const numbers = fc.sample(fc.noBias(fc.nat({ max: 999 })), { numRuns: 2000, seed });
  const chance = () => (numbers.pop() ?? 0) / 1000;
  const observations = Array.from(
    { length: 60 },
    (_, index) => `${2021 + Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}`,
  ).flatMap((month, index) => printsOf(month, 100 + index / 4, chance));
  const body = {
    realtime_start: '1776-07-04',
    realtime_end: '9999-12-31',
    units: 'lin',
    output_type: 1,
    file_type: 'json',
    order_by: 'observation_date',
    sort_order: 'asc',
    count: observations.length,
    offset: 0,
    limit: 100_000,
    observations,
  };
  return { [`fred-api/series_observations.${code}.all-realtime.json`]: JSON.stringify(body) };
}

function printsOf(month: string, level: number, chance: () => number): Print[] {
  const days = [addDays(lastDayOfMonth(month), 10 + Math.floor(5 * chance()))];
  while (chance() < 0.6) days.push(addDays(days.at(-1) ?? '', 20 + Math.floor(300 * chance())));
  return days
    .filter((day) => day < FIRST)
    .map((day, print, all) => {
      const next = all[print + 1];
      return {
        realtime_start: day,
        realtime_end: next === undefined ? '9999-12-31' : addDays(next, chance() < 0.1 ? -12 : -1),
        date: `${month}-01`,
        value: (level * (1 + 0.02 * (chance() - 0.5))).toFixed(3),
      };
    });
}
