// A panel of business days as Parquet, next to PostgreSQL, which looks up each day of each series. Both leave a file: no client takes part in the time.
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import { quote } from '../../src/db/connect.ts';
import { type Lake, ownFolder } from '../generate.ts';
import { compare, type Peer, type Plan, planFor, quantile } from '../measure.ts';
import { openPostgres, type Postgres } from '../peers/postgres.ts';
import type { Group } from '../figures.ts';
import { openPlain, openServed } from '../subject.ts';
import { asof, type Server } from './http.ts';

const FACTORS = 10;
const COUNTRIES = 40;
const [FROM, TO] = ['2005-01-01', '2024-12-31'];
const PLAN: Plan = { questions: 1, rounds: 3, asksPerRound: 1, secondsPerRound: 600, concurrency: 1, isWarm: true };
const POSTGRES = 'PostgreSQL, lateral a day';

interface Asked {
  readonly factors: readonly string[];
  readonly countries: readonly string[];
}

export async function panel(lake: Lake): Promise<Group> {
  const asked = await askedOf(lake);
  const postgres = await openPostgres(lake);
  if (typeof postgres === 'string') process.stderr.write(`${postgres}\n`);
  const server = await asof(lake);
  const plain = await openPlain(lake);
  const folder = await ownFolder();
  try {
    const { resident } = server.memory();
    const files = { dated: join(folder, 'dated.parquet'), changes: join(folder, 'changes.parquet') };
    const own = throughHttp(server, pathOf(asked, 'business_day'), files.dated);
    const peers: readonly Peer[] = [
      { name: 'asof, Parquet', ...own, answer: async () => own.ask().then(() => checksumOf(plain.connection, parquetOf(files.dated))) },
      ...(typeof postgres === 'string' ? [] : [throughPostgres(postgres, asked, plain.connection)]),
    ];
    const figures = await compare(peers, planFor(lake, PLAN), 1);
    const { peak } = server.memory();
    const { rows } = await checksumOf(plain.connection, parquetOf(files.dated));
    const changes = await changesMeasured(server, asked, files, plain.connection);
    return {
      name: 'panel',
      of: `${asked.factors.length} factors of ${asked.countries.length} countries on each business day of 20 years, ${String(rows)} rows`,
      figures,
      measures: [
        { name: 'time', value: (figures[0]?.p50Ms ?? Number.NaN) / 1000, unit: 's' },
        { name: 'memory above rest', value: Math.max(0, peak - resident), unit: 'MB' },
        ...changes,
      ],
      absent: typeof postgres === 'string' ? [POSTGRES] : [],
      serverPeakMemoryMb: await server.stop(),
    };
  } finally {
    plain.close();
    if (typeof postgres !== 'string') await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function askedOf(lake: Lake): Promise<Asked> {
  const reader = await openServed(lake);
  const { series } = reader.catalogue;
  reader.close();
  const distinct = (values: readonly (string | null)[]) => [...new Set(values.flatMap((value) => value ?? []))].toSorted();
  const national = series.filter(({ isNational }) => isNational);
  return {
    factors: distinct(national.map(({ canonicalId }) => canonicalId)).slice(0, FACTORS),
    countries: distinct(national.map(({ country }) => country)).slice(0, COUNTRIES),
  };
}

const pathOf = ({ factors, countries }: Asked, every: string) =>
  `/panels?factor=${factors.join(',')}&country=${countries.join(',')}&from=${FROM}&to=${TO}&every=${every}&format=parquet`;

function throughHttp(server: Server, path: string, file: string): Pick<Peer, 'cpuMs'> & { readonly ask: () => Promise<void> } {
  return { ask: () => server.download(path, (body) => pipeline(body, createWriteStream(file))), cpuMs: server.cpuMs };
}

const parquetOf = (file: string) =>
  `(select date, factor, entityId as entity, period, value, vintage, observedAt as observed_at from read_parquet(${quote(file)}))`;

/** A period is known only after its end, which bounds the look-up of its index. */
const LATERAL = `
  select days.day, series.canonical_id, series.entity_id, series.indicator_id, series.unit, series.source_id, series.source_tier, found.*
  from (
    select day::date as day, (day + interval '1 day' - interval '1 millisecond') at time zone 'UTC' as at
    from generate_series(timestamp '${FROM}', timestamp '${TO}', interval '1 day') as days (day)
    where extract(isodow from day) < 6
  ) as days
  cross join series
  cross join lateral (
    select period, period_end, value, vintage, observed_at, release_no, is_revised from vintages
    where vintages.series_no = series.series_no and period_end <= days.day and observed_at <= days.at
      and (known_to is null or known_to > days.at) and value is not null
    order by period_end desc, observed_at desc limit 1
  ) as found`;

function throughPostgres(postgres: Postgres, { factors, countries }: Asked, connection: DuckDBConnection): Peer {
  const file = join(postgres.socket, 'panel.csv');
  const listed = (values: readonly string[]) => values.map(quote).join(', ');
  const named = `where series.canonical_id in (${listed(factors)}) and series.country in (${listed(countries)})`;
  const sorted = 'order by days.day, series.canonical_id, series.entity_id';
  const ask = () => postgres.run(`copy (${LATERAL} ${named} ${sorted}) to ${quote(file)} (format csv)`);
  const names = 'date factor entity indicator unit source tier period period_end value vintage observed_at release_no is_revised'.split(
    ' ',
  );
  const types = new Map([
    ['date', 'date'],
    ['value', 'double'],
    ['observed_at', 'timestamptz'],
  ]);
  const columns = names.map((name) => `${quote(name)}: ${quote(types.get(name) ?? 'varchar')}`).join(', ');
  return {
    name: POSTGRES,
    ask,
    answer: async () => {
      await ask();
      return checksumOf(connection, `read_csv(${quote(file)}, header = false, columns = {${columns}})`);
    },
    cpuMs: async () => postgres.cpuMs(),
  };
}

/** Sums that change if a row is missing, or if its place, its value or its vintage differs. */
async function checksumOf(connection: DuckDBConnection, source: string) {
  const found = await connection.runAndReadAll(`
    select count(*), sum(round(value * 1000)::hugeint * (date - date '1970-01-01')), sum(hash(date, factor, entity, period, vintage)::hugeint),
      sum(epoch_ms(observed_at)::hugeint)
    from ${source}`);
  const [rows, values, places, instants] = found.getRows()[0] ?? [];
  return { rows, values, places, instants };
}

const CHANGES_ASKED = 5;

/** The same panel as changes, compared with its dates: the last change of each is its row. */
async function changesMeasured(
  server: Server,
  asked: Asked,
  files: { readonly dated: string; readonly changes: string },
  connection: DuckDBConnection,
): Promise<Group['measures'] & object> {
  const { ask } = throughHttp(server, pathOf(asked, 'change'), files.changes);
  const seconds: number[] = [];
  for (let number = 0; number <= CHANGES_ASKED; number += 1) {
    const began = performance.now();
    await ask();
    // The first one warms up.
    if (number > 0) seconds.push((performance.now() - began) / 1000);
  }
  const found = await connection.runAndReadAll(`
    select count(*) filter (changes.observationId is distinct from dated.observationId), (select count(*) from read_parquet(${quote(files.changes)}))
    from read_parquet(${quote(files.dated)}) as dated
    asof left join read_parquet(${quote(files.changes)}) as changes
    on changes.factor = dated.factor and changes.entityId = dated.entityId and changes.asOf <= dated.asOf`);
  const [different, rows] = found.getRows()[0] ?? [];
  if (different !== 0n) throw new Error(`${String(different)} rows of the panel differ from the last change before them`);
  return [
    { name: 'every=change: time', value: quantile(seconds, 0.5), unit: 's' },
    { name: 'every=change: rows', value: Number(rows), unit: 'rows' },
  ];
}
