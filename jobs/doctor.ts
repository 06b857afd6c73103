// Checks a data folder: lists damaged and left-over files, each with a remedy.
import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { parseCard, parseCollection, type StoredPayload } from '../src/archive/raw-archive.ts';
import { piecesOf } from '../src/disk/durable.ts';
import { abandonedScratch } from '../src/disk/scratch.ts';
import { diskErrorOf } from '../src/disk/disk-error.ts';
import { namesIn } from '../src/disk/if-there.ts';
import { codeOf } from '../src/disk/own-file.ts';
import { keyFile, readKeys } from '../src/keys/key-store.ts';
import { checkSecret } from '../src/keys/secret.ts';
import type { Lake } from '../src/lake/lake.ts';
import { lakePaths } from '../src/lake/layout.ts';
import { damageText, verifyLake } from '../src/lake/verified.ts';
import { grantFile, readGrants } from '../src/rights/grant-file.ts';
import type { Manifest } from '../src/model/manifest.ts';
import { outdatedCatalog } from '../src/snapshot/build/named-files.ts';
import { outdatedDelta } from '../src/snapshot/build/delta/write.ts';
import { verifyFiles } from '../src/snapshot/verify-files.ts';
import {
  readCurrent,
  readManifest,
  SchemaVersionError,
  SnapshotDamageError,
  type SnapshotPaths,
  snapshotPaths,
} from '../src/snapshot/manifest.ts';
import { verifyCopies } from '../src/snapshot/server-copy.ts';
import { KnownError } from '../src/known-error.ts';

export interface Finding {
  readonly area: 'raw archive' | 'lake' | 'snapshots' | 'keys' | 'rights' | 'leftovers';
  /** Below the checked folder. */
  readonly file: string;
  readonly problem: string;
  readonly remedy: string;
}

export interface Examination {
  readonly dataDir: string;
  readonly findings: readonly Finding[];
  /** The checked files, by area. */
  readonly checked: Readonly<Record<string, number>>;
}

interface Notes {
  readonly dataDir: string;
  readonly add: (area: Finding['area'], file: string, problem: string, remedy: string) => void;
  readonly count: (what: string, number?: number) => void;
}

const BACKUP = 'Restore it from a backup';
const NIGHTLY = 'Run: npm run nightly.';

/** @param now milliseconds since 1970 */
export async function examine(dataDir: string, now: number): Promise<Examination> {
  const findings: Finding[] = [];
  const checked: Record<string, number> = {};
  const notes: Notes = {
    dataDir,
    add: (area, file, problem, remedy) =>
      findings.push({ area, file: file.startsWith('/') ? relative(dataDir, file) : file, problem, remedy }),
    count: (what, number = 1) => (checked[what] = (checked[what] ?? 0) + number),
  };
  await examineArchive(notes);
  await examineLake(notes, now);
  await examineSnapshots(notes, snapshotPaths(dataDir));
  await examineOwnFiles(notes);
  await examineLeftovers(notes, now);
  return { dataDir, findings, checked };
}

async function examineArchive({ dataDir, add, count }: Notes): Promise<void> {
  const raw = join(dataDir, 'raw');
  const objects = new Set<string>();
  for (const path of await filesIn(join(raw, 'objects'))) {
    if (!path.endsWith('.gz')) continue;
    count('archived payloads');
    const sha256 = basename(path, '.gz');
    if ((await unzippedHash(path)) === sha256) objects.add(sha256);
    else
      add(
        'raw archive',
        path,
        'does not match its hash',
        `${BACKUP}. Or remove it and collect the payload again, if you have it: npm run nightly -- --mirror FOLDER. Until then the lake serves its rows, but cannot rebuild them.`,
      );
  }
  for (const path of await filesIn(join(raw, 'payloads'))) {
    if (!path.endsWith('.json')) continue;
    count('descriptions of payloads');
    const card = await parsed(path, parseCard);
    const problem = card === null ? 'is damaged' : cardProblem(card, objects);
    if (problem !== null)
      add('raw archive', path, problem, `${BACKUP}; or remove it and collect the payload again: npm run nightly -- --mirror FOLDER.`);
  }
  for (const path of await filesIn(join(raw, 'collections'))) {
    if (!path.endsWith('.json')) continue;
    if ((await parsed(path, parseCollection)) === null)
      add('raw archive', path, 'is damaged', 'Remove it, then run: npm run nightly -- --mirror FOLDER');
  }
}

