// Each state in which a kill, a full disk or a power cut can leave a lake, made on purpose: a run is ended after each change that it makes to the
// disk in turn, and the next opening must find all of a commit or nothing of it, once, without debris.
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { compact } from '../../src/lake/compact.ts';
import type { Lake } from '../../src/lake/lake.ts';
import { columnsOf, LAKE_TABLE_NAMES } from '../../src/lake/layout.ts';
import { endedAnywhere, traced } from '../disk/disk-calls.ts';
import { type Call, DiskFull } from '../disk/disk-endings.ts';
import { disorders } from '../disk/disk-order.ts';
import { filesBelow, night, openLiteral, periodsIn, rowsIn, rowsOf } from './literal-lake.ts';

const DEBRIS = /\.partial$|\.staging\/|^staging\//;
const COMPACTION = '2024-02-01T08:00:00.000Z';

let base: string;
let root: string;
beforeAll(async () => {
  base = mkdtempSync(join(tmpdir(), 'asof-states-'));
  const lake = await openLiteral(base);
  for (const day of [1, 2, 3]) await night(lake, day);
  await night(lake, 4, 'ecb_fx');
  await lake.close();
});
afterAll(() => rmSync(base, { recursive: true, force: true }));
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'asof-state-'));
  restore();
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const restore = () => {
  rmSync(root, { recursive: true, force: true });
  cpSync(base, root, { recursive: true });
};
const within = async <Result>(work: (lake: Lake) => Promise<Result>): Promise<Result> => {
  const lake = await openLiteral(root);
  try {
    return await work(lake);
  } finally {
    await lake.close();
  }
};
const lakeFiles = () => filesBelow(join(root, 'lake'));
const records = () => readdirSync(join(root, 'lake/commits')).sort();
/** Numbers of change of all observations, in their order. */
const sequences = async () => (await rowsIn(root)).map((row) => Number(row.split(' ').at(-2))).toSorted((a, b) => a - b);
const compactAll = (lake: Lake) => compact(lake, COMPACTION, { moreThan: 2, smallBytes: 1e9 });
const stateIn = async (lake: Lake) => ({
  sequence: lake.lastChangeSequence(),
  observations: await rowsIn(root),
  ingestions: await rowsIn(root, 'ingestions'),
});
/** What the next opening finds. */
const stateOf = () => within(stateIn);

/** Ends the work after each of its changes in turn, and looks at what the next opening makes of it. */
const endedEverywhere = async (work: (lake: Lake) => Promise<unknown>, look: (reopened: Lake) => Promise<void>) =>
  (
    await endedAnywhere(
      root,
      restore,
      () => within(work),
      () => within(look),
    )
  ).length;

describe('a commit that is cut off after any of its changes', () => {
  it('is complete or absent, leaves nothing else, and the next one ends like an undisturbed one', async () => {
    const before = await stateOf();
    await within((lake) => night(lake, 5));
    const after = await stateOf();
    const whole = lakeFiles();
    expect(after.observations).toHaveLength(before.observations.length + 1);
    const found = new Set<string>();
    const points = await endedEverywhere(
      (lake) => night(lake, 5),
      async (lake) => {
        const state = await stateIn(lake);
        expect([before, after]).toContainEqual(state);
        expect(lakeFiles().filter((path) => DEBRIS.test(path))).toEqual([]);
        const isThere = state.sequence === after.sequence;
        found.add(isThere ? 'new' : 'old');
        if (!isThere) await night(lake, 5);
        expect(await stateIn(lake)).toEqual(after);
        expect(lakeFiles()).toEqual(whole);
      },
    );
    expect(points).toBeGreaterThan(8);
    expect(found).toEqual(new Set(['old', 'new']));
  });
});

describe('a compaction that is cut off after any of its changes', () => {
  it('loses no row and doubles none, and the next one leaves the files of an undisturbed one', async () => {
    const before = await stateOf();
    expect(await within(compactAll)).toBe(3);
    expect(await stateOf()).toEqual(before);
    const partitions = (files: readonly string[]) => files.filter((path) => path.includes('source_id=')).map(dirname);
    const compacted = partitions(lakeFiles());
    const points = await endedEverywhere(compactAll, async (lake) => {
      expect(await stateIn(lake)).toEqual(before);
      await compactAll(lake);
      expect(await stateIn(lake)).toEqual(before);
      expect(partitions(lakeFiles())).toEqual(compacted);
      expect(lakeFiles().filter((path) => DEBRIS.test(path))).toEqual([]);
    });
    expect(points).toBeGreaterThan(11);
  });

  it('continues with the next number of change and of commit', async () => {
    await within(compactAll);
    expect(await within(async (lake) => lake.lastChangeSequence())).toBe(4);
    const newest = Number(records().at(-1)?.slice(0, 8));
    await within((lake) => night(lake, 5));
    expect(Number(records().at(-1)?.slice(0, 8))).toBe(newest + 1);
    expect(await sequences()).toEqual([1, 2, 3, 4, 5]);
  });
});

