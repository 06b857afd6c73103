// Saved measurements: one file per run in bench/results, and a picture of the newest of each size.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { version as duckdbVersion } from '@duckdb/node-api';
import type { GroupName, MeasuredGroup, Report, RunConditions } from './figures.ts';
import { writePage } from './page.ts';
import { drawn } from './peers/chart.ts';
import { clickhouseVersion } from './peers/clickhouse.ts';
import { postgresVersion } from './peers/postgres.ts';
import { SIZES } from './sizes.ts';

const RESULTS = resolve(import.meta.dirname, 'results');

export async function runConditions(now: Date): Promise<RunConditions> {
  const [processor] = cpus();
  return {
    measuredAt: now.toISOString(),
    commit: await commitOf(),
    machine: { cores: cpus().length, memoryGb: Math.round(totalmem() / 2 ** 30), cpu: processor?.model.trim() ?? 'unknown' },
    versions: {
      Node: process.versions.node,
      DuckDB: duckdbVersion().replace(/^v/, ''),
      PostgreSQL: await postgresVersion(),
      ClickHouse: clickhouseVersion(),
    },
  };
}

async function commitOf(): Promise<string | null> {
  const git = async (...parameters: string[]) => (await promisify(execFile)('git', parameters, { cwd: import.meta.dirname })).stdout.trim();
  try {
    return `${await git('rev-parse', '--short=12', 'HEAD')}${(await git('status', '--porcelain', '--untracked-files=no')) === '' ? '' : ' and changes'}`;
  } catch {
    return null;
  }
}

/** The saved reports, oldest first. */
export async function readResults(folder = RESULTS): Promise<readonly Report[]> {
  if (!existsSync(folder)) return [];
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).toSorted();
  return Promise.all(names.map(async (name) => JSON.parse(await readFile(join(folder, name), 'utf8')) as Report));
}

/** Saves the report, redraws the picture and writes the page of results; returns the written files. */
export async function keepResult(report: Report, folder = RESULTS): Promise<readonly string[]> {
  await mkdir(folder, { recursive: true });
  const file = join(folder, `${report.measuredAt.replaceAll(/[-:]|\.\d+/g, '')}-${report.vintages}.json`);
  await writeFile(file, `${JSON.stringify(report, null, 2)}\n`);
  const reports = await readResults(folder);
  const page = await writePage(reports);
  const svg = await drawn(reports);
  if (svg === null) return [file, page];
  const picture = join(folder, 'growth.svg');
  await writeFile(picture, svg);
  return [file, picture, page];
}

const SCREENS: GroupName = 'screener-as-of';
const GROWTH = { from: SIZES.medium, to: SIZES.large };

/** The report with results that need two sizes on the same machine: whether a screen costs more per series in a larger lake. */
export function withGrowth(report: Report, earlier: readonly Report[]): Report {
  const ofThisMachine = [...earlier, report].filter(({ machine }) => JSON.stringify(machine) === JSON.stringify(report.machine));
  const costAt = (vintages: number) => {
    const group = ofThisMachine
      .filter((one) => one.vintages === vintages)
      .flatMap(({ groups }) => groups.filter(({ key }) => key === SCREENS))
      .at(-1);
    const p50 = group?.figures[0]?.p50Ms;
    // Series grow with vintages, so a screen over all entities covers ten times as many in a lake ten times as large.
    return p50 === undefined ? null : p50 / vintages;
  };
  const [small, large] = [costAt(GROWTH.from), costAt(GROWTH.to)];
  if (small === null || large === null) return report;
  const growth = { name: 'p50 of a series at 100 M ÷ at 10 M', value: large / small, unit: '×' };
  const grown = (group: MeasuredGroup): MeasuredGroup =>
    group.key === SCREENS ? { ...group, measures: [...(group.measures ?? []), growth] } : group;
  return { ...report, groups: report.groups.map(grown) };
}
