// The command itself: every tool listed and called over standard input and over HTTP, by the protocol's own client.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningService, startSampleService } from '../service.ts';

const COMMAND = ['--import', 'tsx', join(import.meta.dirname, '../../jobs/commands/mcp.ts')];
const CALLS: readonly (readonly [string, Record<string, unknown>, string])[] = [
  ['find', { query: 'payroll' }, 'us_nonfarm_payrolls'],
  ['series', { indicator: 'us_nonfarm_payrolls', as_of: '2020-05-31' }, '2020-04,133983,2020-05-31'],
  ['vintages', { indicator: 'us_nonfarm_payrolls', period: '2020-04', as_of: '2020-07-31' }, '2020-05-31,2020-06-30'],
  ['panel', { factor: 'nonfarm_payrolls', country: 'US', from: '2020-05-31', to: '2020-05-31' }, '133983'],
  ['screen', { filter: 'consumer_confidence:gt:-40' }, 'match'],
  ['company', { company: 'ZZSMB' }, 'Sample Software Inc'],
  ['calendar', { start: '2026-11-01', end: '2026-12-31', country: 'US' }, 'rows: '],
  ['explain', { indicator: 'us_nonfarm_payrolls', period: '2020-04' }, 'sha256'],
  ['coverage', {}, 'countries'],
];

let service: RunningService;
let child: ChildProcess | null = null;
beforeAll(async () => {
  service = await startSampleService();
});
afterAll(async () => {
  child?.kill('SIGTERM');
  await service.stop();
});

/** The tools that answered, after each was held against what it must say. */
async function callAll(client: Client): Promise<readonly string[]> {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name).toSorted()).toEqual(CALLS.map(([name]) => name).toSorted());
  for (const { name, inputSchema, annotations } of tools) {
    expect([
      // The dates of a panel are its moments.
      Object.keys(inputSchema.properties ?? {}).includes(name === 'panel' ? 'from' : 'as_of'),
      inputSchema['additionalProperties'],
      annotations?.readOnlyHint,
    ]).toEqual([true, false, true]);
  }
  for (const [name, input, expected] of CALLS) {
    const { content, isError } = await client.callTool({ name, arguments: input });
    const [{ text }] = content as readonly unknown[] as [{ text: string }];
    expect([name, isError ?? false, text.startsWith('as_of: '), text.includes(expected)]).toEqual([name, false, true, true]);
  }
  const { resources } = await client.listResources();
  expect(resources.map(({ uri }) => uri)).toEqual([
    'asof://guides/companies',
    'asof://guides/errors',
    'asof://guides/export',
    'asof://guides/futures',
    'asof://guides/pandas',
    'asof://guides/rights',
    'asof://guides/screener',
    'asof://guides/start',
    'asof://guides/time',
    'asof://guides/trust',
  ]);
  const { contents } = await client.readResource({ uri: 'asof://guides/time' });
  expect((contents[0] as { text: string }).text).toContain('# Time and vintages');
  return tools.map(({ name }) => name);
}

const newClient = () => new Client({ name: 'test', version: '0' });

describe('standard input and output', () => {
  it('lists and answers every tool, and the guides', async () => {
    const client = newClient();
    const env = { PATH: process.env['PATH'] ?? '', ASOF_URL: service.url, ASOF_KEY: service.keys.full };
    await client.connect(new StdioClientTransport({ command: process.execPath, args: COMMAND, env }));
    expect(await callAll(client)).toHaveLength(CALLS.length);
    await client.close();
  });

  it('without a key explains how to get one', async () => {
    const refused = spawn(process.execPath, COMMAND, { env: { PATH: process.env['PATH'], ASOF_URL: service.url } });
    let said = '';
    refused.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const [code] = (await once(refused, 'close')) as [number];
    expect([code, said.trim()]).toEqual([
      1,
      'Configuration: ASOF_KEY is not set. Issue one with: npm run keys -- create --label mcp --scopes data:read',
    ]);
  });
});

describe('Streamable HTTP', () => {
  const listening = async () => {
    if (child === null) {
      child = spawn(process.execPath, [...COMMAND, '--http', '--port', '0'], { env: { PATH: process.env['PATH'], ASOF_URL: service.url } });
      let said = '';
      child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
      while (!said.includes('/mcp')) await once(child.stderr as NonNullable<typeof child.stderr>, 'data');
      address = new URL(/http:\S+/.exec(said)?.[0] ?? '');
    }
    return address;
  };
  let address: URL;

  it.each([
    ['x-api-key', (key: string) => key],
    ['authorization', (key: string) => `Bearer ${key}`],
  ])('lists and answers every tool to a caller with a key in %s', async (header, value) => {
    const client = newClient();
    const requestInit = { headers: { [header]: value(service.keys.data) } };
    await client.connect(new StreamableHTTPClientTransport(await listening(), { requestInit }));
    expect(await callAll(client)).toHaveLength(CALLS.length);
    await client.close();
  });

  it('lets the service refuse a missing key and an invalid one', async () => {
    for (const headers of [{}, { 'x-api-key': 'asof_wrong' }] as Record<string, string>[]) {
      const client = newClient();
      await client.connect(new StreamableHTTPClientTransport(await listening(), { requestInit: { headers } }));
      const { content, isError } = await client.callTool({ name: 'coverage', arguments: { as_of: '2020-05-31' } });
      expect([isError, (content as readonly unknown[] as [{ text: string }])[0].text]).toEqual([
        true,
        expect.stringMatching(/^as_of: 2020-05-31\nunauthorized: /),
      ]);
      await client.close();
    }
  });

  it('refuses another Host on a loopback address, and a body that is too large', async () => {
    const { hostname, port } = await listening();
    const status = (headers: Record<string, string>, body: string) =>
      new Promise<number>((done, fail) => {
        const sent = request(
          { hostname, port, path: '/mcp', method: 'POST', headers: { 'content-type': 'application/json', ...headers } },
          (answer) => {
            answer.resume();
            done(answer.statusCode ?? 0);
          },
        );
        sent.once('error', fail);
        sent.end(body);
      });
    expect(await status({ host: 'evil.example' }, '{}')).toBe(403);
    expect(await status({}, JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { x: 'x'.repeat(200_000) } }))).toBe(413);
  });
});
