// Damage drawn at random over everything that is kept, at rest and under a running server: no wrong value is ever answered or written, a snapshot that is
// whole serves or there is an error, and what is made again is what it was. Each trial has a seed; DAMAGE_SEED and DAMAGE_TRIALS=1 tell one again.
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mendLake } from '../../jobs/mend.ts';
import { nightly } from '../../jobs/nightly.ts';
import { issueKey, keyFile, openKeyRing } from '../../src/keys/key-store.ts';
import { createKey } from '../../src/keys/key.ts';
import { ownSecret } from '../../src/keys/secret.ts';
import { openScrubber } from '../../src/snapshot/serving/integrity/scrub.ts';
import { type FollowedStore, openStore } from '../../src/snapshot/serving/store.ts';
import { sources } from '../../src/sources/index.ts';
import { fredMdFile, openPipeline, type Pipeline, realTimeFile, SILENT, writeFiles } from '../pipeline.ts';
import { type Draw, drawing } from './draws.ts';
import { answerOf, rowsOfAll } from './nights.ts';

const TRIALS = Number(process.env['DAMAGE_TRIALS'] ?? '24');
const SEED = Number(process.env['DAMAGE_SEED'] ?? process.env['FAULTS_SEED'] ?? '1');
const FIRST = Date.parse('2021-01-01T00:00:00.000Z');
const DAY = 86_400_000;
const only = sources.filter(({ id }) => id === 'fred' || id === 'fred_md');
const MAY = fredMdFile('2020-05', { PAYEMS: { '2020-03': 100, '2020-04': 131 }, CPIAUCSL: { '2020-03': 250, '2020-04': 251 } });
const JUNE = fredMdFile('2020-06', { PAYEMS: { '2020-04': 129, '2020-05': 132 } });
const CODES = realTimeFile('PAYEMS', 'PAYEMS', [
  ['2020-01-01', '2020-02-07', '2020-12-31', 10],
  ['2020-02-01', '2020-03-06', '2020-12-31', 11],
  ['2020-03-01', '2020-04-03', '2020-12-31', 12],
]);

let base: string;
let first: Pipeline;
let key: string;
let kept: unknown;
let secret: string;
/** What each snapshot answers, by its id. */
const answers = new Map<string, string>();
beforeAll(async () => {
  base = mkdtempSync(join(tmpdir(), 'asof-damages-'));
  first = await openPipeline({ dataDir: join(base, 'whole') });
  const pipeline = first;
  for (const [night, files] of [{ ...MAY, ...CODES }, JUNE].entries()) {
    await writeFiles(join(base, 'mirror'), files);
    await nightly(only, pipeline.workspace, { now: () => FIRST + night * DAY, log: SILENT }, join(base, 'mirror'));
    const reader = await pipeline.open();
    answers.set(reader.snapshotId, await answerOf(reader));
  }
  ({ key } = await issueKey(keyFile(pipeline.dataDir), { label: 'a', tier: 'free', scopes: ['data:read'] }, FIRST));
  secret = await ownSecret(pipeline.dataDir);
  kept = await rowsOfAll(pipeline);
  if (answers.size !== 2) throw new Error('the two nights made no two snapshots');
});
afterAll(async () => {
  await first.remove();
  rmSync(base, { recursive: true, force: true });
});

const AREAS = {
  raw: /^raw\//,
  lake: /^lake\/(?!.*source_id=none|writer\.lock)/,
  records: /^lake\/(commits\/|verified)/,
  files: /^snapshots\/files\//,
  served: /^snapshots\/served\//,
  manifests: /^snapshots\/manifests\//,
  pointer: /^current\.json$/,
  own: /^(keys\.json|cursor-secret)$/,
} as const;
type Area = keyof typeof AREAS;

/** Changes a file of an area; says what it did. */
function damage(dataDir: string, area: Area, draw: Draw): string {
  const files = readdirSync(dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(dataDir.length + 1))
    .filter((path) => AREAS[area].test(path))
    .sort();
  const path = files[draw(files.length)] ?? '';
  const full = join(dataDir, path);
  const bytes = readFileSync(full);
  const other = files.filter((one) => one !== path && one.split('.').at(-1) === path.split('.').at(-1))[
    draw(Math.max(files.length - 1, 1))
  ];
  switch (draw(6)) {
    case 0:
    case 1: {
      const at = draw(Math.max(bytes.length, 1));
      bytes[at] = (bytes[at] ?? 0) ^ (1 << draw(8));
      writeFileSync(full, bytes);
      return `${path}: a bit of byte ${at}`;
    }
    case 2:
      writeFileSync(full, bytes.subarray(0, draw(Math.max(bytes.length, 1))));
      return `${path}: cut off`;
    case 3: {
      const from = draw(Math.max(bytes.length, 1));
      writeFileSync(full, bytes.fill(0, from, Math.min(from + 512, bytes.length)));
      return `${path}: zeroes from ${from}`;
    }
    case 4:
      rmSync(full);
      return `${path}: gone`;
    default:
      if (other === undefined) rmSync(full);
      else cpSync(join(dataDir, other), full);
      return `${path}: ${other === undefined ? 'gone' : `the content of ${other}`}`;
  }
}

const openOver = (pipeline: Pipeline) =>
  openStore([pipeline.paths], { limits: pipeline.workspace.limits('serve'), connections: 1 }, () => undefined);

