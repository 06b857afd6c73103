// Zip files that hold what a publisher gives one by one too: archived member by member, under the keys that those would have.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collect } from '../../jobs/collect.ts';
import { openArchive } from '../../src/archive/raw-archive.ts';
import { sec } from '../../src/sources/sec/source.ts';
import { zipOf } from '../replay/zip.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'asof-container-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const FACTS = (cik: string) => ({ name: `CIK${cik}.json`, body: JSON.stringify({ cik, facts: {} }) });
const [A, B] = ['0000099990', '0000099991'];

async function collected(name: string, files: Readonly<Record<string, Uint8Array | string>>) {
  const mirror = join(folder, name);
  await mkdir(join(mirror, 'sec/companyfacts'), { recursive: true });
  for (const [path, body] of Object.entries(files)) await writeFile(join(mirror, path), body);
  const archive = openArchive(join(folder, 'raw'));
  const report = await collect([sec], archive, mirror, { now: () => Date.parse('2026-01-05T00:00:00.000Z') });
  return { report, keys: (await archive.list('sec')).map(({ key }) => key) };
}

describe('a container', () => {
  it('is archived member by member, each once, whichever form came first', async () => {
    await collected('single', { [`sec/companyfacts/CIK${A}.json`]: FACTS(A).body });
    const zip = zipOf(FACTS(A), FACTS(B), { name: 'README.txt', body: 'all companies' });
    const { report, keys } = await collected('bulk', {
      'sec/companyfacts.zip': zip,
      'sec/submissions.zip': zipOf({ name: `CIK${B}-submissions-001.json`, body: '{}' }),
    });
    expect(report.files.map(({ key, isNew, problem }) => [key, isNew, problem])).toEqual([
      [`sec/companyfacts/CIK${A}.json`, false, null],
      [`sec/companyfacts/CIK${B}.json`, true, null],
      [`sec/submissions/CIK${B}-submissions-001.json`, true, null],
    ]);
    expect(keys).toEqual([
      `sec/companyfacts/CIK${A}.json`,
      `sec/companyfacts/CIK${B}.json`,
      `sec/submissions/CIK${B}-submissions-001.json`,
    ]);
    expect(report.unclaimed).toEqual([]);
  });

  it('that is damaged is reported by name, and its members before the damage stay', async () => {
    const damaged = zipOf(FACTS(A), { ...FACTS(B), statedCrc: 1 });
    const { report } = await collected('damaged', { 'sec/companyfacts.zip': damaged });
    expect(report.files.map(({ key, problem }) => [key, problem])).toEqual([
      [`sec/companyfacts/CIK${A}.json`, null],
      ['sec/companyfacts.zip', expect.stringContaining(`CIK${B}.json does not have its checksum`)],
    ]);
  });

  it('without a readable file is reported, and so is a truncated one', async () => {
    const whole = zipOf(FACTS(A));
    for (const [name, body] of [
      ['empty', zipOf({ name: 'README.txt', body: 'x' })],
      ['cut', whole.subarray(0, whole.length - 30)],
    ] as const) {
      const { report } = await collected(name, { 'sec/companyfacts.zip': body });
      expect(report.files).toMatchObject([
        { key: 'sec/companyfacts.zip', isNew: false, problem: expect.stringContaining('could not be read to its end') },
      ]);
    }
  });
});
