// Folders of processes: one that runs keeps its own whatever starts beside it, and what a dead one left is swept.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openScratch } from '../../src/disk/scratch.ts';

let root: string;
beforeEach(() => {
  root = join(mkdtempSync(join(tmpdir(), 'asof-scratch-')), 'servers');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const NOW = Date.parse('2026-11-21T12:00:00.000Z');
const open = () => openScratch(root, () => NOW);
/** The folder of another process, as it would have been named there. */
async function folderOf(pid: number, start: string, change: (name: string) => string = (name) => name): Promise<string> {
  const own = await open();
  const path = join(root, change(basename(own.path).replace(/-\d+-\d+-/, `-${pid}-${start}-`)));
  await own.remove();
  mkdirSync(path);
  writeFileSync(join(path, 'rows.parquet'), 'half an answer');
  return path;
}
const startedAt = (path: string) => /-\d+-(\d+)-/.exec(basename(path))?.[1] ?? '';

describe('a folder for temporary files', () => {
  it('is kept if another one is opened next to it, and removed when it is closed', async () => {
    const [one, other] = [await open(), await open()];
    expect([existsSync(one.path), existsSync(other.path), one.path === other.path]).toEqual([true, true, false]);
    await other.remove();
    expect(readdirSync(root)).toEqual([basename(one.path)]);
    await one.remove();
    expect(readdirSync(root)).toEqual([]);
  });

  it('is removed if its process has ended, and kept while it runs', async () => {
    const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)']);
    await once(child, 'spawn');
    const start = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[19] ?? '';
    const path = await folderOf(child.pid ?? 0, start);
    await open();
    expect(existsSync(join(path, 'rows.parquet'))).toBe(true);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await open();
    expect(existsSync(path)).toBe(false);
  });

  it('is removed if its process number now belongs to another process', async () => {
    const own = await open();
    const path = await folderOf(process.pid, String(Number(startedAt(own.path)) - 1));
    await open();
    expect([existsSync(path), existsSync(own.path)]).toEqual([false, true]);
  });

  it('from another machine is removed if it is unused for a day', async () => {
    const path = await folderOf(1, '1', (name) => `${'0'.repeat(12)}${name.slice(12)}`);
    const touch = (hoursAgo: number) => utimesSync(path, NOW / 1000, NOW / 1000 - hoursAgo * 3600);
    touch(23);
    await open();
    expect(existsSync(path)).toBe(true);
    touch(25);
    await open();
    expect(existsSync(path)).toBe(false);
  });

  it('that no server made is kept', async () => {
    mkdirSync(join(root, 'notes'), { recursive: true });
    await open();
    expect(existsSync(join(root, 'notes'))).toBe(true);
  });
});
