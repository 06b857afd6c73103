// The README's examples of the interface, run: its curl lines against the sample, its commands for their help, its variables for their names.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type ListBody, startSampleService } from '../service.ts';

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
});

describe('the commands', () => {
  const named = [...new Set([...readme.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name))];

  it('exist', () => {
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
  });

  it.each(named.filter((name) => scripts[name]?.startsWith('tsx jobs/commands/')))(
    'npm run %s explains itself, with an example',
    (name) => {
      const [, file = ''] = (scripts[name] ?? '').split(' ');
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
    const told = [...table.matchAll(/`([A-Z][A-Z_]+)`/g)].map(([, name = '']) => name);
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
