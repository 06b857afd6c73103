// A DATA_DIR that an earlier release left: its snapshot is not served, its lake is, and its keys, grants and cursors go on.
import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nightly } from '../../jobs/nightly.ts';
import { buildSample } from '../../jobs/sample/build.ts';
import { keptManifests, readCurrent, SCHEMA_VERSION, sealOf, type SnapshotPaths } from '../../src/snapshot/manifest.ts';
import { sources } from '../../src/sources/index.ts';
import { fredMdFile, openPipeline, type Pipeline, SILENT, writeFiles } from '../pipeline.ts';
import { type ErrorBody, type ListBody, type RunningService, startService } from '../service.ts';
import { sha256 } from './written.ts';

const FIRST = fredMdFile('2020-05', {
  PAYEMS: { '2020-03': 151, '2020-04': 131 },
  UMCSENTx: { '2020-03': 89.1, '2020-04': 71.8 },
});
const SECOND = fredMdFile('2020-06', {
  PAYEMS: { '2020-03': 151, '2020-04': 130, '2020-05': 133 },
  UMCSENTx: { '2020-03': 89.1, '2020-04': 71.8 },
});
const [THEN, NOW] = ['2020-07-01T08:00:00.000Z', '2020-08-01T08:00:00.000Z'];

/** As schema 3 was: without the tables of later ones, without the packed copy, and with a manifest that describes nothing and names tables alone. */
const LATER_TABLES = ['consensus', 'states', 'values_3y', 'cot', 'multiples'];

async function asEarlierRelease(paths: SnapshotPaths): Promise<string> {
  const manifest = await readCurrent(paths);
  if (manifest === null) throw new Error('nothing is published');
  for (const { path } of manifest.resources.filter(({ table }) => LATER_TABLES.includes(table))) rmSync(join(paths.root, path));
  const resources = manifest.resources
    .filter(({ table }) => !LATER_TABLES.includes(table))
    .map(({ table, type: _, description: __, schema: { fields }, ...resource }) => ({
      ...resource,
      name: table,
      schema: { fields: fields.map(({ name, physicalType, unit }) => ({ name, type: physicalType, unit })) },
    }));
  for (const name of readdirSync(paths.served).filter((one) => one.endsWith('.packs'))) rmSync(join(paths.served, name));
  for (const path of [paths.catalog, paths.dataPackage]) rmSync(path);
  const text = JSON.stringify({ ...manifest, schemaVersion: '3', resources });
  writeFileSync(paths.manifest(manifest.snapshotId), text);
  const pointer = { snapshotId: manifest.snapshotId, manifest: `manifests/${manifest.snapshotId}.json`, sha256: sha256(text) };
  writeFileSync(paths.pointer, JSON.stringify(pointer));
  return manifest.snapshotId;
}

/** As the next release would have published it. */
async function asLaterRelease(paths: SnapshotPaths): Promise<string> {
  const manifest = await readCurrent(paths);
  if (manifest === null) throw new Error('nothing is published');
  const text = JSON.stringify({ ...manifest, schemaVersion: '99' });
  writeFileSync(paths.manifest(manifest.snapshotId), text);
  writeFileSync(sealOf(paths.manifest(manifest.snapshotId)), `${sha256(text)}\n`);
  const pointer = { snapshotId: manifest.snapshotId, manifest: `manifests/${manifest.snapshotId}.json`, sha256: sha256(text) };
  writeFileSync(paths.pointer, JSON.stringify(pointer));
  return manifest.snapshotId;
}

const fault = (id: string) =>
  `Another release built snapshot ${id}: it has schema 3, and this version reads ${SCHEMA_VERSION}. ` +
  'Run npm run derive and npm run publish, which rebuild it from the lake. For the sample, run npm start.';

/** A key and its line in the file, a grant and a secret, as that release wrote them. */
const KEY = 'asof_oRfwzKxigVhmVEZNfMOVbvsbjT4bRf1BrGlN';
const KEYS = {
  version: 1,
  keys: [
    {
      keyId: 'key_1MyScVnvpyhB',
      label: 'second',
      tier: 'full',
      scopes: ['data:read', 'ops:read'],
      sha256: '79a5534314d37a3b30b83f2d1339f618c253230b2f104c4d14c198f1e5dfa69e',
      createdAt: THEN,
      revokedAt: null,
    },
  ],
};
const GRANTS = {
  version: 1,
  grants: [
    {
      sourceId: 'fred_md',
      note: 'Contract 17, own use',
      until: null,
      redistribute: false,
      grantedBy: 'root',
      grantedAt: THEN,
      revokedBy: null,
      revokedAt: null,
    },
  ],
};
const SECRET = '7'.repeat(64);

