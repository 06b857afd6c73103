// One series in four releases: 2020-04 is printed, revised twice and at last withdrawn; 2020-05 and 2020-06 are printed once.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { VintageFilters } from '../../src/queries/reads/rows.ts';
import type { SnapshotReader } from '../../src/snapshot/serving/reader.ts';
import { ask, fredMdFile, openPipeline, type Pipeline } from '../pipeline.ts';

const RELEASES = {
  ...fredMdFile('2020-05', { PAYEMS: { '2020-03': 100, '2020-04': 131 } }),
  ...fredMdFile('2020-06', { PAYEMS: { '2020-03': 100, '2020-04': 129, '2020-05': 132 } }),
  ...fredMdFile('2020-07', { PAYEMS: { '2020-03': 100, '2020-04': 130, '2020-05': 132, '2020-06': 133 } }),
  ...fredMdFile('2020-08', { PAYEMS: { '2020-03': 100, '2020-04': null, '2020-05': 132, '2020-06': 133, '2020-07': 134 } }),
};
const FIRST = '2020-05-31T23:59:59.999Z';
const SECOND = '2020-06-30T23:59:59.999Z';
const THIRD = '2020-07-31T23:59:59.999Z';
const WITHDRAWN = '2020-08-31T23:59:59.999Z';

describe('a series of four releases', () => {
  let pipeline: Pipeline;
  let snapshot: SnapshotReader;

  beforeAll(async () => {
    pipeline = await openPipeline();
    await pipeline.run(RELEASES, '2021-01-01T00:00:00.000Z');
    snapshot = await pipeline.open();
  });
  afterAll(() => pipeline.remove());

  const april = async (filters: Partial<VintageFilters>) => {
    const answers = await ask(
      snapshot,
      { indicatorIds: ['us_nonfarm_payrolls'] },
      { ...filters, periodFrom: '2020-04-30', periodTo: '2020-04-30' },
    );
    return answers.map((answer) => answer.value);
  };

  it.each([
    ['long before the first release', '2019-01-01T00:00:00.000Z', []],
    ['just before the first release', '2020-05-31T23:59:59.998Z', []],
    ['on the first release', FIRST, [131]],
    ['between two releases', '2020-06-15T12:00:00.000Z', [131]],
    ['just before the first revision', '2020-06-30T23:59:59.998Z', [131]],
    ['on the first revision', SECOND, [129]],
    ['after the first revision', '2020-07-01T00:00:00.000Z', [129]],
    ['just before the second revision', '2020-07-31T23:59:59.998Z', [129]],
    ['on the second revision', THIRD, [130]],
    ['just before the withdrawal', '2020-08-31T23:59:59.998Z', [130]],
    ['on the withdrawal', WITHDRAWN, [null]],
    ['long after', '2030-01-01T00:00:00.000Z', [null]],
    ['without a cutoff', null, [null]],
  ])('has the values known %s', async (_, asOf, expected) => {
    expect(await april({ asOf })).toEqual(expected);
  });

  it('leaves out a withdrawn period if only numbers are requested', async () => {
    expect(await april({ numericOnly: true })).toEqual([]);
    expect(await april({ numericOnly: true, asOf: THIRD })).toEqual([130]);
  });

  it('returns the first print', async () => {
    expect(await april({ vintage: 'first' })).toEqual([131]);
    expect(await april({ vintage: 'first', asOf: THIRD })).toEqual([131]);
    expect(await april({ vintage: 'first', asOf: '2020-05-01T00:00:00.000Z' })).toEqual([]);
  });

  it('returns every print known at the cutoff, oldest first', async () => {
    expect(await april({ vintage: 'all' })).toEqual([131, 129, 130, null]);
    expect(await april({ vintage: 'all', asOf: SECOND })).toEqual([131, 129]);
  });

  it.each([
    [1, [131]],
    [2, [129]],
    [3, [130]],
    [4, [null]],
    [5, []],
  ])('returns print number %i of the period', async (releaseNumber, expected) => {
    expect(await april({ vintage: 'all', releaseNumber })).toEqual(expected);
  });

  it('filters the vintages by knowledge time before it chooses among them', async () => {
    expect(await april({ observedTo: SECOND })).toEqual([129]);
    expect(await april({ observedFrom: SECOND, vintage: 'first' })).toEqual([129]);
    expect(await april({ observedFrom: '2020-06-30T23:59:59.998Z', observedTo: THIRD, vintage: 'all' })).toEqual([129, 130]);
    expect(await april({ observedFrom: SECOND, observedTo: SECOND })).toEqual([129]);
    expect(await april({ observedFrom: SECOND, asOf: SECOND })).toEqual([129]);
    expect(await april({ observedFrom: '2020-07-01T00:00:00.000Z', observedTo: '2020-07-15T00:00:00.000Z' })).toEqual([]);
    expect(await april({ observedFrom: '2020-07-01T00:00:00.000Z', asOf: '2020-07-15T00:00:00.000Z' })).toEqual([]);
  });

  it('has one vintage of a period whose value never changed', async () => {
    const all = await ask(snapshot, { indicatorIds: ['us_nonfarm_payrolls'] }, { vintage: 'all' });
    expect(all.map(({ period, value, vintage, isRevised }) => [period, value, vintage, isRevised])).toEqual([
      ['2020-03', 100, '2020-05-31', false],
      ['2020-04', 131, '2020-05-31', false],
      ['2020-04', 129, '2020-06-30', true],
      ['2020-04', 130, '2020-07-31', true],
      ['2020-04', null, '2020-08-31', true],
      ['2020-05', 132, '2020-06-30', false],
      ['2020-06', 133, '2020-07-31', false],
      ['2020-07', 134, '2020-08-31', false],
    ]);
  });
});
