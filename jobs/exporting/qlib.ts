// Statements of companies as a folder of Qlib, with a point-in-time store: each figure with the days on which it became known.
import { mkdir, readdir, rename, rmdir, writeFile } from 'node:fs/promises';
import { readdirSync, rmdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { z } from 'zod';
import { type EngineLimits, openWriter } from '../../src/db/connect.ts';
import { parquetFiles } from '../../src/db/files.ts';
import { sqlText } from '../../src/db/query.ts';
import { snakeCase } from '../../src/db/rows.ts';
import { ifThere } from '../../src/disk/if-there.ts';
import { onInterruption, uninterrupted } from '../../src/disk/interruption.ts';
import { openScratch } from '../../src/disk/scratch.ts';
import { KnownError } from '../../src/known-error.ts';
import { groupBy } from '../../src/model/catalogue.ts';
import { STATEMENT_KEYS } from '../../src/model/company.ts';
import { tablesOf } from '../../src/snapshot/build/named-files.ts';
import { thereIsNo } from '../reporting/words.ts';
import { currentOf } from './current.ts';
import { changesOf, type Kind, pitFiles } from './pit.ts';

export interface QlibAsked {
  readonly dataDir: string;
  /** The folder to write: new, empty, or an earlier export. */
  readonly folder: string;
  /** Names of figures in snake_case; null: all. */
  readonly fields: readonly string[] | null;
  readonly cut: Cut;
  readonly limits: EngineLimits;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly onProgress: (done: number, total: number) => void;
}

/** The time of day, inclusive, up to which something is known on that day. */
export interface Cut {
  readonly time: string;
  readonly zone: string;
}

export const END_OF_DAY: Cut = { time: '23:59:59.999', zone: 'UTC' };

/** `16:00 America/New_York`. Throws a KnownError for anything else. */
export function cutOf(text: string): Cut {
  const [, time = '', zone = ''] = /^((?:[01]\d|2[0-3]):[0-5]\d) ([A-Za-z][A-Za-z0-9_+\-/]*)$/.exec(text) ?? [];
  if (!isZone(zone))
    throw new KnownError(`--at ${JSON.stringify(text)} is not an hour with its time zone. Write for example '16:00 America/New_York'.`);
  return { time, zone };
}

function isZone(zone: string): boolean {
  try {
    return zone !== '' && Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

export interface QlibExport {
  readonly folder: string;
  readonly snapshotId: string;
  readonly companies: number;
  readonly fields: number;
  readonly changes: number;
  readonly from: string;
  readonly to: string;
}

/** The file that marks a folder as an export. It lists the companies, and has the cut and the snapshot. */
const ABOUT = 'asof.json';

const FIELDS = new Map(
  Object.values(STATEMENT_KEYS)
    .flat()
    .map((key) => [snakeCase(key), key] as const),
);

/** Throws a KnownError if the folder holds something else, or if nothing is published. */
export async function exportQlib(asked: QlibAsked): Promise<QlibExport> {
  const keys = keysOf(asked.fields);
  const { folder } = asked;
  await refuseOther(folder);
  // Each export has a part of this folder, which a killed one leaves to the next.
  const parts = join(dirname(folder), `.${basename(folder)}.partial`);
  const scratch = await openScratch(parts, asked.now);
  const forget = onInterruption(() => {
    rmSync(scratch.path, { recursive: true, force: true });
    if (readdirSync(parts).length === 0) rmdirSync(parts);
  });
  try {
    const partial = join(scratch.path, 'new');
    await mkdir(partial);
    const written = await write(asked, keys, partial);
    // An earlier export is moved away first: a folder is never a mixture of two.
    const old = join(scratch.path, 'old');
    await uninterrupted(async () => {
      await ifThere(rename(folder, old));
      await rename(partial, folder).catch(async (error: unknown) => {
        await ifThere(rename(old, folder));
        throw error;
      });
    });
    return { folder, ...written };
  } finally {
    forget();
    await scratch.remove();
    // Another export may still have a part.
    await rmdir(parts).catch(() => undefined);
  }
}

function keysOf(fields: readonly string[] | null): ReadonlySet<string> {
  return new Set(
    (fields ?? [...FIELDS.keys()]).map((name) => {
      const key = FIELDS.get(name);
      if (key === undefined) throw new KnownError(thereIsNo('field', name, [...FIELDS.keys()]));
      return key;
    }),
  );
}

async function refuseOther(folder: string): Promise<void> {
  const names = (await ifThere(readdir(folder))) ?? [];
  if (names.length > 0 && !names.includes(ABOUT))
    throw new KnownError(`${folder} holds files that are not of an export. Name a new folder, and copy its folder financial from there.`);
}

const Filer = z.object({ company_id: z.string(), cik: z.string(), ticker: z.string().nullable(), name: z.string() });

const SpanRow = z.object({
  key: z.string(),
  kind: z.enum(['q', 'a']),
  period: z.int(),
  from_day: z.string(),
  to_day: z.string(),
  value: z.number(),
  currency: z.string(),
});
type SpanRow = z.infer<typeof SpanRow>;

interface Written {
  readonly symbol: string;
  readonly companyId: string;
  readonly cik: string;
  readonly name: string;
  readonly currencies: readonly string[];
  readonly from: string;
  readonly fields: number;
  readonly changes: number;
}

async function write(
  { dataDir, cut, limits, onProgress }: QlibAsked,
  keys: ReadonlySet<string>,
  root: string,
): Promise<Omit<QlibExport, 'folder'>> {
  const { paths, manifest } = await currentOf(dataDir);
  const { snapshotId, knowledgeCutoff } = manifest;
  const engine = await openWriter(limits);
  try {
    const { connection } = engine;
    await connection.run('create schema published');
    for (const { table, files } of tablesOf(paths, manifest))
      if (table === 'financial_statements' || table === 'companies')
        await connection.run(`create view published.${table} as from ${parquetFiles(files)}`);
    for (const name of ['splits/in_shares_of', 'exporting/known_on']) await connection.run(sqlText(`${name}.sql`));
    const lastDay = await dayOf(connection, knowledgeCutoff, cut);
    const filers = z.array(Filer).parse(await rowsOf(connection, sqlText('exporting/filers.sql'), {}));
    const symbols = symbolsOf(filers);
    const companies: Written[] = [];
    for (const [index, filer] of filers.entries()) {
      onProgress(index, filers.length);
      const symbol = symbols.get(filer.company_id) ?? '';
      const found = await rowsOf(connection, sqlText('exporting/statement_spans.sql'), {
        company_id: filer.company_id,
        zone: cut.zone,
        cut: cut.time,
      });
      const rows = z
        .array(SpanRow)
        .parse(found)
        .filter(({ key }) => keys.has(key));
      const written = await writeCompany(join(root, 'financial', folderOf(symbol)), rows, lastDay);
      if (written.changes > 0) companies.push({ symbol, companyId: filer.company_id, cik: filer.cik, name: filer.name, ...written });
    }
    if (companies.length === 0) throw new KnownError('The snapshot has no statements of these fields. Nothing was written.');
    const from = companies.map((one) => one.from).reduce((a, b) => (a < b ? a : b));
    await writeFrame(root, companies, { from, to: lastDay });
    const about = { snapshotId, knowledgeCutoff, from, to: lastDay, cut: `${cut.time} ${cut.zone}`, companies };
    await writeFile(join(root, ABOUT), `${JSON.stringify(about, null, 1)}\n`);
    const sum = (of: 'fields' | 'changes') => companies.reduce((total, one) => total + one[of], 0);
    return { snapshotId, companies: companies.length, fields: sum('fields'), changes: sum('changes'), from, to: lastDay };
  } finally {
    engine.close();
  }
}

/** The day on which everything in the snapshot is known. */
async function dayOf(connection: DuckDBConnection, knowledgeCutoff: string, cut: Cut): Promise<string> {
  const [row] = await rowsOf(connection, "select strftime(known_on($at::timestamptz, $zone, $cut::time), '%Y-%m-%d') as day", {
    at: knowledgeCutoff,
    zone: cut.zone,
    cut: cut.time,
  });
  return z.string().parse(row?.['day']);
}

async function rowsOf(connection: DuckDBConnection, sql: string, values: Readonly<Record<string, string>>) {
  return (await connection.runAndReadAll(sql, values)).getRowObjectsJS();
}

/** Texts that pandas, with which Qlib reads the list of instruments, takes for a missing value. */
const MISSING = new Set(['NA', 'NAN', 'NULL', 'N/A', '<NA>', 'NONE']);

/** The ticker of a company, else CIK and its number. No two have the same. */
function symbolsOf(filers: readonly z.infer<typeof Filer>[]): ReadonlyMap<string, string> {
  const used = new Set<string>();
  return new Map(
    filers.map(({ company_id: companyId, cik, ticker }) => {
      const isUsable = ticker !== null && /^[A-Z\d][A-Z\d.-]*$/.test(ticker) && !MISSING.has(ticker) && !used.has(ticker);
      const symbol = isUsable ? ticker : `CIK${cik}`;
      used.add(symbol);
      return [companyId, symbol];
    }),
  );
}

/** Names of devices on Windows. Qlib looks for these symbols with a prefix. */
const DEVICE = /^(?:CON|PRN|AUX|NUL|COM\d|LPT\d)$/;

const folderOf = (symbol: string): string => (DEVICE.test(symbol) ? `_qlib_${symbol}` : symbol).toLowerCase();

async function writeCompany(
  folder: string,
  rows: readonly SpanRow[],
  lastDay: string,
): Promise<Pick<Written, 'from' | 'fields' | 'changes' | 'currencies'>> {
  let [from, fields, changes] = [lastDay, 0, 0];
  for (const [name, own] of groupBy(rows, ({ key, kind }) => `${snakeCase(key)}_${kind}`)) {
    const spans = own.map(({ period, from_day: fromDay, to_day: toDay, value }) => ({ period, fromDay, toDay, value }));
    const of = changesOf(spans, lastDay);
    const [first] = of;
    if (first === undefined) continue;
    const { data, index } = pitFiles(of, kindOf(name));
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, `${name}.data`), data);
    await writeFile(join(folder, `${name}.index`), index);
    from = first.day < from ? first.day : from;
    fields += 1;
    changes += of.length;
  }
  return { from, fields, changes, currencies: [...new Set(rows.map(({ currency }) => currency))].toSorted() };
}

const kindOf = (name: string): Kind => (name.endsWith('_a') ? 'a' : 'q');

/** The calendar, Monday to Friday, and the list of instruments, without which Qlib does not start. */
async function writeFrame(
  root: string,
  companies: readonly Written[],
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  await mkdir(join(root, 'calendars'));
  await mkdir(join(root, 'instruments'));
  await writeFile(
    join(root, 'calendars', 'day.txt'),
    weekdays(from, to)
      .map((day) => `${day}\n`)
      .join(''),
  );
  const lines = companies.map((one) => `${one.symbol}\t${one.from}\t${to}\n`);
  await writeFile(join(root, 'instruments', 'all.txt'), lines.join(''));
}

const DAY_MS = 86_400_000;

function weekdays(from: string, to: string): string[] {
  const days: string[] = [];
  for (let at = Date.parse(from); at <= Date.parse(to); at += DAY_MS) {
    const day = new Date(at);
    if (day.getUTCDay() % 6 !== 0) days.push(day.toISOString().slice(0, 10));
  }
  return days;
}
