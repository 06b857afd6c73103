// Every rule broken once. What is refused is kept with its reason, once; what is only suspicious is written and noted.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Source } from '../../src/sources/source.ts';
import { decide, listHeld, listUnread } from '../../jobs/quarantine.ts';
import type { Lake } from '../../src/lake/lake.ts';
import { openPipeline, type Pipeline, realTimeFile } from '../pipeline.ts';
import { type Stated, stated, statedFile } from './stated.ts';

const AT = '2021-03-01T08:00:00.000Z';
const LATER = '2021-03-02T08:00:00.000Z';

describe('quarantine', () => {
  let pipeline: Pipeline;
  beforeEach(async () => {
    pipeline = await openPipeline();
  });
  afterEach(() => pipeline.remove());

  const ingest = async (rows: readonly Stated[], at = AT, name = at.slice(0, 10)) => {
    const { sources } = await pipeline.ingest(statedFile(name, rows), at, [stated]);
    return sources[0]?.payloads[0];
  };
  const quarantined = async () => {
    const rows = await pipeline.lake(
      'select rule, severity, series_code, period, observed_value, reason from quarantine order by rule, period, observed_value',
    );
    return rows.map((row) => [row['rule'], row['severity'], row['series_code'], row['period'], row['observed_value']]);
  };
  const withLake = async <Result>(work: (lake: Lake) => Promise<Result>): Promise<Result> => {
    const lake = await pipeline.workspace.openLake();
    try {
      return await work(lake);
    } finally {
      await lake.close();
    }
  };
  const values = async () => {
    const rows = await pipeline.lake('select period, value from observations order by period, observed_at');
    return rows.map((row) => [row['period'], row['value']]);
  };

  it.each<[string, Stated, string | null]>([
    ['identity_unresolved', ['2021-01', '2021-02-05', 10, 'NOBODYS'], '10.0'],
    ['time_travel', ['2021-01', '2021-03-01T08:00:00.001Z', 10], '10.0'],
    ['future_period', ['2021-03', '2021-02-28', 10], '10.0'],
  ])('refuses a row that breaks %s, and writes its neighbour', async (rule, row, observed) => {
    const report = await ingest([row, ['2020-12', '2021-01-05', 7]]);
    expect(report).toMatchObject({
      status: 'ok',
      rowsRead: 2,
      rowsWritten: 1,
      rowsQuarantined: 1,
      findings: [{ rule, severity: 'block', rows: 1 }],
    });
    expect(await quarantined()).toEqual([[rule, 'block', row[3] ?? 'PAYEMS', row[0], observed]]);
    expect(await values()).toEqual([['2020-12', 7]]);
  });

  it('refuses a value that is not finite', async () => {
    const infinite = {
      ...stated,
      *normalise() {
        yield {
          kind: 'observations' as const,
          rows: [
            {
              seriesCode: 'PAYEMS',
              frequency: 'monthly' as const,
              period: '2021-01',
              periodStart: '2021-01-01',
              periodEnd: '2021-01-31',
              value: Number.POSITIVE_INFINITY,
              observedAt: '2021-02-05T23:59:59.999Z',
            },
          ],
        };
      },
    };
    await pipeline.ingest(statedFile('one', []), AT, [infinite]);
    expect(await quarantined()).toEqual([['out_of_range', 'block', 'PAYEMS', '2021-01', 'inf']]);
    expect(await values()).toEqual([]);
  });

  it('refuses both of two values that one payload states for one instant', async () => {
    const report = await ingest([
      ['2021-01', '2021-02-05', 10],
      ['2021-01', '2021-02-05', 11],
      ['2021-01', '2021-02-06', 12],
    ]);
    expect(report).toMatchObject({ rowsWritten: 1, rowsQuarantined: 2 });
    expect(await quarantined()).toEqual([
      ['duplicate_conflict', 'block', 'PAYEMS', '2021-01', '10.0'],
      ['duplicate_conflict', 'block', 'PAYEMS', '2021-01', '11.0'],
    ]);
    expect(await values()).toEqual([['2021-01', 12]]);
  });

  it('refuses a value and a missing value for one instant, and accepts one value given twice', async () => {
    await ingest([
      ['2020-12', '2021-02-05', 10],
      ['2020-12', '2021-02-05', 10],
      ['2021-01', '2021-02-05', 10],
      ['2021-01', '2021-02-05', null],
    ]);
    expect((await quarantined()).map(([rule, , , period]) => [rule, period])).toEqual([
      ['duplicate_conflict', '2021-01'],
      ['duplicate_conflict', '2021-01'],
    ]);
    expect(await values()).toEqual([['2020-12', 10]]);
  });

  it('refuses revisions of an undated download that ends before the series does', async () => {
    await ingest([
      ['2020-12', null, 10],
      ['2021-01', null, 11],
      ['2021-02', null, 12],
    ]);
    const report = await ingest(
      [
        ['2020-11', null, 8],
        ['2020-12', null, 9],
        ['2021-01', null, 11],
      ],
      LATER,
    );
    expect(report).toMatchObject({ rowsRead: 3, rowsWritten: 1, rowsQuarantined: 1 });
    expect(await quarantined()).toEqual([['period_regression', 'block', 'PAYEMS', '2020-12', '9.0']]);
    expect(await values()).toEqual([
      ['2020-11', 8],
      ['2020-12', 10],
      ['2021-01', 11],
      ['2021-02', 12],
    ]);
  });

  it('accepts revisions of an undated download that reaches as far as the series', async () => {
    await ingest([
      ['2020-12', null, 10],
      ['2021-01', null, 11],
    ]);
    await ingest(
      [
        ['2020-12', null, 9],
        ['2021-01', null, 11],
      ],
      LATER,
    );
    expect(await quarantined()).toEqual([]);
    expect(await values()).toEqual([
      ['2020-12', 10],
      ['2020-12', 9],
      ['2021-01', 11],
    ]);
  });

  it('writes and reports a revision by a factor of ten', async () => {
    const report = await ingest([
      ['2021-01', '2021-02-05', 10],
      ['2021-01', '2021-02-06', 100],
      ['2020-12', '2021-02-05', 10],
      ['2020-12', '2021-02-06', 99],
    ]);
    expect(report).toMatchObject({ rowsWritten: 4, rowsQuarantined: 0, findings: [{ rule: 'scale_jump', severity: 'warn', rows: 1 }] });
    expect(await quarantined()).toEqual([['scale_jump', 'warn', 'PAYEMS', '2021-01', '100.0']]);
  });

  it('writes and reports a change of sign of a level, not of a rate', async () => {
    await ingest([
      ['2021-01', '2021-02-05', 10],
      ['2021-01', '2021-02-06', -10],
      ['2021-01', '2021-02-05', 1, 'UNRATE'],
      ['2021-01', '2021-02-06', -1, 'UNRATE'],
    ]);
    expect(await quarantined()).toEqual([['sign_flip', 'warn', 'PAYEMS', '2021-01', '-10.0']]);
    expect(await values()).toHaveLength(4);
  });

  it('quarantines no row twice, in a second run or from a payload with the same content', async () => {
    const bad: Stated = ['2021-01', '2021-02-05', 10, 'NOBODYS'];
    await ingest([bad, bad], AT, 'one');
    await ingest([bad, bad], LATER, 'one');
    expect(await quarantined()).toHaveLength(1);
    const broken = statedFile('broken', [], { fault: 'the header is another' });
    await pipeline.ingest(broken, '2021-03-03T08:00:00.000Z', [stated]);
    await pipeline.ingest(broken, '2021-03-04T08:00:00.000Z', [stated]);
    expect((await quarantined()).map(([rule]) => rule)).toEqual(['identity_unresolved', 'schema_drift']);
  });

  it('keeps nothing of a failing payload, continues with the others, and reads it once it is repaired', async () => {
    const files = {
      ...statedFile('a', [['2020-12', '2021-01-05', 7]]),
      ...statedFile('b', [['2021-01', '2021-02-05', 8]], { fault: 'the header is another' }),
      ...statedFile('c', [['2021-02', '2021-02-25', 9]]),
    };
    const first = await pipeline.ingest(files, AT, [stated]);
    expect(first.sources).toMatchObject([{ sourceId: 'fred', status: 'failed' }]);
    expect(first.sources[0]?.error).toBe('1 of 3 payloads failed: fred: the header is another');
    expect(await values()).toEqual([
      ['2020-12', 7],
      ['2021-02', 9],
    ]);
    expect(await quarantined()).toEqual([['schema_drift', 'block', null, null, 'stated/b.json']]);

    const mended = await pipeline.ingest(statedFile('b', [['2021-01', '2021-02-05', 8]]), LATER, [stated]);
    expect(mended.sources).toMatchObject([{ status: 'ok', error: null }]);
    expect(await values()).toEqual([
      ['2020-12', 7],
      ['2021-01', 8],
      ['2021-02', 9],
    ]);
  });

  it('reads a failed payload again in the next run with a repaired reader', async () => {
    const file = statedFile('b', [['2021-01', '2021-02-05', 8]], { fault: 'the header is another' });
    await pipeline.ingest(file, AT, [stated]);
    const mended = {
      ...stated,
      *normalise() {
        yield {
          kind: 'observations' as const,
          rows: [
            {
              seriesCode: 'PAYEMS',
              period: '2021-01',
              periodStart: '2021-01-01',
              periodEnd: '2021-01-31',
              value: 8,
              observedAt: '2021-02-05T23:59:59.999Z',
            },
          ],
        };
      },
    };
    const { sources } = await pipeline.ingest(file, LATER, [mended]);
    expect(sources).toMatchObject([{ status: 'ok', payloads: [{ status: 'ok', rowsWritten: 1 }] }]);
    await pipeline.publish();
    const snapshot = await pipeline.open();
    const found = await snapshot.withConnection(async (connection) =>
      (await connection.runAndReadAll('select rule, status from published.quarantine')).getRows(),
    );
    expect(found).toEqual([['schema_drift', 'superseded']]);
  });

  it('tries a file again in each run, until you reject it; a new version of the reader tries it once more', async () => {
    const broken = {
      ...stated,
      *normalise() {
        yield* [];
        throw new Error('the header is another');
      },
    };
    const file = statedFile('b', [['2021-01', '2021-02-05', 8]]);
    const night = async (source: Source, at: string) => {
      const { sources } = await pipeline.ingest(file, at, [source]);
      return [sources[0]?.status, sources[0]?.payloads.length];
    };
    await pipeline.ingest(file, AT, [broken]);
    expect(await night(broken, '2021-03-02T08:00:00.000Z')).toEqual(['failed', 1]);
    const unread = await withLake(listUnread);
    expect(unread.map(({ key, reason }) => [key, reason])).toEqual([['stated/b.json', 'the header is another']]);
    expect(await withLake(listHeld)).toEqual([]);
    const choose = (status: 'released' | 'rejected') =>
      withLake((lake) =>
        decide(lake, [unread[0]?.quarantineId ?? ''], {
          status,
          note: 'another report',
          isWholePayload: false,
          at: '2021-03-03T08:00:00.000Z',
        }),
      );
    await expect(choose('released')).rejects.toThrow(/could not be read, so there is nothing to release\. You can reject it/);
    await choose('rejected');
    expect(await night(broken, '2021-03-04T08:00:00.000Z')).toEqual(['ok', 0]);
    expect(await withLake(listUnread)).toEqual([]);
    await pipeline.publish();
    const snapshot = await pipeline.open();
    const found = await snapshot.withConnection(async (connection) =>
      (await connection.runAndReadAll('select status, resolution from published.quarantine')).getRows(),
    );
    expect(found).toEqual([['rejected', 'another report']]);
    expect(await night({ ...stated, version: 2 }, '2021-03-05T08:00:00.000Z')).toEqual(['ok', 1]);
    expect(await values()).toEqual([['2021-01', 8]]);
  });

  it('lists a file that an earlier version of the reader could read, and the present one cannot', async () => {
    const file = statedFile('b', [['2021-01', '2021-02-05', 8]]);
    const broken = {
      ...stated,
      version: stated.version + 1,
      *normalise() {
        yield* [];
        throw new Error('the header is another');
      },
    };
    await pipeline.ingest(file, AT, [stated]);
    await pipeline.ingest(file, LATER, [broken]);
    expect((await withLake(listUnread)).map(({ key }) => key)).toEqual(['stated/b.json']);
  });

  it('neither lists nor tries again a file that could not be read if a readable one of the same name followed', async () => {
    const bad = statedFile('b', [['2021-01', '2021-02-05', 8]], { fault: 'cut off' });
    const good = statedFile('b', [['2021-01', '2021-02-05', 8]]);
    await pipeline.ingest(bad, AT, [stated]);
    await pipeline.ingest(good, LATER, [stated]);
    expect(await withLake(listUnread)).toEqual([]);
    const { sources } = await pipeline.ingest(good, '2021-03-05T08:00:00.000Z', [stated]);
    expect([sources[0]?.status, sources[0]?.payloads]).toEqual(['ok', []]);
    await pipeline.publish();
    const snapshot = await pipeline.open();
    const found = await snapshot.withConnection(async (connection) =>
      (await connection.runAndReadAll('select status, resolution from published.quarantine')).getRows(),
    );
    expect(found).toEqual([['superseded', 'A later file of the same name was read.']]);
    expect(await values()).toEqual([['2021-01', 8]]);
  });

  it('continues with the other sources if one fails', async () => {
    const files = {
      ...realTimeFile('EMP', 'EMP', [
        ['2020-01-01', '2020-02-07', '2020-12-31', 10],
        ['2020-02-01', '2020-03-06', '2020-12-31', 11],
        ['2020-03-01', '2020-04-03', '2020-12-31', 12],
      ]),
      'fred-md/2020-05.csv': '<html>The page has moved</html>',
    };
    const { sources } = await pipeline.ingest(files, AT);
    expect(sources.map(({ sourceId, status }) => [sourceId, status])).toEqual([
      ['fred_md', 'failed'],
      ['fred', 'ok'],
    ]);
    expect(await values()).toEqual([
      ['2020-01', 10],
      ['2020-02', 11],
      ['2020-03', 12],
    ]);
  });

  it('continues with the other sources if the rows of one cannot enter the lake', async () => {
    const filing = {
      cik: '0000000001',
      accessionNumber: '0000000001-21-000001',
      form: '10-K',
      filed: 'yesterday',
      reportDate: null,
      acceptedAt: null,
      items: null,
      primaryDocument: null,
      observedAt: '2021-02-05T23:59:59.999Z',
    };
    const odd: Source = {
      ...stated,
      id: 'sec',
      owns: (path) => path === 'odd.json',
      normalise: () => [{ kind: 'filings', rows: [filing] }],
    };
    const files = { ...statedFile('a', [['2020-12', '2021-01-05', 7]]), 'odd.json': '{"knownAt":null,"rows":[]}' };
    const { sources } = await pipeline.ingest(files, AT, [odd, stated]);
    expect(sources).toMatchObject([
      { sourceId: 'sec', status: 'failed', error: expect.stringContaining('yesterday') as string },
      { sourceId: 'fred', status: 'ok' },
    ]);
    expect(await values()).toEqual([['2020-12', 7]]);
    expect(await pipeline.lake('select source_id, status from attempts order by source_id')).toEqual([
      { source_id: 'fred', status: 'ok' },
      { source_id: 'sec', status: 'failed' },
    ]);
  });

  it('accepts no older vintage while a later one, to be read again, is damaged in the archive', async () => {
    await pipeline.ingest(statedFile('later', [['2020-12', '2021-02-07', 7]]), AT, [stated]);
    const object = await damageArchive();
    const older = statedFile('older', [['2020-12', '2021-02-05', 8]]);
    const { sources } = await pipeline.ingest(older, LATER, [stated]);
    expect(sources[0]?.error).toMatch(/stated\/later\.json could not be read again: /);
    expect(await values()).toEqual([['2020-12', 7]]);
    await writeFile(object.path, object.bytes);
    await pipeline.ingest(older, LATER, [stated]);
    expect(await values()).toEqual([
      ['2020-12', 8],
      ['2020-12', 7],
    ]);
  });

  const damageArchive = async () => {
    const folder = join(pipeline.dataDir, 'raw/objects');
    const name = (await readdir(folder, { recursive: true })).find((found) => found.endsWith('.gz')) ?? '';
    const path = join(folder, name);
    const bytes = await readFile(path);
    await writeFile(path, bytes.subarray(0, -4));
    return { path, bytes };
  };

  describe('a payload that is held back', () => {
    const MONTHS = Array.from({ length: 8 }, (_, index) => `2020-0${index + 1}`);
    const day = (number: number) => `2021-03-0${number}T08:00:00.000Z`;
    const nightOf = (number: number, factor: number, periods = MONTHS, source: Source = stated) =>
      pipeline.ingest(
        statedFile(
          'same',
          periods.map((month, index) => [month, null, (100 + index) * factor]),
        ),
        day(number),
        [source],
      );
    const newest = () =>
      pipeline.lake('select period, arg_max(value, observed_at) as value from observations group by all order by period');
    const timed = (factor: number, periods = MONTHS) => periods.map((month, index) => ({ period: month, value: (100 + index) * factor }));
    const release = (id: string, at: string, status: 'released' | 'rejected' = 'released', isWholePayload = false) =>
      withLake((lake) => decide(lake, [id], { status, note: 'in single persons from now on', isWholePayload, at }));
    const fileOf = (name: string, codes: readonly string[], number: number, factor: number) =>
      pipeline.ingest(
        statedFile(
          name,
          codes.flatMap((code) => MONTHS.map((month, index): Stated => [month, null, (100 + index) * factor, code])),
        ),
        day(number),
        [stated],
      );

    it('changes nothing until it is released; then it and all later ones are known from their retrieval', async () => {
      await nightOf(1, 1);
      const held = await nightOf(2, 1000);
      expect(held.sources[0]?.payloads[0]).toMatchObject({ rowsRead: 8, rowsWritten: 0, rowsQuarantined: 8 });
      await nightOf(3, 1000, [...MONTHS, '2020-09']);
      expect(await newest()).toEqual(timed(1));
      const waiting = await withLake(listHeld);
      expect(waiting.map(({ key, retrievedAt, indicatorId }) => [key, retrievedAt, indicatorId])).toEqual([
        ['stated/same.json', day(3), 'us_nonfarm_payrolls'],
        ['stated/same.json', day(2), 'us_nonfarm_payrolls'],
      ]);
      await release(waiting[1]?.quarantineId ?? '', day(4));
      await nightOf(5, 1000, [...MONTHS, '2020-09']);
      expect(await newest()).toEqual(timed(1000, [...MONTHS, '2020-09']));
      expect(await pipeline.lake("select observed_at from observations where period = '2020-01' order by observed_at")).toEqual([
        { observed_at: day(1) },
        { observed_at: day(2) },
      ]);
      const runs = await pipeline.lake('select count(*)::int as n from ingestions');
      await nightOf(6, 1000, [...MONTHS, '2020-09']);
      expect(await pipeline.lake('select count(*)::int as n from ingestions')).toEqual(runs);
    });

    it('gives the one series that is released, if the rest of the payload is rejected', async () => {
      const threeOf = (number: number, factor: number) => fileOf('three', ['PAYEMS', 'UNRATE', 'CPIAUCSL'], number, factor);
      await threeOf(1, 1);
      await threeOf(2, 1000);
      const waiting = await withLake(listHeld);
      expect(waiting.length).toBe(3);
      const idsOf = (isJobs: boolean) =>
        waiting.filter((one) => (one.indicatorId === 'us_nonfarm_payrolls') === isJobs).map((one) => one.quarantineId);
      for (const id of idsOf(true)) await release(id, day(3));
      await threeOf(4, 1000);
      const written = () =>
        pipeline.lake(
          `select indicator_id, observed_at, count(*)::int as n from observations where value >= 1000 group by all order by all`,
        );
      const jobs = [{ indicator_id: 'us_nonfarm_payrolls', observed_at: day(2), n: MONTHS.length }];
      expect(await written()).toEqual(jobs);
      for (const id of idsOf(false)) await release(id, day(5), 'rejected');
      await threeOf(6, 1000);
      expect(await written()).toEqual(jobs);
      expect(await withLake(listHeld)).toEqual([]);
    });

    it('gives every series of its file with one decision about the whole payload, and none of another file', async () => {
      const [two, other] = [
        ['PAYEMS', 'UNRATE'],
        ['CPIAUCSL', 'INDPRO'],
      ];
      await fileOf('two', two, 1, 1);
      await fileOf('other', other, 1, 1);
      await fileOf('two', two, 2, 1000);
      await fileOf('other', other, 3, 1000);
      const waiting = await withLake(listHeld);
      expect(waiting.map(({ key }) => key)).toEqual(['stated/other.json', 'stated/other.json', 'stated/two.json', 'stated/two.json']);
      const decided = await release(waiting[2]?.quarantineId ?? '', day(4), 'released', true);
      expect(decided.map(({ quarantineId }) => quarantineId)).toEqual(waiting.slice(2).map(({ quarantineId }) => quarantineId));
      expect((await withLake(listHeld)).map(({ key }) => key)).toEqual(['stated/other.json', 'stated/other.json']);
      await fileOf('two', two, 5, 1000);
      expect(
        await pipeline.lake('select indicator_id, count(*)::int as n from observations where value >= 1000 group by all order by all'),
      ).toEqual(waiting.slice(2).map(({ indicatorId }) => ({ indicator_id: indicatorId, n: MONTHS.length })));
    });

    it('no longer waits if a newer reader has read the payload', async () => {
      await nightOf(1, 1);
      await nightOf(2, 1000);
      const [before] = await withLake(listHeld);
      await nightOf(3, 1000, MONTHS, { ...stated, version: 2 });
      const after = await withLake(listHeld);
      expect(after.length).toBe(1);
      expect(after[0]?.quarantineId).not.toBe(before?.quarantineId);
      expect(after[0]?.payloadId).toBe(before?.payloadId);
    });

    it('stays out if it is rejected, and a finding that is not waiting is named', async () => {
      await nightOf(1, 1);
      await nightOf(2, 0);
      const [waiting] = await withLake(listHeld);
      await release(waiting?.quarantineId ?? '', day(3), 'rejected');
      expect(await withLake(listHeld)).toEqual([]);
      await nightOf(4, 0);
      expect(await newest()).toEqual(timed(1));
      await expect(release(waiting?.quarantineId ?? '', day(5))).rejects.toThrow(
        /does not wait for a decision\. To list what does: npm run quarantine -- list/,
      );
    });
  });
});
