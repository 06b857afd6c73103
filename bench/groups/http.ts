// Reads through HTTP, each server in a process of its own on the loopback, with a bounded client in this one. A cold server answers no request twice.
import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { Agent, get, type RequestOptions } from 'node:http';
import type { Readable } from 'node:stream';
import { issueKey, keyFile } from '../../src/keys/key-store.ts';
import type { Lake } from '../generate.ts';
import { compare, drawn, type Figures, type Peer, type Plan, planFor } from '../measure.ts';
import { connect, openPostgres, type Postgres } from '../peers/postgres.ts';
import type { Group } from '../figures.ts';
import type { Order } from '../server.ts';
import { openServed } from '../subject.ts';
import { monthDrawn, PAGE_ROWS, type Question } from './reads.ts';

const MOST_CONNECTIONS = 8;
export const POSTGRES = 'PostgreSQL, Express';

export interface Server {
  readonly port: number;
  readonly fetch: (path: string) => Promise<string>;
  /** An answer too long for memory: `use` reads all of it. */
  readonly download: <Found>(path: string, use: (body: Readable) => Promise<Found>) => Promise<Found>;
  readonly cpuMs: () => Promise<number>;
  /** Megabytes in memory now. Until the next call, `peak` counts from here. */
  readonly memory: () => { readonly resident: number; readonly peak: number };
  readonly stop: () => Promise<number>;
}

export async function start(order: Order, key: string): Promise<Server> {
  const child = fork(new URL('../server.ts', import.meta.url), {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  child.send(order);
  const { port } = await told<{ readonly port: number }>(child);
  const { leave, ...client } = clientOf(port, key);
  return {
    port,
    ...client,
    cpuMs: async () => {
      child.send('cpu');
      return (await told<{ readonly cpuMs: number }>(child)).cpuMs;
    },
    memory: () => memoryOf(Number(child.pid)),
    stop: async () => {
      leave();
      child.send('stop');
      return (await told<{ readonly peakMb: number }>(child)).peakMb;
    },
  };
}

/** Sends requests to a loopback port, on as many connections as any plan has. */
export function clientOf(port: number, key: string): Pick<Server, 'fetch' | 'download'> & { readonly leave: () => void } {
  const agent = new Agent({ keepAlive: true, maxSockets: MOST_CONNECTIONS });
  const at = (path: string): RequestOptions => ({ agent, host: '127.0.0.1', port, path, headers: { 'x-api-key': key } });
  return {
    fetch: (path) => fetchText(at(path)),
    download: (path, use) => fetchBody(at(path), use),
    leave: () => agent.destroy(),
  };
}

/** Resident memory of a process and its peak since the last call, which Linux counts. */
function memoryOf(pid: number): { readonly resident: number; readonly peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const megabytes = (name: string) => Math.round(Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024);
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  return { resident: megabytes('VmRSS'), peak: megabytes('VmHWM') };
}

function told<Message>(child: ChildProcess): Promise<Message> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`the server ended with ${code}`));
    child.once('exit', ended);
    child.once('message', (message) => {
      child.off('exit', ended);
      resolve(message as Message);
    });
  });
}

function fetchText(options: RequestOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    get(options, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(parts).toString();
        if (response.statusCode === 200) resolve(text);
        else reject(new Error(`${response.statusCode}: ${text.slice(0, 300)}`));
      });
    }).on('error', reject);
  });
}

function fetchBody<Found>(options: RequestOptions, use: (body: Readable) => Promise<Found>): Promise<Found> {
  return new Promise((resolve, reject) => {
    get(options, (response) => {
      if (response.statusCode === 200) use(response).then(resolve, reject);
      else reject(new Error(`${response.statusCode} for ${options.path}`));
    }).on('error', reject);
  });
}

export async function asof(lake: Lake): Promise<Server> {
  return start({ kind: 'asof', dataDir: lake.dataDir }, await keyTo(lake));
}

/** A new key of the highest tier. */
export async function keyTo(lake: Lake): Promise<string> {
  return (await issueKey(keyFile(lake.dataDir), { scopes: ['data:read'], tier: 'full', label: 'bench' }, Date.now())).key;
}

/** The service, and PostgreSQL behind Express if it is available. */
interface Servers {
  readonly ours: Server;
  readonly theirs: { readonly server: Server; readonly postgres: Postgres } | null;
  /** Peak memory of the service. */
  readonly stop: () => Promise<number>;
}

