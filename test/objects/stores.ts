// The stores that the tests use: a folder, and a bucket of a real S3 server where one is installed (tools: `go install
// github.com/versity/versitygw/cmd/versitygw@latest`).
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../free-port.ts';

const PROGRAMS = ['versitygw', join(homedir(), 'go/bin/versitygw')];
const program = PROGRAMS.find((one) => spawnSync(one, ['--version']).status === 0) ?? null;

export const hasBucket = program !== null;
export const NO_BUCKET = 'versitygw is not installed: go install github.com/versity/versitygw/cmd/versitygw@latest';

export interface TestedStore {
  /** What SNAPSHOT_URL is set to, each time another place in the store. */
  readonly fresh: () => string;
  /** Loopback port of the server, and what a program of its own is to be told of it. */
  readonly port: number | null;
  readonly environment: Readonly<Record<string, string>>;
  readonly stop: () => Promise<void>;
}

export async function folderStore(): Promise<TestedStore> {
  const base = mkdtempSync(join(tmpdir(), 'asof-objects-'));
  let count = 0;
  return {
    fresh: () => {
      count += 1;
      return pathToFileURL(join(base, `store ${count}`)).href;
    },
    port: null,
    environment: {},
    stop: async () => rmSync(base, { recursive: true, force: true }),
  };
}

export async function bucketStore(): Promise<TestedStore> {
  const base = mkdtempSync(join(tmpdir(), 'asof-bucket-'));
  for (const folder of ['buckets/published', 'sidecar']) mkdirSync(join(base, folder), { recursive: true });
  const port = await freePort();
  const [access, secret] = ['tester', 'only-for-tests'];
  const options = ['--access', access, '--secret', secret, '--port', `127.0.0.1:${port}`, '--quiet'];
  const server = spawn(program ?? '', [...options, 'posix', '--sidecar', join(base, 'sidecar'), join(base, 'buckets')], {
    stdio: 'ignore',
  });
  const ended = new Promise((resolve) => server.once('exit', resolve));
  await isListening(port);
  let count = 0;
  return {
    fresh: () => {
      count += 1;
      return `s3://published/nights/${count}`;
    },
    port,
    environment: {
      AWS_ACCESS_KEY_ID: access,
      AWS_SECRET_ACCESS_KEY: secret,
      AWS_REGION: 'us-east-1',
      AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${port}`,
    },
    stop: async () => {
      server.kill();
      await ended;
      rmSync(base, { recursive: true, force: true });
    },
  };
}

async function isListening(port: number): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).once('error', () => resolve(false));
      socket.once('close', () => resolve(false)).unref();
      setTimeout(() => socket.destroy(), 50).unref();
    });
    if (isOpen) return;
    await delay(100);
  }
  throw new Error(`Nothing listens on ${port}`);
}

/** Sets variables of this process until what it returns is called. */
export function withEnvironment(values: Readonly<Record<string, string>>): () => void {
  const before = Object.fromEntries(Object.keys(values).map((name) => [name, process.env[name]]));
  Object.assign(process.env, values);
  return () => {
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  };
}
