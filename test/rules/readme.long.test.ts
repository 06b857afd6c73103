// The examples of README and docs, run: curl lines against the sample, SQL over its files, commands for their help, settings for their names.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { serveFacade } from '../../src/facade/server.ts';
import { sources } from '../../src/sources/index.ts';
import { type ListBody, SAMPLE_TIME, sampleLake, startSampleService } from '../service.ts';

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

describe('the requests of the documentation', () => {
  it('exist, and send the key in a valid form', () => {
    expect(requests.length).toBeGreaterThan(1);
    expect(requests.filter(({ options }) => options.trim() !== '-H "x-api-key: $KEY"')).toEqual([]);
  });

  it.each(requests.map(({ path }) => path))('%s answers 200', async (path) => {
    expect((await service.get(path)).status).toBe(200);
  });

  it('give the answer in the table to the first question on the sample', async () => {
    const [first] = requests;
    const rows = [...readme.matchAll(/^\| (\d{4}-\d{2}-\d{2}) \| ([^|]+) \|/gm)].map(([, asOf, shown]) => [asOf, shown]);
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

/** Code blocks by how they begin, and the test that runs them, or the reason why none can. */
const BLOCKS: Readonly<Record<string, string>> = {
  'npm ci && npm start':
    'installs from the network; test/story/interruptions.long.test.ts and test/story/server.long.test.ts run its command',
  'KEY=asof_…': 'the requests above',
  curl: 'the requests above',
  'npm run probe -- --source': 'asks publishers over the network; test/fetch/first-data.long.test.ts replays it',
  'date,factor': 'compared below',
  'import fredapi': 'run below by its address; test/facade/run runs fredapi itself',
  'select period, value from vintages': 'run below',
};

const blocksOf = (markdown: string) => [...markdown.matchAll(/^```\w*\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text.trim());
const blockOf = (markdown: string, start: string) => blocksOf(markdown).find((text) => text.startsWith(start)) ?? '';
const page = (path: string) => readFileSync(join(ROOT, 'docs', path), 'utf8');

describe('the code blocks of the documentation', () => {
  const files = page('use/files.md');
  let engine: DuckDBInstance;
  let connection: DuckDBConnection;
  beforeAll(async () => {
    engine = await DuckDBInstance.create(':memory:');
    connection = await engine.connect();
    await connection.run("set TimeZone = 'UTC'");
  });
  afterAll(() => {
    connection.closeSync();
    engine.closeSync();
  });
  const rows = async (sql: string) => (await connection.runAndReadAll(sql)).getRows();

  it('of the README are all run, or have a reason', () => {
    const starts = Object.keys(BLOCKS);
    expect([...new Set(blocksOf(readme).map((text) => starts.find((start) => text.startsWith(start)) ?? text))]).toEqual(starts);
  });

  it('name sources that exist and need no key', () => {
    const [named = [], probed] = [...blockOf(readme, 'npm run probe -- --source').matchAll(/--source (\S+)/g)].map(([, ids = '']) =>
      ids.split(','),
    );
    expect(named.length).toBeGreaterThan(3);
    expect(probed).toEqual(named);
    expect(readFileSync(join(ROOT, 'jobs/commands/prepare.ts'), 'utf8')).toContain(`npm run nightly -- --source ${named.join(',')}\\n`);
    expect(named.filter((id) => !sources.some((source) => source.id === id && source.feed !== undefined))).toEqual([]);
  });

  it('grant and revoke rights', () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'asof-readme-'));
    try {
      const lines = blockOf(page('run/keys.md'), 'npm run rights -- grant').split('\n');
      expect(lines.length).toBeGreaterThan(2);
      for (const line of lines) {
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

  it('ask the first question of the lake and of the published tables', async () => {
    const folder = await sampleLake();
    const lake = blockOf(files, 'select * from read_parquet').replace('data/lake', join(folder, 'lake'));
    const payrolls = "source_id = 'fred_md' and series_code = 'PAYEMS' and period = '2020-04'";
    expect(await rows(`select value from (${lake}) where ${payrolls}`)).toEqual([[133589]]);
    await connection.run(readFileSync(join(folder, 'catalog.sql'), 'utf8'));
    const published = blockOf(files, 'select period, value from vintages');
    expect(await rows(`select value from (${published}) where period = '2020-04'`)).toEqual([[133589]]);
    expect(await rows(blockOf(readme, 'select period, value from vintages'))).toEqual([['2020-04', 133589]]);
  });

  it('build the panel of a backtest with one request', async () => {
    const path = requests.find((one) => one.path.startsWith('/panels'))?.path ?? '';
    const answer = (await (await service.get(path)).text()).replaceAll('\r\n', '\n').trim();
    expect(blockOf(readme, 'date,factor')).toBe(answer);
    // The first row has the first print of April, as in the table above.
    expect(answer).toContain('2020-05-31,nonfarm_payrolls,US,2020-04,133983');
  });

  it('ask the facade as of a day', async () => {
    const now = () => Date.parse(SAMPLE_TIME);
    const facade = await serveFacade({ url: service.url, key: service.keys.full, now }, { host: '127.0.0.1', port: 0 });
    try {
      const code = blockOf(readme, 'import fredapi');
      const root = new URL(/root_url = '([^']+)'/.exec(code)?.[1] ?? '');
      const series = /get_series\('(\w+)'\)/.exec(code)?.[1];
      const response = await fetch(
        `http://127.0.0.1:${facade.port}${root.pathname}/series/observations?series_id=${series}&file_type=json`,
      );
      const { observations } = (await response.json()) as { observations: readonly { date: string; value: string }[] };
      expect([observations.at(-1)?.date, Number(observations.at(-1)?.value)]).toEqual(['2020-04-01', 133983]);
    } finally {
      await facade.close();
    }
  });
});

