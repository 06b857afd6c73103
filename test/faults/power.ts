// What a power cut may leave of a run: bytes that were not synced are dropped or torn, and names that were given, taken or made without a sync of
// their folder after it are undone, all of them or some.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Call } from '../disk/disk-endings.ts';
import type { Draw } from './draws.ts';

interface Inode {
  /** What of it lasts; null where nothing of it was synced. */
  synced: Buffer | null;
  written: Buffer;
}

type Change =
  | { readonly kind: 'bytes'; readonly inode: Inode; readonly bytes: Buffer; readonly isSync: boolean }
  | { readonly kind: 'name'; readonly folder: string; readonly path: string; readonly inode: Inode | null; readonly from: string | null }
  | { readonly kind: 'folder'; readonly folder: string; readonly path: string }
  | { readonly kind: 'sync'; readonly folder: string };

export interface Recording {
  /** For `traced`, whose root is the folder that is recorded. */
  readonly onDone: (call: Call) => void;
  readonly length: () => number;
  /**
   * Makes in `to` what a cut after so many changes may leave.
   * @param before the folder as it was when the run began, all of which lasts
   */
  readonly leave: (to: string, before: string, changes: number, loss: Loss, draw: Draw) => void;
}

/** Of names that were not synced all are undone, those after a moment, or any; of bytes all are dropped, half is there, or all. */
export const LOSSES = ['all', 'later ones', 'any'].flatMap((names) => ['dropped', 'torn', 'there'].map((bytes) => ({ names, bytes })));
export type Loss = (typeof LOSSES)[number];

export function recording(root: string): Recording {
  const changes: Change[] = [];
  const inodes = new Map<string, Inode>();
  const below = (folder: string) => [...inodes.keys()].filter((path) => path === folder || path.startsWith(`${folder}/`));
  const named = (path: string, inode: Inode | null, from: string | null = null) =>
    changes.push({ kind: 'name', folder: dirname(path), path, inode, from });
  const inodeOf = (path: string): Inode => {
    const known = inodes.get(path);
    if (known !== undefined) return known;
    const made: Inode = { synced: null, written: Buffer.alloc(0) };
    inodes.set(path, made);
    return made;
  };
  const bytesOf = (path: string, isSync: boolean) => {
    const isNew = !inodes.has(path);
    const inode = inodeOf(path);
    if (isNew) named(path, inode);
    changes.push({ kind: 'bytes', inode, bytes: readFileSync(path), isSync });
  };
  return {
    length: () => changes.length,
    onDone({ call, path, to }) {
      if (call === 'write') bytesOf(path, false);
      else if (call === 'sync' && statSync(path).isDirectory()) changes.push({ kind: 'sync', folder: path });
      else if (call === 'sync') bytesOf(path, true);
      else if (call === 'folder') changes.push({ kind: 'folder', folder: dirname(path), path });
      else if (call === 'remove') {
        named(path, null);
        for (const one of below(path)) inodes.delete(one);
      } else if (call === 'rename' || call === 'link') {
        const inode = inodes.get(path);
        // A file of before the run has all its bytes.
        const moved = inode ?? { synced: readFileSync(to), written: readFileSync(to) };
        inodes.set(to, moved);
        named(to, moved, call === 'rename' ? path : null);
        if (call === 'rename') inodes.delete(path);
      }
    },
    leave(to, before, count, loss, draw) {
      const done = changes.slice(0, count);
      const kept = keptOf(done, loss, draw);
      const contents = contentsOf(done);
      rmSync(to, { recursive: true, force: true });
      cpSync(before, to, { recursive: true });
      const at = (path: string) => join(to, path.slice(root.length));
      for (const change of kept) {
        if (change.kind === 'folder') mkdirSync(at(change.path), { recursive: true });
        else if (change.inode === null) rmSync(at(change.path), { recursive: true, force: true });
        else if (existsSync(dirname(at(change.path)))) {
          if (change.from !== null) rmSync(at(change.from), { force: true });
          const { synced, written } = contents.get(change.inode) ?? { synced: null, written: Buffer.alloc(0) };
          writeFileSync(at(change.path), leftOf(synced, written, loss));
        }
      }
    },
  };
}

type Named = Exclude<Change, { kind: 'bytes' | 'sync' }>;

/** The names that last, in their order. */
function keptOf(done: readonly Change[], { names }: Loss, draw: Draw): readonly Named[] {
  const pending = new Set<Named>();
  const all: Named[] = [];
  for (const change of done) {
    if (change.kind === 'name' || change.kind === 'folder') {
      pending.add(change);
      all.push(change);
    } else if (change.kind === 'sync') for (const one of pending) if (one.folder === change.folder) pending.delete(one);
  }
  const open = [...pending];
  const until = draw(open.length + 1);
  const isUndone = (one: Named) => pending.has(one) && (names === 'all' || (names === 'any' ? draw(2) === 0 : open.indexOf(one) >= until));
  return all.filter((one) => !isUndone(one));
}

function contentsOf(done: readonly Change[]): ReadonlyMap<Inode, Inode> {
  const contents = new Map<Inode, Inode>();
  for (const change of done) {
    if (change.kind !== 'bytes') continue;
    const { inode, bytes, isSync } = change;
    contents.set(inode, { synced: isSync ? bytes : (contents.get(inode)?.synced ?? null), written: bytes });
  }
  // Moved from before the run, and never written.
  for (const change of done)
    if (change.kind === 'name' && change.inode !== null && !contents.has(change.inode)) contents.set(change.inode, change.inode);
  return contents;
}

function leftOf(synced: Buffer | null, written: Buffer, { bytes }: Loss): Buffer {
  if (synced !== null && synced.equals(written)) return synced;
  if (bytes === 'there') return written;
  if (bytes === 'dropped') return synced ?? Buffer.alloc(0);
  // The size came to the disk, and of the blocks the first ones.
  return Buffer.concat([written.subarray(0, written.length / 2), Buffer.alloc(written.length - Math.floor(written.length / 2))]);
}
