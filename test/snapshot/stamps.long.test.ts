// What is known of files that were read whole and not touched since: a server that starts does not read them again, and serves nothing wrong for it.
import { copyFileSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fileState } from '../../src/disk/own-file.ts';
import type { Manifest } from '../../src/model/manifest.ts';
import { copiesOf, packsFile, readCopySeal, servedFile } from '../../src/snapshot/server-copy.ts';
import { stamp, stampsFile } from '../../src/snapshot/stamps.ts';
import { type FollowedStore, openStore } from '../../src/snapshot/serving/store.ts';
import { traced } from '../disk/disk-calls.ts';
import { ask, fredMdFile, openPipeline, type Pipeline } from '../pipeline.ts';

const MAY = fredMdFile('2020-05', { PAYEMS: { '2020-03': 100, '2020-04': 131 } });
const JUNE = fredMdFile('2020-06', { PAYEMS: { '2020-03': 100, '2020-04': 129 } });

let pipeline: Pipeline;
let manifest: Manifest;
let answered: unknown;
let stores: FollowedStore[] = [];
/** Every file of the snapshot, and its stamps, as they were. */
let whole: ReadonlyMap<string, Buffer>;
/** By a server that started after two nights. */
let readAfterNights: readonly string[];
beforeAll(async () => {
  pipeline = await openPipeline();
  await pipeline.run(MAY, '2021-01-01T00:00:00.000Z');
  await pipeline.run(JUNE, '2021-01-02T00:00:00.000Z');
  manifest = await pipeline.current();
  answered = await ask(await pipeline.open(), {}, { vintage: 'all' });
  whole = new Map([...resources(), ...copies(), stampsFile(pipeline.paths, manifest.snapshotId)].map((path) => [path, readFileSync(path)]));
  readAfterNights = (await started()).read;
});
afterAll(() => pipeline.remove());
beforeEach(async () => {
  for (const [path, bytes] of whole) writeFileSync(path, bytes);
  rmSync(stampsFile(pipeline.paths, manifest.snapshotId));
  await restamp([...resources(), ...copies()]);
});
afterEach(async () => {
  for (const store of stores) await store.close();
  stores = [];
});

const resources = () => manifest.resources.map(({ path }) => join(pipeline.paths.root, path));
const copies = () => [servedFile, packsFile].map((of) => of(pipeline.paths, manifest.snapshotId));

/** Says of files that they were read whole as they are now: as a disk that loses a bit without being written to leaves them. */
async function restamp(paths: readonly string[]): Promise<void> {
  const seal = await readCopySeal(pipeline.paths, manifest.snapshotId);
  const known = new Map([
    ...manifest.resources.map(({ path, hash }) => [join(pipeline.paths.root, path), hash.replace('sha256:', '')] as const),
    ...(seal === null ? [] : copiesOf(pipeline.paths, manifest.snapshotId, seal).map(({ path, sha256 }) => [path, sha256] as const)),
  ]);
  const files = paths.map((path) => ({ path, sha256: known.get(path) ?? '', state: fileState(path) }));
  await stamp(pipeline.paths, manifest.snapshotId, files);
}

/** A server that starts: what it read whole, and what it serves. */
async function started() {
  const store = openStore([pipeline.paths], { limits: pipeline.workspace.limits('serve'), connections: 1 }, () => undefined);
  stores.push(store);
  const { calls } = await traced(pipeline.paths.root, () => store.follow());
  const files = new Set([...resources(), ...copies()]);
  const read = calls.flatMap(({ call, path }) => (call === 'read' && files.has(path) ? [path] : []));
  const held = await store.acquire();
  held?.release();
  const answer = async () => (held === null ? null : ask(held.snapshot, {}, { vintage: 'all' }));
  return { store, read, answer, snapshotId: held?.snapshot.snapshotId ?? null, warnings: store.readiness().warnings };
}

