// A lake of many small nights that is published, and one more night that compacts it and publishes anew: what a fault on the way leaves is held
// against the state before and the state after.
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { hasFailed, nightly, type NightlyReport } from '../../jobs/nightly.ts';
import type { SnapshotReader } from '../../src/snapshot/serving/reader.ts';
import { openStore } from '../../src/snapshot/serving/store.ts';
import { sources } from '../../src/sources/index.ts';
import { filesBelow } from '../lake/literal-lake.ts';
import { ask, type Files, fredMdFile, openPipeline, type Pipeline, realTimeFile, SILENT, writeFiles } from '../pipeline.ts';

const only = sources.filter(({ id }) => id === 'fred' || id === 'fred_md');
export const DAY = 86_400_000;
const FIRST = Date.parse('2021-01-01T00:00:00.000Z');
/** So many files of a partition stay; the last night brings one more. */
const NIGHTS_BEFORE = 8;
export const LAST_NIGHT = FIRST + NIGHTS_BEFORE * DAY;

/** The vintage of a month ends with the month before it. */
const vintageOf = (night: number): Files => {
  const months = ['2019-11', ...[...Array(night + 1).keys()].map((at) => (at === 0 ? '2019-12' : `2020-${String(at).padStart(2, '0')}`))];
  const column = (level: number) => Object.fromEntries(months.map((month, at) => [month, level + at + (night % 3) / 10]));
  return fredMdFile(`2020-${String(night + 1).padStart(2, '0')}`, { PAYEMS: column(130), CPIAUCSL: column(250) });
};
const LAST: Files = {
  ...vintageOf(NIGHTS_BEFORE),
  ...realTimeFile('PAYEMS', 'PAYEMS', [
    ['2020-01-01', '2020-02-07', '2020-12-31', 10],
    ['2020-02-01', '2020-03-06', '2020-12-31', 11],
    ['2020-03-01', '2020-04-03', '2020-12-31', 12],
  ]),
};
const DEBRIS = /\.partial$|\.staging\/|^tmp\/|\.wal$/;

/** The same questions of every snapshot: vintages out of packs and tables, what is in memory, and tables that are not. */
export async function answerOf(reader: SnapshotReader): Promise<string> {
  const vintages = await ask(reader, {}, { vintage: 'all' });
  const packs = reader.packs === null ? null : await reader.packs.read(reader.catalogue.series.map(({ seriesNo }) => seriesNo));
  const packed = packs?.flatMap((pack) =>
    [...pack.value].map((value, row) => [pack.seriesNo, pack.periodEnd[row], pack.observedAt[row], value]),
  );
  const rows = await reader.withConnection(async (connection) => {
    const all: unknown[] = [];
    for (const name of ['events', 'runs', 'entities', 'latest', 'forecasts', 'sources', 'vintages'])
      all.push((await connection.runAndReadAll(`select * from published.${name} order by all`)).getRowsJson());
    return all;
  });
  const told = { created: reader.knowledgeCutoff, vintages, rows, series: reader.catalogue.series };
  return JSON.stringify([told, packed ?? null]);
}

/** Without its packs a snapshot answers from its tables alone. */
function isAnswer(given: string, expected: string): boolean {
  const [told, packed] = JSON.parse(given) as [unknown, unknown];
  const [toldBefore, packedBefore] = JSON.parse(expected) as [unknown, unknown];
  return (
    JSON.stringify(told) === JSON.stringify(toldBefore) && (packed === null || JSON.stringify(packed) === JSON.stringify(packedBefore))
  );
}

/** Every row of the lake, in no order; of `ingestions` without the columns that are left out. */
export async function rowsOfAll(pipeline: Pipeline, leftOut: readonly string[] = []): Promise<unknown> {
  const tables = ['observations', 'ingestions', 'quarantine', 'attempts'];
  const columns = (table: string) => (table === 'ingestions' && leftOut.length > 0 ? `* exclude (${leftOut.join(', ')})` : '*');
  return Promise.all(tables.map(async (table) => [table, await pipeline.lake(`select ${columns(table)} from ${table} order by all`)]));
}

