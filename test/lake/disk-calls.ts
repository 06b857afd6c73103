// What the code does to the disk, call by call: the calls of node:fs and the files that statements of the engine write. A call may be made the
// last one, as a kill makes it, so that every state in which a run can be left is made on purpose.
import fs from 'node:fs';
import promises, { type FileHandle } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { dirname } from 'node:path';
import { DuckDBConnection } from '@duckdb/node-api';
import { isLong } from '../suite.ts';

export interface Call {
  readonly call: 'write' | 'sync' | 'rename' | 'link' | 'remove' | 'folder' | 'read';
  readonly path: string;
  /** Of a rename or a link: the new name. */
  readonly to: string;
}

/** What the last call of a run that ends too early throws, and every one after it. */
class Killed extends Error {
  override readonly name = 'Killed';
}

/** The disk was full at one call; what follows finds room again. */
export class DiskFull extends Error {
  override readonly name = 'DiskFull';
  readonly code = 'ENOSPC';
}

export interface Ending {
  /** Changes before the one at which the run ends; from there on nothing reaches the disk. */
  readonly killedAfter?: number;
  /** A change that fails, once. */
  readonly fullAt?: (call: Call) => boolean;
  /** With what a change fails, which is the `number`-th that was tried (from 0); null where it is done. */
  readonly failing?: (number: number, call: Call) => DiskCode | null;
  /** Called after each change. */
  readonly onDone?: (call: Call) => void;
}

const DISK_TEXTS = { ENOSPC: 'No space left on device', EIO: 'Input/output error' } as const;
export type DiskCode = keyof typeof DISK_TEXTS;

/** As Node tells it: calls on an open file do not say which file it is. */
function nodeError(code: DiskCode, { call, path }: Call): Error {
  const isOfHandle = call === 'write' || call === 'sync';
  const syscall = { write: 'write', sync: 'fsync', rename: 'rename', link: 'link', remove: 'unlink', folder: 'mkdir', read: 'open' }[call];
  const message = `${code}: ${DISK_TEXTS[code].toLowerCase()}, ${syscall}${isOfHandle ? '' : ` '${path}'`}`;
  return Object.assign(new Error(message), { code, syscall, ...(isOfHandle ? {} : { path }) });
}

const engineError = (code: DiskCode, { path }: Call): Error => new Error(`IO Error: Could not write file "${path}": ${DISK_TEXTS[code]}`);

type Run = (this: DuckDBConnection, ...args: Parameters<DuckDBConnection['run']>) => ReturnType<DuckDBConnection['run']>;