function cardProblem(card: StoredPayload, objects: ReadonlySet<string>): string | null {
  const content = `${card.sourceId}|${card.key}|${card.sha256}`;
  const ids = [content, `${content}|${card.retrievedAt}`].map(
    (text) => `pay_${createHash('sha256').update(text).digest('hex').slice(0, 26)}`,
  );
  if (!ids.includes(card.payloadId)) return 'is damaged';
  return objects.has(card.sha256) ? null : `describes a payload whose bytes are missing or damaged (${card.sha256})`;
}

async function unzippedHash(path: string): Promise<string | null> {
  const hash = createHash('sha256');
  try {
    await pipeline(piecesOf(path), createGunzip(), hash);
    return hash.digest('hex');
  } catch {
    return null;
  }
}

async function examineLake({ dataDir, add, count }: Notes, now: number): Promise<void> {
  const paths = lakePaths(join(dataDir, 'lake'));
  if ((await filesIn(paths.root)).length === 0) return;
  try {
    const { damages, files } = await verifyLake(paths.root, { now, isWhole: true, isNoted: false });
    count('files of the lake', files);
    for (const damage of damages) {
      const { problem, remedy } = damageText(damage);
      add('lake', `lake/${damage.path}`, problem, remedy);
    }
  } catch (error) {
    const [problem = '', ...remedy] = textOf(error).split('. ');
    add('lake', /^lake\/\S+/.exec(problem)?.[0] ?? 'lake', problem, remedy.join('. '));
  }
}

/** Resolves with the current snapshot if it is readable. */
async function examineCurrent({ add }: Notes, paths: SnapshotPaths, names: readonly string[]) {
  const current = await readCurrent(paths).catch((error: unknown) => {
    add('snapshots', paths.pointer, textOf(error), NIGHTLY);
    return null;
  });
  if (current === null && names.length > 0 && !(await isThere(paths.pointer)))
    add('snapshots', paths.pointer, 'is missing, so servers open the newest intact snapshot', NIGHTLY);
  await examineCatalog(add, paths, current);
  return current;
}

function manifestProblem(error: unknown): string {
  if (error instanceof SchemaVersionError) return 'was built by another release, so that snapshot is not served';
  if (error instanceof SnapshotDamageError) return 'is damaged, so that snapshot is not served';
  return textOf(diskErrorOf(error) ?? error);
}

async function examineSnapshots(notes: Notes, paths: SnapshotPaths): Promise<void> {
  const { add, count } = notes;
  const names = (await namesIn(paths.manifests)).filter((name) => name.endsWith('.json'));
  const current = await examineCurrent(notes, paths, names);
  const seen = new Set<string>();
  for (const name of names) {
    const path = join(paths.manifests, name);
    const manifest = await readManifest(path).catch((error: unknown) => {
      add('snapshots', path, manifestProblem(error), NIGHTLY);
      return null;
    });
    if (manifest === null) continue;
    count('snapshots');
    const isCurrent = manifest.snapshotId === current?.snapshotId;
    for (const resource of manifest.resources) {
      if (seen.has(resource.path)) continue;
      seen.add(resource.path);
      count('files of snapshots');
      const isWhole = await verifyFiles(paths, [resource], '').then(
        () => true,
        () => false,
      );
      // The next run rebuilds the files of its own snapshot; files of older ones disappear with them.
      const remedy = isCurrent ? NIGHTLY : `${BACKUP}, or remove ${relative(paths.root, path)}: only an older snapshot uses it.`;
      if (!isWhole) add('snapshots', join(paths.root, resource.path), 'is missing or no longer has its hash', remedy);
    }
    const { problem } = await verifyCopies(paths, manifest.snapshotId);
    const served = isCurrent ? NIGHTLY : `Remove snapshots/served/${manifest.snapshotId}.*. Older snapshots need no copy.`;
    if (problem !== null) add('snapshots', join(paths.served, `${manifest.snapshotId}.duckdb`), problem.replace(/ Run: .*$/, ''), served);
  }
}

