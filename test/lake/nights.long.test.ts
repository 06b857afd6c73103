// Nights one after the other: which of them asked a source, up to when the lake knows, and what may take the place of what is served.
import { existsSync, mkdtempSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { collect } from '../../jobs/collect.ts';
import { deriveAttempt } from '../../jobs/derive.ts';
import { nightly } from '../../jobs/nightly.ts';
import { LAKE_TABLE_NAMES } from '../../src/lake/layout.ts';
import { publish } from '../../src/snapshot/build/publish.ts';
import { sources } from '../../src/sources/index.ts';
import type { Context } from '../../src/http/route.ts';
import { readOf } from '../../src/routes/parameters.ts';
import type { SnapshotReader } from '../../src/snapshot/serving/reader.ts';
import { ask, fredMdFile, openPipeline, type Pipeline, realTimeFile, SILENT, writeFiles } from '../pipeline.ts';
import { filesBelow } from './literal-lake.ts';
import { stated, statedFile } from './stated.ts';

const AT = '2021-01-02T00:00:00.000Z';
const effects = { now: () => Date.parse(AT), log: SILENT };
const chosen = (...ids: readonly string[]) => sources.filter(({ id }) => ids.includes(id));
const GOOD = fredMdFile('2020-05', { PAYEMS: { '2020-03': 100, '2020-04': 131 } });
const CODES = realTimeFile('PAYEMS', 'PAYEMS', [
  ['2020-01-01', '2020-02-07', '2020-12-31', 10],
  ['2020-02-01', '2020-03-06', '2020-12-31', 11],
  ['2020-03-01', '2020-04-03', '2020-12-31', 12],
]);

let pipeline: Pipeline;
let mirror: string;
beforeEach(async () => {
  pipeline = await openPipeline();
  mirror = mkdtempSync(join(tmpdir(), 'asof-mirror-'));
});
afterEach(async () => {
  await pipeline.remove();
  rmSync(mirror, { recursive: true, force: true });
});

describe('an attempt', () => {
  const DAY = 86_400_000;
  const at = (day: number) => new Date(Date.parse(AT) + day * DAY).toISOString();
  const only = chosen('fred', 'fred_md');
  const night = (day: number, from: string | null) =>
    nightly(only, pipeline.workspace, { ...effects, now: () => Date.parse(at(day)) }, from);
  const attempts = async () =>
    (
      await pipeline.lake('select source_id, collected_at, status, payloads_new::int as n from attempts order by collected_at, source_id')
    ).map((row) => Object.values(row));

  it('covers the collected sources: last success and cutoff of the others stay', async () => {
    await writeFiles(mirror, { ...GOOD, ...CODES });
    expect((await night(0, mirror)).derive.knowledgeCutoff).toBe(at(0));
    rmSync(join(mirror, 'alfred-realtime'), { recursive: true });
    expect((await night(1, mirror)).derive.knowledgeCutoff).toBe(at(1));
    const third = await night(2, null);
    expect([third.derive.knowledgeCutoff, third.publish.isNew]).toEqual([at(1), false]);
    expect(await attempts()).toEqual([
      ['fred', at(0), 'ok', 1],
      ['fred_md', at(0), 'ok', 1],
      ['fred_md', at(1), 'ok', 0],
    ]);
  });

  it('has the time of collecting, however much later it is read', async () => {
    await writeFiles(mirror, GOOD);
    await collect(only, pipeline.workspace.archive, mirror, effects);
    expect((await night(3, null)).derive.knowledgeCutoff).toBe(AT);
    expect(await attempts()).toEqual([['fred_md', AT, 'ok', 1]]);
  });

  it('belongs to the derivation if that failed, which moves no cutoff', async () => {
    await writeFiles(mirror, GOOD);
    await night(0, mirror);
    const broken = { ...pipeline.workspace, referenceDir: join(mirror, 'nowhere') };
    const lake = await pipeline.workspace.openLake();
    const failing = deriveAttempt(lake, broken, { now: () => Date.parse(at(1)) });
    await expect(failing).rejects.toThrow('nowhere');
    await lake.close();
    expect(
      await pipeline.lake("select collected_at, finished_at, status, error is null as is_silent from attempts where source_id = 'asof'"),
    ).toEqual([{ collected_at: at(0), finished_at: at(1), status: 'failed', is_silent: false }]);
    expect((await night(2, null)).derive.knowledgeCutoff).toBe(at(0));
  });

  it('fails if a file could not be archived', async () => {
    await writeFiles(mirror, { ...GOOD, 'fred-md/2020-06.csv': '' });
    truncateSync(join(mirror, 'fred-md/2020-06.csv'), 512 * 1024 * 1024 + 1);
    const { sources: reports } = await night(0, mirror);
    expect(reports.find(({ sourceId }) => sourceId === 'fred_md')?.error).toMatch(
      /^fred-md\/2020-06\.csv was not archived: it has 536870913 bytes/,
    );
    expect(await attempts()).toEqual([['fred_md', AT, 'failed', 1]]);
  });
});

describe('a night that would lose published data', () => {
  const only = chosen('fred', 'fred_md');

  it('publishes nothing if there is nothing to read, with the reason', async () => {
    await expect(nightly(only, pipeline.workspace, effects, null)).rejects.toThrow(
      /There is nothing to read: .* has no archived payload.* Give a folder of payloads with --mirror/,
    );
    expect(existsSync(pipeline.paths.pointer)).toBe(false);
    await writeFiles(mirror, GOOD);
    const first = await nightly(only, pipeline.workspace, effects, mirror);
    for (const name of ['raw', 'lake']) rmSync(join(pipeline.dataDir, name), { recursive: true });
    await expect(nightly(only, pipeline.workspace, effects, null)).rejects.toThrow(/There is nothing to read/);
    expect((await pipeline.current()).snapshotId).toBe(first.publish.snapshotId);
  });

  it('names the source that the lake has lost, and publishes once that is accepted', async () => {
    await writeFiles(mirror, { ...GOOD, ...CODES });
    const first = await nightly(only, pipeline.workspace, effects, mirror);
    const later = { ...effects, now: () => Date.parse(AT) + 86_400_000 };
    for (const table of LAKE_TABLE_NAMES) rmSync(join(pipeline.dataDir, 'lake', table, 'source_id=fred'), { recursive: true, force: true });
    await expect(nightly(chosen('fred_md'), pipeline.workspace, later, mirror)).rejects.toThrow(
      /source_id=fred\/.* \(missing\) cannot be rebuilt/,
    );
    for (const folder of ['lake', 'raw/payloads/fred']) rmSync(join(pipeline.dataDir, folder), { recursive: true, force: true });
    await expect(nightly(chosen('fred_md'), pipeline.workspace, later, mirror)).rejects.toThrow(
      /is not published\. Compared with the current one, snap_[0-9a-f]{20}, it lost the table calendar \(4 rows\); the table events \(2 rows\); the source fred; .*3 of 3 vintages of fred.*npm run publish -- --accept-loss/,
    );
    expect((await pipeline.current()).snapshotId).toBe(first.publish.snapshotId);
    const accepted = await publish(pipeline.paths, 5, { isLossAccepted: true });
    expect([accepted.isNew, (await pipeline.current()).snapshotId]).toEqual([true, accepted.snapshotId]);
  });
});

describe('a clock that was ahead', () => {
  const only = chosen('fred', 'fred_md');
  const clock = (at: string) => ({ ...effects, now: () => Date.parse(at) });
  const AHEAD = '2022-02-06T00:00:00.000Z';

  it('stops every job from writing, with both times and the remedy', async () => {
    await writeFiles(mirror, GOOD);
    await nightly(only, pipeline.workspace, clock(AHEAD), mirror);
    const before = filesBelow(pipeline.dataDir);
    const message = new RegExp(
      `at ${AHEAD}, but the clock shows ${AT}, so nothing is written\\. If the clock is behind, set it right\\. .*raw/payloads/`,
    );
    await writeFiles(mirror, CODES);
    await expect(nightly(only, pipeline.workspace, clock(AT), mirror)).rejects.toThrow(message);
    await expect(nightly(only, pipeline.workspace, clock(AT), null)).rejects.toThrow(message);
    await expect(collect(only, pipeline.workspace.archive, mirror, clock(AT))).rejects.toThrow(message);
    expect(filesBelow(pipeline.dataDir)).toEqual(before);
  });

  it('is repaired as the message says', async () => {
    await writeFiles(mirror, GOOD);
    await nightly(only, pipeline.workspace, clock(AHEAD), mirror);
    for (const name of ['lake', 'raw/collections', 'raw/payloads']) rmSync(join(pipeline.dataDir, name), { recursive: true });
    const mended = await nightly(only, pipeline.workspace, clock(AT), mirror);
    expect([mended.publish.isNew, (await pipeline.current()).knowledgeCutoff]).toEqual([true, AT]);
  });

  it('dates nothing ahead in the snapshot: without a cutoff an answer ends at the present', async () => {
    await pipeline.ingest(statedFile('same', [['2020-11', null, 10]]), AT, [stated]);
    await pipeline.ingest(
      statedFile('same', [
        ['2020-11', null, 11],
        ['2020-12', null, 12],
      ]),
      AHEAD,
      [stated],
    );
    await pipeline.publish();
    const snapshot = await pipeline.open();
    const read = (now: string) => readOf({}, { snapshot, now: Date.parse(now), historyFrom: null } as Context<SnapshotReader>, false);
    const values = async (now: string) => {
      const { vintages } = read(now);
      return (await ask(snapshot, { indicatorIds: ['us_nonfarm_payrolls'] }, vintages)).map(({ period, value }) => [period, value]);
    };
    expect(await values('2021-06-01T00:00:00.000Z')).toEqual([['2020-11', 10]]);
    expect(await values('2022-06-01T00:00:00.000Z')).toEqual([
      ['2020-11', 11],
      ['2020-12', 12],
    ]);
    expect(read('2022-06-01T00:00:00.000Z').asOf).toBeNull();
  });
});
