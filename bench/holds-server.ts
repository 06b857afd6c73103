// A service in a process of its own that reports how long its event loop was held, started by holds.ts.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { pino } from 'pino';
import { readConfig } from '../src/config.ts';
import { openService } from '../src/service.ts';

/** The longest turn of the loop since the last query. */
export interface Hold {
  readonly wallMs: number;
  /** Processor time of the thread: other work of the machine does not count. */
  readonly cpuMs: number;
}

const longest = { wallMs: 0, cpuMs: 0 };

/** Milliseconds that the JavaScript thread ran; only Linux reports them. */
function cpuNow(): number {
  return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ', 1)[0]) / 1e6;
}

let [wall, cpu] = [performance.now(), cpuNow()];
function turn(): void {
  const [wallNow, now] = [performance.now(), cpuNow()];
  longest.wallMs = Math.max(longest.wallMs, wallNow - wall);
  longest.cpuMs = Math.max(longest.cpuMs, now - cpu);
  [wall, cpu] = [wallNow, now];
  setImmediate(turn);
}

const log = pino({ base: null }, pino.destination({ dest: '/dev/null', sync: true }));
const service = await openService(readConfig({ ...process.env, RATE_LIMIT_SCALE: '1000000' }), { now: () => Date.now(), log });
await service.store.follow();
const server = createServer(service.app);
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as { readonly port: number }).port }));
process.on('message', (message) => {
  if (message === 'stop') process.exit(0);
  process.send?.({ ...longest });
  Object.assign(longest, { wallMs: 0, cpuMs: 0 });
});
turn();
