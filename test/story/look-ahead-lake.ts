// A lake in which much becomes known twice: the sample as of two days, between them corrected reports and texts and a new lexicon; and two price
// indices of which each month is revised by itself and now and then withdrawn.
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import * as fc from 'fast-check';
import { z } from 'zod';
import type { SampleFile } from '../../jobs/sample/days.ts';
import { samplePayloads } from '../../jobs/sample/index.ts';
import { addDays, lastDayOfMonth } from '../../src/model/period.ts';
import type { Step } from '../../src/snapshot/relations.ts';
import { type Files, openPipeline, type Pipeline } from '../pipeline.ts';
import { isLong } from '../suite.ts';

const FIRST = '2026-03-02T08:00:00.000Z';
const SECOND = '2026-06-18T08:00:00.000Z';
const LEXICON_RELEASED = '2026-05-01T00:00:00.000Z';

export interface TwiceToldLake {
  readonly pipeline: Pipeline;
  /** The same lake built by other steps, published. */
  readonly builtBy: (steps: readonly Step[]) => Promise<Pipeline>;
  readonly remove: () => Promise<void>;
}

export async function openTwiceToldLake(): Promise<TwiceToldLake> {
  const referenceDir = await mkdtemp(join(tmpdir(), 'asof-reference-'));
  await cp(resolve(import.meta.dirname, '../../data/reference'), referenceDir, { recursive: true });
  await releaseLexicon(referenceDir);
  const pipeline = await openPipeline({ referenceDir });
  await pipeline.ingest({ ...sampleOf(FIRST), ...priceIndex('PCEPILFE', 3), ...priceIndex('CPIAUCSL', 4) }, FIRST);
  await pipeline.ingest(corrected({ ...documentsOf(sampleOf(FIRST)), ...sampleOf(SECOND) }), SECOND);
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

/** Left out because no derived indicator reads them: the lake of each drawn moment is built anew. */
const UNREAD = /\/(?:ecb-eurofxref|world-bank|us-census)\//;
/** Where time is short: what only forecasts or the calendar read, and statements of more banks than two; each source costs by itself. */
const LEFT_OUT = /\/(?:dg-ecfin-bcs|oecd|calendars|central-bank-text\/(?:boe|rba|communications_|meeting_))|\/release_dates\./;

function sampleOf(at: string): Files {
  const files = [...samplePayloads(Date.parse(at))].filter(({ path }) => !UNREAD.test(path) && (isLong || !LEFT_OUT.test(path)));
  return Object.fromEntries(files.map(({ path, body }) => [path, isLong ? body : narrowed(path, body)]));
}

/** Inputs of derived indicators, and one series that is only forecast. */
const COLUMNS = /^(?:sasdate|Transform:|RETAILx|INDPRO|UNRATE|PAYEMS|AMDMNOx|M2SL|FEDFUNDS|WPSFD49207|CPIAUCSL|PCEPI)$/;
const CONTRACTS = 2;

/** The columns of FRED-MD that are asked for, and the first contracts of a report of traders. */
function narrowed(path: string, body: SampleFile['body']): SampleFile['body'] {
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

/** Texts that say the opposite, and every twentieth report of traders with the positions of the one before it. */
function corrected(files: Files): Files {
  return Object.fromEntries(
    Object.entries(files).map(([path, body]) => {
      const text = String(body);
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
