// What is made again after damage is what was there, with the identity that it had: payloads that came late, with earlier times, are read in the order
// in which they came, and nothing takes the label or the number of change of anything else.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { acceptLoss } from '../../jobs/doctor.ts';
import { mendLake } from '../../jobs/mend.ts';
import type { Lake } from '../../src/lake/lake.ts';
import type { Source } from '../../src/sources/source.ts';
import { openPipeline, type Pipeline, SILENT } from '../pipeline.ts';
import { type Stated, stated, statedFile } from './stated.ts';

const other: Source = { ...stated, id: 'fred_md', owns: (path) => path.startsWith('other/') };
const MENDED_AT = Date.parse('2021-01-20T08:00:00.000Z');

let pipeline: Pipeline;
beforeEach(async () => {
  pipeline = await openPipeline();
});
afterEach(() => pipeline.remove());

/** A payload of one statement of a day of January 2021, read on a later one; of the other source where it is called so. */
const read = async (
  day: number,
  rows: readonly Stated[],
  more: { readonly name?: string; readonly fault?: string; readonly by?: Source } = {},
) => {
  const { name = `p${day}`, by = stated, ...said } = more;
  const files = Object.entries(statedFile(name, rows, said)).map(([path, body]) => [
    by.id === 'fred' ? path : path.replace('stated', 'other'),
    body,
  ]);
  await pipeline.ingest(Object.fromEntries(files), `2021-01-${String(day).padStart(2, '0')}T08:00:00.000Z`, [by]);
};
const at = (hour: number) => `2021-01-04T${String(hour).padStart(2, '0')}:00:00.000Z`;
const lose = (table: string, sourceId: string, places: readonly number[]) => {
  const folder = join(pipeline.dataDir, 'lake', table, `source_id=${sourceId}`);
  const names = readdirSync(folder).toSorted();
  for (const place of places) rmSync(join(folder, names[place] ?? 'none'));
};
const withLake = async (use: (lake: Lake) => Promise<unknown>) => {
  const lake = await pipeline.workspace.openLake();
  try {
    await use(lake);
  } finally {
    await lake.close();
  }
};
const mend = (...sources: readonly Source[]) =>
  withLake((lake) => mendLake(lake, pipeline.workspace, sources, { now: () => MENDED_AT, log: SILENT }));
/** All that the lake says of values, and of who read them; a run that is made again says the code that made it. */
const rowsOf = async () => ({
  observations: await pipeline.lake('select * from observations order by source_id, change_sequence'),
  ingestions: await pipeline.lake('select * exclude (code_revision) from ingestions order by source_id, finished_at, payload_id'),
  quarantine: await pipeline.lake('select * from quarantine order by all'),
});
const NUMBERS = 'select value, vintage, change_sequence::int as number from observations order by change_sequence';

describe('rows of a day that arrived out of order', () => {
  beforeEach(async () => {
    await read(5, [['2019-12', at(17), 102]]);
    await read(6, [['2019-12', at(9), 101]]);
    await read(7, [['2019-12', at(12), 103]]);
  });

  it('are labelled and numbered in order of arrival', async () => {
    expect((await pipeline.lake(NUMBERS)).map((row) => Object.values(row))).toEqual([
      [102, '2021-01-04', 1],
      [101, '2021-01-04.2', 2],
      [103, '2021-01-04.3', 3],
    ]);
  });

  it.each([[[0]], [[1]], [[0, 2]], [[0, 1, 2]]])('are so again after files %j were lost', async (lost) => {
    const before = await rowsOf();
    lose('observations', 'fred', lost);
    await mend(stated);
    expect(await rowsOf()).toEqual(before);
  });
});

describe('a statement that was new until an earlier one arrived', () => {
  beforeEach(async () => {
    await read(5, [['2019-12', at(17), 100]]);
    await read(6, [['2019-12', at(9), 100]]);
  });

  it.each([[[0]], [[1]], [[0, 1]]])('is restored after files %j were lost', async (lost) => {
    const before = await rowsOf();
    expect(before.observations.map((row) => [row['value'], row['observed_at']])).toEqual([
      [100, at(17)],
      [100, at(9)],
    ]);
    lose('observations', 'fred', lost);
    await mend(stated);
    expect(await rowsOf()).toEqual(before);
  });

  it('counts as in the run that read it, even if its record was lost too', async () => {
    const before = await rowsOf();
    expect(before.ingestions.map((row) => Number(row['rows_written']))).toEqual([1, 1]);
    lose('observations', 'fred', [0, 1]);
    lose('ingestions', 'fred', [0, 1]);
    await mend(stated);
    expect(await rowsOf()).toEqual(before);
  });
});

describe('a statement that is new since an earlier one arrived', () => {
  beforeEach(async () => {
    await read(5, [['2019-12', at(9), 100]]);
    await read(6, [['2019-12', at(17), 100]]);
    await read(7, [['2019-12', at(12), 101]]);
  });

  it.each([
    ['observations', [1]],
    ['observations', [0, 1]],
    ['ingestions', [0, 1, 2]],
    ['ingestions', [1]],
  ] as const)('arrived with that one, even if of %s the files %j were lost', async (table, lost) => {
    const before = await rowsOf();
    expect(before.observations.map((row) => [row['observed_at'], row['ingested_at']])).toEqual([
      [at(9), '2021-01-05T08:00:00.000Z'],
      [at(12), '2021-01-07T08:00:00.000Z'],
      [at(17), '2021-01-07T08:00:00.000Z'],
    ]);
    lose(table, 'fred', lost);
    await mend(stated);
    expect(await rowsOf()).toEqual(before);
  });
});

