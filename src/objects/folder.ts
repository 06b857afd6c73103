// A folder shared by several machines as an object store. It uses no locks, because a lock of a dead machine looks like that of a running one.
// Permanent files get their names by a link, which only one writer can make; a changing text is one numbered file per version.
import { createHash, randomUUID } from 'node:crypto';
import { copyFile, link, readFile, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { diskErrorOf, naming } from '../disk/disk-error.ts';
import { makeFolder, piecesOf, syncPath, writeHashed } from '../disk/durable.ts';
import { ifThere, namesIn } from '../disk/if-there.ts';
import { codeOf } from '../disk/own-file.ts';
import { type ObjectStore, type ObjectText } from './store.ts';
import { KnownError } from '../known-error.ts';

/** Unfinished files, hidden from lists. */
const UPLOADS = '.uploads';
/** Changing texts: a folder for each, with a file per version. */
const VERSIONS = '.versions';
/** A reader of the previous version still finds it. */
const VERSIONS_KEPT = 3;

/** @param url `file:///folder` */
export function openFolder(url: string): ObjectStore {
  const root = fileURLToPath(url);
  const pathOf = (name: string) => join(root, name);
  const asked = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      throw new KnownError(`${url} cannot be used. ${diskErrorOf(error)?.message ?? String(error)}`, { cause: error });
    }
  };
  return {
    address: url,
    list: (folder) =>
      asked(async () => {
        const listed = [];
        for (const name of await namesIn(pathOf(folder))) {
          const found = await ifThere(stat(pathOf(`${folder}${name}`)));
          if (found?.isFile() === true) listed.push({ name: `${folder}${name}`, bytes: found.size, writtenAt: found.mtimeMs });
        }
        return listed;
      }),
    read: ((name: string, known: string | null = null) =>
      asked(async () => {
        const found = await readNewest(root, name);
        return found !== null && found.version === known ? 'unchanged' : found;
      })) as ObjectStore['read'],
    download: (name, path) =>
      asked(async () => {
        if ((await ifThere(stat(pathOf(name)))) === null) return null;
        return (await writeHashed(piecesOf(pathOf(name)), path)).sha256;
      }),
    upload: (name, path) => asked(() => named(root, pathOf(name), 0o644, (staged) => copyFile(path, staged))),
    commit: (name, text, version) => asked(() => commitVersion(root, name, text, version)),
    remove: (names) =>
      asked(async () => {
        for (const name of names) {
          await rm(pathOf(name), { force: true });
          await removeVersions(root, name);
        }
      }),
    sweep: (before) =>
      asked(async () => {
        for (const name of await namesIn(join(root, UPLOADS))) {
          const path = join(root, UPLOADS, name);
          if (((await ifThere(stat(path)))?.mtimeMs ?? before) < before) await rm(path, { force: true });
        }
      }),
    close: () => undefined,
  };
}

const versionsOf = (root: string, name: string): string => join(root, VERSIONS, name);

/** The versions of a changing text, newest first. */
async function numbersOf(root: string, name: string): Promise<readonly number[]> {
  return (await namesIn(versionsOf(root, name))).map(Number).sort((a, b) => b - a);
}

async function readNewest(root: string, name: string): Promise<ObjectText | null> {
  for (const number of await numbersOf(root, name)) {
    const found = await textOf(join(versionsOf(root, name), String(number)), `${number}-`);
    if (found !== null) return found;
  }
  return textOf(join(root, name), '');
}

async function commitVersion(root: string, name: string, text: string, version: string | null): Promise<boolean> {
  if (((await readNewest(root, name))?.version ?? null) !== version) return false;
  const [newest = 0, ...older] = await numbersOf(root, name);
  // Another writer may have written between the two reads.
  if (version === null ? newest > 0 : !version.startsWith(`${newest}-`)) return false;
  const folder = versionsOf(root, name);
  const isDone = await named(root, join(folder, String(newest + 1)), 0o600, (staged) => writeFile(staged, text));
  for (const number of isDone ? older.slice(VERSIONS_KEPT - 2) : []) await rm(join(folder, String(number)), { force: true });
  return isDone;
}

async function removeVersions(root: string, name: string): Promise<void> {
  const folder = versionsOf(root, name);
  for (const number of await numbersOf(root, name)) await rm(join(folder, String(number)), { force: true });
  // A folder with a write in progress is not empty.
  await rmdir(folder).catch(() => undefined);
}

/** Runs `write` on a temporary path and gives the result its name; false if another object already has it. */
async function named(root: string, target: string, mode: number, write: (staged: string) => Promise<void>): Promise<boolean> {
  await makeFolder(join(root, UPLOADS));
  const staged = join(root, UPLOADS, `${basename(target)}.${randomUUID()}`);
  try {
    await writeFile(staged, '', { flag: 'wx', mode });
    await write(staged);
    await syncPath(staged);
    // Deleting the last version deletes the folder.
    await linked(staged, target).catch((error: unknown) => (codeOf(error) === 'ENOENT' ? linked(staged, target) : Promise.reject(error)));
    await syncPath(dirname(target));
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(staged, { force: true });
  }
}

async function linked(staged: string, target: string): Promise<void> {
  await makeFolder(dirname(target));
  await link(staged, target);
}

async function textOf(path: string, number: string): Promise<ObjectText | null> {
  const text = await ifThere(naming(path, () => readFile(path, 'utf8')));
  return text === null ? null : { text, version: `${number}${createHash('sha256').update(text).digest('hex')}` };
}
