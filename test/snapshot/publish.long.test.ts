// From candidate to current: what is damaged never becomes current, what is kept stays whole, and a run that ends after any of its changes to the
// disk leaves the old snapshot or the new one.
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Manifest } from '../../src/model/manifest.ts';
import { verifyFiles } from '../../src/snapshot/verify-files.ts';
import { diskErrorOf } from '../../src/disk/disk-error.ts';
import {
  contentHash,
  holdsData,
  keptManifests,
  readCurrent,
  readManifest,
  snapshotIdOf,
  type SnapshotPaths,
  snapshotPaths,
} from '../../src/snapshot/manifest.ts';
import { publish } from '../../src/snapshot/build/publish.ts';
import { endedAnywhere, traced } from '../disk/disk-calls.ts';
import type { Call } from '../disk/disk-endings.ts';
import { disorders } from '../disk/disk-order.ts';
import { filesBelow } from '../lake/literal-lake.ts';
import { manifestOf, resourceOf, sha256, writeCandidate } from './written.ts';

let dataDir: string;
let paths: SnapshotPaths;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'asof-publish-'));
  paths = snapshotPaths(dataDir);
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

/** `shared` is in every snapshot, `own` in this one alone. */
const candidate = (own: string) => writeCandidate(paths, { shared: 'the same', own, vintages: `vintages of ${own}` });
const published = async (own: string, keep = 5) => {
  const manifest = candidate(own);
  return { id: manifest.snapshotId, manifest, report: await publish(paths, keep) };
};
const fileOf = (manifest: Manifest, name: string) => join(paths.root, manifest.resources.find((one) => one.name === name)?.path ?? '');
const idsOnDisk = () =>
  readdirSync(paths.manifests)
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.replace('.json', ''))
    .sort();
const listedBy = (...manifests: readonly Manifest[]) =>
  [...new Set(manifests.flatMap(({ resources }) => resources.map(({ path }) => path.replace('files/', ''))))].sort();

describe('a candidate whose files differ from its manifest', () => {
  const damages: readonly (readonly [string, (path: string) => void, RegExp])[] = [
    ['has a flipped bit', (path) => writeFileSync(path, flipped(readFileSync(path))), /no longer has its hash/],
    ['has lost its end', (path) => writeFileSync(path, readFileSync(path).subarray(0, -1)), /no longer has its hash/],
    ['has grown', (path) => writeFileSync(path, Buffer.concat([readFileSync(path), Buffer.from('x')])), /no longer has its hash/],
    ['is empty', (path) => writeFileSync(path, ''), /no longer has its hash/],
    ['is missing', (path) => rmSync(path), /is missing/],
  ];
  const cases = damages.flatMap(([what, damage, message]) =>
    ['shared', 'own', 'vintages'].map((name) => [name, what, damage, message] as const),
  );

  it.each(cases)('is refused when its file of %s %s, and the current one stays', async (name, _, damage, message) => {
    await published('first');
    const before = readFileSync(paths.pointer, 'utf8');
    const second = candidate('second');
    damage(fileOf(second, name));
    const refusal = await publish(paths, 5).catch((error: unknown) => error);
    expect(String(refusal)).toMatch(message);
    expect(String(refusal)).toContain(second.resources.find((one) => one.name === name)?.path);
    expect(String(refusal)).toContain(second.snapshotId);
    expect(readFileSync(paths.pointer, 'utf8')).toBe(before);
    expect(idsOnDisk()).not.toContain(second.snapshotId);
    expect(existsSync(paths.candidate)).toBe(true);
  });

  it('is published once the file is whole again', async () => {
    const second = candidate('second');
    const bytes = readFileSync(fileOf(second, 'own'));
    rmSync(fileOf(second, 'own'));
    await expect(publish(paths, 5)).rejects.toThrow(/missing/);
    writeFileSync(fileOf(second, 'own'), bytes);
    expect((await publish(paths, 5)).snapshotId).toBe(second.snapshotId);
  });

  it('is refused if it is missing, or if it is not a manifest', async () => {
    await expect(publish(paths, 5)).rejects.toThrow('There is no candidate to publish. Run: npm run derive.');
    candidate('x');
    writeFileSync(paths.candidate, '{"snapshotId": "snap_"}');
    await expect(publish(paths, 5)).rejects.toThrow(/snapshots\/candidate\.json is damaged\. Run: npm run derive\./);
    expect(existsSync(paths.pointer)).toBe(false);
  });
});

