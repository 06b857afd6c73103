// What the code does to the disk, call by call: the calls of node:fs and the files that statements of the engine write. A call may be made the
// last one, as a kill makes it, so that every state in which a run can be left is made on purpose.
import fs from 'node:fs';
import promises, { type FileHandle } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { DuckDBConnection } from '@duckdb/node-api';
import { isLong } from '../suite.ts';
import { type Call, type Change, changing, type Ending, engineError, Killed } from './disk-endings.ts';

/** Runs `work` and says what it did to the disk below `root`. What it throws is in `error`. */
export async function traced<Result>(
  root: string,
  work: () => Promise<Result>,
  ending: Ending = {},
): Promise<{ readonly calls: readonly Call[]; readonly result: Result | null; readonly error: unknown }> {
  const calls: Call[] = [];
  const change = changing(ending, calls);
  const isBelow = (path: unknown): path is string => typeof path === 'string' && path.startsWith(root);
  const undo = [traceChanges(isBelow, change), traceReads(isBelow, calls), traceEngine(isBelow, change)];
  syncBuiltinESMExports();
  try {
    return { calls, result: await work(), error: null };
  } catch (error) {
    return { calls, result: null, error };
  } finally {
    for (const restore of undo) restore();
    syncBuiltinESMExports();
  }
}

type IsBelow = (path: unknown) => path is string;

/** The changes through node:fs/promises. */
function traceChanges(isBelow: IsBelow, change: Change): () => void {
  const { open, rename, rm, link, mkdir, writeFile } = promises;
  Object.assign(promises, {
    async open(...args: Parameters<typeof open>) {
      const [path] = args;
      const handle = await open(...args);
      return isBelow(path) ? traceHandle(handle, path, change) : handle;
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
  return () => void Object.assign(promises, { open, rename, rm, link, mkdir, writeFile });
}

function traceHandle(handle: FileHandle, path: string, change: Change): FileHandle {
  const [sync, write, writeFileOf] = [handle.sync.bind(handle), handle.write.bind(handle), handle.writeFile.bind(handle)];
  return Object.assign(handle, {
    sync: () => change({ call: 'sync', path, to: '' }, sync),
    write: (...args: Parameters<typeof write>) => change({ call: 'write', path, to: '' }, () => write(...args)),
    writeFile: (...args: Parameters<typeof writeFileOf>) =>
      change({ call: 'write', path, to: '' }, () => writeFileOf(...args), { half: halfOf(path, args[0]) }),
  });
}

/** Leaves the first half of the data. */
const halfOf = (path: string, data: unknown) => () => {
  const bytes = typeof data === 'string' ? Buffer.from(data) : data instanceof Uint8Array ? data : Buffer.alloc(0);
  fs.writeFileSync(path, bytes.subarray(0, bytes.length / 2));
};

/** The reads through node:fs. */
function traceReads(isBelow: IsBelow, calls: Call[]): () => void {
  const { createReadStream } = fs;
  Object.assign(fs, {
    createReadStream(...args: Parameters<typeof createReadStream>) {
      const [path] = args;
      if (isBelow(path)) calls.push({ call: 'read', path, to: '' });
      return createReadStream(...args);
    },
  });
  return () => void Object.assign(fs, { createReadStream });
}

type Run = (this: DuckDBConnection, ...args: Parameters<DuckDBConnection['run']>) => ReturnType<DuckDBConnection['run']>;

/** The files that statements write. */
function traceEngine(isBelow: IsBelow, change: Change): () => void {
  const run: Run = Reflect.get(DuckDBConnection.prototype, 'run');
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
  return () => void Object.assign(DuckDBConnection.prototype, { run });
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
  for (let after = 0; ; after += isLong ? 1 : 5) {
    await prepare();
    const { calls, error } = await traced(root, work, { killedAfter: after });
    if (error === null) return calls;
    if (!(error instanceof Killed)) throw error as Error;
    await look();
  }
}
