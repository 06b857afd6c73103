// What a statement adds to the lake: a vintage where it says something new, nothing where it does not.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isLong } from '../suite.ts';
import { openPipeline, type Pipeline } from '../pipeline.ts';
import { companyFacts, submissions } from '../filings/edgar.ts';
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

  it('makes no vintage of an unchanged value', async () => {
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

  it('numbers the vintages of one day, also those of a later run', async () => {
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

  it('treats another value for a known instant as known from its own retrieval', async () => {
    await ingest(MONDAY, [['2021-01', '2021-02-05', 10]]);
    await ingest(TUESDAY, [['2021-01', '2021-02-05', 11]]);
    expect(await vintages()).toEqual([
      ['2021-01', '2021-02-05', '2021-02-05T23:59:59.999Z', 10],
      ['2021-01', '2021-03-02', TUESDAY, 11],
    ]);
  });

  it('does so within one run as well, and gives two vintages of the day of retrieval different labels', async () => {
    await ingest(MONDAY, [['2021-01', '2021-03-01T07:00:00.000Z', 9]]);
    const files = { ...statedFile('a', [['2021-01', '2021-02-05', 10]]), ...statedFile('b', [['2021-01', '2021-02-05', 11]]) };
    await pipeline.ingest(files, '2021-03-01T09:00:00.000Z', [stated]);
    expect(await vintages()).toEqual([
      ['2021-01', '2021-02-05', '2021-02-05T23:59:59.999Z', 10],
      ['2021-01', '2021-03-01', '2021-03-01T07:00:00.000Z', 9],
      ['2021-01', '2021-03-01.2', '2021-03-01T09:00:00.000Z', 11],
    ]);
  });

  it('writes nothing in a second run over the same payloads', async () => {
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

  it('numbers changes in their order, without a gap or a repetition', async () => {
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

  describe('a file that returns to its earlier content', () => {
    const DAYS = ['2021-03-01', '2021-03-02', '2021-03-03', '2021-03-04', '2021-03-05'];
    const at = (day: string) => `${day}T08:00:00.000Z`;
    const CONTENTS = [10, 11, 10, 10, 11];

    it('is read again: an undated download', async () => {
      for (const [index, day] of DAYS.entries()) await ingest(at(day), [['2021-01', null, CONTENTS[index] ?? null]], 'same');
      expect((await vintages()).map(([, , known, value]) => [known, value])).toEqual([
        [at('2021-03-01'), 10],
        [at('2021-03-02'), 11],
        [at('2021-03-03'), 10],
        [at('2021-03-05'), 11],
      ]);
    });

    const DATED = [
      ['2021-02-05T23:59:59.999Z', 10],
      [at('2021-03-02'), 11],
      [at('2021-03-03'), 10],
      [at('2021-03-05'), 11],
    ];

    it.runIf(isLong)('is read again: one that dates its values, each a correction known from its own retrieval', async () => {
      for (const [index, day] of DAYS.entries()) await ingest(at(day), [['2021-01', '2021-02-05', CONTENTS[index] ?? null]], 'same');
      expect((await vintages()).map(([, , known, value]) => [known, value])).toEqual(DATED);
    });

    it.runIf(isLong)('gives the same result if all of its contents are read at once', async () => {
      for (const [index, day] of DAYS.entries()) {
        const body = JSON.stringify({ knownAt: null, rows: [['2021-01', '2021-02-05', CONTENTS[index]]] });
        await pipeline.workspace.archive.store({
          sourceId: 'fred',
          key: 'stated/same.json',
          body: Buffer.from(body),
          mediaType: 'application/json',
          address: null,
          retrievedAt: at(day),
          httpStatus: null,
          etag: null,
          lastModified: null,
        });
      }
      await ingest('2021-03-06T08:00:00.000Z', [['2020-12', '2021-01-05', 9]], 'another');
      expect((await vintages()).slice(1).map(([, , known, value]) => [known, value])).toEqual(DATED);
    });

    it('does not bring back values that another file has replaced since', async () => {
      await ingest(MONDAY, [['2021-01', '2021-02-05', 10]], 'one');
      await ingest(TUESDAY, [['2021-01', '2021-02-05', 11]], 'two');
      await ingest(
        '2021-03-03T08:00:00.000Z',
        [
          ['2021-01', '2021-02-05', 10],
          ['2020-12', '2021-01-05', 9],
        ],
        'one',
      );
      expect((await vintages()).map(([period, , , value]) => [period, value])).toEqual([
        ['2020-12', 9],
        ['2021-01', 10],
        ['2021-01', 11],
      ]);
    });

    it.runIf(isLong)('counts for records too: the name of a filer, a fact of a filing', async () => {
      const filer = (name: string, value: number) => ({
        ...submissions(7, { sicDescription: name }, {}),
        ...companyFacts(7, {
          '0000000007-21-000001': { form: '10-K', filed: '2021-02-10', facts: [['Assets', 'USD', null, '2020-12-31', value]] },
        }),
      });
      for (const [index, day] of DAYS.entries()) await pipeline.ingest(filer(`Name ${CONTENTS[index]}`, CONTENTS[index] ?? 0), at(day));
      const days = async (sql: string) => (await pipeline.lake(sql)).map((row) => Object.values(row));
      const CHANGES = [
        ['2021-03-01', 10],
        ['2021-03-02', 11],
        ['2021-03-03', 10],
        ['2021-03-05', 11],
      ];
      expect(await days('select retrieved_at::date::varchar, value from facts order by retrieved_at')).toEqual(CHANGES);
      expect(
        await days(
          `select retrieved_at::date::varchar, right(sic_description, 2)::integer from companies where sic_description is not null order by retrieved_at`,
        ),
      ).toEqual(CHANGES);
    });
  });
});
