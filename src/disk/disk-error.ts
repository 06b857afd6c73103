// An error of the disk, with file and remedy. No payload and no source caused it: a run ends with it, and the next run catches up.
import { codeOf } from './own-file.ts';
import { KnownError } from '../known-error.ts';

const REMEDIES: Readonly<Record<string, readonly [what: string, remedy: string]>> = {
  ENOSPC: ['cannot be written', 'The disk is full: free some space and run the command again'],
  EDQUOT: ['cannot be written', 'The disk quota of this user is used up: free some space and run the command again'],
  EIO: ['cannot be read or written', 'The disk has a fault: check the system log, repair or replace the disk, then run npm run doctor'],
  EROFS: ['cannot be written', 'The disk is mounted read-only: set DATA_DIR to a writable folder'],
  EACCES: ['cannot be read or written', 'Give the user of this process access, or set DATA_DIR to another folder'],
  EPERM: ['cannot be read or written', 'Give the user of this process access, or set DATA_DIR to another folder'],
  ENOTDIR: ['cannot be read or written', 'A part of its path is a file: set DATA_DIR to a folder'],
  EISDIR: ['cannot be read or written', 'A folder has its name: move that folder away and run npm run doctor'],
  ELOOP: ['cannot be read or written', 'Its path is a loop of symbolic links: remove them and run npm run doctor'],
  EMFILE: ['cannot be opened', 'This process has too many open files: raise its limit (ulimit -n 1024) and run the command again'],
  ENFILE: ['cannot be opened', 'The machine has too many open files: close other programs or raise fs.file-max, and run the command again'],
};

/** The engine's wording: `IO Error: Could not write file "…": No space left on device`. */
const ENGINE_CODES: Readonly<Record<string, string>> = {
  'No space left on device': 'ENOSPC',
  'Disk quota exceeded': 'EDQUOT',
  'Input/output error': 'EIO',
  'Read-only file system': 'EROFS',
  'Permission denied': 'EACCES',
  'Operation not permitted': 'EPERM',
  'Not a directory': 'ENOTDIR',
  'Too many open files': 'EMFILE',
  'Too many open files in system': 'ENFILE',
};
const ENGINE_TEXT = new RegExp(`"(?<path>[^"]+)": (?<text>${Object.keys(ENGINE_CODES).toReversed().join('|')})`);

export class DiskError extends KnownError {
  readonly code: string;

  constructor(path: string | null, code: string, cause: unknown) {
    const [what = '', remedy = ''] = REMEDIES[code] ?? [];
    super(`${path ?? 'A file'} ${what} (${code}). ${remedy}.`, { cause });
    this.code = code;
  }
}

/** The error, or its cause, as a disk error; null for any other error. */
export function diskErrorOf(error: unknown): DiskError | null {
  if (!(error instanceof Error) || error instanceof DiskError) return error instanceof DiskError ? error : null;
  const code = isFileInPlaceOfFolder(error) ? 'ENOTDIR' : codeOf(error);
  if (code !== null && code in REMEDIES) return new DiskError('path' in error ? String(error.path) : null, code, error);
  const { path, text } = ENGINE_TEXT.exec(error.message)?.groups ?? {};
  if (path !== undefined && text !== undefined) return new DiskError(path, ENGINE_CODES[text] ?? '', error);
  // An error with a name of its own already describes its cause.
  return error.name === 'Error' ? diskErrorOf(error.cause) : null;
}

/** An error as a user reads it: the message of a known one, else the stack. */
export function reportOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof KnownError) return error.message;
  return diskErrorOf(error)?.message ?? error.stack ?? error.message;
}

/** A folder that is created with its parents. */
function isFileInPlaceOfFolder(error: Error): boolean {
  return codeOf(error) === 'EEXIST' && 'syscall' in error && error.syscall === 'mkdir';
}

/** Throws disk errors on: as a failure of the current source, one would stay in the history of a source that did nothing wrong. */
export function refuseDisk(error: unknown): void {
  const ofDisk = diskErrorOf(error);
  if (ofDisk !== null) throw ofDisk;
}

/** True if the error comes from a limit of this process, not from the file that it could not open. */
export function isOfProcess(error: unknown): boolean {
  return ['EMFILE', 'ENFILE', 'EACCES', 'EPERM'].includes(diskErrorOf(error)?.code ?? '');
}

/** Adds the file name to errors of calls on an open file, because Node.js does not. */
export async function naming<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (codeOf(error) !== null && error instanceof Error && !('path' in error)) Object.assign(error, { path });
    throw error;
  }
}
