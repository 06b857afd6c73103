import type { DerivedIndicator } from './derived.ts';

export const gdpGrowthQoq: DerivedIndicator = {
  slug: 'gdp_growth_qoq',
  datasetNo: 1045,
  family: 'macro_transform',
  derivedFrom: ['gdp_real'],
  method: 'quarter_over_quarter_v1',
};
