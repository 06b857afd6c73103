// Sends each request to the next server, as HAProxy is told to in ops/haproxy.cfg: an answer that breaks off, or a 503, is asked of the one after it; the
// address of the client is added. What is no plain request, or has a body, goes to one server byte by byte: what it makes of that is its own.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export interface Balancer {
  readonly port: number;
  readonly stop: () => Promise<void>;
}

const ATTEMPTS = 9;
const MS_BETWEEN = 20;
const END = '\r\n\r\n';
const BAD_GATEWAY = `HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0${END}`;

/** @param ports of the servers, read again for each request */
export async function openBalancer(ports: () => readonly number[]): Promise<Balancer> {
  let turn = 0;
  const next = (): number => {
    const all = ports();
    turn += 1;
    return all[turn % Math.max(all.length, 1)] ?? 0;
  };
  const open = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (client) => {
    open.add(client);
    client.on('error', () => client.destroy()).on('close', () => open.delete(client));
    attend(client, next).catch(() => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const client of open) client.destroy();
      }),
  };
}

async function attend(client: Socket, next: () => number): Promise<void> {
  let waiting = Buffer.alloc(0);
  for await (const chunk of client.iterator({ destroyOnReturn: false })) {
    waiting = Buffer.concat([waiting, chunk as Buffer]);
    for (let end = waiting.indexOf(END); end !== -1; end = waiting.indexOf(END)) {
      const request = plainRequest(waiting.toString('latin1', 0, end));
      if (request === null) return passOn(client, waiting, next());
      waiting = waiting.subarray(end + END.length);
      const isLast = !(await answer(client, request, next));
      if (isLast) return void client.end();
    }
  }
  if (waiting.length > 0) return passOn(client, waiting, next());
  client.end();
}

interface PlainRequest {
  readonly method: string;
  readonly lines: readonly string[];
  readonly isLast: boolean;
}

const REQUEST_LINE = /^([A-Z]+) \S+ HTTP\/1\.1$/;
const HEADER = /^[\w!#$%&'*+.^`|~-]+:[^\0\r\n]*$/;
/** What it takes to read more than a head. */
const NOT_PLAIN = /^(?:transfer-encoding|upgrade|expect|trailer):|^content-length:\s*(?!0\s*$)/i;

function plainRequest(head: string): PlainRequest | null {
  const [first = '', ...headers] = head.split('\r\n');
  const method = REQUEST_LINE.exec(first)?.[1];
  if (method === undefined || method === 'CONNECT') return null;
  if (headers.some((line) => !HEADER.test(line) || NOT_PLAIN.test(line))) return null;
  return {
    method,
    lines: [first, ...headers.filter((line) => !/^(?:connection|keep-alive):/i.test(line))],
    isLast: headers.some((line) => /^connection:\s*close\s*$/i.test(line)),
  };
}

/** Resolves with whether the client may ask again on this connection. */
async function answer(client: Socket, { method, lines, isLast }: PlainRequest, next: () => number): Promise<boolean> {
  const asked = Buffer.from(
    [...lines, `X-Forwarded-For: ${client.remoteAddress}`, 'Connection: close', END.slice(2)].join('\r\n'),
    'latin1',
  );
  let refused: Answer | null = null;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const given = await ask(next(), method, asked);
    if (given !== null && given.status !== 503) return reply(client, given, isLast);
    refused = given ?? refused;
    await pause(MS_BETWEEN);
  }
  if (refused !== null) return reply(client, refused, isLast);
  client.write(BAD_GATEWAY);
  return !isLast;
}

interface Answer {
  readonly status: number;
  readonly head: string;
  readonly body: Buffer;
}

function reply(client: Socket, { head, body }: Answer, isLast: boolean): boolean {
  const lines = head.replace(/^connection: close$/im, `Connection: ${isLast ? 'close' : 'keep-alive'}`);
  client.write(Buffer.concat([Buffer.from(lines + END, 'latin1'), body]));
  return !isLast;
}

/** Null where the connection broke before the answer was whole. */
function ask(port: number, method: string, asked: Buffer): Promise<Answer | null> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    const server = connect(port, '127.0.0.1', () => server.write(asked));
    server.on('data', (part: Buffer) => parts.push(part));
    server.on('error', () => undefined);
    server.on('close', () => resolve(wholeAnswer(Buffer.concat(parts), method)));
  });
}

function wholeAnswer(bytes: Buffer, method: string): Answer | null {
  const end = bytes.indexOf(END);
  if (end === -1) return null;
  const head = bytes.toString('latin1', 0, end);
  const body = bytes.subarray(end + END.length);
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]);
  const length = /^content-length: (\d+)$/im.exec(head)?.[1];
  const isBare = method === 'HEAD' || status === 304 || status === 204;
  const isWhole = isBare || (length === undefined ? body.toString('latin1').endsWith(`0${END}`) : body.length === Number(length));
  return isWhole ? { status, head, body } : null;
}

function passOn(client: Socket, waiting: Buffer, port: number): void {
  const server = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  server.on('error', () => client.destroy());
  client.on('close', () => server.destroy());
  server.write(waiting);
  client.pipe(server).pipe(client);
}
