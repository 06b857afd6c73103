// What operators take as it is: the files of ops/ name variables, commands, ports and metrics that exist.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { COMMANDS } from '../../src/called.ts';
import { openLanes } from '../../src/db/lanes.ts';
import { LIMITS, WINDOW_SECONDS } from '../../src/http/admission/rate-limit.ts';
import { openMetrics } from '../../src/metrics/metrics.ts';
import { metricNames } from '../metrics/parse.ts';
import { readConfig } from '../../src/config.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const dockerfile = read('ops/Dockerfile');
const compose = read('ops/compose.yaml');
const units = ['ops/asof.service', 'ops/asof-nightly.service'].map(read);
const manifest = z
  .object({ bin: z.record(z.string(), z.string()), scripts: z.record(z.string(), z.string()), files: z.array(z.string()) })
  .parse(JSON.parse(read('package.json')));

const variables = new Set([...read('src/config.ts').matchAll(/^ {2}([A-Z][A-Z_]+):/gm)].map(([, name = '']) => name));
const commands = new Set([...read('jobs/commands/asof.ts').matchAll(/^ {2}(\w+): \{ summary/gm)].map(([, name = '']) => name));

describe('variables', () => {
  const named = [
    ...[...dockerfile.matchAll(/(?:^ENV| {4})\s*([A-Z_]+)=/gm)].map(([, name = '']) => name),
    ...[...compose.matchAll(/^ {6}([A-Z_]+): /gm)].map(([, name = '']) => name),
    ...[...compose.matchAll(/\$\{([A-Z_]+)/g)].map(([, name = '']) => name),
    ...units.flatMap((unit) => [...unit.matchAll(/[ =]([A-Z_]+)=/g)].map(([, name = '']) => name)),
  ].filter((name) => name !== 'NODE_ENV');

  it('are those of src/config.ts', () => {
    expect(new Set(named).size).toBeGreaterThan(10);
    expect(named.filter((name) => !variables.has(name))).toEqual([]);
  });

  it('of the image and of each unit are valid in the configuration', () => {
    const ofImage = Object.fromEntries([...dockerfile.matchAll(/([A-Z_]+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]));
    expect(readConfig(ofImage)).toMatchObject({ host: '0.0.0.0', port: 8080, dataDir: '/data', metrics: null });
    for (const unit of units) {
      const given = /^Environment=(.*)$/m.exec(unit)?.[1]?.split(' ') ?? [];
      expect(readConfig(Object.fromEntries(given.map((one) => one.split('=')))).dataDir).toBe('/var/lib/asof');
    }
  });
});

describe('servers behind a balancer', () => {
  const many = read('ops/compose.replicas.yaml');
  const haproxy = read('ops/haproxy.cfg');

  it('use variables of the configuration and of S3 clients only', () => {
    const named = [...many.matchAll(/^ {4}([A-Z][A-Z0-9_]+): /gm)].map(([, name = '']) => name);
    expect(named.length).toBeGreaterThan(6);
    expect(named.filter((name) => !variables.has(name) && !name.startsWith('AWS_'))).toEqual([]);
    for (const name of ['SNAPSHOT_URL', 'CURSOR_SECRET', 'REDIS_URL']) expect(named).toContain(name);
  });

  it('match those of the balancer, each with a folder of its own', () => {
    const servers = [...many.matchAll(/^ {2}(asof-\d): \{ <<: \*server, volumes: \["([\w-]+):\/data"\] \}$/gm)].map(([, name, volume]) => [
      name,
      volume,
    ]);
    expect(new Set(servers.map(([, volume]) => volume)).size).toBe(3);
    expect([...haproxy.matchAll(/^ {4}server (\S+) (\S+):8080$/gm)].map(([, name, host]) => [name, host])).toEqual(
      servers.map(([name]) => [name, name]),
    );
    expect(haproxy).toContain('option httpchk GET /ready\n');
    expect(haproxy).toContain('option forwardfor\n');
  });

  it('get few enough health checks, ready or not, for several balancers at one address', () => {
    const intervals = [...(/check (inter .*?) fall/.exec(haproxy)?.[1] ?? '').matchAll(/(\d+)(ms|s)\b/g)];
    const seconds = intervals.map(([, value, unit]) => Number(value) * (unit === 's' ? 1 : 0.001));
    expect(seconds.length).toBe(3);
    expect((4 * WINDOW_SECONDS) / Math.min(...seconds)).toBeLessThan(LIMITS.discovery);
  });

  it.runIf(spawnSync('haproxy', ['-v']).status === 0)('have a balancer with a valid configuration', () => {
    const folder = mkdtempSync(join(tmpdir(), 'asof-haproxy-'));
    writeFileSync(join(folder, 'haproxy.cfg'), haproxy.replaceAll(/asof-(\d):8080/g, '127.0.0.1:1808$1'));
    const { status, stderr, stdout } = spawnSync('haproxy', ['-c', '-f', join(folder, 'haproxy.cfg')], { encoding: 'utf8' });
    rmSync(folder, { recursive: true });
    expect([status, status === 0 ? '' : stdout + stderr]).toEqual([0, '']);
  });
});

describe('commands', () => {
  it('of asof are scripts of npm run too', () => {
    const called = [
      ...[...compose.matchAll(/command: \[(\w+)/g)].map(([, name = '']) => name).filter((name) => name !== 'redis'),
      ...[...dockerfile.matchAll(/^CMD \["(\w+)"/gm)].map(([, name = '']) => name),
      ...units.flatMap((unit) => [...unit.matchAll(/^ExecStart=\/opt\/asof\/tools\/asof (\w+)$/gm)].map(([, name = '']) => name)),
    ];
    expect(called.toSorted()).toEqual(['nightly', 'nightly', 'serve', 'serve', 'serve']);
    expect(called.filter((name) => !commands.has(name))).toEqual([]);
    expect(
      [...commands].filter(
        (name) => name !== 'serve' && !manifest.scripts[name]?.endsWith(`exec node --import tsx jobs/commands/${name}.ts`),
      ),
    ).toEqual([]);
    expect(commands).toEqual(new Set(COMMANDS.map((name) => (name === 'start' ? 'serve' : name))));
  });

  it('are in the package: its bin exists, and its files include their inputs', () => {
    expect(existsSync(join(ROOT, manifest.bin['asof'] ?? ''))).toBe(true);
    const missing = ['src', 'sql', 'jobs', 'data/reference', 'tools/asof', 'ops'].filter((part) => !manifest.files.includes(part));
    expect(missing).toEqual([]);
    for (const part of ['src', 'sql', 'jobs', 'data/reference', 'tools/asof', 'ops/image-steps', 'ops/healthcheck.mjs'])
      expect(read('ops/Dockerfile.dockerignore')).toContain(`!${part}\n`);
  });
});

describe('the container image', () => {
  it('runs without privileges, checks /ready, and listens at the configured address', () => {
    expect(dockerfile).toContain('USER 10001:10001');
    expect(dockerfile).toMatch(/^VOLUME \/data$/m);
    const port = /PORT=(\d+)/.exec(dockerfile)?.[1];
    expect(dockerfile).toMatch(new RegExp(`^EXPOSE ${port}$`, 'm'));
    expect(compose).toContain(`:${port}:${port}"`);
    expect(compose).toMatch(/METRICS_PORT: "(\d+)"/);
    expect(compose).toContain(`expose: ["${/METRICS_PORT: "(\d+)"/.exec(compose)?.[1]}"]`);
    expect(dockerfile).toContain('CMD ["node", "/app/ops/healthcheck.mjs"]');
    expect(read('ops/healthcheck.mjs')).toContain('/ready');
    for (const step of [...dockerfile.matchAll(/ops\/image-steps (\w+)/g)].map(([, name = '']) => name).filter((name) => name !== 'which'))
      expect(read('ops/image-steps')).toMatch(new RegExp(`^${step}\\)`, 'm'));
  });

  it('of the server has read-only data, and a scratch folder elsewhere', () => {
    const server = compose.slice(compose.indexOf('  asof:'), compose.indexOf('  nightly:'));
    expect(server).toContain('data:/data:ro');
    expect(server).toContain('read_only: true');
    const scratch = /SCRATCH_DIR: (\S+)/.exec(server)?.[1];
    expect(server).toMatch(new RegExp(`tmpfs: .*"${scratch}:`));
    expect(server).toContain('serve, --no-prepare');
  });
});

describe('the units', () => {
  it('run as a user of their own who may write only to their folders', () => {
    for (const unit of units)
      for (const line of ['DynamicUser=yes', 'ProtectSystem=strict', 'StateDirectory=asof']) expect(unit).toContain(`${line}\n`);
  });

  it.runIf(spawnSync('systemd-analyze', ['--version']).status === 0)('are valid for systemd', () => {
    const files = ['asof.service', 'asof-nightly.service', 'asof-nightly.timer'].map((name) => join(ROOT, 'ops', name));
    const { stderr } = spawnSync('systemd-analyze', ['verify', ...files], { encoding: 'utf8' });
    // The command stands where nothing is installed here.
    expect(stderr.split('\n').filter((line) => line !== '' && !line.includes('/opt/asof/tools/asof is not executable'))).toEqual([]);
  });
});

describe('metrics', async () => {
  const metrics = openMetrics({
    store: {
      acquire: async () => null,
      under: (snapshot) => snapshot,
      readiness: () => ({ isReady: false, reason: null, serves: null, warnings: [] }),
    },
    lanes: openLanes({ lookup: 1, screen: 1, bulk: 1 }, () => 0),
    lastRun: async () => null,
    now: () => 0,
    onError: () => undefined,
  });
  const known = new Set(metricNames(await metrics.text()));
  const alerts = [...read('ops/alerts.yaml').matchAll(/^ {8}expr: (.*)$/gm)].map(([, expression = '']) => expression);
  const Dashboard = z.object({ panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })).min(1) })) });
  const panels = Dashboard.parse(JSON.parse(read('ops/grafana.json'))).panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  /** Names in an expression that are neither functions, keywords, nor labels. */
  const namesIn = (expression: string) => {
    const bare = expression
      .replaceAll(/\{[^}]*\}/g, '')
      .replaceAll(/\b(?:by|without) \([^)]*\)/g, '')
      .replaceAll(/\[\w+\]/g, '');
    return [...bare.matchAll(/[a-zA-Z_]\w*(?!\w)(?!\s*\()/g)]
      .map(([name]) => name)
      .filter((name) => !['or', 'and', 'unless'].includes(name));
  };

  it('of alerts and dashboard exist in the service', () => {
    expect(alerts.length).toBe(6);
    expect(panels.length).toBeGreaterThan(15);
    for (const expression of [...alerts, ...panels]) {
      expect(namesIn(expression).length).toBeGreaterThan(0);
      expect(namesIn(expression).filter((name) => !known.has(name))).toEqual([]);
    }
  });

  it('that do not exist are found in an expression', () => {
    expect(namesIn('sum by (route) (rate(asof_wrong_total{route="x"}[5m])) / 2 > 0.01 or absent(asof_gone)')).toEqual([
      'asof_wrong_total',
      'asof_gone',
    ]);
  });

  it('are selected by possible values of a label', () => {
    const text = [
      read('src/metrics/traffic.ts'),
      read('src/snapshot/last-run.ts'),
      read('src/model/series.ts'),
      read('src/model/operations.ts'),
    ].join();
    const values = [...alerts, ...panels].flatMap((one) => [...one.matchAll(/="(\w+)"/g)].map(([, value = '']) => value));
    expect(values.length).toBeGreaterThan(2);
    expect(values.filter((value) => !/^\d+$/.test(value) && !text.includes(`'${value}'`))).toEqual([]);
  });
});
