import type { DerivedIndicator } from './derived.ts';

export const gdpGrowthYoy: DerivedIndicator = {
  slug: 'gdp_growth_yoy',
  datasetNo: 1029,
  family: 'macro_transform',
  derivedFrom: ['gdp_real'],
  method: 'year_over_year_v1',
};
