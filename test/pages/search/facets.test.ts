// The facets of Search: which values narrow the results, and how many results have each.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';

interface Facet {
  readonly id: string;
  readonly column: string;
}
const address = pathToFileURL(join(import.meta.dirname, '../../../src/pages/static/search/facets.js')).href;
const { chosenFacets, FACETS, NO_FACETS, valuesOf } = (await import(address)) as {
  readonly chosenFacets: (kind: string, params: object) => object;
  readonly FACETS: Readonly<Record<string, readonly Facet[]>>;
  readonly NO_FACETS: object;
  readonly valuesOf: (
    rows: readonly object[],
    column: string,
    chosen?: string,
  ) => readonly { readonly value: string; readonly count: number }[];
};

describe('a facet', () => {
  const series = (canonicalIndicatorId: string, frequency: string | null) => ({ canonicalIndicatorId, frequency });

  it('counts indicators, not their series, and begins with the most frequent value', () => {
    const rows = [series('cpi', 'annual'), series('cpi', 'monthly'), series('cpi', 'monthly'), series('ppi', 'monthly'), series('x', null)];
    expect(valuesOf(rows, 'frequency')).toEqual([
      { value: 'monthly', count: 2 },
      { value: 'annual', count: 1 },
    ]);
  });

  it('counts entities by themselves', () => {
    const rows = ['us', 'de'].map((entityId) => ({ entityId, entityType: 'country' }));
    expect(valuesOf(rows, 'entityType')).toEqual([{ value: 'country', count: 2 }]);
  });

  it('keeps the chosen value, also without a result', () => {
    expect(valuesOf([], 'frequency', 'daily')).toEqual([{ value: 'daily', count: 0 }]);
    expect(valuesOf([series('cpi', 'daily')], 'frequency', 'daily')).toEqual([{ value: 'daily', count: 1 }]);
  });

  it('of another kind is not asked for', () => {
    const params = { q: 'cpi', frequency: 'monthly', sector: 'Energy' };
    expect(chosenFacets('indicators', params)).toEqual({ category: undefined, frequency: 'monthly', source_id: undefined });
    expect(chosenFacets('contracts', params)).toEqual({});
    expect(Object.keys(NO_FACETS)).toEqual(Object.values(FACETS).flatMap((all) => all.map(({ id }) => id)));
  });
});