/** Cursors of /observations/changes as that release gave them out; the hash is of the filters that they were given for. */
function cursorOf(hash: string, changeSequence: number): string {
  const text = JSON.stringify([1, '["/observations/changes",{}]', hash, [changeSequence, '18446744073709551615'], null, null]);
  const payload = Buffer.from(text).toString('base64url');
  return `${payload}.${createHmac('sha256', SECRET).update(payload).digest('base64url')}`;
}
const UNFILTERED = 'Gc5XoA3DmzheEBh-DgoMG3';
const OF_PAYROLLS = 'bs2IrzC5OisvvhXlZgS9px'; // indicator_id=us_nonfarm_payrolls

describe('the folder of an earlier release', () => {
  let pipeline: Pipeline;
  let service: RunningService;
  let snapshotId: string;
  let before: readonly unknown[];

  const asked = (path: string) => service.get(path, { key: null, headers: { 'x-api-key': KEY } });
  const rowsOf = async (path: string) => {
    const response = await asked(path);
    expect([path, response.status]).toEqual([path, 200]);
    return ((await response.json()) as ListBody).data;
  };
  const vintages = () =>
    pipeline.lake('select indicator_id, period, vintage, value, observed_at::varchar, change_sequence from observations order by all');

  beforeAll(async () => {
    pipeline = await openPipeline();
    await pipeline.run(FIRST, THEN);
    before = await vintages();
    snapshotId = await asEarlierRelease(pipeline.paths);
    const own = (name: string, text: string) => writeFileSync(join(pipeline.dataDir, name), text, { mode: 0o600 });
    own('keys.json', JSON.stringify(KEYS));
    own('rights.json', JSON.stringify(GRANTS));
    own('cursor-secret', `${SECRET}\n`);
    service = await startService(pipeline.dataDir, { now: Date.parse(NOW) });
  });
  afterAll(async () => {
    await service.stop();
    await pipeline.remove();
  });

  it('is not served: /ready and every route give the reason and the command, the log reports it once', async () => {
    for (const path of ['/ready', '/observations', '/snapshot']) {
      const response = await asked(path);
      const { error } = (await response.json()) as ErrorBody;
      expect([path, response.status, error.code, error.message, error.details]).toEqual([
        path,
        500,
        'internal_error',
        `No snapshot is loaded. ${fault(snapshotId)}`,
        { reason: 'not_ready' },
      ]);
    }
    for (let round = 0; round < 5; round += 1) await service.follow();
    expect(service.lines.filter(({ level }) => level === 50).map(({ error }) => error)).toEqual([fault(snapshotId)]);
  });

  it('is reported by npm start, which writes no sample next to it', () => {
    const said = execFileSync(process.execPath, ['--import', 'tsx', 'jobs/commands/prepare.ts'], {
      cwd: resolve(import.meta.dirname, '../..'),
      env: { ...process.env, DATA_DIR: pipeline.dataDir, PORT: '0' },
      encoding: 'utf8',
    });
    expect(said).toBe(`${fault(snapshotId)}\nUntil then the server cannot answer. The archive, the lake, keys and grants are unchanged.\n`);
    expect(readdirSync(pipeline.dataDir)).not.toContain('sample');
  });

  it('is served after the nightly run with all data, its key, its grant and its cursors', async () => {
    const mirror = mkdtempSync(join(tmpdir(), 'asof-mirror-'));
    await writeFiles(mirror, SECOND);
    const only = sources.filter(({ id }) => id === 'fred_md');
    const { publish } = await nightly(only, pipeline.workspace, { now: () => Date.parse(NOW), log: SILENT }, mirror);
    rmSync(mirror, { recursive: true });
    expect(publish.previousSnapshotId).toBe(snapshotId);
    await service.follow();
    const ready = (await (await asked('/ready')).json()) as { readonly data: Readonly<Record<string, unknown>> };
    expect(ready.data).toMatchObject({ serves: 'real', snapshotId: publish.snapshotId, warnings: [] });

    expect(before).toHaveLength(4);
    const after = await vintages();
    expect(after.filter((row) => before.some((one) => JSON.stringify(one) === JSON.stringify(row)))).toEqual(before);

    const sentiment = await rowsOf('/observations?indicator_id=us_consumer_sentiment_umich&period=2020-04');
    expect(sentiment.map(({ actual, rights }) => [actual, rights])).toEqual([
      [71.8, expect.objectContaining({ note: 'Contract 17, own use' })],
    ]);

    const changed = ({ changeSequence, changeType, period, actual, priorActual }: Readonly<Record<string, unknown>>) => [
      changeSequence,
      changeType,
      period,
      actual,
      priorActual,
    ];
    const payrolls = [
      [5, 'revise', '2020-04', 130, 131],
      [6, 'insert', '2020-05', 133, null],
    ];
    const all = await rowsOf(`/observations/changes?cursor=${cursorOf(UNFILTERED, 4)}`);
    expect(all.filter(({ indicatorId }) => indicatorId === 'us_nonfarm_payrolls').map(changed)).toEqual(payrolls);
    expect(all.every(({ changeSequence }) => Number(changeSequence) > 4)).toBe(true);
    const own = await rowsOf(`/observations/changes?indicator_id=us_nonfarm_payrolls&cursor=${cursorOf(OF_PAYROLLS, 4)}`);
    expect(own.map(changed)).toEqual(payrolls);
  });
});