describe('publishing', () => {
  it('points at the manifest by its hash, names the snapshot before it, and deletes the candidate', async () => {
    const { id: first } = await published('first');
    expect((await readCurrent(paths))?.previousSnapshotId).toBeNull();
    const { id: second, manifest, report } = await published('second');
    expect(report).toEqual({ snapshotId: second, previousSnapshotId: first, isNew: true, removedFiles: 0, keptSnapshots: [second, first] });
    const text = readFileSync(paths.manifest(second), 'utf8');
    expect(JSON.parse(readFileSync(paths.pointer, 'utf8'))).toEqual({
      snapshotId: second,
      manifest: `manifests/${second}.json`,
      sha256: sha256(text),
    });
    expect(JSON.parse(text)).toEqual({ ...manifest, previousSnapshotId: first });
    expect(await readCurrent(paths)).toEqual({ ...manifest, previousSnapshotId: first });
    expect(existsSync(paths.candidate)).toBe(false);
  });

  it('the current snapshot again changes nothing, and returns its predecessor', async () => {
    const { id: first } = await published('first');
    const { id: second } = await published('second');
    const before = [readFileSync(paths.pointer, 'utf8'), readFileSync(paths.manifest(second), 'utf8')];
    const { report } = await published('second');
    expect(report).toEqual({
      snapshotId: second,
      previousSnapshotId: first,
      isNew: false,
      removedFiles: 0,
      keptSnapshots: [second, first],
    });
    expect([readFileSync(paths.pointer, 'utf8'), readFileSync(paths.manifest(second), 'utf8')]).toEqual(before);
    expect(existsSync(paths.candidate)).toBe(false);
  });

  it('the previous snapshot again makes it current, and keeps both', async () => {
    const { id: first } = await published('first');
    const { id: second } = await published('second');
    const { report } = await published('first');
    expect(report).toMatchObject({ snapshotId: first, previousSnapshotId: second, isNew: true, keptSnapshots: [first, second] });
    expect((await readCurrent(paths))?.previousSnapshotId).toBe(second);
  });

  it.each([1, 2, 3])('keeps %i snapshots when asked to: their manifests, their files and no other', async (keep) => {
    const all: Manifest[] = [];
    for (const own of ['a', 'b', 'c', 'd']) all.unshift((await published(own, keep)).manifest);
    const kept = all.slice(0, keep);
    expect(idsOnDisk()).toEqual(kept.map(({ snapshotId }) => snapshotId).sort());
    expect(readdirSync(paths.files).sort()).toEqual(listedBy(...kept));
    for (const manifest of kept) await verifyFiles(paths, manifest.resources, 'kept');
  });

  it('keeps the copies that servers read of the newest two, however many snapshots are kept', async () => {
    const ids: string[] = [];
    for (const own of ['a', 'b', 'c']) ids.unshift((await published(own, 3)).id);
    expect(readdirSync(paths.served).sort()).toEqual(
      ids
        .slice(0, 2)
        .flatMap((id) => [`${id}.duckdb`, `${id}.stamps`])
        .sort(),
    );
  });

  it('deletes each file that no kept snapshot lists, counts them, and clears up after a killed run', async () => {
    await published('a', 2);
    await published('b', 2);
    writeFileSync(join(paths.files, 'own-of-nobody.parquet'), 'x');
    writeFileSync(join(paths.served, 'snap_x.duckdb.partial'), 'x');
    const { report } = await published('c', 2);
    expect(report.removedFiles).toBe(3);
    expect(filesBelow(paths.root).filter((path) => /nobody|partial/.test(path))).toEqual([]);
  });

  it('keeps the reachable snapshots if a manifest of the chain is missing', async () => {
    const { id: first } = await published('a');
    const { id: second } = await published('b');
    rmSync(paths.manifest(first));
    const { id: third, report } = await published('c');
    expect(report.keptSnapshots).toEqual([third, second]);
  });
});

