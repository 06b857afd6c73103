import type { DerivedIndicator } from './derived.ts';

export const m2GrowthYoy: DerivedIndicator = {
  slug: 'm2_growth_yoy',
  datasetNo: 1051,
  family: 'macro_transform',
  derivedFrom: ['money_supply_m2'],
  method: 'year_over_year_v1',
};
