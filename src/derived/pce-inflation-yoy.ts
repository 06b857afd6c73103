import type { DerivedIndicator } from './derived.ts';

export const pceInflationYoy: DerivedIndicator = {
  slug: 'pce_inflation_yoy',
  datasetNo: 1041,
  family: 'macro_transform',
  derivedFrom: ['pce_price_index'],
  method: 'year_over_year_v1',
};
