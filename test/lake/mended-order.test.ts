// What is made again after damage has the identity that it had: a payload that came late, with an earlier time, is read before the others when the
// archive is read anew, and must not take the label or the number of change of what had come before it.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mendLake } from '../../jobs/mend.ts';
import { openPipeline, type Pipeline, SILENT } from '../pipeline.ts';
import { stated, statedFile } from './stated.ts';

const ROWS = 'select period, value, vintage, observed_at, change_sequence::int as number from observations order by change_sequence';

describe('rows of a day that came out of their order', () => {
  let pipeline: Pipeline;
  beforeEach(async () => {
    pipeline = await openPipeline();
    const said = [
      ['2021-01-04T17:00:00.000Z', 102],
      ['2021-01-04T09:00:00.000Z', 101],
      ['2021-01-04T12:00:00.000Z', 103],
    ] as const;
    for (const [at, [known, value]] of said.entries())
      await pipeline.ingest(statedFile(`p${at}`, [['2019-12', known, value]]), `2021-01-0${5 + at}T08:00:00.000Z`, [stated]);
  });
  afterEach(() => pipeline.remove());

  it('are labelled and numbered as they came', async () => {
    expect((await pipeline.lake(ROWS)).map((row) => [row['value'], row['vintage'], row['number']])).toEqual([
      [102, '2021-01-04', 1],
      [101, '2021-01-04.2', 2],
      [103, '2021-01-04.3', 3],
    ]);
  });

  it.each([[[0]], [[1]], [[0, 2]], [[0, 1, 2]]])('are so again once files %j were lost', async (lost) => {
    const before = await pipeline.lake(ROWS);
    const folder = join(pipeline.dataDir, 'lake/observations/source_id=fred');
    const names = readdirSync(folder).toSorted();
    for (const at of lost) rmSync(join(folder, names[at] ?? ''));
    const lake = await pipeline.workspace.openLake();
    try {
      await mendLake(lake, pipeline.workspace, [stated], { now: () => Date.parse('2021-01-08T08:00:00.000Z'), log: SILENT });
    } finally {
      await lake.close();
    }
    expect(await pipeline.lake(ROWS)).toEqual(before);
  });
});