describe('a file that exists but cannot be read', () => {
  const unreadable = (path: string) => {
    rmSync(path);
    symlinkSync(basename(path), path); // a name that leads to itself: no call on it succeeds, and none says that there is nothing
  };

  it.each(['manifest', 'pointer', 'file'] as const)(
    'is not treated as missing: a %s ends the publication with its name, and nothing is deleted',
    async (what) => {
      const { id: first, manifest } = await published('first');
      await published('second');
      const third = candidate('third');
      const path = { manifest: paths.manifest(first), pointer: paths.pointer, file: fileOf(third, 'own') }[what];
      const kept = fileOf(manifest, 'own');
      unreadable(path);
      const refusal = diskErrorOf(await publish(paths, 5).catch((error: unknown) => error));
      expect(refusal?.message).toBe(
        `${path} cannot be read or written (ELOOP). Its path is a loop of symbolic links: remove them and run npm run doctor.`,
      );
      expect([existsSync(kept), lstatSync(path).isSymbolicLink()]).toEqual([true, true]);
    },
  );

  it('is skipped by a server, which reports it', async () => {
    const { id: first } = await published('first');
    const { id: second } = await published('second');
    unreadable(paths.manifest(first));
    const errors: unknown[] = [];
    expect((await keptManifests(paths, (error) => errors.push(error))).map(({ snapshotId }) => snapshotId)).toEqual([second]);
    expect(errors.map((error) => diskErrorOf(error)?.code)).toEqual(['ELOOP']);
  });

  it('is not treated as an empty folder', async () => {
    await published('first');
    rmSync(paths.manifests, { recursive: true });
    symlinkSync('manifests', paths.manifests);
    await expect(holdsData(paths)).rejects.toMatchObject({ code: 'ELOOP' });
  });
});

