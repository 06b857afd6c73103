// The changes of a run to the disk, one by one: each is made and noted, or refused as a kill, a full disk or a broken one refuses it.

export interface Call {
  readonly call: 'write' | 'sync' | 'rename' | 'link' | 'remove' | 'folder' | 'read';
  readonly path: string;
  /** Of a rename or a link: the new name. */
  readonly to: string;
}

/** What the last call of a run that ends too early throws, and every one after it. */
export class Killed extends Error {
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

export const engineError = (code: DiskCode, { path }: Call): Error =>
  new Error(`IO Error: Could not write file "${path}": ${DISK_TEXTS[code]}`);

interface Refusing {
  /** What a refused change leaves. */
  readonly half?: () => void;
  readonly errorOf?: typeof nodeError;
}

/** Does a change and notes it, or refuses it. */
export type Change = <Done>(call: Call, act: () => Done | Promise<Done>, refusing?: Refusing) => Promise<Done>;

/** @param calls notes the changes that were made */
export function changing(ending: Ending, calls: Call[]): Change {
  let [changes, tried] = [0, 0];
  let wasFull = false;
  return async (call, act, { half = () => undefined, errorOf = nodeError } = {}) => {
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
}
