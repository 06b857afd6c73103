import type { DerivedIndicator } from './derived.ts';

export const corePceInflationYoy: DerivedIndicator = {
  slug: 'core_pce_inflation_yoy',
  datasetNo: 1027,
  family: 'macro_transform',
  derivedFrom: ['core_pce_price_index'],
  method: 'year_over_year_v1',
};
