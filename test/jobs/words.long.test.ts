// What commands say once: of a name that they do not know, to a reader that leaves early, and as they are ended under npm.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withProgress } from '../../jobs/reporting/progress.ts';
import { thereIsNo, withNearestChoice } from '../../jobs/reporting/words.ts';

const ROOT = join(import.meta.dirname, '../..');

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'asof-words-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const shell = (line: string) =>
  spawnSync('bash', ['-c', `set -o pipefail; ${line}`], { cwd: ROOT, encoding: 'utf8', env: { ...process.env, DATA_DIR: folder } });

describe('an unknown name', () => {
  it('gets the nearest known name as a suggestion, if there is one', () => {
    expect(thereIsNo('source', 'fred_mdd', ['fred', 'fred_md', 'bls'])).toBe('There is no source fred_mdd. Did you mean fred_md?');
    expect(thereIsNo('source', 'qqqqqq', ['fred', 'bls'])).toBe('There is no source qqqqqq. The sources are fred, bls.');
  });

  it('gets one of the choices of an option too', () => {
    const refusal = "error: option '--tier <tier>' argument 'fre' is invalid. Allowed choices are full, free.\n";
    expect(withNearestChoice(refusal)).toBe(`${refusal.trimEnd()} Did you mean free?\n`);
    expect(withNearestChoice("error: unknown option '--teir'\n")).toBe("error: unknown option '--teir'\n");
  });

  it.each([
    ['nightly.ts --source fred_mdd', 'fred_md'],
    ['normalise.ts --source ecb_fxx', 'ecb_fx'],
    ['rights.ts grant quotess --note x', 'quotes'],
    ['keys.ts create --label x --tier fre', 'free'],
    ['keys.ts create --label x --scopes data:raed', 'data:read'],
    ['asof.ts nigthly', 'nightly'],
  ])('for %s is refused with one suggestion and code 1', (line, meant) => {
    const { status, stdout, stderr } = shell(`node --import tsx jobs/commands/${line}`);
    expect([status, stdout, stderr.split(`Did you mean ${meant}?`).length]).toEqual([1, '', 2]);
    expect(stderr.trim().split('\n')).toHaveLength(line.startsWith('asof') ? 2 : 1);
  });
});

describe('a reader of the output that leaves early', () => {
  it.each([
    ['asof.ts nightly --offline --json', 1],
    ['nightly.ts --help', 0],
    ['keys.ts --json list', 0],
    ['asof.ts help', 0],
    ['doctor.ts --json', 0],
  ])('ends only the output of %s', (line, status) => {
    const said = shell(`node --import tsx jobs/commands/${line} | true`);
    expect([said.status, said.stderr.includes('EPIPE'), said.stderr.includes('    at ')]).toEqual([status, false, false]);
  });
});

describe('a failed step', () => {
  it('leaves the reason to the command, which prints it once', () => {
    const { status, stderr } = shell('node --import tsx jobs/commands/nightly.ts --mirror /nope');
    expect([status, stderr.split('The folder /nope cannot be read.').length]).toEqual([1, 2]);
  });

  it('is still thrown unchanged', async () => {
    const failed = withProgress(['one'], true, () => Promise.reject(new Error('the reason')));
    await expect(failed).rejects.toThrow('the reason');
  });
});

describe('^C under npm', () => {
  it('waits for the closing line of a running command', async () => {
    const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
    // In place of the command one that hears the signal late, as in the middle of a computation.
    const busy = join(folder, 'busy.ts');
    await writeFile(
      busy,
      `process.on('SIGINT', () => { process.stderr.write('the closing line\\n'); process.exit(130); });
       process.stdout.write('ready\\n');
       setTimeout(() => { const end = Date.now() + 1500; while (Date.now() < end); }, 50);
       setTimeout(() => {}, 20_000);`,
    );
    const line = (scripts['nightly'] ?? '').replace('jobs/commands/nightly.ts', busy);
    const child = spawn('sh', ['-c', line], {
      cwd: ROOT,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, PATH: `${join(ROOT, 'node_modules/.bin')}:${process.env['PATH']}` },
    });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => (said += String(chunk)));
    await once(child.stdout, 'data');
    await pause(300);
    process.kill(-(child.pid ?? 0), 'SIGINT');
    await once(child, 'close');
    expect(said).toBe('the closing line\n');
  });
});