describe('a snapshot of another release', () => {
  let pipeline: Pipeline;
  let dataDir: string;
  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'asof-earlier-'));
    pipeline = await openPipeline({ dataDir: join(dataDir, 'sample') });
    await pipeline.run(FIRST, THEN);
  });
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

  it('of the sample is rebuilt from its lake at the next start, and kept at the one after', async () => {
    await asEarlierRelease(pipeline.paths);
    const lake = await pipeline.lake('select * from observations order by change_sequence');
    const { referenceDir, snapshotsKept } = pipeline.workspace;
    const options = { referenceDir, snapshotsKept, engineThreads: 2, engineMemory: '600MB' };
    const build = () => buildSample(dataDir, options, { now: () => Date.parse(NOW), log: SILENT });
    const built = await build();
    expect(built).toMatchObject({ isNew: false, isRenewed: true, publish: { isNew: true } });
    expect(await pipeline.current()).toMatchObject({ schemaVersion: SCHEMA_VERSION, snapshotId: built.publish?.snapshotId });
    expect(await pipeline.lake('select * from observations order by change_sequence')).toEqual(lake);
    expect(await build()).toMatchObject({ isNew: false, isRenewed: false, publish: null });
  });

  it('whose manifest has another form is reported by its schema, not by its fields', async () => {
    const { paths } = pipeline;
    const { snapshotId } = await pipeline.current();
    const text = JSON.stringify({ snapshotId, schemaVersion: '2', tables: [] });
    const whole = [readFileSync(paths.manifest(snapshotId)), readFileSync(paths.pointer)] as const;
    writeFileSync(paths.manifest(snapshotId), text);
    writeFileSync(paths.pointer, JSON.stringify({ snapshotId, manifest: `manifests/${snapshotId}.json`, sha256: sha256(text) }));
    await expect(readCurrent(paths)).rejects.toThrow(/Another release built .*: it has schema 2, and this version reads/);
    expect((await keptManifests(paths)).map((one) => one.snapshotId)).not.toContain(snapshotId);
    writeFileSync(paths.manifest(snapshotId), whole[0]);
    writeFileSync(paths.pointer, whole[1]);
  });
});

describe('a server of the earlier release, after the next one has published', () => {
  it('keeps the last snapshot that it can read, and opens it if it starts again', async () => {
    const pipeline = await openPipeline();
    await pipeline.run(FIRST, THEN);
    const own = (await pipeline.current()).snapshotId;
    let service = await startService(pipeline.dataDir, { now: Date.parse(NOW) });
    try {
      await pipeline.run(SECOND, NOW);
      const next = await asLaterRelease(pipeline.paths);
      const warning = `Another release built snapshot ${next}: it has schema 99, and this version reads ${SCHEMA_VERSION}.`;
      const ready = { status: 'ready', snapshotId: own, warnings: [expect.stringContaining(`${warning} `)] };
      await service.follow();
      expect(((await (await service.get('/ready')).json()) as { data: unknown }).data).toMatchObject(ready);
      await service.stop();
      service = await startService(pipeline.dataDir, { now: Date.parse(NOW) });
      expect(((await (await service.get('/ready')).json()) as { data: unknown }).data).toMatchObject(ready);
    } finally {
      await service.stop();
      await pipeline.remove();
    }
  });
});