describe('the order of the calls of a publication', () => {
  const trace = async () => {
    for (const own of ['a', 'b']) await published(own, 2);
    const manifest = candidate('c');
    const { calls } = await traced(dataDir, () => publish(paths, 2));
    const first = (test: (call: Call) => boolean) => calls.findIndex(test);
    return { calls, manifest, moved: first(({ call, to }) => call === 'rename' && to === paths.pointer) };
  };

  it('reads every file of the candidate before the pointer moves', async () => {
    const { calls, manifest, moved } = await trace();
    const read = calls.slice(0, moved).flatMap(({ call, path }) => (call === 'read' ? [path] : []));
    expect(read.sort()).toEqual(manifest.resources.map(({ path }) => join(paths.root, path)).sort());
  });

  it('syncs the manifest, then the pointer, then the catalogue, then deletes files and writes the Delta tables', async () => {
    const { calls, manifest, moved } = await trace();
    expect(disorders(calls)).toEqual([]);
    const changes = calls.filter(({ call }) => call !== 'read').map(({ call, path, to }) => `${call} ${(to || path).replace(dataDir, '')}`);
    const [text, pointer] = [`/snapshots/manifests/${manifest.snapshotId}.json`, '/current.json'];
    const seal = text.replace('.json', '.sha256');
    expect(changes.slice(0, 20)).toEqual([
      `write ${seal}.partial`,
      `sync ${seal}.partial`,
      `rename ${seal}`,
      'sync /snapshots/manifests',
      `write ${text}.partial`,
      `sync ${text}.partial`,
      `rename ${text}`,
      'sync /snapshots/manifests',
      `write ${pointer}.partial`,
      `sync ${pointer}.partial`,
      `rename ${pointer}`,
      'sync ',
      ...['/snapshots/datapackage.json', '/catalog.sql'].flatMap((file) => [
        `write ${file}.partial`,
        `sync ${file}.partial`,
        `rename ${file}`,
        `sync ${file.slice(0, file.lastIndexOf('/'))}`,
      ]),
    ]);
    // What is known of the files comes last, before the candidate goes.
    const stamps = `/snapshots/served/${manifest.snapshotId}.stamps`;
    expect(changes.slice(-5)).toEqual([
      `write ${stamps}.partial`,
      `sync ${stamps}.partial`,
      `rename ${stamps}`,
      'sync /snapshots/served',
      'remove /snapshots/candidate.json',
    ]);
    const after = changes.slice(20, -5).map((change) => (change.includes('/snapshots/delta') ? 'delta' : (change.split(' ')[0] ?? '')));
    expect(new Set(after.slice(0, after.indexOf('delta')))).toEqual(new Set(['remove']));
    expect(new Set(after)).toEqual(new Set(['remove', 'delta']));
    expect(calls.slice(0, moved).filter(({ call }) => call === 'remove')).toEqual([]);
  });

  it('deletes no file that the kept snapshot lists', async () => {
    const { calls } = await trace();
    const kept = await Promise.all(idsOnDisk().map((id) => readManifest(paths.manifest(id))));
    const listed = kept.flatMap((manifest) => manifest?.resources.map(({ path }) => join(paths.root, path)) ?? []);
    const removed = calls.flatMap(({ call, path }) => (call === 'remove' ? [path] : []));
    expect(removed.length).toBeGreaterThan(2);
    expect(removed.filter((path) => listed.includes(path))).toEqual([]);
  });

  it('leaves the old snapshot or the new one, complete, wherever it ends; the next run publishes the new one', async () => {
    const found = new Set<string>();
    let before = '';
    let next = '';
    const currentId = async () => {
      const current = await readCurrent(paths);
      await verifyFiles(paths, current?.resources ?? [], 'current');
      return current?.snapshotId ?? '';
    };
    const prepare = async () => {
      rmSync(dataDir, { recursive: true, force: true });
      for (const own of ['a', 'b']) await published(own, 2);
      before = await currentId();
      next = candidate('c').snapshotId;
    };
    await endedAnywhere(
      dataDir,
      prepare,
      () => publish(paths, 2),
      async () => {
        expect([before, next]).toContain(await currentId());
        found.add((await currentId()) === before ? 'old' : 'new');
        if (existsSync(paths.candidate)) await publish(paths, 2);
        expect([await currentId(), (await readCurrent(paths))?.previousSnapshotId]).toEqual([next, before]);
        expect(idsOnDisk()).toEqual([before, next].sort());
        expect(filesBelow(paths.root).filter((path) => path.startsWith('served') || path.endsWith('.partial'))).toEqual(
          [before, next].flatMap((id) => [`served/${id}.duckdb`, `served/${id}.stamps`]).sort(),
        );
      },
    );
    expect(await currentId()).toBe(next);
    expect(found).toEqual(new Set(['old', 'new']));
  });
});

