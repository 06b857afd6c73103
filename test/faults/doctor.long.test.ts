// What `npm run doctor` finds: each damage by its file, with a remedy that, carried out, heals it.
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createHash } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { acceptLoss, examine } from '../../jobs/doctor.ts';
import { nightly } from '../../jobs/nightly.ts';
import { issueKey, keyFile } from '../../src/keys/key-store.ts';
import { ownSecret } from '../../src/keys/secret.ts';
import { grantFile, grantRights } from '../../src/rights/grant-file.ts';
import { writeCatalog } from '../../src/snapshot/build/named-files.ts';
import { sources } from '../../src/sources/index.ts';
import { fredMdFile, openPipeline, type Pipeline, SILENT, writeFiles } from '../pipeline.ts';

const NOW = Date.parse('2021-01-01T00:00:00.000Z');
const only = sources.filter(({ id }) => id === 'fred_md');
const MAY = fredMdFile('2020-05', { PAYEMS: { '2020-03': 100, '2020-04': 131 } });

let base: string;
let dataDir: string;
let pipeline: Pipeline;
const night = async (folder: string | null = null, now = NOW + 3_600_000) =>
  nightly(only, pipeline.workspace, { now: () => now, log: SILENT }, folder);
beforeAll(async () => {
  base = mkdtempSync(join(tmpdir(), 'asof-doctor-'));
  pipeline = await openPipeline({ dataDir: join(base, 'whole') });
  await writeFiles(join(base, 'mirror'), MAY);
  await night(join(base, 'mirror'), NOW);
  await issueKey(keyFile(pipeline.dataDir), { label: 'a', tier: 'full', scopes: ['data:read'] }, NOW);
  await ownSecret(pipeline.dataDir);
  await grantRights(grantFile(pipeline.dataDir), { sourceId: 'quotes', note: 'x', until: null, redistribute: false }, 'me', NOW);
});
afterAll(() => rmSync(base, { recursive: true, force: true }));
beforeEach(async () => {
  if (dataDir !== undefined) rmSync(dataDir, { recursive: true, force: true });
  dataDir = mkdtempSync(join(base, 'one-'));
  cpSync(join(base, 'whole'), dataDir, { recursive: true });
  pipeline = await openPipeline({ dataDir });
  await writeCatalog(pipeline.paths, await pipeline.current());
});

