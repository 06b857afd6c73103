// Series of a catalogue written by hand, for questions that need no lake.
import { type Catalogue, type Series, toCatalogue } from '../../../src/model/catalogue.ts';
import { NOTHING_LEARNED } from '../../../src/model/trust.ts';

/** A national, monthly, eligible series of the United States, but for what is given. */
export function seriesWith(change: Partial<Series>): Series {
  const { entityType = 'country' } = change;
  return {
    isMacro: !['company', 'futures_contract', 'instrument', 'index', 'commodity'].includes(entityType),
    isNational: ['country', 'currency_area'].includes(entityType),
    seriesNo: 1,
    sourceId: 's',
    indicatorId: 'us_cpi',
    canonicalId: 'cpi',
    entityId: 'us',
    entityType,
    entityName: 'United States',
    country: 'US',
    seriesCode: 'CPI',
    frequency: 'monthly',
    unit: 'percent',
    currency: null,
    provider: 'Statistics',
    sourceTier: 'official_national',
    isDerived: false,
    rights: { redistributable: true, license: 'open', note: null },
    licensedSourceIds: [],
    isWithheld: false,
    ceasedAt: null,
    ceasedFinalPeriod: null,
    successorIndicatorId: null,
    indicatorName: 'Prices',
    category: 'prices',
    subCategory: null,
    factorHint: null,
    factorKey: 'cpi',
    factorUnit: 'percent',
    comparisonBasis: 'yoy',
    importance: 'high',
    isMonetary: false,
    isSeasonalAdjustmentMatch: true,
    sourceRank: null,
    attribution: 'Statistics',
    sourceUrl: null,
    firstPeriodEnd: '2020-01-31',
    latestPeriodEnd: '2024-03-31',
    observationCount: 1,
    vintageCount: 1,
    latestObservedAt: '2024-04-10T12:00:00.000Z',
    defaultBudgetDays: 86,
    learnedBudgets: NOTHING_LEARNED,
    inputsCeasedAt: null,
    eventCadence: null,
    reasons: [],
    ...change,
  };
}

/** In the order of series_no, found by the ids that they have. */
export function catalogueOf(series: readonly Series[]): Catalogue {
  const sorted = series.toSorted((a, b) => a.seriesNo - b.seriesNo);
  const own = (idOf: (one: Series) => string) => new Map(sorted.map((one) => [idOf(one).toLowerCase(), idOf(one)]));
  return toCatalogue(sorted, {
    entityIds: own((one) => one.entityId),
    names: new Map(),
    companyCountries: new Map(),
    countries: new Map(sorted.flatMap((one) => (one.country === null ? [] : [[one.country.toLowerCase(), one.country] as const]))),
    canonicalIds: own((one) => one.canonicalId),
    addresses: new Map(),
    releases: new Map(),
    consensus: new Map(),
  });
}