describe('files that a compaction deletes', () => {
  const partsOf = (table: string, source = 'fred') => readdirSync(join(root, 'lake', table, `source_id=${source}`)).sort();
  const replacedWith = (moreThan: number, smallBytes: number) => within((lake) => compact(lake, COMPACTION, { moreThan, smallBytes }));

  it('are none while a partition has few enough small files', async () => {
    expect(await replacedWith(3, 1e9)).toBe(0);
    expect(partsOf('observations')).toHaveLength(3);
    expect(await replacedWith(2, 1e9)).toBe(3);
    expect([partsOf('observations'), partsOf('ingestions'), partsOf('observations', 'ecb_fx')].map(({ length }) => length)).toEqual([
      1, 2, 1,
    ]);
    expect(await replacedWith(1, 1e9)).toBe(2);
    expect(partsOf('ingestions')).toHaveLength(1);
  });

  it('are the small files and no other, to the byte', async () => {
    const columns = Object.entries(columnsOf('observations')).map(
      ([name, type]) => `${name === 'payload_id' ? 'sha256(no::varchar)' : 'null'}::${type} as ${name}`,
    );
    await within((lake) =>
      lake.commit('fred', '2024-01-20T08:00:00.000Z', [
        { table: 'observations', select: `select ${columns.join(', ')} from range(200) as r (no)` },
      ]),
    );
    const large = partsOf('observations').at(-1) ?? '';
    const bytes = readFileSync(join(root, 'lake/observations/source_id=fred', large));
    const before = await rowsIn(root);
    expect(await replacedWith(2, bytes.length)).toBe(3);
    expect(partsOf('observations')).toContain(large);
    expect(partsOf('observations')).toHaveLength(2);
    expect(readFileSync(join(root, 'lake/observations/source_id=fred', large)).equals(bytes)).toBe(true);
    expect(await rowsIn(root)).toEqual(before);
  });

  it('are deleted from eight small files on by default', async () => {
    await within(async (lake) => {
      for (const day of [5, 6, 7, 8, 9]) await night(lake, day);
      expect(await compact(lake, COMPACTION)).toBe(0);
      await night(lake, 10);
      expect(await compact(lake, COMPACTION)).toBe(9);
    });
  });

  it('leaves the rows of a series in the order of its periods', async () => {
    await within(compactAll);
    expect(await periodsIn(root, 'fred')).toEqual(['2024-01-26', '2024-01-27', '2024-01-28']);
  });
});

describe('the order of the calls of a commit and a compaction', () => {
  it('syncs every file before its name and every folder after it', async () => {
    const { calls } = await traced(root, () =>
      within(async (lake) => {
        await night(lake, 5, 'oecd');
        await compactAll(lake);
      }),
    );
    expect(disorders(calls)).toEqual([]);
    expect(calls.filter(({ call }) => call === 'rename').length).toBeGreaterThan(4);
  });

  it('writes and syncs every part, then its record, then gives the parts their names', async () => {
    const { calls } = await traced(root, () => within((lake) => night(lake, 5)));
    const at = (test: (call: Call) => boolean) => calls.flatMap((call, index) => (test(call) ? [index] : []));
    const isPart = (path: string) => /part-\d+\.parquet$/.test(path);
    const [record = -1] = at(({ call, to }) => call === 'rename' && to.includes('/commits/'));
    expect(Math.max(...at(({ call, path }) => call === 'sync' && path.endsWith('.staging')))).toBeGreaterThan(
      Math.max(...at(({ call, path }) => call === 'write' && isPart(path))),
    );
    const synced = at(({ call, path }) => call === 'sync' && isPart(path));
    const named = at(({ call, to }) => call === 'rename' && isPart(to));
    expect([synced.length, named.length]).toEqual([2, 2]);
    expect(Math.max(...synced)).toBeLessThan(record);
    expect(Math.min(...named)).toBeGreaterThan(record);
    expect(calls[record + 1]).toEqual({ call: 'sync', path: join(root, 'lake/commits'), to: '' });
  });

  it('deletes only files that the newest record names, after the replacement has its name, and syncs the folder before the next record', async () => {
    const { calls } = await traced(root, () => within(compactAll));
    const isRecord = ({ call, to }: Call) => call === 'rename' && to.includes('/commits/');
    const recordsAt = calls.flatMap((call, index) => (isRecord(call) ? [index] : []));
    expect(recordsAt).toHaveLength(1);
    const after = calls.slice((recordsAt[0] ?? 0) + 1);
    const record = JSON.parse(readFileSync(join(root, 'lake/commits', records().at(-1) ?? ''), 'utf8')) as {
      removes: string[];
      files: { path: string }[];
    };
    const placed = after.findIndex(({ to }) => to === join(root, 'lake', record.files[0]?.path ?? ''));
    const removed = after.flatMap(({ call, path }, index) => (call === 'remove' && path.includes('source_id=') ? [{ path, index }] : []));
    expect(removed.map(({ path }) => path)).toEqual(record.removes.map((one) => join(root, 'lake', one)));
    expect(removed).toHaveLength(3);
    expect(placed).toBeGreaterThan(-1);
    expect(removed[0]?.index).toBeGreaterThan(placed);
    const folder = join(root, 'lake/observations/source_id=fred');
    expect(after.findLastIndex(({ call, path }) => call === 'sync' && path === folder)).toBeGreaterThan(removed.at(-1)?.index ?? 0);
  });
});

