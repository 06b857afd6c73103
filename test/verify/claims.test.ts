// What of a saved answer is compared, and with what; test/verify/verify.long.test.ts does so over a whole archive.
import { describe, expect, it } from 'vitest';
import { claimsOf } from '../../jobs/keeping/answer-file.ts';
import { disagreements, type Rederived } from '../../jobs/keeping/claims.ts';

const ID = 'obs_0123456789abcdefghijklmnop';
const found: Rederived = {
  sourceId: 'fred_md',
  indicatorId: 'us_nonfarm_payrolls',
  entityId: 'us',
  canonicalId: 'nonfarm_payrolls',
  seriesCode: 'PAYEMS',
  frequency: 'monthly',
  unit: 'thousands',
  period: '2020-04',
  periodStart: '2020-04-01',
  periodEnd: '2020-04-30',
  value: 130403,
  valueText: null,
  vintage: '2020-06-30',
  observedAt: '2020-06-30T23:59:59.999Z',
  releasedAt: null,
  retrievedAt: '2020-07-01T05:00:00.000Z',
  isRevised: true,
  key: 'fred-md/2020-06.csv',
  sha256: 'a'.repeat(64),
  address: null,
  connectorVersion: 3,
};
const row = {
  observationId: ID,
  indicatorId: 'us_nonfarm_payrolls',
  sourceId: 'fred_md',
  period: '2020-04',
  periodEnd: '2020-04-30',
  releaseDate: '2020-06-30',
  actual: 130403,
  unit: 'thousands',
  frequency: 'monthly',
  observedAt: '2020-06-30T23:59:59.999Z',
  retrievedAt: '2020-07-01T05:00:00.000Z',
  revised: true,
  vintage: '2020-06-30',
};

describe('a row', () => {
  it('agrees in all its fields, also as the derived routes return it', () => {
    expect(disagreements(row, found)).toEqual([]);
    const derived = {
      id: ID,
      indicatorId: 'indicator_nonfarm_payrolls',
      entityId: 'us',
      periodStart: '2020-04-01T00:00:00.000Z',
      periodEnd: '2020-04-30T00:00:00.000Z',
      valueNumeric: 130403,
      valueText: null,
      releasedAt: null,
    };
    expect(disagreements(derived, found)).toEqual([]);
  });

  it.each([
    ['actual', 130404],
    ['actual', null],
    ['actual', '130403'],
    ['period', '2020-05'],
    ['periodEnd', '2020-05-31'],
    ['observedAt', '2020-06-30T00:00:00.000Z'],
    ['retrievedAt', '2020-07-01T05:00:00.001Z'],
    ['releaseDate', '2020-06-29'],
    ['vintage', '2020-05-31'],
    ['revised', false],
    ['unit', 'persons'],
    ['indicatorId', 'indicator_other'],
    ['sourceId', 'fred'],
  ])('whose %s is %j disagrees only in that field', (name, value) => {
    expect(disagreements({ ...row, [name]: value }, found).map((text) => text.split(' ')[0])).toEqual([name]);
  });

  it('of /provenance is compared with the hash of its payload', () => {
    expect(disagreements({ ...row, rawPayload: { sha256: 'a'.repeat(64) } }, found)).toEqual([]);
    expect(disagreements({ ...row, rawPayload: { sha256: 'b'.repeat(64) } }, found)).toHaveLength(1);
  });
});

describe('an answer', () => {
  it('is an envelope with rows or one item, or only rows', () => {
    const ids = (answer: unknown) => claimsOf(JSON.stringify(answer), 'a.json').map(({ observationId }) => observationId);
    expect(ids({ data: [row, row], meta: {} })).toEqual([ID, ID]);
    expect(ids({ data: row })).toEqual([ID]);
    expect(ids([{ id: ID }])).toEqual([ID]);
  });

  it.each([
    ['not json', 'is not JSON'],
    ['{"data":[]}', 'has no rows to verify'],
    ['{"data":[{"name":"x"}]}', 'row 1 has no observationId'],
    ['{"error":{"code":"not_found"}}', 'row 1 has no observationId'],
    ['{"data":[{"observationId":"obs_1"}]}', 'row 1 has no observationId'],
  ])('%s is refused: it %s', (text, problem) => {
    expect(() => claimsOf(text, 'a.json')).toThrow(problem);
  });
});
