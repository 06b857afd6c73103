// A million rows in one answer (a quarter of them in a small lake), as Arrow and as Parquet, next to DuckDB's COPY of the same rows from the published files.
import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import { RecordBatchReader } from 'apache-arrow';
import { quote } from '../../src/db/connect.ts';
import { type Lake, ownFolder } from '../generate.ts';
import { compare, type Peer, type Plan } from '../measure.ts';
import { ABSENT, openToArrow, type ToArrow } from '../peers/to-arrow.ts';
import type { Group } from '../figures.ts';
import { SIZES } from '../sizes.ts';
import { manifestOf, openPlain, type Plain, SERVER_MEMORY, viewsOf } from '../subject.ts';
import { asof, type Server } from './http.ts';

const MOST_ROWS = 1_000_000;
const PLAN: Plan = { questions: 1, rounds: 3, asksPerRound: 1, secondsPerRound: 600, concurrency: 1, isWarm: true };

export async function bulk(lake: Lake): Promise<Group> {
  const server = await asof(lake);
  const plain = await openPlain(lake);
  const folder = await ownFolder();
  const python = openToArrow(SERVER_MEMORY);
  const { vintages } = (await manifestOf(lake)).counts;
  const rows = lake.vintages > SIZES.small ? Math.min(MOST_ROWS, vintages) : Math.floor(vintages / 4);
  try {
    const hasArrow = await canWriteArrow(plain.connection);
    for (const view of await viewsOf(lake)) await python?.write(view, null);
    const peers = [
      throughHttp(server, 'arrow', { plain, folder, rows }),
      throughHttp(server, 'parquet', { plain, folder, rows }),
      byCopy('parquet', { plain, folder, rows }),
      ...(hasArrow ? [byCopy('arrow', { plain, folder, rows })] : []),
      ...(python === null ? [] : [byPython(python, { folder, rows })]),
    ];
    const figures = await compare(peers, { ...PLAN, rounds: lake.vintages > SIZES.small ? PLAN.rounds : 1 }, 1);
    return {
      name: 'bulk',
      of: `${rows} rows of all series in one answer`,
      figures,
      measures: figures.map(({ peer, p50Ms }) => ({ name: `${peer}: rows/s`, value: rows / (p50Ms / 1000), unit: 'rows/s' })),
      absent: [...(hasArrow ? [] : [COPIED.arrow]), ...(python === null ? [ABSENT] : [])],
      serverPeakMemoryMb: await server.stop(),
    };
  } finally {
    python?.stop();
    plain.close();
    await rm(folder, { recursive: true, force: true });
  }
}

const SENT = { arrow: 'asof, Arrow', parquet: 'asof, Parquet' } as const;
const COPIED = { arrow: 'DuckDB, COPY to Arrow', parquet: 'DuckDB, COPY to Parquet' } as const;
type Form = keyof typeof SENT;

interface Transfer {
  readonly plain: Plain;
  readonly folder: string;
  readonly rows: number;
}

function throughHttp(server: Server, form: Form, { plain, folder, rows }: Transfer): Peer {
  const path = `/observations?vintage=all&sort=period_end&format=${form}&limit=${rows}`;
  return {
    name: SENT[form],
    ask: () =>
      server.download(path, async (body) => {
        for await (const part of body) void part;
      }),
    answer: () =>
      server.download(path, async (body) => {
        if (form === 'arrow') return checksumOfArrow(body);
        const file = join(folder, 'sent.parquet');
        await pipeline(body, createWriteStream(file));
        return checksumOf(plain.connection, `read_parquet(${quote(file)})`);
      }),
    cpuMs: server.cpuMs,
  };
}

