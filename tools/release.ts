// npm run release: dates the unreleased section of CHANGELOG.md, sets the version, writes sbom.cdx.json, commits and tags. It pushes nothing.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command } from 'commander';
import { realEffects } from '../src/effects.ts';
import { releasedChangelog } from './changelog.ts';
import { ofProduction } from './sbom.ts';

const ROOT = resolve(import.meta.dirname, '..');
const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();

new Command('release')
  .description(
    'Makes a release of what CHANGELOG.md lists as unreleased: version, date, list of what it is made of (sbom.cdx.json), commit and tag.',
  )
  .argument('<version>', 'the version to release, as 0.2.0')
  .addHelpText('after', '\nExample:\n  npm run release -- 0.2.0')
  .action((version: string) => {
    try {
      release(version);
    } catch (error) {
      console.error(error instanceof Error ? error.message : error);
      process.exitCode = 1;
    }
  })
  .parse();

function release(version: string): void {
  if (git('status', '--porcelain') !== '') throw new Error('The work tree has changes that are not committed: commit or stash them first.');
  if (git('tag', '--list', `v${version}`) !== '') throw new Error(`There is a tag v${version} already: choose the next version.`);
  const path = resolve(ROOT, 'CHANGELOG.md');
  const day = new Date(realEffects('silent', 2).now()).toISOString().slice(0, 10);
  const changelog = releasedChangelog(readFileSync(path, 'utf8'), version, day);
  execFileSync('npm', ['version', version, '--no-git-tag-version', '--allow-same-version'], { cwd: ROOT, stdio: 'ignore' });
  writeFileSync(path, changelog);
  const listed = execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  writeFileSync(resolve(ROOT, 'sbom.cdx.json'), ofProduction(listed));
  git('add', 'sbom.cdx.json');
  git('commit', '--all', '--message', `release: ${version}`);
  git('tag', '--annotate', `v${version}`, '--message', `asof ${version}`);
  console.log(`v${version} is committed and tagged; publish it with: git push --follow-tags`);
}