export async function openServers(lake: Lake): Promise<Servers> {
  const ours = await asof(lake);
  const postgres = await openPostgres(lake);
  if (typeof postgres === 'string') {
    process.stderr.write(`${postgres}\n`);
    return { ours, theirs: null, stop: () => ours.stop() };
  }
  const server = await start({ kind: 'postgres', socket: postgres.socket, connections: MOST_CONNECTIONS }, 'none');
  return {
    ours,
    theirs: { server, postgres },
    stop: async () => {
      await server.stop();
      await postgres.stop();
      return ours.stop();
    },
  };
}

type Ask = (server: Server, number: number) => Promise<unknown>;

function peersOf(
  { ours, theirs }: Servers,
  asked: { readonly ask: Ask; readonly theirAsk: Ask; readonly answer?: (found: unknown) => unknown },
): Peer[] {
  const { ask, theirAsk, answer } = asked;
  const peer = (name: string, server: Server, own: Ask, cpuMs: () => Promise<number>): Peer => ({
    name,
    ask: (number) => own(server, number),
    ...(answer === undefined ? {} : { answer: async (number) => answer(await own(server, number)) }),
    cpuMs,
  });
  return [
    peer('asof', ours, ask, ours.cpuMs),
    ...(theirs === null
      ? []
      : [peer(POSTGRES, theirs.server, theirAsk, async () => (await theirs.server.cpuMs()) + theirs.postgres.cpuMs())]),
  ];
}

/** The same page again: the cost of the service beyond Express sending a text of that size. */
export async function hotReads(lake: Lake): Promise<Group> {
  const reader = await openServed(lake);
  const [series] = reader.catalogue.series;
  reader.close();
  if (series === undefined) throw new Error('the lake has no series');
  const service = await asof(lake);
  const path = pathOf({ series, asOf: null });
  // Cached from the second request on, with its cursor.
  await service.fetch(path);
  const body = await service.fetch(path);
  const peers = [
    { name: 'asof', server: service, path },
    { name: 'Express, dressed', server: await start({ kind: 'dressed', body }, 'none'), path: '/page' },
    { name: 'Express, bare', server: await start({ kind: 'bare', body }, 'none'), path: '/page' },
  ];
  const plan: Plan = { questions: 1, rounds: 7, asksPerRound: 4000, secondsPerRound: 2, concurrency: MOST_CONNECTIONS };
  const figures = await compare(
    // Equal except for the request id.
    peers.map(({ name, server, path: at }) => ({
      name,
      ask: () => server.fetch(at),
      answer: async () => (await server.fetch(at)).replaceAll(/req_[0-9a-f-]{36}/g, ''),
      cpuMs: server.cpuMs,
    })),
    planFor(lake, plan),
  );
  const [serverPeakMemoryMb] = await Promise.all(peers.map(({ server }) => server.stop()));
  return { name: 'hot read', of: `the same page of ${PAGE_ROWS} rows, ${body.length} bytes`, figures, serverPeakMemoryMb };
}

export function pathOf({ series, asOf }: Question): string {
  const cutoff = asOf === null ? '' : `&as_of=${asOf}`;
  return `/observations?indicator_id=${series.indicatorId}&sort=period_end&order=desc&limit=${PAGE_ROWS}${cutoff}`;
}

interface Body {
  readonly data: readonly Readonly<Record<string, unknown>>[];
}

const ROUNDS = 5;
const CHECKED = 5;

/** Requests of both plans, which never repeat each other's. */
export async function atOneAndMany(lake: Lake, peers: readonly Peer[], questions: number, secondsPerRound = 4): Promise<Figures[]> {
  const each = Math.floor(questions / 2);
  const asksPerRound = Math.max(1, Math.floor((each - CHECKED) / (ROUNDS + 1)));
  const figures: Figures[] = [];
  for (const [index, concurrency] of [1, MOST_CONNECTIONS].entries()) {
    const moved = peers.map(
      ({ ask, answer, ...peer }): Peer => ({
        ...peer,
        ask: (number) => ask(number + index * each),
        ...(answer === undefined ? {} : { answer: (number: number) => answer(number + index * each) }),
      }),
    );
    const plan = { questions: each, rounds: ROUNDS, asksPerRound, secondsPerRound, concurrency };
    figures.push(...(await compare(moved, planFor(lake, plan), CHECKED)));
  }
  return figures;
}

const MANY = 6000;
const READS = {
  cold: { name: 'cold read', of: 'of a series never asked before' },
  asOf: { name: 'cold as-of read', of: 'of a random series as of a random day' },
  warm: { name: 'warm as-of read', of: 'of a series drawn by Zipf (s = 1.1) as of a random day' },
} as const;