/** Runs `work` and says what it did to the disk below `root`. What it throws is in `error`. */
export async function traced<Result>(
  root: string,
  work: () => Promise<Result>,
  ending: Ending = {},
): Promise<{ readonly calls: readonly Call[]; readonly result: Result | null; readonly error: unknown }> {
  const calls: Call[] = [];
  let [changes, tried] = [0, 0];
  let wasFull = false;
  const isBelow = (path: unknown): path is string => typeof path === 'string' && path.startsWith(root);
  /** Does a change and notes it, or refuses it; `half` is what a refused one leaves. */
  const change = async <Done>(
    call: Call,
    act: () => Done | Promise<Done>,
    { half = () => undefined, errorOf = nodeError }: { half?: () => void; errorOf?: typeof nodeError } = {},
  ): Promise<Done> => {
    if (ending.killedAfter !== undefined && changes >= ending.killedAfter) {
      if (changes === ending.killedAfter) half();
      changes += 1;
      throw new Killed(`killed at ${call.call} ${call.path}`);
    }
    if (!wasFull && ending.fullAt?.(call) === true) {
      wasFull = true;
      half();
      throw new DiskFull(`no space left at ${call.call} ${call.path}`);
    }
    const code = ending.failing?.(tried, call) ?? null;
    tried += 1;
    if (code !== null) {
      half();
      throw errorOf(code, call);
    }
    changes += 1;
    calls.push(call);
    const done = await act();
    ending.onDone?.(call);
    return done;
  };
  const halfOf = (path: string, data: unknown) => () => {
    const bytes = typeof data === 'string' ? Buffer.from(data) : data instanceof Uint8Array ? data : Buffer.alloc(0);
    fs.writeFileSync(path, bytes.subarray(0, bytes.length / 2));
  };

  const { open, rename, rm, link, mkdir, writeFile } = promises;
  const { createReadStream } = fs;
  const run: Run = Reflect.get(DuckDBConnection.prototype, 'run');
  const follow = (handle: FileHandle, path: string): FileHandle => {
    const [sync, write, writeFileOf] = [handle.sync.bind(handle), handle.write.bind(handle), handle.writeFile.bind(handle)];
    return Object.assign(handle, {
      sync: () => change({ call: 'sync', path, to: '' }, sync),
      write: (...args: Parameters<typeof write>) => change({ call: 'write', path, to: '' }, () => write(...args)),
      writeFile: (...args: Parameters<typeof writeFileOf>) =>
        change({ call: 'write', path, to: '' }, () => writeFileOf(...args), { half: halfOf(path, args[0]) }),
    });
  };
  Object.assign(promises, {
    async open(...args: Parameters<typeof open>) {
      const [path] = args;
      const handle = await open(...args);
      return isBelow(path) ? follow(handle, path) : handle;
    },
    async rename(...args: Parameters<typeof rename>) {
      const [from, to] = args;
      return isBelow(from) ? change({ call: 'rename', path: from, to: String(to) }, () => rename(...args)) : rename(...args);
    },
    async link(...args: Parameters<typeof link>) {
      const [from, to] = args;
      return isBelow(from) ? change({ call: 'link', path: from, to: String(to) }, () => link(...args)) : link(...args);
    },
    async rm(...args: Parameters<typeof rm>) {
      const [path] = args;
      return isBelow(path) && fs.existsSync(path) ? change({ call: 'remove', path, to: '' }, () => rm(...args)) : rm(...args);
    },
    async mkdir(...args: Parameters<typeof mkdir>) {
      const [path] = args;
      return isBelow(path) && !fs.existsSync(path) ? change({ call: 'folder', path, to: '' }, () => mkdir(...args)) : mkdir(...args);
    },
    async writeFile(...args: Parameters<typeof writeFile>) {
      const [path, data] = args;
      if (!isBelow(path)) return writeFile(...args);
      return change({ call: 'write', path, to: '' }, () => writeFile(...args), { half: halfOf(path, data) });
    },
  });
  Object.assign(fs, {
    createReadStream(...args: Parameters<typeof createReadStream>) {
      const [path] = args;
      if (isBelow(path)) calls.push({ call: 'read', path, to: '' });
      return createReadStream(...args);
    },
  });
  const attached = new Map<string, string>();
  const runTraced: Run = async function (this: DuckDBConnection, sql, ...rest) {
    const found = /^\s*(?:copy .* to|attach) '((?:[^']|'')+)' (?:\(format parquet|as (\w+))/s.exec(sql);
    const path = found?.[1]?.replaceAll("''", "'") ?? attached.get(/^\s*(?:create table|detach) (\w+)/.exec(sql)?.[1] ?? '');
    if (!isBelow(path)) return run.call(this, sql, ...rest);
    if (found?.[2] !== undefined) attached.set(found[2], path);
    return change({ call: 'write', path, to: '' }, () => run.call(this, sql, ...rest), {
      ...(found === null ? {} : { half: () => fs.writeFileSync(path, 'PAR1') }),
      errorOf: engineError,
    });
  };
  Object.assign(DuckDBConnection.prototype, { run: runTraced });
  syncBuiltinESMExports();
  try {
    return { calls, result: await work(), error: null };
  } catch (error) {
    return { calls, result: null, error };
  } finally {
    Object.assign(promises, { open, rename, rm, link, mkdir, writeFile });
    Object.assign(fs, { createReadStream });
    Object.assign(DuckDBConnection.prototype, { run });
    syncBuiltinESMExports();
  }
}

/**
 * Ends `work` after each of its changes in turn (each second one in `npm test`), each time from where `prepare` begins, and looks at what is left.
 * Answers the calls of the whole.
 */
export async function endedAnywhere(
  root: string,
  prepare: () => unknown,
  work: () => Promise<unknown>,
  look: () => Promise<void>,
): Promise<readonly Call[]> {
  for (let after = 0; ; after += isLong ? 1 : 2) {
    await prepare();
    const { calls, error } = await traced(root, work, { killedAfter: after });
    if (error === null) return calls;
    if (!(error instanceof Killed)) throw error as Error;
    await look();
  }
}

/** What is wrong with the order of the calls, whatever they are for; nothing when a power cut at any moment leaves only whole files. */
export function disorders(calls: readonly Call[]): string[] {
  const found: string[] = [];
  const unsynced = new Set<string>();
  const unsyncedFolders = new Map<string, string>();
  for (const { call, path, to } of calls) {
    if (call === 'write') unsynced.add(path);
    if (call === 'sync') {
      unsynced.delete(path);
      unsyncedFolders.delete(path);
    }
    if (call === 'remove') unsynced.delete(path);
    if (call === 'folder') unsyncedFolders.set(dirname(path), `the folder ${path} was made`);
    if (call === 'rename') {
      if (unsynced.has(path)) found.push(`${path} was given its final name ${to} before its bytes were synced`);
      for (const [folder, why] of unsyncedFolders)
        if (folder !== dirname(to) && !to.startsWith(`${folder}/`))
          found.push(`${why}, and ${folder} was not synced before ${to} came to be`);
      unsyncedFolders.set(dirname(to), `${to} was given its name`);
    }
  }
  for (const [folder, why] of unsyncedFolders) found.push(`${why}, and ${folder} was never synced`);
  return found;
}