/** Seconds since 1970. */
const DATED = 1_600_000_000;
const flip = (path: string) => {
  const bytes = readFileSync(path);
  const middle = bytes.length >> 1;
  bytes[middle] = (bytes[middle] ?? 0) ^ 1;
  writeFileSync(path, bytes);
};

describe('a server that starts', () => {
  it('reads no file in full that the nights have verified and nobody touched since, with or without Delta tables', async () => {
    // The packs are opened, and not read to their end.
    expect(readAfterNights.filter((path) => !path.endsWith('.packs'))).toEqual([]);
    rmSync(stampsFile(pipeline.paths, manifest.snapshotId));
    const { publish } = await pipeline.publish();
    expect(publish.snapshotId).toBe(manifest.snapshotId);
    const { read, answer, warnings } = await started();
    expect([new Set(read), warnings]).toEqual([new Set(copies()), []]);
    expect(await answer()).toEqual(answered);
  });

  it('reads every file if the stamps are missing or damaged', async () => {
    for (const damage of [
      (path: string) => rmSync(path),
      (path: string) => writeFileSync(path, readFileSync(path, 'utf8').replace('"state":"', '"state":"1')),
      (path: string) => writeFileSync(path, 'half'),
    ]) {
      await restamp([...resources(), ...copies()]);
      damage(stampsFile(pipeline.paths, manifest.snapshotId));
      expect(new Set((await started()).read)).toEqual(new Set([...resources(), ...copies()]));
    }
  });

  it.each([
    ['written again, to the same size', (path: string) => flip(path)],
    [
      'another file of the same size and time',
      (path: string) => {
        copyFileSync(path, `${path}.other`);
        flip(`${path}.other`);
        utimesSync(`${path}.other`, DATED, DATED);
        renameSync(`${path}.other`, path);
      },
    ],
    [
      'written again, and dated back',
      (path: string) => {
        flip(path);
        utimesSync(path, DATED, DATED);
      },
    ],
  ])('does not trust a stamp of a file that is %s: the other form answers, with a warning', async (_, damage) => {
    for (const path of [servedFile(pipeline.paths, manifest.snapshotId), resources().find((one) => one.includes('vintages-')) ?? '']) {
      utimesSync(path, DATED, DATED);
      await restamp([path]);
      damage(path);
      const { answer, warnings } = await started();
      expect(await answer()).toEqual(answered);
      expect(warnings).toEqual([expect.stringMatching(/is damaged|no longer has its hash/)]);
      writeFileSync(path, whole.get(path) ?? '');
    }
  });

  it('never answers from Parquet files that it has not read in full', async () => {
    const vintages = resources().find((one) => one.includes('vintages-')) ?? '';
    flip(vintages);
    await restamp([vintages]);
    rmSync(servedFile(pipeline.paths, manifest.snapshotId));
    const { snapshotId, warnings } = await started();
    expect(snapshotId).not.toBe(manifest.snapshotId);
    expect(warnings[0]).toMatch(/no longer has its hash.* is served\.$/);
  });

  it('answers from the Parquet files, with a warning, if the disk damaged the copy', async () => {
    const copy = servedFile(pipeline.paths, manifest.snapshotId);
    const bytes = readFileSync(copy);
    for (let at = 12_288; at < bytes.length; at += 997) bytes[at] = (bytes[at] ?? 0) ^ 4;
    writeFileSync(copy, bytes);
    await restamp([copy]);
    const { answer, warnings } = await started();
    expect(await answer()).toEqual(answered);
    expect(warnings).toEqual([expect.stringMatching(/^The copy of snapshot .* is damaged/)]);
  });

  it('reads every file of a snapshot in which it found damage while running', async () => {
    const { store, read } = await started();
    expect(read.filter((path) => !path.endsWith('.packs'))).toEqual([]);
    const vintages = resources().find((one) => one.includes('vintages-')) ?? '';
    flip(vintages);
    await restamp([vintages]);
    await store.distrust(manifest.snapshotId, false);
    expect(store.readiness().warnings).toEqual([expect.stringMatching(/Until then its copy for servers answers\.$/)]);
  });
});
