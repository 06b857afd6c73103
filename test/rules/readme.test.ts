// The README's examples of the interface, run: its curl lines against the sample, its commands for their help, its variables for their names.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { sources } from '../../src/sources/index.ts';
import { type ListBody, sampleLake, startSampleService } from '../service.ts';

const ROOT = join(import.meta.dirname, '../..');
const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
const scripts = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))).scripts;

const service = await startSampleService();
afterAll(() => service.stop());

const requests = [...readme.matchAll(/^curl (.*?)'http:\/\/127\.0\.0\.1:8080([^']*)'/gm)].map(([, options = '', path = '']) => ({
  options,
  path,
}));

describe('the requests', () => {
  it('are there, and send the key as the service takes it', () => {
    expect(requests.length).toBeGreaterThan(1);
    expect(requests.filter(({ options }) => options.trim() !== '-H "x-api-key: $KEY"')).toEqual([]);
  });

  it.each(requests.map(({ path }) => path))('%s answers 200', async (path) => {
    const { data } = (await (await service.get('/observations?sort=observed_at&order=desc&limit=1')).json()) as ListBody;
    const response = await service.get(path.replace('obs_…', String(data[0]?.['observationId'])));
    expect(response.status).toBe(200);
  });

  it('answer the first question on the sample as the table says', async () => {
    const [first] = requests;
    const rows = [...readme.matchAll(/^\| (\d{4}-\d{2}-\d{2}) \| ([^|]+) \|/gm)].map(([, asOf, said]) => [asOf, said]);
    expect(rows.length).toBeGreaterThan(3);
    const answered: unknown[] = [];
    for (const [asOf] of rows) {
      const response = await service.get((first?.path ?? '').replace(/as_of=[-\d]+/, `as_of=${asOf}`));
      const { data } = (await response.json()) as ListBody;
      answered.push([asOf, data.length === 0 ? 'no row' : String(data[0]?.['actual'])]);
    }
    expect(answered).toEqual(rows);
  });
});

/** Code blocks by how they begin, and what runs them; else why nothing can. */
const BLOCKS: Readonly<Record<string, string>> = {
  'npm ci && npm start': 'installs from the network; test/story/interruptions.test.ts and test/story/server.test.ts run what it starts',
  'npm run nightly -- --source': 'asks the publishers over the network; the sources that it names are looked up below',
  'KEY=asof_…': 'the requests above',
  'npm run nightly -- --mirror': 'payloads of publishers are in no repository; test/real runs it where they are',
  curl: 'the requests above',
  'npm install --prefix bench/peers': 'installs from the network and measures for minutes; test/bench runs its parts',
  'npm run rights -- grant': 'run below',
  'npm ci && npm run derive': 'installs from the network; test/snapshot/earlier-release.test.ts upgrades',
  'select * from read_parquet': 'run below',
  'select period, value from vintages': 'run below',
};

describe('the code blocks', () => {
  const blocks = [...readme.matchAll(/^```\w*\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text.trim());
  const block = (start: string) => blocks.find((text) => text.startsWith(start)) ?? '';

  it('are all run, or it is said why they cannot be', () => {
    const starts = Object.keys(BLOCKS);
    expect([...new Set(blocks.map((text) => starts.find((start) => text.startsWith(start)) ?? text))]).toEqual(starts);
  });

  it('ask sources that there are', () => {
    const named = /--source (\S+)/.exec(block('npm run nightly -- --source'))?.[1]?.split(',') ?? [];
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter((id) => !sources.some((source) => source.id === id && source.feed !== undefined))).toEqual([]);
  });

  it('grant and revoke rights', () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'asof-readme-'));
    try {
      for (const line of block('npm run rights -- grant').split('\n')) {
        const { status, stderr } = spawnSync('sh', ['-c', line.replace('npm run rights --', 'node --import tsx jobs/commands/rights.ts')], {
          cwd: ROOT,
          encoding: 'utf8',
          env: { ...process.env, DATA_DIR: dataDir },
        });
        expect([line, status, stderr]).toEqual([line, 0, '']);
      }
    } finally {
      rmSync(dataDir, { recursive: true });
    }
  });

  it('ask the lake and the published tables what the first question asks', async () => {
    const folder = await sampleLake();
    const engine = await DuckDBInstance.create(':memory:');
    const connection = await engine.connect();
    await connection.run("set TimeZone = 'UTC'");
    const lake = block('select * from read_parquet').replace('data/lake', join(folder, 'lake'));
    const payrolls = "source_id = 'fred_md' and series_code = 'PAYEMS' and period = '2020-04'";
    const known = await connection.runAndReadAll(`select value from (${lake.replace(/;$/, '')}) where ${payrolls}`);
    await connection.run(readFileSync(join(folder, 'catalog.sql'), 'utf8'));
    const published = await connection.runAndReadAll(
      `select value from (${block('select period, value from vintages').replace(/;$/, '')}) where period = '2020-04'`,
    );
    connection.closeSync();
    engine.closeSync();
    expect([known.getRows(), published.getRows()]).toEqual([[[151605]], [[151605]]]);
  });
});

describe('npm start', () => {
  const start = (...options: readonly string[]) =>
    spawnSync(join(ROOT, 'tools', 'start'), options, {
      cwd: ROOT,
      encoding: 'utf8',
      env: { ...process.env, DATA_DIR: '/nonexistent/asof' },
    });

  it('explains itself, and touches nothing for it', () => {
    const { status, stdout } = start('--help');
    expect([status, stdout.includes('npm start'), stdout.includes('Example')]).toEqual([0, true, true]);
  });

  it('refuses an option that it does not know in one line', () => {
    const { status, stderr } = start('--port', '80');
    expect([status, stderr.trim()]).toEqual([1, "error: unknown option '--port'"]);
  });
});

describe('the commands', () => {
  const named = [...new Set([...readme.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name))];

  it('exist', () => {
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
  });

  it.each(named.filter((name) => scripts[name]?.startsWith('node --import tsx jobs/commands/')))(
    'npm run %s explains itself, with an example',
    (name) => {
      const file = (scripts[name] ?? '').split(' ').at(-1) ?? '';
      const { status, stdout } = spawnSync(process.execPath, ['--import', 'tsx', file, '--help'], { cwd: ROOT, encoding: 'utf8' });
      expect([status, stdout.includes(`npm run ${name}`), stdout.includes('Example')]).toEqual([0, true, true]);
    },
  );
});

describe('the variables', () => {
  it('are those that the configuration reads', () => {
    const config = readFileSync(join(ROOT, 'src/config.ts'), 'utf8');
    const read = [...config.matchAll(/^ {2}([A-Z][A-Z_]+):/gm)].map(([, name = '']) => name);
    const table = readme.slice(readme.indexOf('## Configuration'), readme.indexOf('## Where things are'));
    // The first cell of a row names what the configuration reads; what the row says of it may name variables that others read.
    const told = [...table.matchAll(/^\|([^|]+)\|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`([A-Z][A-Z_]+)`/g)].map(([, name = '']) => name),
    );
    expect(told.toSorted()).toEqual(read.toSorted());
  });
});

describe('the map', () => {
  const foldersIn = (path: string) =>
    readdirSync(join(ROOT, path), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => `${path}${name}/`);

  it('names every folder of src and what stands beside it', () => {
    const beside = ['sql/', 'data/reference/', 'jobs/', 'test/', 'bench/', 'docs/', 'tools/'];
    expect([...foldersIn('src/'), ...beside].filter((folder) => !readme.includes(`    ${folder} `))).toEqual([]);
  });
});