describe('the content hash', () => {
  const resources = [resourceOf('a', 'one'), resourceOf('vintages', 'two', { partition: { dataset: 'fred', dataset_no: 1 } })];
  const changed = (change: Partial<Manifest['resources'][number]>) => contentHash([resourceOf('a', 'one', change), ...resources.slice(1)]);

  it('changes with any table, partition, hash or number of rows, and with one file more or less', () => {
    const all = [
      contentHash(resources),
      changed({ table: 'b' }),
      changed({ partition: { dataset: 'oecd' } }),
      changed({ hash: 'sha256:0' }),
      changed({ rowCount: 2 }),
      contentHash(resources.slice(1)),
      contentHash([...resources, resourceOf('c', 'three')]),
      contentHash(
        [resources[0], resourceOf('vintages', 'two', { partition: { dataset: 'fred', dataset_no: 2 } })].filter((one) => one !== undefined),
      ),
    ];
    expect(new Set(all).size).toBe(all.length);
    for (const hash of all) expect(hash).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  it('does not depend on the order of the files, nor on sizes, bounds and rights', () => {
    expect(contentHash(resources.toReversed())).toBe(contentHash(resources));
    expect(changed({ bytes: 99, maxObservedAt: '2024-01-01', rights: { redistributable: true }, path: 'files/x' })).toBe(
      contentHash(resources),
    );
  });

  it('names the snapshot by its first twenty characters', () => {
    expect(snapshotIdOf(`sha256:${'0123456789abcdef'.repeat(4)}`)).toBe('snap_0123456789abcdef0123');
    const { snapshotId, contentHash: hash } = manifestOf(resources);
    expect(snapshotId).toBe(`snap_${hash.slice(7, 27)}`);
  });
});

describe('the current manifest', () => {
  it('is null before the first snapshot, and is refused if it is missing or not the one the pointer names', async () => {
    expect(await readCurrent(paths)).toBeNull();
    const { id } = await published('a');
    const text = readFileSync(paths.manifest(id), 'utf8');
    writeFileSync(paths.manifest(id), text.replace('"rowCount": 1', '"rowCount": 2'));
    await expect(readCurrent(paths)).rejects.toThrow(`The manifest of ${id} no longer has the hash that current.json names.`);
    rmSync(paths.manifest(id));
    await expect(readCurrent(paths)).rejects.toThrow(`The manifest of ${id}, which current.json names, is missing. Run: npm run nightly.`);
  });

  it('of schema 5 is read with its tables, then named by the resources, so that a publication sees its losses', async () => {
    const { id, manifest } = await published('a');
    const resources = manifest.resources.map(({ table, type: _, description: __, schema: { fields }, ...resource }) => ({
      ...resource,
      name: table,
      schema: { fields: fields.map(({ name, physicalType, unit }) => ({ name, type: physicalType, unit })) },
    }));
    const text = JSON.stringify({ ...manifest, schemaVersion: '5', resources });
    writeFileSync(paths.manifest(id), text);
    writeFileSync(paths.pointer, JSON.stringify({ snapshotId: id, manifest: `manifests/${id}.json`, sha256: sha256(text) }));
    const current = await readCurrent(paths);
    expect([current?.schemaVersion, current?.resources.map(({ table }) => table)]).toEqual([
      '5',
      manifest.resources.map(({ table }) => table),
    ]);
    expect(current?.resources[0]?.schema.fields[0]).toMatchObject({ name: 'value', type: 'any', physicalType: 'double' });
    const { report } = await published('b');
    expect(report.previousSnapshotId).toBe(id);
  });

  it('is refused if the pointer is cut off', async () => {
    await published('a');
    writeFileSync(paths.pointer, readFileSync(paths.pointer, 'utf8').slice(0, 30));
    await expect(readCurrent(paths)).rejects.toThrow('current.json is damaged. Run: npm run nightly.');
  });

  it('stays as it is while a pointer next to it is half written', async () => {
    const { id } = await published('a');
    writeFileSync(`${paths.pointer}.partial`, '{"snapshotId":"sn');
    expect((await readCurrent(paths))?.snapshotId).toBe(id);
    expect((await published('b')).report.isNew).toBe(true);
    expect(existsSync(`${paths.pointer}.partial`)).toBe(false);
  });
});

function flipped(bytes: Buffer): Buffer {
  const middle = bytes.length >> 1;
  return bytes.fill((bytes[middle] ?? 0) ^ 1, middle, middle + 1);
}

describe('a candidate that lost data of the current snapshot', () => {
  interface Held {
    readonly name: string;
    readonly rows: number;
    readonly dataset?: string;
  }
  const write = (label: string, held: readonly Held[], change: Partial<Manifest> = {}): Manifest => {
    const resources = held.map(({ name, rows, dataset }) =>
      resourceOf(name, `${label} ${name} ${dataset ?? ''}`, { rowCount: rows, partition: dataset === undefined ? {} : { dataset } }),
    );
    const manifest = manifestOf(resources);
    const vintages = held.reduce((sum, { name, rows }) => sum + (name === 'vintages' ? rows : 0), 0);
    const counted = { ...manifest, counts: { ...manifest.counts, vintages }, ...change };
    mkdirSync(paths.files, { recursive: true });
    for (const [index, { name, dataset }] of held.entries())
      writeFileSync(join(paths.root, resources[index]?.path ?? ''), `${label} ${name} ${dataset ?? ''}`);
    writeFileSync(paths.candidate, JSON.stringify(counted));
    return counted;
  };
  const before: readonly Held[] = [
    { name: 'events', rows: 10 },
    { name: 'aliases', rows: 0 },
    { name: 'vintages', rows: 100, dataset: 'fred' },
    { name: 'vintages', rows: 1000, dataset: 'oecd' },
  ];
  const replaced = (name: string, rows: number | null, dataset?: string) =>
    before.flatMap((held) => (held.name !== name || held.dataset !== dataset ? [held] : rows === null ? [] : [{ ...held, rows }]));
  const CASES: readonly (readonly [string, readonly Held[], RegExp | null])[] = [
    ['a table', replaced('events', null), /it lost the table events \(10 rows\)\. /],
    ['every row of a table', replaced('events', 0), /it lost the table events \(10 rows\)\. /],
    ['a dataset', replaced('vintages', null, 'fred'), /it lost 100 of 100 vintages of fred\. /],
    ['more than half of a dataset', replaced('vintages', 49, 'fred'), /it lost 51 of 100 vintages of fred\. /],
    ['half of a dataset', replaced('vintages', 50, 'fred'), null],
    ['more than half of all', replaced('vintages', 449, 'oecd'), /it lost 551 of 1,100 vintages; 551 of 1,000 vintages of oecd\. /],
    ['rows of a table', replaced('events', 1), null],
    ['nothing', before, null],
  ];

  it.each(CASES.flatMap(([what, after, message]) => (message === null ? [] : [[what, after, message] as const])))(
    '%s: is refused by name, and is accepted if you ask for it',
    async (_, after, message) => {
      const first = write('first', before);
      await publish(paths, 5);
      const second = write('second', after);
      const outcome = String(await publish(paths, 5).catch((error: unknown) => error));
      expect(outcome).toMatch(message);
      expect(outcome).toMatch(/npm run publish -- --accept-loss$/);
      expect((await readCurrent(paths))?.snapshotId).toBe(first.snapshotId);
      await publish(paths, 5, { isLossAccepted: true });
      expect((await readCurrent(paths))?.snapshotId).toBe(second.snapshotId);
    },
  );

  it.each(CASES.filter(([, , message]) => message === null))('%s: is no loss', async (_, after) => {
    write('first', before);
    await publish(paths, 5);
    const second = write('second', after);
    await publish(paths, 5);
    expect((await readCurrent(paths))?.snapshotId).toBe(second.snapshotId);
  });

  it('a table that its schema does not have is no loss; an empty one is', async () => {
    write('first', before, { schemaVersion: 'another' });
    await publish(paths, 5);
    write('emptied', replaced('events', 0));
    await expect(publish(paths, 5)).rejects.toThrow(/it lost the table events \(10 rows\)\. /);
    const second = write('second', replaced('events', null));
    await publish(paths, 5);
    expect((await readCurrent(paths))?.snapshotId).toBe(second.snapshotId);
  });
});
