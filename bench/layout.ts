// tsx bench/layout.ts [rows]: the cost of layouts of the published vintages, each variant in a process of its own. It is not part of
// `npm run bench`: it decided the layout, and you can run it again if the choice is in doubt.
import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { quote } from '../src/db/connect.ts';
import { generatedLake, type Lake } from './generate.ts';
import { drawn, quantile } from './measure.ts';
import { SIZES } from './sizes.ts';
import { filesOf, manifestOf } from './subject.ts';

const ROW_GROUPS = [2048, 16_384, 65_536, 122_880] as const;
const VARIANTS = [
  ...ROW_GROUPS.map((size) => `parquet ${size}`),
  'parquet 16384 uncached',
  'memory table',
  'memory compressed',
  'duckdb file',
];
const ASKS = 60;

const FEW = 'series_no, period_end, value, observed_at';
const MANY = 'series_no, period, period_end, value, vintage, observed_at, released_at, retrieved_at, is_revised, release_no, id_hash';
const IN_FORCE = 'observed_at <= $2::timestamptz and (known_to is null or known_to > $2::timestamptz)';

const READS = {
  'as-of, 11 columns': `select ${MANY} from vintages where series_no between $1 and $1 and ${IN_FORCE} order by period_end desc limit 100`,
  'as-of, 4 columns': `select ${FEW} from vintages where series_no between $1 and $1 and ${IN_FORCE} order by period_end desc limit 100`,
  'as-of, in (list)': `select ${MANY} from vintages where series_no in (select unnest([$1::bigint])) and ${IN_FORCE} order by period_end desc limit 100`,
  'newest of 200 series': `select series_no, max(period_end) from vintages where series_no in (from chosen) and ${IN_FORCE} and $1 > 0 group by all`,
  'newest of all series': `select series_no, max(period_end) from vintages where ${IN_FORCE} and $1 > 0 group by all`,
} as const;

async function rewritten(lake: Lake, rowGroup: number): Promise<string> {
  const folder = join(lake.dataDir, `row-group-${rowGroup}`);
  if (existsSync(folder)) return folder;
  const partial = `${folder}.partial`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true });
  const { connection, close } = await engine();
  const manifest = await manifestOf(lake);
  for (const { path } of manifest.resources.filter((resource) => resource.table === 'vintages')) {
    const to = join(partial, path.replace('files/', ''));
    await connection.run(
      `copy (from read_parquet(${quote(join(lake.paths.root, path))})) to ${quote(to)} (format parquet, compression zstd, row_group_size ${rowGroup})`,
    );
  }
  close();
  await rename(partial, folder);
  return folder;
}

async function engine(): Promise<{ connection: DuckDBConnection; close: () => void }> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '2' });
  const connection = await instance.connect();
  await connection.run("set TimeZone = 'UTC'; set preserve_insertion_order = true");
  return {
    connection,
    close: () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

async function open(connection: DuckDBConnection, lake: Lake, variant: string): Promise<void> {
  const [kind, rowGroup] = variant.split(' ');
  const parquet = `read_parquet([${filesOf(lake, await manifestOf(lake), 'vintages')}])`;
  if (kind === 'parquet') {
    if (!variant.endsWith('uncached')) await connection.run('set parquet_metadata_cache = true');
    await connection.run(
      `create view vintages as from read_parquet(${quote(join(lake.dataDir, `row-group-${Number(rowGroup)}`, '*.parquet'))})`,
    );
  } else if (variant === 'memory table') {
    await connection.run(`create table vintages as from ${parquet}`);
  } else {
    const file = join(lake.dataDir, 'layout.duckdb');
    await rm(file, { force: true });
    await connection.run(variant === 'duckdb file' ? `attach ${quote(file)} as held` : "attach ':memory:' as held (compress)");
    await connection.run('use held');
    await connection.run(`create table vintages as from ${parquet}`);
    await connection.run('checkpoint held');
  }
}

async function measure(lake: Lake, variant: string): Promise<Record<string, number>> {
  const { connection } = await engine();
  const began = performance.now();
  await open(connection, lake, variant);
  const figures: Record<string, number> = { 'open s': (performance.now() - began) / 1000 };
  figures['open MB'] = process.memoryUsage().rss / 1e6;
  await connection.run("set memory_limit = '600MB'").catch(() => undefined);
  const series = (await connection.runAndReadAll('select distinct series_no from vintages order by all'))
    .getRows()
    .map(([no]) => Number(no));
  const chosen = series.filter((_, place) => place % 10 < 2).slice(0, 200);
  await connection.run(`create temp table chosen as select unnest([${chosen.join(', ')}]) as series_no`);
  for (const [name, sql] of Object.entries(READS)) {
    const statement = await connection.prepare(sql);
    const places = drawn(3, series.length);
    const times: number[] = [];
    for (let ask = 0; ask < ASKS + 5; ask += 1) {
      const asked = performance.now();
      statement.bind([series[places.next().value] ?? 0, `${1990 + (ask % 30)}-06-28T00:00:00Z`]);
      (await statement.runAndReadAll()).getRows();
      if (ask >= 5) times.push(performance.now() - asked);
    }
    figures[name] = quantile(times, 0.5);
  }
  figures['peak MB'] = process.resourceUsage().maxRSS / 1024;
  if (variant === 'duckdb file') figures['file MB'] = (await stat(join(lake.dataDir, 'layout.duckdb'))).size / 1e6;
  return figures;
}

const [rows = String(SIZES.medium), variant] = process.argv.slice(2);
const lake = await generatedLake(Number(rows), () => undefined);
if (variant === undefined) {
  for (const size of ROW_GROUPS) await rewritten(lake, size);
  for (const one of VARIANTS) {
    const child = fork(new URL(import.meta.url), [rows, one], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    await new Promise((resolve) => child.on('exit', resolve));
  }
} else {
  const figures = Object.entries(await measure(lake, variant)).map(([name, value]) => `${name} ${value.toFixed(value < 10 ? 2 : 0)}`);
  process.stdout.write(`${variant.padEnd(22)} ${figures.join('  ')}\n`);
  process.exit(0);
}