describe('a disk that is full for a moment', () => {
  it('after the record is written: the commit is completed before the next one, and none of its rows is lost', async () => {
    await within(async (lake) => {
      const isMove = ({ call, to }: Call) => call === 'rename' && to.includes('ingestions/source_id=fred');
      const { error } = await traced(root, () => night(lake, 5), { fullAt: isMove });
      expect(error).toBeInstanceOf(DiskFull);
      await night(lake, 6, 'ecb_fx');
      expect(lake.lastChangeSequence()).toBe(6);
    });
    expect(await sequences()).toEqual([1, 2, 3, 4, 5, 6]);
    expect(await rowsIn(root, 'ingestions')).toHaveLength(3);
  });

  it('before the record is written: nothing of the commit stays, and the next one has its number', async () => {
    await within(async (lake) => {
      const { error } = await traced(root, () => night(lake, 5), {
        fullAt: ({ call, path }) => call === 'write' && path.includes('commits'),
      });
      expect(error).toBeInstanceOf(DiskFull);
      expect(lake.lastChangeSequence()).toBe(4);
      await night(lake, 6);
    });
    expect(records().at(-1)).toBe('00000005.json');
    expect(await sequences()).toEqual([1, 2, 3, 4, 5]);
  });
});

describe('the next opening', () => {
  const recordOf = (name: string) =>
    JSON.parse(readFileSync(join(root, 'lake/commits', name), 'utf8')) as { files: { path: string; staged: string }[] };

  it('deletes staged files of another commit than the recorded one, and keeps those of the recorded one', async () => {
    const [newest = ''] = records().slice(-1);
    for (const { path, staged } of recordOf(newest).files) renameSync(join(root, 'lake', path), join(root, 'lake/.staging', staged));
    writeFileSync(join(root, 'lake/.staging/observations-part-00000009.parquet'), 'PAR1');
    writeFileSync(join(root, 'lake/.staging/payload'), 'date,value');
    expect((await stateOf()).observations).toHaveLength(4);
    expect(lakeFiles().filter((path) => DEBRIS.test(path))).toEqual([]);
  });

  it('keeps the newest fifty records and continues from them', async () => {
    await within(async (lake) => {
      for (let number = 5; number <= 55; number += 1) await lake.commit('fred', COMPACTION, [], { isList: true });
    });
    await within(async () => undefined);
    expect([records().length, records()[0], records().at(-1)]).toEqual([50, '00000006.json', '00000055.json']);
    await within((lake) => night(lake, 5));
    expect(records().at(-1)).toBe('00000056.json');
  });

  it('creates the empty file of each table once, and again if one is missing', async () => {
    const schemas = () => lakeFiles().filter((path) => path.endsWith('source_id=none/schema.parquet'));
    expect(schemas()).toHaveLength(LAKE_TABLE_NAMES.length);
    rmSync(join(root, 'lake/facts/source_id=none/schema.parquet'));
    await within(async () => undefined);
    expect(schemas()).toHaveLength(LAKE_TABLE_NAMES.length);
    expect(await rowsIn(root, 'facts')).toEqual([]);
  });

  it('leaves no temporary file of its lock', () => {
    expect(lakeFiles().filter((path) => basename(path).startsWith('writer.lock'))).toEqual(['writer.lock']);
    expect(existsSync(join(root, 'lake/.staging'))).toBe(true);
  });
});

describe('a commit', () => {
  it('returns the number of rows of each table, and writes no file for a select without rows', async () => {
    const written = await within((lake) =>
      lake.commit('oecd', COMPACTION, [
        rowsOf('observations', [{ value: 1 }, { value: 2 }]),
        rowsOf('quarantine', []),
        rowsOf('attempts', [{ attempt_id: 'a' }]),
      ]),
    );
    expect([...written]).toEqual([
      ['observations', 2],
      ['attempts', 1],
    ]);
    expect(lakeFiles().filter((path) => path.includes('source_id=oecd'))).toEqual([
      'attempts/source_id=oecd/part-00000005.parquet',
      'observations/source_id=oecd/part-00000005.parquet',
    ]);
  });

  it('without rows leaves no record and no number', async () => {
    await within(async (lake) => {
      expect((await lake.commit('fred', COMPACTION, [rowsOf('facts', [])], { lastChangeSequence: 9 })).size).toBe(0);
      expect(lake.lastChangeSequence()).toBe(4);
    });
    expect(records().at(-1)).toBe('00000004.json');
  });
});
