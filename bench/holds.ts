// tsx bench/holds.ts DATA_DIR [pattern]: the longest event-loop hold of each route, in every form, on a server of its own. It writes a key into DATA_DIR
// and revokes it. Needs Linux. No request may hold the loop for more than 50 ms.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { issueKey, keyFile, revokeKey } from '../src/keys/key-store.ts';
import { routes } from '../src/routes/index.ts';
import type { Hold } from './holds-server.ts';

const MOST_MS = 50;
const BULK_ROWS = 200_000;
const FORMS = ['csv', 'ndjson', 'arrow', 'parquet'] as const;

interface Held extends Hold {
  readonly question: string;
  readonly status: number;
  readonly bytes: number;
  /** Until the whole answer was there. */
  readonly ms: number;
}

/** Each route by its example; a list by its largest page in each order, and as rows in each form. */
function questions(): readonly string[] {
  return routes.flatMap((route) => {
    if (route.kind !== 'list') return [route.example];
    const [path = '', text = ''] = route.example.split('?');
    const asked = (more: Readonly<Record<string, string>>, base = text) => {
      const query = new URLSearchParams(base);
      query.delete('limit');
      for (const [name, value] of Object.entries(more)) query.set(name, value);
      return `${path}?${query.toString()}`;
    };
    // A required parameter keeps the value of the example.
    const base = Object.values(route.query).some(({ schema }) => !schema.safeParse(undefined).success) ? text : '';
    const pages = route.sortable.flatMap((sort) => route.orders.map((order) => asked({ limit: '500', sort, order }, base)));
    const bulk = route.isBulk ? FORMS.map((format) => asked({ limit: String(BULK_ROWS), format }, base)) : [];
    return [route.example, asked({ limit: '500' }), ...pages, ...bulk];
  });
}

/** The list that has an item's identifiers. */
const LISTS: Readonly<Record<string, string>> = {
  '/events/{eventId}': '/events?limit=1',
  '/economic-calendar/{eventId}': '/economic-calendar?limit=1',
  '/provenance/observations/{observationId}': '/observations?limit=1',
};

type Fetch = (path: string) => Promise<Response>;

/** The question about an item or a company that this folder has. */
async function filledFrom(get: Fetch, question: string): Promise<string> {
  const first = async (list: string, field: string) => {
    const { data } = (await (await get(list)).json()) as { readonly data: readonly Readonly<Record<string, unknown>>[] };
    return String(data[0]?.[field]);
  };
  const [placeholder, field = ''] = /\{(\w+)\}/.exec(question) ?? [];
  if (placeholder !== undefined) return question.replace(placeholder, await first(LISTS[question] ?? '', field));
  return question.startsWith('/companies/')
    ? question.replace(/ZZSMB/, await first('/public/companies?sort=market_cap&order=desc&limit=1', 'cik'))
    : question;
}

async function main(): Promise<void> {
  const { positionals } = parseArgs({ allowPositionals: true });
  const [dataDir, pattern = ''] = positionals;
  if (dataDir === undefined) throw new Error('Name a DATA_DIR: npx tsx bench/holds.ts DATA_DIR');
  const { key, issued } = await issueKey(keyFile(dataDir), { label: 'holds', tier: 'full', scopes: ['data:read', 'ops:read'] }, Date.now());
  const server = fork(join(import.meta.dirname, 'holds-server.ts'), {
    env: { ...process.env, DATA_DIR: dataDir, UV_THREADPOOL_SIZE: '16', LOOKUP_SECONDS: '60', SCREEN_SECONDS: '120' },
  });
  const next = async <Message>(): Promise<Message> => ((await once(server, 'message')) as [Message])[0];
  const { port } = await next<{ readonly port: number }>();
  const hold = (): Promise<Hold> => {
    const answer = next<Hold>();
    server.send('hold');
    return answer;
  };
  const get: Fetch = (path) => fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'x-api-key': key } });
  const found: Held[] = [];
  const ended = once(server, 'exit');
  let asked = '';
  try {
    for (const question of new Set(questions().filter((one) => new RegExp(pattern).test(one)))) {
      asked = await filledFrom(get, question);
      await hold();
      const began = performance.now();
      const response = await get(asked);
      const body = Buffer.from(await response.arrayBuffer());
      if (response.status !== 200) process.stderr.write(`${question}: ${body.toString('utf8', 0, 500)}\n`);
      const bytes = body.byteLength;
      found.push({ question, status: response.status, bytes, ms: performance.now() - began, ...(await hold()) });
    }
  } catch (error) {
    // SIGTERM: the server was still there.
    server.kill();
    const [code, signal] = (await ended) as [number | null, string | null];
    throw new Error(`The server ended (${signal ?? code}) at ${asked}`, { cause: error });
  } finally {
    if (server.connected) server.send('stop');
    await revokeKey(keyFile(dataDir), issued.keyId, Date.now());
  }
  print(found);
}

function print(found: readonly Held[]): void {
  const rows = found.toSorted((a, b) => b.cpuMs - a.cpuMs);
  process.stdout.write('| hold, cpu ms | hold, wall ms | answer ms | status | bytes | question |\n|---|---|---|---|---|---|\n');
  for (const { cpuMs, wallMs, ms, status, bytes, question } of rows)
    process.stdout.write(`| ${cpuMs.toFixed(1)} | ${wallMs.toFixed(1)} | ${ms.toFixed(0)} | ${status} | ${bytes} | ${question} |\n`);
  const over = rows.filter(({ cpuMs }) => cpuMs > MOST_MS);
  process.stdout.write(`\n${over.length} of ${rows.length} questions held the loop for more than ${MOST_MS} ms of processor time.\n`);
}

await main();
