// ClickHouse itself (chdb, a package of bench/peers) behind the part of its HTTP protocol that clients speak: statements and data, parameters, settings, formats,
// exceptions. One statement runs at a time. Run as a process of its own: it prints its port. Nothing here knows what is asked.
import { mkdtempSync, rmSync } from 'node:fs';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

interface Session {
  readonly queryAsync: (text: string, options: { readonly format: string }) => Promise<{ readonly bytes: () => Uint8Array }>;
  readonly close: () => void;
}

const PEERS = new URL('../../bench/peers/', import.meta.url);
const { Session: Opened } = createRequire(PEERS)('chdb') as { readonly Session: new (folder: string) => Session };

const folder = mkdtempSync(join(tmpdir(), 'asof-chdb-'));
const session = new Opened(join(folder, 'data'));
const [user, password] = [process.env['CHDB_USER'] ?? 'default', process.env['CHDB_PASSWORD'] ?? ''];

/** Of the address, what is neither a parameter nor a setting of the engine. */
const OF_THE_PROTOCOL: ReadonlySet<string> = new Set([
  'query',
  'query_id',
  'database',
  'default_format',
  'session_id',
  'session_timeout',
  'role',
  // The engine of this process could not be told to leave it again.
  'readonly',
  'cancel_http_readonly_queries_on_client_close',
  'wait_end_of_query',
]);

const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
const run = async (text: string, format = 'TabSeparated') => (await session.queryAsync(text, { format })).bytes();

/** Statements run one after the other: settings and parameters are those of the one session. */
let last: Promise<unknown> = Promise.resolve();
function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  const result = last.then(work);
  last = result.catch(() => undefined);
  return result;
}

class Refusal extends Error {
  readonly status: number;
  constructor(code: number, name: string, text: string, status: number) {
    super(`Code: ${code}. DB::Exception: ${text}. (${name}) (version 26.7.2.1 (official build))`);
    this.status = status;
  }
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://localhost');
  if (url.pathname === '/ping') return void response.end('Ok.\n');
  refuseStrangers(request);
  const asked = url.searchParams;
  const data = asked.has('query') ? join(folder, `${Math.random()}.data`) : null;
  const text = data === null ? await textOf(request) : (asked.get('query') ?? '');
  if (data !== null) await pipeline(request, createWriteStream(data));
  if (Number(asked.get('readonly') ?? 0) > 0 && !/^\s*(?:--[^\n]*\n\s*)*(?:select|with|show|describe|explain)\b/i.test(text))
    throw new Refusal(164, 'READONLY', 'Cannot execute query in readonly mode', 500);
  try {
    const bytes = await inTurn(() =>
      asStated(asked, async () => run(data === null ? text : fromFile(text, data), asked.get('default_format') ?? 'TabSeparated')),
    );
    response.setHeader('x-clickhouse-query-id', asked.get('query_id') ?? '');
    response.setHeader('x-clickhouse-server-display-name', 'chdb');
    response.end(bytes);
  } finally {
    if (data !== null) await rm(data, { force: true });
  }
}

function refuseStrangers(request: IncomingMessage): void {
  const [, basic = ''] = /^Basic (.*)$/.exec(request.headers.authorization ?? '') ?? [];
  const given =
    basic === ''
      ? `${String(request.headers['x-clickhouse-user'] ?? 'default')}:${String(request.headers['x-clickhouse-key'] ?? '')}`
      : Buffer.from(basic, 'base64').toString();
  if (given !== `${user}:${password}`) throw new Refusal(516, 'AUTHENTICATION_FAILED', 'Authentication failed: password is incorrect', 403);
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

/** A statement with the parameters, settings and database of its address, which are those of no other. */
async function asStated(asked: URLSearchParams, work: () => Promise<Uint8Array>): Promise<Uint8Array> {
  const settings = [...asked].filter(([name]) => !OF_THE_PROTOCOL.has(name));
  const database = asked.get('database') ?? 'default';
  await run(`use \`${database.replaceAll('`', '\\`')}\``);
  try {
    for (const [name, value] of settings) await run(`set ${name} = ${name.startsWith('param_') ? quoted(value) : quoted(value)}`);
    return await work();
  } finally {
    for (const [name] of settings) if (!name.startsWith('param_')) await run(`set ${name} = default`);
    await run('use default');
  }
}

/** `insert … format F` and the data of its body, as a read of a file. */
function fromFile(text: string, path: string): string {
  const [, statement = '', format = ''] = /^([\s\S]*?)\s+format\s+(\w+)\s*;?\s*$/i.exec(text) ?? [];
  if (/\binput\s*\(/i.test(statement)) return statement.replace(/\binput\s*\(/i, `file(${quoted(path)}, ${format}, `);
  return `${statement} select * from file(${quoted(path)}, ${format})`;
}

const STATUS: Readonly<Record<string, number>> = { 60: 404, 81: 404, 516: 403, 159: 408, 241: 500 };

const server = createServer({ maxHeaderSize: 1024 * 1024 }, (request, response) => {
  answer(request, response).catch((error: unknown) => {
    const text = error instanceof Error ? error.message : String(error);
    const [, code = '1002'] = /Code: (\d+)/.exec(text) ?? [];
    response.writeHead(error instanceof Refusal ? error.status : (STATUS[code] ?? 500), {
      'x-clickhouse-exception-code': code,
      'content-type': 'text/plain; charset=UTF-8',
    });
    response.end(`${text}\n`);
  });
});
server.listen(Number(process.env['CHDB_PORT'] ?? 0), '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`${typeof address === 'object' ? address?.port : ''}\n`);
});
const stop = () => {
  session.close();
  rmSync(folder, { recursive: true, force: true });
  process.exit(0);
};
process.on('SIGTERM', stop);
process.on('SIGINT', stop);
// The process that started it is gone.
process.stdin.on('end', stop).resume();
