// The states in which a kill can leave a commit, made by hand: they last too short a time to be hit by chance.
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPipeline, type Pipeline } from '../pipeline.ts';
import { stated, statedFile } from './stated.ts';

interface Commit {
  readonly files: readonly { readonly path: string; readonly staged: string }[];
}

describe('opening the lake after a kill', () => {
  let pipeline: Pipeline;
  let lake: string;
  beforeEach(async () => {
    pipeline = await openPipeline();
    lake = join(pipeline.dataDir, 'lake');
    await pipeline.ingest(statedFile('one', [['2020-12', '2021-01-05', 7]]), '2021-03-01T08:00:00.000Z', [stated]);
    await pipeline.ingest(statedFile('two', [['2021-01', '2021-02-05', 8]]), '2021-03-02T08:00:00.000Z', [stated]);
  });
  afterEach(() => pipeline.remove());

  const newestCommit = async () => {
    const name = (await readdir(join(lake, 'commits'))).sort().at(-1) ?? '';
    return { name, commit: JSON.parse(await readFile(join(lake, 'commits', name), 'utf8')) as Commit };
  };
  const unmove = async (count: number) => {
    const { commit } = await newestCommit();
    expect(commit.files.length).toBeGreaterThan(2);
    await mkdir(join(lake, '.staging'), { recursive: true });
    for (const file of commit.files.slice(-count)) await rename(join(lake, file.path), join(lake, '.staging', file.staged));
  };
  const reopen = async () => {
    const opened = await pipeline.workspace.openLake();
    const sequence = opened.lastChangeSequence();
    await opened.close();
    return sequence;
  };
  const values = async () => (await pipeline.lake('select value from observations order by period')).map((row) => row['value']);

  it.each([1, 2, 3])('completes a commit whose record was written while its last %i files were not in place', async (count) => {
    await unmove(count);
    expect(await reopen()).toBe(2);
    expect(await values()).toEqual([7, 8]);
    expect(await pipeline.lake('select count(*)::int as n from ingestions')).toEqual([{ n: 2 }]);
    expect(await readdir(join(lake, '.staging'))).toEqual([]);
  });

  it('deletes staged files without a record, and unfinished records', async () => {
    await mkdir(join(lake, '.staging'), { recursive: true });
    await writeFile(join(lake, '.staging', 'observations-part-00000003.parquet'), 'PAR1');
    await writeFile(join(lake, 'commits', '00000003.json.partial'), '{"number":3');
    await writeFile(join(lake, 'writer.lock.1.partial'), '');
    expect(await reopen()).toBe(2);
    expect(await values()).toEqual([7, 8]);
    const names = await readdir(lake, { recursive: true });
    expect(names.filter((name) => /partial|staging\/|part-00000003/.test(name))).toEqual([]);
  });

  it('writes the next commit after the completed one, with the next number and the next change', async () => {
    await unmove(3);
    await pipeline.ingest(statedFile('three', [['2021-02', '2021-03-02', 9]]), '2021-03-03T08:00:00.000Z', [stated]);
    expect(await values()).toEqual([7, 8, 9]);
    expect((await newestCommit()).name).toBe('00000003.json');
    expect(await pipeline.lake('select max(change_sequence)::int as n from observations')).toEqual([{ n: 3 }]);
  });
});
