// A release keeps the list of what it is made of: what the lock file names for production, and nothing else.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const VERSION = '99.0.0';

interface Component {
  readonly name: string;
  readonly version: string;
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
}

let folder: string;
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], { cwd: folder, encoding: 'utf8' });
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'asof-release-'));
  mkdirSync(join(folder, 'src'));
  for (const path of ['package.json', 'package-lock.json', 'tools', 'src/effects.ts'])
    cpSync(join(ROOT, path), join(folder, path), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'CHANGELOG.md'), '# Changelog\n\n## Unreleased\n\n### Fixed\n\n- A number.\n');
  writeFileSync(join(folder, '.gitignore'), 'node_modules\n');
  git('init', '--quiet');
  git('config', 'user.name', 'a');
  git('config', 'user.email', 'a@example.org');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'all');
  execFileSync(process.execPath, ['--import', 'tsx', 'tools/release.ts', VERSION], { cwd: folder, stdio: 'pipe' });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the bill of materials of a release', () => {
  const released = () =>
    JSON.parse(git('show', `v${VERSION}:sbom.cdx.json`)) as { metadata: { component: Component }; components: Component[] };

  it('is committed and tagged with the release, under its version', () => {
    expect(released().metadata.component).toMatchObject({ name: 'asof', version: VERSION });
    expect(git('status', '--porcelain')).toBe('');
  });

  it('has every production package of the lock file with version and hash, and no other', () => {
    const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { version: string; dev?: boolean; name?: string; integrity?: string }>;
    };
    const locked = Object.entries(packages).filter(([path, { dev }]) => path !== '' && dev !== true);
    const named = locked.map(([path, { name, version }]) => `${name ?? path.split('node_modules/').at(-1)} ${version}`);
    const { components } = released();
    expect([...new Set(components.map(({ name, version }) => `${name} ${version}`))].toSorted()).toEqual([...new Set(named)].toSorted());
    const hashes = new Set(
      components.flatMap((one) => (one.hashes ?? []).map(({ content }) => Buffer.from(content, 'hex').toString('base64'))),
    );
    const missing = locked.filter(([, { integrity }]) => integrity !== undefined && !hashes.has(integrity.replace('sha512-', '')));
    expect(missing.map(([path]) => path)).toEqual([]);
  });

  it('does not name the registry that they came from', () => {
    expect(git('show', `v${VERSION}:sbom.cdx.json`)).not.toMatch(/"type": "distribution"|\.tgz/);
  });
});