export interface Nights {
  readonly base: string;
  /** A copy of what was there before the last night, in a folder of that name. */
  readonly restore: (name: string, root?: string) => Promise<Pipeline>;
  /** The folder that the last night collects from. */
  readonly mirror: string;
  /** What must be found whatever happened: a whole snapshot, the one before or the one after, answered as it is. Says which. */
  readonly holds: (pipeline: Pipeline) => Promise<'before' | 'after'>;
  /** The last night runs to its end now, and leaves what an undisturbed one leaves. */
  readonly converges: (pipeline: Pipeline, run?: () => Promise<unknown>) => Promise<void>;
  readonly remove: () => void;
}

export const lastNight = (pipeline: Pipeline, mirror: string, now = LAST_NIGHT): Promise<NightlyReport> =>
  nightly(only, pipeline.workspace, { now: () => now, log: SILENT }, mirror);

export async function openNights(): Promise<Nights> {
  const base = mkdtempSync(join(tmpdir(), 'asof-nights-'));
  const mirror = join(base, 'mirror');
  const first = await openPipeline({ dataDir: join(base, 'before') });
  for (let night = 0; night < NIGHTS_BEFORE; night += 1)
    await first.ingest(vintageOf(night), new Date(FIRST + night * DAY).toISOString(), only);
  await first.publish();
  const answers = new Map<string, { readonly which: 'before' | 'after'; readonly text: string }>();
  const learn = async (pipeline: Pipeline, which: 'before' | 'after') => {
    const reader = await pipeline.open();
    answers.set(reader.snapshotId, { which, text: await answerOf(reader) });
    reader.close();
  };
  await learn(first, 'before');
  await writeFiles(mirror, LAST);
  const restore = (name: string, root = base) => {
    const dataDir = join(root, name);
    rmSync(dataDir, { recursive: true, force: true });
    cpSync(join(base, 'before'), dataDir, { recursive: true });
    return openPipeline({ dataDir });
  };
  const whole = await restore('after');
  const report = await lastNight(whole, mirror);
  if (hasFailed(report)) throw new Error(`the last night fails: ${report.sources.map(({ error }) => error).join()}`);
  if (report.compactedFiles < 9) throw new Error('the last night compacts nothing');
  await learn(whole, 'after');
  if (answers.size !== 2) throw new Error('the last night makes no snapshot of its own');
  const [hash, rows] = [(await whole.current()).contentHash, await rowsOfAll(whole)];
  const published = filesBelow(join(whole.dataDir, 'snapshots')).toSorted();

  return {
    base,
    mirror,
    restore,
    async holds(pipeline) {
      const store = openStore([pipeline.paths], { limits: pipeline.workspace.limits('serve'), connections: 1 }, () => undefined);
      try {
        await store.follow();
        expect(store.readiness()).toMatchObject({ isReady: true });
        const pinned = await store.acquire();
        const expected = answers.get(pinned?.snapshot.snapshotId ?? '');
        if (pinned === null || expected === undefined) throw new Error(`${pinned?.snapshot.snapshotId ?? 'nothing'} is served`);
        const given = await answerOf(pinned.snapshot);
        pinned.release();
        expect([expected.which, isAnswer(given, expected.text)]).toEqual([expected.which, true]);
        return expected.which;
      } finally {
        await store.close();
      }
    },
    async converges(pipeline, run = () => lastNight(pipeline, mirror)) {
      await run();
      expect(await rowsOfAll(pipeline)).toEqual(rows);
      expect((await pipeline.current()).contentHash).toBe(hash);
      expect(filesBelow(pipeline.dataDir).filter((path) => DEBRIS.test(path))).toEqual([]);
      expect(filesBelow(join(pipeline.dataDir, 'snapshots'))).toEqual(published);
      expect(existsSync(join(pipeline.dataDir, 'snapshots/candidate.json'))).toBe(false);
    },
    remove: () => rmSync(base, { recursive: true, force: true }),
  };
}
