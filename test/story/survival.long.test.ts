// The real process goes on, whatever is thrown where nobody waits for it and whatever it may not read or open.
import { type ChildProcess, spawn } from 'node:child_process';
import { renameSync, rmSync, symlinkSync } from 'node:fs';
import { type Socket, connect } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sampleDataDir, issueKeys, type Keys } from '../service.ts';

const ROOT = resolve(import.meta.dirname, '../..');

let dataDir: string;
let keys: Keys;
const children: ChildProcess[] = [];
beforeEach(async () => {
  dataDir = await sampleDataDir();
  keys = await issueKeys(dataDir, Date.now());
});
afterEach(async () => {
  for (const child of children.splice(0)) {
    child.kill('SIGKILL');
    await new Promise((done) => (child.exitCode === null && child.signalCode === null ? child.once('exit', done) : done(null)));
  }
  rmSync(dataDir, { recursive: true, force: true });
});

interface Running {
  readonly url: string;
  readonly port: number;
  readonly output: () => string;
  readonly isAlive: () => boolean;
}

/** @param openFiles how many files the process may have open; as many as this one unless given */
async function start({ preload = '', openFiles }: { readonly preload?: string; readonly openFiles?: number } = {}): Promise<Running> {
  const args = [
    '--import',
    'tsx',
    ...(preload === '' ? [] : ['--import', `data:text/javascript,${encodeURIComponent(preload)}`]),
    'src/main.ts',
  ];
  const limit = openFiles === undefined ? [] : ['-c', `ulimit -n ${openFiles} && exec "$0" "$@"`, process.execPath];
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'info' };
  const child = spawn(limit.length === 0 ? process.execPath : 'sh', [...limit, ...args], { cwd: ROOT, env });
  children.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece: Buffer) => (output += piece.toString('utf8')));
  const portIn = () => /"port":(\d+).*"listening"/.exec(output)?.[1];
  while (portIn() === undefined && child.exitCode === null && child.signalCode === null) await pause(50);
  const port = Number(portIn());
  if (Number.isNaN(port)) throw new Error(`the server did not start: ${output}`);
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    output: () => output,
    isAlive: () => child.exitCode === null && child.signalCode === null,
  };
}

const ready = async ({ url }: Running) => (await fetch(`${url}/ready`)).status;
const ask = async ({ url }: Running, path: string) => fetch(url + path, { headers: { 'x-api-key': keys.full } });
const eventually = (work: () => unknown) => expect.poll(work, { timeout: 60_000, interval: 300 });

/** A folder that leads back to itself cannot be read by anybody. */
function unreadable(folder: string): () => void {
  renameSync(folder, `${folder}.aside`);
  symlinkSync(folder, folder);
  return () => {
    rmSync(folder);
    renameSync(`${folder}.aside`, folder);
  };
}

describe('a server', () => {
  it('survives an error in a timer and an unhandled rejection, and logs both', async () => {
    const server = await start({
      preload: `process.on('SIGUSR2', () => { setTimeout(() => { throw new Error('thrown in a timer') }, 1); setTimeout(() => { Promise.reject(new Error('rejected unseen')) }, 2500) })`,
    });
    children.at(-1)?.kill('SIGUSR2');
    await eventually(() => [/thrown in a timer/.test(server.output()), /rejected unseen/.test(server.output())]).toEqual([true, true]);
    expect([server.isAlive(), await ready(server)]).toEqual([true, 200]);
  });

  it('that starts over unreadable manifests follows them once it can read them', async () => {
    const mend = unreadable(join(dataDir, 'sample/snapshots/manifests'));
    const server = await start();
    expect(await ready(server)).toBe(500);
    await pause(2500);
    mend();
    await eventually(() => ready(server)).toBe(200);
    expect(server.isAlive()).toBe(true);
    expect(server.output()).toMatch(/ELOOP/);
  });

  it('keeps its snapshot while manifests are unreadable, and follows them again afterwards', async () => {
    const server = await start();
    expect(await ready(server)).toBe(200);
    const mend = unreadable(join(dataDir, 'sample/snapshots/manifests'));
    const pointer = join(dataDir, 'sample/current.json');
    renameSync(pointer, `${pointer}.aside`);
    await pause(2500);
    expect([server.isAlive(), await ready(server)]).toEqual([true, 200]);
    expect((await ask(server, '/observations?limit=1')).status).toBe(200);
    mend();
    renameSync(`${pointer}.aside`, pointer);
    await eventually(
      async () => ((await (await fetch(`${server.url}/ready`)).json()) as { warnings?: readonly string[] }).warnings ?? [],
    ).toEqual([]);
  });

  it('with 256 files survives 400 idle sockets and a Parquet export', async () => {
    const server = await start({ openFiles: 256 });
    const sockets: Socket[] = Array.from({ length: 400 }, () => connect(server.port, '127.0.0.1').on('error', () => undefined));
    try {
      await pause(1500);
      const outcomes: (number | string)[] = [];
      for (let turn = 0; turn < 60 && !outcomes.includes(200); turn += 1) {
        outcomes.push(
          await ask(server, '/observations?indicator_id=us_nonfarm_payrolls&format=parquet')
            .then(async (response) => {
              const bytes = new Uint8Array(await response.arrayBuffer());
              return response.status === 200 && String.fromCharCode(...bytes.subarray(0, 4)) === 'PAR1' ? 200 : response.status;
            })
            .catch(() => 'refused'),
        );
        if (!outcomes.includes(200)) await pause(500);
      }
      expect([server.isAlive(), outcomes.at(-1)]).toEqual([true, 200]);
    } finally {
      for (const socket of sockets) socket.destroy();
    }
    expect(await ready(server)).toBe(200);
  });
});
