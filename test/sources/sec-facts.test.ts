import { describe, expect, it } from 'vitest';
import { sec } from '../../src/sources/sec/source.ts';
import { companyFacts } from '../filings/edgar.ts';

const valuesOf = async (first: number, second: number) => {
  const filing = { form: '10-K', filed: '2025-02-20' };
  const fact = (value: number) => ['Assets', 'USD', null, '2024-12-31', value] as const;
  const files = companyFacts(9, { '0000000009-25-000001': { ...filing, facts: [fact(first), fact(second)] } });
  const key = Object.keys(files).join();
  const found: { facts: unknown[]; refused: unknown[] } = { facts: [], refused: [] };
  for await (const { kind, rows } of sec.normalise({
    key,
    retrievedAt: '2025-03-01T00:00:00.000Z',
    body: new TextEncoder().encode(String(files[key])),
  })) {
    if (kind === 'facts') found.facts.push(...rows.map(({ value }) => value));
    if (kind === 'refused') found.refused.push(...rows.map(({ rule, observedValue }) => [rule, observedValue]));
  }
  return found;
};

describe('a filing that states one fact twice', () => {
  it.each([
    ['greater', 10, 11],
    ['smaller', 11, 10],
  ])('states neither and refuses both if the second is as precise and %s', async (_, first, second) => {
    expect(await valuesOf(first, second)).toEqual({
      facts: [],
      refused: [
        ['duplicate_conflict', String(first)],
        ['duplicate_conflict', String(second)],
      ],
    });
  });

  it.each([
    ['first', 12_000_000, 12_345_678],
    ['second', 12_345_678, 12_000_000],
  ])('states the exact one if the %s is a rounding of it', async (_, first, second) => {
    expect(await valuesOf(first, second)).toEqual({ facts: [12_345_678], refused: [] });
  });

  it('states it once if both values are equal', async () => {
    expect(await valuesOf(10, 10)).toEqual({ facts: [10], refused: [] });
  });
});