/** The fields in both the answer and the published files: all except those judged at the time of the request. */
const copied = (rows: number) => `
  select
    id_hash as observationId, indicator_id as indicatorId, indicator_name as indicatorName, category, sub_category as subCategory,
    factor_hint as factorHint, country, entity_id as entityId, currency, source_id as sourceId, provider,
    strftime(released_at, '%Y-%m-%d') as releaseDate, period, strftime(period_end, '%Y-%m-%d') as periodEnd, value as actual, unit, frequency, importance,
    strftime(observed_at, '%Y-%m-%dT%H:%M:%S.%gZ') as observedAt, strftime(retrieved_at, '%Y-%m-%dT%H:%M:%S.%gZ') as retrievedAt, is_revised as revised,
    vintage, source_url as sourceUrl, attribution, source_tier as sourceTier, ceased_final_period as ceasedFinalPeriod,
    successor_indicator_id as successorIndicatorId, factor_key as factorKey, comparison_basis as comparisonBasis, derived_from as derivedFrom,
    license, rights_note as rightsNote, is_redistributable as isRedistributable
  from vintages inner join series using (series_no)
  order by vintages.period_end, vintages.observed_at, vintages.id_hash limit ${rows}`;

function byCopy(form: Form, { plain: { connection }, folder, rows }: Transfer): Peer {
  const file = join(folder, `copied.${form}`);
  const to = form === 'arrow' ? 'format arrows' : 'format parquet, compression zstd';
  const ask = () => connection.run(`copy (${copied(rows)}) to ${quote(file)} (${to})`);
  return {
    name: COPIED[form],
    ask,
    answer: async () => {
      await ask();
      return checksumOf(connection, form === 'arrow' ? `read_arrow(${quote(file)})` : `read_parquet(${quote(file)})`);
    },
  };
}

function byPython(python: ToArrow, { folder, rows }: Omit<Transfer, 'plain'>): Peer {
  const file = join(folder, 'copied-by-python.arrow');
  const ask = () => python.write(copied(rows), file);
  return {
    name: 'DuckDB, Python, to Arrow',
    ask,
    answer: async () => {
      await ask();
      return checksumOfArrow(createReadStream(file));
    },
  };
}

/** True if the extension that writes Arrow is or can be installed. */
async function canWriteArrow(connection: DuckDBConnection): Promise<boolean> {
  try {
    await connection.run('install nanoarrow from community');
    await connection.run('load nanoarrow');
    return true;
  } catch {
    process.stderr.write(`${COPIED.arrow} is absent: the extension nanoarrow can neither be found nor installed.\n`);
    return false;
  }
}

/** Sums that change if a row is missing, or if a value, its period, its knowledge time or its owner differs. */
interface Checksum {
  readonly rows: bigint;
  readonly missing: bigint;
  readonly values: bigint;
  readonly weighted: bigint;
  readonly instants: bigint;
}

async function checksumOf(connection: DuckDBConnection, source: string): Promise<Checksum> {
  const found = await connection.runAndReadAll(`
    select
      count(*)::hugeint, (count(*) - count(actual))::hugeint, sum(round(actual * 1000)::hugeint),
      sum(round(actual * 1000)::hugeint * replace(period, '-', '')::integer), sum(epoch_ms(observedAt::timestamptz)::hugeint)
    from ${source}`);
  const [rows = 0n, missing = 0n, values = 0n, weighted = 0n, instants = 0n] = (found.getRows()[0] ?? []) as bigint[];
  return { rows, missing, values, weighted, instants };
}

export async function checksumOfArrow(body: Readable): Promise<Checksum> {
  let [rows, missing, values, weighted, instants] = [0n, 0n, 0n, 0n, 0n];
  for await (const batch of await RecordBatchReader.from(body)) {
    const [actual, period, observedAt] = ['actual', 'period', 'observedAt'].map((name) => batch.getChild(name));
    for (let row = 0; row < batch.numRows; row += 1) {
      const value: unknown = actual?.get(row);
      rows += 1n;
      instants += BigInt(millisecondsOf(observedAt?.get(row)));
      if (value === null) missing += 1n;
      else {
        const scaled = BigInt(Math.round(Number(value) * 1000));
        values += scaled;
        weighted += scaled * BigInt(String(period?.get(row)).replaceAll('-', ''));
      }
    }
  }
  return { rows, missing, values, weighted, instants };
}

/** A typed instant, or the text that the peers copy. */
const millisecondsOf = (value: unknown) => (typeof value === 'string' ? Date.parse(value) : Math.floor(Number(value)));
