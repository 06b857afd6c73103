// A file system of its own in memory, whose room and rights a test changes while a lake lies on it.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface OwnFileSystem {
  readonly path: string;
  readonly usedBytes: () => number;
  /** @param options as `mount -o remount` takes them, e.g. `size=4096k` or `ro` */
  readonly remount: (options: string) => void;
  readonly remove: () => void;
}

const run = (command: string, ...parameters: readonly string[]): string | null => {
  const { status, stderr, error } = spawnSync(command, parameters, { encoding: 'utf8' });
  return status === 0 ? null : (error?.message ?? stderr.trim());
};

/** Why none can be had here; null where one can. */
export function whyNoFileSystem(): string | null {
  const found = mounted('1m');
  if (typeof found === 'string') return found;
  found.remove();
  return null;
}

/** The reason where it is not allowed. */
function mounted(size: string): OwnFileSystem | string {
  const path = mkdtempSync(join(tmpdir(), 'asof-tmpfs-'));
  const problem = run('mount', '-t', 'tmpfs', '-o', `size=${size}`, 'asof-test', path);
  if (problem !== null) {
    rmSync(path, { recursive: true });
    return problem;
  }
  return {
    path,
    usedBytes() {
      const { blocks, bfree, bsize } = statfsSync(path);
      return (blocks - bfree) * bsize;
    },
    remount(options) {
      const reason = run('mount', '-o', `remount,${options}`, path);
      if (reason !== null) throw new Error(`${path} cannot be mounted with ${options}: ${reason}`);
    },
    remove() {
      run('mount', '-o', 'remount,rw', path);
      const reason = run('umount', path) === null ? null : run('umount', '--lazy', path);
      if (reason !== null) throw new Error(`${path} cannot be unmounted: ${reason}`);
      rmSync(path, { recursive: true, force: true });
    },
  };
}

export function openFileSystem(size: string): OwnFileSystem {
  const found = mounted(size);
  if (typeof found === 'string') throw new Error(`no tmpfs can be mounted: ${found}`);
  return found;
}