/** Indexes of `count` series, drawn so that the n-th most popular is requested in proportion to 1 / n^1.1. */
export function zipf(seed: number, count: number): () => number {
  const sums: number[] = [];
  for (let place = 1; place <= count; place += 1) sums.push((sums.at(-1) ?? 0) + place ** -1.1);
  const draws = drawn(seed, 1_000_000);
  const total = sums.at(-1) ?? 1;
  return () => {
    const at = (draws.next().value / 1_000_000) * total;
    return sums.findIndex((sum) => sum > at);
  };
}

export function readsOf(series: readonly Question['series'][], kind: keyof typeof READS): Question[] {
  const shuffled = series.map((one, place) => ({ one, key: Math.imul(place + 1, 2_654_435_761) >>> 0 })).toSorted((a, b) => a.key - b.key);
  const place = kind === 'warm' ? zipf(17, series.length) : null;
  const month = monthDrawn();
  return Array.from({ length: kind === 'cold' ? series.length : MANY }, (_, number) => {
    const one = shuffled[place === null ? number % series.length : place()]?.one;
    if (one === undefined) throw new Error('the lake has no series');
    return { series: one, asOf: kind === 'cold' ? null : month() };
  });
}

/** The client's work on an answer, which is not timed. */
export const rowsOf = (text: unknown): Body['data'] => (JSON.parse(String(text)) as Body).data;

async function pointReads(lake: Lake, kind: keyof typeof READS): Promise<Group> {
  const reader = await openServed(lake);
  const questions = readsOf(reader.catalogue.series, kind);
  reader.close();
  const servers = await openServers(lake);
  const ask: Ask = async (server, number) => {
    const question = questions[number];
    if (question === undefined) throw new Error(`there is no question ${number}`);
    return server.fetch(pathOf(question));
  };
  const answer = (found: unknown) => rowsOf(found).map((row) => [row['period'], row['actual'], row['vintage'], row['observedAt']]);
  const peers = peersOf(servers, { ask, theirAsk: ask, answer });
  const [first] = questions;
  if (first === undefined) throw new Error('the lake has no series');
  const yardstick = kind === 'warm' ? await readyPage(await servers.ours.fetch(pathOf(first))) : null;
  const figures = await atOneAndMany(lake, yardstick === null ? peers : [...peers, yardstick.peer], questions.length);
  await yardstick?.stop();
  const name = READS[kind].name;
  const of = `${PAGE_ROWS} newest rows ${READS[kind].of}`;
  return { name, of, figures, absent: absentOf(servers), serverPeakMemoryMb: await servers.stop() };
}

/** Express sending one answer to every request. */
async function readyPage(body: string): Promise<{ readonly peer: Peer; readonly stop: () => Promise<number> }> {
  const server = await start({ kind: 'dressed', body }, 'none');
  return {
    peer: { name: 'Express, dressed', ask: () => server.fetch('/page'), cpuMs: server.cpuMs, isYardstick: true },
    stop: server.stop,
  };
}

const absentOf = ({ theirs }: Servers): readonly string[] => (theirs === null ? [POSTGRES] : []);

export const coldReadsByHttp = (lake: Lake): Promise<Group> => pointReads(lake, 'cold');
export const asOfReadsByHttp = (lake: Lake): Promise<Group> => pointReads(lake, 'asOf');
export const warmReadsByHttp = (lake: Lake): Promise<Group> => pointReads(lake, 'warm');

const NARROW = ['period', 'actual', 'vintage', 'observedAt'] as const;

/** The same page with four of its columns, with all of them, and the same four columns straight from PostgreSQL, without HTTP. */
export async function narrowReads(lake: Lake): Promise<Group> {
  const reader = await openServed(lake);
  const questions = readsOf(reader.catalogue.series, 'asOf');
  reader.close();
  const servers = await openServers(lake);
  const at = (number: number) => {
    const question = questions[number];
    if (question === undefined) throw new Error(`there is no question ${number}`);
    return question;
  };
  const answer = (found: unknown) => rowsOf(found).map((row) => NARROW.map((name) => row[name]));
  // Neither decodes a series for the other.
  const whole = await asof(lake);
  const ours = (name: string, server: Server, more: string): Peer => {
    const ask = (number: number) => server.fetch(`${pathOf(at(number))}${more}`);
    return { name, ask, answer: async (number) => answer(await ask(number)), cpuMs: server.cpuMs };
  };
  const peers = [
    ours('asof, four columns', servers.ours, `&columns=${NARROW.join(',')}`),
    ours('asof, all columns', whole, ''),
    ...narrowPostgres(servers, at),
  ];
  const figures = await atOneAndMany(lake, peers, questions.length);
  await whole.stop();
  const of = `${PAGE_ROWS} newest rows of a random series as of a random day, in four columns`;
  const absent = servers.theirs === null ? [NARROW_POSTGRES] : [];
  return { name: 'narrowed read', of, figures, absent, serverPeakMemoryMb: await servers.stop() };
}

