// A run compares what it reads with the lake in flushes: what an earlier one appended counts for the next as if it had been read from the lake.
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openStage, type Stage } from '../../src/lake/append.ts';
import type { Lake } from '../../src/lake/lake.ts';
import { loadReference } from '../../src/lake/reference.ts';
import { endOfDay, periodOf } from '../../src/model/period.ts';
import { openPipeline, type Pipeline } from '../pipeline.ts';
import { isLong } from '../suite.ts';

interface Said {
  readonly month: string;
  readonly value: number | null;
  /** A day, an instant or, for that of the retrieval, null. */
  readonly at: string | null;
}

let pipeline: Pipeline;
let lake: Lake;
beforeAll(async () => {
  pipeline = await openPipeline();
  lake = await pipeline.workspace.openLake();
  await loadReference(lake.connection, pipeline.workspace.referenceDir);
});
afterAll(async () => {
  await lake.close();
  await pipeline.remove();
});

const retrievalOf = (flush: number) => `2021-03-0${flush + 1}T08:00:00.000Z`;

/** One payload a flush; the source is one that nothing was read of before. */
async function read(sourceId: string, payloads: readonly (readonly Said[])[], stageOf: (flush: number) => Promise<Stage>) {
  for (const [flush, said] of payloads.entries()) {
    const stage = await stageOf(flush);
    const retrievedAt = retrievalOf(flush);
    stage.open({ payloadId: `pay_${flush}`, runId: `run_${flush}`, key: 'said.csv', retrievedAt });
    stage.observations(
      said.map(({ month, value, at }) => ({
        seriesCode: 'RATE',
        canonicalId: 'central_bank_policy_rate',
        entityId: 'us',
        unit: 'percent',
        frequency: 'monthly',
        ...periodOf('monthly', `${month}-01`),
        value,
        observedAt: at === null ? retrievedAt : at.length === 10 ? endOfDay(at) : at,
      })),
    );
    await stage.keep();
    const settled = await stage.settle({ ingestedAt: retrievedAt, connectorVersion: 1 });
    await lake.commit(sourceId, retrievedAt, settled.files, { lastChangeSequence: settled.lastChangeSequence });
    await stage.clear();
  }
}

const rowsOf = async (sourceId: string) => {
  const tables = {
    observations: 'period, observed_at, value, vintage, payload_id',
    quarantine: 'period, rule, observed_value, payload_id',
  };
  const found = [];
  for (const [table, columns] of Object.entries(tables)) {
    const files = lake.paths.pattern(table as keyof typeof tables, sourceId);
    const select = `select ${columns} from read_parquet(['${lake.paths.root}/${lake.paths.emptyFile(table as keyof typeof tables)}', '${files}'], union_by_name = true) order by all`;
    found.push((await lake.connection.runAndReadAll(select).catch(() => null))?.getRowsJson() ?? []);
  }
  return found;
};

let sources = 0;
const inOneRun = async (payloads: readonly (readonly Said[])[]) => {
  const sourceId = `one_${++sources}`;
  const stage = await openStage(lake, sourceId);
  await read(sourceId, payloads, () => Promise.resolve(stage));
  return rowsOf(sourceId);
};
const inRunsOfTheirOwn = async (payloads: readonly (readonly Said[])[]) => {
  const sourceId = `many_${++sources}`;
  await read(sourceId, payloads, () => openStage(lake, sourceId));
  return rowsOf(sourceId);
};
const written = ([observations]: Awaited<ReturnType<typeof inOneRun>>) =>
  observations?.map((row) => [row[0], row[3], row[2] ?? null]) ?? [];

it('a flush appends nothing that an earlier flush of the run has appended, only differences', async () => {
  const month = '2021-01';
  expect(
    written(
      await inOneRun([
        [{ month, value: 1, at: null }],
        [{ month, value: 1, at: null }],
        [{ month, value: 2, at: null }],
        [
          { month, value: 2, at: null },
          { month: '2021-02', value: 5, at: null },
        ],
      ]),
    ),
  ).toEqual([
    [month, '2021-03-01', 1],
    [month, '2021-03-03', 2],
    ['2021-02', '2021-03-04', 5],
  ]);
});

it('a flush sees the value that an earlier flush has withdrawn', async () => {
  const month = '2021-01';
  const payloads = [1, null, null, 1].map((value) => [{ month, value, at: null }]);
  expect(written(await inOneRun(payloads))).toEqual([
    [month, '2021-03-01', 1],
    [month, '2021-03-02', null],
    [month, '2021-03-04', 1],
  ]);
});

it('a late payload is placed among all earlier flushes, and the vintages of a day are numbered on', async () => {
  const month = '2021-01';
  const late = [
    { month, value: 1, at: '2021-02-10T08:00:00.000Z' },
    { month, value: 4, at: '2021-02-20T12:00:00.000Z' },
  ];
  const payloads = [[{ month, value: 1, at: '2021-02-01' }], [{ month, value: 3, at: '2021-02-20T08:00:00.000Z' }], late];
  expect(written(await inOneRun(payloads))).toEqual([
    [month, '2021-02-01', 1],
    [month, '2021-02-20', 3],
    [month, '2021-02-20.2', 4],
  ]);
});

it('an old download is refused however many flushes came between', async () => {
  const long = ['2020-11', '2020-12', '2021-01'].map((month) => ({ month, value: 1, at: null }));
  const short = [
    { month: '2020-11', value: 2, at: null },
    { month: '2020-12', value: 1, at: null },
  ];
  const [, quarantined] = await inOneRun([long, long, short]);
  expect(quarantined?.map((row) => row.slice(0, 2))).toEqual([['2020-11', 'period_regression']]);
});

it('one run gives the same result as a run per payload, whatever the payloads', async () => {
  const days = [
    '2021-02-01',
    '2021-02-20T08:00:00.000Z',
    '2021-02-20T09:00:00.000Z',
    '2021-02-20',
    '2021-03-01',
    '2021-03-02T08:00:00.000Z',
  ];
  const said = fc.record({
    month: fc.constantFrom('2020-11', '2020-12', '2021-01'),
    value: fc.constantFrom(1, 2, null),
    at: fc.option(fc.constantFrom(...days), { freq: 3 }),
  });
  const payloads = fc.array(fc.array(said, { minLength: 1, maxLength: 6 }), { minLength: 2, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(payloads, async (drawn) => {
      expect(await inOneRun(drawn)).toEqual(await inRunsOfTheirOwn(drawn));
    }),
    { numRuns: isLong ? 60 : 5, seed: 1, endOnFailure: true },
  );
});
