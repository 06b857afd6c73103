// Which source answers for an id that several have: FRED's own where it is fresh, else the one that reaches furthest.
import { describe, expect, it } from 'vitest';
import type { ServiceClient } from '../../src/client/service.ts';
import { readCatalogue } from '../../src/facade/catalogue.ts';

type Listing = readonly [sourceId: string, latestPeriodEnd: string, freshnessStatus: string];

/** A service that lists payrolls of these sources. */
function serving(listings: readonly Listing[]): ServiceClient {
  const indicators = listings.map(([sourceId, latestPeriodEnd, freshnessStatus]) => ({
    indicatorId: 'us_nonfarm_payrolls',
    canonicalIndicatorId: 'nonfarm_payrolls',
    name: 'All Employees, Total Nonfarm',
    entityId: 'us',
    frequency: 'monthly',
    unit: 'thousands',
    sourceId,
    firstPeriodEnd: '1939-01-31',
    latestPeriodEnd,
    observationCount: 1,
    vintageCount: 1,
    freshnessStatus,
  }));
  const canonical = {
    canonicalIndicatorId: 'nonfarm_payrolls',
    description: null,
    seasonalAdjustment: 'sa',
    category: 'labour',
    subCategory: 'employment',
    preferredSourceIds: ['bls', 'fred'],
    externalCodes: { fred: 'PAYEMS' },
  };
  const unasked = () => Promise.reject(new Error('not asked'));
  return {
    item: unasked,
    rows: unasked,
    text: unasked,
    page: async (path) => ({ data: path === '/indicators' ? indicators : [canonical], meta: { pagination: { next_cursor: null } } }),
  };
}

const used = async (...listings: readonly Listing[]) => (await readCatalogue(serving(listings), undefined)).get('payems')?.sourceId;

describe('an id that several sources have', () => {
  it('belongs to FRED if that is fresh, even if another reaches further', async () => {
    expect(await used(['bls', '2026-10-31', 'fresh'], ['fred_md', '2026-10-31', 'fresh'], ['fred', '2026-09-30', 'fresh'])).toBe('fred');
  });

  it('belongs to the monthly files of FRED if only these are fresh', async () => {
    expect(await used(['fred', '2018-05-31', 'stale'], ['fred_md', '2020-04-30', 'fresh'])).toBe('fred_md');
  });

  it('belongs to the source that reaches furthest if none is fresh', async () => {
    expect(await used(['fred', '2025-11-30', 'stale'], ['fred_md', '2024-02-29', 'stale'])).toBe('fred');
    expect(await used(['fred', '2018-05-31', 'stale'], ['fred_md', '2021-11-30', 'stale'])).toBe('fred_md');
  });

  it('belongs to the preferred source if FRED has none, and each source has its own name', async () => {
    const catalogue = await readCatalogue(
      serving([
        ['world_bank', '2026-10-31', 'fresh'],
        ['bls', '2026-08-31', 'stale'],
      ]),
      undefined,
    );
    expect(['PAYEMS', 'PAYEMS@bls', 'us_nonfarm_payrolls@world_bank'].map((id) => catalogue.get(id.toLowerCase())?.sourceId)).toEqual([
      'bls',
      'bls',
      'world_bank',
    ]);
  });
});