describe('links', () => {
  const docs = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));

  it.each(['README.md', ...docs.map((name) => `docs/${name}`)])('of %s lead to existing files', (file) => {
    const text = readFileSync(join(ROOT, file), 'utf8').replaceAll(/```[\s\S]*?```|`[^`]*`/g, '');
    const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target.split('#')[0] ?? '');
    const local = targets.filter((target) => target !== '' && !/^https?:/.test(target));
    expect(local.filter((target) => !existsSync(join(ROOT, dirname(file), target)))).toEqual([]);
  });

  it('lead from the index to every page', () => {
    const index = page('index.md');
    const guides = docs.filter((name) => name !== 'index.md');
    expect(guides.length).toBeGreaterThan(20);
    expect(guides.filter((name) => !index.includes(`(${name})`))).toEqual([]);
  });
});

describe('npm start', () => {
  const start = (...options: readonly string[]) =>
    spawnSync(join(ROOT, 'tools', 'start'), options, {
      cwd: ROOT,
      encoding: 'utf8',
      env: { ...process.env, DATA_DIR: '/nonexistent/asof' },
    });

  it('explains itself without side effects', () => {
    const { status, stdout } = start('--help');
    expect([status, stdout.includes('npm start'), stdout.includes('Example')]).toEqual([0, true, true]);
  });

  it('refuses an unknown option in one line', () => {
    const { status, stderr } = start('--port', '80');
    expect([status, stderr.trim()]).toEqual([1, "error: unknown option '--port'"]);
  });
});

describe('the commands', () => {
  const docs = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
  const text = [readme, ...docs.map(page)].join('\n');
  const named = [...new Set([...text.matchAll(/npm run (?:--silent )?([a-z][\w:-]*\w)/g)].map(([, name = '']) => name))];
  const own = Object.keys(scripts).filter((name) => scripts[name]?.includes('exec node --import tsx jobs/commands/'));

  it('of the service have a heading each', () => {
    const headings = [...page('run/commands.md').matchAll(/^### npm run (?:--silent )?(\S+)$/gm)].map(([, name = '']) => name);
    expect(headings.toSorted()).toEqual(own.toSorted());
  });

  it('exist', () => {
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
  });

  it.each(own)('include npm run %s, which explains itself with an example', (name) => {
    const file = (scripts[name] ?? '').split(' ').at(-1) ?? '';
    const { status, stdout } = spawnSync(process.execPath, ['--import', 'tsx', file, '--help'], { cwd: ROOT, encoding: 'utf8' });
    expect([status, stdout.includes(`npm run ${name}`), stdout.includes('Example')]).toEqual([0, true, true]);
  });
});

describe('the settings', () => {
  it('of the configuration have a heading each', () => {
    const config = readFileSync(join(ROOT, 'src/config.ts'), 'utf8');
    const read = [...config.matchAll(/^ {2}([A-Z][A-Z_]+):/gm)].map(([, name = '']) => name);
    const clients = ['ASOF_URL', 'ASOF_KEY'];
    const headings = [...page('run/configure.md').matchAll(/^### (\S+)$/gm)].map(([, name = '']) => name);
    expect(headings.toSorted()).toEqual([...new Set([...read, ...clients])].toSorted());
  });
});

describe('the map', () => {
  const foldersIn = (path: string) =>
    readdirSync(join(ROOT, path), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => `${path}${name}/`);

  it('of docs/develop/architecture.md names every folder of src and its neighbours', () => {
    const map = page('develop/architecture.md');
    const beside = ['sql/', 'data/reference/', 'jobs/', 'test/', 'bench/', 'docs/', 'tools/'];
    expect([...foldersIn('src/'), ...beside].filter((folder) => !map.includes(`    ${folder} `))).toEqual([]);
  });
});
