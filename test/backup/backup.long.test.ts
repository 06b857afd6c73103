// A backup is one moment of a folder that others write and read meanwhile, and comes back whole or not at all.
import { createHash } from 'node:crypto';
import { cp, mkdtemp, readdir, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { backup } from '../../jobs/keeping/backup.ts';
import { copyHashed, readList } from '../../jobs/keeping/kept-copy.ts';
import { restore } from '../../jobs/keeping/restore.ts';
import { examine } from '../../jobs/doctor.ts';
import { openArchive } from '../../src/archive/raw-archive.ts';
import { listFiles } from '../../src/disk/durable.ts';
import { namesIn } from '../../src/disk/if-there.ts';
import { codeOf } from '../../src/disk/own-file.ts';
import { issueKey, keyFile, readKeys } from '../../src/keys/key-store.ts';
import { ownSecret } from '../../src/keys/secret.ts';
import { compact } from '../../src/lake/compact.ts';
import { verifyLake } from '../../src/lake/verified.ts';
import { readCurrent, SAMPLE_MARK, snapshotPaths } from '../../src/snapshot/manifest.ts';
import { verifyCopies } from '../../src/snapshot/server-copy.ts';
import { fredMdFile, openPipeline } from '../pipeline.ts';
import { startService } from '../service.ts';
import { isLong } from '../suite.ts';
import { KnownError } from '../../src/known-error.ts';

const OPTIONS = { now: () => Date.parse('2026-11-22T06:00:00.000Z'), version: '0.0.0', wait: () => Promise.resolve() };
const nightOf = (night: number) => `2026-0${night}-28T06:00:00.000Z`;
const payrolls = (night: number) => fredMdFile(`2026-0${night}`, { PAYEMS: { '2025-11': 100, '2025-12': 100 + night } });

const pipeline = await openPipeline({ snapshotsKept: 2 });
const { dataDir } = pipeline;
await pipeline.run(payrolls(1), nightOf(1));
await issueKey(keyFile(dataDir), { label: 'test', tier: 'full', scopes: ['data:read', 'ops:read'] }, 0);
const secret = await ownSecret(dataDir);
const scratch = await mkdtemp(join(tmpdir(), 'asof-backup-'));
afterAll(async () => {
  await pipeline.remove();
  await rm(scratch, { recursive: true, force: true });
});
let folders = 0;
const newFolder = () => join(scratch, String((folders += 1)));

/** Damage that the lake, the snapshot, its copies or the archive have. */
async function damageIn(folder: string): Promise<unknown[]> {
  const { damages } = await verifyLake(join(folder, 'lake'), { now: 0, isWhole: true, isNoted: false });
  const manifest = await readCurrent(snapshotPaths(folder));
  const copies = manifest === null ? 'no snapshot' : (await verifyCopies(snapshotPaths(folder), manifest.snapshotId)).problem;
  const { findings } = await examine(folder, 0);
  return [...damages, ...(copies === null ? [] : [copies]), ...findings];
}

describe('a backup', () => {
  const folder = newFolder();
  const target = newFolder();

  it('is restored in another place with the same snapshot, keys and secret, without damage', async () => {
    const list = await backup(dataDir, folder, OPTIONS);
    const restored = await restore(folder, target);
    expect(restored.snapshotId).toBe((await pipeline.current()).snapshotId);
    expect((await readCurrent(snapshotPaths(target)))?.snapshotId).toBe(list.snapshotId);
    expect(await damageIn(target)).toEqual([]);
    expect(readKeys(keyFile(target))).toEqual(readKeys(keyFile(dataDir)));
    expect(await ownSecret(target)).toBe(secret);
    expect((await openArchive(join(target, 'raw')).list('fred_md')).length).toBe(1);
  });

  it('of the sample is served as the sample', async () => {
    const [marked, into, restored] = [newFolder(), newFolder(), newFolder()];
    await cp(dataDir, marked, { recursive: true });
    await writeFile(join(marked, SAMPLE_MARK), 'All numbers in this folder are invented.\n');
    await backup(marked, into, OPTIONS);
    await restore(into, restored);
    const service = await startService(restored);
    expect(await (await service.get('/ready')).json()).toMatchObject({ data: { serves: 'sample' } });
    await service.stop();
  });

  it('lists every file in it with its hash, and is closed to other users', async () => {
    const list = await readList(folder);
    expect(list.files.map(({ path }) => path)).toEqual((await listFiles(folder)).filter((name) => !name.startsWith('backup.')));
    for (const name of ['keys.json', 'cursor-secret', 'backup.json']) expect((await stat(join(folder, name))).mode & 0o077).toBe(0);
    expect((await stat(join(target, 'keys.json'))).mode & 0o077).toBe(0);
    expect((await stat(folder)).mode & 0o077).toBe(0);
  });

  it('is refused if the folder is not empty or lies in DATA_DIR, or if there is nothing to back up', async () => {
    await expect(backup(dataDir, folder, OPTIONS)).rejects.toThrow('is not empty');
    await expect(backup(dataDir, join(dataDir, 'backup'), OPTIONS)).rejects.toThrow('is inside DATA_DIR, or DATA_DIR inside it');
    await expect(backup(join(scratch, 'nothing'), newFolder(), OPTIONS)).rejects.toThrow('no snapshot and no lake to back up');
  });

  it('names each of many missing files, whether the file or its copy is opened first', async () => {
    const into = newFolder();
    const copies = Array.from({ length: 200 }, (_, index) => copyHashed(join(scratch, `gone-${index}`), join(into, String(index)), false));
    const codes = (await Promise.allSettled(copies)).map((one) => (one.status === 'rejected' ? codeOf(one.reason) : 'copied'));
    expect(codes).toEqual(copies.map(() => 'ENOENT'));
    expect(await readdir(into)).toEqual([]);
  });

  it('is refused and removed if a file of the lake or the snapshot is damaged', async () => {
    for (const part of ['lake/observations/source_id=fred_md', 'snapshots/files']) {
      const damaged = newFolder();
      await cp(dataDir, damaged, { recursive: true });
      const [name = ''] = (await readdir(join(damaged, part))).filter((one) => one.endsWith('.parquet'));
      const bytes = await readFile(join(damaged, part, name));
      bytes[40] = (bytes[40] ?? 0) ^ 1;
      await writeFile(join(damaged, part, name), bytes);
      const into = newFolder();
      await expect(backup(damaged, into, OPTIONS)).rejects.toThrow(`${part}/${name} is damaged`);
      expect(await readdir(into)).toEqual([]);
    }
  });
});

describe('a restore', () => {
  const whole = newFolder();
  const damagedCopy = async () => {
    if ((await namesIn(whole)).length === 0) await backup(dataDir, whole, OPTIONS);
    const folder = newFolder();
    await cp(whole, folder, { recursive: true });
    return folder;
  };

  it('names every file that is missing, truncated or changed, and writes nothing', async () => {
    const folder = await damagedCopy();
    const { files } = await readList(folder);
    const [gone = '', short = '', changed = ''] = ['raw/objects/', 'lake/observations/', 'snapshots/files/'].map(
      (part) => files.find(({ path, bytes }) => path.startsWith(part) && bytes > (part === 'raw/objects/' ? 0 : 100))?.path ?? '',
    );
    await rm(join(folder, gone));
    await truncate(join(folder, short), 50);
    const bytes = await readFile(join(folder, changed));
    bytes[60] = (bytes[60] ?? 0) ^ 8;
    await writeFile(join(folder, changed), bytes);
    const target = newFolder();
    const error: unknown = await restore(folder, target).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(KnownError);
    const text = String(error);
    expect(text).toContain(`${gone} is missing`);
    expect(text).toContain(`${short} has 50 bytes`);
    expect(text).toContain(`${changed} no longer has its hash`);
    await expect(readdir(target)).rejects.toThrow('ENOENT');
  });

  it('refuses a backup without its list, with another list, or with a list that leads out of the folder', async () => {
    const unfinished = await damagedCopy();
    await rm(join(unfinished, 'backup.json'));
    await expect(restore(unfinished, newFolder())).rejects.toThrow('no finished backup');
    const altered = await damagedCopy();
    const text = await readFile(join(altered, 'backup.json'), 'utf8');
    await writeFile(join(altered, 'backup.json'), text.replace('"form": 1', '"form":  1'));
    await expect(restore(altered, newFolder())).rejects.toThrow('backup.json is damaged');
    const leading = text.replace('"path": "current.json"', '"path": "../current.json"');
    expect(leading).not.toBe(text);
    await writeFile(join(altered, 'backup.json'), leading);
    await writeFile(join(altered, 'backup.sha256'), `${createHash('sha256').update(leading).digest('hex')}  backup.json\n`);
    await expect(restore(altered, newFolder())).rejects.toThrow('backup.json is damaged');
  });

  it('refuses a folder that is not empty, and leaves it unchanged', async () => {
    const folder = await damagedCopy();
    const target = newFolder();
    await cp(join(dataDir, 'keys.json'), join(target, 'keys.json'));
    await expect(restore(folder, target)).rejects.toThrow('is not empty');
    expect(await readdir(target)).toEqual(['keys.json']);
  });
});

describe('a backup while others write', () => {
  it('has one complete snapshot despite a publication and the retention of snapshots', async () => {
    let nights = 1;
    const folder = newFolder();
    const list = await backup(dataDir, folder, {
      ...OPTIONS,
      ...hooked('snapshots/files/', async () => {
        for (const night of [2, 3]) {
          nights = night;
          await pipeline.run(payrolls(night), nightOf(night));
        }
      }),
    });
    expect(nights).toBe(3);
    const target = newFolder();
    await restore(folder, target);
    expect(await damageIn(target)).toEqual([]);
    expect(list.snapshotId).toBe((await pipeline.current()).snapshotId);
  });

  it('has the files of one commit despite a compaction', async () => {
    const folder = newFolder();
    let isCompacted = false;
    await backup(dataDir, folder, {
      ...OPTIONS,
      ...hooked('lake/observations/', async () => {
        const lake = await pipeline.workspace.openLake();
        isCompacted = (await compact(lake, nightOf(5), { moreThan: 1, smallBytes: Infinity })) > 0;
        await lake.close();
      }),
    });
    expect(isCompacted).toBe(true);
    const target = newFolder();
    await restore(folder, target);
    expect(await damageIn(target)).toEqual([]);
  });

  it('includes files that a commit has recorded and not yet moved', async () => {
    const copy = newFolder();
    await cp(dataDir, copy, { recursive: true });
    const names = (await readdir(join(copy, 'lake/commits'))).toSorted();
    const record = JSON.parse(await readFile(join(copy, 'lake/commits', names.at(-1) ?? ''), 'utf8')) as {
      readonly files: readonly { readonly path: string; readonly staged: string }[];
    };
    for (const { path, staged } of record.files) await rename(join(copy, 'lake', path), join(copy, 'lake/.staging', staged));
    expect(record.files.length).toBeGreaterThan(0);
    const [folder, target] = [newFolder(), newFolder()];
    await backup(copy, folder, OPTIONS);
    await restore(folder, target);
    expect(await damageIn(target)).toEqual([]);
  });

  /** Does something once, after the first file below a folder was copied and before the next is. */
  function hooked(prefix: string, work: () => Promise<void>) {
    let isDone = false;
    return {
      onProgress: (path: string) => {
        if (isDone || !path.startsWith(prefix)) return undefined;
        isDone = true;
        return work();
      },
    };
  }
});

describe.runIf(isLong)('a backup under load', () => {
  it('lets the server answer and a run publish, and its copy answers as the server did then', async () => {
    const service = await startService(dataDir, { now: Date.parse('2026-11-22T06:00:00.000Z') });
    const question = '/observations?indicator_id=us_nonfarm_payrolls&source_id=fred_md&vintage=all&sort=observed_at&limit=500';
    const state = { isOver: false };
    const statuses: number[] = [];
    const clients = Array.from({ length: 8 }, async () => {
      while (!state.isOver) {
        const answer = await service.get(question);
        await answer.text();
        statuses.push(answer.status);
      }
    });
    const answer = async (from: typeof service, path: string) => {
      const { data } = (await (await from.get(path)).json()) as { readonly data: unknown };
      return data;
    };
    const answers = new Map([[(await pipeline.current()).snapshotId, await answer(service, question)]]);
    const folder = newFolder();
    const night = pipeline.run(payrolls(6), nightOf(6));
    const list = await backup(dataDir, folder, { ...OPTIONS, wait: (milliseconds: number) => pause(milliseconds) });
    await night;
    await service.follow();
    answers.set((await pipeline.current()).snapshotId, await answer(service, question));
    state.isOver = true;
    await Promise.all(clients);
    expect(answers.size).toBe(2);
    expect(statuses.length).toBeGreaterThan(50);
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
    const target = newFolder();
    await restore(folder, target);
    expect(await damageIn(target)).toEqual([]);
    const restored = await startService(target, { now: service.clock.now });
    expect(await answer(restored, '/snapshot')).toMatchObject({ snapshotId: list.snapshotId });
    expect(await answer(restored, question)).toEqual(answers.get(list.snapshotId ?? ''));
    await restored.stop();
    await service.stop();
    // The next run goes on from what was restored.
    const again = await openPipeline({ dataDir: target });
    await again.run(payrolls(7), nightOf(7));
    await pipeline.run(payrolls(7), nightOf(7));
    expect((await again.current()).counts).toEqual((await pipeline.current()).counts);
  });
});
