// What a statement adds to the lake: a vintage where it says something new, nothing where it does not.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPipeline, type Pipeline } from '../pipeline.ts';
import { type Stated, stated, statedFile } from './stated.ts';

const MONDAY = '2021-03-01T08:00:00.000Z';
const TUESDAY = '2021-03-02T08:00:00.000Z';

describe('appending to the lake', () => {
  let pipeline: Pipeline;
  beforeEach(async () => {
    pipeline = await openPipeline();
  });
  afterEach(() => pipeline.remove());

  const ingest = async (at: string, rows: readonly Stated[], name = at.slice(0, 10)) => {
    const { sources } = await pipeline.ingest(statedFile(name, rows), at, [stated]);
    return sources[0]?.payloads[0];
  };
  const vintages = async () => {
    const rows = await pipeline.lake(
      'select period, vintage, observed_at, value from observations order by period, observed_at, change_sequence',
    );
    return rows.map((row) => [row['period'], row['vintage'], row['observed_at'], row['value']]);
  };

  it('makes no vintage of a value that did not change', async () => {
    await ingest(MONDAY, [['2021-01', '2021-02-05', 10]]);
    const again = await ingest(TUESDAY, [
      ['2021-01', '2021-02-05', 10],
      ['2021-01', '2021-03-01', 10],
    ]);
    expect(again).toMatchObject({ rowsRead: 2, rowsWritten: 0, rowsQuarantined: 0 });
    expect(await vintages()).toEqual([['2021-01', '2021-02-05', '2021-02-05T23:59:59.999Z', 10]]);
  });

  it('makes a vintage of a value that went and came back', async () => {
    await ingest(MONDAY, [
      ['2021-01', '2021-02-05', 10],
      ['2021-01', '2021-02-06', 11],
      ['2021-01', '2021-02-07', 10],
    ]);
    expect((await vintages()).map(([, vintage, , value]) => [vintage, value])).toEqual([
      ['2021-02-05', 10],
      ['2021-02-06', 11],
      ['2021-02-07', 10],
    ]);
  });

  it('records a missing value only where a value was known before', async () => {
    await ingest(MONDAY, [
      ['2021-01', '2021-02-04', null],
      ['2021-01', '2021-02-05', 10],
      ['2021-01', '2021-02-06', null],
      ['2021-01', '2021-02-07', null],
    ]);
    expect((await vintages()).map(([, vintage, , value]) => [vintage, value])).toEqual([
      ['2021-02-05', 10],
      ['2021-02-06', null],
    ]);
  });

  it('numbers the vintages of one day, those of a later run too', async () => {
    await ingest(MONDAY, [
      ['2021-01', '2021-02-05T08:00:00.000Z', 10],
      ['2021-01', '2021-02-05T09:00:00.000Z', 11],
    ]);
    await ingest(TUESDAY, [['2021-01', '2021-02-05T10:00:00.000Z', 12]]);
    expect((await vintages()).map(([, vintage, , value]) => [vintage, value])).toEqual([
      ['2021-02-05', 10],
      ['2021-02-05.2', 11],
      ['2021-02-05.3', 12],
    ]);
  });

  it('takes another value for an instant already stated as knowledge of its own retrieval', async () => {
    await ingest(MONDAY, [['2021-01', '2021-02-05', 10]]);
    await ingest(TUESDAY, [['2021-01', '2021-02-05', 11]]);
    expect(await vintages()).toEqual([
      ['2021-01', '2021-02-05', '2021-02-05T23:59:59.999Z', 10],
      ['2021-01', '2021-03-02', TUESDAY, 11],
    ]);
  });

  it('takes it so within one run as well, and labels two vintages of the day of retrieval apart', async () => {
    await ingest(MONDAY, [['2021-01', '2021-03-01T07:00:00.000Z', 9]]);
    const files = { ...statedFile('a', [['2021-01', '2021-02-05', 10]]), ...statedFile('b', [['2021-01', '2021-02-05', 11]]) };
    await pipeline.ingest(files, '2021-03-01T09:00:00.000Z', [stated]);
    expect(await vintages()).toEqual([
      ['2021-01', '2021-02-05', '2021-02-05T23:59:59.999Z', 10],
      ['2021-01', '2021-03-01', '2021-03-01T07:00:00.000Z', 9],
      ['2021-01', '2021-03-01.2', '2021-03-01T09:00:00.000Z', 11],
    ]);
  });

  it('writes nothing at a second run over the same payloads', async () => {
    const files = statedFile('one', [
      ['2021-01', '2021-02-05', 10],
      ['2021-02', '2021-02-20', 500],
      ['2021-03', '2021-02-20', 1],
    ]);
    await pipeline.ingest(files, MONDAY, [stated]);
    const before = await pipeline.lake('select * from observations order by change_sequence');
    const second = await pipeline.ingest(files, TUESDAY, [stated]);
    expect(second.collect.files.map((file) => file.isNew)).toEqual([false]);
    expect(second.sources).toMatchObject([{ status: 'ok', payloadsSeen: 1, payloads: [] }]);
    expect(await pipeline.lake('select * from observations order by change_sequence')).toEqual(before);
    expect(await pipeline.lake('select count(*)::int as n from ingestions')).toEqual([{ n: 1 }]);
    expect(await pipeline.lake('select count(*)::int as n from attempts')).toEqual([{ n: 2 }]);
  });

  it('writes nothing for equal values in other bytes', async () => {
    await ingest(MONDAY, [['2021-01', '2021-02-05', 10]], 'one');
    const again = await ingest(TUESDAY, [['2021-01', '2021-02-05', 10]], 'other');
    expect(again).toMatchObject({ rowsRead: 1, rowsWritten: 0 });
  });

  it('numbers changes in the order in which they entered, without a gap or a repetition', async () => {
    await ingest(MONDAY, [
      ['2021-01', '2021-02-05', 10],
      ['2020-12', '2021-01-05', 9],
    ]);
    await ingest(TUESDAY, [['2020-12', '2020-12-31', 8]]);
    const rows = await pipeline.lake('select change_sequence, value from observations order by change_sequence');
    expect(rows.map((row) => [row['change_sequence'], row['value']])).toEqual([
      [1, 9],
      [2, 10],
      [3, 8],
    ]);
  });
});