/** Whether what is served is what its snapshot answers; null where there is an error instead. */
async function isRight(store: FollowedStore): Promise<boolean | null> {
  const pinned = await store.acquire();
  if (pinned === null) return null;
  try {
    const expected = answers.get(pinned.snapshot.snapshotId);
    const given = await answerOf(pinned.snapshot).catch(() => null);
    if (given === null || expected === undefined) return given === null ? null : false;
    // Without its packs a snapshot answers from its tables alone.
    const [told, packed] = JSON.parse(given) as [unknown, unknown];
    const [toldBefore, packedBefore] = JSON.parse(expected) as [unknown, unknown];
    return (
      JSON.stringify(told) === JSON.stringify(toldBefore) && (packed === null || JSON.stringify(packed) === JSON.stringify(packedBefore))
    );
  } finally {
    pinned.release();
  }
}

/** What came of one trial; throws where anything was wrong. */
async function trial(seed: number): Promise<string> {
  const draw = drawing(seed);
  const dataDir = mkdtempSync(join(base, 'trial-'));
  cpSync(join(base, 'whole'), dataDir, { recursive: true });
  const pipeline = await openPipeline({ dataDir });
  const names = Object.keys(AREAS) as Area[];
  const area = names[draw(names.length)] ?? 'lake';
  try {
    if (area === 'raw' || area === 'lake' || area === 'records') return await ofLake(pipeline, area, draw);
    if (area === 'own') return await ofOwn(dataDir, draw);
    return await ofSnapshot(pipeline, area, draw);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function ofLake(pipeline: Pipeline, area: Area, draw: Draw): Promise<string> {
  const what = [damage(pipeline.dataDir, area, draw)];
  // An archive that is damaged is found out by who needs it.
  if (area === 'raw') what.push(damage(pipeline.dataDir, 'lake', draw));
  const outcome = await mended(pipeline).catch((error: unknown) => error);
  if (outcome instanceof Error) {
    expect([what, outcome.message]).toEqual([what, expect.stringMatching(/npm run|backup/)]);
    return 'an error';
  }
  expect([what, await rowsOfAll(pipeline)]).toEqual([what, kept]);
  return 'made again';
}

async function mended(pipeline: Pipeline): Promise<void> {
  const lake = await pipeline.workspace.openLake();
  try {
    await mendLake(lake, pipeline.workspace, only, { now: () => FIRST + 2 * DAY, log: SILENT });
  } finally {
    await lake.close();
  }
}

async function ofOwn(dataDir: string, draw: Draw): Promise<string> {
  const what = damage(dataDir, 'own', draw);
  const ring = await Promise.resolve()
    .then(() =>
      openKeyRing(
        keyFile(dataDir),
        () => FIRST,
        () => undefined,
      ),
    )
    .catch(() => null);
  const holder = ring?.find(key) ?? null;
  expect([what, ring?.find(createKey()) ?? null]).toEqual([what, null]);
  if (holder !== null) expect([what, holder.tier, holder.scopes]).toEqual([what, 'free', ['data:read']]);
  const read = await ownSecret(dataDir).catch(() => null);
  expect([what, read === null || read === secret || /^[\x21-\x7e]{32,}$/.test(read)]).toEqual([what, true]);
  return ring === null || read === null ? 'an error' : 'as before';
}

async function ofSnapshot(pipeline: Pipeline, area: Area, draw: Draw): Promise<string> {
  const isRunning = draw(2) === 1;
  const store = openOver(pipeline);
  try {
    if (isRunning) await store.follow();
    const what = [damage(pipeline.dataDir, area, draw)];
    if (draw(4) === 0) what.push(damage(pipeline.dataDir, 'served', draw));
    if (isRunning) {
      expect([what, await isRight(store)]).not.toEqual([what, false]);
      await openScrubber(store, { seconds: 1, pause: () => Promise.resolve(), onDamage: () => undefined }).round();
    }
    await store.follow();
    const outcome = await isRight(store);
    expect([what, outcome]).not.toEqual([what, false]);
    expect([what, store.readiness().isReady || store.readiness().reason]).not.toEqual([what, null]);
    return outcome === null ? 'an error' : 'served';
  } finally {
    await store.close();
  }
}

describe('damage at any place', { timeout: 4 * 3600 * 1000 }, () => {
  it(`gives no wrong value and no partial answer in ${TRIALS} trials from seed ${SEED}`, async () => {
    const outcomes = new Map<string, number>();
    for (let number = 0; number < TRIALS; number += 1) {
      const seed = SEED + number;
      const outcome = await trial(seed).catch((error: unknown) => {
        throw new Error(`DAMAGE_SEED=${seed} DAMAGE_TRIALS=1: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
      });
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    const told = [...outcomes].map(([what, count]) => `${count} ${what}`).join(', ');
    process.stdout.write(`damage, seeds ${SEED} to ${SEED + TRIALS - 1}: ${told}\n`);
    expect([...outcomes.values()].reduce((sum, count) => sum + count, 0)).toBe(TRIALS);
    expect(existsSync(base)).toBe(true);
  });

  it.each([3, 7])('is repaired by the next night if nothing was lost for good (seed %i)', async (seed) => {
    const dataDir = mkdtempSync(join(base, 'night-'));
    cpSync(join(base, 'whole'), dataDir, { recursive: true });
    const pipeline = await openPipeline({ dataDir });
    const before = (await pipeline.current()).contentHash;
    const draw = drawing(seed);
    for (const area of ['files', 'served', 'manifests', 'pointer'] as const) damage(dataDir, area, draw);
    await nightly(only, pipeline.workspace, { now: () => FIRST + 2 * DAY, log: SILENT }, null);
    const store = openOver(pipeline);
    await store.follow();
    expect([(await pipeline.current()).contentHash, store.readiness().warnings, await isRight(store)]).toEqual([before, [], true]);
    await store.close();
  });
});
