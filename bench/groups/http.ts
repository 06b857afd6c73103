// Reads through HTTP, each server in a process of its own on the loopback, with a bounded client in this one.
import { type ChildProcess, fork } from 'node:child_process';
import { Agent, get, type RequestOptions } from 'node:http';
import { issueKey, keyFile } from '../../src/keys/key-store.ts';
import type { Lake } from '../generate.ts';
import { compare, type Peer, type Plan } from '../measure.ts';
import type { Group } from '../report.ts';
import type { Order } from '../server.ts';
import { openPlain, openServed } from '../subject.ts';
import { PAGE_ROWS, plainReads, type Question, questionsOf } from './reads.ts';

const CONNECTIONS = 8;

export interface Server {
  readonly fetch: (path: string) => Promise<string>;
  readonly stop: () => Promise<number>;
}

async function start(order: Order, key: string): Promise<Server> {
  const child = fork(new URL('../server.ts', import.meta.url), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  child.send(order);
  const { port } = await told<{ readonly port: number }>(child);
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  return {
    fetch: (path) => fetchText({ agent, host: '127.0.0.1', port, path, headers: { 'x-api-key': key } }),
    stop: async () => {
      agent.destroy();
      child.send('stop');
      return (await told<{ readonly peakMb: number }>(child)).peakMb;
    },
  };
}

function told<Message>(child: ChildProcess): Promise<Message> {
  return new Promise((resolve, reject) => {
    child.once('message', (message) => resolve(message as Message));
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
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

export async function asof(lake: Lake): Promise<Server> {
  const request = { scopes: ['data:read'] as const, tier: 'full' as const, label: 'bench' };
  const { key } = await issueKey(keyFile(lake.dataDir), { ...request, scopes: [...request.scopes] }, Date.now());
  return start({ kind: 'asof', dataDir: lake.dataDir }, key);
}

function pathOf({ series, asOf }: Question): string {
  const cutoff = asOf === null ? '' : `&as_of=${asOf}`;
  return `/observations?indicator_id=${series.indicatorId}&sort=period_end&order=desc&limit=${PAGE_ROWS}${cutoff}`;
}

/** The same page again: what the service costs beyond Express sending a text of that size. */
export async function hotReads(lake: Lake): Promise<Group> {
  const reader = await openServed(lake);
  const [question] = questionsOf(reader, false);
  reader.close();
  if (question === undefined) throw new Error('the lake has no series');
  const service = await asof(lake);
  const path = pathOf(question);
  const body = await service.fetch(path);
  const peers = [
    { name: 'asof', server: service, path },
    { name: 'Express, dressed', server: await start({ kind: 'dressed', body }, 'none'), path: '/page' },
    { name: 'Express, bare', server: await start({ kind: 'bare', body }, 'none'), path: '/page' },
  ];
  const plan: Plan = { questions: 1, rounds: 7, asksPerRound: 4000, secondsPerRound: 2, concurrency: CONNECTIONS };
  const figures = await compare(
    // Alike but for the identifier of the request.
    peers.map(({ name, server, path: at }) => ({
      name,
      ask: () => server.fetch(at),
      answer: async () => (await server.fetch(at)).replaceAll(/req_[0-9a-f-]{36}/g, ''),
    })),
    plan,
  );
  const [serverPeakMemoryMb] = await Promise.all(peers.map(({ server }) => server.stop()));
  return {
    name: 'hot read',
    of: `the same page of ${PAGE_ROWS} rows, ${body.length} bytes, ${CONNECTIONS} connections`,
    figures,
    serverPeakMemoryMb,
  };
}

async function served(lake: Lake, isAsOf: boolean): Promise<Group> {
  const reader = await openServed(lake);
  const questions = questionsOf(reader, isAsOf);
  reader.close();
  const service = await asof(lake);
  const plain = await openPlain(lake);
  const ours: Peer = {
    name: 'asof, HTTP',
    ask: async (number) => {
      const question = questions[number];
      if (question === undefined) return [];
      const { data } = JSON.parse(await service.fetch(pathOf(question))) as { readonly data: readonly Record<string, unknown>[] };
      return data.map((row) => [row['period'], row['actual'], row['vintage'], row['observedAt']]);
    },
  };
  // Few enough that no page is asked for twice: the service keeps the pages that it sent.
  const asksPerRound = Math.floor((questions.length - 5) / 6);
  const plan: Plan = { questions: questions.length, rounds: 5, asksPerRound, secondsPerRound: 4, concurrency: 1 };
  const figures = await compare([ours, ...(await plainReads(plain, questions, isAsOf))], plan);
  plain.close();
  return {
    name: isAsOf ? 'as-of read, HTTP' : 'cold read, HTTP',
    of: `${PAGE_ROWS} newest rows of a random series through HTTP`,
    figures,
    serverPeakMemoryMb: await service.stop(),
  };
}

export const coldHttp = (lake: Lake): Promise<Group> => served(lake, false);
export const asOfHttp = (lake: Lake): Promise<Group> => served(lake, true);