const findings = async () => (await examine(dataDir, NOW + 7_200_000)).findings;
const at = (path: string) => join(dataDir, path);
/** The first file of a folder whose name holds a text. */
const first = (folder: string, text: string) => {
  const found = readdirSync(at(folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.includes(text))
    .sort()[0];
  if (found === undefined) throw new Error(`${folder} holds no ${text}`);
  return `${folder}/${found}`;
};
const flip = (path: string) => {
  const bytes = readFileSync(at(path));
  const middle = bytes.length >> 1;
  bytes[middle] = (bytes[middle] ?? 0) ^ 1;
  writeFileSync(at(path), bytes);
};
const collectAgain = async (path: string) => {
  rmSync(at(path));
  await night(join(base, 'mirror'));
};
const remove = async (path: string) => rmSync(at(path), { recursive: true });

interface Case {
  readonly what: string;
  readonly file: () => string;
  readonly damage?: (path: string) => void;
  readonly remedy: RegExp;
  readonly heal?: (path: string) => Promise<unknown>;
}
const byNight = async () => night();
const CASES: readonly Case[] = [
  {
    what: 'an archived payload',
    file: () => first('raw/objects', '.gz'),
    remedy: /remove it and collect the payload again.*--mirror/,
    heal: collectAgain,
  },
  {
    what: 'a description of a payload',
    file: () => first('raw/payloads', '.json'),
    damage: (path) => writeFileSync(at(path), readFileSync(at(path), 'utf8').replace('fred-md/2020-05', 'fred-md/2020-06')),
    remedy: /remove it and collect/,
    heal: collectAgain,
  },
  {
    what: 'a description of a version that did not seal it, of another payload than its own',
    file: () => first('raw/payloads', '.json'),
    damage: (path) => {
      const text = readFileSync(at(path), 'utf8').replace('fred-md/2020-05', 'fred-md/2020-06');
      writeFileSync(at(path), text.replace(/,\s*"seal": *"[0-9a-f]+"/, ''));
    },
    remedy: /remove it and collect/,
    heal: collectAgain,
  },
  {
    what: 'a note of collecting',
    file: () => first('raw/collections', '.json'),
    damage: (path) => writeFileSync(at(path), '{'),
    remedy: /Remove it/,
    heal: collectAgain,
  },
  {
    what: 'a file of the lake',
    file: () => first('lake/observations/source_id=fred_md', 'part'),
    remedy: /Run npm run nightly, which rebuilds the file/,
  },
  {
    what: 'a lost file of the lake',
    file: () => first('lake/ingestions/source_id=fred_md', 'part'),
    damage: (path) => rmSync(at(path)),
    remedy: /npm run nightly/,
  },
  {
    what: 'a stranger in the lake',
    file: () => 'lake/observations/source_id=fred_md/part-7.parquet',
    damage: (path) => writeFileSync(at(path), 'PAR1'),
    remedy: /Move the file out of the lake/,
    heal: async (path) => renameSync(at(path), at('stranger.parquet')),
  },
  { what: 'a file of the snapshot', file: () => first('snapshots/files', 'vintages'), remedy: /Run: npm run nightly\./ },
  { what: 'the copy for servers', file: () => first('snapshots/served', '.duckdb'), remedy: /Run: npm run nightly\./ },
  { what: 'the pointer', file: () => 'current.json', damage: (path) => writeFileSync(at(path), ''), remedy: /Run: npm run nightly\./ },
  {
    what: 'a catalogue that is cut off',
    file: () => 'catalog.sql',
    damage: (path) => writeFileSync(at(path), 'create'),
    remedy: /Run: npm run nightly\./,
  },
  {
    what: 'a catalogue of the folder that it was copied from',
    file: () => 'catalog.sql',
    damage: (path) => cpSync(join(base, 'whole', path), at(path)),
    remedy: /Run: npm run nightly\./,
  },
  {
    what: 'no data package',
    file: () => 'snapshots/datapackage.json',
    damage: (path) => rmSync(at(path)),
    remedy: /Run: npm run nightly\./,
  },
  { what: 'no pointer', file: () => 'current.json', damage: (path) => rmSync(at(path)), remedy: /Run: npm run nightly\./ },
  {
    what: 'keys that others can read',
    file: () => 'keys.json',
    damage: (path) => chmodSync(at(path), 0o644),
    remedy: /Run: chmod 600 /,
    heal: async (path) => chmodSync(at(path), 0o600),
  },
  {
    what: 'keys that are cut off',
    file: () => 'keys.json',
    damage: (path) => writeFileSync(at(path), '{"version":1,'),
    remedy: /issue new keys/,
    heal: async (path) => {
      rmSync(at(path));
      rmSync(at('keys-issued'), { force: true });
    },
  },
  {
    what: 'a secret of zeroes',
    file: () => 'cursor-secret',
    damage: (path) => writeFileSync(at(path), Buffer.alloc(65)),
    remedy: /Remove it: the next start creates one/,
    heal: remove,
  },
  {
    what: 'rights that are cut off',
    file: () => 'rights.json',
    damage: (path) => writeFileSync(at(path), '{'),
    remedy: /grant again/,
    heal: remove,
  },
  {
    what: 'half a file',
    file: () => 'snapshots/files/x.parquet.partial',
    damage: (path) => writeFileSync(at(path), 'x'),
    remedy: /Remove it when no run is active/,
    heal: remove,
  },
  {
    what: 'a staged file',
    file: () => 'lake/.staging/x.parquet',
    damage: (path) => writeFileSync(at(path), 'x'),
    remedy: /Run: npm run nightly\./,
  },
  {
    what: 'a folder of a server that is gone',
    file: () => `tmp/servers/000000000000-1-1-x`,
    damage: (path) => {
      mkdirSync(at(path), { recursive: true });
      utimesSync(at(path), 1, 1); // of another machine, and silent for years
    },
    remedy: /npm start/,
    heal: remove,
  },
  {
    what: 'a lock of nobody',
    file: () => 'keys.json.lock',
    damage: (path) => writeFileSync(at(path), '4194303'),
    remedy: /Remove it when no command is active/,
    heal: remove,
  },
];

describe('the doctor', () => {
  it('finds nothing in an intact folder, and changes nothing in it', async () => {
    const before = readdirSync(dataDir, { recursive: true }).length;
    const { checked, findings: none } = await examine(dataDir, NOW);
    expect(none).toEqual([]);
    expect(checked).toMatchObject({ 'archived payloads': 1, 'descriptions of payloads': 1, snapshots: 1, 'own files': 3 });
    expect(checked['files of the lake']).toBeGreaterThan(2);
    expect(readdirSync(dataDir, { recursive: true }).length).toBe(before);
  });

  it.each(CASES.map((one) => [one.what, one] as const))(
    'finds %s, and its remedy repairs it',
    async (_, { file, damage = flip, remedy, heal = byNight }) => {
      const path = file();
      damage(path);
      const found = await findings();
      const own = found.find((one) => one.file === path);
      expect([own?.file, own?.remedy]).toEqual([path, expect.stringMatching(remedy)]);
      await heal(path);
      expect(await findings()).toEqual([]);
    },
  );

  it('finds a damaged record of the lake, and a manifest', async () => {
    const record = first('lake/commits', '.json');
    const [manifest] = readdirSync(at('snapshots/manifests')).filter((name) => name.endsWith('.json'));
    rmSync(at('lake/verified.json'), { force: true });
    flip(record);
    flip(`snapshots/manifests/${manifest}`);
    const found = await findings();
    expect(found.map(({ file }) => file)).toEqual(expect.arrayContaining([record, `snapshots/manifests/${manifest}`]));
    expect(found.find(({ file }) => file === record)?.remedy).toMatch(/Restore lake\/ from a backup/);
  });

  it('distinguishes a snapshot of another release and an unreadable manifest from a damaged one', async () => {
    const name = first('snapshots/manifests', '.json');
    const manifest = JSON.parse(readFileSync(at(name), 'utf8')) as object;
    const text = JSON.stringify({ ...manifest, schemaVersion: '2', counts: undefined });
    writeFileSync(at(name), text);
    writeFileSync(at(name.replace('.json', '.sha256')), createHash('sha256').update(text).digest('hex'));
    const problem = async () => (await findings()).find(({ file }) => file === name)?.problem;
    expect(await problem()).toBe('was built by another release, so that snapshot is not served');
    rmSync(at(name));
    symlinkSync(basename(name), at(name));
    expect(await problem()).toMatch(/cannot be read or written \(ELOOP\)/);
  });

  it('removes only the given lost file from the list of files', async () => {
    const path = first('lake/attempts/source_id=fred_md', 'part');
    flip(path);
    await expect(night()).rejects.toThrow(`npm run doctor -- --accept-loss ${path.replace('lake/', '')}`);
    const lake = await pipeline.workspace.openLake();
    try {
      await expect(acceptLoss(lake, [first('lake/observations/source_id=fred_md', 'part')], NOW)).rejects.toThrow(
        'is not a damaged or missing file',
      );
      expect(await acceptLoss(lake, [path], NOW)).toEqual([path]);
    } finally {
      await lake.close();
    }
    expect(existsSync(at(path))).toBe(false);
    await night();
    expect(await findings()).toEqual([]);
  });
});

describe('the command', () => {
  const run = (...words: string[]) =>
    spawnSync(process.execPath, ['--import', 'tsx', 'jobs/commands/doctor.ts', ...words], {
      env: { ...process.env, DATA_DIR: dataDir },
      encoding: 'utf8',
    });

  it('exits with 0 if all is well, else with 1 and the remedies', () => {
    const sound = run();
    expect([sound.status, sound.stdout]).toEqual([0, expect.stringContaining('All is well.')]);
    const path = first('snapshots/files', 'vintages');
    flip(path);
    const text = run();
    expect([text.status, text.stdout]).toEqual([
      1,
      expect.stringContaining(`[snapshots] ${path}\n  is missing or no longer has its hash\n  → Run: npm run nightly.`),
    ]);
    const json = run('--json');
    expect(json.status).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject([{ dataDir, findings: [{ area: 'snapshots', file: path }] }]);
    expect(run('--help').stdout).toMatch(/Example:\n {2}npm run doctor -- --json/);
  });
});