describe('the runs of a source', () => {
  it('are restored, failed ones included', async () => {
    await read(5, [['2019-12', at(9), 100]]);
    await read(6, [['2019-12', at(10), 101]], { fault: 'half of it' });
    await read(7, [['2019-12', at(11), 102]]);
    const before = await rowsOf();
    expect(before.ingestions.map((row) => String(row['status'])).toSorted()).toEqual(['failed', 'failed', 'ok', 'ok']);
    lose('ingestions', 'fred', [0, 1, 2]);
    await mend(stated);
    expect(await rowsOf()).toEqual(before);
  });

  it.each([
    ['observations', [0]],
    ['ingestions', [0]],
    ['ingestions', [1]],
    ['ingestions', [2]],
  ] as const)('have the version that read: of %s the files %j were lost', async (table, lost) => {
    const next: Source = { ...stated, version: 2 };
    await read(5, [['2019-12', at(9), 100]]);
    await read(6, [['2019-12', at(10), 101]]);
    await read(7, [['2019-12', at(11), 102]], { by: next });
    const before = await rowsOf();
    expect(before.ingestions.map((row) => Number(row['connector_version']))).toEqual([1, 1, 2, 2, 2]);
    lose(table, 'fred', lost);
    await mend(next);
    expect(await rowsOf()).toEqual(before);
  });

  it('do not include a payload that nobody has read yet', async () => {
    await read(5, [['2019-12', at(9), 100]]);
    const before = await rowsOf();
    await pipeline.workspace.archive.store({
      sourceId: 'fred',
      key: 'stated/unread.json',
      body: Buffer.from(JSON.stringify({ knownAt: null, rows: [['2019-12', at(10), 101]] })),
      mediaType: 'application/json',
      address: null,
      retrievedAt: '2021-01-06T08:00:00.000Z',
      httpStatus: null,
      etag: null,
      lastModified: null,
    });
    lose('observations', 'fred', [0]);
    lose('ingestions', 'fred', [0]);
    await mend(stated);
    expect(await rowsOf()).toEqual(before);
  });
});

describe('change numbers', () => {
  beforeEach(async () => {
    await read(5, [['2019-12', at(9), 100]]);
    await read(6, [['2019-12', at(9), 200]], { by: other });
    await read(7, [['2019-12', at(10), 101]]);
    await read(8, [['2019-12', at(10), 201]], { by: other });
    await read(9, [['2019-12', at(11), 102]]);
  });
  const numbersOf = async () => (await pipeline.lake(NUMBERS)).map((row) => [row['value'], row['number']]);
  const BEFORE = [
    [100, 1],
    [200, 2],
    [101, 3],
    [201, 4],
    [102, 5],
  ];

  it.each([
    [[0], [0]],
    [[1], [0]],
    [[0, 1], [1]],
    [
      [0, 1, 2],
      [0, 1],
    ],
  ])('stay the same if of one source the files %j were lost, of another %j', async (lost, lostOfOther) => {
    expect(await numbersOf()).toEqual(BEFORE);
    const before = await rowsOf();
    lose('observations', 'fred', lost);
    lose('observations', 'fred_md', lostOfOther);
    await mend(stated, other);
    expect(await rowsOf()).toEqual(before);
  });

  // Nothing tells which of two free numbers it had: under the higher one it may be told twice, under the lower one never.
  it.each([
    [0, 200, 3],
    [1, 201, 4],
    [2, 202, 3], // 102 came in after it and has 5
  ])(
    'are the highest possible next to rows with an accepted loss, before (%j) or after, so that a reader sees changes again',
    async (borne, lostValue, number) => {
      await read(10, [['2019-12', at(11), 202]], { by: other });
      lose('observations', 'fred_md', [borne]);
      const path = `observations/source_id=fred_md/part-0000000${2 + 2 * borne}.parquet`;
      await withLake((lake) => acceptLoss(lake, [path], MENDED_AT));
      lose('observations', 'fred', [1]);
      await mend(stated, other);
      const expected = [...BEFORE, [202, 6]].filter(([value]) => value !== lostValue);
      expect(await numbersOf()).toEqual(expected.map(([value, before]) => [value, value === 101 ? number : before]));
    },
  );

  it('stay free if the lost rows of one source cannot be restored', async () => {
    const before = await rowsOf();
    const [payload] = await pipeline.workspace.archive.list('fred_md');
    rmSync(join(pipeline.dataDir, 'raw/payloads/fred_md', `${payload?.payloadId}.json`));
    const commits = () => readdirSync(join(pipeline.dataDir, 'lake/commits')).length;
    lose('observations', 'fred', [1]);
    lose('observations', 'fred_md', [0]);
    const first = commits();
    await expect(mend(stated, other)).rejects.toThrow(
      /observations\/source_id=fred_md\/part-00000002.parquet \(missing\) cannot be rebuilt: the raw archive has 0 of its 1 rows/,
    );
    expect(commits()).toBe(first);
    expect(before.observations).toHaveLength(5);
  });
});
