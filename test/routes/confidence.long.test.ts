// One factor from several sources: balances of the Commission in two releases, indices of the OECD, a third party's index.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fredMdFile, type Files } from '../pipeline.ts';
import { type FixtureService, startFixtureService } from './fixture-service.ts';

const release = (day: string, rows: readonly string[]): Files => ({
  [`dg-ecfin-bcs/data_esi_values.${day}.csv`]: ['date,country,series,value', ...rows, ''].join('\n'),
});
const portal = (indicator: 'BCI' | 'CCI', rows: readonly (readonly [location: string, month: string, value: number])[]): Files => ({
  [`oecd/${indicator}.DP_LIVE.csv`]: [
    '\uFEFF"LOCATION","INDICATOR","SUBJECT","MEASURE","FREQUENCY","TIME","Value","Flag Codes"',
    ...rows.map(([location, month, value]) => `"${location}","${indicator}","AMPLITUD","LTRENDIDX","M","${month}",${value},`),
    '',
  ].join('\r\n'),
});

const FEBRUARY = release('2031-02-27', [
  '2031-01-31,DE,INDU,-4.1',
  '2031-01-31,DE,CONS,-9',
  '2031-01-31,LU,INDU,3',
  '2031-01-31,LU,CONS,-2',
  '2031-02-28,DE,INDU,-5',
  '2031-02-28,DE,CONS,-8.5',
  '2031-02-28,LU,INDU,2',
  '2031-02-28,LU,CONS,-1',
]);
const MARCH = release('2031-03-28', [
  '2031-01-31,DE,INDU,-4.3',
  '2031-01-31,DE,CONS,-9',
  '2031-01-31,LU,INDU,3',
  '2031-02-28,DE,INDU,-5',
  '2031-02-28,DE,CONS,-8.5',
  '2031-02-28,LU,INDU,2',
  '2031-03-31,DE,INDU,-6',
  '2031-03-31,DE,CONS,-8',
  '2031-03-31,LU,INDU,1',
]);
const BUSINESS = portal('BCI', [
  ['DEU', '2031-02', 99.4],
  ['DEU', '2031-01', 99.6],
  ['XYZ', '2031-01', 100],
]);
const CONSUMERS = portal('CCI', [
  ['USA', '2031-02', 98.7],
  ['G-7', '2031-02', 99.1],
]);
const MICHIGAN = fredMdFile('2031-03', { UMCSENTx: { '2031-02': 77.5 } });

let service: FixtureService;
beforeAll(async () => {
  const files = { ...FEBRUARY, ...MARCH, ...BUSINESS, ...CONSUMERS, ...MICHIGAN };
  service = await startFixtureService([{ files, at: '2031-04-02T08:00:00.000Z' }], '2031-04-03T08:00:00.000Z');
});
afterAll(() => service.stop());

const rows = async (query: string) => (await service.list(`/observations?${query}`)).data;
const pick = (row: Readonly<Record<string, unknown>>, ...names: readonly string[]) => names.map((name) => row[name]);

describe('business and consumer confidence', () => {
  it('are known from the end of each release day; later releases revise and withdraw values', async () => {
    const at = async (asOf: string, indicator: string) =>
      (await rows(`indicator_id=${indicator}&source_id=dg_ecfin&as_of=${asOf}&sort=period_end&order=asc`)).map((row) =>
        pick(row, 'period', 'actual'),
      );
    expect(await at('2031-02-26', 'de_business_confidence')).toEqual([]);
    expect(await at('2031-02-27', 'de_business_confidence')).toEqual([
      ['2031-01', -4.1],
      ['2031-02', -5],
    ]);
    expect(await at('2031-03-28', 'de_business_confidence')).toEqual([
      ['2031-01', -4.3],
      ['2031-02', -5],
      ['2031-03', -6],
    ]);
    expect(await at('2031-03-27', 'lu_consumer_confidence')).toEqual([
      ['2031-01', -2],
      ['2031-02', -1],
    ]);
    expect(await at('2031-03-28', 'lu_consumer_confidence')).toEqual([
      ['2031-01', null],
      ['2031-02', null],
    ]);
  });

  it('prefer the balance, the basis of the factor; an index keeps its unit and is not scored', async () => {
    const found = await rows('indicator_id=de_business_confidence&period=2031-02&sort=period_end');
    expect(
      found
        .map((row) => pick(row, 'sourceId', 'actual', 'unit', 'comparisonBasis', 'factorKey', 'scoringEligible', 'preferredForFactor'))

        .toSorted((a, b) => String(a[0]).localeCompare(String(b[0]))),
    ).toEqual([
      ['dg_ecfin', -5, 'balance', 'balance', 'business_confidence', true, true],
      ['oecd', 99.4, 'index', 'level', 'business_confidence', false, false],
    ]);
    const index = found.find((row) => row['sourceId'] === 'oecd');
    const provenance = await service.get(`/provenance/observations/${String(index?.['observationId'])}`);
    expect(((await provenance.json()) as { data: { scoring: unknown } }).data.scoring).toEqual({
      eligible: false,
      reasons: ['unit', 'comparison_basis'],
    });
  });

  it('know an undated OECD download from its retrieval, and ignore an unknown country', async () => {
    expect(await rows('indicator_id=us_consumer_confidence&as_of=2031-04-01')).toEqual([]);
    const [row] = await rows('indicator_id=us_consumer_confidence');
    expect(pick(row ?? {}, 'observedAt', 'actual', 'vintage')).toEqual(['2031-04-02T08:00:00.000Z', 98.7, '2031-04-02']);
    expect((await rows('indicator_id=g7_consumer_confidence')).map((one) => one['actual'])).toEqual([99.1]);
    const quarantined = (await service.list('/quarantine?source_id=oecd')).data;
    expect(quarantined.map((one) => pick(one, 'rule', 'severity', 'period'))).toEqual([['identity_unresolved', 'block', '2031-01']]);
  });

  it('count a third party under the same factor, unscored and not redistributable', async () => {
    const [row] = await rows('indicator_id=us_consumer_sentiment_umich');
    expect(pick(row ?? {}, 'factorKey', 'actual', 'scoringEligible', 'rights')).toEqual([
      'consumer_confidence',
      77.5,
      false,
      expect.objectContaining({ redistributable: false }),
    ]);
    expect((await service.list('/public/observations?indicator_id=us_consumer_sentiment_umich')).data).toEqual([]);
    expect((await service.list('/public/observations?indicator_id=us_consumer_confidence')).data).toHaveLength(1);
  });
});