const NARROW_POSTGRES = 'PostgreSQL, four columns';

function narrowPostgres({ theirs }: Servers, at: (number: number) => Question): readonly Peer[] {
  if (theirs === null) return [];
  const pool = connect(theirs.postgres.socket, MOST_CONNECTIONS);
  const text = `
    select distinct on (period_end) period, value, vintage, observed_at from vintages
    where series_no = $1 and observed_at <= $2
    order by period_end desc, observed_at desc limit $3`;
  const ask = async (number: number) => {
    const { series, asOf } = at(number);
    return (await pool.query({ name: 'narrow', text, values: [series.seriesNo, asOf, PAGE_ROWS], rowMode: 'array' })).rows;
  };
  const answer = async (number: number) => (await ask(number)).map((row) => [...row.slice(0, 3), (row[3] as Date).toISOString()]);
  return [{ name: NARROW_POSTGRES, ask, answer, cpuMs: async () => theirs.postgres.cpuMs() }];
}

export async function countriesOf(lake: Lake): Promise<readonly string[]> {
  const reader = await openServed(lake);
  const countries = new Set(reader.catalogue.series.flatMap(({ country }) => country ?? []));
  reader.close();
  return [...countries].toSorted();
}

/** No request of the service repeats a country: the limit differs, which changes no row. */
export async function latestOfCountry(lake: Lake): Promise<Group> {
  const countries = await countriesOf(lake);
  const servers = await openServers(lake);
  const ask: Ask = async (server, number) => {
    const country = countries[number % countries.length];
    const limit = 100 + Math.floor(number / countries.length);
    return server.fetch(`/observations/latest?country=${country}&sort=period_end&order=desc&limit=${limit}`);
  };
  const answer = (found: unknown) =>
    rowsOf(found)
      .map((row) => JSON.stringify([row['period'], row['actual'], row['vintage'], row['observedAt']]))
      .toSorted();
  const yardstick = await readyPage(String(await ask(servers.ours, 0)));
  const peers = [...peersOf(servers, { ask, theirAsk: ask, answer }), yardstick.peer];
  const figures = await atOneAndMany(lake, peers, Math.min(4000, 390 * countries.length));
  await yardstick.stop();
  const of = 'the newest print of each of its series';
  return { name: 'latest of a country', of, figures, absent: absentOf(servers), serverPeakMemoryMb: await servers.stop() };
}

const WALK_PAGE = 500;
/** The end of an answer, after its rows. */
const TAIL_CHARACTERS = 4000;

function cursorIn(page: string): string | null {
  const found = /"next_cursor":(?<cursor>null|"(?:[^"\\]|\\.)*")/.exec(page.slice(-TAIL_CHARACTERS))?.groups?.['cursor'];
  if (found === undefined) throw new Error('a page of a walk says nothing of the next');
  return JSON.parse(found) as string | null;
}

/** Every page of all vintages of a country; one request is the whole walk. */
export async function walk(lake: Lake): Promise<Group> {
  const countries = await countriesOf(lake);
  const servers = await openServers(lake);
  const walked =
    (pathAt: (country: string) => string): Ask =>
    async (server, number) => {
      const path = pathAt(countries[number % countries.length] ?? '');
      const pages: string[] = [];
      for (let cursor: string | null = null; ; ) {
        const page = await server.fetch(cursor === null ? path : `${path}&cursor=${encodeURIComponent(cursor)}`);
        pages.push(page);
        cursor = cursorIn(page);
        if (cursor === null) return pages;
      }
    };
  const answer = (found: unknown) =>
    (found as readonly string[])
      .flatMap(rowsOf)
      .map((row) => JSON.stringify([row['period'], row['actual'], row['vintage'], row['observedAt']]))
      .toSorted();
  const peers = peersOf(servers, {
    ask: walked((country) => `/observations?country=${country}&vintage=all&sort=period_end&order=desc&limit=${WALK_PAGE}`),
    theirAsk: walked((country) => `/walk?country=${country}&limit=${WALK_PAGE}`),
    answer,
  });
  const plan: Plan = { questions: countries.length, rounds: 3, asksPerRound: 1, secondsPerRound: 60, concurrency: 1 };
  const figures = await compare(peers, planFor(lake, plan), 1);
  const of = `all vintages of a country in pages of ${WALK_PAGE}`;
  return { name: 'walk', of, figures, absent: absentOf(servers), serverPeakMemoryMb: await servers.stop() };
}
