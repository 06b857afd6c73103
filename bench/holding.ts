// The service on a server of its own, which reports the longest time that each question held its event loop. Needs Linux.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Hold } from './holds-server.ts';

/** No question may hold the loop longer, in processor time. */
export const MOST_HELD_MS = 50;

export interface Held extends Hold {
  readonly question: string;
  readonly status: number;
  readonly bytes: number;
  /** Until the whole answer was there. */
  readonly ms: number;
}

export interface Holding {
  readonly get: (path: string) => Promise<Response>;
  /** Asks once, and resolves with the longest hold from then until the whole answer was there. */
  readonly held: (path: string, question?: string) => Promise<Held>;
  readonly stop: () => void;
  /** Ends a server that answers no more. */
  readonly kill: () => void;
  readonly ended: Promise<readonly [code: number | null, signal: string | null]>;
}

export async function openHolding(dataDir: string, key: string): Promise<Holding> {
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
  const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'x-api-key': key } });
  return {
    get,
    async held(path, question = path) {
      await hold();
      const began = performance.now();
      const response = await get(path);
      const body = Buffer.from(await response.arrayBuffer());
      if (response.status !== 200) process.stderr.write(`${question}: ${body.toString('utf8', 0, 500)}\n`);
      return { question, status: response.status, bytes: body.byteLength, ms: performance.now() - began, ...(await hold()) };
    },
    stop() {
      if (server.connected) server.send('stop');
    },
    kill: () => void server.kill(),
    ended: once(server, 'exit') as Promise<[number | null, string | null]>,
  };
}
