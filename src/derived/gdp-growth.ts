import type { DerivedIndicator } from './derived.ts';

export const gdpGrowth: DerivedIndicator = {
  slug: 'gdp_growth',
  datasetNo: 1028,
  family: 'macro_transform',
  derivedFrom: ['gdp_real'],
  method: 'quarter_over_quarter_annualised_v1',
};
