// The sentiment of the banks' real documents: each is scored once, and the banks turn when they are known to have turned.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sources } from '../../src/sources/index.ts';
import { compareWithLakeOfThen } from '../story/look-ahead/lake-of-then.ts';
import { openPipeline, type Pipeline, REAL_DATA } from '../pipeline.ts';

const FOLDER = 'central-bank-text';

describe.skipIf(!existsSync(REAL_DATA))('the sentiment of real documents', () => {
  let pipeline: Pipeline;
  beforeAll(async () => {
    pipeline = await openPipeline();
    const keys = readdirSync(join(REAL_DATA, FOLDER), { recursive: true, encoding: 'utf8' })
      .map((file) => `${FOLDER}/${file}`)
      .filter((key) => sources.some((source) => source.owns(key)) && !key.includes('/html/'));
    const files = Object.fromEntries(keys.map((key) => [key, new Uint8Array(readFileSync(join(REAL_DATA, key)))]));
    await pipeline.run(files, '2026-11-20T10:00:00.000Z');
  });
  afterAll(() => pipeline.remove());

  async function select(columns: string, rest: string): Promise<unknown[][]> {
    const snapshot = await pipeline.open();
    const result = await snapshot.withConnection((connection) =>
      connection.runAndReadAll(
        `select ${columns} from published.vintages inner join published.series using (series_no) where canonical_id in ('cb_statement_sentiment', 'cb_minutes_sentiment') ${rest}`,
      ),
    );
    return result.getRows().map((row) => row.map((cell) => (typeof cell === 'bigint' ? Number(cell) : cell)));
  }

  it('is one vintage per document, none of them empty', async () => {
    expect(await select('indicator_id, count(*), count(distinct period), count(value)', 'group by all order by all')).toEqual([
      ['au_cb_minutes_sentiment', 33, 33, 33],
      ['ca_cb_statement_sentiment', 4, 4, 4],
      ['ea_cb_minutes_sentiment', 8, 8, 8],
      ['ea_cb_statement_sentiment', 55, 55, 55],
      ['gb_cb_minutes_sentiment', 17, 17, 17],
      ['gb_cb_statement_sentiment', 17, 17, 17],
      ['se_cb_minutes_sentiment', 10, 10, 10],
      ['se_cb_statement_sentiment', 23, 23, 23],
      ['us_cb_minutes_sentiment', 23, 23, 23],
      ['us_cb_statement_sentiment', 231, 231, 231],
    ]);
  });

  it('skips releases that are no policy statements', async () => {
    // Swap lines and the strategy: see real-fed-statements.test.ts.
    expect(await select('period', "and period in ('2010-05-09', '2020-03-31', '2020-08-27')")).toEqual([]);
  });

  it('shows nothing as of a moment that was not known then', async () => {
    // Between a release and its correction, on a day of three releases, before the hour of one.
    const cutoffs = [
      '2012-04-10T00:00:00.000Z',
      '2019-12-12T12:59:59.000Z',
      '2024-06-06T12:15:00.000Z',
      '2026-02-10T00:00:00.000Z',
      '2026-03-19T12:30:00.000Z',
    ];
    const report = await compareWithLakeOfThen(pipeline, ['cb_statement_sentiment', 'cb_minutes_sentiment'], cutoffs);
    expect(report.differences).toEqual([]);
    expect(report.rowsCompared).toBeGreaterThan(1000);
  });

  it.each([
    ['us', 2018, 'hawkish'],
    ['us', 2022, 'hawkish'],
    ['us', 2023, 'hawkish'],
    ['us', 2009, 'dovish'],
    ['us', 2020, 'dovish'],
    ['ea', 2020, 'dovish'],
    ['ea', 2022, 'hawkish'],
    ['se', 2023, 'hawkish'],
    ['se', 2024, 'dovish'],
    ['gb', 2025, 'dovish'],
  ])('of %s in %d was mostly %s', async (entity, year, stance) => {
    const inYear = `and entity_id = '${entity}' and year(period_end) = ${year} and (metadata->>'documentType') = 'policy_statement'`;
    const [[mean] = []] = await select('avg(value)', inYear);
    expect(Number(mean) > 0 ? 'hawkish' : 'dovish').toBe(stance);
  });
});
