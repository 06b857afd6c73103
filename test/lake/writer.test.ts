import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LakeLockedError } from '../../src/lake/lake.ts';
import { openPipeline, type Pipeline } from '../pipeline.ts';

describe('the lake under one writer', () => {
  let pipeline: Pipeline;
  let child: ChildProcess | null = null;
  beforeEach(async () => {
    pipeline = await openPipeline();
  });
  afterEach(async () => {
    child?.kill('SIGKILL');
    await pipeline.remove();
  });

  const holdElsewhere = async () => {
    const script = join(import.meta.dirname, 'hold-lake.ts');
    const holder = spawn(process.execPath, ['--import', 'tsx', script, pipeline.dataDir], { stdio: ['ignore', 'pipe', 'inherit'] });
    child = holder;
    await once(holder.stdout, 'data');
    return holder;
  };

  it('refuses a second writer in another process, naming the folder and the process', async () => {
    const holder = await holdElsewhere();
    const opening = pipeline.workspace.openLake();
    await expect(opening).rejects.toThrow(LakeLockedError);
    await expect(opening).rejects.toThrow(
      `The lake in ${join(pipeline.dataDir, 'lake')} is being written by process ${holder.pid}. Wait until that run has ended, or stop it, and start again.`,
    );
  });

  it('is free again after the other process has been killed', async () => {
    const holder = await holdElsewhere();
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    const lake = await pipeline.workspace.openLake();
    expect(lake.lastChangeSequence()).toBe(0);
    await lake.close();
  });

  it('refuses a second writer in this process, until the first has closed', async () => {
    const lake = await pipeline.workspace.openLake();
    await expect(pipeline.workspace.openLake()).rejects.toThrow(/is being written by this process/);
    await lake.close();
    await (await pipeline.workspace.openLake()).close();
  });

  it('gives the memory of finished statements back if it rests, and reads on within the same limit', async () => {
    const lake = await pipeline.workspace.openLake();
    const { connection } = lake;
    const ask = async (sql: string) => (await connection.runAndReadAll(sql)).getRows()[0]?.map(String);
    const megabytes = () => process.memoryUsage.rss() / 1_000_000;
    const limit = await ask(`select current_setting('memory_limit')`);
    await connection.run('create or replace table numbers as select range as one, hash(range) as other from range(8000000)');
    await connection.run('create or replace table numbers as select * from numbers order by other');
    await connection.run('drop table numbers');
    const before = megabytes();

    await lake.rest();

    expect(before - megabytes()).toBeGreaterThan(50);
    expect(await ask(`select current_setting('memory_limit')`)).toEqual(limit);
    expect(await ask('select count(*), sum(range) from range(1000000)')).toEqual(['1000000', '499999500000']);
    await lake.close();
  });
});