async function examineCatalog(add: Notes['add'], paths: SnapshotPaths, current: Manifest | null): Promise<void> {
  for (const { path } of current === null ? [] : await outdatedCatalog(paths, current))
    add('snapshots', path, 'does not list the files of the current snapshot at their present paths', NIGHTLY);
  for (const path of current === null ? [] : await outdatedDelta(paths, current))
    add('snapshots', path, 'is not the table of the current snapshot', NIGHTLY);
}

async function examineOwnFiles({ dataDir, add, count }: Notes): Promise<void> {
  const files = [
    [
      'keys',
      keyFile(dataDir),
      readKeys,
      `${BACKUP}; or remove it with keys-issued beside it, and issue new keys: npm run keys -- create --label NAME`,
    ],
    ['rights', grantFile(dataDir), readGrants, `${BACKUP}; or remove it and grant again: npm run rights -- grant SOURCE --note TEXT`],
    ['keys', join(dataDir, 'cursor-secret'), checkSecret, 'Remove it: the next start creates one, and open cursors expire.'],
  ] as const;
  for (const [area, path, check, remedy] of files) {
    // Lost keys are a finding, too.
    if (!(await isThere(path)) && check !== readKeys) continue;
    count('own files');
    try {
      await check(path);
    } catch (error) {
      const chmod = /chmod 600 .*$/.exec(textOf(error))?.[0];
      add(area, path, textOf(error), chmod === undefined ? remedy : `Run: ${chmod}`);
    }
  }
}

async function examineLeftovers({ dataDir, add }: Notes, now: number): Promise<void> {
  for (const folder of ['raw', 'lake', 'snapshots', '.']) {
    const found = folder === '.' ? await pathsIn(dataDir) : await filesIn(join(dataDir, folder));
    for (const path of found) {
      if (path.endsWith('.partial'))
        add(
          'leftovers',
          path,
          'is an unfinished file of a run that was stopped',
          'Remove it when no run is active; the next run writes the file.',
        );
    }
  }
  for (const folder of ['lake/.staging', 'snapshots/.staging']) {
    for (const path of await filesIn(join(dataDir, folder)))
      if (!path.endsWith('.partial')) add('leftovers', path, 'is a file of a run that was stopped or is active', NIGHTLY);
  }
  for (const path of await pathsIn(dataDir)) {
    if (!path.endsWith('.lock')) continue;
    const holder = Number(await readFile(path, 'utf8').catch(() => ''));
    if (!isRunning(holder)) add('leftovers', path, 'is the lock of a command that was stopped', 'Remove it when no command is active.');
  }
  for (const path of await abandonedScratch(join(dataDir, 'tmp/servers'), () => now))
    add('leftovers', path, 'is the folder of a server that has ended', 'The next start of a server removes it: npm start.');
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return pid > 0;
  } catch (error) {
    return codeOf(error) !== 'ESRCH';
  }
}

/** Removes damaged or lost files from the list of the lake, for good. Throws a KnownError if one of them is intact or unknown. */
export async function acceptLoss(lake: Lake, paths: readonly string[], now: number): Promise<readonly string[]> {
  const { damages } = await verifyLake(lake.paths.root, { now });
  const chosen = paths.map((path) => path.replace(/^lake\//, ''));
  for (const path of chosen) {
    const found = damages.find((one) => one.path === path);
    if (found === undefined || found.file === null)
      throw new KnownError(`lake/${path} is not a damaged or missing file of the lake. To list those: npm run doctor`);
  }
  const sourceOf = (path: string) => /\/source_id=(?<id>[^/]+)\//.exec(path)?.groups?.['id'] ?? 'asof';
  for (const sourceId of new Set(chosen.map(sourceOf)))
    await lake.commit(sourceId, new Date(now).toISOString(), [], { removes: chosen.filter((path) => sourceOf(path) === sourceId) });
  return chosen.map((path) => `lake/${path}`);
}

async function filesIn(folder: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .toSorted();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

async function pathsIn(folder: string): Promise<readonly string[]> {
  return (await namesIn(folder)).map((name) => join(folder, name)).toSorted();
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

async function parsed<Description>(path: string, parse: (text: string, name: string) => Description): Promise<Description | null> {
  return readFile(path, 'utf8')
    .then((text) => parse(text, path))
    .catch(() => null);
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
